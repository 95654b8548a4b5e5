"""What the Markdown extension leaves of a page: nothing that runs, and everything else."""

from __future__ import annotations

from html.parser import HTMLParser

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.reading.safe_markdown.markup import clean, is_remote
from tests.reading.generating import rendered
from tests.reading.payloads import BODIES

OTHERS = [
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "sane_lists",
    "tables",
    "toc",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.magiclink",
    "pymdownx.superfences",
    "pymdownx.tabbed",
    "pymdownx.tasklist",
    "pymdownx.tilde",
]
SAFE = "pipeline.reading.safe_markdown"
SETTINGS = {
    "tables": {"use_align_attribute": True},
    "toc": {"permalink": True},
    "pymdownx.tabbed": {"alternate_style": True},
}

LAST = [*OTHERS, SAFE]
ORDERS = [LAST, [SAFE, *OTHERS], [SAFE, "md_in_html", *OTHERS], [*OTHERS, SAFE, "md_in_html"]]


def converted(text: str, extensions: list[str] = LAST) -> tuple[str, list[dict[str, object]]]:
    md = markdown.Markdown(extensions=extensions, extension_configs=SETTINGS)
    return md.convert(text), list(getattr(md, "toc_tokens", []))


def html(text: str) -> str:
    return converted(text)[0]


class Elements(HTMLParser):
    """Every element of a text with its attributes, as a browser would read them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


HARMLESS = """
    a abbr b blockquote br code col colgroup dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd label
    li mark ol p path pre q s samp small span strong sub summary sup svg table tbody td tfoot th thead tr u ul var
"""
HARMLESS_TAGS = set(HARMLESS.split())


def check_harmless(text: str) -> None:
    for tag, attributes in Elements(text).found:
        assert tag in HARMLESS_TAGS, tag
        for name, value in attributes.items():
            assert not name.startswith(("on", "data-md", "formaction", "srcdoc")), (tag, name)
            if name == "href":
                scheme = value.split(":")[0].lower() if ":" in value.split("/")[0] else ""
                assert value.startswith("#") or scheme in {"", "http", "https", "mailto"}, value
            if name == "src":
                assert ":" not in value.split("/")[0], value
                assert not value.startswith("//"), value
            assert name != "style", value
            if name == "align":
                assert value in {"left", "right", "center"}, value
            if name == "id":
                assert not value.startswith("wm-"), value
                assert not value.startswith("__") or value.startswith(("__tabbed_", "__codelineno-", "__span-")), value
            if name == "class":
                words = value.split()
                assert not any(word.startswith(("md-", "wm-")) or word in {"js", "mermaid"} for word in words), value


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("order", ORDERS, ids=["last", "first", "before md_in_html, first", "before md_in_html"])
def test_a_payload_becomes_harmless(name: str, order: list[str]) -> None:
    text, contents = converted(BODIES[name], order)

    check_harmless(text)
    for entry in contents:
        assert "<" not in str(entry["name"])
        assert not set("\"'<> ") & set(str(entry["id"]))


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_extensions_makes_no_difference(order: list[str]) -> None:
    whole = "\n\n".join(BODIES.values())

    assert converted(whole, order) == converted(whole)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*BODIES.values(), "\n", "    ", "> ", "- ", "`", "```\n", "x", "<", '"', "{:", "\\"])))
def test_mixed_payloads_are_harmless(parts: list[str]) -> None:
    check_harmless(html("".join(parts)))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab <>&\"'`*_[](){}:#!|~=-+\\/.\n\t^1é日\x00\x02\x03", max_size=60))
def test_no_text_stops_it(text: str) -> None:
    check_harmless(html(text))


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("<b>bold</b> a < b && c > d", "<p>&lt;b&gt;bold&lt;/b&gt; a &lt; b &amp;&amp; c &gt; d</p>"),
        ("use `<div>` here", "<p>use <code>&lt;div&gt;</code> here</p>"),
        ("[page](../a/b.md#c)", '<p><a href="../a/b.md#c">page</a></p>'),
        ("[mail](mailto:a@b.example)", '<p><a href="mailto:a@b.example">mail</a></p>'),
        ("![plan](plan.png)", '<p><img alt="plan" src="plan.png"></p>'),
        ("~~old~~ **new**", "<p><del>old</del> <strong>new</strong></p>"),
        ("## Über uns {#us}", "## Über uns"),
        ("| a |\n|:-:|\n| b |", '<td align="center">b</td>'),
        ("!!! warning\n    text", '<div class="admonition warning">'),
        ("- [x] done", '<li class="task-list-item"><input type="checkbox" disabled="" checked=""> done</li>'),
        ("```python\nx = 1\n```", '<span class="n">x</span>'),
        ("term\n:   meaning", "<dd>meaning</dd>"),
        ("claim[^o-1]\n\n[^o-1]: source", '<li id="fn:o-1">'),
        ("claim[^o-1]\n\n[^o-1]: source", '<a class="footnote-ref" href="#fn:o-1">1</a>'),
        ('=== "A"\n    a', '<input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio">'),
    ],
)
def test_what_is_harmless_stays(given_text: str, kept: str) -> None:
    result = html(given_text)
    if kept.startswith("## "):
        assert '<h2 id="us">Über uns' in result
    else:
        assert kept in result


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("![pixel](https://t.example/p.png)", '<p><a href="https://t.example/p.png">pixel</a></p>'),
        ("![](//t.example/p.png)", '<p><a href="//t.example/p.png">//t.example/p.png</a></p>'),
        (
            "[![in](https://t.example/p.png)](https://ok.example/)",
            '<p><a href="https://ok.example/"><span>in</span></a></p>',
        ),
        ("a ![x](https://t.example/) b", '<p>a <a href="https://t.example/">x</a> b</p>'),
    ],
)
def test_images_from_elsewhere_become_links(given_text: str, shown: str) -> None:
    assert html(given_text) == shown


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("<!-- keep -->\nMine.\n<!-- /keep -->", "<p>Mine.</p>"),
        ("a <!-- b --> c", "<p>a  c</p>"),
        ("a\n\n<!-- b\n\nc -->\n\nd", "<p>a</p>\n<p>d</p>"),
        ("`<!-- kept -->`", "<p><code>&lt;!-- kept --&gt;</code></p>"),
        ("no <!-- end", "<p>no &lt;!-- end</p>"),
    ],
)
def test_comments_are_not_shown(given_text: str, shown: str) -> None:
    assert html(given_text) == shown


def test_comments_in_code_blocks_stay() -> None:
    assert "&lt;!-- kept --&gt;" in html("```html\n<!-- kept -->\n```")


def test_a_definition_without_a_reference_points_nowhere() -> None:
    assert "fnref" not in html("text\n\n[^o-1]: source")
    assert "fnref" in html("text[^o-1]\n\n[^o-1]: source")


def test_a_reference_to_a_place_that_may_not_be_named_is_text() -> None:
    assert html('claim[^a"b]\n\n[^a"b]: source').count("<a") == 0


def test_addresses_that_the_generator_cannot_read_lead_nowhere() -> None:
    assert 'href="#"' in html("[x](http://[bad)")
    assert 'href="http://[::1]/"' not in html("[x](http://[::1]/)")
    assert 'href="https://例え.テスト/"' in html("[x](https://例え.テスト/)").replace("%E4", "%E4")


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.invalid/x.png",
        "&#1;https://evil.invalid/x.png",
        "\x01https://evil.invalid/x.png",
        "/&#9;/evil.invalid/x.png",
        "/&NewLine;/evil.invalid/x.png",
        "h&#9;ttps://evil.invalid/x.png",
        "\t//evil.invalid/x.png",
        "/\\evil.invalid/x.png",
        "&#47;&#47;evil.invalid/x.png",
    ],
)
def test_an_address_is_read_as_browsers_read_it(address: str) -> None:
    assert is_remote(address)
    assert not [
        attributes for tag, attributes in Elements(clean(f'<img src="{address}">')).found if attributes.get("src")
    ]


@pytest.mark.parametrize("address", ["a/x.png", "../x.png", "#x", "/x.png"])
def test_an_address_of_the_site_is_none_of_another(address: str) -> None:
    assert not is_remote(address)


def test_a_block_of_code_takes_no_place_of_a_footnote() -> None:
    text = rendered("a/concepts/c.md", "A claim.[^o-1]\n\n```{.python #fn:o-1}\nforged\n```\n\n[^o-1]: told\n", {})
    assert [tag for tag, attributes in Elements(text).found if attributes.get("id") == "fn:o-1"] == ["li"]


def test_what_an_attribute_holds_looks_like_no_tag() -> None:
    text = clean("<p title=\"</h1><img src=x onerror='window.ran=1'>\">x</p>")
    assert "</h1>" not in text
    assert "<img" not in text


@pytest.mark.parametrize("body", ["Human-reviewed by everybody.\n\n# &nbsp;\n\nText.", "> quoted\n\n# Title\n"])
def test_no_text_of_a_page_stands_above_its_header(body: str) -> None:
    text = rendered("a/concepts/c.md", body, {"title": "Own", "type": "Concept"})
    assert text.index("wm-origin") < min(text.index(word) for word in ("Human-reviewed by", "quoted") if word in text)
