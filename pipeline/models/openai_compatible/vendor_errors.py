"""Owns how the bodies of errors are read, whatever their vendor; knows no status and does not judge.

What is told on of a body is a short code and the name of a parameter, never its text: that may quote the request.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

_TELLABLE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.\[\]-]{0,59}", re.ASCII)
_MOST_READ: Final = 4_000
"""Characters of a message in which words are looked for."""
_MOST_ENTRIES: Final = 20
_STATUS: Final = re.compile(r"[45][0-9]{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class VendorError:
    """What an error's body says. `code`, `kind` and `parameter` are short names; `text` is for finding words in."""

    code: str = ""
    kind: str = ""
    parameter: str = ""
    text: str = ""
    """In lower case, at most 4,000 characters; it may quote anything and is never shown."""
    status: int = 0
    """The status that the body itself gives; 0 when it gives none."""

    @property
    def name(self) -> str:
        """The shortest name for the error, to be shown; empty when the vendor gives none."""
        return self.code or self.kind


def parse_json(body: bytes) -> Json:
    """Read JSON; raises `ValueError` for anything else, also for JSON that is nested too deeply."""
    try:
        value: Json = json.loads(body.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def read_error(body: bytes) -> VendorError:
    """Read the body of an error; one that is not JSON gives its text alone, and a web page gives nothing."""
    try:
        value = parse_json(body)
    except ValueError:
        text = body[: _MOST_READ * 4].decode("utf-8", "replace").strip()
        return VendorError() if text.startswith("<") else VendorError(text=text[:_MOST_READ].lower())
    return error_of(value)


def error_of(value: Json) -> VendorError:
    """Read an error that came as JSON: `{"error": {...}}`, `{"detail": ...}`, bare, in a list, or a mere text."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return VendorError(text=_text(value))
    inner = value.get("error")
    if isinstance(inner, str):
        return VendorError(text=_text(inner), code=_name(inner), status=_status(value))
    told = inner if isinstance(inner, dict) else value
    parameter, detail = _detail(told.get("detail"))
    deeper = told.get("innererror")
    nested = deeper.get("code") if isinstance(deeper, dict) else None
    return VendorError(
        code=_name(told.get("code")) or _name(nested),
        kind=_name(told.get("type")) or _name(told.get("status")),
        parameter=_name(told.get("param")) or parameter,
        text=f"{_text(told.get('message'))} {detail} {_text(nested)}".strip()[:_MOST_READ],
        status=_status(told) or _status(value),
    )


def _detail(value: Json) -> tuple[str, str]:
    """Read what validating servers say: a text, or a list of `{"loc": [...], "msg": ...}`."""
    if not isinstance(value, list):
        return "", _text(value)
    parameter, texts = "", list[str]()
    for entry in value[:_MOST_ENTRIES]:
        if isinstance(entry, dict):
            place = entry.get("loc")
            names = [_name(part) for part in place if part != "body"] if isinstance(place, list) else []
            parameter = parameter or next((name for name in names if name), "")
            texts.append(f"{_text(entry.get('msg'))} {' '.join(names)}")
    return parameter, " ".join(texts)


def _name(value: Json) -> str:
    return value if isinstance(value, str) and _TELLABLE.fullmatch(value) else ""


def _text(value: Json) -> str:
    return value[:_MOST_READ].lower() if isinstance(value, str) else ""


def _status(told: dict[str, Json]) -> int:
    for key in ("code", "status", "status_code"):
        value = told.get(key)
        if isinstance(value, (int, str)) and _STATUS.fullmatch(str(value)):
            return int(value)
    return 0
