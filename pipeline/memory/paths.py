"""Owns which paths a memory has: absolute, below `/memories`, the same on every system; reads no disk.

That no folder on the way is a symbolic link is looked after by the adapter that has a disk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pipeline.errors import Rejected
from pipeline.wiki.paths import check_path

ROOT: Final = "/memories"

_DRIVE = re.compile(r"[A-Za-z]:")
_LONGEST: Final = 1_024
"""Unicode characters of a whole path."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path in its normal form or, when it names no place in a memory, why."""

    path: str
    problem: str = ""

    @property
    def inside(self) -> str:
        """The path below `/memories`, without a slash at either end; empty for `/memories` itself."""
        return self.path.removeprefix(ROOT).removeprefix("/")


def normalise(path: str) -> Place:
    """Bring a path into its normal form: no empty steps, no `.`, no slash at its end.

    Refused with a reason: a path that is not below `/memories`, `..` anywhere, control characters with NUL among
    them, backslashes, drives, names that Windows keeps for devices or cannot hold, names that belong to git.
    """
    problem = _problem(path)
    if problem:
        return Place(path, problem)
    steps = [step for step in path.split("/") if step not in {"", "."}]
    for step in steps[1:]:
        try:
            check_path(step)
        except Rejected as refused:
            return Place(path, refused.message.removesuffix("."))
    return Place("/" + "/".join(steps))


def child(folder: str, name: str) -> str:
    """Name what stands in a folder."""
    return f"{folder}/{name}"


def _problem(path: str) -> str:  # noqa: PLR0911  # one line a rule
    if len(path) > _LONGEST:
        return f"the path has more than {_LONGEST:,} characters"
    if "\0" in path:
        return "the path holds a NUL character"
    if "\\" in path or _DRIVE.match(path.lstrip("/")):
        return "the path has a form of Windows; write it with slashes, from /memories on"
    steps = path.split("/")
    if ".." in steps:
        return "the path holds '..'"
    if not path.startswith("/"):
        return "the path is not absolute; it must start with /memories"
    if next((step for step in steps if step not in {"", "."}), "") != ROOT[1:]:
        return "the path leads out of /memories"
    return ""
