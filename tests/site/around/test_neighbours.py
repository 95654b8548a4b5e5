from __future__ import annotations

import re

import pytest

from pipeline.site.around.backlinks import backlinks
from pipeline.site.around.frame_of import frame_of
from pipeline.site.around.hatnotes import hatnotes, notice, successor_of, without_notice
from pipeline.site.around.local_graph import MOST, ROOM, local_graph, shortened
from pipeline.site.around.nearby import made_in_session, nearby, other_names, trail, trail_to
from pipeline.site.around.surroundings import Surroundings, survey
from pipeline.site.library import Backlink, Library
from pipeline.site.values import Site
from pipeline.wiki.format.page import Page
from tests.site.making import facts, library, link_to, quoted

SITE = Site()


def test_backlinks_come_with_their_sentence_and_type_each_page_once() -> None:
    page = facts()
    rule = facts(
        "harbour/rules/log-in.md", type="Rule", title="Log in", links=(link_to(page.path, "As <i>decided</i>."),)
    )
    twice = facts("tower/concepts/x.md", links=(link_to(page.path, ""), link_to(page.path, "Again.")))
    known = library(page, rule, twice)
    assert backlinks(page, known, SITE) == (
        '<section class="wm-links" data-search-exclude><h2>Linked from</h2><ul>'
        '<li><a href="../../rules/log-in/" data-preview>Log in</a> <span class="wm-fact">Rule</span> '
        '<span class="wm-sentence">As &lt;i&gt;decided&lt;/i&gt;.</span></li>'
        '<li><a href="../../../tower/concepts/x/" data-preview>X</a> <span class="wm-fact">Concept</span> </li>'
        "</ul></section>"
    )
    assert backlinks(rule, known, SITE) == ""


def test_beyond_twenty_backlinks_are_folded_and_beyond_sixty_counted() -> None:
    page = facts()
    others = [facts(f"harbour/rules/r{number:03}.md") for number in range(1_000)]
    told = {page.path: tuple(Backlink(one.path, "x" * 500) for one in others)}
    found = backlinks(page, library(page, *others, backlinks=told), SITE)
    before, _, folded = found.partition("<details>")
    assert (before.count("<li>"), folded.count("<li>")) == (20, 40)
    assert folded.startswith("<summary>980 more</summary>")
    assert "<p>and 940 more that are not listed here</p>" in folded
    assert "x" * 161 not in found


CHAIN = (
    facts("a/rules/one.md", status="deprecated", superseded_by="a/rules/two.md"),
    facts("a/rules/two.md", status="deprecated", superseded_by="a/rules/three.md"),
    facts("a/rules/three.md", title="Three"),
    facts("a/rules/ring.md", superseded_by="a/rules/back.md"),
    facts("a/rules/back.md", superseded_by="a/rules/ring.md"),
    facts("a/rules/lost.md", status="deprecated", superseded_by="a/rules/gone.md"),
    facts("a/rules/old.md", status="deprecated"),
)


@pytest.mark.parametrize(
    ("path", "successor"),
    [
        ("a/rules/one.md", "a/rules/three.md"),
        ("a/rules/two.md", "a/rules/three.md"),
        ("a/rules/three.md", ""),
        ("a/rules/ring.md", ""),
        ("a/rules/lost.md", ""),
    ],
)
def test_the_chain_of_successors_is_followed_to_its_end(path: str, successor: str) -> None:
    known = library(*CHAIN)
    assert successor_of(known.pages[path], known) == successor


BEGIN = '<aside class="wm-notice" aria-label="Deprecated page"><p><strong>This page is no longer current.</strong> '
END = "It is kept for its history.</p></aside>"


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (
            "a/rules/one.md",
            (
                f'{BEGIN}It was superseded by <a href="../three/" data-preview>Three</a> on <time>2026-11-29</time>. '
                f"{END}"
            ),
        ),
        ("a/rules/three.md", ""),
        ("a/rules/lost.md", f"{BEGIN}{END}"),
        ("a/rules/old.md", f"{BEGIN}Nothing has taken its place. {END}"),
    ],
)
def test_a_superseded_page_says_so(path: str, says: str) -> None:
    known = library(*CHAIN)
    assert notice(known.pages[path], known, SITE) == says


LINE = "> Superseded by [Three](three.md) on 2026-11-30."


def test_the_day_of_the_succession_is_read_from_the_page_and_its_line_is_not_shown_twice() -> None:
    body = f"# One\n\n{LINE}\n\nText.\n"
    one = facts("a/rules/one.md", superseded_by="a/rules/three.md", page=Page({}, body))
    told = notice(one, library(one, CHAIN[2]), SITE)
    assert "Three</a> on <time>2026-11-30</time>. " in told
    assert without_notice(body) == "# One\n\n\nText.\n"
    assert without_notice("# One\n\nSuperseded by [x](y.md).\n") == "# One\n\nSuperseded by [x](y.md).\n"


def test_of_a_page_alone_the_successor_is_named_by_its_file_unless_the_text_does() -> None:
    one = facts("a/rules/one.md", status="deprecated", superseded_by="a/rules/two-days.md")
    alone = Library({one.path: one}, whole=False)
    successor = '<a href="../two-days/" data-preview>two days</a>'
    assert notice(one, alone, SITE) == f"{BEGIN}It was superseded by {successor}. {END}"
    told = facts(one.path, status="deprecated", superseded_by="a/rules/two.md", page=Page({}, f"{LINE}\n"))
    assert notice(told, Library({one.path: told}, whole=False), SITE) == f"{BEGIN}{END}"


def test_a_page_names_what_it_replaces_and_its_namesakes() -> None:
    three = CHAIN[2]
    same = facts("b/tower/concepts/three.md", title="three", project="b/tower", description="How <many> there are.")
    near = facts("a/concepts/three.md", title="Three", description="x" * 99)
    bare = facts("a/gotchas/three.md", title="Three")
    alike = (bare.path, near.path, "a/rules/two.md", same.path)
    known = library(*CHAIN, same, near, bare, namesakes={three.path: alike})
    assert hatnotes(three, known, SITE) == (
        '<p class="wm-hatnote">Replaces <a href="../two/" data-preview>Two</a>.</p>'
        '<p class="wm-hatnote">Not to be confused with '
        '<a href="../../gotchas/three/" data-preview>Three</a> (Gotcha), '
        f'<a href="../../concepts/three/" data-preview>Three</a> (Concept: {"x" * 79}…) and '
        '<a href="../../../b/tower/concepts/three/" data-preview>three</a> '
        "(Concept, b/tower: How &lt;many&gt; there are).</p>"
    )
    assert hatnotes(same, known, SITE) == ""
    assert hatnotes(three, known, SITE, "called/three.md").endswith(
        ' are). <a href="../../../called/three/">All pages of this name</a></p>'
    )
    assert hatnotes(same, known, SITE, "called/three.md") == ""


def test_many_pages_that_were_replaced_are_counted() -> None:
    one = facts("a/rules/one.md")
    old = [facts(f"a/rules/old-{number}.md", superseded_by=one.path) for number in range(9)]
    found = hatnotes(one, library(one, *old), SITE)
    assert found.count("<a ") == 5
    assert found.endswith(" and 4 others.</p>")


@pytest.mark.parametrize(
    ("path", "crumbs"),
    [
        ("notes.md", ()),
        ("README.md", ()),
        (
            "acme/gate-way/rules/x.md",
            (("../../../../", "Home"), ("../../../", "acme"), ("../../", "gate-way"), ("../", "Rules")),
        ),
        ("acme/gateway/index.md", (("../../", "Home"), ("../", "acme"))),
        ("acme/gateway/README.md", (("../../", "Home"), ("../", "acme"))),
        ("a&b/x.md", (("../../", "Home"), ("../", "a&amp;b"))),
    ],
)
def test_the_trail_leads_to_the_folders_above(path: str, crumbs: tuple[tuple[str, str], ...]) -> None:
    items = "".join(f'<li><a href="{address}">{name}</a></li>' for address, name in crumbs)
    whole = f'<nav class="wm-trail" aria-label="Where this page stands"><ol>{items}</ol></nav>' if crumbs else ""
    assert trail(facts(path), SITE) == whole


def test_a_page_about_another_has_a_trail_of_its_own() -> None:
    page = facts("acme/gateway/rules/x.md", title="X & y")
    found = trail_to("history/acme/gateway/rules/x.md", page, SITE)
    assert re.findall('<a href="([^"]+)">([^<]+)', found) == [
        ("../../../../../", "Home"),
        ("../../../../../acme/", "acme"),
        ("../../../../../acme/gateway/", "gateway"),
        ("../../../../../acme/gateway/rules/", "Rules"),
        ("../../../../../acme/gateway/rules/x/", "X &amp; y"),
    ]
    assert found.startswith('<nav class="wm-trail" aria-label="Where this page stands"><ol><li>')
    assert trail_to("history/x.md", facts("x.md"), SITE).count("<li>") == 2


def test_other_names_and_tags_stand_as_text_and_tags_lead_to_their_list() -> None:
    page = facts(aliases=("Cookie <login>", "Sessions"), tags=("auth",))
    assert other_names(page, SITE, survey(library(page))) == (
        '<p class="wm-also">Also known as Cookie &lt;login&gt;, Sessions. '
        'Tags: <a href="../../../tags/#tag-auth">auth</a>.</p>'
    )
    assert other_names(page, SITE, Surroundings()).count("<a ") == 0
    assert other_names(facts(type=""), SITE, Surroundings()) == ""


def test_more_of_the_kind_are_those_that_share_tags_and_then_the_newest() -> None:
    def decision(name: str, day: int, *tags: str, **told: str) -> object:
        return facts(f"harbour/decisions/{name}.md", changed_on=f"2026-11-{day:02}", tags=tags, **told)

    page = decision("it", 1, "auth", "web")
    others = [
        decision("both", 2, "auth", "web"),
        decision("one-old", 3, "auth"),
        decision("one-new", 9, "web"),
        decision("none-new", 10),
        decision("former", 11, "auth", "web", status="deprecated"),
        facts("harbour/rules/other-kind.md", tags=("auth", "web")),
        facts("tower/decisions/other-project.md", tags=("auth", "web")),
    ]
    known = library(page, *others)  # type: ignore[arg-type]
    found = nearby(page, known, SITE, survey(known))  # type: ignore[arg-type]
    assert found.startswith(
        '<section class="wm-nearby" data-search-exclude><h2>More decisions in this project</h2><ul class="wm-list">'
        '<li><a href="../both/" data-preview>Both</a> <span class="wm-fact"><time>2026-11-02</time></span>'
    )
    links = [part.partition("/")[0] for part in found.split('href="../')[1:]]
    assert links == ["both", "one-new", "one-old", "none-new", '">All decisions<']
    many = library(page, *[decision(f"d{number:02}", number + 1) for number in range(28)])  # type: ignore[arg-type]
    assert nearby(page, many, SITE, survey(many)).count("<li>") == 8  # type: ignore[arg-type]
    assert nearby(page, library(page), SITE, survey(library(page))) == ""  # type: ignore[arg-type]


def test_pages_of_the_same_session_come_before_those_with_the_same_tags() -> None:
    page = facts(tags=("auth", "web"), session_ids=("s1",))
    told = facts("harbour/decisions/told.md", session_ids=("s1",), changed_on="2026-11-01")
    cited = facts("harbour/decisions/cited.md", changed_on="2026-11-02")
    tagged = facts("harbour/decisions/tagged.md", tags=("auth", "web"))
    rule = facts("harbour/rules/rule.md", session_ids=("s1",))
    known = library(page, told, cited, tagged, rule)
    around = survey(known, {(cited.path, "o-1"): quoted(session_id="s1"), ("gone.md", "o-1"): quoted()})
    found = nearby(page, known, SITE, around)
    assert [part.partition("/")[0] for part in found.split('href="../')[1:4]] == ["cited", "told", "tagged"]


def test_where_nothing_relates_the_alphabet_decides_nothing() -> None:
    page = facts()
    few = library(page, *[facts(f"harbour/decisions/d{number}.md") for number in range(8)])
    assert nearby(page, few, SITE, survey(few)).count("<li>") == 8
    # Of nine decisions of one day, eight would be chosen by their names.
    nine = [facts(f"harbour/decisions/d{number}.md") for number in range(9)]
    many = library(page, *nine)
    assert nearby(page, many, SITE, survey(many)) == (
        '<section class="wm-nearby" data-search-exclude><p><a href="../">All decisions</a></p></section>'
    )
    newer = library(page, *nine, facts("harbour/decisions/new.md", changed_on="2026-12-01"))
    found = nearby(page, newer, SITE, survey(newer))
    assert found.count("<li>") == 1
    assert '<a href="../new/"' in found


def test_the_page_of_a_session_lists_what_was_made_from_it() -> None:
    session = facts("harbour/sessions/cookies.md", session_ids=("s1", "s2"))
    made = facts(title="A & b", session_ids=("s1",))
    cited = facts("harbour/rules/cited.md", changed_on="2026-12-01")
    known = library(
        session,
        made,
        cited,
        facts("harbour/sessions/other.md", session_ids=("s1",)),
        facts("tower/rules/elsewhere.md", session_ids=("s1",)),
        facts("harbour/rules/unrelated.md", session_ids=("s3",)),
    )
    around = survey(known, {(cited.path, "o-1"): quoted(session_id="s2")})
    assert made_in_session(session, known, SITE, around) == (
        '<section class="wm-nearby" data-search-exclude><h2>Pages from this session</h2><ul class="wm-list">'
        '<li><a href="../../decisions/session-cookies/" data-preview>A &amp; b</a> '
        '<span class="wm-fact">Decision</span></li><li><a href="../../rules/cited/" data-preview>Cited</a> '
        '<span class="wm-fact">Concept</span></li></ul>'
        "</section>"
    )
    assert made_in_session(made, known, SITE, around) == ""
    frame = frame_of(session, known, SITE, quoted={}, revisions=(), history="", around=around)
    assert "<h2>Pages from this session</h2>" in frame.below


def test_of_many_pages_of_a_session_twenty_are_shown_and_the_others_folded() -> None:
    session = facts("harbour/sessions/cookies.md", session_ids=("s1",))
    known = library(session, *[facts(f"harbour/rules/r{number:03}.md", session_ids=("s1",)) for number in range(150)])
    before, _, folded = made_in_session(session, known, SITE, survey(known)).partition("<details>")
    assert (before.count("<li>"), folded.count("<li>")) == (20, 80)
    assert folded.startswith("<summary>130 more</summary>")
    assert "<p>and 50 more that are not listed here</p>" in folded


def test_a_survey_looks_at_few_pages_of_each_tag() -> None:
    pages = [facts(f"a/rules/r{number}.md", tags=("t",), session_ids=("s",)) for number in range(500)]
    found = survey(library(*pages))
    looked_at = (*found.kin.values(), *found.by_tag.values(), *found.by_session.values())
    assert [len(paths) for paths in looked_at] == [16, 16, 16]


def test_the_picture_shows_what_links_here_and_what_is_linked_to() -> None:
    page = facts(links=(link_to("harbour/rules/a.md"), link_to("harbour/rules/b.md"), link_to("nowhere.md")))
    others = (
        facts("harbour/rules/a.md", title="A <rule>"),
        facts("harbour/rules/b.md", links=(link_to(page.path),)),
        facts("harbour/rules/c.md", links=(link_to(page.path),)),
    )
    assert local_graph(page, library(page, *others), SITE, Surroundings()) == (
        '<section data-search-exclude><figure class="wm-graph"><figcaption>Pages one step away</figcaption>'
        '<svg viewBox="0 0 640 72" width="100%" role="group" fill="currentColor" font-size="13">'
        "<title>Pages one step away</title>"
        '<path d="M214 24Q234 24 234 36M426 24Q406 24 406 36M426 48Q406 48 406 36" fill="none" stroke="currentColor" '
        'stroke-opacity=".4"></path><text x="320" y="40" text-anchor="middle">Session cookies</text>'
        '<g><a xlink:href="../../rules/c/"><text x="4" y="28">C</text></a></g>'
        '<g text-anchor="end"><a xlink:href="../../rules/a/"><text x="636" y="28">A &lt;rule&gt;</text></a>'
        '<a xlink:href="../../rules/b/"><text x="636" y="52">B</text></a></g></svg>'
        '<ul><li>Links here: <a href="../../rules/c/">C</a></li>'
        '<li>This page links to: <a href="../../rules/a/">A &lt;rule&gt;</a>, <a href="../../rules/b/">B</a></li>'
        "</ul></figure></section>"
    )
    assert local_graph(page, library(page, *others[:2]), SITE, Surroundings()) == ""


def test_a_page_and_the_page_of_its_session_are_a_step_apart() -> None:
    session = facts("harbour/sessions/cookies.md", title="Cookies", session_ids=("s1",))
    page = facts(session_ids=("s1",), links=(link_to("harbour/rules/r0.md"),))
    rules = [facts(f"harbour/rules/r{number}.md", session_ids=("s1",)) for number in range(2)]
    known = library(page, session, *rules, facts("harbour/rules/b.md", links=(link_to(page.path),)))
    found = local_graph(page, known, SITE, survey(known))
    entries = re.sub("<(?!/?li)[^>]+>", "", found.partition("<ul>")[2])
    assert entries == "<li>Links here: B</li><li>From the session: Cookies</li><li>This page links to: R0</li>"
    assert '<text x="4" y="52">Cookies</text>' in found
    of_session = local_graph(session, known, SITE, survey(known))
    entries = re.sub("<(?!/?li)[^>]+>", "", of_session.partition("<ul>")[2])
    assert entries == "<li>Pages from this session: Session cookies, R0, R1</li>"


@pytest.mark.parametrize(
    "title", ["Page", "A title that is much too long for a column of the picture", "潮位の表示は" * 9]
)
def test_the_picture_stays_small(title: str) -> None:
    targets = [facts(f"harbour/decisions/a-page-with-a-long-name-{number}.md", title=title) for number in range(40)]
    page = facts(links=tuple(link_to(one.path) for one in targets))
    found = local_graph(page, library(page, *targets), SITE, Surroundings())
    assert len(found.encode()) <= ROOM
    assert 3 <= found.count("<text") - 1 <= MOST
    assert local_graph(page, library(page, *targets), SITE, Surroundings()) == found


@pytest.mark.parametrize(
    ("title", "shown"),
    [("short", "short"), ("exactly ten", "exactly t…"), ("潮位の読み取り", "潮位の読…"), ("", "")],
)
def test_titles_are_cut_by_how_wide_they_are(title: str, shown: str) -> None:
    assert shortened(title, 10) == shown


def test_tags_and_names_that_are_not_shown_are_counted() -> None:
    many = facts(tags=tuple(f"t{number}" for number in range(13)), aliases=tuple(f"n{number}" for number in range(14)))
    told = other_names(many, SITE, survey(library(many)))
    assert "n11, 2 others." in told
    assert told.count("<a ") == 12
    assert told.endswith(", 1 other.</p>")
