"""Owns the home page: what this wiki is, a search field, what is new, what is trusted, what needs a person.

Everything on it comes from the data: a build on another day makes the same page, but for reviews that came due. What
people wrote into the wiki's index stands between the kinds of pages and the rest. A wiki without a page says how to
get one. Knows no other hub but by its path.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.frame import Frame
from pipeline.site.hubs import concerns
from pipeline.site.hubs.carried import carried
from pipeline.site.hubs.folders import projects
from pipeline.site.hubs.kinds import SESSION, USES, use_of
from pipeline.site.hubs.names import HOME
from pipeline.site.hubs.projects import shown
from pipeline.site.hubs.rows import Row, Way, leaves, listed, render
from pipeline.site.hubs.shelf import hub, live
from pipeline.site.hubs.wording import counted, plural
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.document import Document
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.concerns import Concern
    from pipeline.site.hubs.shelf import Shelf

_NEW: Final = 8
_TRUSTED: Final = 5
_KINDS: Final = 24
_OUTSIDE: Final = 10
_ROOM: Final = 2_600
"""Bytes that the entries of one panel take at most."""
_PERSON: Final = 40
_DESCRIPTION: Final = 300
_BEGIN_WITH: Final = 5

_PLAIN: Final = "What a team noticed while it worked, on pages whose statements name what they rest on."
_TRUST: Final = "A page says below its title whether a person confirmed it, code checked it, or nobody did."
_BEGIN: Final = element(
    "p",
    "This wiki has no page yet. Note what you learn with ",
    element("code", 'wikimill observe "..."'),
    ", and let ",
    element("code", "wikimill run"),
    " make pages of it.",
    class_="wm-lead",
)

_TOLD: Final = {
    concerns.DUE: ("is due for review", "are due for review"),
    concerns.CONTRADICTED: ("holds a contradiction", "hold contradictions"),
    concerns.UNSOURCED: ("holds statements without a source", "hold statements without a source"),
    "missing-sources": ("lacks a source", "lack sources"),
    "sessions": ("waits", "wait"),
    "findings": ("tells of an unreadable page or a dead link", "tell of unreadable pages and dead links"),
}


def home_document(shelf: Shelf, found: Sequence[Concern]) -> Document:
    """Make the home page."""
    way = Way(HOME, shelf.site)
    made = hub(
        shelf,
        HOME,
        shelf.site.name,
        Html(),
        description=shelf.site.description,
        words=carried(shelf.inputs.files, HOME),
    )
    if not shelf.order:
        return replace(made, frame=Frame(title=made.frame.title, below_title=_BEGIN))
    panels = (_new(shelf, way), _trusted(shelf, way), _needed(shelf, found, way))
    ways = (_projects(shelf, way), _outside(shelf, way))
    frame = Frame(
        title=made.frame.title,
        below_title=join((_lead(shelf), _search(shelf, way), _fresh(shelf), _kinds(shelf, way))),
        below=join(element("div", *filter(None, part), class_="wm-panels") for part in (panels, ways) if any(part)),
    )
    return replace(made, frame=frame)


def _lead(shelf: Shelf) -> Html:
    said = one_line(shelf.site.description, _DESCRIPTION) or _PLAIN
    return join((element("p", said, class_="wm-lead"), element("p", _TRUST, class_="wm-fact")))


def _search(shelf: Shelf, way: Way) -> Html:
    words = "Search all pages"
    field = element("input", type="search", name="q", placeholder=words, aria_label=words, autocomplete="off")
    button = element("button", "Search", type="submit")
    action = way.page(shelf.names.search)
    return element(
        "form", field, button, class_="wm-find", role="search", aria_label=words, action=action, method="get"
    )


def _fresh(shelf: Shelf) -> Html:
    told = [counted(len(shelf.order), "page"), *shelf.both_told(shelf.pages)]
    return element("p", f"{', '.join(told)}.", class_="wm-fact")


def _panel(name: str, title: str, *content: Html) -> Html:
    heading = element("h2", title, id=f"wm-{name}")
    return element("section", heading, *content, class_="wm-panel", aria_labelledby=f"wm-{name}")


def _fitting(rows: Sequence[Row], way: Way) -> Html:
    return render(leaves(rows, _ROOM)[0], way)


def _new(shelf: Shelf, way: Way) -> Html:
    # The page of a session is made along with what was learnt in it, which tells more.
    current = [facts for facts in live(shelf.pages) if shelf.changed[facts.path] and shelf.slug(facts) != SESSION]
    rows = [
        listed(shelf.rows[facts.path], shelf.day_told(facts), shelf.kind(facts), facts.project, brief=True)
        for facts in shelf.newest(current)[:_NEW]
    ]
    more = element("p", link(way.page(shelf.names.changes()), "All recent changes"))
    return _panel("new", "New", _fitting(rows, way) if rows else _nothing("Nothing but sessions yet."), more)


def _trusted(shelf: Shelf, way: Way) -> Html:
    current = live(shelf.pages)
    reviewed = [(facts, *_confirmed(facts)) for facts in current if facts.tier == "human-reviewed"]
    reviewed.sort(key=lambda one: one[1], reverse=True)
    checked = sum(facts.tier == "machine-confirmed" for facts in current)
    if not reviewed:
        told = f"No page is confirmed by a person yet; {counted(checked, 'page')} passed the checks of code."
        return _panel("trusted", "Trusted", _nothing(told))
    share = f"{len(reviewed):,} of {counted(len(current), 'page')} confirmed by a person"
    rows = [listed(shelf.rows[facts.path], who, on, brief=True) for facts, on, who in reviewed[:_TRUSTED]]
    return _panel("trusted", "Trusted", element("p", f"{share}. The newest:", class_="wm-fact"), _fitting(rows, way))


def _confirmed(facts: Facts) -> tuple[str, str]:
    """Tell on which day a person confirmed a page last, and who."""
    last = max(facts.verified, key=lambda one: (bool(one.person), one.on), default=None)
    return (last.on, one_line(last.person, _PERSON)) if last else ("", "")


def _needed(shelf: Shelf, found: Sequence[Concern], way: Way) -> Html:
    first = next((concern for concern in found if concern.subject == concerns.UNCONFIRMED and concern.count), None)
    entries = [_counted(concern, shelf, way) for concern in found if concern.count and concern.subject in _TOLD]
    begin = _begin(first, shelf, way) if first else Html()
    if not (begin or entries):
        return _panel("needed", "Needs a person", _nothing("Nothing waits for a person."))
    others = element("ul", *(element("li", entry) for entry in entries), class_="wm-list") if entries else Html()
    return _panel("needed", "Needs a person", begin, others)


def _counted(concern: Concern, shelf: Shelf, way: Way) -> Html:
    told = f"{counted(concern.count, concern.noun)} {_TOLD[concern.subject][concern.count != 1]}"
    return link(way.page(shelf.names.health(), concern.subject), told)


def _begin(concern: Concern, shelf: Shelf, way: Way) -> Html:
    """Tell how many pages no person confirmed, and name those that a person should begin with."""
    told = f"{counted(concern.count, 'page')} {'is' if concern.count == 1 else 'are'} not confirmed by a person yet"
    rows = leaves(concern.rows[:_BEGIN_WITH], _ROOM)[0]
    lead = link(way.page(shelf.names.health(), concern.subject), told)
    return join((element("p", lead, "; begin with" if concern.count > len(rows) else ":"), render(rows, way)))


def _kinds(shelf: Shelf, way: Way) -> Html:
    named = sorted(shelf.kinds, key=lambda slug: (-len(shelf.kinds[slug]), slug))[:_KINDS]
    parts: list[Html] = []
    for use, told in USES.items():
        links = [
            link(way.page(shelf.names.type(slug)), counted(len(shelf.kinds[slug]), shelf.noun(slug)))
            for slug in named
            if use_of(slug) == use
        ]
        if links:
            name = element("dt", use, " ", element("span", told, class_="wm-fact"))
            parts.append(element("div", name, element("dd", join(links, ", "))))
    more = element("p", link(way.page(shelf.names.browse()), "Browse all pages"))
    return _panel("kinds", "What are you after?", element("dl", *parts, class_="wm-uses") if parts else Html(), more)


def _projects(shelf: Shelf, way: Way) -> Html:
    whole = projects(shelf)
    if not whole:
        return Html()
    rows = shown(whole, shelf)
    more = link(way.page(shelf.names.projects()), f"All {len(whole):,} {plural('project')}")
    rest = element("p", more) if len(whole) > len(rows) else ""
    return _panel("projects", "Projects", join((render(rows, way), rest)))


def _outside(shelf: Shelf, way: Way) -> Html:
    pages = [facts for facts in live(shelf.pages) if not facts.project]
    rows = [listed(shelf.rows[facts.path], shelf.standing(facts)) for facts in pages[:_OUTSIDE]]
    return _panel("outside", "Outside of projects", _fitting(rows, way)) if rows else Html()


def _nothing(told: str) -> Html:
    return element("p", told, class_="wm-fact")
