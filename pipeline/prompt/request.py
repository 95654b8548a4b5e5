"""Owns what a request is: values alone; knows not how a model reads them, nor what they take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.context import Context
    from pipeline.projection import Projection

Mode = Literal["single", "batch"]
"""One page a session, or up to five updates of any pages."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What a model answered, and what is wrong with it, to be mended in one more round."""

    reply: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """Windows of one or more sessions, the wiki around them, and what is asked; all text is free of secrets.

    The offline model reads the values; a language model reads `messages()`. A window of a long session stands
    alone; short sessions of one project may share a request, which then holds one window of each. `session_pages`
    has for each window the path of its session's page when that stands already, else an empty text.
    """

    system: str
    windows: tuple[Projection, ...]
    context: Context
    session_pages: tuple[str, ...] = ("",)
    mode: Mode = "batch"
    repair: Repair | None = None

    @property
    def projection(self) -> Projection:
        """The window, or the first of several."""
        return self.windows[0]

    @property
    def session_page(self) -> str:
        """The path of the page of the first window's session, if it stands."""
        return self.session_pages[0]

    def mended(self, reply: str, faults: Iterable[str]) -> Request:
        """Ask again, with what was answered and what is wrong with it."""
        return replace(self, repair=Repair(reply, tuple(faults)))


def name_of(request: Request, number: int) -> str:
    """Name a session within a request, from 0: `s1`, `s2`; untrusted ids would be copied wrongly."""
    return f"s{number + 1}" if len(request.windows) > 1 else ""
