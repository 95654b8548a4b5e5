"""Owns the folder of recorded replies that people commit; knows no model and no cache.

The folder is read once, when the first reply is asked for. What counts is the key that stands in a file, not its
name: `<project>/<session>-w<window>-<key's first 12 digits>.json` is for people.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.models.remembering.entry import MOST_BYTES, Entry, clean, parse_recording, render_recording
from pipeline.text import cut, one_line
from pipeline.whole_file import is_left_over, read_whole, write_whole
from pipeline.wiki.slugs import slugify

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.models.model import Reply
    from pipeline.observations.observation import Json
    from pipeline.prompt import Request

_NAMED: Final = 3
"""Most damaged files that an error names; the rest is counted."""
_MOST_FINDINGS: Final = 20
_SHOWN: Final = 120
"""Most Unicode characters of a name or of what was asked."""
_SLUG_BYTES: Final = 180
"""Of a session's slug in UTF-8: a file's name may take 255 bytes."""


class Recordings:
    """Recorded replies, found by key. All text that is written or told goes through `scrub` before.

    Without `keeps` the folder stays as it is: nothing is recorded, and what is removed only answers no more.
    """

    def __init__(self, folder: Path, *, scrub: Callable[[str], str], keeps: bool = True) -> None:
        self._folder = folder
        self._keeps = keeps
        self._scrub = scrub
        self._lock = Lock()
        self._read = False
        self._places: dict[str, list[str]] = {}
        """For each key the files that hold it, by their paths below the folder, sorted."""
        self._damaged: dict[str, str] = {}
        self._left_over: list[str] = []
        self._withdrawn: set[str] = set()
        self._findings: list[Finding] = []

    @property
    def where(self) -> str:
        """The folder, for people."""
        return one_line(str(self._folder), 300)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Files that are damaged, that answer what another one answers, or that could not be written."""
        with self._lock:
            damaged = [
                Finding(self._named(path), "recording-damaged", "warning", f"is no recording: {why}.")
                for path, why in sorted(self._damaged.items())
            ]
            return (*self._findings[:_MOST_FINDINGS], *damaged[:_MOST_FINDINGS])

    def find(self, key: str) -> Reply | None:
        """Give the reply that is recorded under a key."""
        self._read_once()
        places = self._places.get(key)
        if not places or key in self._withdrawn:
            return None
        entry = self._load(places[0])
        if isinstance(entry, Entry):
            return entry.reply if entry.key == key else None
        with self._lock:
            self._damaged[places[0]] = entry
        return None

    def keep(self, entry: Entry, request: Request) -> Reply:
        """Record a reply, if the disk allows it, and give it as it will be found again: without secrets."""
        self._read_once()
        reply = clean(entry.reply, self._scrub)
        if not self._keeps:
            return reply
        path = _path(entry.key, request)
        try:
            raw = render_recording(Entry(entry.key, self._scrub(entry.model), reply), self._about(request))
            if len(raw) > MOST_BYTES:
                raise OSError(0, f"the reply takes more than {MOST_BYTES:,} bytes")  # noqa: TRY301  # told as any other
            self._write(path, raw)
        except OSError as fault:
            with self._lock:
                message = f"cannot be written: {_why(fault)}."
                self._tell(path, "recording-not-written", message, "Mend it, then run again.")
            return reply
        with self._lock:
            self._places[entry.key] = [path]
            self._damaged.pop(path, None)
            self._withdrawn.discard(entry.key)
        return reply

    def remove(self, key: str) -> None:
        """Remove every recording of a key; one that cannot go does not answer again in this run."""
        self._read_once()
        with self._lock:
            if not self._keeps:
                self._withdrawn.add(key)
                return
            for path in self._places.pop(key, []):
                try:
                    (self._folder / path).unlink(missing_ok=True)
                except OSError:
                    self._withdrawn.add(key)

    def missing(self, request: Request) -> str:
        """Say that a request has no recording: of which session, and which files could not be read."""
        window = request.projection
        told = f"no recording for this request of {_sessions_of(request)}, window {window.number} of {window.of}"
        with self._lock:
            count, damaged = len(self._places), [self._named(path) for path in sorted(self._damaged)]
        told += f"; {count:,} others are recorded"
        if damaged:
            more = f" and {len(damaged) - _NAMED:,} more" if len(damaged) > _NAMED else ""
            told += f"; damaged: {', '.join(damaged[:_NAMED])}{more}"
        return f"{self._scrub(told)}."

    # Parts

    def _read_once(self) -> None:
        with self._lock:
            if self._read:
                return
            self._read = True
            for path in self._list():
                entry = self._load(path)
                if not isinstance(entry, Entry):
                    self._damaged[path] = entry
                    continue
                places = self._places.setdefault(entry.key, [])
                if places and self._load(places[0]) != entry:
                    message = f"answers the same request as {self._named(places[0])}, and otherwise; it does not count."
                    self._tell(path, "recording-doubled", message, "Remove one of them.")
                places.append(path)

    def _list(self) -> list[str]:
        """List the files below the folder, sorted; folders that links lead to are not looked into."""
        found = []

        def set_aside(fault: OSError) -> None:
            place = Path(os.fsdecode(fault.filename)) if fault.filename else self._folder
            if not isinstance(fault, FileNotFoundError):
                self._damaged[place.relative_to(self._folder).as_posix()] = _why(fault)

        for folder, folders, names in os.walk(self._folder, onerror=set_aside):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = (Path(folder) / name).relative_to(self._folder).as_posix()
                if is_left_over(name):
                    self._left_over.append(path)
                elif name.endswith(".json"):
                    found.append(path)
        return sorted(found)

    def _load(self, path: str) -> Entry | str:
        """Read one recording, or say why that cannot be done."""
        try:
            return parse_recording(read_whole(self._folder / path, MOST_BYTES))
        except ValueError as fault:
            return str(fault)
        except OSError as fault:
            return _why(fault)

    def _write(self, path: str, raw: bytes) -> None:
        if self._folder.is_symlink():
            raise NotADirectoryError(0, "a symbolic link stands where a folder is needed")
        with self._lock:
            while self._left_over:
                with suppress(OSError):
                    (self._folder / self._left_over.pop()).unlink()
        write_whole(self._folder / path, raw, durably=True)

    def _about(self, request: Request) -> dict[str, Json]:
        window = request.projection
        return {
            "asked": one_line(self._scrub(_asked(request)), _SHOWN),
            "sessions": [one_line(self._scrub(str(one.session)), _SHOWN) for one in request.windows],
            "window": f"{window.number} of {window.of}",
        }

    def _named(self, path: str) -> str:
        return one_line(self._scrub(path), _SHOWN * 2)

    def _tell(self, path: str, rule: str, message: str, next_step: str) -> None:
        self._findings.append(Finding(self._named(path), rule, "warning", message, next_step))


def _why(fault: OSError) -> str:
    return one_line(fault.strerror or type(fault).__name__, 200)


def _path(key: str, request: Request) -> str:
    window = request.projection
    session = slugify(window.session.session_id)
    while len(session.encode()) > _SLUG_BYTES:
        session = cut(session, len(session) * 3 // 4)
    return f"{slugify(window.session.project)}/{session.strip('-')}-w{window.number}-{key[:12]}.json"


def _asked(request: Request) -> str:
    """Give the first line of what was asked: what is to be mended, or what the first observation says."""
    if request.repair is not None:
        text = next(iter(request.repair.faults), "")
        return f"Mend: {text}"
    shown = request.projection.shown
    return shown[0].text.lstrip().partition("\n")[0] if shown else ""


def _sessions_of(request: Request) -> str:
    first = one_line(str(request.projection.session), _SHOWN)
    others = len(request.windows) - 1
    return f"session {first} and {others} more" if others else f"session {first}"
