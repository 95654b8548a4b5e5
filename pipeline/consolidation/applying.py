"""Owns how a draft becomes pages: held to what was shown, then laid over the wiki as it stands by now.

A draft may have been made on an older state. Where somebody changed the very section that it rewrites, it is not
applied at all; where other sections changed, both changes stand. Knows no model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.context import ShownPage
from pipeline.draft import FOLDERS, is_session_page
from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.gates.all import run_gates
from pipeline.report import PageOutcome
from pipeline.wiki.format.frontmatter import split
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.overlay import Overlay
from pipeline.wiki.revision.revise import Stamp, revise
from pipeline.wiki.revision.targets import Shelf, find
from pipeline.wiki.sections.outline import heading_key, outline
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pipeline.consolidation.desk import Desk
    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch
    from pipeline.gates.gated import Gated
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry
    from pipeline.wiki.revision.revise import Revision
    from pipeline.wiki.sections.outline import Section


class Stale(Exception):
    """A section that the draft rewrites is not what it was when the draft was made."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model drafted of one window, and what it was shown."""

    window: Projection
    context: Context
    batch: ConsolidatedBatch
    findings: tuple[Finding, ...] = ()
    """What there is to tell of the reply itself."""
    gated: Gated | None = None
    """What the gates let through of it, held to the context as it was shown; none when they were not asked yet."""


@dataclass(frozen=True, slots=True)
class Applied:
    """One draft on the wiki: the pages that it changes, and every finding of gates and pages."""

    pages: Mapping[str, bytes]
    outcomes: tuple[PageOutcome, ...]
    findings: tuple[Finding, ...]
    rationale: str


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What one session left: the pages that changed, and what there is to tell about them."""

    session_page: str
    """The path of the session's page, empty when it has none."""
    pages: Mapping[str, bytes]
    entries: Mapping[str, CatalogueEntry]
    """The catalogue's new entries for those pages."""
    outcomes: tuple[PageOutcome, ...]
    findings: tuple[Finding, ...]
    rationale: str


def apply_all(
    desk: Desk,
    drafts: Sequence[Draft],
    wiki: Mapping[str, bytes],
    catalogue: Mapping[str, CatalogueEntry],
    *,
    session_page: str,
) -> Consolidated:
    """Apply the drafts of a session, window by window, over `wiki`, which itself stays as it is.

    Raises `Stale` when somebody changed what a draft rewrites; nothing is half done then.
    """
    standing = Overlay(wiki)
    pages: dict[str, bytes] = {}
    entries: dict[str, CatalogueEntry] = {}
    outcomes: dict[str, PageOutcome] = {}
    findings: list[Finding] = []
    rationales: list[str] = []
    for draft in drafts:
        done = apply(desk, draft, standing, {**catalogue, **entries})
        pages.update(done.pages)
        standing.put(done.pages)
        entries |= {path: catalogue_entry(path, parse_page(path, raw)) for path, raw in done.pages.items()}
        outcomes |= _joined(outcomes, done.outcomes)
        findings += done.findings
        rationales.append(done.rationale)
        session_page = next(filter(is_session_page, done.pages), session_page)
    return Consolidated(
        session_page=session_page if session_page in standing else "",
        pages=pages,
        entries=entries,
        outcomes=tuple(outcomes[path] for path in sorted(outcomes)),
        findings=tuple(dict.fromkeys(findings)),
        rationale=next(filter(None, rationales), ""),
    )


def apply(desk: Desk, draft: Draft, wiki: Mapping[str, bytes], catalogue: Mapping[str, CatalogueEntry]) -> Applied:
    """Hold one draft to its sources and to the pages as they stand now, and revise them."""
    context = _as_it_stands(desk, draft, wiki)
    stamp = Stamp(desk.model.name, desk.at, desk.observations_folder, desk.depth, quotes=desk.model.quotes)
    shown = {page.path for page in context.shown}
    homes = {} if desk.model.quotes else _homes(draft, wiki, catalogue, shown)
    gated = draft.gated if context is draft.context and not homes else None
    gated = gated or hold(desk, _at_home(draft, homes), context, _unseen(homes, wiki))
    revision: Revision = revise(
        gated.batch, window=draft.window, wiki=wiki, shown_paths=shown, stamp=stamp, catalogue=catalogue
    )
    left_out = map(_slot_left_out, context.slots_left_out)
    project = project_folder(draft.window.session.workspace, draft.window.session.project)
    told = (_placed(finding, project) for finding in gated.findings)
    findings = (*left_out, *draft.findings, *told, *revision.findings)
    return Applied(revision.pages, revision.outcomes, findings, gated.batch.rationale)


def hold(desk: Desk, draft: Draft, context: Context, unseen: Sequence[ShownPage] = ()) -> Gated:
    """Hold a draft to its window and to a context, by all gates.

    `unseen` are pages that the model was not shown and that the draft will add to: only what contradicts them counts.
    """
    return run_gates(draft.batch, draft.window, context, unseen=unseen, scrub=desk.scrub, quotes=desk.model.quotes)


def _homes(
    draft: Draft, wiki: Mapping[str, bytes], catalogue: Mapping[str, CatalogueEntry], shown: Collection[str]
) -> dict[int, str]:
    """Find the standing pages that new pages of a draft are about; another session may have made one meanwhile."""
    shelf = Shelf(wiki, draft.window, frozenset(shown), catalogue)
    new = ((number, one) for number, one in enumerate(draft.batch.updates) if not one.path and one.kind != "session")
    homes = {number: find(update, shelf) for number, update in new}
    return {number: path for number, path in homes.items() if path is not None and path not in shown}


def _at_home(draft: Draft, homes: Mapping[int, str]) -> Draft:
    """Name these pages in the updates; as they were not shown, a draft can only add to them."""
    if not homes:
        return draft
    updates = tuple(
        update.model_copy(update={"path": homes[number]}) if number in homes else update
        for number, update in enumerate(draft.batch.updates)
    )
    return replace(draft, batch=draft.batch.model_copy(update={"updates": updates}))


def _unseen(homes: Mapping[int, str], wiki: Mapping[str, bytes]) -> tuple[ShownPage, ...]:
    return tuple(ShownPage(path, wiki[path].decode("utf-8", "replace")) for path in dict.fromkeys(homes.values()))


def _placed(finding: Finding, project: str) -> Finding:
    """Say of which project a page is that has no path yet."""
    is_new = finding.where.partition("/")[0] in FOLDERS.values()
    return replace(finding, where=f"{project}/{finding.where}") if is_new else finding


def _as_it_stands(desk: Desk, draft: Draft, wiki: Mapping[str, bytes]) -> Context:
    """Give what was shown with the pages' text of now; raises `Stale` where the two clash."""
    context = draft.context
    before = {page.path: page for page in context.shown}
    fresh = {path: _now(desk, page, wiki) for path, page in before.items()}
    if fresh == before:
        return context
    for update in draft.batch.updates:
        if update.path not in before or fresh[update.path] == before[update.path]:
            continue
        changed = _differing(before[update.path].text, fresh[update.path].text)
        named = {_key(section) for section in outline(update.body) if section.kind != "footnotes"}
        named |= {heading_key(heading) for heading in update.removed_sections}
        if changed & named:
            raise Stale(update.path)
    return replace(
        context,
        slots=tuple(fresh[page.path] for page in context.slots),
        pages=tuple(fresh[page.path] for page in context.pages),
    )


def _now(desk: Desk, page: ShownPage, wiki: Mapping[str, bytes]) -> ShownPage:
    """Give a page as it would be shown now."""
    text = wiki.get(page.path, b"").decode("utf-8", "replace")
    return page if text == page.text else replace(page, text=text if desk.model.quotes else desk.scrub(text)[0])


def _differing(before: str, after: str) -> set[str]:
    """Name the sections, by their keys, that are not the same in both; the text above the first heading is ``."""
    old, new = _sections(before), _sections(after)
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}


def _sections(text: str) -> dict[str, list[str]]:
    try:
        body = split(text.encode("utf-8", "replace")).body
    except WikimillError:
        body = text
    found: dict[str, list[str]] = {}
    for section in outline(body):
        if section.kind != "footnotes":
            # A title that changed is no clash with a section; what stands below it is.
            words = section.text.partition("\n")[2] if section.level == 1 else section.text
            if words.strip():
                found.setdefault(_key(section), []).append(words.strip())
    return found


def _key(section: Section) -> str:
    """Name a section; what stands above the first one, below the title, has no name."""
    return "" if section.level <= 1 else heading_key(section.heading)


def _slot_left_out(path: str) -> Finding:
    return Finding(
        path,
        "slot-left-out",
        "warning",
        "the slot has no room in the prompt, so that the model did not see it.",
        "Shorten it, or raise budget.total.",
    )


def _joined(before: Mapping[str, PageOutcome], news: Iterable[PageOutcome]) -> dict[str, PageOutcome]:
    """Take over the outcomes of a window; a page that an earlier one created stays created."""
    return {
        one.path: PageOutcome(one.path, one.title, before[one.path].change, one.statements)
        if one.path in before and one.change == "updated"
        else one
        for one in news
    }
