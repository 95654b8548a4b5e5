"""What kind of fault an error is: a table of vendors' wordings, and properties of all errors."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.openai_compatible.answers import Failed, Odd, Said, read_answer
from pipeline.models.openai_compatible.faults import FATAL, HEALS, PARAMETERS, classify
from pipeline.models.openai_compatible.vendor_errors import VendorError, read_error

ALL = frozenset((*PARAMETERS, "response_format"))
BARE: frozenset[str] = frozenset()
FORMAT = ("rung", "response_format")
NEW_LIMIT = ("parameter", "max_completion_tokens")


def body(message: str = "", **more: object) -> bytes:
    return json.dumps({"error": {"message": message, **more}}).encode()


@pytest.mark.parametrize(
    ("status", "sent", "raw", "kind", "parameter"),
    [
        # parameters
        (
            400,
            ALL,
            body("Unsupported value: 'temperature' does not support 0", param="temperature"),
            "parameter",
            "temperature",
        ),
        (400, ALL, body("temperature is deprecated for this model"), "parameter", "temperature"),
        (400, ALL, body("Unrecognized request argument supplied: max_completion_tokens"), *NEW_LIMIT),
        (422, ALL, b'{"detail":[{"loc":["body","max_completion_tokens"],"msg":"Extra inputs"}]}', *NEW_LIMIT),
        (
            400,
            frozenset({"max_tokens"}),
            body("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'", param="max_tokens"),
            "parameter",
            "max_tokens",
        ),
        (
            400,
            frozenset({"max_tokens"}),
            body("max_tokens is too large: 64000. This model's maximum context length is 8192"),
            "parameter",
            "max_tokens",
        ),
        (400, BARE, body("temperature must be below 1", param="temperature"), "invalid", "temperature"),
        (400, ALL, body("the text 'temperature' is odd", param="messages"), "invalid", "messages"),
        # ways of asking
        (
            400,
            ALL,
            body(
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported", param="response_format"
            ),
            *FORMAT,
        ),
        (400, ALL, body("This response_format type is unavailable now"), *FORMAT),
        (400, ALL, body("Invalid schema for response_format 'reply'", code="invalid_json_schema"), *FORMAT),
        (400, ALL, body("json_schema is not supported by this provider"), *FORMAT),
        (400, ALL, b"'response_format.type' must be 'json_object' or 'text'", *FORMAT),
        (422, ALL, b'{"detail":[{"loc":["body","response_format","type"],"msg":"unexpected value"}]}', *FORMAT),
        (
            500,
            ALL,
            b"{\"error\":{\"message\":\"[{'type': 'literal_error', 'loc': ('body', 'response_format')}]\"}}",
            "rung",
            "",
        ),
        (500, BARE, body("grammar failed"), "passing", ""),
        (503, ALL, body("schema service down"), "passing", ""),
        (500, ALL, b"<html><body xmlns='http://schema.org'>json_schema</body></html>", "passing", ""),
        # length
        (
            400,
            ALL,
            body("This model's maximum context length is 8192 tokens", code="context_length_exceeded"),
            "too_long",
            "",
        ),
        (400, ALL, body("x", type="exceed_context_size_error"), "too_long", ""),
        (500, ALL, body("the request exceeds the available context size"), "too_long", ""),
        (400, ALL, body("The input token count (3000000) exceeds the maximum"), "too_long", ""),
        (400, ALL, b'{"object":"error","message":"prompt is too long","code":400}', "too_long", ""),
        (413, ALL, b"", "too_long", ""),
        (
            429,
            ALL,
            body("Request too large for m on tokens per min (TPM): Limit 30000, Requested 41000"),
            "too_long",
            "",
        ),
        # money and rates
        (
            429,
            ALL,
            body("Rate limit reached for m on tokens per min (TPM): Limit 30000", code="rate_limit_exceeded"),
            "busy",
            "",
        ),
        (
            429,
            ALL,
            body(
                "You exceeded your current quota, please check your plan and billing details",
                status="RESOURCE_EXHAUSTED",
            ),
            "busy",
            "",
        ),
        (429, ALL, body("You exceeded your current quota", type="insufficient_quota"), "quota", ""),
        (429, ALL, body("x", code="billing_not_active"), "quota", ""),
        (403, ALL, body("Insufficient balance"), "quota", ""),
        (402, ALL, b"", "quota", ""),
        # filters
        (400, ALL, body("The response was filtered", code="content_filter"), "filter", ""),
        (403, ALL, body("Your input was flagged; the model requires moderation"), "filter", ""),
        (400, ALL, body("Content Exists Risk"), "filter", ""),
        (400, ALL, body("x", code="data_inspection_failed"), "filter", ""),
        # who and where
        (401, ALL, b"", "credentials", ""),
        (400, ALL, body("API key not valid. Please pass a valid API key."), "credentials", ""),
        (403, ALL, b"nginx", "forbidden", ""),
        (404, ALL, b'{"detail":"Not Found"}', "address", ""),
        (404, ALL, body("The model `m-1` does not exist or you do not have access to it."), "model", ""),
        (404, ALL, b'{"error":"model not found, try pulling it first"}', "model", ""),
        (410, ALL, b"", "address", ""),
        (302, ALL, b"", "moved", ""),
        # the endpoint's own trouble
        *((status, ALL, b"", "passing", "") for status in (408, 409, 425, 500, 502, 503, 504, 520, 524, 529)),
        (429, ALL, b"", "busy", ""),
        # the rest
        (400, ALL, b"", "invalid", ""),
        (422, ALL, b"null", "invalid", ""),
        (451, ALL, body("x"), "invalid", ""),
    ],
)
def test_vendors_wordings(status: int, sent: frozenset[str], raw: bytes, kind: str, parameter: str) -> None:
    fault = classify(status, read_error(raw), sent)

    assert (fault.kind, fault.parameter) == (kind, parameter)
    assert fault.status == status


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b'{"error": {"message": "M", "type": "t", "code": "c", "param": "p"}}', VendorError("c", "t", "p", "m")),
        (
            b'[{"error": {"code": 429, "message": "m", "status": "EXHAUSTED"}}]',
            VendorError("", "EXHAUSTED", "", "m", 429),
        ),
        (
            b'{"object": "error", "message": "m", "type": "BadRequestError", "code": 400}',
            VendorError("", "BadRequestError", "", "m", 400),
        ),
        (b'{"error": "Overloaded"}', VendorError("Overloaded", text="overloaded")),
        (b'{"detail": "Not Found"}', VendorError(text="not found")),
        (b'{"error": {"code": "502", "message": "m"}}', VendorError(text="m", status=502)),
        (b'{"error": {"code": "two words", "type": "<b>", "param": "a\\nb"}}', VendorError()),
        (b'{"error": {"code": true, "type": 5, "param": [1]}}', VendorError()),
        (b"plain words", VendorError(text="plain words")),
        (b"<html>words", VendorError()),
        (b"", VendorError()),
        (b"[]", VendorError()),
        (b"null", VendorError()),
        (b"\xff\xfe", VendorError(text="\ufffd\ufffd")),
    ],
)
def test_bodies_of_errors(raw: bytes, error: VendorError) -> None:
    assert read_error(raw) == error


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["error", "message", "code", "type", "param", "detail", "loc", "msg", "choices", "content", "text"]
            )
            | st.sampled_from(["finish_reason", "refusal", "usage", "prompt_tokens", "innererror", "status"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.integers(100, 599), JSON)
def test_any_error_has_a_kind_and_tells_short_names_alone(status: int, value: object) -> None:
    fault = classify(status, read_error(json.dumps(value).encode()), ALL)

    assert len(fault.code) <= 60
    assert len(fault.parameter) <= 60
    assert fault.code.isascii()
    if status in {401, 404}:
        assert fault.kind in FATAL | {"filter"}
    if status in {502, 503, 504}:
        assert fault.kind in HEALS | {"quota", "filter"}


@given(JSON | st.dictionaries(st.just("choices"), st.lists(JSON, min_size=1, max_size=2), min_size=1))
def test_any_json_is_read_as_an_answer(value: object) -> None:
    assert isinstance(read_answer(json.dumps(value).encode()), (Said, Failed, Odd))


@given(st.binary(max_size=200))
def test_any_bytes_are_read(raw: bytes) -> None:
    assert isinstance(read_answer(raw), (Said, Failed, Odd))
    assert isinstance(read_error(raw), VendorError)


def test_a_body_of_a_megabyte_is_read_at_once() -> None:
    for raw in (b"{" * 1_000_000, b'{"error": "' + b"max context " * 100_000 + b'"}', b"[" * 1_000_000):
        classify(400, read_error(raw), ALL)
        assert isinstance(read_answer(raw), (Failed, Odd))
