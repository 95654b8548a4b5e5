"""Links lead to where their pages stand on the site, in each generator's way."""

from __future__ import annotations

import re

import pytest

from pipeline.reading.safe_markdown.linking import move_all, moved
from pipeline.site.document import Document
from pipeline.site.frame import Frame
from pipeline.site.values import Site
from tests.reading.generating import rendered

HERE = "p/decisions/x.md"


def link(address: str, *, zensical: bool = False, directory_urls: bool = True) -> str:
    text = Document(HERE, {}, f"[words](<{address}>)", Frame()).render().decode()
    return rendered(
        HERE,
        text,
        options={"derived": True, "repository": "https://github.com/a/b"},
        configuration={"use_directory_urls": directory_urls},
        zensical=zensical,
    )


FINAL = {
    "y.md": "../y/",
    "y.md#a-b": "../y/#a-b",
    "y.md#%E5%8D%98": "../y/#%E5%8D%98",
    "y.md?x=1#a": "../y/#a",
    "../rules/r%20s.md": "../../rules/r%20s/",
    "index.md": "../",
    "../../index.md": "../../../",
    "/q/z.md": "../../../q/z/",
    "../rules/": "../../rules/",
    "plan.png": "../plan.png",
    "sub/plan.pdf#page=2": "../sub/plan.pdf#page%3D2",
    "x.md#here": "#here",
    "#here": "#here",
    "https://e.example/y.md": "https://e.example/y.md",
    "mailto:a@e.example": "mailto:a@e.example",
    "../../../observations/a.jsonl": "https://github.com/a/b/blob/main/observations/a.jsonl",
}


@pytest.mark.parametrize("address", FINAL)
def test_links_of_derived_documents_are_final(address: str) -> None:
    assert f'href="{FINAL[address]}"' in link(address).replace("page=2", "page%3D2")


def test_without_directories_pages_are_files() -> None:
    assert 'href="y.html#a"' in link("y.md#a", directory_urls=False)
    assert 'href="../rules/index.html"' in link("../rules/index.md", directory_urls=False)


@pytest.mark.parametrize("address", ["../../../../etc/passwd", "../../../../../x.md"])
def test_what_leads_out_of_everything_becomes_text(address: str) -> None:
    assert link(address) == "<p><span>words</span></p>"


def test_images_are_found_from_the_page() -> None:
    text = Document(HERE, {}, "![plan](plan.png)", Frame()).render().decode()

    assert 'src="../plan.png"' in rendered(HERE, text, options={"derived": True})


@pytest.mark.parametrize(
    ("address", "previewed"),
    [
        ("y.md", True),
        ("y.md#part", True),
        ("../index.md", True),
        ("y.md#%E5%8D%98", False),
        ("x.md#here", False),
        ("#here", False),
        ("plan.png", False),
        ("https://e.example/y.md", False),
        ("../../../../x.md", False),
    ],
)
@pytest.mark.parametrize("derived", [False, True])
def test_links_to_pages_are_marked_for_previews(address: str, *, previewed: bool, derived: bool) -> None:
    text = Document(HERE, {}, f"[words](<{address}>)", Frame()).render().decode()
    shown = rendered(HERE, text, options={"derived": derived})

    (tag,) = re.findall(r"<(?:a|span)[^>]*>words", shown)
    assert ("data-preview" in tag) is previewed


def test_a_page_marks_none_itself() -> None:
    shown = rendered(HERE, "[x](https://evil.example/){: data-preview=1 } a[^1]\n\n## H\n\n[^1]: [y](#h)")

    assert "data-preview" not in shown


@pytest.mark.parametrize(
    ("here", "address", "written"),
    [
        ("a/c.md", "../b/", "b/"),
        ("a/c.md", "../b/#x", "b/#x"),
        ("a/c.md", "../../", "../"),
        ("a/c.md", "../", "./"),
        ("a/c.md", "./", "c/"),
        ("a/c.md", "x/y.json", "c/x/y.json"),
        ("a/c.md", "../c.md", "c.m%64"),
        ("a/index.md", "b/", "b/"),
        ("a/index.md", "../kb/x.md", "../kb/x.m%64"),
        ("index.md", "a/c/", "a/c/"),
        ("a/ü b.md", "x/", "%C3%BC%20b/x/"),
        ("a/c.md", "../javascript:run=1/", "./javascript:run=1/"),
        ("a/c.md", "../javascript:run=1.md#x", "./javascript:run=1.m%64#x"),
        ("a/c.md", "../b/javascript:run=1/", "b/javascript:run=1/"),
        ("a/c.md", "./javascript:run=1/", "c/javascript:run=1/"),
        ("javascript:c.md", "./x:y/", "javascript%3Ac/x:y/"),
        ("a/index.md", "./javascript:run=1/", "./javascript:run=1/"),
    ],
)
def test_addresses_for_a_generator_that_moves_them(here: str, address: str, written: str) -> None:
    assert moved(address, here, Site()) == written


def test_only_relative_addresses_of_trusted_html_are_written_anew() -> None:
    html = (
        '<a class="x" href="../b/">b</a><a href="#h">h</a><a href="https://e.example/">e</a><a href="/r">r</a>'
        '<a href="mailto:a@b">m</a><a href="?q">q</a><img src="../i.png"><form action="../s/"><b data-href="../c/">'
    )

    assert move_all(html, "a/c.md", Site()) == html.replace(' href="../b/"', ' href="b/"').replace("../i.png", "i.png")
    assert move_all(html, "a/c.md", Site(directory_urls=False)) == html


def test_the_same_place_is_reached_where_links_are_moved() -> None:
    assert 'href="y/#a"' in link("y.md#a", zensical=True)
    assert 'href="../rules/"' in link("../rules/", zensical=True)
    assert 'href="#here"' in link("x.md#here", zensical=True)
