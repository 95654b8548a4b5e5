"""Owns how values are written as YAML; knows nothing of pages and of which keys they use.

A text is quoted whenever some reader of YAML 1.1 or 1.2 would take it for something else. Lines are never wrapped,
values never shared by anchors, and emoji and letters of every script stand as they are.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from yaml import ScalarNode
from yaml.resolver import Resolver

from pipeline.errors import Rejected

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Yaml: TypeAlias = "bool | int | float | str | date | datetime | list[Yaml] | dict[str, Yaml] | None"
"""What front matter can hold."""

LONGEST_KEY = 1_000
"""YAML reads no longer key in its usual form."""

_TEXT_TAG = "tag:yaml.org,2002:str"
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", "nan", "inf"})
_NUMBER_OR_TIME = re.compile(
    r"[-+]?(?:0[xob][\da-f_]+|[\d.][\d_.,:+ -]*(?:e[-+]?\d+)?(?:t[\d:.+-]+z?)?|\.(?:inf|nan))", re.IGNORECASE
)
_MEANS_SOMETHING = re.compile(r":(?=\s|\Z)|\s#|[^\S ]")
_MEANS_SOMETHING_IN_FLOW = re.compile(r"[,\[\]{}]")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PARTS_OF_EMOJI = frozenset("\u200c\u200d") | {chr(tag) for tag in range(0xE0020, 0xE0080)}
_LAST_IN_TWO = 0xFF
_NO_CHARACTER = 0xFFFE
_LAST_IN_FOUR = 0xFFFF
_resolver = Resolver()


def scalar(value: Yaml, *, flow: bool = False) -> str:
    """Write one value that holds no others; `flow` says that it stands between brackets or braces."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return value.isoformat()
    text = str(value)
    return text if not isinstance(value, str) or _is_plain(text, flow=flow) else _quoted(text)


def flow(value: Yaml) -> str:
    """Write a value in one line: `[a, b]`, `{ by: x, at: y }`."""
    if isinstance(value, list):
        return f"[{', '.join(flow(item) for item in value)}]"
    if isinstance(value, dict):
        entries = ", ".join(f"{_key(key)}: {flow(entry)}" for key, entry in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    return scalar(value, flow=True)


def block(mapping: Mapping[str, Yaml], in_flow: Sequence[str] = (), items_in_flow: Sequence[str] = ()) -> list[str]:
    """Write a mapping, a line for each key or item.

    The values of the keys in `in_flow`, and the items of those in `items_in_flow`, take one line each. So do lists
    that hold no mapping; everything else takes a line for each of its parts.
    """
    lines: list[str] = []
    for key, value in mapping.items():
        head = f"{_key(key)}:"
        if isinstance(value, dict) and value and key not in in_flow:
            lines += [head, *(f"  {line}" for line in block(value))]
        elif isinstance(value, list) and key not in in_flow and any(isinstance(item, dict) for item in value):
            lines.append(head)
            for item in value:
                lines += _item(item, in_one_line=key in items_in_flow)
        else:
            lines.append(f"{head} {flow(value) if isinstance(value, list | dict) else scalar(value)}")
    return lines


def float_text(value: float) -> str:
    """Write a number so that YAML 1.1 reads a number: `1.0e+20`, `.inf`."""
    if value != value:  # noqa: PLR0124  # true for not-a-number alone
        return ".nan"
    if value in {float("inf"), float("-inf")}:
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _item(item: Yaml, *, in_one_line: bool) -> list[str]:
    if not isinstance(item, dict) or not item or in_one_line:
        return [f"- {flow(item) if isinstance(item, list | dict) else scalar(item)}"]
    first, *rest = block(item)
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _key(key: str) -> str:
    if len(key) > LONGEST_KEY:
        raise Rejected(f"a key of the front matter is longer than {LONGEST_KEY} characters.")
    return scalar(key, flow=True)


def _moment(value: datetime) -> str:
    offset = value.utcoffset()
    if offset is not None and offset % timedelta(minutes=1):
        value = (value - offset).replace(tzinfo=None)
        offset = timedelta()
    text = value.isoformat()
    return f"{text.removesuffix('+00:00')}Z" if offset == timedelta() else text


def _is_plain(text: str, *, flow: bool) -> bool:
    if not text or text != text.strip() or not (text[0].isalnum() or text[0] in "_/." or ord(text[0]) > _LAST_IN_TWO):
        return False
    if not text.isprintable() or _MEANS_SOMETHING.search(text):
        return False
    if flow and _MEANS_SOMETHING_IN_FLOW.search(text):
        return False
    if text.lower() in _WORDS or _NUMBER_OR_TIME.fullmatch(text) or text.startswith(("---", "...")):
        return False
    tag: str = _resolver.resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]  # has no stub
    return tag == _TEXT_TAG


def _quoted(text: str) -> str:
    return f'"{"".join(_ESCAPES.get(character) or _visible(character) for character in text)}"'


def _visible(character: str) -> str:
    """Escape what nobody sees, what reorders a line, and what YAML refuses to read."""
    category = unicodedata.category(character)
    code = ord(character)
    if category == "Cs":
        return "\ufffd"
    hidden = category in {"Cc", "Cf", "Zl", "Zp"} and character not in _PARTS_OF_EMOJI
    if not hidden and code & _NO_CHARACTER != _NO_CHARACTER:
        return character
    if code <= _LAST_IN_TWO:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _LAST_IN_FOUR else f"\\U{code:08x}"
