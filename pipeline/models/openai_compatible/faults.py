"""Owns what kind of fault an endpoint's answer is, as a pure function of what came; knows no network and no wording.

Vendors say the same in many ways, so codes go before words, and words are looked for only where a code says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.models.openai_compatible.vendor_errors import VendorError

Kind = Literal[
    "busy",  # too many requests; heals
    "passing",  # the endpoint's own trouble with this request, or an answer that did not arrive; heals
    "unreachable",  # nobody is there at all; heals
    "credentials",
    "forbidden",
    "address",
    "model",
    "quota",
    "moved",
    "certificate",
    "too_long",  # the request is longer than the model reads
    "filter",  # a content filter took the request or its answer away
    "rung",  # replies cannot be asked for in this way
    "parameter",  # a parameter that the model does not take
    "invalid",
]

HEALS: Final[frozenset[Kind]] = frozenset(("busy", "passing", "unreachable"))
"""What is worth another try."""
FATAL: Final[frozenset[Kind]] = frozenset(
    ("credentials", "forbidden", "address", "model", "quota", "moved", "certificate")
)
"""What no other request of the run would fare better with."""

PARAMETERS: Final = ("temperature", "max_completion_tokens", "max_tokens")
FORMAT: Final = "response_format"

_QUOTA_CODES: Final = re.compile(
    r"insufficient_quota|insufficient[_ ]balance|billing_[a-z_]+|quota_exceeded_permanently|credits?_exhausted",
    re.IGNORECASE,
)
_QUOTA_WORDS: Final = ("credit balance", "insufficient balance", "insufficient credits", "insufficient_quota")
_FILTER_CODES: Final = frozenset(
    ("content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed")
)
_FILTER_WORDS: Final = ("content management policy", "content exists risk", "requires moderation", "was flagged")
_LONG_CODES: Final = frozenset(
    ("context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "request_too_large")
)
_LONG_WORDS: Final = (
    *("context length", "context window", "context size", "prompt is too long", "input is too long"),
    *("too many tokens", "reduce the length", "request too large", "exceeds the maximum number of tokens"),
    *("input token count", "prompt contains too many"),
)
_MODEL_CODES: Final = frozenset(("model_not_found", "invalid_model", "unknown_model", "model_not_available"))
_MODEL_WORDS: Final = ("not a valid model", "model not found", "unknown model")
_KEY_CODES: Final = frozenset(("invalid_api_key", "authentication_error"))
_KEY_WORDS: Final = ("api key not valid", "invalid api key")
_FORMAT_WORDS: Final = re.compile(
    r"response_?format|json_?schema|json_?object|json mode|structured[ _]outputs?|\bschema\b|\bgrammar\b", re.IGNORECASE
)

_NAMED_STATUS: Final = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "too_many_requests": 429,
    "overloaded_error": 529,
    "overloaded": 529,
    "server_error": 500,
    "internal_server_error": 500,
    "service_unavailable": 503,
    "insufficient_quota": 429,
}
"""The status that an error has by its name, where it came with a 200."""

_TOO_MANY, _PAYMENT, _TOO_LARGE, _SERVER = 429, 402, 413, 500
_PASSING_STATUSES: Final = frozenset((408, 409, 425))
_ADDRESS_STATUSES: Final = frozenset((404, 405, 410))


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong with one call. `code` and `parameter` are the vendor's short names, to be scrubbed and shown.

    `status` is 0 when no answer came; `detail` then says what happened instead, and holds nothing from outside.
    """

    kind: Kind
    status: int = 0
    code: str = ""
    parameter: str = ""
    detail: str = ""


_NO_ROUTE_WORDS: Final = ("requested parameters",)
"""A router that knows no provider for what was asked says so with a 404."""


def status_within(error: VendorError) -> int:
    """Find the status of an error that came as a 200: what its body gives, or what its name stands for; else 0."""
    return error.status or _NAMED_STATUS.get(error.code.lower(), 0) or _NAMED_STATUS.get(error.kind.lower(), 0)


def classify(status: int, error: VendorError, sent: Collection[str]) -> Fault:
    """Tell what kind of fault an answer with an error is; `sent` names the optional fields of the request."""
    kind, parameter = _kind(status, error, sent)
    return Fault(kind, status, error.name, parameter or error.parameter)


def _kind(status: int, error: VendorError, sent: Collection[str]) -> tuple[Kind, str]:
    if status < 400:  # noqa: PLR2004  # what is neither an answer nor an error sends the request elsewhere
        return "moved", ""
    for kind in (_money(status, error), _taken_away(error)):
        if kind:
            return kind, ""
    if status >= _SERVER or status == _TOO_MANY or status in _PASSING_STATUSES:
        return _of_the_server(status, error, sent), ""
    plain: dict[int, Kind] = {401: "credentials", 403: "forbidden", _TOO_LARGE: "too_long"}
    if status in plain:
        return plain[status], ""
    if status in _ADDRESS_STATUSES:
        return _of_the_address(error, sent)
    return _of_the_request(error, sent)


def _money(status: int, error: VendorError) -> Kind | None:
    """Tell a spent account from a rate limit; some vendors use the word "billing" for both, so words count for less."""
    if status == _PAYMENT or _QUOTA_CODES.fullmatch(error.code) or _QUOTA_CODES.fullmatch(error.kind):
        return "quota"
    worded = status != _TOO_MANY and status < _SERVER and _holds(error, _QUOTA_WORDS)
    return "quota" if worded else None


def _taken_away(error: VendorError) -> Kind | None:
    named = {error.code.lower(), error.kind.lower()} & _FILTER_CODES
    return "filter" if named or _holds(error, _FILTER_WORDS) else None


def _of_the_server(status: int, error: VendorError, sent: Collection[str]) -> Kind:
    if status in {_TOO_MANY, _SERVER} and _is_too_long(error):
        return "too_long"
    if status == _TOO_MANY:
        return "busy"
    if FORMAT in sent and status in {500, 501} and _FORMAT_WORDS.search(error.text):
        return "rung"
    return "passing"


def _of_the_address(error: VendorError, sent: Collection[str]) -> tuple[Kind, str]:
    if FORMAT in sent and _holds(error, _NO_ROUTE_WORDS):
        return "rung", FORMAT
    return ("model" if _is_about_the_model(error) else "address"), ""


def _of_the_request(error: VendorError, sent: Collection[str]) -> tuple[Kind, str]:
    refused = _refused_parameter(error, sent)
    if refused:
        return "parameter", refused
    if _is_too_long(error):
        return "too_long", ""
    if FORMAT in sent and _FORMAT_WORDS.search(f"{error.parameter} {error.code} {error.text}"):
        return "rung", FORMAT
    if error.code.lower() in _KEY_CODES or error.kind.lower() in _KEY_CODES or _holds(error, _KEY_WORDS):
        return "credentials", ""
    return ("model" if _is_about_the_model(error) else "invalid"), ""


def _refused_parameter(error: VendorError, sent: Collection[str]) -> str:
    """Name the parameter that an error is about: the one that it says, else the first that its text names."""
    ours = [name for name in PARAMETERS if name in sent]
    if error.parameter:
        return error.parameter if error.parameter in ours else ""
    return next((name for name in ours if re.search(rf"\b{name}\b", error.text)), "")


def _is_too_long(error: VendorError) -> bool:
    return bool({error.code.lower(), error.kind.lower()} & _LONG_CODES) or _holds(error, _LONG_WORDS)


def _is_about_the_model(error: VendorError) -> bool:
    named = error.code.lower() in _MODEL_CODES or error.parameter == "model"
    return named or _holds(error, _MODEL_WORDS) or bool(re.search(r"\bmodel\b.{0,300}\bdoes not exist", error.text))


def _holds(error: VendorError, words: Collection[str]) -> bool:
    return any(word in error.text for word in words)
