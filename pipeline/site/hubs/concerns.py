"""Owns what a person should look at: which pages, for which reason, and what to do about it. Knows no HTML but entries.

Each concern holds at most 60 entries, those first that matter most, and tells how many there are in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import join
from pipeline.site.hubs.kinds import SESSION
from pipeline.site.hubs.rows import Row, saying, telling
from pipeline.site.hubs.shelf import live
from pipeline.site.hubs.wording import counted
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.finding import Finding
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.shelf import Shelf

MOST: Final = 60

DUE: Final = "review-due"
CONTRADICTED: Final = "contradicted"
UNSOURCED: Final = "unsourced"
UNCONFIRMED: Final = "not-confirmed"
ORPHANS: Final = "orphans"

_WORDS: Final = 160


@dataclass(frozen=True, slots=True)
class Concern:
    """A reason to look at pages. `subject` names it in addresses, `noun` is what is counted, `advice` what to do."""

    subject: str
    title: str
    noun: str
    advice: str
    count: int
    rows: tuple[Row, ...]


def concerns(shelf: Shelf) -> tuple[Concern, ...]:
    """Collect what there is to look at; a concern that no page gives cause for has no entries."""
    current = live(shelf.pages)
    return (*_about_trust(shelf, current), *_about_place(shelf, current), *_about_reading(shelf))


def _about_trust(shelf: Shelf, current: Sequence[Facts]) -> Iterator[Concern]:
    today = shelf.site.today
    due = sorted((facts for facts in current if facts.is_due(today)), key=lambda facts: facts.stale_after)
    yield _concern(
        (DUE, "Review due", "page", "Read the page, mend what is no longer so, and set `stale_after` to a later day."),
        [(facts, f"due since {facts.stale_after}") for facts in due],
        shelf,
    )
    against = sorted((facts for facts in current if facts.contradicted), key=lambda facts: -facts.contradicted)
    yield _concern(
        (CONTRADICTED, "Contradicted", "page", "Decide which statement holds, and take the other one out."),
        [(facts, counted(facts.contradicted, "contradiction")) for facts in against],
        shelf,
    )
    unsourced = sorted((facts for facts in current if facts.unsourced), key=lambda facts: -facts.unsourced)
    yield _concern(
        (UNSOURCED, "Statements without a source", "page", "Name a source with a footnote, or take the statement out."),
        [(facts, f"{counted(facts.unsourced, 'statement')} of {facts.claims:,}") for facts in unsourced],
        shelf,
    )
    yield _concern(
        ("missing-sources", "Sources missing", "page", "Add the source that the footnote names to `sources`."),
        [(facts, told) for facts in current if (told := _missing(facts))],
        shelf,
    )
    yield _concern(
        (
            UNCONFIRMED,
            "Not confirmed by a person",
            "page",
            "Read it, then run `wikimill verify PAGE`, or add yourself to `verified`.",
        ),
        [(facts, _why_first(facts, shelf)) for facts in _unconfirmed(shelf, current)],
        shelf,
    )


def _unconfirmed(shelf: Shelf, current: Iterable[Facts]) -> list[Facts]:
    """Give what no person confirmed: what most others link to first, then what is newest, sessions last."""
    unread = shelf.newest(facts for facts in current if facts.tier != "human-reviewed")
    return sorted(unread, key=lambda facts: (shelf.slug(facts) == SESSION, -shelf.links_to(facts.path)))


def _why_first(facts: Facts, shelf: Shelf) -> str:
    count = shelf.links_to(facts.path)
    linked = f"linked from {counted(count, 'page')}" if count else ""
    return " · ".join(filter(None, (shelf.kind(facts), linked, shelf.day_told(facts), facts.tier)))


def _about_place(shelf: Shelf, current: Sequence[Facts]) -> Iterator[Concern]:
    yield _concern(
        (
            ORPHANS,
            "Orphans, linked from no other page",
            "page",
            "Link to it from a page that its readers come from.",
        ),
        [(facts, f"{shelf.kind(facts)} · {shelf.day_told(facts)}") for facts in _alone(shelf, current)],
        shelf,
    )
    deprecated = (facts for facts in shelf.pages if facts.status == "deprecated")
    yield _concern(
        (
            "no-successor",
            "Out of date, without a successor",
            "page",
            "Name the page that holds now in `superseded_by`.",
        ),
        [(facts, facts.project) for facts in deprecated if facts.superseded_by not in shelf.library.pages],
        shelf,
    )


def _alone(shelf: Shelf, current: Iterable[Facts]) -> list[Facts]:
    """Give the orphans; sessions, of which many taught nothing, come last."""
    found = [facts for facts in current if facts.path in shelf.orphans]
    return sorted(found, key=lambda facts: shelf.slug(facts) == SESSION)


def _about_reading(shelf: Shelf) -> Iterator[Concern]:
    findings = shelf.library.findings
    yield Concern(
        subject="findings",
        title="Unreadable pages and dead links",
        noun="finding",
        advice="Open the file and mend what is named.",
        count=len(findings),
        rows=tuple(_found(finding, shelf) for finding in findings[:MOST]),
    )
    stuck = [record for record in shelf.inputs.sessions if record.state != "done"]
    stuck.sort(key=lambda record: (record.state != "parked", str(record.key)))
    rows = []
    for record in stuck[:MOST]:
        last = record.attempts[-1] if record.attempts else None
        told = (record.state, f"{last.at:%Y-%m-%d}" if last else "", counted(len(record.attempts), "attempt"))
        title = join((one_line(str(record.key), _WORDS),))
        rows.append(Row(title, "", saying(one_line(last.reason, _WORDS) if last else ""), telling(*told)))
    yield Concern(
        subject="sessions",
        title="Sessions that wait",
        noun="session",
        advice="Mend the cause, then run `wikimill run --retry-parked`; one that fails is tried again by itself.",
        count=len(stuck),
        rows=tuple(rows),
    )


def _concern(words: tuple[str, str, str, str], found: Sequence[tuple[Facts, str]], shelf: Shelf) -> Concern:
    rows = (
        Row(shelf.rows[facts.path].title, shelf.rows[facts.path].place, facts=telling(told))
        for facts, told in found[:MOST]
    )
    return Concern(*words, count=len(found), rows=tuple(rows))


def _missing(facts: Facts) -> str:
    """Tell which sources a page of ours lacks; a page written by hand needs none, unless it cites them."""
    known = {source.id for source in facts.sources}
    missing = [label for label in facts.cited if label not in known] if known else []
    if missing:
        return f"cites {counted(len(missing), 'footnote')} that no source stands for"
    by_hand = facts.origin == "hand" or facts.model.startswith("human:")
    return "names no source" if facts.claims and not known and not by_hand else ""


def _found(finding: Finding, shelf: Shelf) -> Row:
    page = finding.where.partition("#")[0]
    known = shelf.rows.get(page)
    title = join((one_line(finding.where, _WORDS),))
    said = one_line(f"{finding.message} {finding.next_step}", _WORDS)
    return Row(title, known.place if known else "", saying(said))
