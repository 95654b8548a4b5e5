"""Text that does something on a host of code, and what a host would make of a text; for the tests of proposals."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import strategies as st
from markdown_it import MarkdownIt

PAYLOADS = (
    *(
        "@dana",
        "@acme/team",
        "@\u200bdana",
        "@\u2060all",
        "＠dana",
        "a@b.example",
        "\\@dana",
        "&#64;dana",
        "&commat;dana",
    ),
    *(
        "#12",
        "GH-12",
        "gh-7",
        "acme/web#3",
        "acme/web@4c1a9f0",
        "#x",
        "\\#12",
        "&num;12",
        "GL-4",
        "ABC-12",
        "#\u200d12",
    ),
    *("!12", "%3", '%"1.0"', "~bug", '~"big bug"', "&5", "$7", "*iteration:3", "^alert#4", "[work_item:3]", "[[page]]"),
    *("4c1a9f0e7b", "4c1a9f0e7b2d4c1a9f0e7b2d4c1a9f0e7b2d4c1a", "acme...4c1a9f0e7b", "DEADBEEF"),
    *(
        "fixes #1",
        "Closes: https://github.com/a/b/issues/1",
        "`resolves #4`",
        "implements ABC-3",
        "fix   #2",
        "closes\n#5",
    ),
    *(
        "https://github.com/a/b/pull/1",
        "www.example.com",
        "<https://x.example>",
        "ftp://x",
        "irc://x/y",
        "mailto:a@b.c",
    ),
    *(
        "<script>alert(1)</script>",
        "<img src=https://x.example/a.png>",
        "<details>",
        "</details>",
        "&lt;b&gt;",
        "<!-- x -->",
    ),
    *("<!-- wikimill:begin -->", "<!-- wikimill:end -->", "`<!-- wikimill:end -->`", "<!-- wikimill:ignore a.md -->"),
    *(
        "![i](https://x.example/a.png)",
        "![i][r]",
        "[r]: https://x.example",
        "[t](javascript:alert(1))",
        "[t](data:text/html,x)",
    ),
    *(
        "[t](https://x.example)",
        "[^1]",
        "[^1]: note",
        "[t][r]",
        "/close",
        "\n/merge\n",
        "\n/approve",
        "- [x] done",
        "[x] done",
    ),
    *(
        "a | b",
        "`a | b`",
        "\n|---|\n",
        "\n# heading",
        "\n- item",
        "\n1. item",
        "\n```mermaid\nx\n```",
        "~~~\nx",
        "\n---\n",
        "> q",
    ),
    *(
        "\n\n    code",
        "===",
        ":tada:",
        ":+1:",
        ":100:",
        "$x$",
        "$`x`$",
        "$$\nx\n$$",
        "{+ a +}",
        "[- b -]",
        "[[_TOC_]]",
        "[!NOTE]",
    ),
    *(
        "\u202eevil",
        "\u200b",
        "a\u00adb",
        "\x00",
        "\x1b[31m",
        "\u2066x",
        "[skip ci]",
        "`[skip ci]`",
    ),
    *(
        "**bold**",
        "*em*",
        "__init__",
        "snake_case",
        "~~gone~~",
        "`code`",
        "``a ` b``",
        "`",
        "```",
        "\\",
        "\\`",
        "a`b",
        "&amp;#64;x",
    ),
    *(
        "é",
        "重要",
        "请联系@dana并查看#12",
        "👩‍👩‍👧",
        "word",
        " ",
        "\n",
        "(",
        ")",
        "'",
        '"',
        ".",
        ",",
        ":",
        ";",
        "!",
        "?",
        "-",
        "+",
        "=",
        "_",
        "*",
    ),
)

TEXTS = st.one_of(
    st.lists(st.sampled_from(PAYLOADS), max_size=8).map("".join),
    st.lists(st.sampled_from(PAYLOADS), max_size=8).map(" ".join),
    st.text(alphabet=st.sampled_from("@#!%&$~<>[]{}()|`*_\\/:.-+=a1f \n\u200b重"), max_size=40),
    st.text(max_size=40),
)

LINKED = re.compile(
    r"""[@#$~]|[!%][\w"]|&\d|://|\bwww\.|mailto:|javascript:|data:|(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])"""
    r"|(?<![a-z0-9])g[hl]-\d|:[\w+-]*[a-z][\w+-]*:|\[\[|\[\w+:|\[!|\[\+|\{\+|\[-|\{-",
    re.IGNORECASE | re.ASCII,
)
"""What a host would make a link, a mention, a formula or a picture of, in text that is no code."""

KEYS = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9_]+-\d")

CLOSES = re.compile(
    r"\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?"
    r"(?:[\w./-]*[#!&]\d|https?://|[A-Z][A-Z0-9_]+-\d|GH-\d)",
    re.IGNORECASE,
)
"""What closes an issue where the source is read."""

SKIPS = re.compile(r"\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]", re.IGNORECASE)

_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def blocks(source: str) -> list[str]:
    """Give the kinds of blocks that a text is made of, in order."""
    return [token.type for token in _PARSER.parse(source)]


def inline(source: str) -> tuple[set[str], list[str]]:
    """Give the kinds of inline tokens of a text, and what stands in it outside code, cut at code."""
    kinds: set[str] = set()
    texts = [""]
    for token in _PARSER.parse(source):
        if token.type == "html_block":
            kinds.add(token.type)
        for child in token.children or ():
            kinds.add(child.type)
            if child.type.startswith("text"):
                texts[-1] += child.content
            else:
                texts.append("")
        texts.append("")
    return kinds, texts


class Seen(HTMLParser):
    """What is left of a text inside an element: its tags, and what stands outside code."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts = [""]
        self._code = False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._code = tag == "code"
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(tag)
        self._code = False
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.texts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.tags.append("comment")
