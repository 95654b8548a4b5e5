"""Owns the part of a proposal's text that is wikimill's own: where it begins and ends, and what is hidden in it.

The marks are HTML comments, which GitHub and GitLab keep in the source and do not show. What stands outside belongs to
people and stays character by character, with the line breaks that an editor in a browser gave it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pipeline.wiki.markdown.links import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGIN: Final = "<!-- wikimill:begin -->"
END: Final = "<!-- wikimill:end -->"
REBASE: Final = "<!-- wikimill:rebase -->"
RECREATE: Final = "<!-- wikimill:recreate -->"

_MARK = re.compile(r"<!--[ \t]{0,20}wikimill:(begin|end)[ \t]{0,20}-->")
_HEAD = re.compile(r"<!--[ \t]{0,20}wikimill:head[ \t]{1,20}([0-9a-f]{40}|[0-9a-f]{64})[ \t]{0,20}-->")
_UNSAFE = re.compile(r"[^\w./-]")


@dataclass(frozen=True, slots=True)
class Standing:
    """A text, cut around the region; without one `region` is None and all of it stands in `after`."""

    before: str
    region: str | None
    after: str

    def around(self, region: str) -> str:
        """Put another region in the place of this one, or on top where there is none."""
        gap = "\n\n" if self.region is None and self.after.strip() else ""
        return f"{self.before}{region}{gap}{self.after}"


def read_standing(body: str) -> Standing:
    """Find the region in a text: from a mark that begins one to the next that ends it, with no other mark between.

    Of several that one counts which names a head, else the first. The others, if they name a head as well, are older
    copies and go; every other mark, such as one without its fellow, is a person's text and stays.
    """
    marks = list(_MARK.finditer(body))
    spans = [(one.start(), other.end()) for one, other in pairwise(marks) if (one[1], other[1]) == ("begin", "end")]
    ours = [span for span in spans if _HEAD.search(body, *span)]
    if not spans:
        return Standing("", None, body)
    start, end = ours[0] if ours else spans[0]
    return Standing(body[:start], body[start:end], _without(body, end, ours[1:]))


def _without(body: str, start: int, spans: Sequence[tuple[int, int]]) -> str:
    parts = []
    for begin, end in spans:
        parts.append(body[start:begin])
        start = end
    return "".join((*parts, body[start:]))


def bound(head: str) -> str:
    """Write down, hidden, which commit the region speaks of, so that a tick belongs to it."""
    return f"<!-- wikimill:head {head} -->"


def bound_head(region: str) -> str:
    """Read which commit a region speaks of; empty when it does not tell."""
    found = _HEAD.search(region)
    return found[1] if found else ""


def ignoring(path: str) -> str:
    """Write down, hidden, which page a box is about. Nothing in a path can end the comment."""
    return f"<!-- wikimill:ignore {_UNSAFE.sub(_encoded, path).replace('--', '-%2D')} -->"


def _encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found.group().encode("utf-8", "replace"))


def ignored(address: str) -> str:
    """Read the path that `ignoring` wrote."""
    return decode(address)
