"""Owns how fresh the wiki's data is: told by the data alone, never by the clock of a build. Knows no HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.site.hubs.shelf import Shelf

_TIME: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?= \d{2}:\d{2}\b)")


def newest_observation(shelf: Shelf) -> str:
    """Give the day (ISO) of the newest observation that a page rests on, or nothing."""
    return max(_observed(shelf), default="")


def newest_change(shelf: Shelf) -> str:
    """Give the day (ISO) of the newest change of a page, or nothing."""
    return max((facts.changed_on for facts in shelf.pages), default="")


def _observed(shelf: Shelf) -> Iterator[str]:
    for facts in shelf.pages:
        for source in facts.sources:
            found = _TIME.match(source.title)
            if found:
                yield found.group()
    yield from (f"{quoted.when:%Y-%m-%d}" for quoted in shelf.inputs.quoted.values())
