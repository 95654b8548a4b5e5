"""Owns the words that differ from host to host, and those that every part of the text uses; knows no section."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.neutral import plainly
from pipeline.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from typing import TypeVar

    from pipeline.proposal.account import Account
    from pipeline.proposal.comparing.values import PageChange
    from pipeline.proposal.proposal import HostName

    Item = TypeVar("Item")

OFFLINE: Final = "extractive"
"""The model that chooses sentences and writes none."""
NAME_LIMIT: Final = 60
"""Unicode characters of a person's name or a session's."""

_ADDRESS = re.compile(r"https?://[^\s<>()\"'`\\|]{1,2000}")


@dataclass(frozen=True, slots=True)
class Wording:
    """How a host calls things."""

    request: str
    sign: str
    """What stands before its number."""
    reports: str
    """The address of the full report, or nothing."""

    @property
    def report(self) -> str:
        """A link to the full report, or the words alone."""
        return f"[full report](<{self.reports}>)" if self.reports else "full report of the run"


def wording(account: Account, host: HostName) -> Wording:
    """Choose the words for a host."""
    address = account.run_report_url if _ADDRESS.fullmatch(account.run_report_url) else ""
    return Wording("pull request", "#", address) if host == "github" else Wording("merge request", "!", address)


def size(text: str, host: HostName) -> int:
    """Measure a text as its host does, or more: in UTF-16 units for GitHub, in characters for GitLab."""
    return utf16_units(text) if host == "github" else len(text)


def count(number: int, noun: str, several: str = "") -> str:
    """Count things: `1 page`, `2 pages`; `several` is a plural that takes more than an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {several or noun + 's'}"


def moment(at: datetime) -> str:
    """Write a time to the minute, in UTC."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def person(name: str) -> str:
    """Name a person, and call nobody."""
    return plainly(name.lstrip("@"), NAME_LIMIT) or "somebody"


def is_session(page: PageChange) -> bool:
    """Whether a page records a session: such pages come last."""
    return page.type.casefold() == "session" or "/sessions/" in f"/{page.path}"


def in_order(pages: Sequence[PageChange]) -> list[PageChange]:
    """Order pages by path, the records of sessions last."""
    return sorted(pages, key=lambda page: (is_session(page), page.path))


def listed(items: Sequence[Item], most: int, tell: Callable[[Item], str], noun: str) -> Iterator[str]:
    """List items, a line each, and count those beyond `most`."""
    for item in items[:most]:
        yield f"- {tell(item)}"
    if len(items) > most:
        left = len(items) - most
        yield f"- {count(left, noun)}{' more' if most else ''}: see the full report"
