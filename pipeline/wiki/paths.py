"""Owns which paths below the wiki's root may be written: safe on every system, and clashing with none that stands.

Pure: it judges texts; that no folder on the way is a symbolic link is looked after by the tree.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.wiki.slugs import portable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{kind}{number}" for kind in ("com", "lpt") for number in "123456789¹²³"]
)
"""Names that Windows keeps for devices, with any extension."""

GIT_NAMES = frozenset({".git", "git~1"})
"""What git keeps for itself, in any case, and as old Windows shortens it."""

FORBIDDEN = frozenset('<>:"|?*\\')
"""What Windows does not allow in a name."""

NAME_LIMIT = 255
"""Bytes that common file systems allow in one name."""


def check_path(path: str) -> None:
    """Refuse a path that would leave the wiki, or that some system cannot hold."""
    problem = next((told for part in path.split("/") if (told := _problem(part))), "")
    if problem:
        raise Rejected(f"{problem}.", where=ascii(path)[1:-1][:200], next_step="Give the page another name.")


def _problem(part: str) -> str:  # noqa: PLR0911  # one line a rule
    if part in {"", ".", ".."}:
        return "the path must lead down, from one name to the next"
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in part):
        return "a name holds a control character"
    if FORBIDDEN & set(part):
        return "a name holds a character that Windows does not allow"
    if part[-1] in " ." or part[0] == " ":
        return "a name begins with a space, or ends with a space or a full stop"
    # Some file systems step over invisible characters, so that `.g<joiner>it` is `.git` to them.
    seen = "".join(char for char in part if unicodedata.category(char) != "Cf").casefold()
    if seen in GIT_NAMES:
        return "a name belongs to git"
    if seen.partition(".")[0].rstrip() in DEVICES:
        return "a name belongs to a device of Windows"
    if len(part.encode("utf-8")) > NAME_LIMIT:
        return "a name is too long"
    return ""


class Names:
    """The names that stand in a wiki, files and folders, so that a new one can be held against them.

    Two names that differ only by case or by normal form are one name on some systems: the second is refused. What
    stands already may stay and be changed.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._standing: dict[str, set[tuple[str, bool]]] = {}
        self._keys: dict[str, str] = {}
        for path in paths:
            self.add(path)

    def check(self, path: str) -> None:
        """Refuse a path that clashes with one that stands."""
        for name, is_file in _names(path):
            others = self._standing.get(self._key(name), set())
            if others and (name, is_file) not in others:
                other, _ = min(others)
                raise Rejected(
                    f"the path clashes with {other!r}, which stands already.",
                    where=path,
                    next_step="Give the page another name, or move the other one.",
                )

    def add(self, path: str) -> None:
        """Note a file that stands now, and its folders."""
        for one in _names(path):
            others = self._standing.setdefault(self._key(one[0]), set())
            if one in others:
                return
            others.add(one)

    def remove(self, path: str) -> None:
        """Note that a file is gone; the names of its folders stay taken."""
        self._standing.get(self._key(path), set()).discard((path, True))

    def _key(self, name: str) -> str:
        key = self._keys.get(name)
        if key is None:
            folder, slash, last = name.rpartition("/")
            key = self._keys[name] = f"{self._key(folder)}/{portable(last)}" if slash else portable(last)
        return key


def _names(path: str) -> Iterator[tuple[str, bool]]:
    """Give the path and every folder on its way, from the deepest; with each, whether it is a file."""
    yield path, True
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path, False
