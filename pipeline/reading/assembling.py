"""Owns how a site comes to stand on disk: a new folder beside the old one, which takes its place when it is whole.

What did not change is linked or copied from the former site. The former site stays until the very end, and comes
back when a build was killed between the last two steps. Knows no page and no generator.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from pipeline.errors import Busy, StoreError
from pipeline.finding import Finding
from pipeline.reading.remembered import Kept, digest, stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_FORMER: Final = "former"
PATIENCE: Final = 300.0
"""Seconds that a build waits for another one of the same wiki to end."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a site is put together from, by path on the site.

    `moved` are rendered files with the digests of their documents, `kept` those of the former site that stay as they
    are, `written` our own files. `copied` names files of the wiki, read by `read`; one that is called as a file or a
    folder of ours is left out.
    """

    moved: Mapping[str, tuple[Path, str]] = field(default_factory=dict)
    kept: Mapping[str, Kept] = field(default_factory=dict)
    written: Mapping[str, bytes] = field(default_factory=dict)
    copied: Iterable[str] = ()
    read: Callable[[str], bytes] = str.encode


@contextmanager
def beside(place: Path, *, clean: bool) -> Iterator[Path]:
    """Give an empty folder beside the output, which goes in the end; with `clean`, what killed builds left goes too."""
    place.parent.mkdir(parents=True, exist_ok=True)
    mark = f".{place.name}.wikimill-"
    if clean:
        _clear(place, mark)
    with tempfile.TemporaryDirectory(prefix=mark, dir=place.parent, ignore_cleanup_errors=True) as scratch:
        yield Path(scratch)


def _clear(place: Path, mark: str) -> None:
    left = [entry for entry in place.parent.iterdir() if entry.name.startswith(mark)]
    for scratch in left:
        if (scratch / _FORMER).is_dir() and not place.exists():
            (scratch / _FORMER).rename(place)
        shutil.rmtree(scratch, ignore_errors=True)


def take_place(fresh: Path, place: Path, scratch: Path) -> None:
    """Put the fresh site where the former one stands, which goes with the scratch folder."""
    former = scratch / _FORMER
    if place.exists():
        place.rename(former)
    try:
        fresh.rename(place)
    except OSError:
        if former.exists():
            former.rename(place)
        raise


@contextmanager
def alone(lock: Path) -> Iterator[bool]:
    """Let one build at a time work; tells whether it could be made sure, which a read-only folder does not allow."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  # it sets up logging

    held = FileLock(lock, timeout=PATIENCE)
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        held.acquire()
    except Timeout:
        raise Busy(
            "another build is at work on this wiki.", where=str(lock), next_step="Wait until it ends, then build again."
        ) from None
    except (OSError, NotImplementedError):
        yield False
        return
    try:
        yield True
    finally:
        held.release()


def assemble(
    fresh: Path, former: Path, parts: Parts, remembered: Mapping[str, Kept]
) -> tuple[dict[str, Kept], tuple[Finding, ...]]:
    """Fill the folder `fresh`, which must not be there, and tell what stands in it, and what was left out.

    `remembered` is what is known of the former site.
    """
    site = _Site(fresh, former, remembered)
    for path, (source, document) in parts.moved.items():
        site.move(path, source, document)
    for path, kept in parts.kept.items():
        site.keep(path, kept)
    for path, raw in parts.written.items():
        site.write(path, raw)
    findings = []
    taken = _taken(site.files)
    for path in sorted(parts.copied):
        above = [str(one) for one in PurePosixPath(path.casefold()).parents]
        if path.casefold() not in taken and not any(taken.get(one) == "file" for one in above):
            site.write(path, parts.read(path))
        else:
            told = "is not published: a file of the site itself is called the same."
            findings.append(Finding(path, "site-name", "warning", told, "Rename it."))
    return site.files, tuple(findings)


def _taken(files: Iterable[str]) -> dict[str, str]:
    """Tell which names are taken by files and by folders, without case: some disks know none."""
    found: dict[str, str] = {}
    for path in files:
        folded = path.casefold()
        found.update((str(one), "folder") for one in PurePosixPath(folded).parents if str(one) not in found)
        found[folded] = "file"
    return found


class _Site:
    """A site that is being put together."""

    def __init__(self, fresh: Path, former: Path, remembered: Mapping[str, Kept]) -> None:
        self.files: dict[str, Kept] = {}
        self._fresh = fresh
        self._former = former
        self._remembered = remembered
        self._folders: set[str] = set()
        fresh.mkdir()

    def move(self, path: str, source: Path, document: str) -> None:
        place = self._place(path)
        source.replace(place)
        self.files[path] = Kept(document, stamp_of(place))

    def keep(self, path: str, kept: Kept) -> None:
        self._link(self._former / path, self._place(path))
        self.files[path] = kept

    def write(self, path: str, raw: bytes) -> None:
        source = digest(raw)
        kept = self._remembered.get(path)
        if kept is not None and kept.source == source and kept.stamp == stamp_of(self._former / path):
            self.keep(path, kept)
            return
        place = self._place(path)
        place.write_bytes(raw)
        self.files[path] = Kept(source, stamp_of(place))

    def _place(self, path: str) -> Path:
        above = path.rpartition("/")[0]
        if above not in self._folders:
            odd = any(part in {"", ".", ".."} for part in path.split("/"))
            if odd or (os.name == "nt" and ("\\" in path or ":" in path)):
                raise StoreError("cannot be the path of a file on the site.", where=path, next_step="Rename the page.")
            (self._fresh / above).mkdir(parents=True, exist_ok=True)
            self._folders.add(above)
        return self._fresh / path

    def _link(self, source: Path, place: Path) -> None:
        try:
            os.link(source, place)
        except OSError:
            # Another disk, or one that knows no second names.
            shutil.copy2(source, place)
