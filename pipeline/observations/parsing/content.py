"""Owns how a value of a line becomes plain text: cleaned of what no page may hold, nested content flattened.

Knows no field of an observation. Nothing is cut here: secrets are scrubbed first, and that happens later.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

_SUSPECT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours and cursor movements
    r"|\x1b[\]P^_X][^\x07\x1b\n\r]*(?:\x07|\x1b\\)"  # titles, links and other strings for the terminal
    r"|\x1b(?:[ -/]+[0-~]|[78=>cDEHMNOZ])"  # everything shorter
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
_SURROGATES = re.compile(r"[\ud800-\udfff]")

_TEXT_TYPES = frozenset({"text", "input_text", "output_text", "markdown", "paragraph", "user_text", "assistant_text"})
_TEXT_KEYS = ("text", "content", "parts", "value")
_RESULT_TYPES = frozenset({"tool_result", "toolresult", "function_call_output", "functionresponse"})
_LONGEST_NAME = 80


def clean(text: str) -> str:
    """Take out terminal escapes and control characters, except line break and tab; mend lone surrogates.

    Every line break becomes a line feed, and a surrogate without its partner U+FFFD, so that the text can be
    encoded anywhere.
    """
    if not _SUSPECT.search(text):
        return text
    text = _BREAKS.sub("\n", _ESCAPES.sub("", text))
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))


def one_line(text: str) -> str:
    """Clean a text and put it on one line, words apart by one space."""
    return " ".join(clean(text).split())


def clean_json(value: Json) -> Json:
    """Clean every string of a value, keys too; a number that JSON cannot hold becomes `null`."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean_json(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


@dataclass(frozen=True, slots=True)
class Content:
    """A value as text; `only_results` when all of it is what tools gave back."""

    text: str
    only_results: bool = False


def read_content(value: Json) -> Content:
    """Flatten what a line has to say: text blocks joined, other blocks named as `[tool_use: Edit]`, not dumped."""
    blocks = value if isinstance(value, list) else [value]
    texts = [text for text in map(_read_block, blocks) if text]
    results = bool(blocks) and all(isinstance(block, dict) and _type_of(block) in _RESULT_TYPES for block in blocks)
    return Content(clean("\n".join(texts)).strip(), results)


def _read_block(block: Json) -> str:
    if isinstance(block, str):
        return block
    if block is None or isinstance(block, bool):
        return ""
    if isinstance(block, int | float):
        return str(block)
    if isinstance(block, list):
        return "\n".join(text for text in map(_read_block, block) if text)
    kind = _type_of(block)
    if kind in _TEXT_TYPES or (not kind and (not block or any(key in block for key in _TEXT_KEYS))):
        return _read_block(next((block[key] for key in _TEXT_KEYS if block.get(key)), None))
    return _name(block)


def _type_of(block: dict[str, Json]) -> str:
    kind = block.get("type")
    if isinstance(kind, str):
        return kind.strip().lower()
    # Some formats name the kind of a block by its only key: {"functionCall": {"name": ...}}.
    only = next(iter(block), "") if len(block) == 1 else ""
    return "" if only in _TEXT_KEYS else only.lower()


def _name(block: dict[str, Json]) -> str:
    kind = block.get("type")
    inner = block
    if not isinstance(kind, str):
        kind, first = next(iter(block.items()), ("", None))
        inner = first if isinstance(first, dict) else block
    label = _short(kind) or "block"
    subject = next((_short(inner[key]) for key in ("name", "toolName", "tool_name") if key in inner), "")
    failed = block.get("is_error") is True or block.get("isError") is True
    told = ", ".join(part for part in (subject, "error" if failed else "") if part)
    return f"[{label}: {told}]" if told else f"[{label}]"


def _short(value: Json) -> str:
    # A longer name is left out whole: half of it could be half of a secret.
    text = one_line(value) if isinstance(value, str) else ""
    return text if len(text) <= _LONGEST_NAME else ""
