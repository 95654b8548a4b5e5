from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.addresses import place_of, to_place
from pipeline.site.elements import join
from pipeline.site.hubs.paging import paging
from pipeline.site.hubs.rows import Row, Way, from_top, leaves, listed, render, row_of, whole_words
from pipeline.site.values import Site
from tests.site.making import facts

SITE = Site()


@pytest.mark.parametrize("directory_urls", [True, False])
@pytest.mark.parametrize(
    "here", ["index.md", "browse.md", "browse/2.md", "acme/gateway/decisions/index.md", "a:b/x.md"]
)
@pytest.mark.parametrize(
    "path", ["index.md", "acme/index.md", "acme/gateway/decisions/a b.md", "a:b/c.md", "c:d.md", "課金/é?#.md"]
)
def test_the_way_is_the_one_of_addresses(here: str, path: str, *, directory_urls: bool) -> None:
    site = Site(directory_urls=directory_urls)
    place = place_of(path, directory_urls=directory_urls)
    assert Way(here, site).to(from_top(path, site)) == to_place(here, place, site)


def test_an_entry() -> None:
    row = row_of(facts("a/decisions/x.md", title="A & B", description="We chose <b>."), SITE)
    told = render([listed(row, "decision", "", "2026-11-29", mark="wm-from-1")], Way("browse.md", SITE))
    assert told == (
        '<ul class="wm-list"><li id="wm-from-1"><a href="../a/decisions/x/" data-preview>A &amp; B</a> '
        '<span class="wm-said">We chose &lt;b&gt;.</span> <span class="wm-fact">decision · 2026-11-29</span></li></ul>'
    )


@pytest.mark.parametrize(
    ("place", "preview"), [("a/b/", True), ("a/b/#c", True), ("a/b/#%E8%AA%B2", False), ("", None)]
)
def test_a_page_may_be_previewed(place: str, *, preview: bool | None) -> None:
    told = render([Row(join(("X",)), place)], Way("index.md", SITE))
    assert told == '<ul class="wm-list"><li>' + (
        "X</li></ul>" if preview is None else f'<a href="{place}"{" data-preview" * preview}>X</a></li></ul>'
    )


@pytest.mark.parametrize(
    ("title", "description", "said"),
    [
        ("Never cut a title inside a word", "Never cut a title inside a word.", ""),
        (
            "Logs",
            "Logs are rotated each day, and kept for a month.",
            "Logs are rotated each day, and kept for a month.",
        ),
        ("Logs", "", ""),
    ],
)
def test_a_description_that_is_the_title_again_is_left_out(title: str, description: str, said: str) -> None:
    row = row_of(facts(title=title, description=description), SITE)
    assert said in row.said
    assert bool(said) == bool(row.said)


def test_a_title_from_right_to_left_stands_apart() -> None:
    assert row_of(facts(title="سجل (1)"), SITE).title == "<bdi>سجل (1)</bdi>"


def test_groups_stand_below_headings() -> None:
    rows = [Row(join((name,)), "", group=group) for name, group in (("a", "<One>"), ("b", "<One>"), ("c", "Two"))]
    assert render(rows, Way("x.md", SITE)) == (
        '<h2>&lt;One&gt;</h2><ul class="wm-list"><li>a</li><li>b</li></ul>'
        '<h2>Two</h2><ul class="wm-list"><li>c</li></ul>'
    )


@given(st.lists(st.tuples(st.text(max_size=300), st.text(max_size=40)), max_size=130), st.integers(200, 9_000))
def test_documents_stay_small_and_lose_no_entry(told: list[tuple[str, str]], room: int) -> None:
    rows = [Row(join((title,)), "a/b/", group=group) for title, group in told]
    cut = leaves(rows, room)
    assert [row for leaf in cut for row in leaf] == rows
    for leaf in cut:
        assert len(leaf) <= 60
        written = render(leaf, Way("browse/2.md", SITE)).encode("utf-8", "replace")
        assert len(leaf) <= 1 or len(written) <= room + len('<ul class="wm-list"></ul>')


def test_the_way_through_a_long_list() -> None:
    paths = ["browse.md", *(f"browse/{number}.md" for number in range(2, 10))]
    assert paging(paths[:1], 1, Way("browse.md", SITE)) == ""
    assert paging(paths, 5, Way(paths[4], SITE)) == (
        '<nav class="wm-pages" aria-label="Pages of this list"><a href="../4/" rel="prev">Previous</a> '
        '<a href="../" aria-label="Page 1">1</a> <span>…</span> <a href="../3/" aria-label="Page 3">3</a> '
        '<a href="../4/" aria-label="Page 4">4</a> <span aria-current="page">5</span> '
        '<a href="../6/" aria-label="Page 6">6</a> <a href="../7/" aria-label="Page 7">7</a> <span>…</span> '
        '<a href="../9/" aria-label="Page 9">9</a> <a href="../6/" rel="next">Next</a></nav>'
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("We decided on signed cookies, because of it.", "We decided on signed…"),
        ("We decided on them.", "We decided on them."),
        ("x" * 40, "x" * 28 + "…"),
        ("二" * 40, "二" * 28 + "…"),
        ("", ""),
    ],
)
def test_words_are_cut_between_words(words: str, told: str) -> None:
    assert whole_words(words, 29) == told
