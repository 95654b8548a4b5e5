"""Owns how quotations look on a page: bullets, sections, bodies, descriptions, tags; knows no session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import contradicts, same
from pipeline.models.extractive.standing import quoted_by
from pipeline.models.extractive.subjects import HASH, tag_of
from pipeline.text import one_line
from pipeline.wiki.markdown.claims import COLLECTED
from pipeline.wiki.markdown.quoting import quote_inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.extractive.parts import Bullet, Section
    from pipeline.models.extractive.standing import StandingSection

NOTE = f"> {COLLECTED}: every statement is a quotation."
_LONGEST_DESCRIPTION = 160
_SHORTEST_DESCRIPTION = 60
_ENDS = (". ", "。", "; ", " - ", " — ", ", ")
_LONGER = 1.3
_MOST_TAGS = 5
_MOST_WORDS = 3
_TAG = re.compile(r"[\w .:/-]{1,60}")


def page_body(sections: Iterable[Section]) -> str:
    """Write a new page, all after its title."""
    return "\n".join((f"{NOTE}\n", *map(section_text, sections)))


def section_text(section: Section) -> str:
    """Write one section with its heading."""
    numbers = range(1, len(section.bullets) + 1) if section.numbered else [0] * len(section.bullets)
    return block(section.heading, "\n".join(map(_line, section.bullets, numbers)))


def extended_text(section: Section, standing: StandingSection) -> str:
    """Write a standing section with new bullets: what stands, byte for byte, and a newer word before an older one."""
    lines = standing.text.split("\n")
    steps = len(standing.bullets) if section.numbered else 0
    for number, bullet in enumerate(section.bullets, start=1):
        line = _line(bullet, steps + number if section.numbered else 0)
        older = (at for at, held in enumerate(lines) if contradicts(bullet.plain, quoted_by(held)))
        lines.insert(len(lines) if section.numbered else next(older, len(lines)), line)
    return block(section.heading, "\n".join(lines))


def block(heading: str, text: str) -> str:
    """Put a heading over a text."""
    return f"## {heading}\n\n{text}\n"


def description_of(title: str, sections: Sequence[Section]) -> str:
    """Take the first statement that says more than the title, plain and short."""
    every = [bullet.plain for section in sections for bullet in section.bullets]
    return _shortened(next((text for text in every if not _repeats(text, title)), every[0])) if every else ""


def tags_of(given: Iterable[str], mentioned: Iterable[str], title: str) -> tuple[str, ...]:
    """Turn names into a few tags: what somebody gave as one, and names that are told from words by their look.

    Of names that are only mentioned, no acronyms, no pieces of code, no hashes, and no plain words, which tag
    nothing; single names, and commands of few words.
    """
    names = [*((name, True) for name in given), *((name, False) for name in mentioned)]
    found: dict[str, str] = {}
    for name, is_given in names:
        tag = tag_of(name) if is_given or _is_telling(name) else ""
        if tag and tag.casefold() != title.casefold() and _TAG.fullmatch(tag):
            found.setdefault(tag.casefold(), tag)
    return tuple(found.values())[:_MOST_TAGS]


def _is_telling(name: str) -> bool:
    plain_words = " " not in name or name.islower()
    acronym = name.isupper() and name.isalpha()
    word = name.isalpha() and name[1:].islower()
    return plain_words and not acronym and not word and len(name.split()) <= _MOST_WORDS and not HASH.search(name)


def _line(bullet: Bullet, number: int) -> str:
    mark = f"{number}." if number else "-"
    return f"{mark} {quote_inline(bullet.raw)}{''.join(f'[^{handle}]' for handle in bullet.handles)}"


def _repeats(text: str, title: str) -> bool:
    longer = len(text) > _LONGER * len(title) + 10
    return not longer and (same(text, title) or title.casefold() in text.casefold())


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST_DESCRIPTION:
        return text
    for mark in _ENDS:
        at = text.rfind(mark, _SHORTEST_DESCRIPTION, _LONGEST_DESCRIPTION)
        if at > 0:
            return text[: at + (mark[0] in ".。")]
    return one_line(text, _LONGEST_DESCRIPTION)
