"""Owns reading a prompt as the pipeline writes it, from the messages alone, as a model sees it.

Knows the headings, fences and head lines of a request; knows nothing of the values that it was written from.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.endpoint.exchange import Call

Mode = Literal["single", "batch", "shared"]

_FENCE = re.compile(r"(`{3,})([a-z]*)")
_HEAD = re.compile(r"\[(o\d+)\] (\S+) \[(user|assistant|tool|system)([^\]]*)\](.*)")
_FILES_AND_TAGS = re.compile(r"(?: \(files: .*?\))?(?: \(tags: .*?\))?:(?: |$)")
_CATALOGUED = re.compile(r"- (\S+\.md) \(([^)]*)\) (.*)")


@dataclass(frozen=True, slots=True)
class Seen:
    """One observation, as its head line and text tell it."""

    handle: str
    ts: str
    role: str
    author: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class SeenSession:
    """One session or window of a request; `name` is empty where it is the only one."""

    name: str
    facts: Mapping[str, Any]
    observations: tuple[Seen, ...]

    @property
    def page(self) -> str:
        """The path of its page, if that stands."""
        told = str(self.facts.get("session_page", ""))
        return "" if told.startswith(("none yet", "new: ")) else told


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One page that is shown whole."""

    path: str
    body: str
    locked: bool

    @property
    def title(self) -> str:
        """The first heading of the body."""
        found = re.search(r"^# (.+)$", self.body, re.MULTILINE)
        return found[1].strip() if found else ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request as a model sees it."""

    system: str
    sessions: tuple[SeenSession, ...]
    pages: tuple[SeenPage, ...]
    catalogue: Mapping[str, str]
    """The titles of all pages that are listed, by path, with whatever follows them in their line."""
    mode: Mode
    reply: str = ""
    """What was answered before, where it is to be mended."""
    faults: tuple[str, ...] = ()

    def page_at(self, path: str) -> SeenPage | None:
        return next((page for page in self.pages if page.path == path), None)


@dataclass(slots=True)
class _Block:
    """What stands under a heading: its lines, and its fences with what their opening says."""

    heading: str
    lines: list[str] = field(default_factory=list)
    fences: list[tuple[str, str]] = field(default_factory=list)


def prompt_of(call: Call) -> Prompt:
    """Read the prompt of a call to the endpoint."""
    return read_prompt([(one["role"], str(one.get("content") or "")) for one in call.messages], call.schema)


def read_prompt(messages: Sequence[tuple[str, str]], schema: Mapping[str, Any] | None = None) -> Prompt:
    """Read messages, each a role and a text; `schema` is the one that came apart from them, if any."""
    system = "\n\n".join(text for role, text in messages if role == "system")
    rest = [(role, text) for role, text in messages if role != "system"]
    task = rest[0][1] if rest else ""
    blocks = _blocks(task)
    sessions = tuple(_sessions(blocks))
    told = schema or _schema_in(task) or {}
    names = set(told.get("properties", ()))
    mode: Mode = "single" if "body" in names else "shared" if len(sessions) > 1 else "batch"
    reply = next((text for role, text in rest[1:] if role == "assistant"), "")
    return Prompt(system, sessions, tuple(_pages(blocks)), _catalogue(blocks), mode, reply, _faults(rest[2:]))


def _blocks(text: str) -> list[_Block]:
    """Cut a text at its headings; nothing inside a fence is a heading."""
    blocks = [_Block("")]
    fence, info, inside = "", "", list[str]()
    for line in text.split("\n"):
        opening = _FENCE.fullmatch(line)
        if fence:
            if line == fence:
                blocks[-1].fences.append((info, "\n".join(inside)))
                fence = ""
            else:
                inside.append(line)
        elif opening:
            fence, info, inside = opening[1], opening[2], []
        elif re.match("#{1,3} ", line):
            blocks.append(_Block(line))
        else:
            blocks[-1].lines.append(line)
    return blocks


def _sessions(blocks: Sequence[_Block]) -> Iterator[SeenSession]:
    """Pair each session's facts with the observations that follow, under whatever heading."""
    name, facts = "", dict[str, Any]()
    for block in blocks:
        if block.heading == "# The session" or block.heading.startswith("# Session "):
            name = block.heading.removeprefix("# Session ") if block.heading != "# The session" else ""
        for info, inside in block.fences:
            if info == "json" and block.heading.startswith(("# The session", "# Session ")):
                facts = json.loads(inside)
            elif info == "observations":
                yield SeenSession(name, facts, tuple(_observations(inside)))


def _observations(text: str) -> Iterator[Seen]:
    head: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.split("\n"):
        found = _HEAD.fullmatch(line)
        if found:
            if head:
                yield _seen(head, lines)
            head, lines = found, []
        else:
            lines.append(line.removeprefix("    "))
    if head:
        yield _seen(head, lines)


def _seen(head: re.Match[str], lines: Sequence[str]) -> Seen:
    handle, ts, role, who, rest = head.groups()
    author, _, kind = who.rpartition(", ") if ", " in who else (who, "", "")
    labels = _FILES_AND_TAGS.match(rest)
    first = rest[labels.end() :] if labels else rest.removeprefix(":").lstrip()
    return Seen(handle, ts, role, author.strip(), kind.strip(), "\n".join((first, *lines)).strip())


def _pages(blocks: Sequence[_Block]) -> Iterator[SeenPage]:
    for block in blocks:
        if block.heading.startswith("### "):
            named = block.heading.removeprefix("### ")
            path = json.loads(named) if named.startswith('"') else named
            body = next((inside for info, inside in block.fences if info == "markdown"), "")
            yield SeenPage(path, body, any(line.startswith("Locked:") for line in block.lines))


def _catalogue(blocks: Sequence[_Block]) -> dict[str, str]:
    lines = [
        line for block in blocks for info, inside in block.fences if info == "catalogue" for line in inside.split("\n")
    ]
    return {found[1]: found[3] for line in lines if (found := _CATALOGUED.match(line))}


def _schema_in(task: str) -> dict[str, Any] | None:
    try:
        schema = json.loads(task.rstrip().rpartition("\n")[2])
    except ValueError:
        return None
    return schema if isinstance(schema, dict) else None


def _faults(rest: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    for role, text in rest:
        for block in _blocks(text) if role == "user" else ():
            for info, inside in block.fences:
                if info == "json":
                    return tuple(map(str, json.loads(inside)))
    return ()
