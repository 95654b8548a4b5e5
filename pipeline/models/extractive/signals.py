"""Owns what kind of statement a piece is, by structure and by words, and how well it stands alone.

Structure speaks first: an explicit kind of the observation, a lead-in, the headings above. Words speak next, by
the table of the language. Knows nothing of pages.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import terms
from pipeline.models.extractive.tongues.all import heading_act
from pipeline.models.extractive.tongues.tongue import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.extractive.statements import Piece
    from pipeline.models.extractive.tongues.ear import Ear
    from pipeline.models.extractive.tongues.tongue import Act

_KINDS: Mapping[Act, str] = {
    "decision": "decision adr choice",
    "rule": "rule convention guideline policy constraint preference",
    "problem": "gotcha error bug pitfall problem incident failure lesson caveat limitation",
    "step": "procedure howto how-to runbook recipe workflow",
    "concept": ("concept definition explanation architecture discovery finding fact insight measurement reference"),
    "result": "result done change feature bugfix refactor release milestone",
    "outcome": "outcome",
    "request": "request task",
    "question": "question",
    "open": "todo open next follow-up",
    "proposal": "idea proposal",
}
EXPLICIT: Mapping[str, Act] = {kind: act for act, kinds in _KINDS.items() for kind in kinds.split()}
"""What the kind of an observation says by itself."""

PROMPTS = words("user_prompt prompt user_message message user request question task")

_QUESTION_MARK = re.compile(r"[?？]\s*[\"'”’»)」*_`]*$")
_IDENTIFIER = re.compile(
    r"`[^`]+`|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+\b|\b[\w-]{2,}\.[a-z]{1,5}\b|\b[A-Z][A-Z0-9_]{2,}\b|"
    r"\w+\(\)|--[a-z][\w-]+"
)
_OPTION = re.compile(
    r"\b(?:option|approach|alternative|step|phase|variante|opción|opção|вариант|item|point)\s*#?\d|\B#\d+\b|"
    r"\b[A-Z]\d\b|方案\s*\d|案\d",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"(?<![\w.])#?\d{1,2}\b(?!\.\d)")
_BEGINS_WITH_A_NUMBER = re.compile(r"#?\d{1,2}(?:\s*(?:,|&|\+|and|or|und|oder)\s|\.?$)", re.IGNORECASE)
_POINTS_BACK = re.compile(r"[,;] (?:this|these|those) \w", re.IGNORECASE)
_LINE = re.compile(r"\blines?\s+\d|:\d+(?:-\d+)?\b|\bL\d+\b", re.IGNORECASE)
_TO_AND_FRO = re.compile(r"\b(?:I|I'm|I'll|I've|I'd|me|my|you|your|you're)\b")
_PLACEHOLDER = re.compile(r"(?<![\w.])(?:[B-H]|[XYZ])(?![\w.'’+#-])|\b[Ss]ession [12A]\b")
_GAP = re.compile(r"\[REDACTED|…|\.\.\.(?!\w)")
_PAIRS = ("()", "[]", "（）", "「」", "“”", "«»", "{}")
_SHORT = 28
_LONG = 240


def explicit_act(kind: str, tags: tuple[str, ...]) -> Act:
    """Say what an observation is by its own word: its kind, else a tag that names a kind."""
    names = (word.casefold().replace("_", "-").strip() for word in (kind, *tags))
    return next((EXPLICIT[name] for name in names if name in EXPLICIT), "none")


def structural_act(piece: Piece) -> Act:
    """Say what the lead-in, the announcing line or the nearest heading calls the piece."""
    acts = (heading_act(text) for text in (piece.lead, piece.intro, *reversed(piece.headings[-2:])) if text)
    return next((act for act in acts if act != "none"), "none")


def under_proposal(piece: Piece) -> bool:
    """Say whether the piece stands in a list of options, a plan or a review: considered, not done."""
    return any(heading_act(text) == "proposal" for text in (*piece.headings, piece.lead, piece.intro) if text)


def heard(piece: Piece, ear: Ear, *, by_person: bool) -> frozenset[Act]:
    """Collect everything that the words of a sentence say it is."""
    text = piece.plain
    spoken: dict[Act, bool] = {
        "question": _QUESTION_MARK.search(text) is not None,
        "request": by_person and ear.request.search(text) is not None,
        "result": ear.result.match(piece.body) is not None or ear.done.match(text) is not None,
        "decision": ear.decision.search(text) is not None or (by_person and ear.wish.search(text) is not None),
        "rule": ear.rule.search(text) is not None,
        "problem": ear.problem.search(text) is not None,
        "cause": ear.cause.search(text) is not None,
        "fix": ear.fix.search(text) is not None,
        "open": ear.open.search(text) is not None,
        "proposal": ear.proposal.search(text) is not None,
    }
    return frozenset(act for act, holds in spoken.items() if holds)


def points_at_a_list(text: str) -> bool:
    """Say whether a short answer names entries of a list that stands elsewhere: `implement 1, 2 and 3`."""
    if _BEGINS_WITH_A_NUMBER.match(text):
        return True
    return _NUMBERS.search(text) is not None and len(terms(_NUMBERS.sub(" ", text))) < 3  # noqa: PLR2004


def weighs_up(text: str, ear: Ear) -> bool:
    """Say whether a sentence sets one thing against another, or restricts it."""
    return ear.contrast.search(text) is not None or ear.preference.search(text) is not None


@lru_cache(maxsize=16_384)
def identifiers(text: str) -> tuple[str, ...]:
    """Collect the names of code, commands, files and settings in `text` (raw), without marks."""
    return tuple(found.group().strip("`") for found in _IDENTIFIER.finditer(text))


def closed(text: str) -> bool:
    """Say whether every bracket and quotation mark that opens also closes."""
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS) and text.count('"') % 2 == 0


def stands_alone(piece: Piece, ear: Ear) -> float:
    """Say how well a piece reads by itself, from 0 (not at all) to 1."""
    text = piece.plain
    length = len(text) if ear.tongue.spaced else 2 * len(text)
    score = 0.35 + 0.045 * min(len(terms(text)), 9) + 0.12 * bool(identifiers(piece.raw))
    faults = (
        (0.3, length < _SHORT),
        (0.12, length > _LONG),
        (0.5, piece.leans),
        (0.12, piece.colon),
        (0.6, piece.passes),
        (0.3, _OPTION.search(text)),
        (0.12, _LINE.search(text)),
        (0.25, _POINTS_BACK.search(text)),
        (0.15, _TO_AND_FRO.search(text)),
        (0.2, _GAP.search(text)),
        (0.25, _PLACEHOLDER.search(text)),
        (0.4, not closed(text)),
    )
    return max(0.0, min(score - sum(cost for cost, holds in faults if holds), 1.0))
