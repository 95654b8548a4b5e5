"""Owns what is a procedure: an ordered list of things to do, or a row of commands, with a line that says what for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING


from pipeline.models.extractive.page_parts import Bullet, Section, Topic
from pipeline.models.extractive.wording import readable
from pipeline.models.extractive.similarity import terms
from pipeline.models.extractive.subjects import request_title, title_of
from pipeline.models.extractive.tongues.all import heading_act

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Session, Voice
    from pipeline.models.extractive.statements import Commands, Piece

_FEWEST = 3
_FEWEST_COMMANDS = 2
_MOST = 12
_LONGEST_COMMAND = 120
_COMMAND = re.compile(r"^(?:[$❯%]\s+)?(?P<command>(?:sudo\s+)?(?:\./|~/|[A-Z_]+=\S+\s+)*[a-z][\w.+-]*(?:\s+\S.*)?)$")
_OUTPUT = re.compile(r"^[\s✓✗✅❌•│├└>]|^(?:error|warning|usage|ok|pass|fail)\b|^[\w./-]+:\d+", re.IGNORECASE)
_PROMPT = re.compile(r"^[$❯%]\s+")
_PLACE = re.compile(r"^(?:cd|ls|pwd|echo|cat|head|tail)\b")


def steps_of(voice: Voice) -> tuple[Bullet, ...]:
    """The steps of an observation that is a procedure by its own word: its ordered list, its commands, its list."""
    pieces = voice.reading.pieces
    for wanted in ([one for one in pieces if one.number], [one for one in pieces if one.shape == "item"]):
        if len(wanted) > 1:
            return tuple(_bullet(piece, voice) for piece in wanted[:_MOST])
    commands = [line for block in voice.reading.commands for line in _commands(block)]
    return tuple(Bullet(f"`{line}`", line, (voice.handle,)) for line in commands[:_MOST])


def procedure_topics(session: Session) -> list[Topic]:
    """Procedures that people or answers spell out."""
    found = []
    for voice in session.voices:
        if voice.noise or (voice.prompt and len(voice.text) > _MOST * _LONGEST_COMMAND):
            continue
        found.extend(topic for topic in (*_lists(voice, session), *_rows(voice, session)) if topic)
    return found


def _lists(voice: Voice, session: Session) -> list[Topic]:
    """Ordered lists of things to do."""
    topics = []
    lists: list[list[Piece]] = []
    for piece in voice.reading.pieces:
        if piece.number == 1 and piece.depth == 0:
            lists.append([piece])
        elif piece.number and piece.depth == 0 and lists and piece.number == lists[-1][-1].number + 1:
            lists[-1].append(piece)
    for steps in lists:
        if len(steps) < _FEWEST or not all(_does(piece, voice) for piece in steps):
            continue
        announced = steps[0].intro
        names = (announced, *reversed(steps[0].headings[-2:]))
        if any(heading_act(name) == "proposal" for name in (*steps[0].headings, announced) if name):
            continue
        if not any(heading_act(name) == "step" for name in names if name):
            continue
        title = next((title for name in names if name and (title := _title(name, voice))), "")
        if title:
            bullets = tuple(_bullet(piece, voice) for piece in steps[:_MOST])
            strength = 1.1 + 0.1 * min(len(steps), 6) + 0.3 * session.centrality(title)
            topics.append(Topic("procedure", title, (Section("Steps", bullets, numbered=True),), strength))
    return topics


def _rows(voice: Voice, session: Session) -> list[Topic]:
    """Commands in a code block, announced by a line that says what they are for."""
    topics = []
    for block in voice.reading.commands:
        lines = [line for line in _commands(block) if not _PLACE.match(line)]
        if len(lines) < _FEWEST_COMMANDS or len(lines) * 2 <= len([line for line in block.lines if not line.startswith("#")]):
            continue
        names = (block.intro, *(head for head in reversed(block.headings[-2:]) if heading_act(head) == "step"))
        if any(heading_act(name) in {"proposal", "result"} for name in block.headings if name):
            continue
        title = next((title for name in names if name and (title := _title(name, voice))), "")
        if not title:
            continue
        bullets = tuple(Bullet(f"`{line}`", line, (voice.handle,)) for line in _commands(block)[:_MOST])
        strength = 0.9 + 0.1 * min(len(lines), 6) + 0.3 * session.centrality(title) + (0.2 if voice.closing else 0.0)
        topics.append(Topic("procedure", title, (Section("Steps", bullets, numbered=True),), strength))
    return topics


def _does(piece: Piece, voice: Voice) -> bool:
    """Whether a step tells somebody to do something."""
    return not piece.leans and not piece.plain.endswith(("?", "？")) and (
        voice.ear.imperative.match(piece.body) is not None or piece.raw.startswith("`")
    )


def _title(name: str, voice: Voice) -> str:
    """`To run the tests:` and `You can now profile startup with:` say what a procedure is for."""
    bare = name.rstrip(" :：")
    if heading_act(bare) == "step" and len(terms(bare)) < 2:  # noqa: PLR2004
        return ""
    purpose = _purpose(bare, voice)
    return request_title(purpose, voice.ear, wanted=purpose != bare)


def _purpose(text: str, voice: Voice) -> str:
    for _ in range(3):
        found = voice.ear.claim.match(text) or voice.ear.dropped.match(text)
        if not found or not found.end() or found.end() >= len(text):
            break
        text = text[found.end() :].lstrip(" ,:")
    return re.sub(r"\s+(?:by(?: running)?|with|using|via|like(?: so| this)?|as follows|run|through|locally)$", "", text)


def _commands(block: Commands) -> list[str]:
    found = []
    prompted = any(_PROMPT.match(line) for line in block.lines)
    for line in block.lines:
        if line.startswith(("#", "//")) or _OUTPUT.match(line) or (prompted and not _PROMPT.match(line)):
            continue
        match = _COMMAND.match(line.split(" #", 1)[0].rstrip())
        if match and len(match["command"]) <= _LONGEST_COMMAND and "`" not in line and not line.endswith(("\\", "{", "(")):
            found.append(match["command"])
    return found


def _bullet(piece: Piece, voice: Voice) -> Bullet:
    return Bullet(piece.raw, piece.plain, (voice.handle,))



