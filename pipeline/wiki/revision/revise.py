"""Owns how a gated draft becomes pages: which pages, what changes on each, and what is told about it.

Pure: the wiki comes in as bytes, the changed files go out as bytes. An update that cannot be carried out costs only
itself. Knows no gate, no index and no ledger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS
from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.report import PageOutcome
from pipeline.text import one_line
from pipeline.wiki.format.front_order import put
from pipeline.wiki.format.page import Page, parse_page, render_page, safe_description, safe_tags, safe_title
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import cited_claims
from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.revision.additions import add
from pipeline.wiki.revision.authorship import drop_reviews, is_persons, sign
from pipeline.wiki.revision.drafting import (
    below_title,
    defined,
    first_words,
    heading,
    names_of,
    new_names,
    revised_front,
    with_labels,
    with_title,
    without_note,
)
from pipeline.wiki.revision.sources import Footnotes, Standing, entries
from pipeline.wiki.revision.supersede import claim, retire, superseded_by
from pipeline.wiki.revision.targets import Refused, Shelf, find, locate, new_path
from pipeline.wiki.sections.keep import without_markers
from pipeline.wiki.sections.sections import upsert

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime
    from typing import Literal

    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry
    from pipeline.wiki.format.frontmatter import Yaml


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who writes, when, and where observations stand.

    `depth` says how many folders the wiki's root lies below the repository's root, to which
    `observations_folder` is relative.
    """

    model: str
    at: datetime
    observations_folder: str
    depth: int
    quotes: bool = False
    """Whether the model only quotes: pages that it collected say so, until another one writes on them."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The files that a draft changes, what became of each page, and what a person may want to know."""

    pages: Mapping[str, bytes]
    outcomes: tuple[PageOutcome, ...]
    findings: tuple[Finding, ...]


def revise(  # noqa: PLR0913  # the whole situation of a window
    batch: ConsolidatedBatch,
    *,
    window: Projection,
    wiki: Mapping[str, bytes],
    shown_paths: Collection[str],
    stamp: Stamp,
    catalogue: Mapping[str, CatalogueEntry] | None = None,
) -> Revision:
    """Carry out a draft, update by update, each on the wiki as the one before left it.

    `shown_paths` are the pages whose whole text the model saw: on all others it can only add. `catalogue` lists the
    pages of `wiki`; without it, pages of the same subject are looked for by reading them.
    """
    desk = _Desk(Shelf(wiki, window, frozenset(shown_paths), catalogue), stamp)
    for update in batch.updates:
        desk.carry_out(update)
    return desk.revision()


class _Desk:
    """One draft at work."""

    def __init__(self, shelf: Shelf, stamp: Stamp) -> None:
        self._shelf = shelf
        self._stamp = stamp
        self._by_handle = {one.handle: one for one in shelf.window.shown}
        self._elsewhere: dict[str, Standing] | None = None
        self._outcomes: dict[str, PageOutcome] = {}
        self._findings: list[Finding] = []

    def revision(self) -> Revision:
        """Give what has been done."""
        wiki = self._shelf.wiki
        pages = {path: raw for path, raw in self._shelf.made.items() if path not in wiki or wiki[path] != raw}
        outcomes = tuple(outcome for path, outcome in self._outcomes.items() if path in pages)
        return Revision(pages, outcomes, tuple(self._findings))

    def carry_out(self, update: ConsolidatedPageUpdate) -> None:
        """Do what one update says, or tell why not."""
        update = update.model_copy(update=names_of(update, self._shelf.window.session.session_id))
        where = update.path or f"{self._shelf.project}/{FOLDERS[update.kind]}#{one_line(update.title, 80)}"
        try:
            path = self._write(update)
        except Rejected as fault:
            path = Refused("page-unreadable", fault.message, fault.next_step)
        if isinstance(path, Refused):
            self._findings.append(path.finding(where))
            return
        for old in update.supersedes:
            self._supersede(path, old)

    def _write(self, update: ConsolidatedPageUpdate) -> str | Refused:
        """Create or change the page that an update is about, and name it."""
        named = locate(update.path, self._shelf) if update.path else find(update, self._shelf)
        if isinstance(named, Refused):
            return named
        if named is None:
            return self._create(update)
        raw = self._shelf.read(named) or b""
        page = parse_page(named, raw)
        if page.locked:
            step = "Take `locked: true` out of the page to let wikimill write it."
            message = "the page is locked; what the draft says of it was left out."
            return Refused("page-locked", message, step, "warning")
        additive = not update.path or named not in self._shelf.shown or is_persons(page.front)
        return self._change(update, named, page, additive=additive)

    def _create(self, update: ConsolidatedPageUpdate) -> str:
        path = new_path(update, self._shelf)
        notes = self._notes(path, {})
        title = safe_title(update.title)
        text = below_title(with_labels(without_markers(update.body), notes))
        body = defined(f"{heading(title)}\n\n{text}\n", notes, notes.added, prune=False)
        values: dict[str, Yaml] = {
            "type": update.kind.capitalize(),
            "title": title,
            "description": safe_description(update.description) or safe_description(first_words(body)),
            "tags": [*safe_tags(update.tags)],
            "aliases": new_names((), update.aliases, title),
            "status": "stable",
            "slot": "state" if update.kind == "slot" else None,
            "sources": [*notes.added.values()],
            "consolidated": True,
        }
        self._tell_unknown(notes, path)
        front = self._signed(put({}, {key: value for key, value in values.items() if value}))
        self._save(path, Page(front, body), "created")
        return path

    def _change(self, update: ConsolidatedPageUpdate, path: str, page: Page, *, additive: bool) -> str | Refused:
        standing = {str(entry.get("id")): entry for entry in entries(page.front)}
        notes = self._notes(path, standing, {entry.label for entry in definitions(page.body)})
        changes = below_title(with_labels(update.body, notes))
        if page.slot == "invariant" and self._by_handle.keys().isdisjoint(update.contradicted_by):
            message = "the slot is invariant: it changes only when the draft cites observations that contradict it."
            return Refused("slot-invariant", message, severity="warning")
        self._tell_unknown(notes, path)
        if not self._stamp.quotes:
            page = replace(page, body=without_note(page.body))
        if additive:
            body = add(page.body, without_markers(changes))
        else:
            upserted = upsert(page.body, changes, update.removed_sections)
            self._findings += [
                replace(found, where=f"{path}#{found.where}" if found.where else path) for found in upserted.findings
            ]
            body = upserted.body
        front = revised_front(page, update, additive=additive)
        if not additive:
            body = with_title(body, heading(page.title), heading(str(front.get("title"))))
        body = defined(body, notes, {**standing, **notes.added}, prune=not is_persons(page.front))
        cited = {mark.label for mark in read_blocks(body).marks}
        new = [entry for label, entry in notes.added.items() if label in cited]
        if new:
            listed = page.front.get("sources")
            before = listed if isinstance(listed, list) else [listed] if listed else []
            front = put(front, {"sources": [*before, *new]})
        self._keep(path, page, replace(page, front=front, body=body))
        return path

    def _keep(self, path: str, page: Page, changed: Page) -> None:
        """Save a page, unless all that changed is who wrote it and when."""
        if changed == page:
            return
        front = changed.front if is_persons(page.front) else self._signed(changed.front)
        front, people = drop_reviews(front)
        if people:
            message = f"{', '.join(people)} had verified the page; it has changed since."
            step = "Review the page, and mark it with `wikimill verify`."
            self._findings.append(Finding(path, "review-outdated", "note", message, step))
        self._save(path, replace(changed, front=front), "updated")

    def _supersede(self, path: str, named: str) -> None:
        """Retire the page that `named` names in favour of the one at `path`."""
        old = locate(named, self._shelf)
        try:
            refused = old if isinstance(old, Refused) else self._retire(path, old)
        except Rejected as fault:
            refused = Refused("page-unreadable", fault.message, fault.next_step)
        if refused is not None:
            self._findings.append(refused.finding(f"{path}#supersedes"))

    def _retire(self, path: str, old: str) -> Refused | None:
        if old == path:
            return Refused("supersedes-itself", "the draft lets the page supersede itself.", severity="warning")
        page, successor = (parse_page(one, self._shelf.read(one) or b"") for one in (old, path))
        if page.locked:
            return Refused("page-locked", f"{old} is locked; it was not marked as superseded.", severity="warning")
        standing = superseded_by(page, old)
        if standing == path:
            return None
        if standing or superseded_by(successor, path):
            message = f"{old} or its successor is superseded already."
            return Refused("superseded-already", message, "Put the chain in order by hand.", "warning")
        day = self._stamp.at.astimezone(UTC).date()
        self._save(old, retire(page, old, path, successor.title, day), "superseded")
        self._keep(path, successor, claim(successor, path, old, page.title))
        return None

    def _notes(self, path: str, standing: Mapping[str, Mapping[str, Yaml]], own: Collection[str] = ()) -> Footnotes:
        stamp = self._stamp
        folder, depth, elsewhere = stamp.observations_folder, stamp.depth, self._other_sources()
        return Footnotes(path, folder, depth, self._by_handle, standing, elsewhere=elsewhere, own=own)

    def _other_sources(self) -> Mapping[str, Standing]:
        """Collect the sources of all pages that were shown: a draft may carry a statement from one to another."""
        if self._elsewhere is None:
            self._elsewhere = {}
            for path in sorted(self._shelf.shown):
                for entry in self._read_entries(path):
                    self._elsewhere.setdefault(str(entry.get("id")), Standing(path, entry))
        return self._elsewhere

    def _read_entries(self, path: str) -> list[Mapping[str, Yaml]]:
        raw = self._shelf.wiki.get(path)
        try:
            return entries(parse_page(path, raw).front) if raw is not None else []
        except Rejected:
            return []

    def _signed(self, front: Mapping[str, Yaml]) -> dict[str, Yaml]:
        return sign(front, self._shelf.window, self._stamp.model, self._stamp.at)

    def _tell_unknown(self, notes: Footnotes, path: str) -> None:
        for label in dict.fromkeys(notes.unknown):
            message = f"the draft cites [^{label}], which was not shown to the model; the footnote was taken out."
            self._findings.append(Finding(path, "citation-unknown", "warning", message))

    def _save(self, path: str, page: Page, change: Literal["created", "updated", "superseded"]) -> None:
        self._shelf.put(path, render_page(page))
        before = self._outcomes.get(path)
        told = before.change if before is not None and before.change != "updated" and change == "updated" else change
        count = cited_claims(read_blocks(page.body).statements)
        self._outcomes[path] = PageOutcome(path, page.title, told, count)
