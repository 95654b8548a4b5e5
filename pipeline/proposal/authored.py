"""Owns that a handed-over page says truly who wrote it and whom it quotes; pure.

A run signs what it writes, and takes the names of its sources from the observations. A claim without a source is no
reason to refuse: the text of the proposal tells of it. What stood before, or stands in the proposal already, is none
either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.proposal.protected import LOOK, RULE
from pipeline.text import one_line
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.sources import actor, entries, moment, who

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pipeline.observations.observation import Observation
    from pipeline.wiki.format.frontmatter import Yaml

SIGNED: Final = "wikimill/"
"""How the name of whoever wrote a page begins where a run has written it."""

_NAMED: Final = 100


def check_authored(
    path: str, raw: bytes, stood: Collection[bytes], cited: Mapping[str, Observation]
) -> Iterator[Finding]:
    """Refuse a page that names another author than its run, or another one than its source has.

    `stood` are the states of the page that were there before; `cited` gives the observations behind its sources, by
    their labels.
    """
    fronts = [parse_page(path, one).front for one in stood]
    front = parse_page(path, raw).front
    yield from _signed(path, front.get("generated"), [one.get("generated") for one in fronts])
    known = [entry for one in fronts for entry in entries(one)]
    for entry in entries(front):
        label = entry.get("id")
        if isinstance(label, str) and label in cited and entry not in known:
            yield from _named(path, entry, label, cited[label], [one for one in known if one.get("id") == label])


def _signed(path: str, generated: Yaml, stood: Collection[Yaml]) -> Iterator[Finding]:
    if generated in stood:
        return
    by = generated.get("by") if isinstance(generated, dict) else generated
    if not isinstance(by, str) or not by.startswith(SIGNED):
        told = f"a run has written it, and it says: {one_line(str(by), _NAMED)}"
        yield Finding(path, RULE, "error", f"does not name who wrote it: {told}.", LOOK)


def _named(
    path: str,
    entry: Mapping[str, Yaml],
    label: str,
    observation: Observation,
    others: Collection[Mapping[str, Yaml]],
) -> Iterator[Finding]:
    """Hold a source to its observation. Where it only moved to another line, its words are those of before."""
    if any({**one, "resource": ""} == {**entry, "resource": ""} for one in others):
        return
    title, author = entry.get("title"), entry.get("author")
    begins = f"{moment(observation)} {who(observation)}: "
    if author != actor(observation) or not isinstance(title, str) or not title.startswith(begins):
        told = f"the source {label} is not told as it was observed, by {one_line(actor(observation), _NAMED)}."
        yield Finding(f"{path}#sources", RULE, "error", told, LOOK)
