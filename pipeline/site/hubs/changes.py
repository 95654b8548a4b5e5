"""Owns the recent changes, day by day: what happened to which page, and the way to the difference.

Days come from the pages and from the logs, never from git or from a file's time: a clone, a rebase or a build anew
changes no day. Knows no other hub.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.kinds import SESSION
from pipeline.site.hubs.logbook import is_log, read_log
from pipeline.site.hubs.rows import Row, from_top, leaves, listed, saying, telling
from pipeline.site.hubs.shelf import Listing, documents
from pipeline.site.hubs.wording import counted, plural
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.site.document import Document
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.rows import Way
    from pipeline.site.hubs.shelf import Shelf

FEED: Final = "feed.xml"

MOST: Final = 600
"""Changes that are listed; older ones stand in the logs."""

_CHANGED: Final = "changed"
_EDITED: Final = "edited by a person"
_FOLDED: Final = 2
"""Sessions of a day from which on they are folded."""
_MOST_SESSIONS: Final = 30
_ROOM: Final = 4_200
"""Bytes of HTML that the sessions of a day take at most."""
_FROM_RUNS: Final = "consolidate("
_WORDS: Final = 90
_STEPS: Final = 20
_UNKNOWN: Final = "Day unknown"


def change_documents(shelf: Shelf) -> Iterator[Document]:
    """List the recent changes."""
    rows = changes(shelf)
    listing = Listing(
        title="Recent changes",
        rows=rows[:MOST],
        path=shelf.names.changes,
        description="What changed in this wiki, day by day.",
        head=_head,
        tail=lambda way: _tail(shelf, way) if len(rows) >= MOST else Html(),
    )
    yield from documents(shelf, listing)


def changes(shelf: Shelf) -> list[Row]:
    """Give the changes, the newest first: of each day the pages by their newest observation, then sessions, folded."""
    found, notes = _logged(shelf)
    for facts in shelf.pages:
        if shelf.changed[facts.path]:
            found.setdefault((shelf.changed[facts.path], facts.path), _happened(facts, shelf))
    by_day: dict[str, list[str]] = {}
    for day, path in found:
        by_day.setdefault(day, []).append(path)
    noted: dict[str, list[Row]] = {}
    for row in notes:
        noted.setdefault(row.group, []).append(row)
    place = {path: number for number, path in enumerate(shelf.order)}
    rows: list[Row] = []
    for day in sorted({*by_day, *noted}, reverse=True):
        paths = sorted(by_day.get(day, ()), key=place.__getitem__)
        rows += _of_day(day, {path: found[day, path] for path in paths}, shelf)
        rows += noted.get(day, ())
        if len(rows) >= MOST:
            break
    return rows[:MOST]


def _of_day(day: str, found: Mapping[str, str], shelf: Shelf) -> list[Row]:
    """Give the pages that changed on a day; sessions, of which there may be very many, are folded into one entry.

    `found` tells what happened by page, in the order of their titles.
    """
    newest = sorted(found, key=lambda path: shelf.seen[path], reverse=True)
    pages = [shelf.library.pages[path] for path in newest]
    rows = [_row(facts, day, found[facts.path], shelf) for facts in pages if shelf.slug(facts) != SESSION]
    sessions = [facts for facts in pages if shelf.slug(facts) == SESSION]
    if len(sessions) < _FOLDED:
        return rows + [_row(facts, day, found[facts.path], shelf) for facts in sessions]
    shown = [listed(shelf.rows[facts.path], shelf.day_told(facts), brief=True) for facts in sessions[:_MOST_SESSIONS]]
    noun = shelf.noun(SESSION)
    told = join((f"{'and ' if rows else ''}{counted(len(sessions), noun)}",))
    inner = tuple(leaves(shown, _ROOM)[0])
    place = from_top(shelf.names.type(SESSION), shelf.site) if len(inner) < len(sessions) else ""
    return [*rows, Row(told, "", group=day, folded=inner, beside=(place, f"All {plural(noun)}"))]


def _logged(shelf: Shelf) -> tuple[dict[tuple[str, str], str], list[Row]]:
    """Read the logs: what happened by day and page, and what people wrote into them."""
    found: dict[tuple[str, str], str] = {}
    notes: list[Row] = []
    for path, raw in sorted(shelf.inputs.files.items()):
        if not is_log(path):
            continue
        folder = path.rpartition("/")[0]
        for told in read_log(path, raw, MOST):
            page = _where_now(told.page, shelf)
            if page:
                found.setdefault((told.day, page), told.what)
            elif told.words:
                place = from_top(path, shelf.site)
                notes.append(Row(join((told.words,)), place, facts=telling("note", folder), group=told.day))
    return found, notes


def _where_now(page: str, shelf: Shelf) -> str:
    """Follow a page that moved; nothing for one that is gone."""
    for _ in range(_STEPS):
        if page in shelf.library.pages:
            return page
        page = shelf.inputs.moved.get(page, "")
    return ""


def _happened(facts: Facts, shelf: Shelf) -> str:
    if facts.status == "deprecated" or facts.superseded_by:
        return "superseded"
    if facts.edited_at:
        return _EDITED
    return "created" if len(shelf.inputs.revisions.get(facts.path, ())) == 1 else _CHANGED


def _row(facts: Facts, day: str, what: str, shelf: Shelf) -> Row:
    row = shelf.rows[facts.path]
    newest = day == shelf.changed[facts.path]
    revisions = shelf.inputs.revisions.get(facts.path, ())
    subject = revisions[0].subject if newest and revisions and f"{revisions[0].at:%Y-%m-%d}" == day else ""
    told = "" if subject.startswith(_FROM_RUNS) else one_line(subject, _WORDS)
    history = from_top(shelf.names.history(facts.path), shelf.site) if newest and len(revisions) > 1 else ""
    return replace(
        row,
        said=saying(told),
        facts=telling(what, shelf.kind(facts), facts.project),
        group=day or _UNKNOWN,
        beside=(history, "what changed") if history else ("", ""),
    )


def _head(way: Way) -> Html:
    feed = link(way.file(FEED), "Follow them as a feed")
    return element("p", "The newest first, by the days that the pages and the logs name. ", feed, class_="wm-fact")


def _tail(shelf: Shelf, way: Way) -> Html:
    logs: Sequence[str] = [path for path in sorted(shelf.inputs.files) if is_log(path)][:12]
    if not logs:
        return Html()
    names = join((link(way.page(path), path.rpartition("/")[0] or "this wiki") for path in logs), ", ")
    return element("p", "Older changes stand in the logs: ", names, class_="wm-fact")
