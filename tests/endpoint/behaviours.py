"""Owns what a fake endpoint can do with a call, as small values that go together; knows no vendor's wording.

A behaviour is also the script that always does it, so that every place that takes a script takes a behaviour.
"""

from __future__ import annotations

import json
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any

from tests.endpoint.exchange import Behaviour, Call, Exchange, Gone, Script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.endpoint.exchange import Rung

CHARACTERS_A_TOKEN = 4
"""What usage is computed with, where none is given."""


def usage_of(call: Call, text: str) -> dict[str, int]:
    """Count tokens as the endpoint would bill them: characters by four, rounded up."""
    asked, told = -(-call.characters // CHARACTERS_A_TOKEN), -(-len(text) // CHARACTERS_A_TOKEN)
    return {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}


# Whole answers


def answer(
    text: str | None, finish: str | None = "stop", *, usage: Mapping[str, Any] | None = None, **message: object
) -> Behaviour:
    """Answer with a completion; `message` holds further fields of its message, or other values for those it has."""

    def body(call: Call) -> dict[str, Any]:
        told = {"role": "assistant", "content": text, "refusal": None, **message}
        choice = {"index": 0, "message": told, "finish_reason": finish, "logprobs": None}
        return _completion(call, [choice], usage_of(call, text or "") if usage is None else usage)

    return sending(body)


def length(text: str) -> Behaviour:
    """Answer with a text that ran into the limit."""
    return answer(text, "length")


def refusal(text: str) -> Behaviour:
    """Decline to answer."""
    return answer(None, refusal=text)


def content_filter(text: str | None = None) -> Behaviour:
    """Have the answer taken away by a filter."""
    return answer(text, "content_filter")


def content_null() -> Behaviour:
    """Answer without a text."""
    return answer(None)


def list_content(text: str) -> Behaviour:
    """Answer with a list of two parts in place of a text."""
    half = len(text) // 2
    return answer(text, content=[{"type": "text", "text": text[:half]}, {"type": "text", "text": text[half:]}])


def reasoning_content(text: str | None, reasoning: str, finish: str = "stop") -> Behaviour:
    """Answer with the reasoning in a field of its own, as vLLM and DeepSeek do."""
    return answer(text, finish, reasoning_content=reasoning, reasoning=reasoning)


def usage_missing(text: str) -> Behaviour:
    """Answer without saying what it took."""
    return answer(text, usage={})


# Odd answers with status 200


def no_choices(*, key: bool = True) -> Behaviour:
    """Answer with an empty list of choices, or with none at all."""
    return sending(lambda call: _completion(call, [] if key else None, usage_of(call, "")))


def error_body_with_200(message: str = "Provider returned error", code: int | str = 502) -> Behaviour:
    """Answer with an error although the status says that all is well."""
    return sending(lambda _: {"error": {"message": message, "code": code}})


def html(status: int = 200) -> Behaviour:
    """Answer with a page, as proxies and login screens do."""
    page = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Sign in to go on</body></html>\n"
    return raw(status, page, {"Content-Type": "text/html; charset=utf-8"})


def empty_body(status: int = 200) -> Behaviour:
    """Answer with nothing."""
    return raw(status, b"")


def not_json(status: int = 200) -> Behaviour:
    """Answer with what says that it is JSON and is none."""
    return raw(status, b'{"id": "chatcmpl-1", "choices": [{"index": 0, "mess')


def wrong_content_type(text: str) -> Behaviour:
    """Answer well, under another name."""

    def play(exchange: Exchange) -> None:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        told = _completion(exchange.call, [choice], usage_of(exchange.call, text))
        exchange.reply(200, _bytes(told), {"Content-Type": "text/plain"})

    return Behaviour(play)


# Errors, delays, and broken connections


def status(code: int, body: object = None, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Answer with a status and a JSON body; without one, with an error in OpenAI's form."""
    told = {"error": {"message": f"status {code}", "type": "error", "param": None, "code": None}}
    return raw(code, _bytes(told if body is None else body), headers or {})


def raw(code: int, body: bytes, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Answer with these bytes."""
    return Behaviour(lambda exchange: exchange.reply(code, body, headers or {}))


def sending(body: Callable[[Call], object]) -> Behaviour:
    """Answer with what `body` makes of the call."""
    return Behaviour(lambda exchange: exchange.reply(200, _bytes(body(exchange.call)), {}))


def slow(seconds: float, then: Script) -> Behaviour:
    """Wait before the answer starts."""

    def play(exchange: Exchange) -> None:
        exchange.wait(seconds)
        then(exchange.call).play(exchange)

    return Behaviour(play)


def dripping(bytes_per_second: float, then: Script) -> Behaviour:
    """Send the body in small pieces."""

    def play(exchange: Exchange) -> None:
        exchange.bytes_per_second = bytes_per_second
        then(exchange.call).play(exchange)

    return Behaviour(play)


def cut_in_body(then: Script) -> Behaviour:
    """Send half of the body and close the connection."""

    def play(exchange: Exchange) -> None:
        exchange.cut = True
        then(exchange.call).play(exchange)

    return Behaviour(play)


def close_at_once() -> Behaviour:
    """Close the connection without a word."""
    return Behaviour(lambda exchange: exchange.drop())


def never() -> Behaviour:
    """Take the request and say nothing until the client hangs up."""

    def play(exchange: Exchange) -> None:
        exchange.wait(inf)
        raise Gone

    return Behaviour(play)


# Scripts


def in_order(*scripts: Script) -> Script:
    """Do the first with the first call, and so on; the last with all that follow."""
    asked = count()

    def decide(call: Call) -> Behaviour:
        return scripts[min(next(asked), len(scripts) - 1)](call)

    return decide


def every_nth(number: int, script: Script, otherwise: Script) -> Script:
    """Do `script` with each call whose count is a multiple of `number`."""
    asked = count(1)

    def decide(call: Call) -> Behaviour:
        return (otherwise if next(asked) % number else script)(call)

    return decide


def when(is_meant: Callable[[Call], bool], script: Script, otherwise: Script) -> Script:
    """Do `script` with calls that `is_meant` chooses."""
    return lambda call: (script if is_meant(call) else otherwise)(call)


def by_rung(*, json_schema: Script, json_object: Script, text: Script) -> Script:
    """Go by how the reply is asked for."""
    scripts = {"json_schema": json_schema, "json_object": json_object, "text": text}
    return lambda call: scripts[call.rung](call)


def rejecting(rungs: set[Rung], how: Script, otherwise: Script) -> Script:
    """Refuse some ways of asking for a reply."""
    return when(lambda call: call.rung in rungs, how, otherwise)


def refusing_parameter(name: str, how: Script, otherwise: Script) -> Script:
    """Refuse requests that carry a parameter (`temperature`)."""
    return when(lambda call: name in call.body, how, otherwise)


def limited(tokens: int, how: Script, otherwise: Script) -> Script:
    """Refuse requests that are longer than the model can read, by four characters a token."""
    return when(lambda call: call.characters > tokens * CHARACTERS_A_TOKEN, how, otherwise)


def _completion(call: Call, choices: list[dict[str, Any]] | None, usage: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": f"chatcmpl-{call.number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": call.body.get("model", ""),
    }
    if choices is not None:
        told["choices"] = choices
    return {**told, "usage": dict(usage)} if usage else told


def _bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
