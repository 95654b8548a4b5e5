"""Owns the smallest parts of a JSON text as models write it: gaps, strings, bare words, numbers; knows no structure.

Wider than JSON, but never guessing: each part has one reading, and a string ends at its first closing quote.
Every pattern is possessive, so that no text takes more than linear time.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pipeline.observations.observation import Json


class CutOff(Exception):
    """The text ends inside a value."""


class Malformed(Exception):
    """The text is no value; `at` is the character, from 0, that cannot stand where it stands."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


SPACE: Final = r"[\s\ufeff\u200b]"
QUOTES: Final = "\"'“”„‟‘’‚‛"
NAME: Final = r"[A-Za-z_$][A-Za-z0-9_$-]*+"

_SPACES: Final = re.compile(f"{SPACE}*+")
_NAME: Final = re.compile(NAME)
_NUMERIC: Final = re.compile(r"[-+.0-9eE]++")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][-+]?[0-9]++)?")
_LONGEST_NUMBER: Final = 400
"""Characters; no number of a draft comes near, and a longer one takes more than linear time to read."""
_LITERALS: Final[dict[str, Json]] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
}


def _inside(closing: str) -> re.Pattern[str]:
    return re.compile(rf"[^{closing}\\]*+(?:\\.[^{closing}\\]*+)*+", re.DOTALL)


_INSIDE: Final = {
    '"': _inside('"'),
    "'": _inside("'"),
    **dict.fromkeys("“”„‟", _inside("“”")),
    **dict.fromkeys("‘’‚‛", _inside("‘’")),
}
_SPECIAL: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)|\r\n?", re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPES: Final = {
    **{quote: quote for quote in QUOTES},
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


def after_gap(text: str, at: int) -> int:
    """Skip white space, byte order marks and comments; a comment right after a quote is none."""
    while True:
        at = _end(_SPACES, text, at)
        if not text.startswith("/", at):
            return at
        if at and text[at - 1] in QUOTES:
            raise Malformed("a string is followed by a slash", at)
        if at + 1 == len(text):
            raise CutOff
        closing = {"/": "\n", "*": "*/"}.get(text[at + 1])
        if closing is None:
            raise Malformed("a slash opens no comment", at)
        end = text.find(closing, at + 2)
        if end < 0:
            raise CutOff
        at = end + len(closing)


def read_string(text: str, at: int) -> tuple[str, int]:
    r"""Read the string whose opening quote stands at `at`; give it, and where it ends.

    Escapes that JSON does not know keep their backslash (`\_`, `\d`: Markdown and patterns mean it so). A raw line
    break becomes LF, a lone surrogate U+FFFD.
    """
    end = _end(_INSIDE[text[at]], text, at + 1)
    if end >= len(text) or text[end] == "\\":
        raise CutOff
    return unescaped(text[at + 1 : end]), end + 1


def read_name(text: str, at: int) -> tuple[str, int]:
    """Read a key without quotes."""
    end = _end(_NAME, text, at)
    if end == at:
        raise Malformed("a key is missing", at)
    return text[at:end], end


def read_scalar(text: str, at: int) -> tuple[Json, int]:
    """Read the string, number or literal that starts at `at`, which is inside the text."""
    if text[at] in QUOTES:
        return read_string(text, at)
    named = _end(_NAME, text, at)
    if named > at:
        if named == len(text):
            raise CutOff
        word = text[at:named]
        if word not in _LITERALS:
            raise Malformed("a bare word is no value", at)
        return _LITERALS[word], named
    return _number(text, at)


def unescaped(raw: str) -> str:
    """Turn the inside of a string into what it says."""
    told = _SPECIAL.sub(_said, raw) if "\\" in raw or "\r" in raw else raw
    return whole_characters(told)


def whole_characters(text: str) -> str:
    """Join surrogate pairs, and replace lone surrogates by U+FFFD."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _said(found: re.Match[str]) -> str:
    escaped: str | None = found[1]
    if escaped is None:
        return "\n"
    if len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    return _ESCAPES.get(escaped, found[0])


def _number(text: str, at: int) -> tuple[Json, int]:
    end = _end(_NUMERIC, text, at)
    if end == len(text):
        raise CutOff
    number = _NUMBER.fullmatch(text, at, end)
    if number is None or end - at > _LONGEST_NUMBER:
        raise Malformed("no value can start like this", at)
    if number[1] is None and number[2] is None:
        return int(text[at:end]), end
    value = float(text[at:end])
    if not isfinite(value):
        raise Malformed("a number is out of range", at)
    return value, end


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
