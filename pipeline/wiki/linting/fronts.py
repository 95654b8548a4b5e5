"""Owns the rules on front matter: that it is there, that it can be read, and that a site survives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.format.safe import is_safe_tag, is_safe_text
from pipeline.wiki.markdown.links import decode, join

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pipeline.wiki.linting.sheets import Sheet

_KILLS = {
    "template": "the site generator looks for a template of that name and stops",
    "icon": "the site's theme looks for an icon of that name and stops",
}
_STATUSES = ("draft", "stable", "deprecated")
_FORGIVEN = frozenset({"front-matter-missing"})
"""Told here in other words."""


def check(sheet: Sheet, files: Collection[str]) -> Iterator[Finding]:
    """Hold the front matter of a page to what OKF and a site ask of it."""
    if sheet.problem is not None:
        yield sheet.problem
    if sheet.page is None:
        return
    if not sheet.has_front:
        step = "Begin the file with --- and a line such as `type: Concept`, then --- again."
        yield Finding(f"{sheet.path}:1", "front-matter-missing", "error", "the page has no front matter.", step)
    elif not sheet.page.type:
        step = "Add a line such as `type: Concept` to the front matter."
        yield Finding(sheet.path, "type-missing", "error", "the front matter names no type.", step)
    yield from (found for found in sheet.page.findings if found.rule not in _FORGIVEN)
    yield from _texts(sheet)
    yield from _keys(sheet)
    yield from _other_pages(sheet, files)


def _texts(sheet: Sheet) -> Iterator[Finding]:
    page = sheet.page
    if page is None:
        return
    where = f"{sheet.path}#front-matter"
    for key in ("title", "description"):
        value = sheet.front.get(key)
        text = value if isinstance(value, str) else ""
        if not text.strip():
            if sheet.has_front:
                step = f"Add a {key}: lists and search show it."
                yield Finding(where, f"{key}-missing", "note", f"the page has no {key}.", step)
        elif not is_safe_text(text):
            message = f"the {key} holds a character that some themes take for HTML, or that nobody sees."
            step = 'Write it in one line without < > & " and backticks.'
            yield Finding(where, f"{key}-unsafe", "error", message, step)
    for tag in page.tags:
        if not is_safe_tag(tag):
            message = f"the tag {tag[:60]!r} holds more than letters, digits, spaces and . : / - _"
            yield Finding(where, "tag-unsafe", "error", message, "Write it with these alone.")


def _keys(sheet: Sheet) -> Iterator[Finding]:
    where = f"{sheet.path}#front-matter"
    for key, told in _KILLS.items():
        if key in sheet.front:
            yield Finding(where, "key-disallowed", "error", f"'{key}' must not stand there: {told}.", "Take it out.")
    hide = sheet.front.get("hide")
    if hide is not None and not (isinstance(hide, list) and all(isinstance(one, str) for one in hide)):
        message = "'hide' is no list of names, which stops the site generator."
        yield Finding(where, "key-disallowed", "error", message, "Write it as [navigation, toc].")
    status = sheet.front.get("status")
    if status is not None and status not in _STATUSES:
        message = f"'status' is {str(status)[:40]!r}; OKF knows {', '.join(_STATUSES)}."
        yield Finding(where, "status-unknown", "warning", message, "Use one of these.")


def _other_pages(sheet: Sheet, files: Collection[str]) -> Iterator[Finding]:
    for key in ("superseded_by", "supersedes"):
        value = sheet.front.get(key)
        for address in value if isinstance(value, list) else [value]:
            if isinstance(address, str) and join(sheet.path, decode(address)) not in files:
                message = f"'{key}' names {address[:120]!r}, which does not exist."
                yield Finding(f"{sheet.path}#front-matter", "link-broken", "warning", message, "Correct the path.")
