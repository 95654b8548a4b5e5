"""Owns which line of a block of code was shown to nobody; knows no page around the block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.gates.grounding.characters import is_word, normal, tokens
from pipeline.gates.grounding.details import find_details
from pipeline.gates.grounding.holding import holds, stands
from pipeline.wiki.markdown.positions import NEWLINE

if TYPE_CHECKING:
    from pipeline.gates.grounding.evidence import Evidence

_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})[ \t]*([\w-]*)")
_DRAWINGS: Final = frozenset({"mermaid", "plantuml", "dot", "graphviz"})
_DIRECTIONS: Final = frozenset({"TB", "TD", "BT", "LR", "RL"})
_PROMPT = re.compile(r"\A(?:[$%>#] |PS>|>>> )?(?:(?:sudo|export|set) +)?")
_REMARK = re.compile(r"(?:\A|\s)(?:#|//|--|;)\s.*\Z")
_JOINED = re.compile(r"&&|\|\||[|;]")


def invented_line(block: str, evidence: Evidence) -> str:
    """Give the first line of a block of code that does not stand in what was shown, or holds what does not.

    A line stands there as a whole, or each of the commands that it joins does. Remarks, and the lines of a drawing,
    are held to their details alone. Empty when every line was shown.
    """
    lines = NEWLINE.split(block.rstrip("\r\n"))
    opening = _FENCE.match(lines[0])
    drawing = opening is not None and opening[2].lower() in _DRAWINGS
    for line in lines[1:] if opening else lines:
        text = normal(line).strip(" \t>")
        if _FENCE.match(text) and not text.strip("`~"):
            continue
        if not (_is_prose_shown(text, evidence) if drawing else _is_shown(text, evidence)):
            return text
    return ""


def _is_shown(text: str, evidence: Evidence) -> bool:
    if stands(text, evidence):
        return True
    remark = _REMARK.search(text)
    if remark and not _is_prose_shown(remark.group(), evidence):
        return False
    command = _PROMPT.sub("", text[: remark.start()] if remark else text).strip(" \t\\,;")
    if stands(command, evidence):
        return True
    parts = _JOINED.split(command)
    return len(parts) > 1 and all(stands(part, evidence) for part in parts)


def _is_prose_shown(text: str, evidence: Evidence) -> bool:
    if not any(map(is_word, tokens(text))):
        return True
    found = find_details(text, title=True)
    return all(detail.text in _DIRECTIONS or holds(detail, evidence) for detail in found)
