"""Paths between the files of a wiki, and links as Markdown has them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.wiki.markdown.links import Target, decode, encode, join, links, relative, resolve

SEGMENT = st.text(st.characters(exclude_characters="/\x00", exclude_categories=["Cs"]), min_size=1).filter(
    lambda one: one not in {".", ".."}
)
PATH = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("page", "target", "path"),
    [
        ("acme/index.md", "acme/log.md", "log.md"),
        ("acme/decisions/a.md", "acme/decisions/b.md", "b.md"),
        ("acme/decisions/a.md", "acme/concepts/b.md", "../concepts/b.md"),
        ("index.md", "acme/index.md", "acme/index.md"),
        ("a/b/c.md", "index.md", "../../index.md"),
        ("a/b.md", "a", "../a"),
        ("a/b.md", "a/note: c.md", "./note: c.md"),
    ],
)
def test_a_relative_path_leads_there_and_back(page: str, target: str, path: str) -> None:
    assert relative(page, target) == path
    assert join(page, path) == target


@settings(deadline=None)
@given(PATH, PATH)
def test_a_relative_address_always_leads_back(page: str, target: str) -> None:
    assert resolve(page, encode(relative(page, target))) == Target(target)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_address_is_read_back(path: str) -> None:
    assert decode(encode(path)) == path


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("x.md", Target("acme/rules/x.md")),
        ("x.md?a=b#c", Target("acme/rules/x.md", "c")),
        ("#c%20d", Target("acme/rules/p.md", "c d")),
        ("../../../etc", Target("../etc", outside=True)),
        ("/acme/x.md", Target("acme/x.md")),
        ("%C3%BC.md", Target("acme/rules/ü.md")),
        ("https://example.org/x.md", None),
        ("mailto:a@example.org", None),
        ("//example.org/x", None),
    ],
)
def test_addresses_are_resolved(address: str, target: Target | None) -> None:
    assert resolve("acme/rules/p.md", address) == target


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("[a](b.md)", ["b.md"]),
        ("![a](b.png) and [c [d] e](<f g.md> 'title')", ["b.png", "f g.md"]),
        ("[a](b_(c).md)", ["b_(c).md"]),
        ("[a](b\\_c.md)", ["b_c.md"]),
        ("\\[a](b.md) [a] (b.md)", []),
        ("[a]: b.md\n[^n]: c.md", ["b.md"]),
        ("[a\\]](b.md)", ["b.md"]),
    ],
)
def test_links_are_found(prose: str, found: list[str]) -> None:
    assert [link.address for link in links(prose)] == found


def test_a_hostile_text_takes_no_time() -> None:
    assert list(links("[" * 20_000 + "](" * 20_000)) == []
