"""Owns what is checked of handed-over commits before they are pushed, by whoever has the right to push; pure.

The job that drafted them held a model's words and no right to push; this one trusts nothing of it. Whatever does not
fit stops the whole proposal: a job that was taken over cannot be asked which half of its work is sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.gates.quotation import stands_in
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.derived.indexes import is_index
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.linting.lint import lint
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import is_claim
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.paths import check_path
from pipeline.wiki.revision.sources import is_label, located

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from pipeline.config import LintSettings
    from pipeline.observations.observation import Observation

MOST_FILE_BYTES: Final = 4 * 1024 * 1024
"""Of one page, index or log: some hundred times a long page; what is larger was not written by any of our models."""
MOST_LEDGER_BYTES: Final = 64 * 1024 * 1024
MOST_BYTES: Final = 256 * 1024 * 1024
"""Of all changed files together."""
MOST_FILES: Final = 50_000

LEDGER: Final = ".ledger/"
RULE: Final = "handed-over"
_LINE: Final = re.compile(r":\d+\Z")
_OFFLINE: Final = "wikimill/extractive"
_QUOTED: Final = 80

Lookup = Callable[[str, int, str], "Observation | None"]
"""Gives the observation that a file, a line and a label name."""


@dataclass(frozen=True, slots=True)
class Handed:
    """One changed file, by its path from the top of the repository; no bytes when it goes. `mode` is git's."""

    path: str
    mode: str
    raw: bytes | None


def check_files(handed: Sequence[Handed], folder: str) -> tuple[Finding, ...]:
    """Refuse what lies outside of the wiki's pages and ledger, is no plain file, or is too large."""
    found = [finding for one in handed if (finding := _check_file(one, folder))]
    total = sum(len(one.raw or b"") for one in handed)
    if total > MOST_BYTES or len(handed) > MOST_FILES:
        told = f"{len(handed):,} files of {total:,} bytes in all are more than a run writes."
        found.append(Finding(folder, RULE, "error", told, "Look at what the run did before you push anything."))
    return tuple(found)


def _check_file(one: Handed, folder: str) -> Finding | None:
    where, inside = ascii(one.path)[1:-1][:200], one.path.startswith(folder + "/")
    path = one.path.removeprefix(folder + "/")
    told = ""
    if not inside:
        told = f"lies outside of {folder}/: a run writes pages and the ledger, and nothing else"
    elif one.raw is not None and one.mode != "100644":
        told = f"is no plain file (mode {one.mode})"
    elif not (path.endswith(".jsonl") if path.startswith(LEDGER) else path.endswith(".md")):
        told = "is neither a page nor a file of the ledger"
    elif any(part.startswith(("_", ".")) for part in path.removeprefix(LEDGER).split("/")):
        told = "is hidden, or an instruction to the model: only people write those"
    elif len(one.raw or b"") > (MOST_LEDGER_BYTES if path.startswith(LEDGER) else MOST_FILE_BYTES):
        told = f"is {len(one.raw or b''):,} bytes long"
    else:
        try:
            check_path(path)
        except WikimillError as fault:
            told = fault.message.rstrip(".")
    return Finding(where, RULE, "error", f"{told}.", _LOOK) if told else None


_LOOK: Final = "Nothing was pushed. Look at the log of the job that made it."


def check_secrets(texts: Iterable[tuple[str, str]], finds: Callable[[str], tuple[str, ...]]) -> tuple[Finding, ...]:
    """Refuse secrets in any text that would be published; each comes with the name of where it stands."""
    return tuple(
        Finding(where, RULE, "error", f"holds what looks like a secret ({kind}).", _LOOK)
        for where, text in texts
        for kind in finds(text)
    )


def check_pages(  # noqa: PLR0913  # what the lint asks for, and the two states
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    changed: Iterable[str],
    *,
    settings: LintSettings,
    today: date,
    observation_exists: Callable[[str, int], bool],
    cited: Lookup,
    observations: str,
) -> tuple[Finding, ...]:
    """Hold the pages to the lint's rules, and each new citation to the observation that it names.

    What was wrong before is no reason to refuse; `observations` is the folder of observations, from the wiki's
    repository. A page of the offline model quotes: its statements stand, word by word, in what they cite.
    """
    paths = sorted(set(changed))
    touched = {path for path in paths if path in after}
    old = set(map(_mistake, _lint(before, settings, today, observation_exists)))
    wrong = [
        one
        for one in _lint(after, settings, today, observation_exists)
        if one.severity == "error" and _mistake(one) not in old
    ]
    for path in sorted(touched):
        if is_page(path) and not is_index(path) and path.rpartition("/")[2] != LOG:
            wrong += _check_citations(path, before.get(path), after[path], cited, observations)
    return tuple(dict.fromkeys(wrong))


def _lint(
    wiki: Mapping[str, bytes], settings: LintSettings, today: date, exists: Callable[[str, int], bool]
) -> tuple[Finding, ...]:
    return lint(wiki, settings=settings, today=today, observation_exists=exists)


def _mistake(finding: Finding) -> tuple[str, str, str]:
    """Name a mistake whatever line it stands in by now."""
    return finding.rule, _LINE.sub("", finding.where), finding.message


def _check_citations(
    path: str, before: bytes | None, after: bytes, cited: Lookup, observations: str
) -> Iterator[Finding]:
    page = parse_page(path, after)
    standing = parse_page(path, before) if before is not None else None
    known = {source.id for source in standing.sources} if standing else set()
    texts: dict[str, str] = {}
    for source in page.sources:
        place = located(path, source.resource)
        if place is None or not is_label(source.id) or not place[0].startswith(observations + "/"):
            continue
        observation = cited(place[0].removeprefix(observations + "/"), place[1], source.id)
        if observation is not None:
            texts[source.id] = f"{observation.title}\n{observation.body}"
        elif source.id not in known:
            told = f"the source {source.id} names no observation: none in {place[0]} has that id."
            yield Finding(f"{path}#sources", RULE, "error", told, _LOOK)
    generated = page.front.get("generated")
    if isinstance(generated, dict) and generated.get("by") == _OFFLINE:
        yield from _check_quotations(path, page.body, standing.body if standing else "", texts)


def _check_quotations(path: str, body: str, before: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    known = {plain(one.bare) for one in read_blocks(before).statements}
    for statement in read_blocks(body).statements:
        words = plain(statement.bare)
        sources = [texts[label] for label in statement.labels if label in texts]
        if not sources or words in known or not is_claim(statement):
            continue
        if not any(stands_in(words, text) for text in sources):
            told = f"“{one_line(words, _QUOTED)}” does not stand in what it cites."
            yield Finding(path, RULE, "error", told, _LOOK)
