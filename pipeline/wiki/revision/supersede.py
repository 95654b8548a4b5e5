"""Owns what it means that one page takes the place of another: marks on both, and no word of the old one changed.

Knows no draft: which page supersedes which comes in by argument.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.wiki.derived.listing import literal
from pipeline.wiki.format.front_order import put
from pipeline.wiki.markdown.links import encode, join, relative
from pipeline.wiki.markdown.positions import read_source
from pipeline.wiki.revision.additions import end_of_content, insert

if TYPE_CHECKING:
    from datetime import date

    from pipeline.wiki.format.page import Page


def retire(page: Page, path: str, successor: str, title: str, day: date) -> Page:
    """Mark a page as superseded: its status, a link to its successor, and a line below its title."""
    address = relative(path, successor)
    front = put(page.front, {"status": "deprecated", "superseded_by": address})
    line = f"> Superseded by [{literal(title)}]({encode(address)}) on {day.isoformat()}."
    return replace(page, front=front, body=_below_title(page.body, line))


def claim(page: Page, path: str, old: str, title: str) -> Page:
    """Mark a page as the one that supersedes another: a key, and a line at its end."""
    address = relative(path, old)
    listed = page.front.get("supersedes")
    others = listed if isinstance(listed, list) else [listed] if listed else []
    if address in others:
        return page
    front = put(page.front, {"supersedes": [*others, address]})
    line = f"Supersedes [{literal(title)}]({encode(address)})."
    return replace(page, front=front, body=insert(page.body, end_of_content(page.body), line))


def superseded_by(page: Page, path: str) -> str:
    """Name the page that took this one's place, if any."""
    address = page.front.get("superseded_by")
    return join(path, address) if isinstance(address, str) and address else ""


def _below_title(body: str, line: str) -> str:
    if line in body:
        return body
    headings = read_source(body).headings
    position = headings[0].end if headings and headings[0].level == 1 else 0
    return insert(body, len(body[:position].rstrip()), line)
