"""Owns what goes on a session's page: what was asked, done, decided and learned, how it ended, what is open."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.models.extractive.chatter import pasted
from pipeline.models.extractive.page_parts import Bullet, Section, bullets
from pipeline.models.extractive.wording import readable
from pipeline.models.extractive.sentences import sentences
from pipeline.models.extractive.signals import identifiers, points_at_a_list, weighs_up
from pipeline.models.extractive.similarity import same, subject_terms, terms
from pipeline.models.extractive.strength import chosen, specific, strength, sure, timeless
from pipeline.models.extractive.subjects import claim_title, request_title, subject_of, title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.models.extractive.session import Session, Statement, Voice
    from pipeline.models.extractive.statements import Piece

MOST = 12
_KNOWN: frozenset[str] = frozenset({"cause", "problem", "rule", "concept", "why", "fix"})
_RESULTS: frozenset[str] = frozenset({"result", "outcome", "fix"})
_TELLING = _RESULTS | {"cause", "problem", "decision", "concept", "rule"}
_LONGEST_ASK = 240
_SHORT_ASK = 60
_QUOTED = re.compile(r"[\"“„«][^\"”“»]{8,}[\"”“»]")
_CENTRAL = 0.25
_LONG_SENTENCE = 60
_LONGEST_OPINION = 1_200
_OPENING_BLOCKS = 4
"""In a longer text only the beginning is taken for its author's word; the rest may be pasted."""
_MOST = {"Asked": 8, "Done": 10, "Outcome": 3, "Decided": 6, "Learned": 6, "Open": 5}
_OPEN_ENDS = 3
"""How many of the last observations may say what is still open."""


def sections(session: Session) -> tuple[Section, ...]:
    """The sections of the session's page, empty ones left out."""
    share = _share(session)
    last = session.projection.number == session.projection.of
    asked = _asked(session, share("Asked"))
    outcome = _outcome(session, share("Outcome")) if last else []
    taken = [group[0].plain for group in outcome]
    decided = _decided(session, share("Decided"))
    taken += [group[0].plain for group in decided]
    opened = _open(session, share("Open"), taken) if last else []
    taken += [group[0].plain for group in opened]
    done = _done(session, share("Done"), taken)
    taken += [group[0].plain for group in done]
    learned = _learned(session, share("Learned"), taken)
    told = [group[0].plain for group in (*decided, *learned)]
    asked = [bullet for bullet in asked if not any(_holds(bullet.plain, plain) for plain in told)]
    found = (
        Section("Asked", tuple(asked)),
        Section("Done", bullets(done)),
        Section("Outcome", bullets(outcome)),
        Section("Decided", bullets(decided)),
        Section("Learned", bullets(learned)),
        Section("Open", bullets(opened)),
    )
    return tuple(section for section in found if section.bullets)


def _holds(text: str, plain: str) -> bool:
    """Whether most of a text is a statement that stands elsewhere on the page."""
    return same(text, plain) or (plain in text and len(plain) * 2 > len(text))


def titles(session: Session) -> list[tuple[float, str]]:
    """Titles for the session and how well they fit, the best first."""
    ranked: list[tuple[float, int, str]] = []
    for voice in session.voices:
        if not voice.noise:
            ranked.extend((score, voice.order, title) for score, title in _titles_of(voice, session))
    for statement in session.statements:
        if statement.voice.prompt or statement.considered or statement.piece.leans or statement.piece.passes:
            continue
        if statement.act in _TELLING and complete(statement) and not _tells_to_do(statement) and (title := claim_title(statement.piece, statement.voice.ear)):
            score = strength(statement, session) + 0.5 * session.centrality(title) + _fit(title, session)
            score -= 0.35 * (statement.piece.shape == "item") + 0.5 * (statement.act not in _RESULTS)
            ranked.append((score, statement.voice.order, title))
    ranked.sort(key=lambda one: (-one[0], one[1], one[2]))
    best: dict[str, float] = {}
    for score, _, title in ranked:
        best.setdefault(title, score)
    return [(score, title) for title, score in best.items()]


def _titles_of(voice: Voice, session: Session) -> list[tuple[float, str]]:
    """Titles out of a voice's own title, its headings, and what it asks."""
    found: list[tuple[float, str]] = []
    if voice.observation.title and (title := title_of(voice.observation.title, voice.ear, heading=True)):
        found.append((1.4 + (0.2 if voice.act in {"result", "outcome"} else 0.0), title))
    for piece in voice.reading.headings[:6]:
        if len(piece.headings) <= 1 and (title := title_of(piece.raw, voice.ear, heading=True)):
            found.append((1.0 if voice.closing or voice.prompt else 0.6, title))
    if voice.prompt:
        ask = _ask(voice)
        for piece in [piece for piece in voice.reading.pieces[:6] if ask is not None and piece.raw in ask.raw]:
            if title := request_title(piece.raw, voice.ear):
                first = 0.3 if voice.turn == 1 else 0.0
                question = 0.25 if title.endswith("?") else 0.0
                found.append((0.95 + first - question, title))
            elif not piece.leans and (title := claim_title(piece, voice.ear, asked=True)) and not voice.ear.proposal.search(title):
                found.append((0.55, title))
    return [(score + 0.8 * session.centrality(title) + _fit(title, session), title) for score, title in found]


def _fit(title: str, session: Session) -> float:
    """A title of four to ten words reads best; one of general words, or beside what the session is about, worst."""
    words = len(title.split())
    vague = 0.35 if len(subject_terms(title)) < 2 and not identifiers(title) else 0.0  # noqa: PLR2004
    beside = 0.3 if session.centrality(title) < _CENTRAL else 0.0
    return (0.15 if 4 <= words <= 10 else -0.15 if words < 3 else 0.0) - vague - beside  # noqa: PLR2004


def _share(session: Session) -> Callable[[str], int]:
    """How many bullets this window may add to a section, so that all windows together stay bounded."""
    windows = session.projection.of
    return lambda heading: max(2, -(-_MOST[heading] // windows)) if windows > 1 else _MOST[heading]


def _asked(session: Session, most: int) -> list[Bullet]:
    found: list[tuple[float, int, Bullet]] = []
    for voice in session.voices:
        if voice.noise or not voice.prompt:
            continue
        ask = _ask(voice)
        if ask is None:
            continue
        bullet = Bullet(ask.raw, ask.plain, (voice.handle,))
        twin = next((at for at, (_, _, held) in enumerate(found) if same(held.plain, bullet.plain)), None)
        if twin is not None:
            score, order, held = found[twin]
            found[twin] = (score + 0.1, order, replace(held, handles=(*held.handles, voice.handle)))
            continue
        found.append((_weight_of_ask(ask, voice, session), voice.order, bullet))
    first = min((order for _, order, _ in found), default=0)
    best = sorted(found, key=lambda one: (one[1] != first, -one[0], one[1]))[:most]
    return [bullet for score, order, bullet in sorted(best, key=lambda one: one[1]) if score > 0 or (order == first and (score > -1 or len(best) == 1))]


def _ask(voice: Voice) -> Piece | None:
    """The piece of a prompt that says what is wanted; the prompt itself when it is short."""
    reading = voice.reading
    if voice.headline is not None:
        return voice.headline
    if reading.headings and len(voice.text) > 2 * _LONGEST_ASK:
        return next((piece for piece in reading.headings if title_of(piece.raw, voice.ear, heading=True)), None)
    said = [piece for piece in reading.pieces if not pasted(piece.plain)]
    pieces = [piece for piece in said if len(terms(piece.plain)) > 2 or _requests(piece, voice)] or said  # noqa: PLR2004
    if not pieces:
        return None
    whole = _whole(voice)
    if whole is not None:
        return whole
    best = max(range(len(pieces)), key=lambda at: (_asks(pieces[at], voice), -at))
    return _with_what_it_leans_on(pieces, best, voice)


def _with_what_it_leans_on(pieces: list[Piece], at: int, voice: Voice) -> Piece:
    """A sentence with the ones before it, when it is short or points back at them."""
    best = pieces[at]
    text = voice.reading.prose.get(best.block, "")
    end = text.find(best.raw) + len(best.raw)
    while at > 0 and pieces[at - 1].block == best.block and (voice.ear.dangling.match(best.plain) or len(best.plain) < _SHORT_ASK):
        start = text.find(pieces[at - 1].raw)
        raw = text[start:end]
        plain = readable(raw)
        if start < 0 or len(plain) > _LONGEST_ASK or pasted(raw):
            break
        best, at = replace(best, raw=raw, plain=plain), at - 1
    return best


def _whole(voice: Voice) -> Piece | None:
    """A prompt of one short paragraph as it stands."""
    prose = voice.reading.prose
    if len(prose) != 1:
        return None
    (number, text), first = next(iter(prose.items())), voice.reading.pieces[0]
    text = _without_greeting(text, voice)
    plain = readable(text)
    if len(plain) > _LONGEST_ASK or text.rstrip().endswith((":", "：")) or pasted(text):
        return None
    return replace(first, raw=text.strip(), plain=plain, block=number)


def _without_greeting(text: str, voice: Voice) -> str:
    spans = sentences(text)
    if len(spans) > 1 and spans[0][1] - spans[0][0] < _SHORT_ASK and voice.ear.chatter.match(text, spans[0][0]):
        return text[spans[1][0] :]
    return text


def _asks(piece: Piece, voice: Voice) -> float:
    score = 0.1 * min(len(terms(piece.plain)), 8)
    if _requests(piece, voice):
        score += 1.0
    if piece is voice.reading.pieces[0] or piece is voice.reading.pieces[-1]:
        score += 0.4
    if len(piece.plain) > _LONGEST_ASK:
        score -= 0.5
    return score


def _requests(piece: Piece, voice: Voice) -> bool:
    return voice.ear.request.search(_QUOTED.sub("", piece.plain)) is not None or piece.plain.endswith(("?", "？"))


def _weight_of_ask(ask: Piece, voice: Voice, session: Session) -> float:
    content = len(terms(ask.plain))
    if content < 3 and not identifiers(ask.raw) or points_at_a_list(ask.plain):  # noqa: PLR2004
        return -1.0
    score = 0.1 * min(content, 10) + session.centrality(ask.plain)
    if identifiers(ask.raw):
        score += 0.2
    if voice.turn == 1:
        score += 0.5
    if voice.ear.dangling.match(ask.plain):
        score -= 0.3
    if len(ask.plain) > _LONGEST_ASK:
        score -= 0.4
    return score


def _done(session: Session, most: int, taken: list[str]) -> list[list[Statement]]:
    candidates = [one for one in session.statements if _is_done(one)]
    closing = [one for one in candidates if one.voice.closing or one.explicit]
    found = chosen(closing, session, most, least=0.45, against=taken)
    if len(found) < min(3, most):
        more = chosen(candidates, session, most, least=0.45, against=taken)
        found = more if len(more) > len(found) else found
    return found


def _is_done(one: Statement) -> bool:
    return (
        one.prominent
        and (one.act in _RESULTS or "result" in one.heard)
        and one.act != "question"
        and not one.considered
        and not one.piece.leans
        and not one.piece.passes
        and not one.voice.prompt
        and specific(one)
        and complete(one)
        and not _tells_to_do(one)
        and not _of_oneself(one)
        and "❌" not in one.plain
    )


def _of_oneself(one: Statement) -> bool:
    """Whether an assistant speaks of itself, other than of what it did."""
    ear = one.voice.ear
    return not one.voice.person and "result" not in one.heard and ear.self_reference.search(one.plain) is not None


def _tells_to_do(one: Statement) -> bool:
    """Whether a statement says what to do rather than what was done."""
    return "result" not in one.heard and one.voice.ear.imperative.match(one.piece.body) is not None


def _outcome(session: Session, most: int) -> list[list[Statement]]:
    """How it ended: what the last turn says as a whole, and whether the checks pass."""
    told = [
        one
        for one in session.statements
        if one.prominent
        and not one.voice.prompt
        and one.act not in {"question", "proposal", "request"}
        and not one.considered
        and not _of_oneself(one)
        and not one.piece.leans
    ]
    explicit = [one for one in told if one.act == "outcome" and one.explicit]
    if explicit:
        return chosen(explicit, session, most, least=0.3)
    ends = [voice for voice in session.voices if voice.closing and voice.act in {"none", "result", "outcome"}][-3:]
    for wanted in (_RESULTS, frozenset({"cause", "concept", "problem", "decision", "why", "none"})):
        for voice in reversed(ends):
            if best := _ending([one for one in told if one.voice is voice], session, most, wanted):
                return best
    return []


def _ending(last: list[Statement], session: Session, most: int, wanted: frozenset[str]) -> list[list[Statement]]:
    content = [
        one
        for one in last
        if one.act in wanted and not one.piece.passes and specific(one) and complete(one) and not _tells_to_do(one)
    ]
    whole = [one for one in content if one.piece.shape == "sentence" or one.act == "outcome"]
    opening = [one for one in last if one.piece.shape == "sentence" and not one.piece.passes and complete(one)][:1]
    best = chosen(whole, session, min(2, most), least=0.5)
    if not best and content:
        best = chosen(opening, session, 1, least=0.5) or chosen(content, session, 1, least=0.5)
    if not best:
        return []
    passes = [[one] for one in last if one.piece.passes and len(one.plain) > 14][:1]  # noqa: PLR2004
    return [*best[: most - len(passes)], *passes]


def complete(one: Statement) -> bool:
    """Whether a statement is a whole sentence, not the name of something in a list."""
    if one.piece.shape == "headline" or "result" in one.heard or one.plain.endswith((".", "!", "。", "！")):
        return True
    if one.piece.shape == "sentence" and (one.voice.prompt or len(one.plain) > _LONG_SENTENCE):
        return True
    if not one.voice.ear.tongue.starts_done:
        return True
    return bool({"cause", "problem"} & one.heard) or bool(subject_of(one.piece.raw, one.voice.ear))


def _decided(session: Session, most: int) -> list[list[Statement]]:
    found = [one for one in session.statements if one.prominent and is_decision(one)]
    return chosen(found, session, most, least=0.3)


def is_decision(one: Statement) -> bool:
    """Whether a statement decides: by its kind, its lead-in, or a person's word that sets one thing against another."""
    if one.piece.leans or one.act in {"question", "rule"} or one.voice.ear.hedge.search(one.plain):
        return one.explicit and one.act == "decision"
    if one.act == "decision" and (one.explicit or not one.voice.person):
        return one.explicit or (not one.considered and complete(one) and one.alone >= 0.5)  # noqa: PLR2004
    if not one.voice.person or "question" in one.heard or "?" in one.plain:
        return False
    ear = one.voice.ear
    wished = "decision" in one.acts and (weighs_up(one.plain, ear) or "cause" in one.acts)
    replaced = "request" in one.heard and ear.contrast.search(one.plain) is not None
    return (wished or replaced) and (len(one.voice.text) < _LONGEST_OPINION or one.piece.block <= _OPENING_BLOCKS)


def _learned(session: Session, most: int, taken: list[str]) -> list[list[Statement]]:
    candidates = [
        one
        for one in session.statements
        if (one.prominent and one.explicit and one.act in _KNOWN | {"step"})
        or one.act in _KNOWN
        and one.prominent
        and not one.piece.leans
        and not one.piece.passes
        and not one.considered
        and (not one.voice.prompt or (one.act in {"rule"}))
        and specific(one)
        and complete(one)
        and "result" not in one.heard
        and not _tells_to_do(one)
        and not _of_oneself(one)
        and (one.explicit or timeless(one) or (one.voice.closing and sure(one)))
    ]
    return chosen(candidates, session, most, least=0.85, against=taken)


def _open(session: Session, most: int, taken: list[str]) -> list[list[Statement]]:
    ends = [voice for voice in session.voices if voice.closing][-_OPEN_ENDS:]
    candidates = [
        one
        for one in session.statements
        if one.prominent
        and one.act == "open"
        and (one.explicit or one.voice in ends or one.voice.prompt)
        and not one.piece.leans
        and specific(one)
    ]
    return chosen(candidates, session, most, least=0.5, against=taken)
