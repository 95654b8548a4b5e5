"""Adding without changing: the old text is the new one with something put in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.wiki.revision.additions import add, end_of_content, insert

BODY = """# Title

Lead.[^o-0000000001]

## Causes

- one[^o-0000000001]
- two

## Steps

1. first
2. second

## Notes

Words.

[^o-0000000001]: 2026-11-29 14:03, dana
"""

TABLE = {
    "an item goes to the end of its list": (
        "## Causes\n\n- three[^o-0000000002]\n",
        BODY.replace("- two\n", "- two\n- three[^o-0000000002]\n"),
    ),
    "what stands is not added again, whatever it cites": ("## Causes\n\n- *one*[^o-0000000009]\n- two\n", BODY),
    "a paragraph behind a list": ("## Causes\n\nMore.\n", BODY.replace("- two\n", "- two\n\nMore.\n")),
    "a list behind a paragraph": ("## Notes\n\n- a\n- b\n", BODY.replace("Words.\n", "Words.\n\n- a\n- b\n")),
    "a step gets the next number": (
        "## Steps\n\n1. third\n1. fourth\n",
        BODY.replace("2. second\n", "2. second\n3. third\n4. fourth\n"),
    ),
    "text without a heading goes to the lead": ("More.\n", BODY.replace("01]\n\n## C", "01]\n\nMore.\n\n## C")),
    "a heading in other words and case is another section": (
        "## causes\n\n- x\n\n## Causes of it\n\n- y\n",
        BODY.replace("- two\n", "- two\n- x\n").replace("Words.\n", "Words.\n\n## Causes of it\n\n- y\n"),
    ),
    "a new section stands before the footnotes": (
        "## New\n\nText.[^o-0000000001]\n",
        BODY.replace("Words.\n", "Words.\n\n## New\n\nText.[^o-0000000001]\n"),
    ),
    "a new section below one that stands": (
        "## Causes\n\n### Deep\n\n- x\n",
        BODY.replace("- two\n", "- two\n\n### Deep\n\n- x\n"),
    ),
    "another mark for items": ("## Causes\n\n* three\n", BODY.replace("- two\n", "- two\n- three\n")),
    "code is added as it is": (
        "## Notes\n\n```\n# no heading\n```\n",
        BODY.replace("Words.\n", "Words.\n\n```\n# no heading\n```\n"),
    ),
    "nothing new, no heading": ("## Other\n\n- two\n", BODY),
}


@pytest.mark.parametrize("case", TABLE)
def test_what_is_new_is_added(case: str) -> None:
    changes, after = TABLE[case]
    assert add(BODY, changes) == after


@pytest.mark.parametrize("case", TABLE)
def test_a_second_time_adds_nothing(case: str) -> None:
    once = add(BODY, TABLE[case][0])
    assert add(once, TABLE[case][0]) == once


def test_a_keep_block_gets_nothing_inside() -> None:
    body = "# T\n\n## A\n\n- x\n\n<!-- keep -->\n\n- mine\n\n## B\n\n- also\n\n<!-- /keep -->\n\n- y\n"
    assert add(body, "## A\n\n- new\n") == body.replace("- x\n", "- x\n- new\n")
    assert add(body, "## B\n\n- new\n") == body.replace("- y\n", "- y\n- new\n")


def test_what_is_left_open_is_closed() -> None:
    assert add("# T\n\n```\ncode\n", "- x\n") == "# T\n\n```\ncode\n```\n\n- x\n"
    assert add("# T\n\n## B\n\ntext\n", "```\ncode\n") == "# T\n\n```\ncode\n```\n\n## B\n\ntext\n"


def test_line_ends_stay_those_of_the_page() -> None:
    body = BODY.replace("\n", "\r\n")
    assert add(body, "## Notes\n\n- a\n  b\n") == body.replace("Words.\r\n", "Words.\r\n\r\n- a\r\n  b\r\n")


@pytest.mark.parametrize(
    ("body", "end"), [(BODY, "Words."), ("a\n\n[^o-1]: x\n\nb\n", "b"), ("[^o-1]: x\n", ""), ("", ""), ("a\n\n", "a")]
)
def test_the_text_ends_before_its_footnotes(body: str, end: str) -> None:
    assert body[: end_of_content(body)].endswith(end)
    assert (
        not body[end_of_content(body) :]
        .replace("[^o-0000000001]: 2026-11-29 14:03, dana", "")
        .replace("[^o-1]: x", "")
        .strip()
    )


PIECES = [
    "# T",
    "## A",
    "## B",
    "### A",
    "- x",
    "- y",
    "1. z",
    "text",
    "",
    "",
    "```",
    "[^o-0000000001]: x",
    "> q",
    "    i",
]
TEXT = st.lists(st.sampled_from(PIECES)).map("\n".join)


def is_within(short: str, long: str) -> bool:
    rest = iter(long)
    return all(character in rest for character in short)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_every_line_stays_in_its_order(body: str, changes: str) -> None:
    after = add(body, changes)
    lines = iter(after.split("\n"))
    assert all(line in lines for line in body.rstrip("\n").split("\n") if line)


@settings(deadline=None)
@given(TEXT, st.integers(0, 20))
def test_inserting_takes_nothing_away(body: str, line: int) -> None:
    place = len("\n".join(body.split("\n")[:line]).rstrip())
    after = insert(body, place, "NEW")
    assert after.startswith(body[:place])
    assert after.endswith(body[place:].lstrip(" "))
    assert is_within(body, after)
