"""Owns taking an observation apart into candidate statements; knows nothing of sessions, subjects and pages.

A statement is one contiguous piece of the observation's text: a sentence, two neighbouring ones where the second
leans on the first, or a list item. Code, tables and pasted output hold no statements; commands are kept apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.models.extractive.blocks import Block, blocks
from pipeline.models.extractive.chatter import code_like, from_harness, merely_passes, pasted, says_nothing
from pipeline.models.extractive.wording import readable
from pipeline.models.extractive.sentences import sentences
from pipeline.models.extractive.tongues.all import heading_act

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.extractive.tongues.all import Ear
    from pipeline.models.extractive.tongues.tongue import Act

LONGEST = 340
"""Of a statement, in characters as they are read."""
_LONGEST_ITEM = 300
_SHORTEST_SAID = 24
_BOLD_LEAD = re.compile(
    r"^[\s✅❌⚠️🔴🟡🟢➡️☑️✔️✓✗-]*(?:\*\*|__)(?P<lead>[^*\n]{1,80}?)(?P<inner>[:：.]?)(?:\*\*|__)"
    r"(?P<outer>\s*(?:[:：]|[–—]|-(?=\s))|)\s*"
)
_CODE_LEAD = re.compile(r"^(?P<lead>`[^`\n]{1,60}`(?:\s*\([^)\n]{1,40}\))?)\s*(?P<outer>[:：]|[–—]|-(?=\s)|→)\s+")
_WORD_LEAD = re.compile(r"^(?P<lead>[^\s:：`*.,!?][^:：`*.!?\n]{1,40}?)\s?(?P<outer>[:：])(?:\s+|(?<=：))(?=\S)")
_BRACKET_LEAD = re.compile(r"^[【［\[](?P<lead>[^】］\]\n]{1,30})[】］\]]\s*[:：]?\s*(?=\S)")
_MARKS = re.compile(r"^[\s✅❌⚠️🔴🟡🟢➡️☑️✔️✓✗👍🎉🚀📊💡🔧🐛]+")
_SHELL = frozenset({"", "sh", "bash", "shell", "zsh", "console", "shell-session", "powershell", "cmd", "fish", "text"})
_OPEN_END = re.compile(r"\s+(?:by(?: \w+ing)?|with|to|that|which|as|via|for|in|so|and|now|including|using|where|of|from|"
    r"(?:summari[sz]|cover|document|explain|describ|contain|show|not|list|add)ing)$", re.IGNORECASE)
_SPANS = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True)
class Piece:
    """One candidate: its text as it stands (`raw`), as it reads (`plain`), and what stands around it."""

    raw: str
    plain: str
    block: int
    """Number of its block in the observation."""
    shape: str
    """`sentence`, `item` or `heading`."""
    headings: tuple[str, ...] = ()
    """Plain text of the headings above, outermost first."""
    lead: str = ""
    """A lead-in that says what follows, plain: `Root cause`, `Shadow branches`."""
    lead_kept: bool = False
    """Whether the lead-in is part of the statement."""
    intro: str = ""
    """Of an item: the line that announces the list, plain."""
    number: int = 0
    depth: int = 0
    body: str = ""
    """As it reads without a lead-in that is kept; else as `plain`."""
    colon: bool = False
    """Whether the statement announced what follows; the colon is dropped."""
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
    block: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What an observation holds."""

    pieces: tuple[Piece, ...]
    commands: tuple[Commands, ...]
    headings: tuple[Piece, ...]
    prose: Mapping[int, str] = field(default_factory=dict)
    """The whole text of each block that is neither code nor table nor pasted, by its number."""


def read(text: str, ear: Ear, *, by_person: bool) -> Reading:
    """Take the text of one observation apart."""
    pieces: list[Piece] = []
    headings: list[Piece] = []
    commands: list[Commands] = []
    prose: dict[int, str] = {}
    for number, block in enumerate(blocks(text)):
        if block.kind == "heading":
            headings.append(_heading(block, number))
        elif block.kind == "code":
            if found := _commands(block, number):
                commands.append(found)
        elif block.kind in {"paragraph", "item"}:
            if by_person and _is_paste(block.text):
                continue
            prose[number] = block.text
            pieces.extend(_pieces(block, number, ear, by_person=by_person))
    return Reading(tuple(pieces), tuple(commands), tuple(headings), prose)


def lead_of(text: str) -> tuple[str, int]:
    """The lead-in of a block and where the rest begins; empty and 0 without one."""
    for pattern in (_BOLD_LEAD, _CODE_LEAD, _BRACKET_LEAD):
        found = pattern.match(text)
        if found is None or found.end() >= len(text):
            continue
        groups = found.groupdict()
        if pattern is _BOLD_LEAD and not (groups["inner"] in {":", "："} or groups["outer"]):
            if heading_act(found["lead"]) == "none" or text[found.end()] in "([{,;":
                continue
        return found["lead"], found.end()
    found = _WORD_LEAD.match(text)
    if found and heading_act(found["lead"]) != "none":
        return found["lead"], found.end()
    return "", 0


def _heading(block: Block, number: int) -> Piece:
    return Piece(
        raw=block.text, plain=readable(block.text), block=number, shape="heading", headings=_plain_all(block.headings)
    )


def _plain_all(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(readable(text) for text in texts)


def _is_paste(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return from_harness(text) or sum(pasted(line) for line in lines) * 2 > len(lines)


def _commands(block: Block, number: int) -> Commands | None:
    if block.language not in _SHELL:
        return None
    lines = tuple(line.strip() for line in block.text.split("\n") if line.strip())
    return Commands(lines, readable(block.intro), _plain_all(block.headings), number)


def _pieces(block: Block, number: int, ear: Ear, *, by_person: bool) -> list[Piece]:
    lead, start = lead_of(block.text)
    act = heading_act(lead) if lead else "none"
    kept = bool(lead) and act == "none"
    body = block.text if kept else block.text[start:]
    offset = start if kept else 0
    runs = _runs(body, offset, ear, whole=block.kind == "item", by_person=by_person)
    headings = _plain_all(block.headings)
    intro = readable(_last_line(block.intro)) if block.kind == "item" or block.intro.rstrip().endswith(":") else ""
    found = []
    for position, run in enumerate(runs):
        raw, colon = _without_colon(run.raw)
        text = readable(raw)
        if not text or len(text) > LONGEST + 60 or code_like(raw) or (colon and not _said(text, ear, by_person=by_person)):
            continue
        found.append(
            Piece(
                raw=raw,
                plain=text,
                block=number,
                shape="item" if block.kind == "item" else "sentence",
                headings=headings,
                lead=readable(lead),
                lead_kept=kept and position == 0,
                intro=intro if block.kind == "item" else "",
                number=block.number,
                depth=block.depth,
                body=readable(_after_lead(raw)) if kept and position == 0 else text,
                colon=colon,
                leans=run.leans,
                passes=merely_passes(text, ear) or (kept and position == 0 and merely_passes(readable(_after_lead(raw)), ear)),
            )
        )
    if block.torn and found:
        found = found[1:-1] if len(found) > 2 else []
    return found


@dataclass(slots=True)
class _Run:
    raw: str
    leans: bool
    end: int


def _runs(text: str, offset: int, ear: Ear, *, whole: bool, by_person: bool) -> list[_Run]:
    """Sentences that may be quoted; one that leans on its neighbour before it is quoted with it."""
    spans = sentences(text)
    if whole and spans and spans[-1][1] - spans[0][0] <= _LONGEST_ITEM:
        raw, dropped = _bare(text[spans[0][0] : spans[-1][1]], ear, dropping=not by_person and offset == 0)
        if raw and not _idle(raw, ear, dropped=dropped, by_person=by_person):
            return [_Run(raw, _leans(raw, ear), spans[-1][1])]
        return []
    runs: list[_Run] = []
    previous_kept = False
    begun = 0
    for start, end in spans:
        raw, dropped = _bare(text[start:end], ear, dropping=start >= offset)
        idle = not raw or _idle(raw, ear, dropped=dropped, by_person=by_person)
        leans = not idle and _leans(raw, ear)
        last = raw.rstrip("*_ ")[-1:]
        goes_with = leans and not dropped and last not in {":", "："} and (by_person or last not in {"?", "？"})
        if goes_with and previous_kept and end - begun <= LONGEST:
            runs[-1].raw = _joined(runs[-1].raw, text, runs[-1].end, end)
            runs[-1].end = end
            continue
        previous_kept = not idle
        if not idle:
            begun = start
            runs.append(_Run(raw, leans, end))
    return runs


def _joined(raw: str, text: str, end: int, new_end: int) -> str:
    return raw + text[end:new_end]


def _idle(raw: str, ear: Ear, *, dropped: bool, by_person: bool) -> bool:
    text = readable(raw)
    if by_person:
        return len(text) < 2
    return says_nothing(text, ear) or (dropped and len(text) < 12)


def _leans(raw: str, ear: Ear) -> bool:
    text = readable(raw)
    return ear.dangling.match(text) is not None


def _bare(raw: str, ear: Ear, *, dropping: bool) -> tuple[str, bool]:
    """A sentence without the emphasis around it and the acknowledgement before it."""
    text = _unwrapped(_MARKS.sub("", raw))
    dropped = False
    while dropping and (found := ear.dropped.match(text)) and found.end():
        rest = text[found.end() :].lstrip(" \t*_")
        if not rest:
            return "", True
        text, dropped = _balanced(rest), True
    return text, dropped


def _unwrapped(text: str) -> str:
    for mark in ("**", "__", "*", "_"):
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark) + 1:
            inner = text[len(mark) : -len(mark)]
            if mark not in inner and not inner.startswith(("*", "_")):
                return inner.strip()
    return _balanced(text)


def _balanced(text: str) -> str:
    """The text without an emphasis mark that lost its partner when the text was cut."""
    bare = _SPANS.sub("", text)
    if bare.count("**") % 2:
        if text.startswith("**"):
            return text[2:].lstrip()
        at = text.rfind("**")
        return text[:at] + text[at + 2 :]
    return text


def _without_colon(raw: str) -> tuple[str, bool]:
    text = raw.rstrip()
    bare = text.rstrip("*_")
    if bare.endswith((":", "：")):
        return _balanced(_OPEN_END.sub("", bare[:-1].rstrip())), True
    return text, False


def _after_lead(raw: str) -> str:
    _, start = lead_of(raw)
    return raw[start:]


def _said(text: str, ear: Ear, *, by_person: bool) -> bool:
    """Whether a sentence that ends in a colon says something before it: what was done, and not `it now shows`."""
    last = text.rsplit(" ", 1)[-1].casefold()
    if by_person and ear.request.search(text):
        return last not in ear.tongue.function_words
    return ear.done.match(text) is not None and last not in ear.tongue.function_words and len(text) > _SHORTEST_SAID


def _last_line(text: str) -> str:
    return text.strip().rsplit("\n", 1)[-1]
