"""Owns how a line of Markdown is shown where versions are compared: without the marks that a page shows as looks.

Linear in the length of the text. Knows no HTML and no page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING: Final = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<words>.*?)(?:[ \t]+#+)?[ \t]*\Z", re.DOTALL)
_RULE: Final = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_ITEM: Final = re.compile(r"(?P<lead>[ \t]*)[-*+][ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?")
_STRONG: Final = re.compile(r"\*\*(?P<words>[^\s*](?:[^*\n]{0,400}[^\s*])?)\*\*")
_CODE: Final = re.compile(r"(?<![`\\])(?P<ticks>`+)(?!`)(?P<words>.{1,400}?)(?<!`)(?P=ticks)(?!`)")
_BULLET: Final = "• "
_BOXES: Final = {" ": "☐ ", "x": "☑ "}


def is_heading(line: str) -> bool:
    """Whether a line, which is no code, is a heading."""
    return _HEADING.match(line) is not None


def readable(line: str) -> str:
    """Give a line, which is no code, as a reader of the page sees it, in plain text.

    A heading and a list item lose their marks, the item for a bullet; words in bold and code between single backticks
    lose theirs. Everything else stays, the addresses of links among it: a change there is to be seen.
    """
    found, item = _HEADING.match(line), _ITEM.match(line)
    if found:
        line = found["words"]
    elif item and not _RULE.match(line):
        box = _BOXES[item["box"].lower()] if item["box"] else ""
        line = f"{item['lead']}{_BULLET}{box}{line[item.end() :]}"
    return "".join(_without_marks(line))


def marks(line: str) -> tuple[int, int, int]:
    """Count the marks that `readable` takes out: the level of a heading, runs in bold, and code."""
    found = _HEADING.match(line)
    code = sum(len(one["ticks"]) == 1 for one in _CODE.finditer(line))
    return len(found["level"]) if found else 0, len(_STRONG.findall(_CODE.sub("", line))), code


def _without_marks(line: str) -> Iterator[str]:
    """Give the parts of a line; what is code stays as it is, but for single backticks around it."""
    reached = 0
    for code in _CODE.finditer(line):
        yield _STRONG.sub(r"\g<words>", line[reached : code.start()])
        yield code["words"] if len(code["ticks"]) == 1 else code[0]
        reached = code.end()
    yield _STRONG.sub(r"\g<words>", line[reached:])
