"""Owns what no handed-over page, index or log may do: touch what a person protects, or hold what runs or loads; pure.

Knows one file at a time, as it was before, as it is to be, and as the proposal on the remote has it by now.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page, render_page
from pipeline.wiki.markdown.quoting import neutralise
from pipeline.wiki.revision.authorship import confirm
from pipeline.wiki.sections.keep import keep_blocks
from pipeline.wiki.sections.piece import GUARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.wiki.format.frontmatter import Yaml
    from pipeline.wiki.format.page import Page

RULE: Final = "handed-over"


@dataclass(frozen=True, slots=True)
class Review:
    """Who stands for a page, such as `human:dana`, and since when, in UTC and to the second."""

    path: str
    by: str
    at: datetime


Reviews = Callable[[], Collection[Review]]
"""Gives the reviews that people gave by merging; asked only where a page names one that did not stand there."""

Sides = tuple["bytes | None", bytes, "bytes | None"]
"""A file before, after, and as it was published; nothing where it is not there."""

LOOK: Final = "Nothing was pushed. Look at the log of the job that made it."
_HUMAN: Final = "human:"
_TOLD: Final = 200
_OURS: Final = re.compile(r"<!--[ \t]*/?[ \t]*keep[ \t]*-->|" + re.escape(GUARD), re.IGNORECASE)
"""The comments that a run writes or repeats: what protects text, and what ends a list."""


def check_protected(path: str, sides: Sides, reviews: Reviews) -> Iterator[Finding]:
    """Refuse a change of a locked page, a broken keep block, a review that nobody gave, and markup with teeth.

    What was so before is no reason to refuse.
    """
    raw_before, raw_after, raw_published = sides
    before, after, published = (_Side(path, raw) for raw in sides)
    if before.page is not None and before.page.locked and raw_before != raw_after:
        yield Finding(path, RULE, "error", "changes, though it is locked.", LOOK)
    for block, count in Counter(_blocks(before.body)).items():
        if after.body.count(block) < count:
            told = f"a keep block does not stand whole any more: {one_line(block, _TOLD)}"
            yield Finding(path, RULE, "error", told, LOOK)
    known = {*before.reviews, *published.reviews}
    if fresh := [review for review in after.reviews if review not in known]:
        yield from _check_reviews(path, before.page, raw_after, fresh, reviews)
    stood = [one.body for one, raw in ((before, raw_before), (published, raw_published)) if raw is not None]
    if all(map(_is_tame, stood)) and (rules := _teeth(after.body)):
        yield Finding(path, RULE, "error", f"holds markup that runs or loads by itself ({', '.join(rules)}).", LOOK)


def _check_reviews(
    path: str, before: Page | None, raw_after: bytes, fresh: list[tuple[str, ...]], reviews: Reviews
) -> Iterator[Finding]:
    """Refuse reviews that nobody gave of this page, and any other change of a page that names a new one."""
    given = {_told(one.by, one.at): one for one in reviews() if one.path == path}
    strange = [review for review in fresh if review not in given]
    for review in strange:
        told = f"names a review that nobody gave: {one_line(' '.join(review), _TOLD)}"
        yield Finding(path, RULE, "error", told, LOOK)
    if strange:
        return
    front = before.front if before is not None else {}
    for told_by, told_at in fresh:
        front = confirm(front, given[told_by, told_at].by, given[told_by, told_at].at)
    if before is None or render_page(replace(before, front=front)) != raw_after:
        yield Finding(path, RULE, "error", "names a review, and is not what was reviewed.", LOOK)


def is_locked(path: str, raw: bytes) -> bool:
    """Whether a person has locked the page."""
    page = _read(path, raw)
    return page is not None and page.locked


def is_reviewed_by(path: str, raw: bytes | None, by: str) -> bool:
    """Whether a page names somebody, such as `human:dana`, among those who have reviewed it."""
    return any(review[0] == by for review in _Side(path, raw).reviews)


class _Side:
    """One version of a file: its text, and for a page what its front matter tells."""

    def __init__(self, path: str, raw: bytes | None) -> None:
        self.page = _read(path, raw)
        text = self.page.body if self.page else (raw or b"").decode("utf-8", "replace")
        self.body = text.replace("\r\n", "\n").replace("\r", "\n")
        self.reviews = tuple(_human(self.page.front.get("verified"))) if self.page else ()


def _read(path: str, raw: bytes | None) -> Page | None:
    if raw is None or not is_page(path):
        return None
    try:
        return parse_page(path, raw)
    except WikimillError:
        return None


def _blocks(body: str) -> list[str]:
    return [text for block in keep_blocks(body) if (text := block.text.rstrip())]


def _human(verified: Yaml) -> Iterator[tuple[str, ...]]:
    """Give the entries of `verified` that speak for a person, each with all that it says."""
    for entry in verified if isinstance(verified, list) else [verified]:
        by = entry.get("by") if isinstance(entry, dict) else entry
        if not isinstance(by, str) or not by.strip().casefold().startswith(_HUMAN):
            continue
        if isinstance(entry, dict):
            rest = (f"{key}={value!r}" for key, value in sorted(entry.items()) if key not in {"by", "at"})
            yield (*_told(by, entry.get("at")), *rest)
        else:
            yield (by,)


def _told(by: str, at: Yaml) -> tuple[str, str]:
    """Write a review so that two can be compared, however their times were written."""
    if isinstance(at, str):
        try:
            at = datetime.fromisoformat(at)
        except ValueError:
            return by, str(at)
    if isinstance(at, datetime):
        whole = at if at.tzinfo else at.replace(tzinfo=UTC)
        return by, whole.astimezone(UTC).replace(microsecond=0).isoformat()
    return by, str(at)


def _is_tame(body: str) -> bool:
    return not _teeth(body)


def _teeth(body: str) -> tuple[str, ...]:
    """Name the rules by which a text would be neutralised, besides for the comments that a run writes itself."""
    plain = _OURS.sub("keep", body)
    neutral, found = neutralise(plain)
    return tuple(one.rule for one in found) or (("markup",) if neutral != plain else ())
