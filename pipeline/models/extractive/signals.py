"""Owns what kind of statement a piece is, and how well it stands alone; knows nothing of pages.

Structure speaks first: an explicit kind of the observation, a lead-in, the headings above. Words speak next,
by the table of the language. Importance that a person gave always counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import terms
from pipeline.models.extractive.tongues.all import heading_act

if TYPE_CHECKING:
    from pipeline.models.extractive.statements import Piece
    from pipeline.models.extractive.tongues.all import Ear
    from pipeline.models.extractive.tongues.tongue import Act

EXPLICIT: dict[str, Act] = {
    "decision": "decision",
    "adr": "decision",
    "choice": "decision",
    "rule": "rule",
    "convention": "rule",
    "guideline": "rule",
    "policy": "rule",
    "constraint": "rule",
    "preference": "rule",
    "gotcha": "problem",
    "error": "problem",
    "bug": "problem",
    "pitfall": "problem",
    "problem": "problem",
    "incident": "problem",
    "failure": "problem",
    "lesson": "problem",
    "caveat": "problem",
    "limitation": "problem",
    "procedure": "step",
    "howto": "step",
    "how-to": "step",
    "runbook": "step",
    "recipe": "step",
    "workflow": "step",
    "concept": "concept",
    "definition": "concept",
    "explanation": "concept",
    "architecture": "concept",
    "discovery": "concept",
    "finding": "concept",
    "fact": "concept",
    "insight": "concept",
    "measurement": "concept",
    "reference": "concept",
    "result": "result",
    "outcome": "outcome",
    "done": "result",
    "change": "result",
    "feature": "result",
    "bugfix": "result",
    "refactor": "result",
    "release": "result",
    "milestone": "result",
    "request": "request",
    "task": "request",
    "question": "question",
    "todo": "open",
    "open": "open",
    "next": "open",
    "follow-up": "open",
    "idea": "proposal",
    "proposal": "proposal",
}
"""What the kind of an observation says by itself."""

PROMPTS = frozenset({"user_prompt", "prompt", "user_message", "message", "user", "request", "question", "task"})

_QUESTION_MARK = re.compile(r"[?？]\s*[\"'”’»)」*_`]*$")
_IDENTIFIER = re.compile(
    r"`[^`]+`|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+\b|\b[\w-]{2,}\.(?:[a-z]{1,5})\b|\b[A-Z][A-Z0-9_]{2,}\b|\w+\(\)|--[a-z][\w-]+"
)
_OPTION = re.compile(
    r"(?:\b(?:option|approach|alternative|step|phase|variante|opción|opção|вариант|item|point)\s*#?\d|\B#\d+\b(?!\d)|"
    r"\b(?:P\d|[A-Z]\d)\b|方案\s*\d|案\d)",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"(?<![\w.])#?\d{1,2}\b(?!\.\d)")
_LINE = re.compile(r"\blines?\s+\d|:\d+(?:-\d+)?\b|\bL\d+\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I'll|I've|I'd|me|my|you|your|you're)\b")
_NEVER = re.compile(r"(?!)")
_PLACEHOLDER = re.compile(r"(?<![\w.])(?:[B-H]|[XYZ])(?![\w.'’+#-])|\b[Ss]ession [12A]\b")
_GAP = re.compile(r"\[REDACTED|…|\.\.\.(?!\w)")


def explicit_act(kind: str, tags: tuple[str, ...]) -> Act:
    """What an observation is by its own word: its kind, else a tag that names a kind."""
    for word in (kind, *tags):
        if act := EXPLICIT.get(word.casefold().replace("_", "-").strip()):
            return act
    return "none"


def structural_act(piece: Piece) -> Act:
    """What the lead-in, the announcing line or the nearest heading says the piece is."""
    for text in (piece.lead, piece.intro, *reversed(piece.headings[-2:])):
        if text and (act := heading_act(text)) != "none":
            return act
    return "none"


def under_proposal(piece: Piece) -> bool:
    """Whether the piece stands in a list of options, a plan or a review: considered, not done."""
    return any(heading_act(text) == "proposal" for text in (*piece.headings, piece.lead, piece.intro) if text)


def heard(piece: Piece, ear: Ear, *, by_person: bool) -> frozenset[Act]:
    """Everything that the words of a sentence say it is."""
    found: set[Act] = set()
    text = piece.plain
    if _QUESTION_MARK.search(text):
        found.add("question")
    if by_person and ear.request.search(text):
        found.add("request")
    if ear.result.match(piece.body) or ear.done.match(text):
        found.add("result")
    for act, pattern in (
        ("decision", ear.decision),
        ("decision", ear.wish if by_person else _NEVER),
        ("rule", ear.rule),
        ("problem", ear.problem),
        ("cause", ear.cause),
        ("fix", ear.fix),
        ("open", ear.open),
        ("proposal", ear.proposal),
    ):
        if pattern.search(text):
            found.add(act)  # type: ignore[arg-type]
    return frozenset(found)


def points_at_a_list(text: str) -> bool:
    """Whether a short answer names entries of a list that stands elsewhere: `implement 1, 2 and 3`."""
    return _NUMBERS.search(text) is not None and len(terms(_NUMBERS.sub(" ", text))) < 3  # noqa: PLR2004


def weighs_up(text: str, ear: Ear) -> bool:
    """Whether a sentence sets one thing against another, or restricts it."""
    return ear.contrast.search(text) is not None or ear.preference.search(text) is not None


def identifiers(text: str) -> tuple[str, ...]:
    """Names of code, commands, files and settings in `text` (raw), without marks."""
    return tuple(found.group().strip("`") for found in _IDENTIFIER.finditer(text))


def stands_alone(piece: Piece, ear: Ear) -> float:
    """How well a piece reads by itself, from 0 (not at all) to 1."""
    text = piece.plain
    length = len(text) * (1 if ear.tongue.spaced or ear.tongue.code == "" else 2)
    words = len(terms(text))
    score = 0.35 + min(words, 9) * 0.045
    if identifiers(piece.raw):
        score += 0.12
    if length < 28:
        score -= 0.3
    elif length > 240:
        score -= 0.12
    if piece.leans:
        score -= 0.5
    if piece.colon:
        score -= 0.12
    if piece.passes:
        score -= 0.6
    if _OPTION.search(text):
        score -= 0.3
    if _LINE.search(text):
        score -= 0.12
    if _FIRST_PERSON.search(text):
        score -= 0.15
    if _GAP.search(text):
        score -= 0.2
    if _PLACEHOLDER.search(text):
        score -= 0.25
    if not _closed(text):
        score -= 0.4
    return max(0.0, min(score, 1.0))


def _closed(text: str) -> bool:
    """Whether every bracket and quotation mark that opens also closes."""
    return all(text.count(one) == text.count(other) for one, other in ("()", "[]", "（）", "「」", "“”", "«»")) and (
        text.count('"') % 2 == 0
    )
