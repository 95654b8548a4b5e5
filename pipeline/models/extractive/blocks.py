"""Owns taking Markdown apart into blocks, line by line; knows nothing of what a block says.

A tolerant scanner, not a renderer: it has to find where prose stands and where code, tables and pasted output
do, in text that nobody promised to be Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "paragraph", "item", "code", "quote", "table"]

_FENCE = re.compile(r"^\s{0,12}(?P<mark>`{3,}|~{3,})\s*(?P<info>[^`\s]*)[^`]*$")
_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})\s+(?P<text>.+?)\s*#*\s*$")
_ITEM = re.compile(r"^(?P<indent>\s*)(?P<mark>[-*+•‣●▪◦・]|\(?(?P<number>\d{1,3})[.)、．])\s+(?P<text>\S.*)$")
_CJK_ITEM = re.compile(r"^(?P<indent>\s*)(?P<mark>(?P<number>\d{1,3})[.)、．]|[・●])(?P<text>[^\s\d].*)$")
_TASK = re.compile(r"^\[[ xX]\]\s+")
_RULE = re.compile(r"^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|(?:=\s*){3,})$")
_QUOTE = re.compile(r"^ {0,3}>\s?(?P<text>.*)$")
_TABLE = re.compile(r"^\s*\|.*\|\s*$|^\s*[^|]*\|[-:| ]+\|?[^|]*$|^\s*[│├└┌╭╰┃║].*$")
_MARKER = re.compile(r"^\[\.\.\. [\d,]+ characters left out \.\.\.\]$")
_TRIPLE_QUOTE = re.compile(r'^\s*(?:"""|\'\'\')\s*$')
_SURVIVES_A_GAP = 2
"""Headings down to this level still count behind an excerpt's gap: a long text keeps its subject."""
_LONG_LINE = 60
_ENDS = ".!?:;。！？：；"
_BOLD_LINE = re.compile(r"^(?:\*\*|__)(?P<text>[^*_]{2,90}?):?(?:\*\*|__):?\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a text. `headings` are those above it, outermost first; `intro` the line that announces it."""

    kind: BlockKind
    text: str
    headings: tuple[str, ...] = ()
    intro: str = ""
    """What stands directly before: of a list or of code the paragraph, of a nested item its parent."""
    depth: int = 0
    number: int = 0
    """Of an item of an ordered list, else 0."""
    language: str = ""
    """Of a fenced code block."""
    torn: bool = False
    """Whether an excerpt's gap touches it: its beginning or end may be missing."""


def blocks(text: str) -> tuple[Block, ...]:
    """Take `text` apart; every line of prose ends up in exactly one block."""
    scanner = _Scanner()
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        scanner.take(line)
    scanner.close()
    return tuple(scanner.found)


class _Scanner:
    """What has been read so far."""

    def __init__(self) -> None:
        self.found: list[Block] = []
        self._headings: list[tuple[int, str]] = []
        self._kind: BlockKind = "paragraph"
        self._lines: list[str] = []
        self._depth = 0
        self._number = 0
        self._indents: list[int] = []
        self._parents: list[str] = []
        self._intro = ""
        self._fence = ""
        self._language = ""
        self._blank = True
        self._torn = False

    def take(self, line: str) -> None:
        if self._fence:
            self._take_code(line)
        elif fence := _FENCE.match(line):
            self._open_fence(fence["mark"], fence["info"])
        elif _TRIPLE_QUOTE.match(line):
            self._open_fence(line.strip(), "text")
        elif _MARKER.match(line):
            self._gap()
        elif not line.strip():
            self._flush()
            self._blank = True
        else:
            self._take_prose(line)
            self._blank = False

    def close(self) -> None:
        self._flush()

    def _take_prose(self, line: str) -> None:
        if heading := _HEADING.match(line):
            self._flush()
            self._head(len(heading["marks"]), heading["text"])
        elif _RULE.match(line):
            self._flush()
            self._leave_list()
            self._intro = ""
        elif _TABLE.match(line):
            self._continue("table", line)
        elif quote := _QUOTE.match(line):
            self._continue("quote", quote["text"])
        elif item := _ITEM.match(line) or _CJK_ITEM.match(line):
            self._open_item(item)
        elif self._goes_on(line):
            self._lines.append(line.strip())
        elif self._indents and line.startswith((" ", "\t")):
            self._take_continuation(line)
        elif line.startswith(("    ", "\t")) and (self._blank or self._kind == "code"):
            self._continue("code", line)
        else:
            self._take_paragraph(line)

    def _goes_on(self, line: str) -> bool:
        """Whether a line continues the item above: it is indented, or a long line was wrapped in mid-sentence."""
        if self._kind != "item" or not self._lines:
            return False
        if line.startswith((" ", "\t")):
            return True
        above = self._lines[-1]
        return len(above) >= _LONG_LINE and above[-1] not in _ENDS and not line[0].isupper() and line[0] not in "*_`"

    def _take_paragraph(self, line: str) -> None:
        if self._indents:
            self._flush()
            self._leave_list()
        bold = _BOLD_LINE.match(line)
        if bold and self._blank and bold["text"][-1] not in ".!?。！？":
            self._flush()
            self._head(7, bold["text"])
            return
        self._continue("paragraph", line.strip())

    def _take_continuation(self, line: str) -> None:
        """Read a further paragraph of an item."""
        if not self._lines:
            self._kind = "paragraph"
            self._intro = self._parents[-1] if self._parents else self._intro
        self._lines.append(line.strip())

    def _continue(self, kind: BlockKind, line: str) -> None:
        if self._kind != kind:
            self._flush()
            self._kind = kind
        self._lines.append(line)

    def _open_item(self, item: re.Match[str]) -> None:
        self._flush()
        indent = len(item["indent"].expandtabs(4))
        while self._indents and indent < self._indents[-1]:
            self._indents.pop()
            self._parents.pop()
        if not self._indents or indent > self._indents[-1]:
            self._indents.append(indent)
            self._parents.append("")
        self._kind = "item"
        self._depth = len(self._indents) - 1
        self._number = int(item["number"] or 0)
        self._lines = [_TASK.sub("", item["text"])]

    def _open_fence(self, mark: str, language: str) -> None:
        self._flush()
        self._fence = mark
        self._language = language.lower()
        self._kind = "code"

    def _take_code(self, line: str) -> None:
        bare = line.strip()
        closes = (
            bare == self._fence
            if self._fence[0] in "\"'"
            else (bare.startswith(self._fence) and not bare.strip(self._fence[0]))
        )
        if closes:
            self._fence = ""
            self._flush()
        elif _MARKER.match(line):
            self._fence = ""
            self._gap()
        else:
            self._lines.append(line)

    def _gap(self) -> None:
        self._torn = True
        self._flush()
        self._torn = True
        self._headings = [(level, text) for level, text in self._headings if level <= _SURVIVES_A_GAP]
        self._leave_list()

    def _head(self, level: int, text: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._add("heading", text, 0)
        self._headings.append((level, text))
        self._leave_list()
        self._intro = ""

    def _leave_list(self) -> None:
        self._indents.clear()
        self._parents.clear()
        self._depth = 0

    def _flush(self) -> None:
        if self._lines:
            kind = self._kind
            text = "\n".join(self._lines)
            self._lines = []
            if text.strip():
                self._add(kind, text, self._number if kind == "item" else 0)
                self._remember(kind, text)
        self._kind = "paragraph"
        self._language = ""

    def _remember(self, kind: BlockKind, text: str) -> None:
        if kind == "item" and self._parents:
            self._parents[-1] = text
        elif kind in {"paragraph", "quote"} and not self._indents:
            self._intro = text

    def _add(self, kind: BlockKind, text: str, number: int) -> None:
        parent = next((held for held in reversed(self._parents[: self._depth]) if held), "") if kind == "item" else ""
        if kind == "code" and self._parents:
            parent = self._parents[-1]
        self.found.append(
            Block(
                kind=kind,
                text=text,
                headings=tuple(held for _, held in self._headings),
                intro=parent or self._intro,
                depth=self._depth if kind == "item" else 0,
                number=number,
                language=self._language,
                torn=self._torn,
            )
        )
        self._torn = False
