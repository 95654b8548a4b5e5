"""Owns which page an update of a draft is about: the one that it names, one of the same subject, or a new one.

Knows nothing of what the update says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS, is_session_page
from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.paths import check_path
from pipeline.wiki.slugs import page_path, portable, project_folder, slugify

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.draft import ConsolidatedPageUpdate
    from pipeline.finding import Severity
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry

_RESERVED = frozenset({"index.md", "log.md"})
_GLANCED = re.compile(rb"^(title|aliases|status|session_id):[ \t]*([^\r\n]*)", re.MULTILINE)
_HASHED = re.compile(r"(.*)-[0-9a-f]{8}")
_WORD = re.compile(r"[\w+#]+")


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an update, or a part of it, cannot be carried out."""

    rule: str
    message: str
    next_step: str = ""
    severity: Severity = "error"

    def finding(self, where: str) -> Finding:
        """Tell it of a place."""
        return Finding(where, self.rule, self.severity, self.message, self.next_step)


@dataclass(frozen=True, slots=True)
class _Glance:
    """What the front matter of a page says about its subject, read without parsing all of it."""

    title: str = ""
    aliases: tuple[str, ...] = ()
    deprecated: bool = False
    session_id: str = ""


@dataclass(slots=True)
class Shelf:
    """The wiki's files as a window finds them, with what the window has changed so far."""

    wiki: Mapping[str, bytes]
    window: Projection
    shown: Collection[str]
    catalogue: Mapping[str, CatalogueEntry] | None = None
    made: dict[str, bytes] = field(default_factory=dict)
    _near: dict[str, list[str]] = field(default_factory=dict)

    @property
    def project(self) -> str:
        """The folder of the session's project; a window changes no page outside it."""
        return project_folder(self.window.session.workspace, self.window.session.project)

    def read(self, path: str) -> bytes | None:
        """Give a file as it is now."""
        return self.made[path] if path in self.made else self.wiki.get(path)

    def put(self, path: str, raw: bytes) -> None:
        """Note a file that was made or changed."""
        known = path in self.made or path in self.wiki
        self.made[path] = raw
        for folder, paths in self._near.items():
            if not known and _lies_in(path, folder):
                paths.append(path)

    def near(self, folder: str) -> list[str]:
        """List the files below a folder, or below one that some system takes for it."""
        if folder not in self._near:
            added = [path for path in self.made if path not in self.wiki]
            self._near[folder] = [path for path in (*self.wiki, *added) if _lies_in(path, folder)]
        return self._near[folder]


def _lies_in(path: str, folder: str) -> bool:
    if path.isascii() and folder.isascii():
        return path.lower().startswith(f"{folder.lower()}/")
    return portable(path).startswith(f"{portable(folder)}/")


def locate(path: str, shelf: Shelf) -> str | Refused:
    """Find the page of the session's own project that a draft names."""
    named = path.strip().removeprefix("./").removeprefix("/")
    if not named.casefold().endswith(".md"):
        named = f"{named}.md"
    try:
        check_path(named)
    except Rejected as fault:
        return Refused("path-unsafe", f"the draft names a page by an unsafe path: {fault.message}")
    if _is_reserved(named):
        return Refused("path-reserved", "the draft names a file that wikimill makes itself or does not publish.")
    if not _is_own(named, shelf.project):
        message = f"the draft changes a page outside its project, {shelf.project}."
        return Refused("path-outside-project", message)
    found: str | None = named
    if shelf.read(named) is None:
        key = portable(named)
        found = next((other for other in shelf.near(shelf.project) if portable(other) == key), None)
    if found is None:
        return Refused("path-unknown", "the draft names a page that does not exist.")
    if is_session_page(found) and not _is_ours(found, shelf):
        message = "the draft changes the page of another session, which tells what was then."
        return Refused("path-other-session", message)
    return found


def _is_ours(path: str, shelf: Shelf) -> bool:
    """Whether a session's page is that of the session at hand; one that names no session may be."""
    raw = shelf.read(path)
    known = _read_glance(raw).session_id if raw is not None else ""
    return known in {"", shelf.window.session.session_id}


def _is_reserved(path: str) -> bool:
    parts = path.split("/")
    return parts[-1].casefold() in _RESERVED or any(part.startswith((".", "_")) for part in parts)


def _is_own(path: str, project: str) -> bool:
    """Whether a page belongs to the project itself, and not to one in a workspace of the project's name."""
    if not _lies_in(path, project):
        return False
    below = path.split("/")[project.count("/") + 1 : -1]
    kinds = set(FOLDERS.values())
    return not below or below[0] in kinds or not kinds.intersection(below)


def find(update: ConsolidatedPageUpdate, shelf: Shelf) -> str | None:
    """Find the page that stands for a new update's subject already; for a session's page that is its session."""
    folder = f"{shelf.project}/{FOLDERS[update.kind]}"
    slug = slugify(update.title)
    pages = [path for path in shelf.near(folder) if path.count("/") == folder.count("/") + 1 and not _is_reserved(path)]
    pages.sort(key=lambda path: (_stem(path) != slug, path))
    if update.kind == "session":
        return _of_session(pages, slug, shelf)
    subject = _subject(update.title)
    for path in pages:
        known = _glance(path, shelf)
        if subject and not known.deprecated and subject in {_subject(name) for name in (known.title, *known.aliases)}:
            return path
    for path in pages[:1]:
        known = _glance(path, shelf)
        # A person gave the page another title: its file still bears the name of its subject.
        if _stem(path) == slug and slugify(known.title) != slug and not known.deprecated:
            return path
    return None


def new_path(update: ConsolidatedPageUpdate, shelf: Shelf) -> str:
    """Name a new page."""
    folder = f"{shelf.project}/{FOLDERS[update.kind]}"
    return page_path(folder, update.title, shelf.near(folder))


def _of_session(pages: list[str], slug: str, shelf: Shelf) -> str | None:
    session = shelf.window.session.session_id
    likely = [path for path in pages if _bears(path, slug) or path in shelf.shown or path in shelf.made]
    # Reading every session's page is dear; the page of a session's first window is not far to seek.
    others = pages if shelf.window.number > 1 else []
    for path in (*likely, *others):
        raw = shelf.read(path)
        if raw is not None and _read_glance(raw).session_id == session:
            return path
    return None


def _glance(path: str, shelf: Shelf) -> _Glance:
    entry = shelf.catalogue.get(path) if shelf.catalogue is not None and path not in shelf.made else None
    if entry is not None:
        return _Glance(entry.title, entry.aliases, entry.status == "deprecated")
    raw = shelf.read(path)
    return _read_glance(raw) if raw is not None else _Glance()


def _read_glance(raw: bytes) -> _Glance:
    if not raw.removeprefix(b"\xef\xbb\xbf").startswith(b"---"):
        return _Glance()
    end = raw.find(b"\n---", 3)
    found: dict[bytes, str] = {}
    for key, value in _GLANCED.findall(raw, 0, end if end > 0 else len(raw)):
        found.setdefault(key, value.decode("utf-8", "replace").strip())
    return _Glance(
        title=_unquoted(found.get(b"title", "")),
        aliases=tuple(_unquoted(alias) for alias in found.get(b"aliases", "").strip("[]").split(",") if alias.strip()),
        deprecated=_unquoted(found.get(b"status", "")) == "deprecated",
        session_id=_unquoted(found.get(b"session_id", "")),
    )


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _bears(path: str, slug: str) -> bool:
    """Whether a file may bear the name `slug`, alone or with the hash that tells it from others."""
    hashed = _HASHED.fullmatch(_stem(path))
    return _stem(path) == slug or (hashed is not None and slug.startswith(hashed.group(1)))


def _subject(title: str) -> str:
    """Reduce a title to what it is about: its words, without case; `C++` and `C` are two subjects."""
    return " ".join(_WORD.findall(portable(title.replace("/", " "))))
