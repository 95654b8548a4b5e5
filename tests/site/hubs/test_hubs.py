from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.site.addresses import place_of
from pipeline.site.document import Hub
from pipeline.site.hubs.hubs import hub_documents, navigation
from pipeline.site.values import Site
from tests.site.hubs.making import html, inputs, large, leads, made, shelf, targets, wiki
from tests.site.making import facts, library, link_to, source

HOSTILE = (
    "<script>alert(1)</script>\"'&",
    "</ul></div><img src=x onerror=alert(1)>",
    "--> <!--wikimill-frame {} -->",
    "javascript:alert(1)",
    "\u202eevil\u2028\x00line\n# heading",
    "a" * 5_000,
    "&" * 500,
    "課" * 300,
    "",
)
ALLOWED = frozenset(
    (
        *("nav", "ol", "li", "a", "ul", "span", "p", "h2", "section", "div", "dl", "dt", "dd", "form", "input"),
        *("button", "details", "summary", "code", "bdi", "table", "thead", "tbody", "tr", "th", "td"),
    )
)


class Held(HTMLParser):
    """Tells whether HTML closes what it opens, and holds nothing but what hubs are made of."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name != "href" or not (value or "").lower().startswith("javascript:"), value
        if tag != "input":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check(text: str) -> None:
    held = Held()
    held.feed(text)
    held.close()
    assert held.open == []


def test_every_page_is_reached_from_browse() -> None:
    pages = wiki(3_000)
    documents = large()
    parts = {path for path in documents if path == "browse.md" or path.startswith("browse/")}
    assert set().union(*(targets(documents[path]) for path in parts)) >= {place_of(page.path) for page in pages}
    seen, waiting = set(), ["browse.md"]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += [part for part in parts if place_of(part) in targets(documents[path])]
    assert seen == parts


def test_three_thousand_pages_stay_small_and_lead_somewhere() -> None:
    pages = wiki(3_000)
    documents = large()
    known = {place_of(path) for path in documents} | {place_of(page.path) for page in pages}
    feeds = {f"feeds/{name}.xml" for name in ("decision", "gotcha", "session", "rule")}
    static = feeds | {"kb/index.json", "kb/graph.json", "feed.xml", "acme/part-1/log.md", "search/"}
    for path, document in documents.items():
        assert len(html(document).encode()) <= 16_000, path
        assert targets(document) - known - static == set(), path
        check(html(document))


@pytest.mark.parametrize(("count", "fewest"), [(3_000, 5), (150, 70)])
def test_anchors_that_hubs_name_are_there(count: int, fewest: int) -> None:
    made_of = large() if count == 3_000 else made(*wiki(count))
    documents = {place_of(path): html(document) for path, document in made_of.items()}
    named = set().union(*(leads(document) for document in made_of.values()))
    anchors = {(place, anchor) for place, anchor in named if anchor}
    assert len(anchors) > fewest
    assert [(place, anchor) for place, anchor in anchors if f'id="{anchor}"' not in documents[place]] == []


def test_equal_pages_give_equal_bytes() -> None:
    pages = wiki(150)
    first = [document.render() for document in hub_documents(inputs(), library(*pages))]
    again = [document.render() for document in hub_documents(inputs(), library(*reversed(pages)))]
    assert first == again


def test_ten_thousand_pages_are_quick() -> None:
    pages = wiki(10_000)
    site, wanted = inputs(), library(*pages)
    start = time.process_time()
    count = sum(1 for _ in hub_documents(site, wanted))
    # Each of them is rendered; a tag that very many pages carry must not bring hundreds.
    assert 500 < count < 1_000
    # Well under two seconds on an idle machine; a busy one must not fail it.
    assert time.process_time() - start < 8


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_texts_stay_texts(words: str) -> None:
    page = facts(
        "a/decisions/x.md", title=words, description=words, type=words, tags=(words,), project="a", unsourced=1
    )
    documents = made(page, files={"a/log.md": f"## 2026-11-30\n\n* {words}\n"}, site=Site(name=words or "Wiki"))
    for document in documents.values():
        check(html(document))
        assert len(html(document).encode()) <= 16_000
        raw = document.render().decode()
        assert raw.rstrip("\n").rpartition("\n")[2].startswith("<!--wikimill-frame ")
        assert not set('<>"`') & set(str(document.front["title"]))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=6), st.text(max_size=6)), max_size=6))
def test_any_texts(told: list[tuple[str, str, str]]) -> None:
    pages = [
        facts(f"a/rules/{number}.md", title=title, type=name, tags=(tag,), description=title)
        for number, (title, name, tag) in enumerate(told)
    ]
    for document in made(*pages).values():
        check(html(document))
        document.render()


def test_hostile_paths_lead_to_their_pages() -> None:
    paths = ["a/decisions/x y?#%.md", "a:b/c.md", "课/决定.md", "a/'\"<b>.md", "x/y/z/w/v/u/t.md"]
    documents = made(*(facts(path) for path in paths))
    assert {place_of(path) for path in paths[:3] + paths[4:]} <= targets(documents["browse.md"])
    for document in documents.values():
        check(html(document))


def test_the_navigation() -> None:
    pages = [facts(), facts("harbour/gotchas/a.md"), facts("harbour/gotchas/b.md"), facts("search.md", type="Guide")]
    assert navigation(inputs(), library(*pages)) == (
        Hub("Home", "index.md"),
        Hub("Search", "search-1.md"),
        Hub("Browse", "browse.md"),
        Hub("Recent changes", "changes.md"),
        Hub("Tags", "tags.md"),
        Hub("Graph", "graph.md"),
        Hub("Health", "health.md"),
        Hub("Decisions", "types/decision.md", "Kinds"),
        Hub("Gotchas", "types/gotcha.md", "Kinds"),
        Hub("Guides", "types/guide.md", "Kinds"),
        Hub("harbour", "harbour/index.md", "Projects"),
    )


def test_the_navigation_shows_kinds_in_a_fixed_order_and_projects_by_name() -> None:
    types = ("Session", "Zoo", "Concept", "ADR", "Guide", "Procedure", "Gotcha", "Rule", "Decision")
    pages = [facts(f"p{9 - number}/x/{number}.md", type=name) for number, name in enumerate(types)]
    shown = navigation(inputs(), library(*pages))
    assert [hub.title for hub in shown if hub.group == "Kinds"] == [
        *("Decisions", "Rules", "Gotchas", "Procedures", "Guides", "Concepts", "Sessions"),
        *("ADR", "Zoos"),
    ]
    assert [hub.title for hub in shown if hub.group == "Projects"] == [f"p{number}" for number in range(1, 10)]


def test_another_page_changes_no_navigation() -> None:
    pages = [
        *(facts(f"p{number:02}/rules/a.md", type=f"Kind {number:02}") for number in range(40)),
        facts("p00/rules/b.md", type="rule"),
    ]
    shown = navigation(inputs(), library(*pages))
    more = [facts(f"p39/rules/more-{number}.md", type=("Kind 39", "rule")[number % 2]) for number in range(20)]
    assert len(shown) == 7 + 20 + 30
    assert navigation(inputs(), library(*pages, *more)) == shown
    assert navigation(inputs(), library(*pages, facts("a/rules/a.md"))) != shown


def test_the_navigation_leads_to_documents() -> None:
    pages = wiki(80)
    documents = made(*pages)
    assert {hub.path for hub in navigation(inputs(), library(*pages))} - {"search.md"} <= set(documents)


def test_a_list_of_types_goes_by_project() -> None:
    pages = [
        facts("b/decisions/x.md", title="X"),
        facts("a/decisions/y.md", title="Y"),
        facts("top.md", type="Decision"),
    ]
    told = html(made(*pages)["types/decision.md"])
    assert told.index("<h2>Outside of projects</h2>") < told.index("<h2>a</h2>") < told.index("<h2>b</h2>")
    assert "<p>A decision tells what was chosen, why, and what was left aside for it.</p>" in told
    assert "3 decisions in 2 projects, none confirmed by a person yet." in told


def test_a_list_of_pages_tells_how_far_to_trust_each() -> None:
    pages = [
        facts("a/rules/x.md", title="X", type="Rule", tier="human-reviewed", tags=("t",)),
        facts("a/rules/y.md", title="Y", type="Rule", contradicted=1, tags=("t",)),
        facts("a/rules/z.md", title="Z", type="Rule", tier="machine-confirmed", sources=(source(),), tags=("t",)),
    ]
    documents = made(*pages)
    for path, before in (
        ("types/rule.md", ""),
        ("a/rules/index.md", ""),
        ("a/index.md", ""),
        ("tags.md", "rule · a · "),
    ):
        told = html(documents[path])
        assert f"{before}changed 2026-11-29 · human-reviewed</span>" in told, path
        assert f"{before}changed 2026-11-29 · contradicted · unverified</span>" in told, path
        assert f"{before}seen 2026-11-12 · machine-confirmed</span>" in told, path


def test_browse_without_and_with_a_script() -> None:
    documents = made(*wiki(70))
    first, second = html(documents["browse.md"]), html(documents["browse/2.md"])
    assert '<div id="wm-browse" data-index="../kb/index.json">' in first
    assert "wm-browse" not in second
    assert '<a href="../">Filter by type, project, tag or trust</a>' in second


def test_one_can_jump_to_a_first_letter() -> None:
    titles = ["Apples", "Bees", "1 more", "課金"]
    documents = made(*(facts(f"a/rules/{number}.md", title=title) for number, title in enumerate(titles)))
    told = html(documents["browse.md"])
    assert '<nav class="wm-jump" aria-label="Jump to a first letter"><a href="./#wm-from-1">#</a> ' in told
    assert '<li id="wm-from-2"><a href="../a/rules/0/" data-preview>Apples</a>' in told


def test_tags_and_their_pages() -> None:
    pages = [facts("a/rules/x.md", title="X", tags=("Auth", "web")), facts("a/rules/y.md", title="Y", tags=("auth",))]
    told = html(made(*pages)["tags.md"])
    assert (
        '<ul class="wm-columns"><li><a href="#tag-auth">Auth</a> 2</li>'
        '<li id="tag-web"><a href="../a/rules/x/">web</a></li></ul>'
        '<h2 id="tag-auth">Auth <span class="wm-fact">2 pages</span></h2>'
        '<ul class="wm-list"><li><a href="../a/rules/x/" data-preview>X</a> '
    ) in told
    assert "<details" not in told
    assert "No page carries a tag." in html(made()["tags.md"])


def test_each_tag_stands_where_its_name_says() -> None:
    given_shelf = shelf(*wiki(700))
    documents = made(*wiki(700))
    for one in given_shelf.names.tag_shelves.values():
        told = html(documents[one.path])
        assert not one.anchor or f'id="{one.anchor}"' in told
        assert one.anchor or documents[one.path].frame.title == f"Tag: {one.tag}"


def test_a_hundred_and_fifty_tags_stand_on_one_page() -> None:
    pages = [
        facts(
            f"team/gotchas/the-name-of-what-went-wrong-{number}.md", tags=(f"identifier_{number}", f"of {number // 3}")
        )
        for number in range(110)
    ]
    documents = made(*pages)
    assert html(documents["tags.md"]).count("<li") >= 110 + 37
    assert "identifier_" not in "".join(html(one) for path, one in documents.items() if path.startswith("tags/"))
    assert '<a href="2/#tag-of-' in html(documents["tags.md"])


@pytest.mark.parametrize("name", ["標籤", "&<tag>", "tag"])
def test_many_tags_go_over_small_documents_and_lose_none(name: str) -> None:
    pages = [
        facts(f"a/rules/ある規則-{number}.md", type="Rule", tags=(f"{name} {number}", f"{name} of {number // 4}"))
        for number in range(600)
    ]
    documents = {path: one for path, one in made(*pages).items() if path.startswith("tags")}
    for path, one in documents.items():
        assert len(html(one).encode()) <= 16_000, path
    index = "".join(html(one).partition("<h2")[0] for one in documents.values())
    assert index.count("<li") - index.count("<ol><li>") == 600 + 150
    assert sum(html(one).count("<h2 ") for one in documents.values()) == 150


def test_a_tag_of_very_many_pages_leads_to_browse() -> None:
    pages = [
        facts(f"a/rules/{number}.md", title=f"Rule {number}", type="Rule", tags=("a & b",), changed_on=on)
        for number, on in enumerate(["2026-11-01"] * 5 + ["2026-11-20"] * 120)
    ]
    documents = made(*pages)
    parts = [documents[path] for path in ("tags/a-b.md", "tags/a-b/2.md")]
    assert "tags/a-b/3.md" not in documents
    assert set().union(*map(targets, parts)) >= {f"a/rules/{number}/" for number in range(5, 125)}
    assert (
        "The 120 newest of 125 pages with this tag. All of them: "
        '<a href="../../browse/?tag=a%20%26%20b">Browse</a> or '
        '<a href="../../search/?q=a%20%26%20b&amp;tag=a%20%26%20b">search</a>.'
    ) in html(parts[0])
    assert "All of them" not in html(made(*pages[5:])["tags/a-b.md"])


def test_the_graph_has_a_table() -> None:
    linked = [facts("a/rules/x.md", title="X"), facts("a/rules/y.md", title="Y")]
    linking = facts("a/rules/z.md", title="Z", links=(link_to("a/rules/x.md"),))
    told = html(made(*linked, linking)["graph.md"])
    assert '<div id="wm-map" data-graph="../kb/graph.json"></div>' in told
    assert '<ul class="wm-legend"><li data-type="Concept">Concepts</li></ul>' in told
    assert told.count("<tr>") == 3
    assert '<tr><td><a href="../a/rules/x/">X</a></td><td>1</td><td>0</td><td>0</td></tr>' in told
    assert '<tr><td><a href="../a/rules/z/">Z</a></td><td>0</td><td>1</td><td>0</td></tr>' in told
    assert (
        '2 of 3 pages are tied to another one; <a href="../health/#orphans">2 orphans</a> are linked from none.' in told
    )


def test_a_graph_without_ties_is_a_sentence() -> None:
    told = html(made(facts("a/rules/x.md"), facts("a/rules/y.md"))["graph.md"])
    assert told.endswith(
        "<p>No page links to another one yet, and none names a session that has a page: there is no graph to draw.</p>"
    )
    assert "wm-map" not in told


def test_the_table_of_the_graph_is_whole() -> None:
    pages = [
        facts(f"a/rules/{number}.md", links=(link_to(f"a/rules/{(number + 1) % 150}.md"),)) for number in range(150)
    ]
    documents = made(*pages)
    parts = [path for path in documents if path == "graph.md" or path.startswith("graph/")]
    assert len(parts) == 3
    found = set().union(*(targets(documents[path]) for path in parts))
    assert found >= {f"a/rules/{number}/" for number in range(150)}
    assert ["wm-map" in html(documents[path]) for path in sorted(parts)] == [True, False, False]


def test_a_map_of_very_many_pages_shows_projects_and_types() -> None:
    documents = made(*wiki(1_001))
    told = html(documents["graph.md"])
    assert '<li data-type="Project">Projects</li><li data-type="Type">Types</li>' in told
    assert "graph/2.md" not in documents
