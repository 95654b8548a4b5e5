"""Owns the reports of earlier runs, `.wikimill/runs/<id>.json`: kept, found, and removed when they are many.

Knows nothing of what a report says. An id is the time at which a run began, in UTC and to the second; of several that
began in one second the later ones get a number: `20261130T080000Z`, `20261130T080000Z-2`. Any number of processes may
keep reports at once, and each may be killed at any moment.
"""

from __future__ import annotations

import errno
import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, Final

from pipeline.errors import StoreError
from pipeline.report.document import Newer, parse_json, render_json
from pipeline.text import one_line
from pipeline.whole_file import is_left_over, read_whole, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.report.values import Report

FOLDER: Final = ".wikimill/runs"
"""Below the wiki's root, in what git ignores."""

LATEST: Final = "latest"
"""Stands for the id of the newest report."""

MOST_KEPT: Final = 200
MOST_BYTES: Final = 100_000_000
"""Of one report."""

_SEE: Final = "`wikimill report --list` shows those that are kept."
_ID: Final = re.compile(r"([0-9]{8}T[0-9]{6}Z)(?:-([1-9][0-9]{0,8}))?")
_ENDING: Final = ".json"
_LEFT_OVER_SECONDS: Final = 3_600
"""A file that has been on its way to its place for so long was given up."""


def keep(root: Path, report: Report) -> str:
    """Write a report with its id, and give the id; the oldest reports go where there are more than `MOST_KEPT`.

    The report says when its run began. Raises `StoreError` when the disk does not allow it.
    """
    if report.started_at is None:
        raise ValueError("a report is kept under the time at which its run began")
    folder = root / FOLDER
    try:
        _make(folder)
        run = _reserve(folder, report.started_at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ"))
        place = folder / f"{run}{_ENDING}"
        try:
            write_whole(place, _render(replace(report, id=run)))
        except BaseException:
            with suppress(OSError):
                place.unlink()
            raise
    except OSError as fault:
        raise _cannot("written", folder, fault) from None
    _remove_old(folder, run)
    return run


def read(root: Path, run: str = LATEST) -> Report:
    """Read a report; raises `StoreError` when there is none of that id, or the file is damaged."""
    if run == LATEST:
        run = next(iter(list_runs(root)), "")
        if not run:
            raise StoreError("there is no report yet.", where=FOLDER, next_step="`wikimill run` leaves one.")
    if not _ID.fullmatch(run):
        raise StoreError("this is no id of a report.", where=one_line(run, 100), next_step=_SEE)
    place = root / FOLDER / f"{run}{_ENDING}"
    try:
        return replace(parse_json(read_whole(place, MOST_BYTES)), id=run)
    except FileNotFoundError:
        raise StoreError("there is no such report.", where=run, next_step=_SEE) from None
    except OSError as fault:
        raise _cannot("read", place, fault) from None
    except Newer as mistake:
        told = f"the report was made by a newer wikimill: {mistake}."
        raise StoreError(told, where=str(place), next_step="Update wikimill here, or look at it there.") from None
    except ValueError as mistake:
        raise StoreError(f"the report is damaged: {mistake}.", where=str(place), next_step="Delete the file.") from None


def list_runs(root: Path) -> tuple[str, ...]:
    """Give the ids of all reports, the newest first. One that is just being written is not there yet."""
    return tuple(_ids(root / FOLDER, also_reserved=False))


def _render(report: Report) -> bytes:
    raw = render_json(report)
    if len(raw) > MOST_BYTES:
        raise StoreError(f"a report of {len(raw):,} bytes is too large to be kept.", where=FOLDER)
    return raw


def _make(folder: Path) -> None:
    """Make the folder, in one that git is told to leave alone; a link would lead out of the wiki, and is no folder."""
    state = folder.parent
    for place in (state, folder):
        if place.is_symlink():
            raise NotADirectoryError(errno.ENOTDIR, "a symbolic link stands where a folder is needed", str(place))
        place.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), (state / ".gitignore").open("xb") as stream:
        stream.write(b"*\n")


def _reserve(folder: Path, stamp: str) -> str:
    """Take an id that nobody has, behind all those of the same second: its file stands there, empty for the moment."""
    taken = [number for at, number in map(_order, _ids(folder, also_reserved=True)) if at == stamp]
    number = max(taken, default=0) + 1
    while True:
        run = stamp if number == 1 else f"{stamp}-{number}"
        with suppress(FileExistsError), (folder / f"{run}{_ENDING}").open("xb"):
            return run
        number += 1


def _remove_old(folder: Path, own: str) -> None:
    """Leave the newest reports, and the one that was kept just now whatever its time; what cannot go stays."""
    given_up = _time(folder / f"{own}{_ENDING}") - _LEFT_OVER_SECONDS
    runs = _ids(folder, also_reserved=False)
    reserved = {f"{run}{_ENDING}" for run in _ids(folder, also_reserved=True)} - {f"{run}{_ENDING}" for run in runs}
    old = [f"{run}{_ENDING}" for run in runs[MOST_KEPT:] if run != own]
    old += [
        name for name in _names(folder) if (name in reserved or is_left_over(name)) and _time(folder / name) < given_up
    ]
    for name in old:
        with suppress(OSError):
            (folder / name).unlink()


def _ids(folder: Path, *, also_reserved: bool) -> list[str]:
    """Give the ids in a folder, the newest first; an empty file reserves one."""
    runs = [name.removesuffix(_ENDING) for name in _names(folder) if name.endswith(_ENDING)]
    sound = sorted((run for run in runs if _ID.fullmatch(run)), key=_order, reverse=True)
    return [run for run in sound if also_reserved or _holds_something(folder / f"{run}{_ENDING}")]


def _order(run: str) -> tuple[str, int]:
    stamp, _, number = run.partition("-")
    return stamp, int(number or 1)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(place.name for place in folder.iterdir())
    except OSError:
        return []


def _holds_something(place: Path) -> bool:
    try:
        return place.lstat().st_size > 0
    except OSError:
        return False


def _time(place: Path) -> float:
    try:
        return place.lstat().st_mtime
    except OSError:
        return 0.0


def _cannot(what: str, place: Path, fault: OSError) -> StoreError:
    why = one_line(fault.strerror or type(fault).__name__, 200)
    return StoreError(f"reports cannot be {what}: {why}.", where=one_line(str(place), 300))
