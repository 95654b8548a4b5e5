"""Owns what is a procedure: an ordered list of things to do, or a row of commands, with a line that says what for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.merit import is_free, is_whole
from pipeline.models.extractive.parts import Bullet, Section, Topic, piece_bullet, sections_of
from pipeline.models.extractive.similarity import subject_terms, terms
from pipeline.models.extractive.strength import chosen
from pipeline.models.extractive.titles import request_title
from pipeline.models.extractive.tongues.all import heading_act

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.extractive.session import Session, Voice
    from pipeline.models.extractive.statements import Commands, Piece

_FEWEST_STEPS = 3
_FEWEST_COMMANDS = 2
_ENOUGH_COMMANDS = 4
"""Commands that speak for themselves; fewer need a sentence that says what they are for."""
_LEAST_PURPOSE = 0.5
_MOST = 12
_LONGEST_COMMAND = 120
_LONGEST_PROMPT = 1_500
_FEWEST_TERMS = 2
_PROMPT = re.compile(r"^[$❯%]\s+")
_COMMAND = re.compile(r"^(?:[$❯%]\s+)?(?P<command>(?:sudo\s+)?(?:\./|~/|[A-Z_]+=\S+\s+)*[a-z][\w.+-]*(?:\s+\S.*)?)$")
_OUTPUT = re.compile(r"^[\s✓✗✅❌•│├└>]|^(?:error|warning|usage|ok|pass|fail)\b|^[\w./-]+:\d+", re.IGNORECASE)
_CODE = re.compile(r"[`{}]|\s(?:=|:=|==)\s|[\\(]$|→")
_ASIDE = re.compile(r"^(?:cd|ls|pwd|echo|cat|head|tail)\b")
_BY_WHAT = re.compile(
    r"\s+(?:by(?: running)?|with|using|via|like(?: so| this)?|as follows|run|through|locally)$", re.IGNORECASE
)


def steps_of(voice: Voice) -> tuple[Bullet, ...]:
    """List the steps of an observation that is a procedure by its own word: of its list, or its commands."""
    pieces = voice.reading.pieces
    for listed in ([one for one in pieces if one.number], [one for one in pieces if one.shape == "item"]):
        if len(listed) > 1:
            return tuple(piece_bullet(piece, voice.handle) for piece in listed[:_MOST])
    commands = [line for block in voice.reading.commands for line in _commands(block)]
    return tuple(_command_bullet(line, voice) for line in commands[:_MOST])


def procedure_topics(session: Session) -> list[Topic]:
    """Find the procedures that people or answers spell out."""
    topics: list[Topic] = []
    for voice in session.voices:
        if not voice.noise and not (voice.prompt and len(voice.text) > _LONGEST_PROMPT):
            topics += [*_lists(voice, session), *_rows(voice, session)]
    return topics


def _lists(voice: Voice, session: Session) -> Iterator[Topic]:
    """Find ordered lists of things to do."""
    for steps in _ordered(voice):
        if len(steps) < _FEWEST_STEPS or not all(_is_step(piece, voice) for piece in steps):
            continue
        names = (steps[0].intro, *reversed(steps[0].headings[-2:]))
        acts = {heading_act(name) for name in (steps[0].intro, *steps[0].headings) if name}
        title = next((title for name in names if name and (title := _title(name, voice))), "")
        if title and "step" in acts and "proposal" not in acts:
            bullets = tuple(piece_bullet(piece, voice.handle) for piece in steps[:_MOST])
            worth = 1.1 + 0.1 * min(len(steps), 6) + 0.3 * session.centrality(title)
            yield Topic("procedure", title, (Section("Steps", bullets, numbered=True),), worth)


def _ordered(voice: Voice) -> list[list[Piece]]:
    lists: list[list[Piece]] = []
    for piece in voice.reading.pieces:
        if piece.number == 1 and piece.depth == 0:
            lists.append([piece])
        elif piece.number and piece.depth == 0 and lists and piece.number == lists[-1][-1].number + 1:
            lists[-1].append(piece)
    return lists


def _is_step(piece: Piece, voice: Voice) -> bool:
    """Whether it tells somebody to do something."""
    tells = voice.ear.imperative.match(piece.body) is not None or piece.raw.startswith("`")
    return tells and not piece.leans and not piece.plain.endswith(("?", "？"))


def _rows(voice: Voice, session: Session) -> Iterator[Topic]:
    """Find commands in a code block, announced by a line that says what they are for."""
    for block in voice.reading.commands:
        commands = _commands(block)
        acting = [line for line in commands if not _ASIDE.match(line)]
        written = sum(not line.startswith("#") for line in block.lines)
        acts = {heading_act(name) for name in block.headings}
        if len(acting) < _FEWEST_COMMANDS or len(commands) * 2 <= written or acts & {"proposal", "result"}:
            continue
        names = (block.intro, *(name for name in reversed(block.headings[-2:]) if heading_act(name) == "step"))
        if title := next((title for name in names if name and (title := _title(name, voice))), ""):
            steps = Section("Steps", tuple(_command_bullet(line, voice) for line in commands[:_MOST]), numbered=True)
            purpose = _purpose(voice, title, session)
            if len(acting) < _ENOUGH_COMMANDS and not purpose:
                continue
            worth = 0.9 + 0.1 * min(len(acting), 6) + 0.3 * session.centrality(title) + 0.2 * voice.closing
            yield Topic("procedure", title, (*purpose, steps), worth)


def _purpose(voice: Voice, title: str, session: Session) -> tuple[Section, ...]:
    """Find the sentence of the same turn that says best what the commands are about."""
    about = subject_terms(title)
    said = [
        one
        for one in session.statements
        if one.voice.turn == voice.turn
        and not one.voice.prompt
        and is_free(one)
        and is_whole(one)
        and one.act not in {"question", "open"}
        and about & subject_terms(one.plain)
    ]
    return sections_of((("Purpose", chosen(said, session, 1, least=_LEAST_PURPOSE)),))


def _title(name: str, voice: Voice) -> str:
    """Make a title of the line that announces: `To run the tests:`, `You can now profile startup with:`."""
    bare = name.rstrip(" :：")
    if heading_act(bare) == "step" and len(terms(bare)) < _FEWEST_TERMS:
        return ""
    dropped = voice.ear.dropped.match(bare)
    said = bare[dropped.end() :] if dropped else bare
    claim = voice.ear.claim.match(said)
    purpose = said[claim.end() :] if claim else said
    return request_title(_BY_WHAT.sub("", purpose.lstrip(" ,:")), voice.ear, wanted=bool(claim and claim.end()))


def _commands(block: Commands) -> list[str]:
    found = []
    prompted = any(_PROMPT.match(line) for line in block.lines)
    for line in block.lines:
        if line.startswith(("#", "//")) or _OUTPUT.match(line) or (prompted and not _PROMPT.match(line)):
            continue
        match = _COMMAND.match(line.split(" #", 1)[0].rstrip())
        if match and len(match["command"]) <= _LONGEST_COMMAND and not _CODE.search(line):
            found.append(match["command"])
    return found


def _command_bullet(line: str, voice: Voice) -> Bullet:
    return Bullet(f"`{line}`", line, (voice.handle,))
