"""Owns where in a reply values may stand: outside reasoning, anywhere in prose and fences; knows no drafts.

A brace in prose is taken for an object from its first key and colon on, a bracket from an object inside it on. Only
whole values are found. What is inside a value that is broken or cut off is never looked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import InvalidReply, Truncated
from pipeline.reply_text.container import ContainerReader, end_of_broken
from pipeline.reply_text.lexemes import NAME, SPACE, CutOff, Malformed

if TYPE_CHECKING:
    from pipeline.observations.observation import Json


@dataclass(frozen=True, slots=True)
class Found:
    """A container of the reply: its value, or why it has none, and then the keys that it begins with."""

    value: dict[str, Json] | list[Json]
    fault: str = ""
    after_broken: bool = False
    """Whether one before it was broken, so that this one may be a piece of that."""


_TAGS: Final = "think|thinking|thought|reasoning|reflection|analysis"
_ELISIONS: Final = ("...", "…")
"""What stands for left-out parts where prose shows the shape of an answer and not an answer."""
_SPACES: Final = f"{SPACE}*+"


def _quoted_key(opening: str, closing: str) -> str:
    return rf"[{opening}][^{closing}\\]*+(?:\\.[^{closing}\\]*+)*+(?:\\?\Z|[{closing}]{_SPACES}(?:[:/]|\Z))"


_KEYS: Final = "|".join((*(_quoted_key(q, q) for q in "\"'"), _quoted_key("“”„‟", "“”"), _quoted_key("‘’‚‛", "‘’")))
_OBJECT: Final = rf"\{{{_SPACES}(?:\}}|\Z|/(?:[/*]|\Z)|\\[\"'nrt]|{_KEYS}|{NAME}{_SPACES}(?:[:/]|\Z))"
_FLAGS: Final = re.DOTALL | re.IGNORECASE
_OPENING: Final = re.compile(_OBJECT, _FLAGS)
_PLACES: Final = re.compile(
    rf"{_OBJECT}|<(?P<tag>{_TAGS})>|(?P<bracket>\[think\])|(?P<sign>◁think▷)"
    rf"|(?P<end></(?:{_TAGS})>|\[/think\]|◁/think▷)|(?P<list>(?:\[{_SPACES})++)",
    _FLAGS,
)
_END_AT_LINE_START: Final = re.compile(rf"^[ \t]*+(?:</(?:{_TAGS})>|\[/think\]|◁/think▷)", _FLAGS | re.MULTILINE)
_START_OF_REASONING: Final = re.compile(rf"<(?:{_TAGS})>|\[think\]|◁think▷", _FLAGS)
_STARTS_AT_ONCE: Final = re.compile(rf"{_SPACES}[{{\[`~\"]")


def find_containers(text: str) -> list[Found]:
    """Give the objects and lists of a reply in order; raises `Truncated` when the text ends inside one.

    Reasoning between tags is passed over, and so is everything before a closing tag whose opening tag stands in
    the prompt. Reasoning that never ends is an `InvalidReply`.
    """
    found: list[Found] = []
    broken = False
    at = _after_unopened_reasoning(text)
    while place := _PLACES.search(text, at):
        if place["end"]:
            found, broken, at = [], False, place.end()
            continue
        if closing := _closing_tag(place):
            at = _after(closing, text, place.end())
            continue
        if place["list"] and not _OPENING.match(text, place.end()):
            at = place.end()
            continue
        one, end = _read(text, place.start(), after_broken=broken)
        found.append(one)
        broken = broken or bool(one.fault)
        if end is None:
            break
        at = end
    return found


def _read(text: str, start: int, *, after_broken: bool) -> tuple[Found, int | None]:
    reader = ContainerReader(text, start)
    try:
        value = reader.read()
    except CutOff:
        raise Truncated(
            f"the reply ends inside the value that starts at its character {start + 1:,}.",
            next_step="Ask for less at once, or allow the model a longer answer.",
        ) from None
    except Malformed as fault:
        told = f"{fault.reason}, at character {fault.at + 1:,} of the reply"
        is_shape = text.startswith(_ELISIONS, fault.at)
        return Found({} if is_shape else reader.keys(), told, after_broken), end_of_broken(text, start)
    return Found(value, "", after_broken), reader.at


def _closing_tag(place: re.Match[str]) -> str:
    if place["tag"]:
        return f"</{place['tag']}>"
    if place["bracket"]:
        return "[/think]"
    return "◁/think▷" if place["sign"] else ""


def _after(closing: str, text: str, at: int) -> int:
    ending = re.compile(re.escape(closing), re.IGNORECASE).search(text, at)
    if ending is None:
        raise InvalidReply("the reply is reasoning that never ends, without an answer.")
    return ending.end()


def _after_unopened_reasoning(text: str) -> int:
    """Pass over reasoning whose opening tag the prompt holds: its closing tag starts a line.

    A line of a JSON text cannot start so, for a line break in a string is escaped.
    """
    if _STARTS_AT_ONCE.match(text):
        return 0
    ending = _END_AT_LINE_START.search(text)
    if ending is None:
        return 0
    opening = _START_OF_REASONING.search(text, 0, ending.start())
    return 0 if opening else ending.end()
