"""Owns taking an observation apart into candidate statements; knows nothing of sessions, subjects and pages.

A statement is one contiguous piece of the observation's text: a sentence, two neighbouring ones where the second
leans on the first, or a list item. Code, tables and pasted output hold no statements; commands are kept apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pipeline.models.extractive.blocks import Block, blocks
from pipeline.models.extractive.chatter import code_like, is_paste, merely_passes, says_nothing
from pipeline.models.extractive.leads import lead_of, without_acknowledgement, without_colon, without_lead
from pipeline.models.extractive.sentences import sentences
from pipeline.models.extractive.tongues.all import heading_act
from pipeline.models.extractive.tongues.tongue import words
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.models.extractive.tongues.ear import Ear

Shape = Literal["sentence", "item", "heading", "headline"]

LONGEST = 340
"""Of a statement, in Unicode characters as it is read."""
_LONGEST_ITEM = 300
_A_LITTLE = 60
_SHORTEST_SAID = 24
_SHORTEST_REST = 12
_JOINS = re.compile(r"(?:so|and|but)\s+(?:the|an?|`)", re.IGNORECASE)
"""What loses its beginning when it is quoted alone, and so is better quoted with the sentence before it."""
_SHELLS = words("sh bash shell zsh console shell-session powershell cmd fish text") | {""}


@dataclass(frozen=True, slots=True)
class Piece:
    """One candidate: its text as it stands (`raw`), as it reads (`plain`), and what stands around it.

    `body` is how it reads without a lead-in that is part of it. `headings` are those above it, outermost first,
    `intro` is the line that announces its list; both read as text.
    """

    raw: str
    plain: str
    block: int
    """Number of its block in the observation; -1 for the observation's own title."""
    shape: Shape
    body: str = ""
    headings: tuple[str, ...] = ()
    lead: str = ""
    """A lead-in that says what follows: `Root cause`, `Shadow branches`."""
    lead_kept: bool = False
    """Whether the lead-in is part of the statement."""
    intro: str = ""
    number: int = 0
    """In an ordered list."""
    depth: int = 0
    colon: bool = False
    """Whether it announced what follows; the colon is dropped."""
    leans: bool = False
    """Whether it points at something outside of it."""
    passes: bool = False
    """Whether it says no more than that checks pass."""


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands that stand in a code block, with the line that announces them."""

    lines: tuple[str, ...]
    intro: str
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an observation holds."""

    pieces: tuple[Piece, ...] = ()
    commands: tuple[Commands, ...] = ()
    headings: tuple[Piece, ...] = ()
    prose: Mapping[int, str] = field(default_factory=dict)
    """The whole text of each block that is neither code nor table nor pasted, by its number."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One sentence or neighbouring ones, from `start` to `end` of their block."""

    raw: str
    leans: bool
    start: int
    end: int


def read(text: str, ear: Ear, *, by_person: bool) -> Reading:
    """Take the text of one observation apart."""
    pieces: list[Piece] = []
    headings: list[Piece] = []
    commands: list[Commands] = []
    prose: dict[int, str] = {}
    for number, block in enumerate(blocks(text)):
        if block.kind == "heading":
            plain = readable(block.text)
            headings.append(Piece(block.text, plain, number, "heading", plain, _readable_all(block.headings)))
        elif block.kind == "code" and block.language in _SHELLS:
            lines = tuple(line.strip() for line in block.text.split("\n") if line.strip())
            commands.append(Commands(lines, readable(block.intro), _readable_all(block.headings)))
        elif block.kind in {"paragraph", "item"} and not (by_person and is_paste(block.text)):
            prose[number] = block.text
            found = list(_pieces(block, number, ear, by_person=by_person))
            pieces.extend(found[1:-1] if block.torn else found)
    return Reading(tuple(pieces), tuple(commands), tuple(headings), prose)


def _readable_all(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(readable(text) for text in texts)


def _pieces(block: Block, number: int, ear: Ear, *, by_person: bool) -> Iterator[Piece]:
    lead, start = lead_of(block.text)
    kept = bool(lead) and heading_act(lead) == "none"
    is_item = block.kind == "item"
    text = block.text if kept else block.text[start:]
    runs = _item(text, ear, kept=kept, by_person=by_person) if is_item else None
    if runs is None:
        runs = _sentences(text, start if kept else 0, ear, by_person=by_person)
    headings = _readable_all(block.headings)
    intro = readable(block.intro.strip().rsplit("\n", 1)[-1]) if is_item else ""
    for position, run in enumerate(runs):
        raw, colon = without_colon(run.raw)
        plain = readable(raw)
        if not plain or len(plain) > LONGEST + _A_LITTLE or code_like(raw):
            continue
        if colon and not _says_something(plain, ear, by_person=by_person):
            continue
        leading = kept and position == 0
        body = readable(without_lead(raw)) if leading else plain
        yield Piece(
            raw=raw,
            plain=plain,
            block=number,
            shape="item" if is_item else "sentence",
            body=body,
            headings=headings,
            lead=readable(lead),
            lead_kept=leading,
            intro=intro,
            number=block.number,
            depth=block.depth,
            colon=colon,
            leans=run.leans or (leading and _leans_behind(lead, body, ear)),
            passes=merely_passes(plain, ear) or (leading and merely_passes(body, ear)),
        )


def _item(text: str, ear: Ear, *, kept: bool, by_person: bool) -> list[_Run] | None:
    """Take a list item whole; None when it is too long for that."""
    bare = text.strip()
    if len(bare) > _LONGEST_ITEM:
        return None
    raw, dropped = without_acknowledgement(bare, ear, dropping=not (by_person or kept))
    if not raw or _is_idle(raw, ear, dropped=dropped, by_person=by_person):
        return []
    return [_Run(raw, _leans(raw, ear), 0, len(text))]


def _sentences(text: str, offset: int, ear: Ear, *, by_person: bool) -> list[_Run]:
    """Find the sentences that may be quoted; one that leans on its neighbour before it is quoted with it."""
    runs: list[_Run] = []
    neighbour = False
    for start, end in sentences(text):
        raw, dropped = without_acknowledgement(text[start:end], ear, dropping=start >= offset)
        if not raw or _is_idle(raw, ear, dropped=dropped, by_person=by_person):
            neighbour = False
            continue
        leans = _leans(raw, ear)
        last = raw.rstrip("*_ ")[-1:]
        joined = dropped and _JOINS.match(text, start) is not None
        if joined and neighbour:
            raw = text[start:end]
            follows = by_person or _goes_with(raw, ear)
        else:
            follows = leans and not dropped and last not in {":", "："} and (by_person or _goes_with(raw, ear))
        if follows and neighbour and end - runs[-1].start <= LONGEST:
            before = runs.pop()
            runs.append(_Run(before.raw + text[before.end : end], before.leans, before.start, end))
        else:
            runs.append(_Run(raw, leans, start, end))
        neighbour = True
    return runs


def _goes_with(raw: str, ear: Ear) -> bool:
    """Whether an assistant's sentence that leans may be quoted with the one before it: no question, no musing."""
    plain = readable(raw)
    return not plain.endswith(("?", "？")) and ear.self_reference.search(plain) is None


def _is_idle(raw: str, ear: Ear, *, dropped: bool, by_person: bool) -> bool:
    plain = readable(raw)
    if by_person:
        return len(plain) < 2  # noqa: PLR2004  # a sentence has at least two characters
    return says_nothing(plain, ear) or (dropped and len(plain) < _SHORTEST_REST)


def _leans(raw: str, ear: Ear) -> bool:
    return ear.dangling.match(readable(raw)) is not None


def _leans_behind(lead: str, body: str, ear: Ear) -> bool:
    """Whether what follows a lead-in points at something; after a name in code, it points at what is named."""
    if readable(lead).casefold() in ear.tongue.function_words:
        return True
    return not lead.startswith("`") and ear.pointers.match(body) is not None


def _says_something(plain: str, ear: Ear, *, by_person: bool) -> bool:
    """Whether a sentence that ends in a colon says something before it: what was done, and not `it now shows`."""
    if plain.rsplit(" ", 1)[-1].casefold() in ear.tongue.function_words:
        return False
    if by_person and ear.request.search(plain):
        return True
    return ear.done.match(plain) is not None and len(plain) > _SHORTEST_SAID
