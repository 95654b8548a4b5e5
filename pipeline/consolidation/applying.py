"""Owns how a draft becomes pages: held to what was shown, then laid over the wiki as it stands by now.

A draft may have been made on an older state. Where somebody changed the very section that it rewrites, it is not
applied at all; where other sections changed, both changes stand. Knows no model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS
from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.gates.all import run_gates
from pipeline.report import PageOutcome
from pipeline.wiki.format.frontmatter import split
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.overlay import Overlay
from pipeline.wiki.revision.revise import Stamp, revise
from pipeline.wiki.sections.outline import heading_key, outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.consolidation.desk import Desk
    from pipeline.context import Context, ShownPage
    from pipeline.draft import ConsolidatedBatch
    from pipeline.gates.gated import Gated
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry
    from pipeline.wiki.revision.revise import Revision


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
        session_page = next(filter(_is_session_page, done.pages), session_page)
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
    gated = draft.gated if context is draft.context else None
    gated = gated or hold(desk, draft, context)
    stamp = Stamp(desk.model.name, desk.at, desk.observations_folder, desk.depth)
    shown = {page.path for page in (*context.slots, *context.pages)}
    revision: Revision = revise(
        gated.batch, window=draft.window, wiki=wiki, shown_paths=shown, stamp=stamp, catalogue=catalogue
    )
    left_out = map(_slot_left_out, context.slots_left_out)
    findings = (*left_out, *draft.findings, *gated.findings, *revision.findings)
    return Applied(revision.pages, revision.outcomes, findings, gated.batch.rationale)


def hold(desk: Desk, draft: Draft, context: Context) -> Gated:
    """Hold a draft to its window and to a context, by all gates."""
    return run_gates(draft.batch, draft.window, context, scrub=desk.scrub, quotes=desk.model.quotes)


def _as_it_stands(desk: Desk, draft: Draft, wiki: Mapping[str, bytes]) -> Context:
    """Give what was shown with the pages' text of now; raises `Stale` where the two clash."""
    context = draft.context
    fresh = {page.path: _now(desk, page, wiki) for page in (*context.slots, *context.pages)}
    if all(fresh[page.path] == page for page in (*context.slots, *context.pages)):
        return context
    before = {page.path: page for page in (*context.slots, *context.pages)}
    for update in draft.batch.updates:
        if update.path not in before or fresh[update.path] == before[update.path]:
            continue
        changed = _differing(before[update.path].text, fresh[update.path].text)
        named = {heading_key(section.heading) for section in outline(update.body)}
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
            key = "" if section.level == 1 else heading_key(section.heading)
            words = section.text.partition("\n")[2] if section.level == 1 else section.text
            if words.strip():
                found.setdefault(key, []).append(words.strip())
    return found


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


def _is_session_page(path: str) -> bool:
    return path.split("/")[-2:-1] == [FOLDERS["session"]]
