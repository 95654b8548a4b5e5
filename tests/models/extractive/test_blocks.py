"""Markdown taken apart: what is prose, what is code, what stands under what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.extractive.blocks import blocks

TEXT = """Done:

- first `item`
  goes on
  - nested
- second

## Cause

The proxy drops it.

```bash
make run
```

| a | b |
|---|---|
| 1 | 2 |

1. Stop
2. Start
> quoted
"""


def test_each_kind_of_block_is_told_apart() -> None:
    assert [(one.kind, one.text) for one in blocks(TEXT)] == [
        ("paragraph", "Done:"),
        ("item", "first `item`\ngoes on"),
        ("item", "nested"),
        ("item", "second"),
        ("heading", "Cause"),
        ("paragraph", "The proxy drops it."),
        ("code", "make run"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("item", "Stop"),
        ("item", "Start"),
        ("quote", "quoted"),
    ]


def test_a_block_knows_what_stands_around_it() -> None:
    found = {one.text: one for one in blocks(TEXT)}
    assert found["second"].intro == "Done:"
    assert found["nested"].intro == "first `item`\ngoes on"
    assert (found["nested"].depth, found["second"].depth) == (1, 0)
    assert found["The proxy drops it."].headings == ("Cause",)
    assert found["make run"].language == "bash"
    assert (found["Stop"].number, found["Start"].number, found["second"].number) == (1, 2, 0)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("```\n# no heading\n```", ["code"]),
        ("**Changes made:**\ntext", ["heading", "paragraph"]),
        ("**We keep it as it is.**", ["paragraph"]),
        ("- [x] task\n- [ ] other", ["item", "item"]),
        ("一、概要\n1、第一步\n2、第二步", ["paragraph", "item", "item"]),
        ('before\n"""\n$ ls\n"""\nafter', ["paragraph", "code", "paragraph"]),
        ("- a\nplain text after a list", ["item", "paragraph"]),
        ("---\ntext", ["paragraph"]),
    ],
)
def test_shapes(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in blocks(text)] == kinds


def test_what_touches_the_gap_of_an_excerpt_is_torn_and_the_top_headings_still_hold() -> None:
    found = blocks("## Review\n\n### Part\n\nhead\n[... 1,204 characters left out ...]\ntail\n\nlater")
    assert [(one.text, one.torn) for one in found if one.kind == "paragraph"] == [
        ("head", True),
        ("tail", True),
        ("later", False),
    ]
    assert found[-1].headings == ("Review",)


@given(st.text(alphabet="ab #-*`>|1.\n", max_size=120))
def test_no_text_is_too_odd(text: str) -> None:
    words = "".join(character for character in text if character in "ab")
    kept = "".join(character for one in blocks(text) for character in one.text if character in "ab")
    assert len(kept) <= len(words)
