"""Owns the documents that hold all pages of one type, for printing.

Texts of pages are put behind one another as Markdown: links are led anew from where they stand now, headings go one
level down, and footnotes of a person's own naming keep apart. Knows no other hub.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.site.elements import element, join
from pipeline.site.hubs.shelf import hub, live
from pipeline.site.hubs.wording import counted, plural, uncapital
from pipeline.text import one_line
from pipeline.wiki.derived.listing import literal
from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.links import encode, links, relative, resolve
from pipeline.wiki.markdown.positions import unclosed_by
from pipeline.wiki.revision.sources import is_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.site.document import Document
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.shelf import Shelf
    from pipeline.wiki.markdown.blocks import Blocks

Edit: TypeAlias = tuple[int, int, str]
"""From where to where a text is replaced, and by what."""

LARGEST: Final = 100_000
"""Bytes of Markdown that one document holds at most; its HTML takes some three times as many."""

_DEEPEST: Final = 6
_TITLE: Final = 200
_UNDERLINE: Final = re.compile(r"\n {0,3}(?:=+|-+)[ \t]*\Z")
_NOT_PLAIN: Final = re.compile(r"^(?: {4}|\t| {0,3}(?:=+|-+)[ \t]*$)|```|~~~|<", re.MULTILINE)
"""What may be code, raw HTML or a heading of another form."""
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})(?=[ \t]|$)", re.MULTILINE)
_CODE: Final = re.compile(r"(`+)[^`\n]+\1")
_LABEL: Final = re.compile(r"\[\^([^\]\[\n]{1,200})\]")
_OPENS: Final = re.compile(r"^ {0,3}<|```|~~~|<!", re.MULTILINE)


def is_printable(pages: Iterable[Facts]) -> bool:
    """Whether the current pages of a type fit into one document."""
    return sum(len(facts.page.body.encode("utf-8", "replace")) for facts in live(pages)) <= LARGEST


def print_documents(shelf: Shelf) -> Iterator[Document]:
    """Put the current pages of each type into one document, where they fit."""
    for slug, pages in shelf.kinds.items():
        if not is_printable(pages):
            continue
        path = shelf.names.printed(slug)
        current = live(pages)
        name = plural(shelf.called[slug])
        words = "\n\n".join(_moved(facts, path, number) for number, facts in enumerate(current, start=1))
        told = f"{counted(len(current), uncapital(shelf.called[slug]))} on one page, for printing."
        steps = ((name, shelf.names.type(slug)),)
        html = element("p", join((told,)), class_="wm-fact")
        document = hub(shelf, path, f"{name}, for printing", html, description=told, steps=steps)
        yield type(document)(path, document.front, words, document.frame)


def _moved(facts: Facts, path: str, number: int) -> str:
    """Give the text of a page as it may stand in another document, behind other texts."""
    body = facts.page.body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    found = _plain(body) or _parsed(body)
    edits = (*_links(body, found.prose, facts.path, path), *found.footnotes(body, number), *found.headings)
    text = replace(body, edits)
    title = "" if found.has_title else _title(facts)
    # Only these can be left open; finding out whether they are takes another parse.
    end = unclosed_by(text) if _OPENS.search(text) else ""
    return "\n\n".join(filter(None, (title, f"{text}\n{end}" if end else text)))


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands in a text: `prose` is the text with code blanked out, `headings` are the edits that lower them."""

    prose: str
    headings: tuple[Edit, ...]
    has_title: bool
    blocks: Blocks | None = None

    def footnotes(self, body: str, number: int) -> Iterator[Edit]:
        """Tell apart the footnotes of two pages that share a label; one made from an observation is the same."""
        if self.blocks is None:
            return
        for mark in self.blocks.marks:
            if not is_label(mark.label):
                yield mark.start + 2, mark.end - 1, f"{number}-{mark.label}"
        for known in self.blocks.definitions:
            if not is_label(known.label):
                start = body.index("[^", known.start) + 2
                yield start, start + len(known.label), f"{number}-{known.label}"


def _plain(body: str) -> _Found | None:
    """Read a text line by line, without a parser, which takes a tenth of the time; None where that could go wrong."""
    if _NOT_PLAIN.search(body) or any(not is_label(label) for label in _LABEL.findall(body)):
        return None
    headings = [(found.start(1), found.end(1)) for found in _HEADING.finditer(body)]
    edits = tuple((start, end, _lower(end - start)) for start, end in headings)
    prose = _CODE.sub(lambda code: " " * len(code.group()), body) if "`" in body else body
    return _Found(prose, edits, has_title=any(end - start == 1 for start, end in headings))


def _parsed(body: str) -> _Found:
    blocks = read_blocks(body)
    edits: list[Edit] = []
    for heading in blocks.headings:
        lines = body[heading.start : heading.end]
        start = heading.start + len(lines) - len(lines.lstrip(" "))
        underline = _UNDERLINE.search(lines)
        if body.startswith("#", start):
            edits.append((start, start + heading.level, _lower(heading.level)))
        elif underline and body[start] not in ">-*+":
            edits.append((start, start, f"{_lower(heading.level)} "))
            edits.append((heading.start + underline.start(), heading.end, ""))
    has_title = any(heading.level == 1 for heading in blocks.headings)
    return _Found(blocks.prose, tuple(edits), has_title, blocks)


def _lower(level: int) -> str:
    return "#" * min(level + 1, _DEEPEST)


def _title(facts: Facts) -> str:
    return f"## {literal(one_line(facts.title, _TITLE))}"


def _links(body: str, prose: str, page: str, path: str) -> Iterator[Edit]:
    for link in links(prose):
        target = resolve(page, link.address)
        if target is None or target.outside:
            continue
        anchor = f"#{encode(target.anchor)}" if target.anchor else ""
        whole = body[link.position : link.whole[1]]
        written = whole[: whole.index(">") + 1] if whole.startswith("<") else link.address
        if not body.startswith(written, link.position):
            continue
        yield link.position, link.position + len(written), f"{encode(relative(path, target.path))}{anchor}"
