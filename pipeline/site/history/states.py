"""Owns what counts of a page as one commit left it: its text, and the few keys of its front matter that readers see.

When it was generated, from which sources and with which digest is bookkeeping, and makes no other content. Who
confirmed it is told beside the content. Knows no other state.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import Rejected
from pipeline.wiki.format.frontmatter import parse, split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.wiki.format.frontmatter import Yaml

FIELDS: Final = ("title", "type", "description", "status", "tags", "aliases", "superseded_by")
"""The keys whose values readers see, in the order in which they are told."""

_ENTRY: Final = re.compile(rf"^({'|'.join(FIELDS)}|verified)[ \t]*:.*(?:\n(?:[ \t-].*)?)*", re.MULTILINE)
_OPENING: Final = b"---\n"
_CLOSING: Final = re.compile(rb"^(?:-{3,}|\.\.\.)[ \t]*$", re.MULTILINE)
_NEWLINE: Final = re.compile(r"\r\n?")
_PERSON: Final = "human:"
_STABLE: Final = "stable"


@dataclass(frozen=True, slots=True)
class State:
    """The lines of a page's text, without blanks at their ends, and the entries of its front matter as written."""

    lines: tuple[str, ...]
    entries: Mapping[str, str]
    block: str


def read_state(raw: bytes) -> State:
    """Read a state of a page; `raw` may be anything at all."""
    if raw.startswith(_OPENING) and b"\r" not in raw and (end := _CLOSING.search(raw, len(_OPENING))):
        # As nearly all pages begin: many thousands of states are read for a site.
        block, body = raw[len(_OPENING) : end.start()], raw[end.end() :]
        if b":" in block:
            return _state(block.decode("utf-8", "replace"), body.decode("utf-8", "replace"))
    try:
        parts = split(raw)
    except Rejected:
        return State(_lines(raw.decode("utf-8", "replace")), {}, "")
    # Without a key it is text between two rules, and belongs to what the page says.
    return (
        _state(_NEWLINE.sub("\n", parts.block), parts.body) if ":" in parts.block else State(_lines(parts.text), {}, "")
    )


def _state(block: str, body: str) -> State:
    return State(_lines(body), {found[1]: found[0].rstrip() for found in _ENTRY.finditer(block)}, block)


def changed_fields(before: State, after: State) -> tuple[tuple[str, str, str], ...]:
    """Give each key that readers see whose value changed, with the value before and after; nothing for none."""
    names = [name for name in FIELDS if before.entries.get(name) != after.entries.get(name)]
    if not names:
        return ()
    old, new = _values(before), _values(after)
    told = ((name, old.get(name, ""), new.get(name, "")) for name in names)
    return tuple(one for one in told if one[1] != one[2])


def confirmed_by(before: State | None, after: State) -> tuple[str, ...]:
    """Name the people who confirmed the page since an earlier state, each once."""
    entry = after.entries.get("verified", "")
    if _PERSON not in entry or (before is not None and before.entries.get("verified") == entry):
        return ()
    known = set(_confirmations(before)) if before is not None else set()
    return tuple(dict.fromkeys(who for who, when in _confirmations(after) if (who, when) not in known))


def _lines(body: str) -> tuple[str, ...]:
    if "\r" in body:
        body = _NEWLINE.sub("\n", body)
    lines = [line.rstrip() for line in body.rstrip().split("\n")]
    first = next((number for number, line in enumerate(lines) if line), len(lines))
    return tuple(lines[first:])


def _values(state: State) -> dict[str, str]:
    """Give the values of the keys that readers see, as text; what cannot be read is told as it is written."""
    front = _front(state)
    if front is None:
        return {name: " ".join(entry.partition(":")[2].split()) for name, entry in state.entries.items()}
    told = {name: _text(front.get(name)) for name in FIELDS}
    # A page without a status is stable.
    return {**told, "status": told["status"] or _STABLE}


def _front(state: State) -> Mapping[str, Yaml] | None:
    try:
        return parse(state.block) if state.block.strip() else {}
    except Rejected:
        return None


def _confirmations(state: State) -> list[tuple[str, str]]:
    verified = (_front(state) or {}).get("verified")
    entries: Sequence[Yaml] = verified if isinstance(verified, list) else [verified]
    told = [(_text(entry.get("by")), _text(entry.get("at"))) for entry in entries if isinstance(entry, dict)]
    return [(by.removeprefix(_PERSON), at) for by, at in told if by.startswith(_PERSON)]


def _text(value: Yaml) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    return "" if value is None or isinstance(value, dict) else " ".join(str(value).split())
