"""Owns titles of what goes wrong: a title that lost just that is none. Knows no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import terms, values
from pipeline.models.extractive.titles import claim_title, title_of, whole_title
from pipeline.models.extractive.tongues.all import function_words

if TYPE_CHECKING:
    from pipeline.models.extractive.statements import Piece
    from pipeline.models.extractive.tongues.ear import Ear

_TURN = re.compile(r",?\s(?:but|yet|aber|jedoch|mais|pero|mas|porém|но)\s(?:the\s)?|,\s(?:а|однако)\s", re.IGNORECASE)
_AN_ERROR = re.compile(r"\berrors?\b", re.IGNORECASE)
_SPEAKERS = re.compile(r"\b(?:I|you|we|me|my|your)\b", re.IGNORECASE)


def pointed_title(piece: Piece, ear: Ear, *, told: bool) -> str:
    """Cut a title out of a statement about what goes wrong; empty when the cut loses just that.

    What goes wrong often follows a `but`: `the option is read but the worker never sees it`. Where structure has
    `told` that it is a problem, a whole sentence needs no word for it.
    """
    title = claim_title(piece, ear)
    if title and (is_pointed(title, ear) or (told and terms(title) >= terms(piece.body))):
        return title
    whole = whole_title(piece, ear) if title else ""
    return _after_the_turn(piece, ear) or (whole if is_pointed(whole, ear) else "")


def is_pointed(title: str, ear: Ear) -> bool:
    """Say whether a title says that something is wrong, missing or restricted, as far as the table knows.

    That there is an error says nothing: it may be returned, wrapped or shown.
    """
    if not ear.tongue.problem:
        return True
    bare = _AN_ERROR.sub("", title)
    return bool(ear.problem.search(bare) or ear.preference.search(bare) or "not" in values(title))


def _after_the_turn(piece: Piece, ear: Ear) -> str:
    turn = None if ear.setting.match(piece.body) else _TURN.search(piece.body)
    title = title_of(piece.body[turn.end() :], ear) if turn else ""
    named = title.split(" ", 1)[0].casefold() not in function_words()
    return title if title and named and is_pointed(title, ear) and not _SPEAKERS.search(title) else ""
