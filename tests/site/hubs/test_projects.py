from __future__ import annotations

import pytest

from tests.site.hubs.making import html, made, targets
from tests.site.making import facts

OLD = facts("harbour/decisions/jwt.md", title="JWT", status="deprecated", superseded_by="harbour/decisions/cookies.md")
NEW = facts("harbour/decisions/cookies.md", title="Cookies", description="Login state in cookies.")
RULE = facts("harbour/rules/never.md", title="Never", type="Rule", changed_on="2026-11-30")


def test_the_index_of_a_folder() -> None:
    index = made(OLD, NEW, RULE)["harbour/decisions/index.md"]
    assert index.frame.title == "Decisions in harbour"
    assert index.frame.below_title == (
        "<p>A decision tells what was chosen, why, and what was left aside for it.</p>"
        '<p class="wm-fact">1 decision. Newest change 2026-11-29.</p>'
        '<ul class="wm-list"><li><a href="cookies/" data-preview>Cookies</a> '
        '<span class="wm-said">Login state in cookies.</span> '
        '<span class="wm-fact">changed 2026-11-29 · unverified</span></li></ul>'
        '<h2>Superseded</h2><ul class="wm-list"><li><a href="jwt/" data-preview>JWT</a> '
        '<span class="wm-fact">changed 2026-11-29 · superseded · unverified</span></li></ul>'
    )
    assert '<a href="../../">Home</a>' in index.frame.above
    assert '<a href="../">harbour</a>' in index.frame.above


def test_the_index_of_a_project() -> None:
    files = {"harbour/log.md": "# Update log\n", "harbour/index.md": "# harbour\n\nWritten by hand.\n\n* [x](y.md)\n"}
    index = made(OLD, NEW, RULE, files=files)["harbour/index.md"]
    assert index.body.split() == ["<!--", "keep", "-->", "Written", "by", "hand.", "<!--", "/keep", "-->"]
    below = index.frame.below
    assert '2 pages: 1 decision, 1 rule. Newest change 2026-11-30. <a href="log/">What changed</a>' in below
    decisions = '<a href="decisions/" data-preview>All decisions</a>'
    assert f'{decisions} <span class="wm-said">1 page, 1 superseded</span>' in below
    assert below.index("<h2>Decisions</h2>") < below.index("<h2>Rules</h2>")


def test_a_workspace_lists_its_projects() -> None:
    documents = made(facts("acme/web/decisions/a.md"), facts("acme/api/gotchas/b.md"))
    assert targets(documents["acme/index.md"]) == {"", "acme/web/", "acme/api/"}
    assert '>api</a> <span class="wm-said">1 gotcha</span>' in html(documents["acme/index.md"])


def test_the_way_to_all_is_shown_where_something_is_left_out() -> None:
    few = [facts(f"harbour/gotchas/{number}.md", title=f"Gotcha {number}") for number in range(8)]
    assert "All gotchas" not in html(made(*few)["harbour/index.md"])
    told = html(made(*few, facts("harbour/gotchas/8.md"))["harbour/index.md"])
    assert '>All gotchas</a> <span class="wm-said">9 pages</span>' in told


def test_folders_that_are_no_kinds_are_spelt_as_they_are() -> None:
    page = facts("harbour/gotchas/x.md")
    note = facts("harbour/myNotes/x.md", type="Note", project="harbour", kind="")
    documents = made(page, note)
    assert documents["harbour/myNotes/index.md"].frame.title == "myNotes in harbour"
    assert "<h2>myNotes</h2>" in html(documents["harbour/index.md"])
    assert documents["harbour/gotchas/index.md"].frame.title == "Gotchas in harbour"


def test_a_project_within_a_project() -> None:
    documents = made(facts("acme/decisions/a.md"), facts("acme/web/decisions/b.md"))
    assert "<h2>Projects</h2>" in html(documents["acme/index.md"])
    assert "acme/web/" in targets(documents["acme/index.md"])


def test_pages_of_other_folders_are_listed_where_they_stand() -> None:
    documents = made(NEW, facts("harbour/guides/deep/x.md", type="Guide", project="harbour", kind=""))
    assert targets(documents["harbour/guides/index.md"]) >= {"harbour/guides/deep/"}
    assert "harbour/guides/deep/x/" in targets(documents["harbour/guides/deep/index.md"])
    assert "harbour/guides/deep/x/" in targets(documents["harbour/index.md"])


def test_a_folder_that_lost_its_last_page_keeps_its_index() -> None:
    files = {"harbour/gotchas/index.md": "# Gotchas\n\n* [x](x.md)\n"}
    index = made(NEW, files=files)["harbour/gotchas/index.md"]
    assert "No page stands here any more." in html(index)


def test_a_readme_is_the_index_of_its_folder() -> None:
    documents = made(NEW, facts("harbour/guides/README.md", project="harbour", kind=""))
    assert "harbour/guides/index.md" not in documents


def test_long_indexes_go_on_in_other_documents() -> None:
    pages = [facts(f"harbour/decisions/{number}.md", title=f"Number {number}") for number in range(130)]
    documents = made(*pages, files={"harbour/decisions/index.md": "Words.\n"})
    parts = [path for path in documents if path.startswith("harbour/decisions/index")]
    assert len(parts) == 3
    found = set().union(*(targets(documents[path]) for path in parts))
    assert {f"harbour/decisions/{number}/" for number in range(130)} <= found
    assert [bool(documents[path].body) for path in parts] == [True, False, False]
    assert documents["harbour/decisions/index/2.md"].frame.title == "Decisions in harbour, page 2"


def test_sessions_stand_newest_first() -> None:
    pages = [facts(f"a/sessions/{day}.md", title=f"Day {day}", changed_on=f"2026-11-{day}") for day in (10, 30, 20)]
    told = html(made(*pages)["a/sessions/index.md"])
    assert told.index("Day 30") < told.index("Day 20") < told.index("Day 10")


@pytest.mark.parametrize(
    ("link", "kept"),
    [
        ("[x](../decisions/gone.md)", "x"),
        ("[x](/harbour/gone.md#part)", "x"),
        ("[x](../../gone/index.md)", "x"),
        ("[x](../../other/log.md)", "x"),
        ("[x][a]\n\n[a]: gone.md", "x"),
        ("[x](../decisions/cookies.md)", ""),
        ("[x](../decisions/moved.md)", ""),
        ("[x](../decisions/index.md)", ""),
        ("[x](../index.md) [y](../../index.md)", ""),
        ("[x](../log.md)", ""),
        ("[x](../../tags.md) [y](../../types/decision.md)", ""),
        ("[x](plan.png)", ""),
        ("[x](https://e.example/gone.md)", ""),
        ("[x](../../../README.md)", ""),
        ("`[x](gone.md)`", ""),
    ],
)
@pytest.mark.parametrize("name", ["log.md", "index.md"])
def test_links_to_pages_that_went_become_text(name: str, link: str, kept: str) -> None:
    files = {f"harbour/rules/{name}": f"<!-- keep -->\n{link}\n<!-- /keep -->", "harbour/log.md": "# Log\n"}
    document = made(NEW, RULE, files=files, moved={"harbour/decisions/moved.md": NEW.path})[f"harbour/rules/{name}"]
    assert document.body.replace("<!-- keep -->", "").replace("<!-- /keep -->", "").strip() == (kept or link)
