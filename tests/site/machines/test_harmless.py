"""What some reader of Markdown would run is made harmless in published files; all else stays byte for byte."""

from __future__ import annotations

from html.parser import HTMLParser
from time import perf_counter

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.site.machines.harmless import harmless, may_run, without_markup
from pipeline.wiki.markdown.positions import read_source
from tests.reading.payloads import BODIES

PLAIN = [
    "",
    "# Title\n\nText with `code <script>` in it.\n",
    "```html\n<script>alert(1)</script>\n```\n",
    "    <!-- keep -->\n",
    "<!-- keep -->\nmine\n<!-- /keep -->\n",
    "<!-- a=b -->\n",
    'H<sub>2</sub>O<br/>and <kbd class="k">Ctrl</kbd>\n',
    "<details open><summary>More</summary>\n\nText.\n</details>\n",
    '<a href="https://example.org/?a=1&amp;b=2" title="x">y</a> <a id="here"></a>\n',
    '<img src="a.png" alt="A" width="10">\n',
    "A `List<String>` and a Map<String, Integer>, and a < b = c > d\n",
    "a <- b, c => d, 1 <= 2, x<y, if (a<b && c>d)\n",
    "<https://example.org/a?b=c> <dana@example.org> <mailto:dana@example.org>\n",
    "[a](<path with spaces.md>) [b](data.md) [c](javascript.md) [d](./data:x.md)\n",
    "[metadata: x](a.md) data: yes, javascript: no\n",
    "Said.[^o-1]\n\n[^o-1]: data: what the log told\n",
    "## Heading {#here}\n\n{: .wide }\n\n`{a=1}` {a} {x: 1} {name=on}\n",
    "\ufeffText\r\nwith\rall line ends\n",
]

CHANGED = [
    ("<script>x</script>", "&lt;script>x&lt;/script>"),
    ("a \\<script>", "a &lt;script>"),
    ("<IMG SRC=x ONERROR=y>", "&lt;IMG SRC=x ONERROR=y>"),
    ('<img src="a.png" onerror="y">', '&lt;img src="a.png" onerror="y">'),
    ('<a href="javascript:x">y</a>', '&lt;a href="javascript:x">y</a>'),
    ('<a href="&#106;avascript:x">y</a>', '&lt;a href="&#106;avascript:x">y</a>'),
    ("<x\nonclick=y>", "&lt;x\nonclick=y>"),
    ("> <x\n> onclick=y>", "> &lt;x\n> onclick=y>"),
    ("<x a < onclick=y>", "&lt;x a < onclick=y>"),
    ('<x a"<b onclick=y>', '&lt;x a"&lt;b onclick=y>'),
    ("<!--><script>x</script>-->", "<!-->&lt;script>x&lt;/script>-->"),
    ("<javascript:x=1>", "&lt;javascript:x=1>"),
    ("<javascript:x> <DATA:x>", "&lt;javascript:x> &lt;DATA:x>"),
    ("[a](javascript:x)", "[a]\\(javascript:x)"),
    ("[a]( \tJava\nScript:x)", "[a]\\( \tJava\nScript:x)"),
    ("[a](&#x6A;avascript&colon;x)", "[a]\\(&#x6A;avascript&colon;x)"),
    ("[a](java\\\nscript:x)", "[a]\\(java\\\nscript:x)"),
    ("[a](<javascript:x>)", "[a]\\(&lt;javascript:x>)"),
    ("[a]: javascript:x", "[a]\\: javascript:x"),
    ("> [a]:\n> javascript:x", "> [a]\\:\n> javascript:x"),
    ("![a](data:image/svg+xml,x)", "![a]\\(data:image/svg+xml,x)"),
    ("[^a]: javascript:x", "[^a]\\: javascript:x"),
    ('*a*{: onclick="x" }', '*a*\\{: onclick="x" }'),
    ("# A {style=x}", "# A \\{style=x}"),
    ("*a*{: b=\"} c {: d='\"onclick=x' } {e}", "*a*\\{: b=\"} c \\{: d='\"onclick=x' } {e}"),
    ("    <script>", "    &lt;script>"),
    ("```\n<script>x", "```\n&lt;script>x"),
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_runs_nothing_stays(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(("text", "changed"), CHANGED)
def test_what_runs_becomes_text(text: str, changed: str) -> None:
    if "javascript:x>)" in text:  # both the link and what it would be without its bracket
        assert harmless(text) in {changed, "[a]\\(<javascript:x>)"}
    else:
        assert harmless(text) == changed
    assert not may_run(without_markup(text))


class Running(HTMLParser):
    """Collects what of some HTML would run in a browser."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "iframe", "object", "embed", "svg", "math", "meta", "base", "form", "link"}:
            self.found.append(tag)
        for name, value in attrs:
            address = "".join((value or "").split()).lower().lstrip("\x01")
            if name.startswith("on") or name in {"style", "srcdoc"}:
                self.found.append(f"{tag} {name}")
            if name in {"href", "src"} and address.startswith(("javascript:", "vbscript:", "data:")):
                self.found.append(f"{tag} {address}")


READER = MarkdownIt("commonmark", {"html": True}).enable("table")
READER.validateLink = lambda url: True  # type: ignore[method-assign]


def passed_through(text: str) -> str:
    """What a reader makes of a text that knows code and takes all else for HTML."""
    parts: list[str] = []
    done = 0
    for code in read_source(text).code:
        if code.certain and code.kind != "indented":
            parts += [text[done : code.start], "<code>x</code>"]
            done = code.end
    return "".join((*parts, text[done:]))


def running(text: str) -> list[str]:
    found: list[str] = []
    python = markdown.markdown(text, extensions=["extra", "admonition", "sane_lists"])
    for html in (READER.render(text), python, passed_through(text)):
        parser = Running()
        parser.feed(html.replace("<![", "&lt;!["))  # a browser takes it for a comment, this parser for a mistake
        parser.close()
        found += parser.found
    return found


@pytest.mark.parametrize("name", sorted(set(BODIES) - {"fence language"}))
def test_no_payload_runs(name: str) -> None:
    text = f"Before.\n\n{BODIES[name]}\n\nAfter.\n"
    changed = harmless(text)
    assert running(changed) == []
    assert harmless(changed) == changed


def test_these_readers_would_run_them() -> None:
    ran = {name for name, text in BODIES.items() if running(text)}
    assert {"script", "image", "svg", "link", "link reference", "attributes", "iframe"} <= ran


PIECES = st.sampled_from(
    [
        *("<", ">", "=", "`", "``", "\\", "\n", "\n\n", "    ", "> ", "- ", " ", '"', "'", "&", "/", "!", "--", "<!--"),
        *("-->", "[", "]", "](", "]:", "(", ")", "{", "}", "{:", "^", "```\n", "~~~\n", "a", "x", "script", "img"),
        *("onclick=", "src=", "href=", "javascript:", "&#106;", "data:", "<script>", "</script>", "<b", "<a ", "<x "),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_nothing_runs_whatever_the_text(text: str) -> None:
    changed = harmless(text)
    assert running(changed) == []
    assert harmless(changed) == changed
    assert not may_run(without_markup(text))


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert harmless(harmless(text)) == harmless(text)
    assert may_run(text) or harmless(text) == text


@pytest.mark.parametrize(
    "piece",
    [
        "<a",
        "<a ",
        "<script",
        "](",
        "](&",
        "]: \n",
        "](\\",
        "[^a]: data:x\n",
        "{a=",
        "{on=",
        "{x=}",
        "=",
        "<a>=",
        "> <x\n",
        "](&#0000",
    ],
)
def test_long_texts_take_linear_time(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    started = perf_counter()
    may_run(text)
    without_markup(text)
    assert perf_counter() - started < 5
