"""Owns the documents that hold all pages of one type, for printing.

Texts of pages are put behind one another as Markdown: links are led anew from where they stand now, headings go one
level down, and footnotes of a person's own naming keep apart. Below each title stands how far to trust the page and
when it was seen; a footnote quotes how its source begins. Knows no other hub.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from dataclasses import replace as frame_with
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.site.around.told import fact, name_of, quotation_of, shortened
from pipeline.site.document import Document
from pipeline.site.elements import Html, element, join
from pipeline.site.hubs.shelf import hub, live
from pipeline.site.hubs.wording import counted, plural
from pipeline.text import one_line
from pipeline.wiki.derived.listing import literal
from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.claims import COLLECTED
from pipeline.wiki.markdown.links import encode, links, relative, resolve
from pipeline.wiki.markdown.positions import unclosed_by
from pipeline.wiki.revision.sources import is_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.hubs.shelf import Shelf
    from pipeline.wiki.format.page import Source
    from pipeline.wiki.markdown.blocks import Blocks

Edit: TypeAlias = tuple[int, int, str]
"""From where to where a text is replaced, and by what."""

LARGEST: Final = 100_000
"""Bytes of Markdown and notes that one document holds at most; its HTML takes some three times as many."""

_NOTE: Final = 200
"""Bytes that the note in a footnote takes, about."""
_QUOTED: Final = 100
"""Unicode characters of an observation's beginning."""
_HOW: Final = {
    "model": "drafted by a language model from observations",
    "extractive": "collected without a language model, in the observations' own words",
    "hand": "written by hand",
}
"""How pages came to be, by their origin."""

_COLLECTED: Final = re.compile(rf"^> {COLLECTED}: every statement is a quotation\.\n(?:\n|\Z)", re.MULTILINE)
_DEEPEST: Final = 6
_TITLE: Final = 200
_UNDERLINE: Final = re.compile(r"\n {0,3}(?:=+|-+)[ \t]*\Z")
_NOT_PLAIN: Final = re.compile(r"^(?: {4}|\t| {0,3}(?:=+|-+)[ \t]*$)|```|~~~|<", re.MULTILINE)
"""What may be code, raw HTML or a heading of another form."""
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})(?=[ \t]|$)", re.MULTILINE)
_CODE: Final = re.compile(r"(`+)[^`\n]+\1")
_LABEL: Final = re.compile(r"\[\^([^\]\[\n]{1,200})\]")
_OPENS: Final = re.compile(r"^ {0,3}<|```|~~~|<!", re.MULTILINE)


def printed_size(current: Iterable[Facts]) -> int:
    """Tell how many bytes of Markdown and of notes the current pages of a type take in one document."""
    return sum(len(facts.page.body.encode("utf-8", "replace")) + _NOTE * len(facts.cited) for facts in current)


def print_documents(shelf: Shelf) -> Iterator[Document]:
    """Put the current pages of each type into one document, where they fit."""
    for slug, pages in shelf.kinds.items():
        current = live(pages)
        if printed_size(current) > LARGEST:
            continue
        path = shelf.names.printed(slug)
        name = plural(shelf.called[slug])
        words = "\n\n".join(_moved(facts, path, number, shelf) for number, facts in enumerate(current, start=1))
        told = f"{counted(len(current), shelf.noun(slug))} on one page, for printing."
        steps = ((name, shelf.names.type(slug)),)
        html = element("p", f"{told} {_made(current)}".rstrip(), class_="wm-fact")
        document = hub(shelf, path, f"{name}, for printing", html, description=told, steps=steps)
        frame = frame_with(document.frame, notes=_notes(current))
        yield Document(path, document.front, words, frame)


def _made(current: Sequence[Facts]) -> str:
    """Tell how the pages came to be, most of them first."""
    found = Counter(_HOW[facts.origin] for facts in current)
    if not found:
        return ""
    if len(found) == 1:
        return f"{next(iter(found)).capitalize()}."
    told = ", ".join(f"{count:,} {how}" for how, count in sorted(found.items(), key=lambda one: (-one[1], one[0])))
    return f"{told.capitalize()}."


def _notes(current: Iterable[Facts]) -> dict[str, Html]:
    """Quote for each footnote that an observation stands behind how its source begins, with who said it and when."""
    made: dict[str, Html] = {}
    for facts in current:
        cited = frozenset(facts.cited)
        made |= {one.id: _note(one) for one in facts.sources if one.id in cited - made.keys() and is_label(one.id)}
    return made


def _note(source: Source) -> Html:
    when, words = quotation_of(source)
    quotation = shortened(words, _QUOTED)
    told = [element("q", quotation) if quotation else "", *(fact(one) for one in (name_of(source.author), when) if one)]
    return element("p", join((part for part in told if part), " "), class_="wm-source")


def _moved(facts: Facts, path: str, number: int, shelf: Shelf) -> str:
    """Give the text of a page as it may stand in another document, behind other texts."""
    body = facts.page.body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    # The head of the document says it once.
    body = _COLLECTED.sub("", body, count=1) if facts.origin == "extractive" else body
    trust = f"*{', '.join(filter(None, (facts.tier.capitalize(), shelf.day_told(facts))))}*"
    found = _plain(body, trust) or _parsed(body, trust)
    edits = (*_links(body, found.prose, facts.path, path), *found.footnotes(body, number), *found.headings)
    text = replace(body, edits)
    title = "" if found.has_title else f"{_title(facts)}\n\n{trust}"
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


def _plain(body: str, trust: str) -> _Found | None:
    """Read a text line by line, without a parser, which takes a tenth of the time; None where that could go wrong.

    `trust` is put below the first heading of level 1.
    """
    if _NOT_PLAIN.search(body) or any(not is_label(label) for label in _LABEL.findall(body)):
        return None
    headings = [(found.start(1), found.end(1)) for found in _HEADING.finditer(body)]
    edits = [(start, end, _lower(end - start)) for start, end in headings]
    title = next((end for start, end in headings if end - start == 1), 0)
    if title:
        line = body.find("\n", title)
        end = len(body) if line < 0 else line
        edits.append((end, end, _below(body, end, trust)))
    prose = _CODE.sub(lambda code: " " * len(code.group()), body) if "`" in body else body
    return _Found(prose, tuple(edits), has_title=title > 0)


def _below(body: str, end: int, trust: str) -> str:
    """Give a line as it stands by itself behind the end of another one."""
    return f"\n\n{trust}" if body.startswith("\n\n", end) or end >= len(body) - 1 else f"\n\n{trust}\n"


def _parsed(body: str, trust: str) -> _Found:
    blocks = read_blocks(body)
    edits: list[Edit] = []
    has_title = False
    for heading in blocks.headings:
        lines = body[heading.start : heading.end]
        start = heading.start + len(lines) - len(lines.lstrip(" "))
        underline = _UNDERLINE.search(lines)
        if body.startswith("#", start):
            edits.append((start, start + heading.level, _lower(heading.level)))
            place = heading.end
        elif underline and body[start] not in ">-*+":
            edits.append((start, start, f"{_lower(heading.level)} "))
            place = heading.start + underline.start()
        else:
            continue
        below = "" if has_title or heading.level > 1 else _below(body, heading.end, trust)
        has_title = has_title or heading.level == 1
        if below or place < heading.end:
            edits.append((place, heading.end, below))
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
