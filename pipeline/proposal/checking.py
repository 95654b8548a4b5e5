"""Owns what is checked of handed-over commits before they are pushed, by whoever has the right to push; pure.

The job that drafted them held a model's words and no right to push; this one trusts nothing of it. Whatever does not
fit stops the whole proposal: a job that was taken over cannot be asked which half of its work is sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.gates.quotation import readings, stands_in
from pipeline.proposal.authored import check_authored
from pipeline.proposal.derived import check_derived
from pipeline.proposal.protected import LOOK, RULE, check_protected
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
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
    from pipeline.proposal.protected import Reviews
    from pipeline.wiki.format.page import Page

MOST_FILE_BYTES: Final = 4 * 1024 * 1024
"""Of one page, index or log: some hundred times a long page; what is larger was not written by any of our models."""
MOST_LEDGER_BYTES: Final = 64 * 1024 * 1024
MOST_BYTES: Final = 256 * 1024 * 1024
"""Of all changed files together."""
MOST_FILES: Final = 50_000

PLAIN: Final = "100644"
EXECUTABLE: Final = "100755"
"""A page that a person made executable stays so."""

LEDGER: Final = ".ledger/"
_LINE: Final = re.compile(r":\d+\Z")
_OFFLINE: Final = "wikimill/extractive"
_QUOTED: Final = 80
_TOLD: Final = 300
_WORDS: Final = re.compile(r"[\s\"',;:()\[\]{}]+")

Lookup = Callable[[str, int, str], "Observation | None"]
"""Gives the observation that a file, a line and a label name."""


@dataclass(frozen=True, slots=True)
class Handed:
    """One changed file, by its path from the top of the repository, before it is read. Modes are git's."""

    path: str
    mode: str
    size: int | None
    """In bytes; nothing when the file goes."""
    mode_before: str = ""


def check_files(handed: Sequence[Handed], folder: str) -> tuple[Finding, ...]:
    """Refuse what lies outside of the wiki's pages and ledger, is no plain file, goes, or is too large to be read."""
    found = [finding for one in handed[:MOST_FILES] if (finding := _check_file(one, folder))]
    total = sum(one.size or 0 for one in handed)
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
    elif one.size is None:
        told = "goes: a run deletes no file"
    elif one.mode != PLAIN and (one.mode, one.mode_before) != (EXECUTABLE, EXECUTABLE):
        told = f"is no plain file (mode {one.mode})"
    elif not (path.endswith(".jsonl") if path.startswith(LEDGER) else path.endswith(".md")):
        told = "is neither a page nor a file of the ledger"
    elif any(part.startswith(("_", ".")) for part in path.removeprefix(LEDGER).split("/")):
        told = "is hidden, or an instruction to the model: only people write those"
    elif one.size > (MOST_LEDGER_BYTES if path.startswith(LEDGER) else MOST_FILE_BYTES):
        told = f"is {one.size:,} bytes long"
    else:
        try:
            check_path(path)
        except WikimillError as fault:
            told = fault.message.rstrip(".")
    return Finding(where, RULE, "error", f"{told}.", LOOK) if told else None


def check_secrets(
    texts: Iterable[tuple[str, str, str]], finds: Callable[[str], tuple[str, ...]]
) -> tuple[Finding, ...]:
    """Refuse secrets in any text that would be published: the name of where it stands, the text, and what stood there.

    One that stood there is no reason to refuse: a person has published it, or the redaction has learnt it since.
    """
    found = {}
    for where, text, before in texts:
        if not finds(text):
            continue
        standing = frozenset(before.splitlines())
        lines = "\n".join(line for line in text.splitlines() if line not in standing)
        kinds = {*_new_kinds(lines, before, finds), *(set(finds(text)) - set(finds(before)) if standing else ())}
        found.update(dict.fromkeys((where, kind) for kind in sorted(kinds)))
    return tuple(
        Finding(ascii(where)[1:-1][:200], RULE, "error", f"holds what looks like a secret ({kind}).", LOOK)
        for where, kind in found
    )


def _new_kinds(lines: str, before: str, finds: Callable[[str], tuple[str, ...]]) -> set[str]:
    """Name the kinds of secrets in new lines, those left out that words bear which stood there before."""
    kinds = set(finds(lines))
    if not kinds:
        return kinds
    known = frozenset(_WORDS.split(before))
    words = _WORDS.split(lines)
    old, new = (" ".join(word for word in words if (word in known) is stood) for stood in (True, False))
    return (kinds - set(finds(old))) | set(finds(new))


def check_links(  # noqa: PLR0913  # what the lint asks for
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    published: Mapping[str, bytes] = MappingProxyType({}),
    *,
    settings: LintSettings,
    today: date,
    observation_exists: Callable[[str, int], bool],
) -> tuple[Finding, ...]:
    """Hold the whole wiki to the lint's rules: links, sources, front matter. What is published was looked at before."""
    wrong = [one for one in _lint(after, settings, today, observation_exists) if one.severity == "error"]
    for standing in (before, published) if wrong else ():
        old = set(map(_mistake, _lint(standing, settings, today, observation_exists)))
        wrong = [one for one in wrong if _mistake(one) not in old]
    return tuple(wrong)


def check_changed(  # noqa: PLR0913  # the two states, and what they are held to
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    changed: Iterable[str],
    *,
    cited: Lookup,
    observations: str,
    reviews: Reviews = frozenset,
    published: Mapping[str, bytes] = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """Hold pages, indexes and logs to what people protect, and each new citation to what it names.

    What was wrong before, or stands in the proposal already, is no reason to refuse; `observations` is the folder of
    observations, from the wiki's repository. A page of the offline model quotes: its statements stand, word by word, in
    what they cite. `reviews` tells who merged what and when; `published` is the wiki as the proposal has it so far,
    checked before.
    """
    touched = {path for path in set(changed) if path in after}
    wrong: list[Finding] = []
    for path in sorted(touched):
        if path.endswith(".md"):
            wrong += check_protected(path, (before.get(path), after[path], published.get(path)), reviews)
            wrong += check_derived(path, after, before, published)
    everywhere = cache(lambda: _known(before) | _known(published))
    for path in sorted(filter(is_page, touched)):
        stood = [files[path] for files in (before, published) if path in files]
        wrong += _check_page(path, after[path], stood, cited, observations, everywhere)
    return tuple(dict.fromkeys(wrong))


def _lint(
    wiki: Mapping[str, bytes], settings: LintSettings, today: date, exists: Callable[[str, int], bool]
) -> tuple[Finding, ...]:
    return lint(wiki, settings=settings, today=today, observation_exists=exists)


def _mistake(finding: Finding) -> tuple[str, str, str]:
    """Name a mistake whatever line it stands in by now."""
    return finding.rule, _LINE.sub("", finding.where), finding.message


def _check_page(  # noqa: PLR0913, PLR0917  # the page, and what its citations are held to
    path: str,
    raw: bytes,
    stood: Sequence[bytes],
    cited: Lookup,
    observations: str,
    everywhere: Callable[[], frozenset[str]],
) -> Iterator[Finding]:
    page = _read(path, raw)
    if page is None:
        yield Finding(path, RULE, "error", "cannot be read as a page.", LOOK)
        return
    readable = [one for one in stood if _read(path, one) is not None]
    known = frozenset().union(*(_ids(_read(path, one)) for one in readable))
    found: dict[str, Observation] = {}
    for source in page.sources:
        if not is_label(source.id):
            continue
        file, line = located(path, source.resource) or ("", 0)
        inside = file.startswith(observations + "/")
        observation = cited(file.removeprefix(observations + "/"), line, source.id) if inside else None
        if observation is not None:
            found[source.id] = observation
        elif source.id not in known and source.id not in everywhere():
            place = f"none in {file} has that id" if inside else f"it does not lead into {observations}/"
            told = f"the source {source.id} names no observation: {place}."
            yield Finding(f"{path}#sources", RULE, "error", one_line(told, _TOLD), LOOK)
    yield from check_authored(path, raw, readable, found)
    generated = page.front.get("generated")
    if isinstance(generated, dict) and generated.get("by") == _OFFLINE:
        yield from _check_quotations(path, page.body, [parse_page(path, one).body for one in readable], found)


def _read(path: str, raw: bytes | None) -> Page | None:
    try:
        return parse_page(path, raw) if raw is not None else None
    except WikimillError:
        return None


def _ids(page: Page | None) -> frozenset[str]:
    return frozenset(source.id for source in page.sources) if page else frozenset()


def _known(wiki: Mapping[str, bytes]) -> frozenset[str]:
    """Name the sources of all pages: one may cite what another one does, though the observation was taken away."""
    return frozenset().union(*(_ids(_read(path, raw)) for path, raw in wiki.items() if is_page(path)))


def _check_quotations(
    path: str, body: str, stood: Iterable[str], cited: Mapping[str, Observation]
) -> Iterator[Finding]:
    known = {plain(one.bare) for text in stood for one in read_blocks(text).statements}

    @cache
    def read(label: str) -> tuple[str, ...]:
        return readings(f"{cited[label].title}\n{cited[label].body}")

    for statement in read_blocks(body).statements:
        words = plain(statement.bare)
        labels = [label for label in statement.labels if label in cited]
        if not labels or words in known or not is_claim(statement):
            continue
        if not any(stands_in(words, read(label)) for label in labels):
            told = f"“{one_line(words, _QUOTED)}” does not stand in what it cites."
            yield Finding(path, RULE, "error", told, LOOK)
