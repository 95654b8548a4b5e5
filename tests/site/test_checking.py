"""Checking the built site: what leads nowhere is found, what leads somewhere is left alone, and in no long time."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.checking import REDIRECTS, check_site
from pipeline.site.looking import Looked, escaped, look_at, unescaped

URL = "https://wiki.example/acme/"
FILES = frozenset(
    {
        "index.html",
        "404.html",
        "a/one/index.html",
        "a/two/index.html",
        "assets/wikimill.css",
        "kb/index.json",
        "find/0.js",
    }
    | {"über/grün/index.html", "feed.xml", "a b/index.html", "c#%23*/index.html", "d*/0.js"}
)


def found(html: str, *, file: str = "a/one/index.html", url: str = URL) -> list[str]:
    pages = {
        file: look_at(file, html, site_url=url),
        "a/two/index.html": Looked(frozenset({"part", "grün"}), ()),
    }
    return [f"{one.severity} {one.rule} {one.message}" for one in check_site(pages, FILES | {file})]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="../two/">x</a>',
        '<a href="../two/#part">x</a>',
        '<a href="../two/#gr%C3%BCn">x</a>',
        '<a href="../two/?q=x#part">x</a>',
        '<a href="../../">x</a>',
        '<a href="./">x</a>',
        '<a href="#here">x</a><p id="here">',
        "<a href=#here>x</a><p id=here>",
        "<a href='../two/'>x</a>",
        '<a href="">x</a><a href="#">x</a>',
        '<a href="../../%C3%BCber/gr%C3%BCn/">x</a>',
        '<a href="../../a%20b/">x</a>',
        '<a href="../../c%23%2523*/#x">x</a>',
        '<div data-find="../../d*/"></div>',
        '<a href="../../feed.xml">x</a>',
        '<a href="/acme/a/two/">x</a>',
        '<a href="https://wiki.example/acme/a/two/#part">x</a>',
        '<a href="https://elsewhere.example/gone">x</a>',
        '<a href="mailto:a@b.example">x</a>',
        '<link rel="stylesheet" href="../../assets/wikimill.css">',
        '<link rel="canonical" href="https://elsewhere.example/">',
        '<div data-index="../../kb/index.json" data-find="../../find/"></div>',
        '<form action="../two/"><input name="q"></form>',
        '<p>&lt;a href="gone/"&gt; and [x](gone.md) and <code>src=&quot;gone&quot;</code></p>',
        '<script>const x = \'<a href="gone/">\'; load("https://a.example/x.js")</script>',
        '<!-- <a href="gone/"> <img src="https://a.example/x.png"> -->',
        '<svg><use href="#mark"></use><g id="mark"></g></svg>',
        '<a id="fnref:o-1" href="#fn:o-1">1</a><li id="fn:o-1"><a href="#fnref:o-1">back</a></li>',
        '<a href="#__tabbed_1">x</a>',
        "<p>[^o-3f2a9c1e55]</p>".replace("p>", "code>"),
        '<div class="wm-diff"><p>It <ins>holds.[^o-3f2a9c1e55]</ins></p></div>',
        '<svg><a xlink:href="../two/"><text>x</text></a></svg>',
        '<img src="data:image/png;base64,xx">',
    ],
)
def test_what_leads_somewhere_is_left_alone(html: str) -> None:
    assert found(html) == []


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ('<a href="../gone/">x</a>', "error site-link links to 'a/gone/', which is not on the site."),
        ('<a href="../two">x</a>', "error site-link links to 'a/two', which is not on the site."),
        ('<a href="../">x</a>', "error site-link links to 'a/', which is not on the site."),
        ("<a href=../gone/>x</a>", "error site-link links to 'a/gone/', which is not on the site."),
        ('<a class="x" href="/acme/gone/">x</a>', "error site-link links to 'gone/', which is not on the site."),
        (f'<a href="{URL}gone/">x</a>', "error site-link links to 'gone/', which is not on the site."),
        ('<img alt="" src="gone.png">', "error site-link links to 'a/one/gone.png', which is not on the site."),
        ('<script src="gone.js"></script>', "error site-link links to 'a/one/gone.js', which is not on the site."),
        ('<link rel="icon" href="gone.svg">', "error site-link links to 'a/one/gone.svg', which is not on the site."),
        ('<div data-find="../../lost/"></div>', "error site-link reads from 'lost/', which is not on the site."),
        ('<a href="#gone">x</a>', "links to 'a/one/index.html#gone', and there is no such heading"),
        (
            '<a href="../two/#gone">x</a>',
            "error site-link links to 'a/two/#gone', and there is no such heading.",
        ),
        ('<a href="#fn:o-1">1</a>', "links to 'a/one/index.html#fn:o-1', and there is no such footnote."),
        ('<svg><a xlink:href="../gone/"></a></svg>', "error site-link links to 'a/gone/', which is not on the site."),
        ('<div class="wm-diff">x</div><p>[^o-3f2a9c1e55]</p>', "error site-footnote cites 'o-3f2a9c1e55', and no"),
        ("<div><p>[^o-3f2a9c1e55]</p></div>", "error site-footnote cites 'o-3f2a9c1e55', and no footnote defines it."),
        ("<p>Text.[^o-3f2a9c1e55]</p>", "error site-footnote cites 'o-3f2a9c1e55', and no footnote defines it."),
        ('<img src="https://a.example/x.png">', "error site-external loads 'https://a.example/x.png' from elsewhere."),
        ('<script src="//a.example/x.js"></script>', "error site-external loads '//a.example/x.js' from elsewhere."),
        ('<img srcset="https://a.example/x.png 2x">', "error site-external loads 'https://a.example/x.png' from"),
        (
            '<link href="https://a.example/x.css" rel="stylesheet">',
            "error site-external loads 'https://a.example/x.css'",
        ),
        ("<p style=\"background: url('https://a.example/x')\">", "error site-external loads 'https://a.example/x'"),
        ('<style>@import "https://a.example/x";</style>', "error site-external loads 'https://a.example/x' from"),
        (
            '<meta http-equiv="refresh" content="0; url=../gone/">',
            "error site-link links to 'a/gone/', which is not on",
        ),
        (f"<p>{'x' * 60_000}</p>", "note site-size has 60,007 bytes of HTML, more than 49,152."),
    ],
)
def test_what_leads_nowhere_is_found_once(html: str, says: str) -> None:
    told = found(html)
    assert len(told) == 1
    assert says in told[0]


@pytest.mark.parametrize("folder", ["print", "print-1"])
def test_a_page_for_printing_may_be_large(folder: str) -> None:
    assert look_at(f"{folder}/rule/index.html", "x" * 60_000).findings == ()


def test_findings_name_the_documents_and_what_generated_pages_name_ends_no_build() -> None:
    html = '<a href="../gone/">x</a><a href="../two/#gone">x</a>'
    pages = {f"a/{name}/index.html": look_at(f"a/{name}/index.html", html) for name in ("one", "log")}
    pages["a/two/index.html"] = Looked(frozenset(), ())
    names = {f"a/{name}/index.html": f"a/{name}.md" for name in ("one", "two", "log")}
    told = [(one.where, one.severity, one.message) for one in check_site(pages, set(pages), names=names)]
    gone, part = (
        "links to 'a/gone.md', which is not on the site.",
        "links to 'a/two.md#gone', and there is no such heading.",
    )
    assert sorted(told) == [
        ("a/log.md", "warning", gone),
        ("a/log.md", "warning", part),
        ("a/one.md", "error", gone),
        ("a/one.md", "error", part),
    ]


def test_the_404_page_links_from_the_top_wherever_the_site_is_served() -> None:
    html = '<link rel="stylesheet" href="/acme/assets/wikimill.css"><a href="/acme/">x</a>'
    assert found(html, file="404.html") == []
    assert found(html.replace("/acme/", "/"), file="404.html", url="") == []


def test_without_directory_addresses_links_name_files() -> None:
    pages = {
        "a/b.html": look_at("a/b.html", '<a href="../index.html">x</a><a href="c.html#p">y</a><a href="d.html">z</a>')
    }
    told = check_site(pages, {"a/b.html", "a/c.html", "index.html"})
    assert [one.message for one in told] == ["links to 'a/d.html', which is not on the site."]


def test_a_redirect_leads_from_a_page_to_a_page() -> None:
    raw = json.dumps({"schema": "1", "redirects": {"old/": "a/one/#x", "lost/": "a/two/", "was/": "gone/"}}).encode()
    told = check_site({}, {*FILES, "old/index.html", "was/index.html"}, redirects=raw)
    assert [(one.where, one.message) for one in told] == [
        (REDIRECTS, "leads from 'lost/' to 'a/two/', and 'lost/' is not there."),
        (REDIRECTS, "leads from 'was/' to 'gone/', and 'gone/' is not there."),
    ]
    odd = json.dumps({"redirects": {"c#%23*/": "a%20b/#x", "a b/": "c%23%2523*/"}}).encode()
    assert check_site({}, FILES, redirects=odd) == ()
    assert [one.rule for one in check_site({}, FILES, redirects=b"[]")] == ["site-redirect"]


def test_what_it_tells_holds_no_control_characters_and_no_end() -> None:
    told = found(f'<a href="../two\x1b[31m\u202e/{"x" * 500}">x</a>')
    assert "\x1b" not in told[0]
    assert "\u202e" not in told[0]
    assert len(told[0]) < 300


def test_a_page_of_usual_size_takes_some_parts_of_a_millisecond() -> None:
    html = "".join(
        f'<li class="md-nav__item"><a id="i{number}" href="../../p{number}/#x" title="Page">Page {number}</a></li>\n'
        "<p>" + "Some text about it. " * 10 + "</p>"
        for number in range(60)
    )
    began = time.process_time()
    for number in range(200):
        look_at(f"a/{number}/index.html", html)
    assert (time.process_time() - began) / 200 < 0.002


@pytest.mark.parametrize(
    "part",
    [
        "<a href=",
        "<a href='",
        '<a href="',
        "<!--",
        "<script",
        "<script>",
        "<",
        ">",
        "[^o-",
        "<code>",
        "url(",
        "@import ",
        "&#",
    ],
)
def test_hostile_text_takes_time_that_grows_with_its_length(part: str) -> None:
    began = time.process_time()
    look_at("x/index.html", part * (400_000 // len(part)))
    assert time.process_time() - began < 5


@given(st.text(alphabet="<>\"'=/ahref#.&;!-srcipt", max_size=200))
def test_any_text_can_be_looked_at(html: str) -> None:
    looked = look_at("a/index.html", html)
    assert list(looked.links) == sorted(set(looked.links))
    check_site({"a/index.html": looked}, {"a/index.html"})


@given(st.text(max_size=12))
def test_a_path_is_written_without_marks_and_read_back(path: str) -> None:
    assert unescaped(escaped(path)) == path
    assert not {"#", "*"} & set(escaped(path))


@pytest.mark.parametrize(
    "words",
    [
        " src=https://cdn.example/x.js",
        " href=gone/ and id=there",
        " action=gone",
        "background: url(https://cdn.example/a.png)",
        "@import 'https://cdn.example/a.css'",
        "3; url=../gone/",
        " http-equiv=refresh",
    ],
)
def test_words_of_a_page_are_no_attribute_and_no_style(words: str) -> None:
    """An observation may speak of markup; a description stands in an attribute, and a passage in the text."""
    page = f'<meta name="description" content="{words}"><p title=\'{words}\'>{words}</p><code>{words}</code>'
    assert found(page) == []
    assert look_at("a/one/index.html", page).ids == frozenset()


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("<style>body { background: url(https://cdn.example/a.png) }</style>", "https://cdn.example/a.png"),
        ("<style media=print>@import '//cdn.example/a.css';</style>", "//cdn.example/a.css"),
        ('<p class="x" style="background: url(\'https://cdn.example/b.png\')">x</p>', "https://cdn.example/b.png"),
        ('<p title="words" src="https://cdn.example/x.js">x</p>', "https://cdn.example/x.js"),
    ],
)
def test_what_loads_from_elsewhere_is_found_where_it_is_read_as_that(html: str, told: str) -> None:
    assert [told in one for one in found(html)] == [True]


def test_many_attributes_take_a_moment() -> None:
    html = "<p " + 'title="a" ' * 100_000 + ">" + "<meta " + '"" ' * 100_000 + 'content="0; url=x">'
    began = time.process_time()
    look_at("a/one/index.html", html)
    assert time.process_time() - began < 5
