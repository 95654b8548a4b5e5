"""Owns the versions of a page, as commits tell them; knows nothing of what stands on the page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.git.process import GitProcess

FIELDS = (
    "%H",
    "%ct",
    "%s",
    "%an",
    "%(trailers:key=Session,valueonly,separator=%x2C)",
    "%(trailers:key=Observations,valueonly,separator=%x2C)",
    "%(trailers:key=Model,valueonly,separator=%x2C)",
)


@dataclass(frozen=True, slots=True)
class Version:
    """One commit that changed a page; `session`, `observations` and `model` are empty for a person's commit."""

    commit: str
    at: datetime
    subject: str
    author: str
    session: str
    observations: str
    model: str


def read_history(git: GitProcess, commit: str, path: str) -> tuple[Version, ...]:
    """Tell the versions of one path (from the top of the repository), the newest first."""
    form = "%x00".join(FIELDS)
    out = git.run("log", "-z", "--no-show-signature", "--encoding=UTF-8", f"--format={form}", commit, "--", path)
    values = out.decode("utf-8", "replace").split("\0")
    rows = (values[start : start + len(FIELDS)] for start in range(0, len(values) - 1, len(FIELDS)))
    return tuple(_version(*row) for row in rows if len(row) == len(FIELDS))


def _version(  # noqa: PLR0913, PLR0917  # the fields of a row, in their order
    commit: str, seconds: str, subject: str, author: str, session: str, observations: str, model: str
) -> Version:
    return Version(commit, moment(seconds), subject, author, session.strip(), observations.strip(), model.strip())


def moment(seconds: str) -> datetime:
    """Read a time of git's; one beyond what a calendar holds, which anybody can write into a commit, is 1970."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)
