from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.observations.parsing.content import clean, clean_json, one_line, read_content

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

CLEANED: tuple[tuple[str, str], ...] = (
    ("plain text\n\twith a tab", "plain text\n\twith a tab"),
    ("red \x1b[31mword\x1b[0m", "red word"),
    ("\x1b[1;38;5;196mbold\x1b[m", "bold"),
    ("\x1b]0;title\x07text", "text"),
    ("\x1b]8;;https://host.example\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("\x1b]never ended\nnext", "]never ended\nnext"),
    ("\x9b31mred", "red"),
    ("\x1b(Btext\x1b7", "text"),
    ("\x1bThe word stays", "The word stays"),
    ("a\r\nb\rc", "a\nb\nc"),
    ("a\x0bb\x0cc\x85d", "a\nb\nc\nd"),
    ("nul\x00bell\x07back\x08", "nulbellback"),
    ("c1 \x80\x9f del \x7f", "c1  del "),
    ("half \ud83c an emoji", "half \ufffd an emoji"),
    ("\udf89\ud83c", "\ufffd\ufffd"),
    ("whole 🎉", "whole 🎉"),
    ("no-break\u00a0space, \u2028 and \u200d stay", "no-break\u00a0space, \u2028 and \u200d stay"),
)

FLATTENED: tuple[tuple[Json, str], ...] = (
    ("text", "text"),
    ("  text \n", "text"),
    (None, ""),
    (True, ""),
    (12, "12"),
    (["a", "b"], "a\nb"),
    ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
    ([{"text": "one"}], "one"),
    ({"text": "one"}, "one"),
    ({"parts": ["one", {"text": "two"}]}, "one\ntwo"),
    ([{"type": "input_text", "text": "one"}], "one"),
    ([{"type": "text", "text": ""}], ""),
    ([{"type": "tool_use", "name": "Edit", "input": {"file": "x" * 1000}}], "[tool_use: Edit]"),
    ([{"type": "text", "text": "I edit."}, {"type": "tool_use", "name": "Edit"}], "I edit.\n[tool_use: Edit]"),
    ([{"type": "image", "source": {"data": "aGVsbG8="}}], "[image]"),
    ([{"type": "thinking", "thinking": "hm"}], "[thinking]"),
    ([{"type": "tool_result", "content": "long", "is_error": True}], "[tool_result: error]"),
    ([{"functionCall": {"name": "list_files", "args": {}}}], "[functionCall: list_files]"),
    ([{"type": "toolCall", "name": "read", "arguments": {"path": "x"}}], "[toolCall: read]"),
    ([{"type": "x" * 100, "name": "y" * 100}], "[block]"),
    ([{"type": "tool_use", "name": "two\nlines"}], "[tool_use: two lines]"),
    ([{}], ""),
    ([], ""),
    ([[["deep"]]], "deep"),
)


@pytest.mark.parametrize(("given", "expected"), CLEANED)
def test_a_text_is_cleaned(given: str, expected: str) -> None:
    assert clean(given) == expected


@pytest.mark.parametrize(("value", "expected"), FLATTENED)
def test_content_is_flattened(value: Json, expected: str) -> None:
    assert read_content(value).text == expected


def test_results_of_tools_alone_are_told_apart() -> None:
    result: Json = {"type": "tool_result", "content": "x"}
    assert read_content([result, result]).only_results
    assert not read_content([result, {"type": "text", "text": "x"}]).only_results
    assert not read_content([]).only_results


def test_one_line_has_one_line() -> None:
    assert one_line(" a \n\t b\x1b[0m\r\nc ") == "a b c"


@given(st.text(st.characters(), max_size=200))
def test_what_is_clean_can_be_encoded_and_stays(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    assert clean(cleaned) == cleaned


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=5), inner, max_size=3)
    ),
)


@given(NESTED)
def test_any_value_becomes_text_and_clean_json(value: Json) -> None:
    read_content(value).text.encode()
    json.dumps(clean_json(value), ensure_ascii=False, allow_nan=False).encode()
