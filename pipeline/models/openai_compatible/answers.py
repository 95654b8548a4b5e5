"""Owns how the body of a chat completion becomes a reply; pure, and prepared for everything that came with a 200.

The libraries' own parsing is not used: it fails with tracebacks where a proxy answers something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.models.openai_compatible.vendor_errors import VendorError, error_of, parse_json

if TYPE_CHECKING:
    from pipeline.models.model import Ending
    from pipeline.observations.observation import Json

_LENGTH: Final = frozenset(("length", "max_tokens", "model_length"))
_FILTER: Final = frozenset(("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "sensitive"))
_MOST_TOKENS: Final = 1_000_000_000
"""A count above this is no count."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said, how it ended, and the tokens that the endpoint counted; None for what it did not count."""

    text: str
    ending: Ending
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class Failed:
    """An error that came as an answer."""

    error: VendorError


@dataclass(frozen=True, slots=True)
class Odd:
    """What came instead of a completion, in words of our own. `cut` says that it is the beginning of one."""

    what: str
    cut: bool = False


def read_answer(body: bytes) -> Said | Failed | Odd:
    """Read the body of an answer with status 200."""
    if not body.strip():
        return Odd("an empty body")
    try:
        value = parse_json(body)
    except ValueError:
        return _not_json(body)
    return _of_object(value) if isinstance(value, dict) else Odd(f"JSON that is {_kind(value)}, not an object")


def _of_object(value: dict[str, Json]) -> Said | Failed | Odd:
    choices = value.get("choices")
    if isinstance(choices, list) and choices:
        return _of_choice(choices[0], value.get("usage"))
    if value.get("error"):
        return Failed(error_of(value))
    if "choices" not in value:
        return Odd("an object without choices")
    return Odd("no choices" if choices == [] else f"choices that are {_kind(choices)}")


def _not_json(body: bytes) -> Odd:
    start = body.lstrip()[:200].lower()
    if start.startswith(b"<"):
        return Odd("a web page instead of JSON")
    if start.startswith((b"data:", b"event:")):
        return Odd("a stream of events that was not asked for")
    if start.startswith(b"{") and not body.rstrip().endswith(b"}"):
        return Odd("the beginning of a JSON object", cut=True)
    return Odd("text that is not JSON")


def _of_choice(choice: Json, usage: Json) -> Said | Failed | Odd:
    if not isinstance(choice, dict):
        return Odd(f"a choice that is {_kind(choice)}")
    if isinstance(choice.get("error"), dict):
        return Failed(error_of(choice))
    message = choice.get("message")
    if not isinstance(message, dict):
        return Odd("a choice without a message" if message is None else f"a message that is {_kind(message)}")
    parts = _parts(message.get("content"))
    if parts is None:
        return Odd(f"content that is {_kind(message.get('content'))} of an unknown form")
    text, declined = parts
    refusal = message.get("refusal")
    reason = choice.get("finish_reason")
    refused = refusal if isinstance(refusal, str) and refusal.strip() else declined
    ending = _ending(reason.lower() if isinstance(reason, str) else "", refused=bool(refused))
    return Said(
        refused or text,
        ending,
        _count(usage, "prompt_tokens", "input_tokens"),
        _count(usage, "completion_tokens", "output_tokens"),
    )


def _parts(content: Json) -> tuple[str, str] | None:
    """Give the text and the refusal of a message's content, a text or a list of parts; None for any other form.

    Parts that hold reasoning are left out, as is the field that some servers have for it.
    """
    if content is None:
        return "", ""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        return None
    texts, refusals = list[str](), list[str]()
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            text, refusal = part.get("text"), part.get("refusal")
            if isinstance(text, str) and part.get("type", "text") in {"text", "output_text"}:
                texts.append(text)
            if isinstance(refusal, str):
                refusals.append(refusal)
        else:
            return None
    return "".join(texts), "".join(refusals).strip()


def _ending(reason: str, *, refused: bool) -> Ending:
    if refused or reason == "refusal":
        return "refusal"
    if reason in _FILTER:
        return "filter"
    return "length" if reason in _LENGTH else "stop"


def _count(usage: Json, *names: str) -> int | None:
    if isinstance(usage, dict):
        for name in names:
            value = usage.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS:
                return value
    return None


def _kind(value: Json) -> str:
    named = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return named.get(type(value), "null")
