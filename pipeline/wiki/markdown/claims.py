"""Owns which paragraphs, list items and table rows make a claim, so that they need a source.

Knows no page, no draft and no observation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.wiki.markdown.blocks import Statement

UNSOURCED = "(unsourced)"
"""What a claim without a source ends with, so that no reader takes it for more."""

COLLECTED = "Collected without a language model"
"""How the note begins that pages of the offline model carry."""

_MARK = re.compile(r"\[\^[^\]]*\]")
_LINK = re.compile(r"!?\[(?:[^\[\]\\]|\\.)*\](?:\([^()]*\)|\[[^\[\]]*\])")
_EMPHASISED = re.compile(r"(\*\*|__)(?:(?!\1).)+\1\Z", re.DOTALL)
_POINTERS = re.compile(r"\b(?:see also|see|and|supersedes|superseded by)\b", re.IGNORECASE)
_WORD = re.compile(r"\w")


def without_marks(text: str) -> str:
    """Take the footnote marks out of a text."""
    return _MARK.sub("", text)


def is_claim(statement: Statement) -> bool:
    """Whether a statement says something about the world.

    Not so a line that leads to a list (it ends with a colon), a label in bold, a mere link, the lines that tell
    which page supersedes which, and the note on pages that were made without a language model.
    """
    text = statement.bare.strip()
    if text.endswith((":", "：")) or text.lstrip("_*> ").startswith(COLLECTED):
        return False
    if "Superseded by [" in text and statement.quoted:
        return False
    if _EMPHASISED.match(text):
        return False
    return _WORD.search(_POINTERS.sub("", _LINK.sub("", text))) is not None


def cited_claims(statements: tuple[Statement, ...]) -> int:
    """Count the statements that cite a source."""
    return sum(bool(statement.labels) for statement in statements)
