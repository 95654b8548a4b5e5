from __future__ import annotations

from datetime import UTC, datetime

from pipeline.site.facts import Verified
from pipeline.site.values import Site
from tests.site.hubs.making import SITE, html, made, targets
from tests.site.making import facts, link_to, quoted, revision, source

COOKIES = facts(
    title="Session cookies",
    tier="human-reviewed",
    verified=(Verified("process:gates", "2026-11-29"), Verified("human:dana", "2026-11-28")),
    sources=(source(title="2026-11-12 09:14 dana: we decided"),),
)
LIMIT = facts("harbour/gotchas/limit.md", title="The limit", contradicted=1, unsourced=2, stale_after="2026-11-01")
LATER = datetime(2026, 11, 30, 9, tzinfo=UTC)
SESSION = facts("harbour/sessions/of-today.md", title="Of today", changed_on="2026-11-30")


def test_an_empty_wiki_has_a_home() -> None:
    home = made()["index.md"]
    assert home.frame.title == SITE.name
    assert html(home) == (
        '<p class="wm-lead">This wiki has no page yet. Note what you learn with '
        "<code>wikimill observe &quot;...&quot;</code>, and let <code>wikimill run</code> make pages of it.</p>"
    )
    assert "Ours." in made(files={"index.md": "<!-- keep -->\nOurs.\n<!-- /keep -->\n"})["index.md"].body


def test_the_first_lines_introduce_the_wiki() -> None:
    home = html(made(COOKIES)["index.md"])
    trust = "A page says below its title whether a person confirmed it, code checked it, or nobody did."
    plain = "What a team noticed while it worked, on pages whose statements name what they rest on."
    assert home.startswith(f'<p class="wm-lead">{plain}</p><p class="wm-fact">{trust}</p><form ')
    home = html(made(COOKIES, site=Site(name="W", description="All about <boats>."))["index.md"])
    assert home.startswith(f'<p class="wm-lead">All about &lt;boats&gt;.</p><p class="wm-fact">{trust}</p><form ')


def test_what_one_is_after_stands_below_the_search() -> None:
    frame = made(COOKIES)["index.md"].frame
    assert frame.below_title.index("<form ") < frame.below_title.index("What are you after?")
    assert "What are you after?" not in frame.below


def test_what_is_new_and_how_fresh_it_is() -> None:
    home = html(made(COOKIES, LIMIT, SESSION)["index.md"])
    assert '<p class="wm-fact">3 pages, newest observation 2026-11-12, newest change 2026-11-30.</p>' in home
    assert (
        '<li><a href="harbour/gotchas/limit/" data-preview>The limit</a> '
        '<span class="wm-fact">changed 2026-11-29 · gotcha · harbour</span></li>'
    ) in home
    assert '>Session cookies</a> <span class="wm-fact">seen 2026-11-12 · decision · harbour</span></li>' in home
    new = home.partition('id="wm-new"')[2].partition("</section>")[0]
    assert "Of today" not in new


def test_within_a_day_the_newest_source_counts() -> None:
    pages = [
        facts(f"a/gotchas/{name}.md", title=name, sources=(source(title=f"2026-11-29 {time} dana: x"),))
        for name, time in (("Early", "08:00"), ("Late", "17:30"), ("Noon", "12:00"))
    ]
    # A page that changed on a later day comes first, however old what it rests on is.
    pages.append(
        facts("a/gotchas/x.md", title="Next", changed_on="2026-11-30", sources=(source(title="2026-01-02 08:00 d: x"),))
    )
    new = html(made(*pages)["index.md"]).partition('id="wm-new"')[2].partition("</section>")[0]
    places = [new.index(f">{name}</a>") for name in ("Next", "Late", "Noon", "Early")]
    assert places == sorted(places)


def test_what_a_person_edited_is_new() -> None:
    edited = [
        revision("---\ntype: Gotcha\n---\n# Limit\n\nNew.\n", author="Dana", model="", session="", at=LATER),
        revision("---\ntype: Gotcha\n---\n# Limit\n\nOld.\n"),
    ]
    documents = made(COOKIES, LIMIT, revisions={LIMIT.path: tuple(edited)})
    new = html(documents["index.md"]).partition('id="wm-new"')[2].partition("</section>")[0]
    assert new.index("The limit") < new.index("Session cookies")
    assert "changed 2026-11-30" in new
    assert "newest change 2026-11-30" in html(documents["index.md"])
    assert '<h2>2026-11-30</h2><ul class="wm-list"><li><a href="../harbour/gotchas/limit/"' in html(
        documents["changes.md"]
    )
    assert "edited by a person · gotcha · harbour" in html(documents["changes.md"])


def test_the_newest_observation_may_be_known_from_its_words() -> None:
    told = {(COOKIES.path, "o-1"): quoted(when=datetime(2026, 11, 30, 7, tzinfo=UTC))}
    assert "newest observation 2026-11-30" in html(made(COOKIES, quoted=told)["index.md"])


def test_what_is_trusted() -> None:
    home = html(made(COOKIES, LIMIT)["index.md"])
    assert "1 of 2 pages confirmed by a person." in home
    assert '>Session cookies</a> <span class="wm-fact">dana · 2026-11-28</span>' in home
    assert "No page is confirmed by a person yet; 0 pages passed the checks" in html(made(LIMIT)["index.md"])


def test_what_needs_a_person() -> None:
    linking = facts("harbour/concepts/a.md", links=(link_to(LIMIT.path),), tier="human-reviewed")
    home = html(made(LIMIT, linking)["index.md"])
    assert '<a href="health/#review-due">1 page is due for review</a>' in home
    assert '<a href="health/#contradicted">1 page holds a contradiction</a>' in home
    assert '<a href="health/#unsourced">1 page holds statements without a source</a>' in home
    assert '<a href="health/#not-confirmed">1 page is not confirmed by a person yet</a>:' in home
    assert '>The limit</a> <span class="wm-fact">gotcha · linked from 1 page · changed 2026-11-29' in home


def test_a_person_begins_with_five_of_many() -> None:
    pages = [facts(f"a/rules/{number}.md", title=f"Rule {number}", type="Rule") for number in range(7)]
    home = html(made(*pages)["index.md"])
    needed = home.partition('id="wm-needed"')[2].partition("</section>")[0]
    assert '<a href="health/#not-confirmed">7 pages are not confirmed by a person yet</a>; begin with</p>' in needed
    assert needed.partition("</ul>")[0].count("<li>") == 5
    read = facts("a/rules/x.md", type="Rule", tier="human-reviewed", origin="hand")
    both = (read, facts("a/rules/y.md", type="Rule", tier="human-reviewed", origin="hand"))
    assert "Nothing waits for a person." in html(made(*both)["index.md"])


def test_without_a_day_nothing_is_due() -> None:
    assert "due for review" not in html(made(LIMIT, site=Site(name="Wiki"))["index.md"])


def test_what_one_is_after() -> None:
    pages = [
        *(COOKIES, LIMIT),
        facts("harbour/procedures/deploy.md", type="Procedure"),
        facts("harbour/lore.md", type="Lore"),
        facts("harbour/lesson.md", type="Tutorial"),
    ]
    home = html(made(*pages)["index.md"])
    for use, told in (
        ("Learn", '<a href="types/tutorial/">1 tutorial</a>'),
        ("Do", '<a href="types/procedure/">1 procedure</a>'),
        ("Understand", '<a href="types/decision/">1 decision</a>'),
        ("Look up", '<a href="types/gotcha/">1 gotcha</a>'),
        ("More", '<a href="types/lore/">1 lore</a>'),
    ):
        assert home.partition(f"<dt>{use} ")[2].partition("</div>")[0].endswith(f"<dd>{told}</dd>")
    assert "<dt>History" not in home


def test_projects_with_their_pages() -> None:
    home = html(made(COOKIES, LIMIT, facts("a/b/rules/x.md", type="Rule"))["index.md"])
    assert '<a href="harbour/" data-preview>harbour</a> <span class="wm-fact">2 pages · seen 2026-11-12</span>' in home
    assert '<a href="a/b/" data-preview>a/b</a> <span class="wm-fact">1 page · changed 2026-11-29</span>' in home


def test_where_there_are_many_projects_home_leads_to_all() -> None:
    pages = [facts(f"project-{number}/decisions/x.md") for number in range(45)]
    documents = made(*pages)
    home = html(documents["index.md"])
    assert '<a href="projects/">All 45 projects</a>' in home
    assert {f"project-{number}/" for number in range(45)} <= targets(documents["projects.md"])
    assert "projects.md" not in made(COOKIES)


def test_what_people_wrote_stands_on_it() -> None:
    kept = "<!-- keep -->\nCall 12.\n<!-- /keep -->\n"
    index = f"# Projects\n\nAsk *Dana* first.\n\n* [harbour](harbour/index.md) - 1 page.\n\n{kept}"
    home = made(COOKIES, files={"index.md": index})["index.md"]
    assert "Ask *Dana* first." in home.body
    assert "Call 12." in home.body
    assert "harbour/index.md" not in home.body
    assert home.frame.below_title.startswith('<p class="wm-lead">')
    assert "wm-panel" in home.frame.below


def test_markers_that_do_not_pair_lose_nothing() -> None:
    home = made(COOKIES, files={"index.md": '---\nokf_version: "0.2"\n---\n\nHello.\n\n<!-- keep -->\nOpen.\n'})[
        "index.md"
    ]
    assert "Hello." in home.body
    assert "Open." in home.body
    assert "okf_version" not in home.body


def test_it_searches_and_names_the_site() -> None:
    home = made(COOKIES, facts("search.md"))["index.md"]
    assert 'action="search-1/"' in home.frame.below_title
    assert home.frame.title == SITE.name
    assert home.front == {"title": "Harbour wiki", "search": {"exclude": True}, "hide": ["toc"]}
