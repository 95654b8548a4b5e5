"""Owns what goes on a session's page: what was asked, done, decided and learned, how it ended, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.asked import asked
from pipeline.models.extractive.merit import (
    is_decision,
    is_free,
    is_lasting,
    is_of_oneself,
    is_specific,
    is_sure,
    is_timeless,
    is_whole,
    tells_to_do,
)
from pipeline.models.extractive.parts import Section, sections_of
from pipeline.models.extractive.similarity import same
from pipeline.models.extractive.strength import chosen, newest_first_where_they_differ, plains, with_twins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.models.extractive.session import Session, Statement
    from pipeline.models.extractive.strength import Group
    from pipeline.models.extractive.tongues.tongue import Act

MOST = 12
"""Bullets of one section, all windows together."""
_MOST = {"Asked": 8, "Done": 10, "Outcome": 3, "Decided": 6, "Learned": 6, "Open": 5}
"""Bullets that one reading puts into a section."""
_RESULTS: frozenset[Act] = frozenset({"result", "outcome", "fix"})
_KNOWLEDGE: frozenset[Act] = frozenset({"cause", "problem", "rule", "concept", "why", "fix"})
_OTHER_ENDS: frozenset[Act] = frozenset({"cause", "concept", "problem", "decision", "why", "none"})
_LAST_ANSWERS = 3
_ENOUGH_DONE = 3
_SHORTEST_PASS = 15


def session_sections(session: Session) -> tuple[Section, ...]:
    """Choose the statements of the session's page; empty sections are left out.

    How it ended and what is open is told by the last window alone.
    """
    share = _share(session)
    is_last = session.projection.number == session.projection.of
    outcome = _outcome(session, share("Outcome")) if is_last else []
    decided = _decided(session, share("Decided"))
    opened = _open(session, share("Open"), plains(outcome, decided)) if is_last else []
    done = _done(session, share("Done"), plains(outcome, decided, opened))
    learned = _learned(session, share("Learned"), plains(outcome, decided, opened, done))
    settled = plains(decided, learned)
    wishes = tuple(bullet for bullet in asked(session, share("Asked")) if not _repeats(bullet.plain, settled))
    told = sections_of(
        (("Done", done), ("Outcome", outcome), ("Decided", decided), ("Learned", learned), ("Open", opened))
    )
    return (Section("Asked", wishes), *told) if wishes else told


def _share(session: Session) -> Callable[[str], int]:
    """Say how many bullets this window may add to a section, so that all windows together stay bounded."""
    windows = session.projection.of
    return lambda heading: max(2, -(-_MOST[heading] // windows)) if windows > 1 else _MOST[heading]


def _repeats(text: str, settled: Sequence[str]) -> bool:
    """Say whether most of a text stands elsewhere on the page."""
    return any(same(text, plain) or (plain in text and len(plain) * 2 > len(text)) for plain in settled)


def _done(session: Session, most: int, taken: list[str]) -> list[Group]:
    candidates = [one for one in session.statements if _is_done(one)]
    closing = [one for one in candidates if one.voice.closing or one.explicit]
    found = chosen(closing, session, most, least=0.45, against=taken)
    if len(found) < min(_ENOUGH_DONE, most):
        more = chosen(candidates, session, most, least=0.45, against=taken)
        found = more if len(more) > len(found) else found
    return found


def _is_done(one: Statement) -> bool:
    results = one.act in _RESULTS or ("result" in one.heard and one.act != "question")
    if not results or not one.prominent or one.voice.prompt or "❌" in one.plain:
        return False
    if "result" not in one.heard and not one.explicit and _explains(one):
        return False
    return is_free(one) and is_specific(one) and is_whole(one) and not tells_to_do(one) and not is_of_oneself(one)


def _explains(one: Statement) -> bool:
    """Whether it stands below what was done, but tells what was wrong or when it is so."""
    return not {"problem", "cause"}.isdisjoint(one.heard) or one.voice.ear.setting.match(one.plain) is not None


def _outcome(session: Session, most: int) -> list[Group]:
    """Find how it ended: what the last answer says as a whole, and whether the checks pass."""
    told = [one for one in session.statements if _may_end(one)]
    if explicit := [one for one in told if one.act == "outcome" and one.explicit]:
        return chosen(explicit, session, most, least=0.3)
    answers = [one for one in session.voices if one.closing and one.act in {"none", *_RESULTS}][-_LAST_ANSWERS:]
    for wanted in (_RESULTS, _OTHER_ENDS):
        for voice in reversed(answers):
            if found := _ending([one for one in told if one.voice is voice], session, most, wanted):
                return with_twins(found, told)
    return []


def _may_end(one: Statement) -> bool:
    asks = one.voice.prompt or one.act in {"question", "proposal", "request"}
    return one.prominent and not asks and not one.considered and not one.piece.leans and not is_of_oneself(one)


def _ending(last: list[Statement], session: Session, most: int, wanted: frozenset[Act]) -> list[Group]:
    """Choose from the last answer: its sentences, else how it begins, else its strongest point."""
    content = [one for one in last if one.act in wanted and is_free(one) and is_specific(one) and is_whole(one)]
    content = [one for one in content if not tells_to_do(one)]
    sentences = [one for one in content if one.piece.shape == "sentence" or one.act == "outcome"]
    best = chosen(sentences, session, min(2, most), least=0.5)
    if not best and content:
        opening = [one for one in last if one.piece.shape == "sentence" and is_free(one) and is_whole(one)][:1]
        best = chosen(opening, session, 1, least=0.5) or chosen(content, session, 1, least=0.5)
    if not best:
        return []
    passes = [[one] for one in last if one.piece.passes and len(one.plain) >= _SHORTEST_PASS][:1]
    return [*best[: most - len(passes)], *passes]


def _decided(session: Session, most: int) -> list[Group]:
    found = [one for one in session.statements if one.prominent and is_decision(one)]
    return newest_first_where_they_differ(chosen(found, session, most, least=0.3))


def _learned(session: Session, most: int, taken: list[str]) -> list[Group]:
    found = [one for one in session.statements if one.prominent and (_is_noted(one) or _is_learned(one))]
    return newest_first_where_they_differ(chosen(found, session, most, least=0.85, against=taken, once=True))


def _is_noted(one: Statement) -> bool:
    """Whether an observation says itself that this is knowledge."""
    return one.explicit and (one.act in _KNOWLEDGE or one.act == "step")


def _is_learned(one: Statement) -> bool:
    if one.act not in _KNOWLEDGE or "result" in one.heard or (one.voice.prompt and one.act != "rule"):
        return False
    holds = is_timeless(one) or (one.voice.closing and is_sure(one))
    return holds and is_lasting(one) and is_free(one) and is_specific(one) and is_whole(one) and not tells_to_do(one)


def _open(session: Session, most: int, taken: list[str]) -> list[Group]:
    answers = [voice for voice in session.voices if voice.closing][-_LAST_ANSWERS:]
    found = [
        one
        for one in session.statements
        if one.act == "open"
        and one.prominent
        and (one.explicit or ((one.voice in answers or one.voice.prompt) and not one.piece.leans and is_specific(one)))
    ]
    return chosen(found, session, most, least=0.5, against=taken)
