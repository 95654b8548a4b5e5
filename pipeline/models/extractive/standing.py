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
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from pipeline.context import CatalogueEntry
    from pipeline.draft import Kind
    from pipeline.models.extractive.page_parts import Topic
    from pipeline.prompt import Request

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\r?\n?\Z")
_DEFINITION = re.compile(r" {0,3}\[\^[^\]]+\]:")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]")
_BULLET = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+")
_ALIKE = 0.6
_KIND_OF_FOLDER: dict[str, Kind] = {folder: kind for kind, folder in FOLDERS.items()}


@dataclass(frozen=True, slots=True)
class StandingSection:
    """A section of level two as it stands, without its heading and without footnote definitions."""

    heading: str
    text: str

    @property
    def bullets(self) -> tuple[str, ...]:
        """Its list items and paragraphs, plain and without footnote marks."""
        found = []
        for line in self.text.splitlines():
            bare = _FOOTNOTE.sub("", _BULLET.sub("", line)).strip()
            if bare:
                found.append(readable(bare))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class StandingPage:
    """A page that the request names; `sections` is empty where its text was not shown."""

    path: str
    kind: Kind
    title: str
    names: tuple[str, ...]
    description: str
    shown: bool
    locked: bool
    sections: tuple[StandingSection, ...]

    def section(self, heading: str) -> StandingSection | None:
        """The section of that heading, if there is one."""
        return next((one for one in self.sections if one.heading.casefold() == heading.casefold()), None)

    def says(self, plain: str) -> bool:
        """Whether the page says this already."""
        return any(same(plain, held) for section in self.sections for held in section.bullets)


class StandingWiki:
    """The pages of the session's project."""

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
            whole = shown.get(entry.path)
            page = _page(entry, whole.text if whole else "", locked=bool(whole and whole.locked))
            self.titles.append(entry.title)
            if entry.path == request.session_page:
                self.session_page = page
            elif page.kind not in {"session", "slot"}:
                self.pages.append(page)
        if request.session_page and self.session_page is None:
            whole = shown.get(request.session_page)
            self.session_page = _unlisted(request.session_page, whole.text if whole else "", bool(whole and whole.locked))

    def concepts(self) -> dict[frozenset[str], str]:
        """What the wiki has concept pages of, by the terms of their names."""
        return {
            terms(name): page.path for page in self.pages if page.kind == "concept" for name in page.names
        }

    def about(self, topic: Topic) -> StandingPage | None:
        """The page about the subject of `topic`, one of its own kind before others."""
        best: tuple[float, StandingPage] | None = None
        for page in self.pages:
            score = _match(topic, page)
            if score and (best is None or score > best[0]):
                best = (score, page)
        return best[1] if best else None


def _match(topic: Topic, page: StandingPage) -> float:
    """How surely a page is about the subject of a topic; 0 when it is not."""
    kin = 0.1 if page.kind == topic.kind else 0.0
    names = (topic.title, *topic.aliases)
    if any(one.casefold() == other.casefold() for one in names for other in page.names):
        return 1.0 + kin
    if any(same_title(one, other) for one in names for other in page.names):
        return 0.8 + kin
    if page.description and any(same(plain, page.description) or contradicts(plain, page.description) for plain in topic.plains[:2]):
        return 0.7 + kin
    if page.kind == topic.kind and topic.kind != "concept":
        ours = subject_terms(f"{topic.title} {topic.lead}")
        theirs = subject_terms(f"{page.title} {page.description}")
        alike = jaccard(ours, theirs)
        if alike >= _ALIKE:
            return alike
    return 0.0


def _page(entry: CatalogueEntry, text: str, *, locked: bool) -> StandingPage:
    folder = entry.path.rsplit("/", 2)[-2] if entry.path.count("/") else ""
    by_type = next((kind for kind in KINDS if kind == entry.type.casefold()), "concept")
    return StandingPage(
        path=entry.path,
        kind=_KIND_OF_FOLDER.get(folder, by_type),
        title=entry.title,
        names=(entry.title, *entry.aliases),
        description=entry.description,
        shown=bool(text),
        locked=locked,
        sections=sections_of(text),
    )


def _unlisted(path: str, text: str, locked: bool) -> StandingPage:  # noqa: FBT001
    found = re.search(r"^# +(.+?)\s*$", _FRONT.sub("", text), re.MULTILINE)
    title = readable(found[1]) if found else ""
    return StandingPage(path, "session", title, (title,), "", bool(text), locked, sections_of(text))


def sections_of(text: str) -> tuple[StandingSection, ...]:
    """The sections of level two of a page, as they stand; definitions of footnotes belong to none."""
    body = _FRONT.sub("", text, count=1)
    found: list[tuple[str, list[str]]] = []
    fence = ""
    for line in _LINE.findall(body):
        opened = _FENCE.match(line)
        if opened and not fence:
            fence = opened[1]
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif not fence and (heading := _HEADING.match(line)) and len(heading[1]) <= 2:  # noqa: PLR2004
            found.append((readable(heading[2]) if len(heading[1]) == 2 else "", []))  # noqa: PLR2004
            continue
        elif not fence and _DEFINITION.match(line):
            continue
        if found:
            found[-1][1].append(line)
    return tuple(StandingSection(heading, "".join(lines).strip("\r\n")) for heading, lines in found if heading)
