"""Owns how one file of the wiki points at another, in both directions; knows no page and no file.

Paths are relative to the wiki's root, with `/`. What is written is a relative address that Markdown reads back
unchanged; what is read may be relative or begin at the wiki's root (`/acme/index.md`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNSAFE = re.compile(r"[\x00-\x20\x7f()<>\"'`\\%#?\[\]*|]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_ADDRESS = r"(?P<to><[^<>\r\n]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)"
_TITLE = r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?"
_INLINE = re.compile(
    r"(?<!\\)\[(?P<words>(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\]){0,2000})\]\([ \t]*" + _ADDRESS + _TITLE + r"\s*\)",
    re.DOTALL,
)
_REFERENCE = re.compile(r"^ {0,3}\[(?P<words>(?!\^)[^\[\]\r\n]+)\]:[ \t]*(?P<to><[^<>\r\n]*>|\S+)", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image in a text, where its address begins."""

    position: int
    address: str
    whole: tuple[int, int] = (0, 0)
    """From where to where all of it stands; the `!` of an image lies before it, the title of a definition behind."""
    words: tuple[int, int] = (0, 0)
    """The same of what stands in its brackets; of a definition that is the label."""
    defines: bool = False
    """Whether it is a definition, to which links lead by their label."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads: a path below the wiki's root (`outside` when it climbs out of it) and an anchor."""

    path: str
    anchor: str = ""
    outside: bool = False


def relative(page: str, target: str) -> str:
    """Return the path that leads from the folder of `page` to `target`; none that begins as if with a scheme does."""
    here, there = page.split("/")[:-1], target.split("/")
    same = 0
    while same < min(len(here), len(there) - 1) and here[same] == there[same]:
        same += 1
    steps = [".."] * (len(here) - same) + there[same:]
    return "/".join(["."] * (":" in steps[0]) + steps)


def join(page: str, path: str) -> str:
    """Return the path from the wiki's root of what `page` calls `path`; one that leads out begins with `..`."""
    parts: list[str] = []
    for part in [*page.split("/")[:-1], *path.split("/")]:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def encode(path: str) -> str:
    """Make a path an address in Markdown: what Markdown or a browser would read otherwise is percent-encoded."""
    return _UNSAFE.sub(lambda found: f"%{ord(found.group()):02X}", path)


def decode(address: str) -> str:
    """Return the path behind an address."""
    if "%" not in address:
        return address
    raw = bytearray()
    position = 0
    while position < len(address):
        found = _PERCENT.match(address, position)
        if found:
            raw.append(int(found.group(1), 16))
            position = found.end()
        else:
            raw += address[position].encode("utf-8", "surrogatepass")
            position += 1
    return raw.decode("utf-8", "replace")


def links(prose: str) -> Iterator[Link]:
    """Yield all links and images of a text whose code is blanked out, reference definitions included."""
    patterns = [_INLINE] if "](" in prose else []
    if "]:" in prose:
        patterns.append(_REFERENCE)
    for pattern in patterns:
        for found in pattern.finditer(prose):
            address = found["to"]
            if address.startswith("<"):
                address = address[1:-1]
            plain = _ESCAPE.sub(r"\1", address)
            yield Link(found.start("to"), plain, found.span(), found.span("words"), pattern is _REFERENCE)


def resolve(page: str, address: str) -> Target | None:
    """Tell where an address in `page` leads; nothing for an address outside the wiki's files (`https:`, `mailto:`)."""
    if _SCHEME.match(address):
        return None
    path, _, anchor = address.partition("#")
    path = decode(path.partition("?")[0])
    if not path:
        return Target(page, decode(anchor))
    whole = join("", path) if path.startswith("/") else join(page, path)
    return Target(whole, decode(anchor), outside=whole == ".." or whole.startswith("../"))
