"""Owns which characters count as the same, and how a text falls into tokens; knows no Markdown and no detail."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

CJK: Final = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Letters that make words without spaces, or take endings without one; for use in a character class."""
WORD: Final = rf"[^\W_{CJK}]+(?:_+[^\W_{CJK}]+)*"

_TOKEN = re.compile(rf"{WORD}|[{CJK}]|[^\w\s`\"'*«»‹›„“”‘’「」『』]")
_DRAWN_ALIKE = str.maketrans(
    {**dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("‘’‛´", "'"), **dict.fromkeys("“”‟", '"'), "\\": "/"}
)
_SAME = {key: value for key, value in _DRAWN_ALIKE.items() if key != ord("\\")}
_STEP = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+")
_ANY_LETTER = re.compile(r"[^\W\d_]")


def normal(text: str) -> str:
    """Write a text with one kind of dash, apostrophe and quotation mark, and full-width letters as plain ones."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_SAME)


def tokens(text: str) -> list[str]:
    """Cut a normal text into words and single marks; quotation marks, backticks and asterisks are left out.

    A backslash counts as a slash. Chinese and Japanese characters are a token each.
    """
    return _TOKEN.findall(text.replace("\\", "/"))


def is_word(token: str) -> bool:
    """Tell words and numbers from marks."""
    return token[0].isalnum()


def parts_of(word: str) -> tuple[str, ...]:
    """Give the parts that a word is written of, in lower case: `getUser_2` holds `get`, `user` and `2`."""
    parts = [step.casefold() for step in _STEP.findall(word)]
    humps = [hump.casefold() for hump in _HUMP.findall(word)] if _ANY_LETTER.search(word) else []
    return tuple(dict.fromkeys((*parts, *humps)))


def without_accents(word: str) -> str:
    """Take the accents off the letters of a word."""
    if word.isascii():
        return word
    return "".join(mark for mark in unicodedata.normalize("NFD", word) if not unicodedata.combining(mark))
