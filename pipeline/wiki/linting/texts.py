"""Owns the rules on what stands in one page: footnotes, claims, keep markers, size, age, secrets.

Knows no other page.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.markdown.as_read import as_read
from pipeline.wiki.markdown.claims import claims_of
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.revision.sources import is_label, located
from pipeline.wiki.sections import keep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.config import LintSettings
    from pipeline.wiki.format.frontmatter import Yaml
    from pipeline.wiki.linting.sheets import Sheet

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_SETTING = re.compile(r"[ ]{0,3}[A-Za-z0-9_-]+:\s")
_QUOTED = 80


def check_metadata(sheet: Sheet) -> Iterator[Finding]:
    """Find text that a site would swallow: a file without front matter that begins like a list of settings."""
    found = _SETTING.match(sheet.body)
    if found and not sheet.has_front:
        message = f"the file begins with {found.group()[:40]!r}; the site takes such lines for settings and drops them."
        step = "Begin the file with front matter (---) or with a heading."
        yield Finding(f"{sheet.path}:1", "text-as-metadata", "error", message, step)


def check_footnotes(sheet: Sheet) -> Iterator[Finding]:
    """Hold every footnote to a definition and a source, and the other way round."""
    known = {str(entry.get("id")) for entry in sheet.sources}
    defined = {entry.label for entry in sheet.blocks.definitions}
    told: set[str] = set()
    for mark in sheet.blocks.marks:
        if mark.label in told:
            continue
        told.add(mark.label)
        place = sheet.at(mark.start)
        if mark.label not in defined:
            message = f"the footnote [^{mark.label}] has no definition, so readers see its mark as text."
            step = f"Add a line that begins with [^{mark.label}]: or take the mark out."
            yield Finding(place, "footnote-undefined", "warning", message, step)
        if sheet.page is not None and mark.label not in known and (is_label(mark.label) or sheet.is_ours):
            message = f"the footnote [^{mark.label}] names no entry of 'sources'."
            yield Finding(place, "footnote-unsourced", "warning", message, "Add the source to the front matter.")
    for entry in sheet.blocks.definitions:
        if entry.label not in told:
            message = f"nothing cites the footnote [^{entry.label}]."
            yield Finding(sheet.at(entry.start), "footnote-unused", "note", message, "Take its definition out.")


def check_sources(sheet: Sheet, exists: Callable[[str, int], bool] | None) -> Iterator[Finding]:
    """Hold every source to a resource, and every observation that it names to a line that exists."""
    seen: set[str] = set()
    for number, entry in enumerate(sheet.sources, start=1):
        name = str(entry.get("id") or number)
        where = f"{sheet.path}#sources"
        if name in seen:
            message = f"the source {name} stands twice."
            yield Finding(where, "source-twice", "warning", message, "Keep one of the two.")
        seen.add(name)
        address = entry.get("resource")
        if not isinstance(address, str) or not address.strip():
            message = f"the source {name} has no resource."
            yield Finding(where, "source-unlocated", "error", message, "Add the path or address of the source.")
            continue
        found = located(sheet.path, address) if exists is not None else None
        if found is not None and exists is not None and not exists(*found):
            message = f"the source {name} names line {found[1]} of {found[0]}, which does not exist."
            step = "Bring the observation back from git: observations are never changed or removed."
            yield Finding(where, "observation-missing", "error", message, step)


def check_claims(sheet: Sheet) -> Iterator[Finding]:
    """Find claims without a source on pages that wikimill wrote."""
    if not sheet.is_ours:
        return
    kept = keep.keep_blocks(sheet.body)
    for statement in claims_of(sheet.blocks):
        if statement.labels or any(block.start <= statement.start < block.end for block in kept):
            continue
        words = plain(statement.bare)
        message = f"no source is given for “{words[:_QUOTED]}{'…' if len(words) > _QUOTED else ''}”."
        step = "Cite a source, take the claim out, or put it between keep markers if it is a person's word."
        yield Finding(sheet.at(statement.start), "citation-missing", "warning", message, step)


def check_keep_markers(sheet: Sheet) -> Iterator[Finding]:
    """Find keep markers that do not pair."""
    for found in keep.check_keep_markers(sheet.body):
        where = f"{sheet.path}#{found.where}" if found.where else sheet.path
        yield replace(found, where=where)


def check_size(sheet: Sheet, settings: LintSettings) -> Iterator[Finding]:
    """Find pages that are too long to be read, and to be shown to a model."""
    size = len(sheet.body)
    if sheet.page is not None and size > settings.page_characters:
        message = f"the page has {size:,} characters; {settings.page_characters:,} are the limit of wikimill.toml."
        yield Finding(sheet.path, "oversized", "note", message, "Split it into pages of one subject each.")


def check_age(sheet: Sheet, settings: LintSettings, today: date) -> Iterator[Finding]:
    """Find pages whose time is up, or that nobody has touched for long."""
    if sheet.page is None or sheet.page.status == "deprecated":
        return
    due = as_day(sheet.page.front.get("stale_after"))
    if due is not None:
        if due <= today:
            message = f"the page is stale since {due.isoformat()} (stale_after)."
            step = "Review it, then set a new date or take the key out."
            yield Finding(sheet.path, "stale", "warning", message, step)
        return
    at = as_day(sheet.generated.get("at"))
    if at is not None and today - at > timedelta(days=settings.stale_days):
        message = f"the page was last changed on {at.isoformat()}, more than {settings.stale_days} days ago."
        step = "Review it; set stale_after when it holds longer, or status: deprecated when it does not."
        yield Finding(sheet.path, "stale", "note", message, step)


def as_day(value: Yaml) -> date | None:
    """Read a date as front matter may hold it: a date, a time, or the text of either."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    found = _DAY.match(value) if isinstance(value, str) else None
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def check_secrets(sheet: Sheet, finds: Callable[[str], tuple[str, ...]]) -> Iterator[Finding]:
    """Find secrets, by kind; what they are is never told."""
    for kind in sorted(set(finds(as_read(sheet.text)))):
        message = f"the file holds what looks like a secret ({kind})."
        step = "Change the secret and take it out; if it is none, allow it in wikimill.toml under [redaction]."
        yield Finding(sheet.path, "secret-in-page", "error", message, step)
