"""Owns what stands in the wiki already, as far as the request shows it: which page is about what, and its sections.

Sections are cut out by position, so that what stands stays byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS, KINDS
from pipeline.models.extractive.similarity import contradicts, jaccard, same, same_title, subject_terms, terms
from pipeline.models.extractive.wording import readable
from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from pipeline.context import ShownPage
    from pipeline.draft import Kind
    from pipeline.models.extractive.parts import Topic
    from pipeline.prompt import Request
    from pipeline.wiki.entry import CatalogueEntry

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\r?\n?\Z")
_TITLE = re.compile(r"^# +(.+?)\s*$", re.MULTILINE)
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]")
_BULLET = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+")
_SECTION_LEVEL = 2
_ALIKE = 0.6
_KIND_OF_FOLDER: dict[str, Kind] = {folder: kind for kind, folder in FOLDERS.items()}


@dataclass(frozen=True, slots=True)
class StandingSection:
    """A section of level two as it stands, without its heading and without footnote definitions."""

    heading: str
    text: str

    @property
    def bullets(self) -> tuple[str, ...]:
        """Its list items and paragraphs, as they read."""
        return tuple(filter(None, map(quoted_by, self.text.splitlines())))


@dataclass(frozen=True, slots=True)
class StandingPage:
    """A page that the request names; `sections` is empty where its text was not shown."""

    path: str
    kind: Kind
    title: str
    names: tuple[str, ...]
    description: str
    locked: bool
    sections: tuple[StandingSection, ...]

    def section(self, heading: str) -> StandingSection | None:
        """Find the section of that heading."""
        return next((one for one in self.sections if one.heading.casefold() == heading.casefold()), None)

    def says(self, plain: str) -> bool:
        """Tell whether the page says this already."""
        return any(same(plain, held) for section in self.sections for held in section.bullets)


class StandingWiki:
    """The pages of the session's project that are in use."""

    def __init__(self, request: Request) -> None:
        session = request.projection.session
        home = f"{project_folder(session.workspace, session.project)}/"
        shown = {page.path: page for page in request.context.pages}
        self.session_page: StandingPage | None = None
        self.pages: list[StandingPage] = []
        self.titles: list[str] = []
        for entry in request.context.catalogue:
            if not entry.path.startswith(home) or entry.status == "deprecated":
                continue
            page = _listed(entry, shown.get(entry.path))
            self.titles.append(entry.title)
            if entry.path == request.session_page:
                self.session_page = page
            elif page.kind not in {"session", "slot"}:
                self.pages.append(page)
        if request.session_page and self.session_page is None:
            self.session_page = _unlisted(request.session_page, shown.get(request.session_page))

    def concepts(self) -> frozenset[frozenset[str]]:
        """Give the terms of the names of all concept pages."""
        return frozenset(terms(name) for page in self.pages if page.kind == "concept" for name in page.names)

    def about(self, topic: Topic) -> StandingPage | None:
        """Find the page about the subject of `topic`, one of its own kind before others."""
        matches = [(_match(topic, page), page) for page in self.pages]
        best = max(matches, key=lambda match: match[0], default=None)
        return best[1] if best and best[0] else None


def quoted_by(line: str) -> str:
    """Read what a line of a page says, without its mark and its footnotes."""
    return readable(_FOOTNOTE.sub("", _BULLET.sub("", line)).strip())


def sections_of(text: str) -> tuple[StandingSection, ...]:
    """Take a page apart into its sections of level two; definitions of footnotes belong to none."""
    found: list[tuple[str, list[str]]] = []
    fence = ""
    for line in _LINE.findall(_without_definitions(_FRONT.sub("", text, count=1))):
        bare = line.strip()
        opened = _FENCE.match(line)
        heading = None if fence else _HEADING.match(line)
        if opened and not fence:
            fence = opened[1]
        elif fence and bare.startswith(fence) and not bare.strip(fence[0]):
            fence = ""
        elif heading and len(heading[1]) <= _SECTION_LEVEL:
            found.append((readable(heading[2]) if len(heading[1]) == _SECTION_LEVEL else "", []))
            continue
        if found:
            found[-1][1].append(line)
    return tuple(StandingSection(heading, "".join(lines).strip("\r\n")) for heading, lines in found if heading)


def _without_definitions(text: str) -> str:
    """Leave out the definitions of footnotes, with all lines that belong to them."""
    parts: list[str] = []
    done = 0
    for entry in definitions(text):
        parts.append(text[done : entry.start])
        done = entry.end
    return "".join((*parts, text[done:]))


def _match(topic: Topic, page: StandingPage) -> float:
    """Weigh how surely a page is about the subject of a topic; 0 when it is not."""
    kin = 0.1 if page.kind == topic.kind else 0.0
    pairs = [(one, other) for one in (topic.title, *topic.aliases) for other in page.names]
    if any(one.casefold() == other.casefold() for one, other in pairs):
        return 1.0 + kin
    if any(same_title(one, other) for one, other in pairs):
        return 0.8 + kin
    described = page.description
    if described and any(same(plain, described) or contradicts(plain, described) for plain in topic.plains[:2]):
        return 0.7 + kin
    if kin and topic.kind != "concept":
        ours, theirs = subject_terms(f"{topic.title} {topic.lead}"), subject_terms(f"{page.title} {described}")
        alike = jaccard(ours, theirs)
        return alike if alike >= _ALIKE else 0.0
    return 0.0


def _listed(entry: CatalogueEntry, shown: ShownPage | None) -> StandingPage:
    folder = entry.path.rsplit("/", 2)[-2]
    by_type: Kind = next((kind for kind in KINDS if kind == entry.type.casefold()), "concept")
    return StandingPage(
        path=entry.path,
        kind=_KIND_OF_FOLDER.get(folder) or by_type,
        title=entry.title,
        names=(entry.title, *entry.aliases),
        description=entry.description,
        locked=shown.locked if shown else False,
        sections=sections_of(shown.text) if shown else (),
    )


def _unlisted(path: str, shown: ShownPage | None) -> StandingPage:
    """Read a session's page that the catalogue has no room for."""
    text = shown.text if shown else ""
    found = _TITLE.search(_FRONT.sub("", text, count=1))
    title = readable(found[1]) if found else ""
    return StandingPage(path, "session", title, (title,), "", shown.locked if shown else False, sections_of(text))
