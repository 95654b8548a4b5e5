"""A kept reply as bytes: what comes back, and what does not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.model import Ending, Reply
from pipeline.models.remembering.entry import (
    Entry,
    clean,
    parse_cached,
    parse_recording,
    render_cached,
    render_recording,
)
from pipeline.spending import Usage
from tests.models.remembering.asked import hide, same

KEY = "ab" * 20
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
ENDINGS: tuple[Ending, ...] = ("stop", "length", "refusal", "filter")
ENTRY = Entry(KEY, "gpt", Reply('{"a": "é\ud800"}', Usage(12, 3), "length"))


@given(ANY_TEXT, st.sampled_from(ENDINGS), st.integers(0, 10**12), ANY_TEXT)
def test_any_reply_comes_back(text: str, ending: Ending, tokens: int, told: str) -> None:
    reply = clean(Reply(text, Usage(tokens, tokens + 1), ending), same)
    entry = Entry(KEY, clean(Reply(told), same).text, reply)
    cached, recorded = render_cached(entry), render_recording(entry, {"asked": told})
    assert parse_cached(cached, KEY) == entry
    assert parse_recording(recorded) == entry
    for raw in (cached, recorded):
        assert parse_recording(raw.replace(b"\n", b"\r\n")) == entry
        assert not set(raw.decode()) & set("\r\x7f\x85\u2028\u2029\u202e\ufeff")
    assert cached.count(b"\n") == 1
    assert recorded.count(b"\n") == len(recorded.splitlines())


@given(ANY_TEXT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(Reply(text), hide)
    assert clean(once, hide) == once
    assert once.text.encode("utf-16", "surrogatepass") == hide(text).encode("utf-16", "surrogatepass")


def test_two_halves_become_one_character() -> None:
    assert clean(Reply("a\ud83d\ude00b\ud83d"), same) == Reply("a😀b\ud83d")
    assert clean(Reply("hunter2", Usage(1, 2), "length"), hide) == Reply("[REDACTED:password]", Usage(1, 2), "length")


@pytest.mark.parametrize("at", range(0, len(render_cached(ENTRY)), 7))
def test_no_damage_is_believed(at: int) -> None:
    raw = render_cached(ENTRY)
    changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
    for damaged in (changed, raw[:at], raw[at + 1 :], raw[:at] + bytes(len(raw) - at)):
        with pytest.raises(ValueError, match="it is no"):
            parse_cached(damaged, KEY)


def test_another_key_is_another_reply() -> None:
    with pytest.raises(ValueError, match="not what was written"):
        parse_cached(render_cached(ENTRY), "cd" * 20)


def test_a_recording_reads_well() -> None:
    raw = render_recording(
        Entry(KEY, "gpt", Reply('{"a": "é"}\n', Usage(12, 3))), {"asked": "why\u202e?", "window": ""}
    )
    assert raw.decode() == (
        "{\n"
        ' "asked": "why\\u202e?",\n'
        ' "ending": "stop",\n'
        ' "format": 1,\n'
        f' "key": "{KEY}",\n'
        ' "model": "gpt",\n'
        ' "reply": "{\\"a\\": \\"é\\"}\\n",\n'
        ' "usage": {\n'
        '  "input_tokens": 12,\n'
        '  "output_tokens": 3\n'
        " },\n"
        ' "window": ""\n'
        "}\n"
    )


GOOD = json.loads(render_recording(ENTRY, {}))


def test_a_recording_may_be_edited_by_hand() -> None:
    edited = {**GOOD, "reply": "mended", "note": "by hand", "usage": {}}
    assert parse_recording(b"\xef\xbb\xbf" + json.dumps(edited).encode()) == Entry(
        KEY, "gpt", Reply("mended", Usage(), "length")
    )


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"<<<<<<< HEAD\n{}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"format": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b'"\xff"', "not UTF-8"),
        (b"[]", "no JSON object"),
        (b"null", "no JSON object"),
        (b"{}", "another format"),
        ({"format": 2}, "another format"),
        ({"format": True}, "another format"),
        ({"key": 1}, "'key'"),
        ({"model": None}, "'model'"),
        ({"reply": ["a"]}, "'reply'"),
        ({"ending": "stopped"}, "'ending'"),
        ({"ending": ["stop"]}, "'ending'"),
        ({"usage": 3}, "'usage'"),
        ({"usage": {"input_tokens": -1}}, "'usage.input_tokens'"),
        ({"usage": {"output_tokens": 1.5}}, "'usage.output_tokens'"),
        ({"usage": {"output_tokens": True}}, "'usage.output_tokens'"),
    ],
    ids=repr,
)
def test_what_is_no_recording(raw: bytes | dict[str, object], why: str) -> None:
    given_bytes = raw if isinstance(raw, bytes) else json.dumps({**GOOD, **raw}).encode()
    with pytest.raises(ValueError, match=why):
        parse_recording(given_bytes)
