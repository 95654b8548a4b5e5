"""Owns which files of the observations folder are read, and how their bytes come in; knows no line.

Read are `*.jsonl` and `*.jsonl.gz` at any depth, in the order of their paths. Hidden files and folders are left
out. A link to a file is followed when the file lies inside the folder; a link to a folder never is.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import StoreError
from pipeline.finding import Finding
from pipeline.observations.inbox.lines import decompress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ENDINGS = (".jsonl", ".jsonl.gz")
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_BLOCK = 1024 * 1024


@dataclass(slots=True)
class Listing:
    """The files to read, sorted, and what is wrong; below `closed` nothing is known."""

    root: Path
    files: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def covers(self, file: str) -> bool:
        """Tell whether a file would have been found if it were there."""
        return not any(file == closed or file.startswith(f"{closed}/") or not closed for closed in self.closed)


def list_files(root: Path) -> Listing:
    """List the observation files below `root`; a folder that is missing holds none."""
    listing = Listing(Path(os.path.realpath(root)))
    if listing.root.exists():
        _list(listing, "")
    listing.files.sort()
    listing.findings.sort()
    return listing


def read_blocks(listing: Listing, file: str, tell: Callable[[str], None]) -> Iterator[bytes]:
    """Read a file, unpacked where it is compressed; raises `StoreError` when it cannot be read.

    `tell` hears of compressed bytes that are damaged; what can be had of them is given.
    """
    blocks = _read(listing.root / file, file)
    return decompress(blocks, tell) if file.lower().endswith(".gz") else blocks


def _read(path: Path, file: str) -> Iterator[bytes]:
    try:
        with path.open("rb", buffering=0) as stream:
            while block := stream.read(_BLOCK):
                yield block
    except OSError as fault:
        raise StoreError(f"cannot be read: {fault.strerror}", where=file) from None


def _list(listing: Listing, folder: str) -> None:
    folders = [folder]
    while folders:
        below = folders.pop()
        try:
            with os.scandir(listing.root / below) as entries:
                for entry in entries:
                    if not entry.name.startswith("."):
                        path = f"{below}/{entry.name}" if below else entry.name
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(path)
                        elif entry.name.lower().endswith(_ENDINGS):
                            _enter(listing, entry, path)
        except OSError as fault:
            listing.closed.append(below)
            told = f"it cannot be listed: {fault.strerror}."
            listing.findings.append(Finding(below or ".", "unreadable-folder", "error", told, "Make it readable."))


def _enter(listing: Listing, entry: os.DirEntry[str], path: str) -> None:
    if _UNUSABLE.search(path):
        shown = path.encode("unicode_escape").decode("ascii")
        step = "Rename the file: no control characters, and UTF-8."
        listing.findings.append(Finding(shown, "unusable-file-name", "error", "its name cannot be cited.", step))
    elif entry.is_symlink() and not Path(os.path.realpath(entry.path)).is_relative_to(listing.root):
        step = "Put the file itself there."
        listing.findings.append(
            Finding(path, "link-outside", "warning", "a link out of the folder is not followed.", step)
        )
    elif _is_regular(entry):
        listing.files.append(path)
    else:
        listing.findings.append(Finding(path, "unreadable-file", "warning", "it is no file, or a link to none."))


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return stat.S_ISREG(entry.stat().st_mode)
    except OSError:
        return False
