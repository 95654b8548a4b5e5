from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.site.around.frame_of import frame_of
from pipeline.site.around.notes import ALL, MOST, SHORTEST
from pipeline.site.around.notes import notes as all_notes
from pipeline.site.around.sources import from_sessions, other_sources
from pipeline.site.around.surroundings import sessions_of, survey
from pipeline.site.around.told import place_of_source
from pipeline.site.elements import Html
from pipeline.site.hosting import Host
from pipeline.site.values import Site
from pipeline.wiki.format.page import Page
from tests.site.making import PATH, facts, library, quoted, source

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.values import Quoted

HOST = Host("https://github.com/acme/wiki", "github")
LABEL = "o-3f2a9c1e55"
OTHER = "o-0000000001"
SESSION = facts("harbour/sessions/cookies.md", title="Cookies & co", session_ids=("7f4c21d8",))


def notes(page: Facts, site: Site, quoted: dict[str, Quoted], *others: Facts) -> dict[str, Html]:
    known = library(page, *others)
    return all_notes(page, known, site, survey(known), quoted, sessions_of(page, quoted))


def test_a_footnote_shows_the_words_who_when_and_leads_to_the_line_as_it_stands_now() -> None:
    page = facts(sources=(source(),), cited=(LABEL,), session_ids=("other",))
    # The file was renamed since the page was written.
    words = {LABEL: quoted("First line.\r\n\r\n\r\nSecond <b>line</b>.", file="observations/2026/a b.jsonl", line=20)}
    assert notes(page, Site(host=HOST), words, SESSION) == {
        LABEL: (
            '<blockquote class="wm-quote">First line. Second &lt;b&gt;line&lt;/b&gt;.</blockquote>'
            '<span class="wm-source"><span class="wm-fact">dana</span> '
            '<span class="wm-fact"><time datetime="2026-11-12T09:14Z">2026-11-12 09:14</time></span> '
            '<span class="wm-fact"><a href="https://github.com/acme/wiki/blob/main/observations/2026/a%20b.jsonl#L20">'
            "a b.jsonl, line 20</a></span> "
            '<span class="wm-fact"><a href="../../sessions/cookies/">Cookies &amp; co</a></span> </span>'
        )
    }


def test_nothing_stands_before_the_way_back_that_a_theme_would_set_apart() -> None:
    # Between two paragraphs of a footnote the theme sets a dot: the second may be the way back alone.
    page = facts(sources=(source(),), cited=(LABEL,))
    (note,) = notes(page, Site(), {LABEL: quoted()}).values()
    assert "<p" not in note
    assert note.endswith(" </span>")


def test_the_words_that_a_claim_rests_on_are_marked_and_more_of_them_is_folded() -> None:
    words = f"## Plan\n\nWe met. **The cache lives** an `hour`. Then more.\n\n{'And so on it went. ' * 60}"
    page = facts(
        sources=(source(),), cited=(LABEL,), origin="extractive", supported={LABEL: ("The cache lives an `hour`.",)}
    )
    (note,) = notes(page, Site(), {LABEL: quoted(words)}).values()
    short, _, more = note.partition('</blockquote><details class="wm-more"><summary>More of it</summary>')
    assert short == '<blockquote class="wm-quote">We met. <mark>The cache lives an hour.</mark> Then more.'
    assert more.startswith(
        '<blockquote class="wm-quote">Plan\nWe met. <mark>The cache lives an hour.</mark> Then more.\nAnd so on'
    )
    assert len(more.partition("</blockquote>")[0]) < 700
    assert "in other words" not in note


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"supported": {LABEL: ("Tokens expire after a week.",)}}, True),
        ({"supported": {LABEL: ("We decided on signed cookies.",)}}, False),
        ({}, False),
        ({"origin": "extractive", "supported": {LABEL: ("Tokens expire after a week.",)}}, False),
    ],
)
def test_a_model_says_it_in_other_words(told: dict[str, Any], *, says: bool) -> None:
    page = facts(sources=(source(),), cited=(LABEL,), **told)
    (note,) = notes(page, Site(), {LABEL: quoted()}).values()
    assert (' <span class="wm-fact">in other words</span> </span>' in note) == says


def test_the_same_words_are_shown_once() -> None:
    labels = (LABEL, OTHER, "o-0000000002")
    page = facts(
        sources=tuple(map(source, labels)),
        cited=labels,
        page=Page({}, "".join(f"[^{label}]: x\n" for label in labels)),
    )
    words = {LABEL: quoted("**One** word."), OTHER: quoted("One `word`.", line=13), labels[2]: quoted("Two words.")}
    found = notes(page, Site(), words)
    assert found[OTHER] == (
        f'<span class="wm-source"><a href="#fn:{LABEL}">The same words</a>, also <span class="wm-fact">dana</span> '
        '<span class="wm-fact"><time datetime="2026-11-12T09:14Z">2026-11-12 09:14</time></span> '
        '<span class="wm-fact">2026-11.jsonl, line 13</span> </span>'
    )
    assert [label for label, note in found.items() if "<blockquote" in note] == [LABEL, labels[2]]
    # A footnote that nothing defines is not on the page: its words would stand nowhere.
    undefined = facts(sources=page.sources, cited=labels)
    assert "<blockquote" in notes(undefined, Site(), words)[OTHER]


def test_what_no_observation_holds_does_not_look_like_the_words_of_one() -> None:
    page = facts(sources=(source(author="claude-code/unversioned"),), cited=(LABEL, "by-hand"))
    assert notes(page, Site(), {}) == {
        LABEL: (
            '<span>we decided on signed cookies </span><span class="wm-source">'
            '<span class="wm-fact">claude-code (agent)</span> '
            '<span class="wm-fact"><time>2026-11-12 09:14</time></span> '
            '<span class="wm-fact">2026-11.jsonl, line 12</span> '
            '<span class="wm-fact">not found among the observations</span> </span>'
        )
    }


def test_who_said_it_is_told_by_the_observation_and_not_by_the_page() -> None:
    page = facts(sources=(source(author="human:the-boss"),), cited=(LABEL,))
    found = notes(page, Site(), {LABEL: quoted("Its words.", who="mallory")})[LABEL]
    assert '<span class="wm-fact">mallory</span>' in found
    assert "the-boss" not in found


def test_a_site_may_keep_the_words_of_observations_to_itself() -> None:
    page = facts(sources=(source(),), cited=(LABEL,))
    found = notes(page, Site(quotations=False), {LABEL: quoted("The whole of it.")})
    assert "The whole" not in found[LABEL]
    assert '<blockquote class="wm-quote">we decided on signed cookies</blockquote>' in found[LABEL]


def test_an_observation_without_an_entry_in_sources_is_shown_as_well() -> None:
    page = facts(cited=(LABEL,))
    found = notes(page, Site(), {LABEL: quoted("Its words.", who="assistant")})
    assert '<blockquote class="wm-quote">Its words.</blockquote><span class="wm-source">' in found[LABEL]
    assert '<span class="wm-fact">claude-code (agent)</span>' in found[LABEL]
    found = notes(page, Site(), {LABEL: quoted(who="tool", agent_kind="")})
    assert '<span class="wm-fact">tool (agent)</span>' in found[LABEL]


def test_a_footnote_names_its_session_where_the_page_rests_on_several() -> None:
    page = facts(sources=(source(), source(OTHER)), cited=(LABEL, OTHER))
    one = notes(page, Site(), {LABEL: quoted(), OTHER: quoted("Else.")}, SESSION)
    assert "Cookies" not in one[LABEL] + one[OTHER]
    several = notes(page, Site(), {LABEL: quoted(), OTHER: quoted("Else.", session_id="0e1f")}, SESSION)
    assert '<a href="../../sessions/cookies/">Cookies &amp; co</a></span>' in several[LABEL]
    assert '<span class="wm-fact">session 0e1f</span>' in several[OTHER]
    own = facts(SESSION.path, session_ids=("7f4c21d8", "0e1f"), sources=page.sources, cited=page.cited)
    assert "session" not in "".join(
        notes(own, Site(), {LABEL: quoted(), OTHER: quoted("E", session_id="0e1f")}).values()
    )


def test_words_are_cut_where_a_reader_sees_a_character_end() -> None:
    family = "👨‍👩‍👧"
    page = facts(sources=(source(),), cited=(LABEL,))
    found = notes(page, Site(), {LABEL: quoted(family * 200)})[LABEL]
    shown = found.removeprefix('<blockquote class="wm-quote">').partition("</blockquote>")[0]
    assert shown == family * ((MOST - 1) // len(family)) + "…"


def test_the_more_footnotes_the_less_each_of_them_shows() -> None:
    labels = tuple(f"o-{number:010x}" for number in range(40))
    page = facts(sources=tuple(source(label) for label in labels), cited=labels)
    found = notes(page, Site(), {label: quoted(f"{label} {'x' * 2_000}") for label in labels})
    shown = [
        note.partition("</blockquote>")[0].removeprefix('<blockquote class="wm-quote">') for note in found.values()
    ]
    assert {len(words) for words in shown} == {ALL // 40}
    assert SHORTEST < ALL // 40 < MOST
    assert not any("<details" in note for note in found.values())


def test_the_sources_begin_with_the_sessions_that_they_come_from() -> None:
    page = facts(session_ids=("7f4c21d8", "0e1f"), sources=(source(),), cited=(LABEL,))
    known = library(page, SESSION)
    around = survey(known)
    assert from_sessions(page, known, Site(), around, ("7f4c21d8", "0e1f")) == (
        '<p class="wm-sessions wm-fact" data-search-exclude>From the sessions '
        '<a href="../../sessions/cookies/">Cookies &amp; co</a> and '
        "<code>0e1f</code>.</p>"
    )
    one = from_sessions(page, known, Site(), around, ("7f4c21d8",))
    assert one.startswith('<p class="wm-sessions wm-fact" data-search-exclude>From the session <a ')
    assert from_sessions(SESSION, known, Site(), around, ("7f4c21d8",)) == ""
    many = from_sessions(page, known, Site(), around, tuple("abcdefghi"))
    assert many.count("<code>") == 5
    assert many.endswith("</code> and 4 others.</p>")
    frame = frame_of(page, known, Site(), quoted={}, revisions=(), history="")
    assert frame.sources.startswith('<p class="wm-sessions wm-fact" data-search-exclude>From the sessions ')
    assert "wm-sessions" not in frame.below


@pytest.mark.parametrize(
    ("resource", "shown"),
    [
        (
            "../../../observations/a%20b/2026-11.jsonl#L12",
            (
                '<a href="https://github.com/acme/wiki/blob/main/observations/a%20b/2026-11.jsonl#L12">'
                "2026-11.jsonl, line 12</a>"
            ),
        ),
        ("../../../docs/adr.md", '<a href="https://github.com/acme/wiki/blob/main/docs/adr.md">adr.md</a>'),
        (
            "../../../observations/2026-11-12.jsonl#L3",
            (
                '<a href="https://github.com/acme/wiki/blob/main/observations/2026-11-12.jsonl#L3">'
                "<time>2026-11-12</time>.jsonl, line 3</a>"
            ),
        ),
        ("../rules/x.md", '<a href="https://github.com/acme/wiki/blob/main/wiki/harbour/rules/x.md">x.md</a>'),
        (
            "https://example.org/?a=1&b=2",
            '<a href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a>',
        ),
        ("javascript:alert(1)", "not published"),
        ("slack://channel/1", "slack://channel/1"),
        ("/etc/passwd", "not published"),
        ("\\\\host\\share", "not published"),
        ("data:text/html,<b>", "not published"),
        ("", ""),
    ],
)
def test_a_source_leads_to_the_host_or_to_the_web_or_nowhere(resource: str, shown: str) -> None:
    assert place_of_source(source(resource=resource), PATH, Site(host=HOST)) == shown


def test_without_a_host_a_source_is_named_in_plain_text() -> None:
    assert place_of_source(source(), PATH, Site()) == "2026-11.jsonl, line 12"


def test_sources_that_no_footnote_cites_have_a_list_of_their_own() -> None:
    page = facts(sources=(source(), source("o-0000000001", title="2026-11-18 11:40 erik: why?", author="human:erik")))
    sessions = Html("<p>From</p>")
    entry = (
        '<ul><li><p class="wm-source"><q>why?</q> <span class="wm-fact">erik</span> '
        '<span class="wm-fact"><time>2026-11-18 11:40</time></span> '
        '<span class="wm-fact">2026-11.jsonl, line 12</span></p></li></ul>'
    )
    assert other_sources(page, Site(), {}, {LABEL}, sessions) == (
        '<section class="wm-other" data-search-exclude><p>From</p><h3 class="wm-sources">Read, but not cited</h3>'
        f"{entry}</section>"
    )
    assert other_sources(facts(sources=page.sources[1:]), Site(), {}, {}, sessions) == (
        '<section class="wm-other" data-search-exclude><h2 id="wm-sources" class="wm-sources">Sources</h2><p>From</p>'
        f"{entry}</section>"
    )
    assert other_sources(page, Site(), {}, {LABEL, "o-0000000001"}, sessions) == sessions
    assert other_sources(facts(), Site(), {}, {}, sessions) == sessions


def test_what_no_footnote_cites_is_quoted_in_plain_words() -> None:
    page = facts(sources=(source(),))
    found = other_sources(page, Site(), {LABEL: quoted(f"# Plan\n- **do** `it`\n{'so on ' * 99}")}, {}, Html())
    assert "<q>Plan do it so on so on " in found
    assert len(found.partition("<q>")[2].partition("</q>")[0]) <= 200


def test_a_long_list_of_sources_is_folded_and_ends() -> None:
    page = facts(sources=tuple(source(f"o-{number:010x}") for number in range(100)))
    found = other_sources(page, Site(), {}, {}, Html())
    assert found.count("<li>") == 60
    assert "<details><summary>88 more</summary><ul>" in found
    assert found.endswith("</ul><p>and 40 more that are not listed here</p></details></section>")


@pytest.mark.parametrize(
    "resource",
    ["https://dana:hunter2@git.example/x", "file:///home/dana/secret.txt", "/home/dana/secret.txt", "javascript:x"],
)
def test_an_address_that_is_nobody_elses_business_is_not_published(resource: str) -> None:
    assert place_of_source(source(resource=resource), PATH, Site(host=HOST)) == "not published"
