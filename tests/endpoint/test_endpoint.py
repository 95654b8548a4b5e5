"""The fake endpoint: each behaviour once, over real HTTP, and what it records of a request."""

from __future__ import annotations

import json
import threading
import time
from http.client import HTTPConnection, IncompleteRead, RemoteDisconnected
from typing import TYPE_CHECKING, Any, Self

import pytest

from pipeline.prompt import messages, reply_schema
from tests.drafts_read import read_batch
from tests.endpoint import behaviours as does
from tests.endpoint import vendors
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.server import Endpoint
from tests.endpoint.sessions import CACHE, batch_request, seen, window_of

if TYPE_CHECKING:
    from tests.endpoint.exchange import Behaviour, Script

FINE = does.answer("fine")


class Client:
    """A connection that is kept open, as a client's pool does."""

    def __init__(self, endpoint: Endpoint, timeout: float = 5) -> None:
        self.http = HTTPConnection("127.0.0.1", endpoint.port, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def ask(self, body: object = None, *, path: str = "/v1/chat/completions", **headers: str) -> tuple[int, bytes]:
        told = {"model": "small", "messages": [{"role": "user", "content": "hello"}]} if body is None else body
        self.http.request("POST", path, json.dumps(told), {"Content-Type": "application/json", **headers})
        answer = self.http.getresponse()
        self.headers = answer.headers
        return answer.status, answer.read()

    def get(self, path: str) -> tuple[int, Any]:
        self.http.request("GET", path)
        answer = self.http.getresponse()
        return answer.status, json.loads(answer.read())


def asked(script: Script, body: object = None) -> tuple[int, Any]:
    """Ask once and give the status and the JSON that came."""
    with Endpoint(script) as endpoint, Client(endpoint) as client:
        status, told = client.ask(body)
        assert endpoint.calls[0].status == status
    return status, json.loads(told)


def test_an_answer_has_the_form_of_a_completion() -> None:
    assert asked(does.answer("Grüße")) == (
        200,
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "small",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "Grüße", "refusal": None},
                    "finish_reason": "stop",
                    "logprobs": None,
                }
            ],
            "usage": {"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4},
        },
    )


@pytest.mark.parametrize(
    ("script", "finish", "message"),
    [
        (does.length("{"), "length", {"content": "{"}),
        (does.refusal("no"), "stop", {"content": None, "refusal": "no"}),
        (does.content_filter(), "content_filter", {"content": None}),
        (does.content_null(), "stop", {"content": None}),
        (does.list_content("ab"), "stop", {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
        (does.reasoning_content("a", "hm"), "stop", {"content": "a", "reasoning_content": "hm", "reasoning": "hm"}),
        (does.usage_missing("a"), "stop", {"content": "a"}),
    ],
)
def test_answers_that_end_otherwise(script: Script, finish: str, message: dict[str, Any]) -> None:
    status, told = asked(script)

    assert status == 200
    assert told["choices"][0]["finish_reason"] == finish
    assert told["choices"][0]["message"] == {"role": "assistant", "refusal": None, **message}


def test_odd_answers_with_status_200() -> None:
    assert asked(does.no_choices())[1]["choices"] == []
    assert "choices" not in asked(does.no_choices(key=False))[1]
    assert "usage" not in asked(does.usage_missing("a"))[1]
    assert asked(does.answer("a", usage={"prompt_tokens": 7}))[1]["usage"] == {"prompt_tokens": 7}
    assert asked(does.error_body_with_200()) == (200, {"error": {"message": "Provider returned error", "code": 502}})


@pytest.mark.parametrize(
    ("script", "kind", "start"),
    [
        (does.html(), "text/html; charset=utf-8", b"<!DOCTYPE html>"),
        (does.html(502), "text/html; charset=utf-8", b"<!DOCTYPE html>"),
        (does.empty_body(), "application/json", b""),
        (does.not_json(), "application/json", b'{"id"'),
        (does.wrong_content_type("a"), "text/plain", b'{"id"'),
    ],
)
def test_bodies_that_are_no_completion(script: Script, kind: str, start: bytes) -> None:
    with Endpoint(script) as endpoint, Client(endpoint) as client:
        status, body = client.ask()
        assert (client.headers["Content-Type"], status) == (kind, endpoint.calls[0].status)
    assert body.startswith(start)
    assert start or not body


@pytest.mark.parametrize("code", vendors.FAULTS)
def test_faults_that_may_heal(code: int) -> None:
    assert asked(vendors.FAULTS[code])[0] == code


def test_errors_in_the_words_of_vendors() -> None:
    for name, script in {**vendors.TOO_LONG, **vendors.NO_SCHEMA, **vendors.NO_OBJECT}.items():
        status, told = asked(script)
        assert (status in {400, 404, 413, 422, 500}, bool(told)) == (True, True), name
    assert asked(vendors.TOO_LONG["openai"])[1]["error"]["code"] == "context_length_exceeded"
    assert asked(vendors.TOO_LONG["gemini"])[1][0]["error"]["status"] == "INVALID_ARGUMENT"
    assert [asked(script)[0] for script in (vendors.NO_KEY, vendors.NO_MODEL, vendors.QUOTA, vendors.NO_CREDITS)] == [
        *(401, 404, 429, 402),
    ]
    assert asked(vendors.QUOTA)[1]["error"]["code"] == "insufficient_quota"


@pytest.mark.parametrize("after", ["2", vendors.HTTP_DATE, None])
def test_a_rate_limit_says_how_long_to_wait(after: str | None) -> None:
    with Endpoint(vendors.rate_limited(after)) as endpoint, Client(endpoint) as client:
        assert client.ask()[0] == 429
        assert client.headers["Retry-After"] == after


@pytest.mark.parametrize("name", vendors.NO_PARAMETER)
def test_a_parameter_is_refused_only_when_it_is_sent(name: str) -> None:
    parameter, how = vendors.NO_PARAMETER[name]
    script = does.refusing_parameter(parameter, how, FINE)

    assert asked(script)[0] == 200
    assert asked(script, {"messages": [], parameter: 0})[0] in {400, 422}


def test_a_slow_answer_comes_late_and_whole() -> None:
    with Endpoint(does.slow(0.2, FINE)) as endpoint, Client(endpoint) as client:
        assert client.ask()[0] == 200
        assert 0.2 <= (endpoint.calls[0].seconds or 0) < 2


def test_a_dripping_answer_comes_piece_by_piece_and_whole() -> None:
    with Endpoint(does.dripping(4_000, does.answer("x" * 1_000))) as endpoint, Client(endpoint) as client:
        started = time.monotonic()
        body = client.ask()[1]
        assert time.monotonic() - started > 0.2
    assert json.loads(body)["choices"][0]["message"]["content"] == "x" * 1_000


def test_a_body_is_cut_and_a_connection_closed() -> None:
    script = does.in_order(does.cut_in_body(FINE), does.close_at_once(), FINE)
    with Endpoint(script) as endpoint, Client(endpoint) as client:
        with pytest.raises(IncompleteRead):
            client.ask()
        client.http.close()
        with pytest.raises(RemoteDisconnected):
            client.ask()
        client.http.close()
        assert client.ask()[0] == 200
        assert [call.answered for call in endpoint.calls] == [False, False, True]


def test_a_call_that_is_never_answered_ends_when_the_client_hangs_up() -> None:
    with Endpoint(does.in_order(does.never(), FINE)) as endpoint:
        with Client(endpoint, timeout=0.2) as client, pytest.raises(TimeoutError):
            client.ask()
        for _ in range(100):
            if endpoint.calls[0].seconds is not None:
                break
            time.sleep(0.02)
        assert not endpoint.calls[0].answered
        with Client(endpoint) as client:
            assert client.ask()[0] == 200
        assert endpoint.most_at_once == 1


def test_closing_ends_what_is_under_way() -> None:
    endpoint = Endpoint(does.never())
    with Client(endpoint) as client:
        client.http.request("POST", "/v1/chat/completions", b"{}")
        while not endpoint.calls:
            time.sleep(0.01)
        started = time.monotonic()
        endpoint.close()
        assert time.monotonic() - started < 2
        with pytest.raises((RemoteDisconnected, ConnectionResetError)):
            client.http.getresponse()


def test_a_request_is_recorded() -> None:
    schema = {"type": "object", "properties": {"ü": {}}}
    body = {
        "model": "small",
        "messages": [{"role": "system", "content": "abc"}, {"role": "user", "content": "dé"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}},
    }
    with Endpoint(FINE) as endpoint, Client(endpoint) as client:
        client.ask(body, Authorization="Bearer key")
        client.ask()
        first, second = endpoint.calls

        assert (first.number, first.method, first.path) == (1, "POST", "/v1/chat/completions")
        assert first.body == body
        assert (first.authorization, second.authorization) == ("Bearer key", "")
        assert (first.rung, second.rung) == ("json_schema", "text")
        assert first.schema == schema
        assert first.characters == 3 + 2 + len('{"type":"object","properties":{"ü":{}}}')
        assert endpoint.characters_sent == first.characters + len("hello")
        assert (first.answered, first.status) == (True, 200)
        assert 0 <= first.at <= second.at
        assert first.connection == second.connection


def test_the_version_in_the_path_may_be_left_out_but_not_doubled() -> None:
    with (
        Endpoint(FINE, models=({"id": "small", "shutdown_date": "2026-12-11"},)) as endpoint,
        Client(endpoint) as client,
    ):
        assert endpoint.url == f"http://127.0.0.1:{endpoint.port}/v1"
        assert client.ask(path="/chat/completions")[0] == 200
        assert client.ask(path="/v1/v1/chat/completions")[0] == 404
        assert client.ask(path="/v1/chat/completions?api-version=1")[0] == 200
        status, told = client.get("/v1/models")
        assert (status, told["object"]) == (200, "list")
        assert told["data"][0]["id"] == "small"
        assert told["data"][0]["shutdown_date"] == "2026-12-11"
        assert client.get("/models")[0] == 200
        assert [call.number for call in endpoint.requests] == [1, 0, 2, 0, 0]
        assert len(endpoint.calls) == 2


def test_the_listing_of_models_may_fail() -> None:
    with Endpoint(FINE, listing=vendors.NO_KEY) as endpoint, Client(endpoint) as client:
        assert client.get("/v1/models")[0] == 401


def test_the_most_calls_at_once_are_counted() -> None:
    def ask(endpoint: Endpoint) -> None:
        with Client(endpoint) as client:
            assert client.ask()[0] == 200

    with Endpoint(does.slow(0.3, FINE)) as endpoint:
        threads = [threading.Thread(target=ask, args=(endpoint,)) for _ in range(8)]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert time.monotonic() - started < 2
        assert endpoint.most_at_once == 8
        assert sorted(call.number for call in endpoint.calls) == list(range(1, 9))


def statuses(script: Script, *bodies: dict[str, Any]) -> list[int]:
    with Endpoint(script) as endpoint, Client(endpoint) as client:
        return [client.ask({"messages": [], **body})[0] for body in bodies]


SCHEMA = {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}}
OBJECT = {"response_format": {"type": "json_object"}}


def test_scripts_choose_by_count() -> None:
    assert statuses(does.in_order(does.status(500), does.status(503), FINE), {}, {}, {}, {}) == [500, 503, 200, 200]
    assert statuses(does.every_nth(3, does.status(500), FINE), *({} for _ in range(7))) == [200, 200, 500] * 2 + [200]


def test_scripts_choose_by_what_is_asked() -> None:
    ladder = does.by_rung(json_schema=does.status(400), json_object=does.status(422), text=FINE)

    assert statuses(ladder, SCHEMA, OBJECT, {}) == [400, 422, 200]
    assert statuses(does.rejecting({"json_schema"}, does.status(400), FINE), SCHEMA, OBJECT, {}) == [400, 200, 200]
    assert statuses(vendors.llama_cpp_python(FINE), SCHEMA, OBJECT, {}) == [500, 200, 200]
    long = {"messages": [{"role": "user", "content": "x" * 500}]}
    assert statuses(vendors.llama_cpp_python(FINE, window=100), long, {}) == [400, 200]
    prose = does.answer("Sure!")
    assert asked(vendors.llama_server(FINE, prose), {"messages": [], **OBJECT})[1]["choices"][0]["message"][
        "content"
    ] == ("Sure!")
    assert statuses(vendors.llama_server(FINE, prose, window=100), long, SCHEMA) == [400, 200]


def test_a_brain_answers_what_the_pipeline_asks() -> None:
    request = batch_request(window_of(CACHE))
    told = [{"role": one.role, "content": one.text} for one in messages(request, schema_in_prompt=False)]
    schema = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": reply_schema(request)}}

    with Endpoint(thinking(obedient)) as endpoint, Client(endpoint) as client:
        status, body = client.ask({"model": "small", "messages": told, "response_format": schema})
        content = json.loads(body)["choices"][0]["message"]["content"]

        assert status == 200
        assert content == obedient(seen(request))
        assert len(read_batch(content).updates) == 4
        assert json.loads(body)["usage"]["prompt_tokens"] == -(-endpoint.characters_sent // 4)


def test_an_error_in_a_script_is_not_lost() -> None:
    def broken(_: object) -> Behaviour:
        raise ZeroDivisionError

    endpoint = Endpoint(broken)
    with Client(endpoint) as client:
        assert client.ask()[0] == 500
    with pytest.raises(ZeroDivisionError):
        endpoint.close()


def test_a_body_that_is_no_json_is_recorded_as_empty() -> None:
    with Endpoint(FINE) as endpoint, Client(endpoint) as client:
        client.http.request("POST", "/v1/chat/completions", b"\xff{")
        assert client.http.getresponse().read()
        assert endpoint.calls[0].body == {}
