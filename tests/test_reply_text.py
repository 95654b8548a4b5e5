"""The JSON object in a model's answer: what is taken, what is refused, and that no beginning passes for a whole."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pipeline.draft import ConsolidatedBatch, ConsolidatedPage, ConsolidatedSessions
from pipeline.errors import InvalidReply, Truncated
from pipeline.reply_text import read_object
from pipeline.schema import portable_schema

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

UPDATE: dict[str, Json] = {
    "path": "",
    "kind": "gotcha",
    "title": "Émile's cache 🗃",
    "body": "It fails.[^o1]\n\n- {a}\n",
}
BATCH: dict[str, Json] = {"updates": [UPDATE, {**UPDATE, "title": "Two"}], "rationale": 'Why: it is "so" \\ done'}
PAGE: dict[str, Json] = {"title": "T", "description": "", "tags": ["a", "b"], "body": "B"}
SESSIONS: dict[str, Json] = {"sessions": [{"session": "s1", **BATCH}, {"session": "s2", **BATCH}]}
GOOD = json.dumps(BATCH, ensure_ascii=False)

AROUND = {
    "nothing": "{}",
    "white space": "\r\n\t {}\n\n",
    "a byte order mark": "\ufeff{}",
    "a fence": "```json\n{}\n```",
    "a fence that is never closed": "```json\n{}\n",
    "a fence of tildes": "~~~JSON\r\n{}\r\n~~~\r\n",
    "prose": "Sure! Here's the draft you asked for:\n\n{}\n\nI hope that it's \"right\".",
    "prose with braces": "For {project} in [o1] and [[link]], f({x}) is {{not}} it: {} That's it {see above}.",
    "prose with quotes": 'It says "{ and \'{\' and {"so"} it goes. {}',
    "a shape in prose": 'The form is {"updates": [...], "rationale": "..."}. So:\n{}',
    "bare keys in prose": "I think of {updates: [a, b], rationale: c} here:\n{}",
    "reasoning": '<think>\nHm, {"updates": [ no { " } wait\n</think>\n\n{}',
    "other tags": "<Reasoning>It's {x</Reasoning><thinking>'{'</thinking>{}",
    "square tags": '[THINK]{"updates": []}[/THINK]{}',
    "nested tags": '<think><think>a</think> {"note": 1} b</think>\n{}',
    "reasoning that was opened by the prompt": 'First { I [ look " at it.\n</think>\n\n{}',
    "whole objects in reasoning that was opened by the prompt": 'So {"updates": [{"title": "x"}]}, no.</think>{}',
    "an empty thought": "<think></think>{}",
    "an answer tag": "<answer>{}</answer>",
    "a list": "[{}]",
    "a list in prose": "Here: [\n{}\n,] done",
    "an earlier draft": '{"updates": [{"title": "draft"}]} or rather {}',
    "another object before": '{"note": 1} {}',
    "another object after": '{} {"note": 1}',
    "an empty batch after": '{} {"updates": []}',
    "a shape after": '{} It has the form {"updates": [...]}.',
    "a page after": '{} {"title": "x", "body": "y"}',
    "a wrapper": '{"result": {}}',
    "a wrapper in a fence": "```\n{'response': {},}\n```",
    "a wrapper in a list": '[{"ConsolidatedBatch": {}}]',
    "the schema before": json.dumps(portable_schema(ConsolidatedBatch)) + "\n\n{}",
    "the schema as a request has it": json.dumps(
        {"type": "json_schema", "json_schema": {"name": "reply", "schema": portable_schema(ConsolidatedSessions)}}
    )
    + "{}",
    "the schema after": "{}\n" + json.dumps({"schema": portable_schema(ConsolidatedPage)}),
}


RIVALS = {"prose with quotes", "bare keys in prose", "an earlier draft", "an empty batch after", "a page after"}
"""What does not go before or after a page, but before or after a batch."""


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("value", [BATCH, SESSIONS], ids=["batch", "sessions"])
@pytest.mark.parametrize("indent", [None, 2])
def test_what_stands_around_the_object_is_passed_over(around: str, value: dict[str, Json], indent: int | None) -> None:
    text = placed(around, json.dumps(value, ensure_ascii=False, indent=indent))

    assert read_object(text) == value
    assert read_object(text.replace("\n", "\r\n")) == value


def placed(around: str, text: str) -> str:
    """Put `text` where the last free `{}` stands; the other braces of `around` are its own."""
    before, _, after = around.rpartition("{}")
    return f"{before}{text}{after}"


@pytest.mark.parametrize("name", [name for name in AROUND if name not in RIVALS])
def test_a_page_alone_is_found_too(name: str) -> None:
    assert read_object(placed(AROUND[name], json.dumps(PAGE))) == PAGE


LOOSE: dict[str, tuple[str, Json]] = {
    "trailing commas": ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
    "single quotes": ("{'a': 'it is \"so\"', 'b': 'it\\'s'}", {"a": 'it is "so"', "b": "it's"}),
    "both quotes": ("{'a': \"it's\"}", {"a": "it's"}),
    "literals of Python": ("{'a': True, 'b': False, 'c': None}", {"a": True, "b": False, "c": None}),
    "bare keys": ("{a: 1, b_2: 'x', $c: [], d-e: {}}", {"a": 1, "b_2": "x", "$c": [], "d-e": {}}),
    "comments": ('{// one }\n"a": /* {"b": 2} */ 1, // "c": 3\n"d": 4 /* end */ }', {"a": 1, "d": 4}),
    "what looks like a comment": ('{"a": "http://x/*y*/", }', {"a": "http://x/*y*/"}),
    "raw line breaks": ('{"a": "one\n\ntwo\r\nthree\tfour"}', {"a": "one\n\ntwo\nthree\tfour"}),
    "unknown escapes": (r'{"a": "snake\_case \d+\. \u12 \x41"}', {"a": r"snake\_case \d+\. \u12 \x41"}),
    "known escapes": (r'{"a": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00",}', {"a": '"\\/\b\f\n\r\té😀'}),
    "an escaped line break": ('{"a": "one\\\ntwo"}', {"a": "one\\\ntwo"}),
    "smart quotes": ('{“a”: “it\'s "so"”, ‘b’: ‘c’, „d“: 1}', {"a": 'it\'s "so"', "b": "c", "d": 1}),
    "smart quotes inside": ('{"a": "“so”", }', {"a": "“so”"}),
    "numbers": ('{"a": [0, -1, 2.5, 1e3, -1.5E-2],}', {"a": [0, -1, 2.5, 1000.0, -0.015]}),
    "lone surrogates": (r'{"a\udc00": "x\ud83dy\ude00"}', {"a\ufffd": "x\ufffdy\ufffd"}),
    "raw surrogates": ('{"a": "x\ud83dy"}', {"a": "x\ufffdy"}),
    "odd white space": ('\u200b{\u00a0"a"\u3000:\ufeff1}', {"a": 1}),
    "an empty object": ("{ }", {}),
    "deep": ('{"a": ' + "[" * 90 + "]" * 90 + ",}", {"a": json.loads("[" * 90 + "]" * 90)}),
    "stringified": (json.dumps({"json": GOOD}), BATCH),
    "stringified in a fence": (json.dumps({"output": f"```json\n{GOOD}\n```"}), BATCH),
    "a list of updates": (json.dumps([UPDATE, UPDATE]), {"updates": [UPDATE, UPDATE]}),
    "a list of one update": (json.dumps([UPDATE]), {"updates": [UPDATE]}),
    "a wrapped list of updates": (json.dumps({"pages": [UPDATE]}), {"updates": [UPDATE]}),
    "a list of sessions": (json.dumps(SESSIONS["sessions"]), SESSIONS),
    "a list of one page": (json.dumps([PAGE]), PAGE),
    "wrapped twice": ('{"a": {"b": ' + GOOD + "}}", {"a": {"b": BATCH}}),
    "one value that is no answer": ('{"a": {"b": 1}}', {"a": {"b": 1}}),
    "one text that is no answer": ('{"a": "see {"}', {"a": "see {"}),
    "the last of equals": ('{"a": 1} {"a": 2}', {"a": 2}),
    "a broken shape and then a page": ("{x: ...} " + json.dumps(PAGE), PAGE),
}


@pytest.mark.parametrize(("text", "value"), LOOSE.values(), ids=LOOSE)
def test_loose_json_is_read_as_it_was_meant(text: str, value: Json) -> None:
    assert read_object(text) == value
    assert read_object(f"So:\n```json5\n{text}\n```\n") == value


def test_a_reply_that_is_one_json_string_is_read_again() -> None:
    assert read_object(json.dumps(GOOD)) == BATCH
    assert read_object(f"\n{json.dumps(json.dumps(BATCH), ensure_ascii=False)}\n") == BATCH
    assert read_object(json.dumps('{"a": "\ud83d"}', ensure_ascii=True)) == {"a": "\ufffd"}


REFUSED = {
    "nothing": "",
    "prose": "I cannot do that.",
    "a number": "42",
    "a string": '"text"',
    "a string in a string": json.dumps(json.dumps("x")),
    "null": "null",
    "an empty list": "[]",
    "a list of numbers": "[1, 2]",
    "a list of what is no update": '[{"a": 1}, {"b": 2}]',
    "a mixed list": json.dumps([UPDATE, 1]),
    "a key twice": '{"updates": [1], "rationale": "a", "updates": [2]}',
    "a key twice, inside": '{"updates": [{"title": "a", "title": "b"}]}',
    "a key twice after unescaping": r'{"a": 1, "\u0061": 2}',
    "NaN": '{"a": NaN}',
    "infinity": '{"a": -Infinity}',
    "an infinite number": '{"a": 1e999}',
    "an endless number": '{"a": ' + "9" * 5_000 + "}",
    "undefined": '{"a": undefined}',
    "no comma": '{"a": 1 "b": 2}',
    "two commas": '{"a": 1,, "b": 2}',
    "a leading comma": '{, "a": 1}',
    "no value": '{"a": }',
    "no colon": '{"a": 1, "b" 2}',
    "a quote that is not escaped": '{"updates": [{"body": "he said "no" to it"}]}',
    "an apostrophe that is not escaped": "{'a': 'it's'}",
    "the wrong bracket": '{"a": [1}',
    "a leading zero": '{"a": 01}',
    "a version": '{"a": 1.2.3}',
    "a comment after a quote": '{"a": "see "// x\n}',
    "reasoning alone": '<think>{"updates": [1]}',
    "reasoning around it all": '<think>{"updates": [1]}</think>',
    "the schema alone": json.dumps(portable_schema(ConsolidatedBatch)),
    "broken, then a piece of it": '{"updates": [oops]} {"path": "", "title": "a", "body": "b"}',
    "broken, then what says nothing": '{"updates": [oops]} {}',
    "broken and never closed": '{"updates": [oops {"updates": [1]}',
    "a broken correction": GOOD + '\nNo, rather: {"updates": [oops]}',
    "deeper than any draft": '{"a": ' + "[" * 100 + "]" * 100 + "}",
    "ten thousand brackets": "[" * 10_000,
    "ten thousand closed brackets": '{"a": ' + "[" * 10_000 + "]" * 10_000 + "}",
    "ten thousand closed objects": '{"a": ' * 10_000 + "1" + "}" * 10_000,
    "an escaped object": r"{\"updates\": [{\"title\": \"{'updates': [1]}\"",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidReply) as raised:
        read_object(text)
    assert raised.value.message.endswith(".")


CUT_OFF = {
    "a brace": "{",
    "a key": '{"upd',
    "a bare key": "{upd",
    "a value": '{"updates": ',
    "a string": '{"updates": [{"title": "A ti',
    "an escape": '{"a": "x\\',
    "a literal": '{"a": tr',
    "a number": '{"a": 12',
    "a fraction": '{"a": 12.',
    "a sign": '{"a": -',
    "a comma": '{"a": 1,',
    "all but the last brace": GOOD[:-1],
    "in a fence": "```json\n" + GOOD[:-2],
    "after reasoning": "<think>{}</think>" + GOOD[:50],
    "a list": "[" + GOOD,
    "a comment": '{"a": 1 // so } ',
    "a long comment": '{"a": 1 /* so } ',
    "a comment that starts": '{"a": 1 /',
    "after the schema": json.dumps(portable_schema(ConsolidatedBatch)) + GOOD[:-1],
    "after a draft": GOOD + " or rather " + GOOD[:-1],
    "with the quotes of an object inside": '{"body": "{\'updates\': [1]}',
    "in a key": "{\"{'updates': [1]}",
    "in smart quotes": "{“updates”: [{“title”: “x",
}


@pytest.mark.parametrize("text", CUT_OFF.values(), ids=CUT_OFF)
def test_what_is_cut_off_is_told_as_such(text: str) -> None:
    with pytest.raises(Truncated, match="the reply ends inside the value"):
        read_object(text)


def test_no_fault_quotes_the_reply() -> None:
    with pytest.raises(InvalidReply) as raised:
        read_object('{"hunter2": 1, "hunter2": 2}')
    assert str(raised.value) == (
        "an object has the same key twice, at character 25 of the reply. Answer with one JSON object and nothing else."
    )


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        ["{", "}", '"', "'", "\\", "</think>", "<think>", '{"updates": [1]}', "{'title': 1, 'body': 2}", "//"]
    ),
)
KEYS = st.one_of(st.text(max_size=6), st.sampled_from(["updates", "sessions", "title", "body", "{'updates': [1]}"]))
VALUES = st.recursive(
    SCALARS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(KEYS, inside, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, min_size=2, max_size=5)
WRITTEN = st.tuples(OBJECTS, st.booleans(), st.sampled_from([None, 0, 2])).map(
    lambda drawn: json.dumps(drawn[0], ensure_ascii=drawn[1], indent=drawn[2])
)
BEFORE = st.sampled_from(
    ["", "\ufeff", "Sure: ", "```json\n", "<think>{ \" '</think>\n", "as {x} or [1] says\n", "[", "{x: y} "]
)
AFTER = st.sampled_from(["", "\n", "\n```\n", '\nThat\'s "all".', " }", "]"])


def read_or_none(text: str) -> dict[str, Json] | None:
    """Give what is read, or nothing where it is refused; no other error may come out."""
    try:
        return read_object(text)
    except (Truncated, InvalidReply):
        return None


@given(WRITTEN, BEFORE, AFTER)
def test_any_object_comes_back_as_it_is(written: str, before: str, after: str) -> None:
    value = json.loads(written, object_pairs_hook=lambda pairs: None if len(dict(pairs)) < len(pairs) else dict(pairs))
    assume(isinstance(value, dict) and not set(value) & {"type", "schema"} and "\\ud" not in written.lower())
    assume(not (before == "[" and after != "]") and not (before == "[" and "kind" in value))
    assume(
        not (before == "{x: y} " and not {"updates", "sessions"} & set(value) and not {"title", "body"} <= set(value))
    )

    assert read_object(f"{before}{written}{after}") == value


@given(WRITTEN, BEFORE, AFTER)
@example('{"{\'updates\': [1]}": "\\"", "b": 1}', "", "")
@example(json.dumps({"a": "```\n{'updates': [1]}\n```\n</think>\n{'updates': [1]}", "b": 2}), "Sure:\n", "")
@settings(max_examples=60, deadline=None)
def test_no_beginning_of_a_reply_passes_for_another_answer(written: str, before: str, after: str) -> None:
    text = f"{before}{written}{after}"
    whole = read_or_none(text)
    for end in range(len(text)):
        value = read_or_none(text[:end])
        assert value is None or value == whole


def loosened(value: Json) -> str:
    """Write a value as a careless model does: as Python does, with commas and comments."""
    if isinstance(value, dict):
        members = "".join(f"{name!r}: /* {{ */ {loosened(inner)},\n" for name, inner in value.items())
        return f"{{ // [\n{members}}}"
    if isinstance(value, list):
        return f"[{''.join(f'{loosened(inner)}, ' for inner in value)}]"
    return repr(value)


PLAIN = st.text(st.characters(categories=["L", "N", "P"], include_characters=" \n\t'\"\\{}"), max_size=12)


@given(
    st.dictionaries(
        PLAIN, st.recursive(PLAIN | st.booleans() | st.none(), lambda one: st.lists(one, max_size=3)), min_size=2
    )
)
@settings(max_examples=40, deadline=None)
def test_loose_writing_is_read_or_its_beginning_refused(value: dict[str, Json]) -> None:
    text = loosened(value)

    assert read_object(text) == value
    for end in range(len(text)):
        assert read_or_none(text[:end]) is None


@pytest.mark.parametrize(
    "text", [*(placed(around, GOOD) for around in AROUND.values()), *(text for text, _ in LOOSE.values())]
)
def test_no_beginning_of_a_known_reply_passes_for_another_answer(text: str) -> None:
    whole = read_object(text)
    at_once = {end: value for end in range(len(text)) if (value := read_or_none(text[:end])) not in (None, whole)}

    assert all(value in EARLIER for value in at_once.values())


EARLIER: tuple[dict[str, Json], ...] = (
    {"updates": [{"title": "draft"}]},
    {"updates": [{"title": "x"}]},
    {"note": 1},
    {"a": 1},
)
"""Whole objects that stand before an answer: a beginning may end behind one."""


@given(st.text(st.sampled_from("{}[]\"'\\:,/*n1a \n“”‘’<think>/"), max_size=60))
@settings(max_examples=400, deadline=None)
def test_no_text_raises_anything_else(text: str) -> None:
    read_or_none(text)


JUNK = (
    "{",
    "[",
    "[{",
    '{"',
    "{'",
    "{x",
    '{"a"',
    '{"a":',
    '{"a":x}',
    "{{'",
    "\\",
    '"',
    "<think>",
    "</think>\n",
    "{/**/",
    "“{“",
)


@pytest.mark.parametrize("part", JUNK)
def test_junk_takes_linear_time(part: str) -> None:
    text = (part * (400_000 // len(part) + 1))[:400_000]

    started = time.process_time()
    assert read_or_none(text) is None

    assert time.process_time() - started < 20


def test_a_large_reply_is_read() -> None:
    body = "A line with \\d and\n" * 270_000
    text = f'Sure: {{"title": "T", "body": "{body}"}}'

    assert len(text) > 5_000_000
    assert read_object(text) == {"title": "T", "body": body}
