"""Owns what a prompt shows of the wiki as it stands; knows nothing of where pages are stored.

Search decides which bodies are read, so that a wiki of ten thousand pages costs the reading of a few; without an
index it goes by the catalogue alone.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from pipeline.draft import FOLDERS
from pipeline.errors import WikimillError
from pipeline.memory.curate import Decision, curate
from pipeline.memory.git_tree import GitTreeMemory
from pipeline.memory.ground import Document, Grounded, Limits, ground
from pipeline.memory.paths import ROOT
from pipeline.relevance import rank, terms, weigh
from pipeline.text import cut, estimate_tokens, fenced, graphemes, one_line
from pipeline.wiki.format.frontmatter import read, split
from pipeline.wiki.sections.outline import outline
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipeline.memory.search.ranking import Ranked
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry

MOST_PAGES: Final = 24
"""Related pages whose whole text is shown, beside slots and the session's own page."""
MOST_INSTRUCTIONS: Final = 2_000
"""Unicode characters of what people ask of the pipeline."""

_INSTRUCTIONS_PAGE: Final = "_prompts/consolidation.md"
_CATALOGUE_SHARE: Final = 0.3
"""The part of the free budget that a catalogue which does not fit as a whole may take."""
_PAGES_SHARE: Final = 0.8
"""The part of what is near to a window that whole pages may take; the catalogue takes what is left."""
_FRAME: Final = 400
"""Estimated tokens of all headings and fences around the parts."""
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_SESSION_SHARE: Final = 0.5
_LEAST_SHARE: Final = 0.1
"""A page whose score is below this part of the best one's shares but common words."""
_CHARACTERS: Final = 8
"""Unicode characters that one token takes at the very most."""
_TITLE: Final = 200
_DESCRIPTION: Final = 300


class Ranking(Protocol):
    """What ranks pages by the words that they share with a window; `pipeline.memory.search.Index` does."""

    def rank(self, query: Mapping[str, int], limit: int) -> tuple[Ranked, ...]:
        """Give the pages that share words with `query`, the likeliest first."""
        ...


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One page whose whole text a prompt carries; a `locked` one must not be changed, an `invariant` one hardly."""

    path: str
    text: str
    locked: bool = False
    invariant: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The wiki around one window: what people ask of the pipeline, slots, all pages in a line each, some whole."""

    instructions: str = ""
    slots: tuple[ShownPage, ...] = ()
    catalogue: tuple[CatalogueEntry, ...] = ()
    left_out: int = 0
    """Pages that the catalogue had no room for."""
    pages: tuple[ShownPage, ...] = ()
    slots_left_out: tuple[str, ...] = ()
    """Paths of slots that had no room; whoever reads the context for a run has to tell."""


def gather(  # noqa: PLR0913  # the whole situation of a window
    projection: Projection,
    wiki: Mapping[str, bytes],
    catalogue: Sequence[CatalogueEntry],
    *,
    budget_tokens: int,
    near_tokens: int | None = None,
    session_pages: Sequence[str] = (),
    index: Ranking | None = None,
) -> Context:
    """Choose what a window's prompt shows of the wiki; `render` of it takes at most `budget_tokens`.

    With `near_tokens`, related pages and the catalogue take no more than that, so that a prompt does not grow with
    the wiki: the pages come first, the catalogue leaves out what is shown already, and other sessions' pages stand in
    neither.

    In this order, as long as there is room: the instructions, the slots of the project, the session's own page,
    the catalogue of the project (as a whole, else its most relevant part), and the pages that share the most
    telling words with the window: by all their words when there is an `index` of the wiki, else by their line in
    the catalogue. Deprecated pages stand in the catalogue alone. A page that is missing or
    not UTF-8 is passed over; one that cannot be parsed is shown as locked.
    """
    room = budget_tokens - _FRAME
    if room <= 0:
        return Context()
    folder = project_folder(projection.session.workspace, projection.session.project)
    own = sorted((entry for entry in catalogue if _is_of(folder, entry.path)), key=lambda entry: entry.path)
    ranked = _ranked(projection, own, index)
    live = [entry for entry in own if entry.status != "deprecated"]

    instructions = _instructions(wiki, folder)
    while instructions and estimate_tokens(_quoted(instructions)) > room:
        # The nearer instructions stand last and are kept longest.
        parts = tuple(graphemes(instructions))
        instructions = "".join(parts[(len(parts) + 1) // 2 :])
    room -= estimate_tokens(_quoted(instructions))

    pinned = [entry.path for entry in live if _folder_of(folder, entry.path) == "slots"]
    slots, room = _fitting(pinned, wiki, room)
    shown = {slot.path for slot in slots}
    slots_left_out = tuple(path for path in pinned if path not in shown)
    session, room = _fitting([page for page in session_pages if page], wiki, room)
    chosen = [
        entry.path
        for entry in ranked
        if entry.status != "deprecated"
        and entry.path not in session_pages
        and _folder_of(folder, entry.path) != "slots"
    ]
    if near_tokens is None:
        lines, room = _lines(own, ranked, room)
        related = _related(chosen[: MOST_PAGES * 2], wiki, room)
    else:
        room = min(room, near_tokens)
        # What another session did is history; what this one may have to change stands on the pages of knowledge.
        known_by = [path for path in chosen if _folder_of(folder, path) != "sessions"]
        related = _related(known_by[: MOST_PAGES * 2], wiki, int(room * _PAGES_SHARE))
        known = {page.path for page in (*slots, *session, *related)}
        listed = [one for one in own if one.path not in known and _folder_of(folder, one.path) != "sessions"]
        room -= sum(map(_cost_of_page, related))
        lines = _fitting_lines(listed, [one for one in ranked if one in listed], room)
    left_out = len(own) - len({*(one.path for one in lines), *(one.path for one in (*slots, *session, *related))})
    if near_tokens is None:
        left_out = len(own) - len(lines)
    return Context(instructions, slots, lines, left_out, (*session, *related), slots_left_out)


def render(context: Context) -> str:
    """Write a context as a model reads it: everything that is data stands in a fence that it cannot close."""
    parts = []
    if context.instructions:
        parts.append(f"## Wishes of the project, as a JSON string\n\n{_quoted(context.instructions)}")
    if context.slots:
        parts.append("\n\n".join(("## Slots: pinned pages", *map(_whole, context.slots))))
    if context.catalogue:
        listing = "\n".join(_line(entry) for entry in context.catalogue)
        more = f"\n\n{context.left_out} more pages are not listed." if context.left_out else ""
        parts.append(f"## The project's pages, one a line\n\n{fenced(listing, 'catalogue')}{more}")
    if context.pages:
        parts.append("\n\n".join(("## Pages as they stand", *map(_whole, context.pages))))
    return "\n\n".join(parts)


def _instructions(wiki: Mapping[str, bytes], folder: str) -> str:
    """Join the root's instructions and the project's; what is nearer stands last and is cut last."""
    told: list[str] = []
    room = MOST_INSTRUCTIONS
    for path in (f"{folder}/{_INSTRUCTIONS_PAGE}", _INSTRUCTIONS_PAGE):
        text = _decoded(wiki.get(path, b"")).lstrip("\ufeff").replace("\r\n", "\n").strip()
        kept = cut(text, max(room, 0)).rstrip()
        if kept:
            told.insert(0, kept)
            room -= len(kept) + len("\n\n")
    return "\n\n".join(told)


def _ranked(projection: Projection, own: Sequence[CatalogueEntry], index: Ranking | None) -> list[CatalogueEntry]:
    words: Counter[str] = Counter()
    for shown in projection.shown:
        words.update(terms("\n".join((shown.text, *shown.observation.files, *shown.observation.tags))))
    entries = {entry.path: entry for entry in own}
    # The page of another session shares many words with this one and is seldom what this one changes.
    sessions = {path for path in entries if "/sessions/" in path}
    if index is None:
        return [entries[path] for path in rank(words, {path: _weights(entries[path]) for path in entries}, sessions)]
    scores = {
        one.sheet.path: one.score * (_SESSION_SHARE if one.sheet.path in sessions else 1)
        for one in index.rank(words, sys.maxsize)
        if one.sheet.path in entries
    }
    least = max(scores.values(), default=0.0) * _LEAST_SHARE
    return [entries[path] for path in sorted(scores, key=lambda path: (-scores[path], path)) if scores[path] >= least]


@lru_cache(maxsize=20_000)
def _weights(entry: CatalogueEntry) -> dict[str, float]:
    return weigh((entry.title, *entry.aliases), entry.tags, entry.description)


def _lines(
    own: Sequence[CatalogueEntry], ranked: Sequence[CatalogueEntry], room: int
) -> tuple[tuple[CatalogueEntry, ...], int]:
    """Take the whole catalogue when it leaves room for pages, else what ranks first; give it in order of path."""
    taken = _fitting_lines(own, ranked, int(room * _CATALOGUE_SHARE))
    return taken, room - sum(map(_cost_of_line, taken))


def _fitting_lines(
    own: Sequence[CatalogueEntry], ranked: Sequence[CatalogueEntry], room: int
) -> tuple[CatalogueEntry, ...]:
    """Take what ranks first, as far as there is room; give it in order of path."""
    likely = {entry.path for entry in ranked}
    taken: list[CatalogueEntry] = []
    for entry in (*ranked, *(entry for entry in own if entry.path not in likely)):
        cost = _cost_of_line(entry)
        if cost > room:
            break
        room -= cost
        taken.append(entry)
    return tuple(sorted(taken, key=lambda entry: entry.path))


@lru_cache(maxsize=20_000)
def _cost_of_line(entry: CatalogueEntry) -> int:
    return estimate_tokens(_line(entry)) + 1


def _related(likely: Sequence[str], wiki: Mapping[str, bytes], room: int) -> tuple[ShownPage, ...]:
    """Ground the likely pages, and curate them to those that fit in `room` estimated tokens, the likeliest first."""
    if room <= 0:
        return ()
    memory = GitTreeMemory(wiki)
    limits = Limits(files=1, characters=room * _CHARACTERS, total=room * _CHARACTERS)
    documents: list[Document] = []
    for path in likely:
        told = ground(memory, [f"{ROOT}/{path}"], limits)
        if isinstance(told, Grounded):  # a page that cannot be read costs itself
            documents += told.documents
    pages = {one.path: _shown(one.path.removeprefix(f"{ROOT}/"), wiki, one) for one in documents}

    def fitting(grounded: Grounded, _: str) -> Decision:
        chosen = tuple(_choice([path for path in pages if path in grounded.paths], pages, room))
        return Decision(f"{len(chosen)} of {len(grounded.documents)} likely pages have room.", chosen)

    grounded = Grounded(tuple(sorted(documents, key=lambda one: one.path)))
    chosen = {one.path for one in curate(grounded, "what this window changes", fitting).documents}
    return tuple(page for path, page in pages.items() if path in chosen)


def _choice(likely: Iterable[str], pages: Mapping[str, ShownPage], room: int) -> Iterator[str]:
    left = MOST_PAGES
    for path in likely:
        cost = _cost_of_page(pages[path])
        if left and pages[path].text and cost <= room:
            room -= cost
            left -= 1
            yield path


def _shown(path: str, wiki: Mapping[str, bytes], document: Document) -> ShownPage:
    """Show a document whole; one that was cut is not shown, for it could not be rewritten."""
    return _page(path, wiki[path], "" if document.missing else document.text)


def _fitting(paths: Iterable[str], wiki: Mapping[str, bytes], room: int) -> tuple[tuple[ShownPage, ...], int]:
    """Read pages in order and keep those that fit in `room` estimated tokens; also says how much is left."""
    kept: list[ShownPage] = []
    for path in paths:
        if room <= 0:
            break
        page = _read(path, wiki)
        cost = _cost_of_page(page) if page else 0
        if page and cost <= room:
            kept.append(page)
            room -= cost
    return tuple(kept), room


@lru_cache(maxsize=1_000)
def _cost_of_page(page: ShownPage) -> int:
    return estimate_tokens(_whole(page)) + 2


def _read(path: str, wiki: Mapping[str, bytes]) -> ShownPage | None:
    raw = wiki.get(path)
    text = _decoded(raw or b"")
    return _page(path, raw, text) if raw and text else None


def _page(path: str, raw: bytes, text: str) -> ShownPage:
    """Show a page as its front matter says; one that cannot be read may not be changed."""
    try:
        parts = split(raw)
        parsed = read(parts.block) if parts.has_front else None
    except WikimillError:
        return ShownPage(path, text, locked=True)
    front = parsed.front if parsed is not None else {}
    locked = str(front.get("locked")).strip().lower() in _TRUE
    return ShownPage(path, text, locked, str(front.get("slot")).strip().lower() == "invariant")


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _quoted(instructions: str) -> str:
    return json.dumps(instructions, ensure_ascii=False) if instructions else ""


def _line(entry: CatalogueEntry) -> str:
    kind = f"{entry.type}, {entry.status}" if entry.status != "stable" else entry.type
    told = f"- {entry.path} ({one_line(kind, _TITLE)}) {one_line(entry.title, _TITLE)}"
    also = one_line(", ".join(entry.aliases), _TITLE)
    description = one_line(entry.description, _DESCRIPTION)
    return f"{told}{f' [also: {also}]' if also else ''}{f': {description}' if description else ''}"


def _whole(page: ShownPage) -> str:
    locked = "Locked: do not change it.\n\n" if page.locked else ""
    if page.invariant and not page.locked:
        locked = "Invariant: a change needs `contradiction`.\n\n"
    body = _body(page.text)
    named = [one_line(section.heading, _TITLE) for section in outline(body) if section.level > 1]
    headings = f"Its sections, as JSON: {json.dumps(named, ensure_ascii=False)}\n\n" if named else ""
    path = page.path if page.path.isprintable() else json.dumps(page.path)  # whatever ends a line
    return f"### {path}\n\n{locked}{headings}{fenced(body, 'markdown')}"


def _body(text: str) -> str:
    """Leave the front matter out: it is rendered from other fields, and its list of sources may be long."""
    try:
        return split(text.encode()).body.strip("\r\n")
    except WikimillError:
        return text


def _is_of(folder: str, path: str) -> bool:
    return bool(_folder_of(folder, path)) and not path.endswith("/index.md")


def _folder_of(project: str, path: str) -> str:
    """Name the folder of pages (`decisions`) in which a path of the project stands; empty for any other path."""
    inside = path.removeprefix(f"{project}/")
    folder = inside.split("/", 1)[0]
    return folder if inside != path and folder in FOLDERS.values() else ""
