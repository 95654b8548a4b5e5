"""Where claims, headings and marks stand: by source position, code left alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.wiki.markdown.blocks import read_blocks, replace, rewrite_marks

BODY = """# Title `x`

Lead with[^o1] `[^o2]`
and more \\[^o9].

- item a
  - item b[^o-3f2a9c1e55]
    goes on

  second paragraph
1) step[^o3]

> quoted
> twice[^o4]

| a | b |
|---|---|
| `|` | cell[^o5] |

```md
[^o6] - no
```

    [^o7]

Setext
------

[^o-3f2a9c1e55]: 2026-11-29 14:03, dana
[^o-3f2a9c1e56]: 2026-11-29 14:04, dana
    goes on

Text
[^o1]: defined in a paragraph
"""

PIECES = ["\n", "\r\n", " ", "    ", "`", "```", "- ", "> ", "# ", "[^o1]", "[^x]: ", "\\", "a", "|", "1. ", "<!-- "]
MARKDOWN = st.lists(st.sampled_from(PIECES)).map("".join) | st.text()


def test_statements_are_paragraphs_items_and_rows() -> None:
    found = [(one.shape, one.quoted, one.text, one.labels) for one in read_blocks(BODY).statements]
    assert found == [
        ("paragraph", False, "Lead with[^o1] `[^o2]`\nand more \\[^o9].", ("o1",)),
        ("item", False, "item a", ()),
        ("item", False, "item b[^o-3f2a9c1e55]\n    goes on", ("o-3f2a9c1e55",)),
        ("item", False, "second paragraph", ()),
        ("item", False, "step[^o3]", ("o3",)),
        ("paragraph", True, "quoted\ntwice[^o4]", ("o4",)),
        ("row", False, "| `|` | cell[^o5] |", ("o5",)),
        ("paragraph", False, "Text", ()),
    ]


def test_headings_have_their_level_line_and_text() -> None:
    found = [(one.level, one.line, one.text, BODY[one.start : one.end]) for one in read_blocks(BODY).headings]
    assert found == [(1, 0, "Title `x`", "# Title `x`"), (2, 25, "Setext", "Setext\n------")]


def test_definitions_are_told_from_marks() -> None:
    blocks = read_blocks(BODY)
    assert [one.label for one in blocks.marks] == ["o1", "o-3f2a9c1e55", "o3", "o4", "o5"]
    assert [(one.label, BODY[one.start : one.end]) for one in blocks.definitions] == [
        ("o-3f2a9c1e55", "[^o-3f2a9c1e55]: 2026-11-29 14:03, dana\n"),
        ("o-3f2a9c1e56", "[^o-3f2a9c1e56]: 2026-11-29 14:04, dana\n    goes on\n"),
        ("o1", "[^o1]: defined in a paragraph\n"),
    ]


def test_an_item_goes_with_all_that_it_holds() -> None:
    first = next(one for one in read_blocks(BODY).statements if one.text == "item a")
    assert BODY[slice(*first.extent)].startswith("- item a\n  - item b")
    assert BODY[slice(*first.extent)].rstrip().endswith("second paragraph")


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("a `b` c", "a     c"),
        ("a ``b`c`` d", "a         d"),
        ("\\`a `b`", "\\`a    "),
        ("`a\\` b", "     b"),
        ("`a b", "`a b"),
        ("`a\nb` c", "  \n   c"),
        ("- x\n\n      `y`", "- x\n\n         "),
        ("~~~\nx\n~~~\ny", "   \n \n   \ny"),
    ],
)
def test_code_is_blanked_out(text: str, prose: str) -> None:
    assert read_blocks(text).prose == prose


def test_marks_are_rewritten_outside_code_only() -> None:
    before = "a[^o1] `[^o1]` \\[^o1]\r\n\r\n[^o1]: stays"
    assert rewrite_marks(before, lambda label: f"<{label}>") == "a<o1> `[^o1]` \\[^o1]\r\n\r\n[^o1]: stays"


def test_edits_inside_an_edit_are_left_out() -> None:
    assert replace("abcdef", [(1, 4, "-"), (2, 3, "x"), (4, 4, "!"), (5, 6, "")]) == "a-!e"


@settings(deadline=None)
@given(MARKDOWN)
def test_no_text_breaks_it_and_positions_hold(body: str) -> None:
    blocks = read_blocks(body)
    assert len(blocks.prose) == len(body)
    assert all(one in {other, " "} for one, other in zip(blocks.prose, body, strict=True))
    assert all(body[mark.start : mark.end] == f"[^{mark.label}]" for mark in blocks.marks)
    assert all(0 <= one.start < one.end <= len(body) for one in blocks.statements)
    assert rewrite_marks(body, lambda label: f"[^{label}]") == body


def test_line_numbers_come_from_positions() -> None:
    blocks = read_blocks("a\r\nb\rc\nd")
    assert [blocks.line_of(place) for place in (0, 1, 3, 5, 7)] == [0, 0, 1, 2, 3]
