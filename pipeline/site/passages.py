"""Owns what a page's Markdown says in plain words: its sections, and the sentence around each of its links.

Words stay as they are written, so that `session_cookie_ttl` keeps its underscores. Marks of Markdown, footnote marks,
comments and definitions go, and the addresses of links with them. Linear in the length of the text. Knows no front
matter and no other page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from pipeline.site.anchors import anchors, without_id
from pipeline.site.facts import Section
from pipeline.text import cut
from pipeline.wiki.markdown.blocks import replace
from pipeline.wiki.markdown.inline import read_inline
from pipeline.wiki.markdown.links import links

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.wiki.markdown.blocks import Blocks, Heading
    from pipeline.wiki.markdown.inline import Atom
    from pipeline.wiki.markdown.links import Link

LONGEST_SENTENCE: Final = 160
"""Characters of the sentence that a link stands in."""

_LOOKED_AT: Final = 400
"""Characters before a link, and behind it, among which its sentence is looked for."""

_GONE: Final = "\x00"
"""Stands for each character that is no text, so that positions stay; it is dropped from all words."""

_NEEDS_READING: Final = re.compile(
    r"[\\`*_<&\[!\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_PLAIN: Final = _NEEDS_READING.pattern.replace("[", "[^", 1)
_CODE_ALONE: Final = re.compile(rf"{_PLAIN}*+(?:`(?!\s){_PLAIN}++(?<!\s)`(?:{_PLAIN}++|\Z))*+")
"""Text in which code between single backticks is all that needs reading."""
_LEAD: Final = re.compile(r"[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)]|#{1,6}|:)(?=[ \t]|$)|\[[ xX]\](?=[ \t]))[ \t]*)*")
_BOX: Final = re.compile(r"(?:!!!|\?\?\?\+?|===[+!]?)[ \t]+[\w-]*[ \t]*(?:\"(?P<title>[^\"]*)\")?\Z")
_LONGEST_BOX: Final = 300
_RULE: Final = re.compile(r"(?=.*[-=*_])[-=*_|: \t\x00]{3,}\Z")
_FENCE: Final = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
_UNDERLINE: Final = re.compile(r"[ \t>]*(?:=+|-+)[ \t\r]*\Z")
_CLOSING: Final = re.compile(r"(?<=[ \t])#+\Z")
_SENTENCE_END: Final = re.compile(r"[.!?…](?=[\s\x00]|\Z)|[。！？]")


def words_of(text: str) -> str:
    """Give the words of inline Markdown in one line, as a reader sees them."""
    if not _NEEDS_READING.search(text):
        return " ".join(text.split())
    if _CODE_ALONE.fullmatch(text):
        return " ".join(text.replace("`", "").split())
    return " ".join("".join(_told(read_inline(text))).split())


class Passages:
    """A body taken apart for reading."""

    def __init__(self, body: str, blocks: Blocks) -> None:
        self._blocks = blocks
        self._body = body
        self._hidden = tuple(_comments(blocks.prose))
        self._hidden_from = tuple(start for start, _ in self._hidden)
        self.links: tuple[Link, ...] = tuple(link for link in links(blocks.prose) if not self._hides(link.position))
        gone = [
            *self._hidden,
            *((mark.start, mark.end) for mark in blocks.marks),
            *((one.start, one.end) for one in blocks.definitions),
            *(span for link in self.links for span in self._around_words(link)),
        ]
        edits = [(start, end, _blank(body[start:end])) for start, end in gone]
        self._text = replace(body, edits) if edits else body
        self._prose = replace(blocks.prose, edits) if edits else blocks.prose

    def cited(self) -> tuple[str, ...]:
        """Give the labels of the footnotes that the text cites, each once, in order; none from comments."""
        return tuple(dict.fromkeys(mark.label for mark in self._blocks.marks if not self._hides(mark.start)))

    def sections(self) -> Iterator[Section]:
        """Give the headings with the text below each; the text before the first heading has none."""
        headings = self._blocks.headings
        opening = self._words(0, headings[0].start if headings else len(self._text))
        if opening:
            yield Section("", "", 0, opening)
        written = [without_id(self._heading(heading)) for heading in headings]
        places = anchors(("".join(_told(read_inline(text))), name) for text, name in written)
        for number, heading in enumerate(headings):
            end = headings[number + 1].start if number + 1 < len(headings) else len(self._text)
            text = self._words(heading.end, end)
            yield Section(words_of(written[number][0]), places[number], heading.level, text)

    def sentence(self, link: Link) -> str:
        """Give the sentence around a link, cut around it where it is long."""
        start, end = link.whole
        start -= self._is_image(link)
        low, high = self._statement(start, end)
        begin = max((found.end() for found in _SENTENCE_END.finditer(self._text, low, start)), default=low)
        after = _SENTENCE_END.search(self._text, end, high)
        head, own, tail = (
            words_of(part)
            for part in (
                _without_lead(self._text[begin:start]),
                self._text[start:end],
                self._text[end : after.end() if after else high],
            )
        )
        if not own:
            return cut(words_of(self._body[slice(*link.words)]), LONGEST_SENTENCE)
        head, tail = head.lstrip("| "), tail.rstrip("| ")
        head += " " * (bool(head) and self._text[start - 1].isspace())
        return _cut_around(head, own, " " * (bool(tail) and self._text[end].isspace()) + tail)

    def _hides(self, position: int) -> bool:
        """Whether a position lies in a comment."""
        at = bisect_right(self._hidden_from, position)
        return at > 0 and position < self._hidden[at - 1][1]

    def _is_image(self, link: Link) -> bool:
        return link.whole[0] > 0 and self._body[link.whole[0] - 1] == "!" and not link.defines

    def _around_words(self, link: Link) -> Iterator[tuple[int, int]]:
        start, end = link.whole
        if link.defines:
            yield start, end
        else:
            yield start - self._is_image(link), link.words[0]
            yield link.words[1], end

    def _statement(self, start: int, end: int) -> tuple[int, int]:
        """Find the statement that holds a place, else its line."""
        statements = self._blocks.statements
        at = bisect_right(statements, start, key=lambda one: one.start)
        found = statements[at - 1] if at else None
        if found is not None and end <= found.end:
            low, high = found.start, found.end
        else:
            starts, line = self._blocks.starts, self._blocks.line_of(start)
            low, high = starts[line], max(end, starts[line + 1] if line + 1 < len(starts) else len(self._text))
        return max(low, start - _LOOKED_AT), min(high, end + _LOOKED_AT)

    def _heading(self, heading: Heading) -> str:
        lines = self._text[heading.start : heading.end].replace(_GONE, "").split("\n")
        if len(lines) > 1 and _UNDERLINE.match(lines[-1]):
            lines.pop()
        text = " ".join(_without_lead(line).strip() for line in lines)
        return _CLOSING.sub("", text).rstrip()

    def _words(self, start: int, end: int) -> str:
        told: list[str] = []
        paragraph: list[str] = []
        text, prose = self._text[start:end].split("\n"), self._prose[start:end].split("\n")
        for line, running in zip(text, prose, strict=True):
            if running.strip(" \t\r\x00"):
                paragraph += _line(line)
                continue
            if paragraph:
                told.append(words_of(_unbarred(" ".join(paragraph))))
                paragraph = []
            if line.strip(" \t\r\x00") and not _FENCE.match(line):
                told.append(" ".join(line.replace(_GONE, "").split()))
        if paragraph:
            told.append(words_of(_unbarred(" ".join(paragraph))))
        return " ".join(part for part in told if part)


def _told(atoms: Sequence[Atom]) -> Iterator[str]:
    """Give what atoms say; runs of `_` inside a word are its own, as are marks that pair with no other."""
    waiting: dict[str, int] = {}
    paired: set[int] = set()
    for number, atom in enumerate(atoms):
        if atom.kind != "run":
            continue
        before = atoms[number - 1].value[-1:] if number else " "
        after = atoms[number + 1].value[:1] if number + 1 < len(atoms) else " "
        inside = atom.value[0] == "_" and before.isalnum() and after.isalnum()
        if inside:
            continue
        if atom.value in waiting and not before.isspace():
            paired |= {waiting.pop(atom.value), number}
        elif not after.isspace():
            waiting[atom.value] = number
    for number, atom in enumerate(atoms):
        if number not in paired:
            yield atom.value


def _line(line: str) -> Iterator[str]:
    read = _without_lead(line).rstrip()
    box = _BOX.match(read) if read[:1] in "!?=" and len(read) <= _LONGEST_BOX else None
    if box is not None:
        read = box["title"] or ""
    if read and not _RULE.match(read):
        yield read


def _without_lead(line: str) -> str:
    found = _LEAD.match(line)
    return line[found.end() :] if found else line


def _comments(prose: str) -> Iterator[tuple[int, int]]:
    position = prose.find("<!--")
    while position >= 0:
        end = prose.find("-->", position + 4)
        if end < 0:
            return
        yield position, end + 3
        position = prose.find("<!--", end + 3)


def _blank(text: str) -> str:
    return "\n".join(_GONE * len(line) for line in text.split("\n"))


def _unbarred(row: str) -> str:
    return row.replace("|", " ") if row.startswith("|") or " | " in row else row


def _cut_around(head: str, own: str, tail: str) -> str:
    if len(head) + len(own) + len(tail) <= LONGEST_SENTENCE:
        return f"{head}{own}{tail}"
    room = LONGEST_SENTENCE - len(own) - 2
    if room < 0:
        return f"{cut(own, LONGEST_SENTENCE - 1).rstrip()}…"
    before = max(room // 2, room - len(tail))
    kept = head if len(head) <= before else "…" + head[len(head) - before :].partition(" ")[2]
    left = LONGEST_SENTENCE - len(kept) - len(own)
    return f"{kept}{own}{tail}" if len(tail) <= left else f"{kept}{own}{cut(tail, left - 1).rstrip()}…"
