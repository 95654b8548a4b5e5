"""Owns what a reviewer asks for by ticking boxes in the text of a proposal; knows no host.

The text is untrusted: whoever may edit it may write anything there. A tick counts only in wikimill's own region, and
only for the commit that this region speaks of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pipeline.errors import Rejected
from pipeline.proposal.text.region import bound_head, ignored, read_standing
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.paths import check_path

_TICKED = re.compile(
    r"^[ \t]{0,40}(?:>[ \t]{0,8}){0,8}[-*+][ \t]{1,8}\[[ \t]{0,4}[xX][ \t]{0,4}\][ \t][^\r\n]*?"
    r"<!--[ \t]{0,20}wikimill:(?:(?P<asked>rebase|recreate)|ignore[ \t]{1,20}(?P<path>[^\s>]{1,2000}))[ \t]{0,20}-->",
    re.MULTILINE,
)
_MOST: Final = 10_000
"""Boxes that are read."""


@dataclass(frozen=True, slots=True)
class Controls:
    """What is asked for."""

    rebase: bool = False
    recreate: bool = False
    ignored: tuple[str, ...] = ()
    """Pages that shall be left out, as paths below the wiki's root, sorted; each could be the path of a page."""
    stale: bool = False
    """Whether boxes are ticked that belong to another state of the proposal, and do not count."""

    @property
    def ticks(self) -> tuple[str, ...]:
        """What is ticked and counts: `rebase`, `recreate`, and pages by their paths."""
        return (*(["rebase"] if self.rebase else []), *(["recreate"] if self.recreate else []), *self.ignored)


def read_controls(body: str, head: str) -> Controls:
    """Read which boxes are ticked in the text of a proposal whose branch is at the commit `head`."""
    region = read_standing(body).region
    if region is None:
        return Controls()
    asked: set[str] = set()
    pages: set[str] = set()
    for line in region.splitlines()[: 4 * _MOST]:
        found = _TICKED.match(line[:4_000])
        if found is None:
            continue
        if found["asked"]:
            asked.add(found["asked"])
        elif len(pages) < _MOST and _is_path(path := ignored(found["path"])):
            pages.add(path)
    if not head or bound_head(region) != head:
        return Controls(stale=bool(asked or pages))
    return Controls("rebase" in asked, "recreate" in asked, tuple(sorted(pages)))


def _is_path(path: str) -> bool:
    try:
        check_path(path)
    except Rejected:
        return False
    return is_page(path)
