"""The list of all pages: what is known before the sessions, in words that say what each page is."""

from __future__ import annotations

import re

from tests.site.hubs.making import html, leads, made
from tests.site.making import facts

MARKS = re.compile(r'<nav class="wm-jump".*?</nav>')


def test_what_is_known_stands_before_the_sessions_each_in_order() -> None:
    documents = made(
        facts("a/sessions/1.md", title="Alder"),
        facts("a/sessions/2.md", title="Yew"),
        facts("a/gotchas/3.md", title="Zinc"),
        facts("a/decisions/4.md", title="Ash"),
    )
    told = html(documents["browse.md"])
    places = [told.index(f">{title}</a> ") for title in ("Ash", "Zinc", "Alder", "Yew")]
    assert places == sorted(places)
    assert "4 pages, in the order of their titles, sessions last." in told
    assert told.index(">Zinc</a>") < told.index("<h2>Sessions</h2>") < told.index(">Alder</a>")


def test_each_group_has_its_own_letters() -> None:
    pages = [
        facts(f"a/{kind}/{number}.md", title=f"{'ABC'[number % 3]} {kind} {number}")
        for kind in ("decisions", "sessions")
        for number in range(150)
    ]
    documents = made(*pages)
    first = html(documents["browse.md"])
    known, sessions = MARKS.findall(first)
    assert re.findall(r">(\w)</a>", known) == re.findall(r">(\w)</a>", sessions) == ["A", "B", "C"]
    assert 'aria-label="Jump to a first letter of sessions"' in sessions
    wholes = {place: anchor for place, anchor in leads(documents["browse.md"]) if anchor.startswith("wm-from-")}
    assert len({anchor for _, anchor in leads(documents["browse.md"]) if anchor.startswith("wm-from-")}) == 6
    for place, anchor in wholes.items():
        path = place.strip("/") + ".md"
        assert f'<li id="{anchor}">' in html(documents[path])


def test_an_entry_says_what_the_page_is() -> None:
    told = html(
        made(
            facts("a/decisions/x.md", title="Why", description="Since it holds.", tier="human-reviewed"),
            facts("a/gotchas/y.md", title="Not", status="deprecated", superseded_by="a/decisions/x.md"),
        )["browse.md"]
    )
    assert '>Why</a> <span class="wm-said">Since it holds.</span> ' in told
    assert '<span class="wm-fact">Decision · a · Human-reviewed</span>' in told
    assert '<span class="wm-fact">Gotcha · a · Unverified · Deprecated</span>' in told
    assert "<h2>" not in told
