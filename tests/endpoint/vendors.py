"""Owns the words in which real servers refuse a call, each as a behaviour; knows no script.

The forms differ more than one would think: a list around the error, a code that is a number, no `error` at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.endpoint.behaviours import limited, rejecting, status, when

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.endpoint.exchange import Behaviour, Script

HTTP_DATE = "Wed, 21 Oct 2015 07:28:00 GMT"
"""Long past, so that waiting for it takes no time."""


def error(
    code: int,
    message: str,
    *,
    kind: str = "invalid_request_error",
    param: str | None = None,
    name: str | int | None = None,
    headers: Mapping[str, str] | None = None,
    **more: object,
) -> Behaviour:
    """Answer with an error in OpenAI's form."""
    return status(code, {"error": {"message": message, "type": kind, "param": param, "code": name, **more}}, headers)


_OPENAI_LENGTH = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens. "
    "Please reduce the length of the messages."
)
_VLLM_LENGTH = (
    "This model's maximum context length is 4096 tokens. However, you requested 5003 tokens in the messages, "
    "Please reduce the length of the messages."
)

TOO_LONG: dict[str, Behaviour] = {
    "openai": error(400, _OPENAI_LENGTH, param="messages", name="context_length_exceeded"),
    "openai responses": error(
        400,
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        param="input",
        name="context_length_exceeded",
    ),
    "vllm": status(
        400,
        {"object": "error", "message": _VLLM_LENGTH, "type": "BadRequestError", "param": None, "code": 400},
    ),
    "vllm, newer": error(400, _VLLM_LENGTH, kind="BadRequestError", name=400),
    "llama.cpp": status(
        400,
        {
            "error": {
                "code": 400,
                "message": "request (9120 tokens) exceeds the available context size (8192 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 9120,
                "n_ctx": 8192,
            }
        },
    ),
    "llama.cpp, older": error(500, "Context size has been exceeded.", kind="server_error", name=500),
    "llama-cpp-python": error(
        400,
        "This model's maximum context length is 512 tokens. However, you requested 600 tokens (600 in the messages, "
        "None in the completion). Please reduce the length of the messages or completion.",
        param="messages",
        name="context_length_exceeded",
    ),
    "llama-cpp-python, unmatched": error(
        500, "Requested tokens (600) exceed context window of 512", kind="internal_server_error"
    ),
    "anthropic": error(400, "prompt is too long: 210000 tokens > 200000 maximum"),
    "openrouter": status(
        400,
        {
            "error": {
                "message": "This endpoint's maximum context length is 131072 tokens. However, you requested about "
                "150000 tokens (150000 of text input). Please reduce the length of either one.",
                "code": 400,
                "metadata": {"provider_name": None},
            }
        },
    ),
    "gemini": status(
        400,
        [
            {
                "error": {
                    "code": 400,
                    "message": "The input token count (1200000) exceeds the maximum number of tokens allowed.",
                    "status": "INVALID_ARGUMENT",
                }
            }
        ],
    ),
    "mistral": status(
        400,
        {
            "object": "error",
            "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum "
            "context length",
            "type": "invalid_request_prompt",
            "param": None,
            "code": "3051",
        },
    ),
    "too large a request": error(
        413, "Request too large for model: Limit 8000, Requested 9120.", kind="tokens", name="request_too_large"
    ),
}
"""The request is longer than the model can read: the same request never heals."""

NO_SCHEMA: dict[str, Behaviour] = {
    "openai": error(
        400,
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        param="response_format",
    ),
    "schema": error(
        400,
        "Invalid schema for response_format 'reply': In context=(), 'additionalProperties' is required to be supplied.",
        param="response_format",
    ),
    "deepseek": error(400, "This response_format type is unavailable now", name="invalid_request_error"),
    "llama.cpp": error(400, 'Either "json_schema" or "grammar" can be specified, but not both', name=400),
    "llama.cpp, schema": error(400, "failed to parse grammar", name=400),
    "llama-cpp-python": error(
        500,
        "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or "
        "'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}]",
        kind="internal_server_error",
    ),
    "fastapi": status(
        422,
        {
            "detail": [
                {
                    "type": "literal_error",
                    "loc": ["body", "response_format", "type"],
                    "msg": "Input should be 'text' or 'json_object'",
                    "input": "json_schema",
                }
            ]
        },
    ),
    "openrouter": status(
        404, {"error": {"message": "No endpoints found that can handle the requested parameters.", "code": 404}}
    ),
}
"""A reply cannot be asked for by a schema; without one it can."""

NO_OBJECT: dict[str, Behaviour] = {
    "lm studio": status(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}),
    "openai, without the word": error(
        400,
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        param="messages",
    ),
    "openai": error(
        400,
        "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.",
        param="response_format",
    ),
}
"""A reply cannot be asked for as any JSON object."""

NO_PARAMETER: dict[str, tuple[str, Behaviour]] = {
    "temperature": (
        "temperature",
        error(
            400,
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is "
            "supported.",
            param="temperature",
            name="unsupported_value",
        ),
    ),
    "temperature, newer": (
        "temperature",
        error(400, "`temperature` is deprecated for this model."),
    ),
    "max_tokens": (
        "max_tokens",
        error(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
            "instead.",
            param="max_tokens",
            name="unsupported_parameter",
        ),
    ),
    "max_completion_tokens": (
        "max_completion_tokens",
        error(400, "Unrecognized request argument supplied: max_completion_tokens"),
    ),
    "max_completion_tokens, typed": (
        "max_completion_tokens",
        status(
            422,
            {"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"], "msg": "Extra inputs"}]},
        ),
    ),
    "seed": ("seed", error(400, "Unknown parameter: 'seed'.", param="seed", name="unknown_parameter")),
}
"""The parameter that is not taken, and how that is said."""


def rate_limited(retry_after: str | None = "1", *, code: int = 429) -> Behaviour:
    """Ask for patience; `retry_after` in seconds or as an HTTP date."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    told = "Rate limit reached for requests per min. Please try again in 1s."
    return error(code, told, kind="requests", name="rate_limit_exceeded", headers=headers)


QUOTA = error(
    429,
    "You exceeded your current quota, please check your plan and billing details.",
    kind="insufficient_quota",
    name="insufficient_quota",
)
"""Looks like a rate limit, and never heals."""
NO_CREDITS = status(402, {"error": {"message": "Insufficient credits", "code": 402}})
NO_KEY = error(401, "Incorrect API key provided: sk-wron**********key0.", name="invalid_api_key")
FORBIDDEN = error(403, "Your project does not have access to model `small`.", name="model_not_found")
NO_MODEL = error(404, "The model `small` does not exist or you do not have access to it.", name="model_not_found")
GONE = error(410, "The model `small` has been retired.", name="model_retired")

FAULTS: dict[int, Behaviour] = {
    408: error(408, "Request timeout.", kind="timeout"),
    409: error(409, "The resource is locked.", kind="conflict"),
    500: error(500, "The server had an error while processing your request. Sorry about that!", kind="server_error"),
    502: status(502, {"error": {"message": "Bad gateway", "code": 502}}),
    503: error(503, "The engine is currently overloaded, please try again later.", kind="server_error"),
    504: error(504, "Upstream request timeout", kind="server_error"),
    529: status(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
}
"""What may heal."""


def llama_cpp_python(good: Script, *, window: int = 1_000_000) -> Script:
    """Do as a llama-cpp-python server: no `json_schema`, told with status 500, and a context window in tokens."""
    fitting = limited(window, TOO_LONG["llama-cpp-python"], good)
    return rejecting({"json_schema"}, NO_SCHEMA["llama-cpp-python"], fitting)


def llama_server(good: Script, prose: Script, *, window: int = 1_000_000) -> Script:
    """Do as a llama.cpp server: a schema holds, `json_object` without one is ignored, and a window in tokens."""
    loose = when(lambda call: call.schema is None and call.rung == "json_object", prose, good)
    return limited(window, TOO_LONG["llama.cpp"], loose)
