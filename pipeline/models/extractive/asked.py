"""Owns what people asked for, in their words, shortened to the sentence that asks; knows no page."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.models.extractive.chatter import pasted
from pipeline.models.extractive.parts import piece_bullet
from pipeline.models.extractive.sentences import sentences
from pipeline.models.extractive.signals import identifiers, points_at_a_list
from pipeline.models.extractive.similarity import same, terms
from pipeline.models.extractive.titles import title_of
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from pipeline.models.extractive.parts import Bullet
    from pipeline.models.extractive.session import Session, Voice
    from pipeline.models.extractive.statements import Piece

LONGEST = 240
_SHORT = 60
_FEWEST_TERMS = 3
_REFUSED = -1.0
_QUOTED = re.compile(r"[\"“„«][^\"”“»]{8,}[\"”“»]")


@dataclass(frozen=True, slots=True)
class _Ask:
    weight: float
    order: int
    bullet: Bullet


def asked(session: Session, most: int) -> tuple[Bullet, ...]:
    """List what was asked, at most `most`, in order; what was asked twice stands once."""
    found: list[_Ask] = []
    for voice in session.voices:
        piece = None if voice.noise or not voice.prompt else ask_of(voice)
        if piece is None:
            continue
        twin = next((at for at, held in enumerate(found) if _told(held.bullet.plain, piece.plain)), None)
        if twin is None:
            found.append(_Ask(_weight(piece, voice, session), voice.order, piece_bullet(piece, voice.handle)))
        else:
            held = found[twin]
            bullet = replace(held.bullet, handles=(*held.bullet.handles, voice.handle))
            found[twin] = replace(held, weight=held.weight + 0.1, bullet=bullet)
    first = min((ask.order for ask in found), default=0)
    best = sorted(found, key=lambda ask: (ask.order != first, -ask.weight, ask.order))[:most]
    kept = [ask for ask in best if ask.weight > 0 or (ask.order == first and ask.weight > _REFUSED)]
    if not kept:
        kept = [ask for ask in best if len(terms(ask.bullet.plain)) >= _FEWEST_TERMS - 1][:1]
    return tuple(ask.bullet for ask in sorted(kept, key=lambda ask: ask.order))


def _told(held: str, plain: str) -> bool:
    """Whether a prompt says what was asked before, alone or in a copy of what stood on the screen."""
    return same(held, plain) or (len(held) >= _SHORT and held.casefold() in plain.casefold())


def ask_of(voice: Voice) -> Piece | None:
    """Find what a prompt asks: its title, a plan's heading, the whole of a short one, or the sentence that asks."""
    reading = voice.reading
    if voice.headline is not None:
        return voice.headline
    if reading.headings and len(voice.text) > 2 * LONGEST:
        return next((piece for piece in reading.headings if title_of(piece.raw, voice.ear, heading=True)), None)
    said = [piece for piece in reading.pieces if not any(map(pasted, piece.raw.split("\n")))]
    pieces = [piece for piece in said if len(terms(piece.plain)) >= _FEWEST_TERMS or _requests(piece, voice)] or said
    if not pieces:
        return None
    whole = _whole(voice)
    if whole is not None:
        return whole
    best = max(range(len(pieces)), key=lambda at: (_urgency(pieces[at], voice), -at))
    return _with_what_it_leans_on(pieces, best, voice)


def _whole(voice: Voice) -> Piece | None:
    """Take a prompt of one short paragraph as it stands, without its greeting."""
    if len(voice.reading.prose) != 1:
        return None
    number, text = next(iter(voice.reading.prose.items()))
    spans = sentences(text)
    if len(spans) > 1 and voice.ear.chatter.match(text[slice(*spans[0])]) and spans[0][1] - spans[0][0] < _SHORT:
        text = text[spans[1][0] :]
    plain = readable(text)
    if len(plain) > LONGEST or text.rstrip().endswith((":", "：")) or pasted(text):
        return None
    return replace(voice.reading.pieces[0], raw=text.strip(), plain=plain, block=number)


def _with_what_it_leans_on(pieces: list[Piece], at: int, voice: Voice) -> Piece:
    """Take a sentence with the ones before it, when it is short or points back at them."""
    best = pieces[at]
    text = voice.reading.prose[best.block]
    end = text.find(best.raw) + len(best.raw)
    while at > 0 and pieces[at - 1].block == best.block:
        if len(best.plain) >= _SHORT and not voice.ear.dangling.match(best.plain):
            break
        start = text.find(pieces[at - 1].raw)
        raw = text[start:end]
        plain = readable(raw)
        if start < 0 or len(plain) > LONGEST or pasted(raw):
            break
        best, at = replace(best, raw=raw, plain=plain), at - 1
    return best


def _urgency(piece: Piece, voice: Voice) -> float:
    at_an_end = piece in (voice.reading.pieces[0], voice.reading.pieces[-1])
    score = 0.1 * min(len(terms(piece.plain)), 8) + 1.0 * _requests(piece, voice) + 0.4 * at_an_end
    return score - 0.5 * (len(piece.plain) > LONGEST)


def _requests(piece: Piece, voice: Voice) -> bool:
    return voice.ear.request.search(_QUOTED.sub("", piece.plain)) is not None or piece.plain.endswith(("?", "？"))


def _weight(ask: Piece, voice: Voice, session: Session) -> float:
    names = bool(identifiers(ask.raw))
    content = len(terms(ask.plain))
    cut = ask.plain.endswith("…") and len(ask.plain) > _SHORT
    if cut or (content < _FEWEST_TERMS and not names) or points_at_a_list(ask.plain):
        return _REFUSED
    score = 0.1 * min(content, 10) + session.centrality(ask.plain) + 0.2 * names + 0.5 * (voice.turn == 1)
    return score - 0.3 * bool(voice.ear.dangling.match(ask.plain)) - 0.4 * (len(ask.plain) > LONGEST)
