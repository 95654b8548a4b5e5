from __future__ import annotations

import re
from html.parser import HTMLParser

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.wiki.markdown.quoting import neutralise, plain, quote_inline

EXTENSIONS = [
    "footnotes",
    "attr_list",
    "admonition",
    "tables",
    "def_list",
    "toc",
    "pymdownx.superfences",
    "pymdownx.details",
    "pymdownx.tasklist",
    "pymdownx.tabbed",
    "pymdownx.highlight",
    "pymdownx.magiclink",
    "pymdownx.tilde",
    "pymdownx.emoji",
    "sane_lists",
]
CONFIGS = {"pymdownx.tilde": {"subscript": False}}
ALLOWED = {"li", "ul", "p", "code", "em", "strong", "sup", "a"}

PIECES = st.sampled_from(
    [
        *"*_`~[](){}<>#|!\\&;:.-+=$\"'/?^@% \n\t",
        *["word", "snake_case", "a*b", "é", "重要", "「", "🎉", "\u202e", "\x02", "\x00", "\ud800"],
        *["**bold**", "*em*", "`code`", "``a ` b``", "`<b>`", "`|`", "__init__", "\\*", "\\\\", "\\["],
        *[
            "<script>alert(1)</script>",
            "<!--",
            "-->",
            "<!-- keep -->",
            "<?php",
            "<![CDATA[",
            "</div>",
            "<div>",
            "<br/>",
        ],
        *["&lt;", "&amp;", "&amp;lt;", "&#42;", "&#x3c;", "&nbsp;", "&#0;", "&copy", "&nope;"],
        *[
            "[^o1]",
            "[^1]: note",
            "[a](b)",
            "[a](http://x.y/z_w)",
            "[`c`](d.py)",
            "![i](http://x/y.png)",
            "[![i](j)](k)",
        ],
        *[
            "[a](javascript:alert(1))",
            "<https://e.org/a_b>",
            "<dana@e.org>",
            "javascript:alert(1)",
            "https://e.org/_x_",
        ],
        *[
            "{: .x onclick=1}",
            "{ .cls }",
            "{#id}",
            "{{ x }}",
            "{% y %}",
            '--8<-- "f"',
            "!!! note",
            "??? q",
            ":::",
            "///",
        ],
        *["# ", "> ", "- ", "+ ", "1. ", "2) ", "- [x] ", "*[abbr]: x", "[ref]: x", "~~~", "```", "===", "---", "$x$"],
        *[":smile:", "14:03:22", "| a | b |", "C:\\dir\\x", ": def"],
    ]
)
NASTY = st.lists(PIECES, max_size=9).map("".join) | st.text(max_size=30)


class Rendered(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name) for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def by_python_markdown(text: str) -> Rendered:
    html = markdown.markdown(f"{text}\n\n[^o-1]: note\n", extensions=EXTENSIONS, extension_configs=CONFIGS)
    return Rendered(html.split('<div class="footnote">')[0])


def by_commonmark(text: str) -> Rendered:
    return Rendered(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def squeezed(text: str) -> str:
    return re.sub(r"[\s*_`\u2060]", "", text)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("We use **signed** cookies, *not* `JWT`.", "We use **signed** cookies, *not* `JWT`."),
        ("snake_case and a*b and 2*3*4", r"snake_case and a\*b and 2\*3\*4"),
        ("__init__.py is __very__ short", r"\_\_init\_\_.py is \_\_very\_\_ short"),
        ("これは**重要**です", "これは**重要**です"),
        ("***both*** and *a **b** c*", "**both** and *a b c*"),
        ("`a` `` b`c `` ` `", r"`a` ``b`c`` \` \`"),
        ("two\nlines\t here", "two lines here"),
        ("Vec<String> &lt;b&gt; &amp;lt; AT&T R&D", "Vec&lt;String> &lt;b> &amp;lt; AT&T R&D"),
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("a <!-- keep --> b", "a &lt;!-- keep --> b"),
        ("see [the guide](docs/guide.md)", "see the guide"),
        ("see [the guide](https://e.org/g_1 'T')", "see the guide (`https://e.org/g_1`)"),
        ("see [https://e.org](https://e.org)", "see https://e.org"),
        ("[x](javascript:alert(1)) <https://e.org/a>", "x `https://e.org/a`"),
        ("at https://e.org/a_b?c=1&d=2#e.", "at https://e.org/a_b?c=1&d=2#e."),
        ("`a`[`b`](c)", "`ab`"),
        ("see https://e.org/~dana and https://e.org/_x_/.", "see `https://e.org/~dana` and `https://e.org/_x_/`."),
        ("AT&#T &#14:03", "AT&amp;#T &amp;#14:03"),
        ("![a cat](https://e.org/c.png)", "a cat"),
        ("[![build](b.svg)](https://ci.e.org)", "build (`https://ci.e.org`)"),
        ("claim[^1] and [ref]: x", r"claim\[^1\] and \[ref\]: x"),
        ("`x`{: onclick=alert(1)} { .a }", r"`x`\{: onclick=alert(1)\} \{ .a \}"),
        ("a | b", "a &#124; b"),
        ("~5 files in ~/x, ~~gone~~", "~5 files in ~/x, &#126;&#126;gone&#126;&#126;"),
        ("$HOME", "$HOME"),
        ("$a$", "&#36;a&#36;"),
        ("C:\\Users\\me", "C:\\Users\\me"),
        ("ends with \\", "ends with \\\\"),
        ("wow!", r"wow\!"),
        ("C#", r"C\#"),
        ("# not a heading", r"\# not a heading"),
        ("> quote", r"\> quote"),
        ("- item", r"\- item"),
        ("--flag and -v", "--flag and -v"),
        ("1. first", r"1\. first"),
        ("1.5 times", "1.5 times"),
        ("!!! note", r"\!!! note"),
        ("::: box", "&#58;:: box"),
        ("*[HTML]: x", r"\*\[HTML\]: x"),
        ('--8<-- "mkdocs.yml"', '--8&lt;-- "mkdocs.yml"'),
        ("{{ secret }} {% raw %}", r"\{\{ secret \}\} \{% raw %\}"),
        (":smile: at 14:03:22", "&#58;smile: at 14:03:22"),
        ("abc\u202edef\x00\ufeff", "abcdef"),
        ("", ""),
        ("\u200f \n", ""),
    ],
)
def test_a_quotation_reads_the_same(text: str, quoted: str) -> None:
    assert quote_inline(text) == quoted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We use **signed** `cookies`.", "We use signed cookies."),
        ("snake\\_case  &amp;\n more", "snakecase & more"),
        ("[the guide](docs/g.md) ![cat](c.png)", "the guide cat"),
        ("claim \\[^1\\]", "claim [^1]"),
        ("", ""),
    ],
)
def test_plain_leaves_words(text: str, words: str) -> None:
    assert plain(text) == words


@settings(max_examples=300, deadline=None)
@given(NASTY)
def test_quoting_changes_no_word(text: str) -> None:
    quoted = quote_inline(text)
    assert plain(quoted) == plain(text)
    assert "\n" not in quoted
    assert quoted == quoted.strip()
    assert (quoted == "") == (not quoted.strip())


@settings(max_examples=150, deadline=None)
@given(NASTY)
def test_a_quotation_renders_as_text(text: str) -> None:
    quoted = quote_inline(text)
    for page in (f"- {quoted}[^o-1]", f"before\n\n{quoted}[^o-1]\n\nafter", f"- {quoted}[^o-1]\n- next"):
        for rendered in (by_python_markdown(page), by_commonmark(page)):
            assert set(rendered.tags) <= ALLOWED, (quoted, rendered.tags)
            assert {tag for tag, _ in rendered.attributes} <= {"a", "sup"}
            assert squeezed(plain(text)) in squeezed(rendered.text), (quoted, rendered.text)


@settings(max_examples=80, deadline=None)
@given(NASTY)
def test_a_quotation_may_be_a_heading(text: str) -> None:
    quoted = quote_inline(text)
    for rendered in (by_python_markdown(f"# {quoted}\n\ntext"), by_commonmark(f"# {quoted}\n\ntext")):
        assert set(rendered.tags) <= (ALLOWED | {"h1"})
        assert squeezed(plain(text)) in squeezed(rendered.text)


BLOCKS = st.sampled_from(
    [
        *[
            "\n",
            "\n\n",
            "\n    ",
            "\n  ",
            "\n\n    ",
            "\n- ",
            "\n> ",
            "\n1. ",
            "\n```\n",
            "\n~~~\n",
            "\n    \n",
            "\r\n",
            "\n\t",
        ],
        *[
            "# h",
            "\n# h ",
            "\n===\n",
            "\n---\n",
            "!!! note\n\n    ",
            "??? q\n    ",
            "\n:   ",
            "[^1]: ",
            "\n| a | b |\n|---|---|\n| ",
        ],
        *["`", "``", "```", "\\", "*", "**x**", "_", "word", " ", "!", "[", "]", "(", ")", "|", "&lt;", "é"],
        *[
            "<evil onclick=alert(1)>",
            "<evil",
            "</evil>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<?",
            "?>",
            "<![CDATA[",
            "]]>",
        ],
        *["<!DOCTYPE x>", "<div>", "<pre>", "<style>", "<textarea>", "`<evil>`", "<javascript://x>", "<javascript:x>"],
        *[
            "[a](javascript:alert(1))",
            "[a]( JaVa&#115;cript:x)",
            "[a](<javascript:x>)",
            "[a](java\nscript:x)",
            "[a](&#1;javascript:x)",
        ],
        *[
            "[a](java\\script:x)",
            "[a](data:text/html,x)",
            "[b]: javascript:x\n",
            "[b]:\n javascript:x\n",
            "[b]",
            "[a][b]",
            "![a][b]",
        ],
        *[
            "![i](https://e.org/x.png)",
            "!![i](//e.org/x.png)",
            "![i](local.png)",
            "[![i](https://e.org/i)](x)",
            "[c]: https://e.org/x\n",
        ],
        *[
            "![c]",
            "![a][c]",
            "![a] [c]",
            "![i](data:image/png,x)",
            "{: onclick=alert(1) }",
            "{ .x onclick=y }",
            "{onclick}",
            "{#id}",
        ],
        *['--8<-- "f"', "a@b.c", "<a@b.c>", "<https://e.org>"],
    ]
)
RUNS = re.compile(r"(?:javascript|vbscript|data):", re.IGNORECASE)


def is_harmless(html: str) -> bool:
    rendered = RenderedWithValues(html)
    return not rendered.harm


class RenderedWithValues(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.harm: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"evil", "script", "style", "textarea"}:
            self.harm.append(tag)
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", value or "")
            if name.startswith("on") or RUNS.match(address) or (tag == "img" and re.match(r"\w+:|//", address)):
                self.harm.append(f"{tag} {name}={value}")


@settings(max_examples=150, deadline=None)
@given(st.lists(BLOCKS, max_size=12).map("".join))
def test_nothing_in_a_neutralised_body_runs_or_loads(body: str) -> None:
    safe, findings = neutralise(body)
    assert neutralise(safe) == (safe, ())
    assert (safe == body) == (not findings)
    assert is_harmless(MarkdownIt("commonmark").enable("table").render(safe)), safe
    if not re.search("```|~~~", body):  # the readers of fences agree on the usual ones alone
        assert is_harmless(markdown.markdown(safe, extensions=EXTENSIONS, extension_configs=CONFIGS)), safe


@pytest.mark.parametrize(
    ("body", "safe", "rules"),
    [
        ("<b>x</b> and List<String>", "&lt;b>x&lt;/b> and List&lt;String>", ["raw-html"]),
        ("a <!-- note --> b\r\n", "a &lt;!-- note --> b\r\n", ["raw-html"]),
        ("<script>\nalert(1)\n</script>\n", "&lt;script>\nalert(1)\n&lt;/script>\n", ["raw-html"]),
        (r"\<img onerror=x>", "&lt;img onerror=x>", ["raw-html"]),
        ("[a](javascript:alert(1)) b", "a b", ["script-link"]),
        (" \n\t[a](javascript:alert(1))", " \n\ta", ["script-link"]),
        ("[`a`](&#x6A;ava\tscript:x) b", "`a` b", ["script-link"]),
        ("![a](data:image/svg+xml,x)", "a", ["script-link"]),
        ("[a][x]\n\n[x]: JavaScript:alert(1)\n", "[a][x]\n\n\\[x]: JavaScript:alert(1)\n", ["script-link"]),
        ("<javascript:alert(1)>", "&lt;javascript:alert(1)>", ["raw-html"]),
        ("![a](https://e.org/x.png)", "[a](https://e.org/x.png)", ["remote-image"]),
        ("![a](//e.org/x.png)", "[a](//e.org/x.png)", ["remote-image"]),
        ("![a][x]\n\n[x]: https://e.org/x.png", "[a][x]\n\n[x]: https://e.org/x.png", ["remote-image"]),
        ("# Title {#id .x onclick=y}\n", "# Title \\{#id .x onclick=y}\n", ["attribute-list"]),
        ("a@b.c{onclick}, HTTPS://e.org/{x}\n", "a@b.c\\{onclick}, HTTPS://e.org/\\{x}\n", ["attribute-list"]),
        ("`x`{onclick}\n{: .a}\n", "`x`\\{onclick}\n\\{: .a}\n", ["attribute-list"]),
        ('--8<-- "mkdocs.yml"', '--8&lt;-- "mkdocs.yml"', ["snippet-include"]),
        ("!!! note\n\n    <b>x</b>\n", "!!! note\n\n    &lt;b>x&lt;/b>\n", ["raw-html"]),
    ],
)
def test_what_runs_or_loads_becomes_text(body: str, safe: str, rules: list[str]) -> None:
    neutralised, findings = neutralise(body)
    assert neutralised == safe
    assert [finding.rule for finding in findings] == rules


def test_a_finding_says_where_and_how_often() -> None:
    _, (finding,) = neutralise("fine\n\n<b>x</b>\n<img src=x>\n")
    assert finding.where == "line 3"
    assert finding.message == "HTML became text (3 in all: b, img)."


@pytest.mark.parametrize(
    "body",
    [
        "Text with `<b>code</b>` and a[^o-1] footnote.\r\n\r\n[^o-1]: note\r\n",
        "```html\n<script>alert(1)</script>\n[a](javascript:x) --8<-- {: .x}\n```\n",
        "para\n\n    <b>indented</b>\n\nmore",
        "[a](docs/a.md) <https://e.org/x> <dana@e.org> ![local](img/x.png) [b](<my file.md>)\n",
        "a < b, x <3, {name} in prose, {{ braces }} and :smile:\n",
        "- [x] done\n- [ ] [ref]: text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "| `{x}` | b |\n",
        "",
    ],
)
def test_a_clean_body_comes_back_byte_for_byte(body: str) -> None:
    assert neutralise(body) == (body, ())
