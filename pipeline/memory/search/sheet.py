"""Owns what search keeps of a page: the facts that filters and hits need, and its weighed words; reads no disk.

The words of a page's names weigh most, then its tags, then description and headings, then the rest of its body.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import Rejected
from pipeline.relevance import terms
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.supersede import superseded_by

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME, TAG, DESCRIPTION, HEADING, BODY = 5, 3, 2, 2, 1
"""How often a word counts, by where it stands."""

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+)$", re.MULTILINE)
_DEFINITIONS: Final = re.compile(r"^\[\^[^\]\n]+\]:.*$|\[\^[^\]\n]+\]", re.MULTILINE)
_MOST: Final = 60_000
"""So often a word counts at most; what a posting can hold."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page without its words; `key` names its content, `length` is the number of its words."""

    path: str
    key: str
    type: str
    title: str
    tags: tuple[str, ...]
    status: str
    successor: str
    """The path of the page that took this one's place, or empty."""
    length: int

    @property
    def project(self) -> str:
        """The folder of the page's project: `acme`, or `team/acme` in a workspace."""
        return "/".join(self.path.split("/")[:-2])

    @property
    def folder(self) -> str:
        """The folder of its kind: `decisions`."""
        return (["", "", *self.path.split("/")])[-2]


def read_sheet(path: str, raw: bytes, key: str) -> tuple[Sheet, Counter[str]]:
    """Read a page for search; one whose front matter cannot be read is searched as the text that it is."""
    try:
        page = parse_page(path, raw)
    except Rejected:
        text = raw.decode("utf-8", "replace")
        name = path.rpartition("/")[2].removesuffix(".md").replace("-", " ")
        words = _weighed(((name,), NAME), ((text,), BODY))
        return Sheet(path, key, "", name, (), "stable", "", words.total()), words
    body = _DEFINITIONS.sub("", page.body)
    words = _weighed(
        ((page.title, *page.aliases), NAME),
        (page.tags, TAG),
        ((page.description,), DESCRIPTION),
        (_HEADING.findall(body), HEADING),
        ((body,), BODY),
    )
    sheet = Sheet(
        path, key, page.type, page.title, page.tags, page.status, superseded_by(page, path), sum(terms(body).values())
    )
    return sheet, words


def _weighed(*fields: tuple[Iterable[str], int]) -> Counter[str]:
    words: Counter[str] = Counter()
    for texts, weight in fields:
        for term, times in terms("\n".join(texts)).items():
            words[term] = min(words[term] + times * weight, _MOST)
    return words
