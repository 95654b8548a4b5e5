"""Owns one page that stands in another form than the commit found it: its text, its front matter, who stands for it.

Knows no other page and no folder.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.format.frontmatter import render
from pipeline.wiki.format.page import Page, parse_page, render_page
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.merging import telling
from pipeline.wiki.merging.bodies import merge_body
from pipeline.wiki.merging.cutting import Reader
from pipeline.wiki.merging.fronts import merge_front, told
from pipeline.wiki.merging.signatures import review, sign
from pipeline.wiki.revision.authorship import is_persons

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.wiki.format.frontmatter import Yaml
    from pipeline.wiki.merging.bodies import MergedBody

GONE = "page-gone"
"""The rule of a finding: what a commit brought to a page was left out, for the page is there no more."""
UNREADABLE = "page-unreadable"
"""The same, for nobody can read the page as it stands."""

_BRING_BACK = "Bring the page back, or let the facts go with it."


@dataclass(frozen=True, slots=True)
class MergedPage:
    """The file of a page as it shall stand, and what a person may want to know."""

    raw: bytes
    findings: tuple[Finding, ...] = ()


def merge_page(path: str, before: bytes | None, after: bytes, standing: bytes) -> MergedPage:
    """Carry what a commit changed in a page over to the page that stands; one that nobody can read stays."""
    try:
        pages = [parse_page(path, raw) for raw in (before or b"", after, standing)]
        return _merge(path, *pages)
    except Rejected as fault:
        message = f"what the commit changed was not carried over: {fault.message}"
        return MergedPage(standing, (Finding(path, UNREADABLE, "warning", message, fault.next_step),))


def page_gone(path: str, before: bytes, after: bytes) -> Finding:
    """Tell what a commit brought to a page that was removed meanwhile."""
    return telling.left_out(path, GONE, "the page was removed meanwhile", _brought(path, before, after), _BRING_BACK)


def _merge(path: str, before: Page, after: Page, standing: Page) -> MergedPage:
    raw = render_page(standing)
    changed = (before.body, told(before.front)) != (after.body, told(after.front))
    if standing.locked:
        new = _said(before.body, after.body, standing.body)
        step = "Take `locked: true` out of the page to let wikimill write it."
        why = "the page is locked"
        return MergedPage(raw, (telling.left_out(path, "page-locked", why, new, step),) if changed else ())
    # To a page that a person made their own, wikimill only adds.
    theirs, made = is_persons(standing.front), not before.front and not before.body
    additive = theirs and not is_persons(before.front)
    body = merge_body(before.body, after.body, standing.body, additive=additive)
    cited = {mark.label for mark in read_blocks(body.text).marks}
    merged = merge_front(before.front, after.front, standing.front, cited, additive=additive or (theirs and made))
    findings = [*_findings(path, body), *((telling.front(path, merged.left_out),) if merged.left_out else ())]
    front: Mapping[str, Yaml] = merged.front
    if not changed:
        front = review(front, before.front, after.front)
    elif (body.text, told(front)) != (standing.body, told(standing.front)):
        front, people = sign(front, before.front, after.front, standing.front)
        if people:
            message = f"{', '.join(people)} had verified the page; it has changed since."
            step = "Review the page, and mark it with `wikimill verify`."
            findings.append(Finding(path, "review-outdated", "note", message, step))
    return MergedPage(_write(replace(standing, front=front, body=body.text), before, after), tuple(findings))


def _findings(path: str, body: MergedBody) -> list[Finding]:
    found = [telling.beside(path, meeting) for meeting in body.meetings]
    if body.lost:
        why = "the text could not be brought together with what stands"
        found.append(telling.left_out(path, "page-not-merged", why, body.lost, "Add by hand what holds."))
    return found


def _write(page: Page, before: Page, after: Page) -> bytes:
    """Write the page; keys that are all the commit's own look as the commit wrote them, comments included."""
    if page.origin is not None and before.origin is not None and after.origin is not None:
        standing, old, new = page.origin.parts, before.origin.parts, after.origin.parts
        if standing.head == old.head and standing.newline == new.newline and render(page.front) == render(after.front):
            page = replace(page, origin=replace(after.origin, parts=replace(new, bom=standing.bom)))
    return render_page(page)


def _brought(path: str, before: bytes, after: bytes) -> tuple[str, ...]:
    try:
        return _said(parse_page(path, before).body, parse_page(path, after).body, "")
    except Rejected:
        return ()


def _said(before: str, after: str, standing: str) -> tuple[str, ...]:
    """Give the statements that stand in the commit's text alone."""
    reader = Reader()
    known = {one.words for text in (before, standing) for one in reader.cut(text).said()}
    return tuple(dict.fromkeys(one.words for one in reader.cut(after).said() if one.words not in known))
