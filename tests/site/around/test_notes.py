from __future__ import annotations

import pytest

from pipeline.site.around.notes import ALL, LONGEST, SHORTEST, notes
from pipeline.site.around.sources import other_sources
from pipeline.site.around.surroundings import Surroundings, survey
from pipeline.site.around.told import place_of_source
from pipeline.site.hosting import Host
from pipeline.site.values import Site
from tests.site.making import PATH, facts, library, quoted, source

HOST = Host("https://github.com/acme/wiki", "github")
LABEL = "o-3f2a9c1e55"


def test_a_footnote_shows_the_words_who_when_and_leads_to_the_line_as_it_stands_now() -> None:
    page = facts(sources=(source(),), cited=(LABEL,))
    session = facts("harbour/sessions/cookies.md", session_ids=("7f4c21d8",))
    # The file was renamed since the page was written.
    words = {LABEL: quoted("First line.\r\n\r\n\r\nSecond <b>line</b>.", file="observations/2026/a b.jsonl", line=20)}
    assert notes(page, Site(host=HOST), survey(library(page, session)), words) == {
        LABEL: (
            '<blockquote class="wm-quote">First line.\nSecond &lt;b&gt;line&lt;/b&gt;.</blockquote>'
            '<p class="wm-source"><span class="wm-fact">dana</span> '
            '<span class="wm-fact"><time datetime="2026-11-12T09:14Z">2026-11-12 09:14</time></span> '
            '<span class="wm-fact"><a href="https://github.com/acme/wiki/blob/main/observations/2026/a%20b.jsonl#L20">'
            "a b.jsonl, line 20</a></span> "
            '<span class="wm-fact"><a href="../../sessions/cookies/">session 7f4c21d8</a></span></p>'
        )
    }


def test_without_the_observation_the_beginning_that_the_source_quotes_is_shown() -> None:
    page = facts(sources=(source(author="claude-code/unversioned"),), cited=(LABEL, "by-hand"))
    assert notes(page, Site(), Surroundings(), {}) == {
        LABEL: (
            '<blockquote class="wm-quote">we decided on signed cookies</blockquote>'
            '<p class="wm-source"><span class="wm-fact">claude-code (agent)</span> '
            '<span class="wm-fact">2026-11-12 09:14</span> <span class="wm-fact">2026-11.jsonl, line 12</span></p>'
        )
    }


def test_a_site_may_keep_the_words_of_observations_to_itself() -> None:
    page = facts(sources=(source(),), cited=(LABEL,))
    found = notes(page, Site(quotations=False), Surroundings(), {LABEL: quoted("The whole of it.")})
    assert "The whole" not in found[LABEL]
    assert '<blockquote class="wm-quote">we decided on signed cookies</blockquote>' in found[LABEL]


def test_an_observation_without_an_entry_in_sources_is_shown_as_well() -> None:
    page = facts(cited=(LABEL,))
    found = notes(page, Site(), Surroundings(), {LABEL: quoted("Its words.", who="assistant")})
    assert '<blockquote class="wm-quote">Its words.</blockquote><p class="wm-source">' in found[LABEL]
    assert '<span class="wm-fact">claude-code (agent)</span>' in found[LABEL]
    found = notes(page, Site(), Surroundings(), {LABEL: quoted(who="tool", agent_kind="")})
    assert '<span class="wm-fact">tool (agent)</span>' in found[LABEL]


def test_on_the_page_of_its_session_a_footnote_does_not_name_it() -> None:
    page = facts("harbour/sessions/cookies.md", session_ids=("7f4c21d8",), sources=(source(),), cited=(LABEL,))
    found = notes(page, Site(), survey(library(page)), {LABEL: quoted()})
    assert "session 7f4c21d8" not in found[LABEL]
    elsewhere = notes(facts(sources=(source(),), cited=(LABEL,)), Site(), Surroundings(), {LABEL: quoted()})
    assert '<span class="wm-fact">session 7f4c21d8</span>' in elsewhere[LABEL]


def test_words_are_cut_where_a_reader_sees_a_character_end() -> None:
    family = "👨‍👩‍👧"
    page = facts(sources=(source(),), cited=(LABEL,))
    found = notes(page, Site(), Surroundings(), {LABEL: quoted(family * 200)})[LABEL]
    shown = found.removeprefix('<blockquote class="wm-quote">').partition("</blockquote>")[0]
    assert shown == family * ((LONGEST - 1) // len(family)) + "…"


def test_the_more_footnotes_the_less_each_of_them_shows() -> None:
    labels = tuple(f"o-{number:010x}" for number in range(40))
    page = facts(sources=tuple(source(label) for label in labels), cited=labels)
    found = notes(page, Site(), Surroundings(), {label: quoted("x" * 2_000) for label in labels})
    shown = [
        note.partition("</blockquote>")[0].removeprefix('<blockquote class="wm-quote">') for note in found.values()
    ]
    assert {len(words) for words in shown} == {ALL // 40}
    assert SHORTEST < ALL // 40 < LONGEST


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
        ("../rules/x.md", '<a href="https://github.com/acme/wiki/blob/main/wiki/harbour/rules/x.md">x.md</a>'),
        (
            "https://example.org/?a=1&b=2",
            '<a href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a>',
        ),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("slack://channel/1", "slack://channel/1"),
        ("/etc/passwd", "/etc/passwd"),
        ("\\\\host\\share", "\\\\host\\share"),
        ("data:text/html,<b>", "data:text/html,&lt;b&gt;"),
        ("", ""),
    ],
)
def test_a_source_leads_to_the_host_or_to_the_web_or_nowhere(resource: str, shown: str) -> None:
    assert place_of_source(source(resource=resource), PATH, Site(host=HOST)) == shown


def test_without_a_host_a_source_is_named_in_plain_text() -> None:
    assert place_of_source(source(), PATH, Site()) == "2026-11.jsonl, line 12"


def test_sources_that_no_footnote_cites_have_a_list_of_their_own() -> None:
    page = facts(sources=(source(), source("o-0000000001", title="2026-11-18 11:40 erik: why?", author="human:erik")))
    entry = (
        '<ul><li><p class="wm-source"><q>why?</q> <span class="wm-fact">erik</span> '
        '<span class="wm-fact">2026-11-18 11:40</span> '
        '<span class="wm-fact">2026-11.jsonl, line 12</span></p></li></ul>'
    )
    assert other_sources(page, Site(), {}, {LABEL}) == (
        '<section class="wm-other" data-search-exclude><h3 class="wm-sources">Read, but not cited</h3>'
        f"{entry}</section>"
    )
    assert other_sources(facts(sources=page.sources[1:]), Site(), {}, {}) == (
        '<section class="wm-other" data-search-exclude><h2 id="wm-sources" class="wm-sources">Sources</h2>'
        f"{entry}</section>"
    )
    assert other_sources(page, Site(), {}, {LABEL, "o-0000000001"}) == ""


def test_a_long_list_of_sources_is_folded_and_ends() -> None:
    page = facts(sources=tuple(source(f"o-{number:010x}") for number in range(100)))
    found = other_sources(page, Site(), {}, {})
    assert found.count("<li>") == 60
    assert "<details><summary>88 more</summary><ul>" in found
    assert found.endswith("</ul><p>and 40 more that are not listed here</p></details></section>")
