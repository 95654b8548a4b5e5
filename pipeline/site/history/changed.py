"""Owns what a revision changed, in words: `3 claims added, 1 changed, confirmed by dana`.

All that is told of a page's history is told from here: the header of a page, the recent changes, the feeds and the
history itself. What is told is plain text, and untrusted where it quotes the page. Knows no HTML.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.site.history.states import State, changed_fields, confirmed_by, read_state
from pipeline.site.history.units import compare_lines
from pipeline.text import one_line
from pipeline.wiki.markdown.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.site.history.units import Entry, Unit
    from pipeline.site.values import Revision

NOTHING: Final = "made again, nothing changed"
"""What is told of a revision that changed nothing that a reader sees."""

_NAME: Final = 60
"""Unicode characters of a name or a heading."""
_MOST_NAMES: Final = 3
_STATUS: Final = {"deprecated": "deprecated", "draft": "now a draft", "stable": "now stable"}
_OTHER: Final = {"note": "footnotes", "quote": "a note", "code": "code"}


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two states of a page; without an earlier one, all of it is new."""

    before: State | None
    after: State
    fields: tuple[tuple[str, str, str], ...]
    entries: tuple[Entry, ...]

    @property
    def is_content(self) -> bool:
        """Whether a reader sees something else."""
        return bool(self.fields or self.entries)


@dataclass(frozen=True, slots=True)
class Told:
    """A revision that changed what readers see: what it changed, and in words; `base` tells that nobody knows who."""

    revision: Revision
    change: Change
    words: str
    base: bool


def summary(before: Revision | None, after: Revision) -> str:
    """Tell in a few words what a revision changed in a page; without an earlier one, it made the page."""
    state = read_state(after.raw)
    if before is None:
        return told_of(compare(None, state), confirmed_by(None, state))
    if before.raw == after.raw:
        return NOTHING
    former = read_state(before.raw)
    return told_of(compare(former, state), confirmed_by(former, state))


def has_history(revisions: Sequence[Revision]) -> bool:
    """Whether two or more of a page's revisions, the newest first, differ in what readers see."""
    if len(revisions) < 2:  # noqa: PLR2004 - nothing to compare
        return False
    newest = revisions[0].raw
    state = read_state(newest)
    return any(one.raw != newest and compare(read_state(one.raw), state).is_content for one in revisions[1:])


def history_of(revisions: Iterable[Revision]) -> Iterator[Told]:
    """Tell the revisions that changed what readers see, the newest first.

    Revisions that changed nothing but bookkeeping stand with the one that they follow; who confirmed the page in one
    of them is told there.
    """
    group: list[tuple[Revision, State]] = []
    for revision in revisions:
        if group and revision.raw == group[-1][0].raw:
            group[-1] = (revision, group[-1][1])
            continue
        state = read_state(revision.raw)
        if group:
            change = compare(state, group[-1][1])
            if change.is_content:
                yield _told(group, change)
                group = []
        group.append((revision, state))
    if group:
        yield _told(group, compare(None, group[-1][1]))


def _told(group: Sequence[tuple[Revision, State]], change: Change) -> Told:
    """Tell revisions with the same content, the newest first, as the one that made it."""
    revision = group[-1][0]
    base = not revision.author and not revision.subject
    return Told(revision, change, told_of(change, confirmed_by(change.before, group[0][1])), base)


def compare(before: State | None, after: State) -> Change:
    """Compare two states of a page."""
    if before is None:
        return Change(None, after, (), compare_lines((), after.lines))
    return Change(before, after, changed_fields(before, after), compare_lines(before.lines, after.lines))


def told_of(change: Change, confirmed: Sequence[str] = ()) -> str:
    """Tell a change in words."""
    if change.before is None:
        count = sum(1 for entry in change.entries if entry.after is not None and entry.after.is_claim)
        parts = [f"new page with {_claims(count)}" if count else "new page"]
    else:
        parts = [*_claims_told(change.entries), *_headings_told(change.entries), *_fields_told(change.fields)]
        if not parts:
            parts = _rest_told(change.entries)
    if confirmed:
        names = [one_line(name, _NAME) or "a person" for name in confirmed[:_MOST_NAMES]]
        parts.append(f"confirmed by {', '.join(names)}")
    return ", ".join(parts) or NOTHING


def _claims(count: int) -> str:
    return f"{count:,} claim{'' if count == 1 else 's'}"


def _claims_told(entries: Sequence[Entry]) -> list[str]:
    gone = Counter(_bare(entry.before) for entry in entries if entry.after is None and _is_claim(entry.before))
    new = Counter(_bare(entry.after) for entry in entries if entry.before is None and _is_claim(entry.after))
    moved = sum((gone & new).values())
    changed = sourced = 0
    for entry in entries:
        if entry.before is not None and entry.after is not None and _is_claim(entry.after):
            if entry.before.bare == entry.after.bare:
                sourced += 1
            else:
                changed += 1
    counts = {
        "added": new.total() - moved,
        "changed": changed,
        "removed": gone.total() - moved,
        "moved": moved,
        "given other sources": sourced,
    }
    told = [(what, count) for what, count in counts.items() if count]
    return [f"{_claims(count) if not number else f'{count:,}'} {what}" for number, (what, count) in enumerate(told)]


def _is_claim(unit: Unit | None) -> bool:
    return unit is not None and unit.is_claim


def _bare(unit: Unit | None) -> str:
    return unit.bare.strip() if unit is not None else ""


def _headings_told(entries: Sequence[Entry]) -> list[str]:
    added = [one.after for one in entries if one.before is None and one.after and one.after.shape == "heading"]
    gone = [one.before for one in entries if one.after is None and one.before and one.before.shape == "heading"]
    renamed = [one.after for one in entries if one.before and one.after and one.after.shape == "heading"]
    what = {"added": added, "removed": gone, "renamed": renamed}
    return [_headings(units, done) for done, units in what.items() if units]


def _headings(units: Sequence[Unit], done: str) -> str:
    if len(units) > 1:
        return f"{len(units)} sections {done}"
    name = one_line(plain(units[0].text[:400].lstrip("# ")), _NAME)
    return f"section “{name}” {done}" if name else f"1 section {done}"


def _fields_told(fields: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    names = [name for name, _, _ in fields]
    for name, _, value in fields:
        if name == "status":
            yield _STATUS.get(value) or f"status now “{one_line(value, _NAME)}”"
    names = ["other names" if name == "aliases" else name for name in names if name not in {"status", "superseded_by"}]
    if "superseded_by" in (name for name, _, _ in fields):
        names.append("successor")
    if names:
        yield f"{', '.join(names[:-1])} and {names[-1]} changed" if len(names) > 1 else f"{names[0]} changed"


def _rest_told(entries: Sequence[Entry]) -> list[str]:
    shapes = {unit.shape for entry in entries for unit in (entry.before, entry.after) if unit is not None}
    named = [words for shape, words in _OTHER.items() if shape in shapes]
    if not named:
        return ["wording changed"] if entries else []
    return [f"{' and '.join(named)} changed"]
