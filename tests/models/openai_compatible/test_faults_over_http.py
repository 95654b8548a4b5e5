"""What goes wrong with an endpoint, over real HTTP: what is repeated, what is not, what is told, and each call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import InvalidReply, ModelError, Truncated, Unavailable
from tests.models.openai_compatible.scripted import HEAD, KEY, Answer, a_model, a_request, error, said, serving

if TYPE_CHECKING:
    from pathlib import Path

BODY = json.dumps(said().body).encode()


def overloaded(headers: dict[str, str] | None = None) -> Answer:
    return error(503, "busy", headers)


@pytest.mark.parametrize(
    "fault",
    [
        *(error(status) for status in (408, 409, 429, 500, 502, 503, 520, 529)),
        Answer(200, {"error": {"code": 429, "message": "slow down"}}),
        Answer(200, {"error": {"code": "502", "message": "bad gateway"}}),
        Answer(200, {"error": {"type": "overloaded_error", "message": "later"}}),
        Answer(200, {"choices": [{"error": {"code": 502, "message": "cut"}, "finish_reason": "error"}]}),
        Answer(raw=(HEAD + f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY[:30],)),
        Answer(raw=(HEAD + b"Connection: close\r\n\r\n" + BODY[:30],)),
        Answer(raw=(HEAD + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"cho\r\n',)),
        Answer(raw=(b"gibberish\r\n\r\n",)),
        Answer(502, b"<html><body>Bad gateway: response_format json_schema</body></html>"),
    ],
)
def test_a_passing_fault_is_repeated_after_a_back_off(tmp_path: Path, fault: Answer) -> None:
    with serving(lambda number, _: fault if number < 3 else said()) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        assert bench.model.complete(a_request()).text == '{"updates": []}'

    assert endpoint.rungs == ["json_schema"] * 3
    assert (bench.model.spent.calls, bench.model.spent.retries) == (3, 2)
    assert bench.time.slept == [0.5, 1.0]


def test_a_dead_connection_is_repeated_and_named(tmp_path: Path) -> None:
    with serving(lambda *_: said()) as endpoint:
        pass
    bench = a_model(endpoint.address, tmp_path, retries=2)
    with pytest.raises(Unavailable, match="did not answer: Connection refused, 3 times"):
        bench.model.complete(a_request())
    assert bench.model.spent.calls == 3


@pytest.mark.parametrize(
    ("headers", "slept"),
    [
        ({"Retry-After": "7"}, [7.0]),
        ({"Retry-After": "7", "retry-after-ms": "1500"}, [1.5]),
        ({"Retry-After": "120"}, [120.0]),
        ({"Retry-After": "soon"}, [0.5]),
        ({"Retry-After": "-3"}, [0.5]),
        ({"Retry-After": "nan"}, [0.5]),
        ({"Retry-After": "0"}, [0.5]),
    ],
)
def test_the_time_that_the_endpoint_asks_for_is_waited(
    tmp_path: Path, headers: dict[str, str], slept: list[float]
) -> None:
    with serving(lambda number, _: error(429, headers=headers) if number == 1 else said()) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        bench.model.complete(a_request())

    assert bench.time.slept == slept
    assert len(endpoint.asked) == 2
    assert len(bench.told) == (slept[0] > 5)


def test_a_longer_time_ends_the_run_at_once_and_is_told(tmp_path: Path) -> None:
    with serving(lambda *_: overloaded({"Retry-After": "1800"})) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        for _ in range(3):
            with pytest.raises(Unavailable, match="come back in 30 minutes"):
                bench.model.complete(a_request())

    assert len(endpoint.asked) == 1
    assert bench.time.slept == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error(401, "Incorrect API key provided", code="invalid_api_key"), "OPENAI_API_KEY"),
        (error(403, "no", type="permission_error"), "OPENAI_API_KEY"),
        (error(404, "page not found"), "model.base_url"),
        (error(404, "The model `m-1` does not exist", code="model_not_found"), "Check model.name."),
        (error(400, "m-1 is not a valid model ID"), "Check model.name."),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), "credit"),
        (error(429, "x", code="billing_hard_limit_reached"), "credit"),
        (error(402, "Insufficient Balance"), "credit"),
        (error(400, "Your credit balance is too low"), "credit"),
        (Answer(200, {"error": {"code": "insufficient_quota", "message": "x"}}), "credit"),
        (Answer(307, b"", {"Location": f"http://127.0.0.1:1/v1?key={KEY}"}), "model.base_url"),
    ],
)
def test_what_no_request_fares_better_with_ends_the_run_after_one_call(
    tmp_path: Path, answer: Answer, told: str
) -> None:
    with serving(lambda *_: answer) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        for _ in range(3):
            with pytest.raises(Unavailable, match=told) as caught:
                bench.model.complete(a_request())
            assert caught.value.next_step

    assert len(endpoint.asked) == 1
    assert bench.time.slept == []
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        (
            error(400, "maximum context length is 8192 tokens", code="context_length_exceeded"),
            Truncated,
            "budget.total",
        ),
        (error(400, "the request exceeds the available context size"), Truncated, "budget.total"),
        (error(413, "too big"), Truncated, "budget.total"),
        (error(429, "Request too large for m-1 on tokens per min"), Truncated, "budget.total"),
        (error(400, "bad", code="invalid_value", param="messages"), InvalidReply, r"400 \(invalid_value, messages\)"),
        (Answer(422, {"detail": [{"loc": ["body", "messages"], "msg": "bad"}]}), InvalidReply, r"422 \(messages\)"),
        (Answer(200, b""), InvalidReply, "an empty body"),
        (Answer(200, b"<!doctype html><p>Welcome"), InvalidReply, "a web page"),
        (Answer(200, b"hello"), InvalidReply, "not JSON"),
        (Answer(200, b"data: {}\n\n"), InvalidReply, "a stream"),
        (Answer(200, b"[" * 100_000), InvalidReply, "not JSON"),
        (Answer(200, []), InvalidReply, "a list"),
        (Answer(200, {}), InvalidReply, "without choices"),
        (Answer(200, {"choices": []}), InvalidReply, "no choices"),
        (Answer(200, {"choices": None}), InvalidReply, "choices that are null"),
        (Answer(200, {"choices": {"0": 1}}), InvalidReply, "choices that are an object"),
        (Answer(200, {"choices": ["x"]}), InvalidReply, "a choice that is a text"),
        (Answer(200, {"choices": [{}]}), InvalidReply, "without a message"),
        (Answer(200, {"choices": [{"message": 5}]}), InvalidReply, "a message that is a number"),
        (said({"a": 1}), InvalidReply, "content that is an object"),
        (said([1]), InvalidReply, "content that is a list"),
        (Answer(200, {"error": {"message": "something", "code": "weird"}}), InvalidReply, r"200 \(weird\)"),
        (Answer(200, {"error": "something"}), InvalidReply, "answered 200"),
    ],
)
def test_what_is_wrong_with_one_request_costs_one_call(
    tmp_path: Path, answer: Answer, kind: type[ModelError], told: str
) -> None:
    with serving(lambda *_: answer) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        with pytest.raises(kind, match=told):
            bench.model.complete(a_request())
        with pytest.raises(kind):
            bench.model.complete(a_request())

    assert len(endpoint.asked) == 2
    assert bench.model.spent.retries == 0


@pytest.mark.parametrize(
    ("answer", "text", "ending"),
    [
        (said('{"a"', "length"), '{"a"', "length"),
        (said(None, "stop", refusal="I will not."), "I will not.", "refusal"),
        (said([{"type": "refusal", "refusal": "No."}]), "No.", "refusal"),
        (said("", "content_filter"), "", "filter"),
        (error(400, "filtered", code="content_filter"), "", "filter"),
        (error(400, "x", innererror={"code": "ResponsibleAIPolicyViolation"}), "", "filter"),
        (said([{"type": "text", "text": '{"a": '}, {"type": "text", "text": "1}"}]), '{"a": 1}', "stop"),
        (said([{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "{}"}]), "{}", "stop"),
        (said("{}", "stop", reasoning_content="let me think {"), "{}", "stop"),
        (said(None), "", "stop"),
        (said("", None), "", "stop"),
    ],
)
def test_how_replies_end(tmp_path: Path, answer: Answer, text: str, ending: str) -> None:
    with serving(lambda *_: answer) as endpoint:
        reply = a_model(endpoint.address, tmp_path).model.complete(a_request())

    assert (reply.text, reply.ending) == (text, ending)
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": "many"}, {"prompt_tokens": True}, [1], {"prompt_tokens": -1}]
)
def test_tokens_that_are_not_counted_are_estimated(tmp_path: Path, usage: object) -> None:
    body = {"choices": [{"message": {"content": "some words here"}, "finish_reason": "stop"}], "usage": usage}
    with serving(lambda *_: Answer(200, body)) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        reply = bench.model.complete(a_request())

    assert reply.usage.input_tokens > 100
    assert 3 <= reply.usage.output_tokens < 12
    assert bench.model.spent.input_tokens == reply.usage.input_tokens
