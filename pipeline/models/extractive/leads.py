"""Owns what stands at the two ends of a statement: lead-ins, acknowledgements, marks of emphasis, colons.

Everything is cut off by position, so that what is left is still the observation's own text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.chatter import merely_passes
from pipeline.models.extractive.tongues.all import heading_act
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from pipeline.models.extractive.tongues.ear import Ear

_BOLD = re.compile(
    r"^[\s✅❌⚠️🔴🟡🟢➡️☑️✔️✓✗-]*(?:\*\*|__)(?P<lead>[^*\n]{1,80}?)(?P<inner>[:：.]?)(?:\*\*|__)"
    r"(?P<outer>\s*(?:[:：]|[–—]|-(?=\s))|)\s*"
)
_CODE = re.compile(r"^(?P<lead>`[^`\n]{1,60}`(?:\s*\([^)\n]{1,40}\))?)\s*(?:[:：]|[–—]|-(?=\s)|→)\s+")
_BRACKETS = re.compile(r"^[【［\[](?P<lead>[^】］\]\n]{1,30})[】］\]]\s*[:：]?\s*(?=\S)")
_WORDS = re.compile(r"^(?P<lead>[^\s:：`*.,!?][^:：`*.!?\n]{1,40}?)\s?[:：](?:\s+|(?<=：))(?=\S)")
_MARKS = re.compile(r"^[\s✅❌⚠️🔴🟡🟢➡️☑️✔️✓✗👍🎉🚀📊💡🔧🐛]+")
_OPEN_END = re.compile(
    r"\s+(?:by(?: \w+ing)?|with|to|that|which|as|via|for|in|so|and|now|including|using|where|of|from|"
    r"(?:summari[sz]|cover|document|explain|describ|contain|show|not|list|add)ing)$",
    re.IGNORECASE,
)
_CODE_SPANS = re.compile(r"`[^`]*`")


def lead_of(text: str) -> tuple[str, int]:
    """Find the lead-in of a block and where the rest begins; empty and 0 without one.

    A lead-in is set off by bold, code or brackets; plain words before a colon are one when they say what follows.
    """
    bold = _BOLD.match(text)
    if bold and bold.end() < len(text):
        set_off = bold["inner"] in {":", "："} or bold["outer"]
        if set_off or (heading_act(bold["lead"]) != "none" and text[bold.end()] not in "([{,;"):
            return bold["lead"], bold.end()
    for pattern in (_CODE, _BRACKETS):
        found = pattern.match(text)
        if found and found.end() < len(text):
            return found["lead"], found.end()
    found = _WORDS.match(text)
    if found and heading_act(found["lead"]) != "none":
        return found["lead"], found.end()
    return "", 0


def without_lead(text: str) -> str:
    """Give what follows the lead-in."""
    return text[lead_of(text)[1] :]


def without_acknowledgement(text: str, ear: Ear, *, dropping: bool) -> tuple[str, bool]:
    """Take off the emphasis around a sentence and, if `dropping`, what acknowledges before it; say whether it did."""
    text = _unwrapped(_MARKS.sub("", text))
    dropped = False
    while dropping and (found := ear.dropped.match(text)) and found.end():
        rest = text[found.end() :].lstrip(" \t*_")
        if not rest:
            return (text, False) if merely_passes(readable(text), ear) else ("", True)
        text, dropped = balanced(rest), True
    return text, dropped


def without_colon(text: str) -> tuple[str, bool]:
    """Take off a colon that announces what follows, and the word before it that leads there: `by`, `to`."""
    bare = text.rstrip().rstrip("*_")
    if bare.endswith((":", "：")):
        return balanced(_OPEN_END.sub("", bare[:-1].rstrip())), True
    return text.rstrip(), False


def balanced(text: str) -> str:
    """Take out a mark of strong emphasis that lost its partner when the text was cut."""
    if _CODE_SPANS.sub("", text).count("**") % 2 == 0:
        return text
    if text.startswith("**"):
        return text[2:].lstrip()
    at = text.rfind("**")
    return text[:at] + text[at + 2 :]


def _unwrapped(text: str) -> str:
    for mark in ("**", "__", "*", "_"):
        inner = text[len(mark) : -len(mark)]
        if text.startswith(mark) and text.endswith(mark) and inner and mark not in inner and inner[0] not in "*_":
            return inner.strip()
    return balanced(text)
