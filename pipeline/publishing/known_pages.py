"""Owns what is remembered of reading pages, so that the next build reads those alone that changed. Knows no HTML.

What was read of a page depends on its path, its bytes, and the code that reads them; where all three are the same, it
is used again. The memory is called by how it stands on disk (its time to the nanosecond, and its size): a file that
came with a clone or a copy does not bear its own name, and is not believed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.reading.remembered import code_digest, digest, digest_of, stamp_of
from pipeline.reading.unreadable import unreadable
from pipeline.site.each import ONE_BY_ONE
from pipeline.site.facts import Facts
from pipeline.site.facts_stored import restored, stored
from pipeline.site.library_reading import read_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pipeline.finding import Finding
    from pipeline.site.each import Each

_LARGEST: Final = 256 * 1024
"""Bytes of what was read of a page from which on it is not remembered."""


@dataclass(slots=True)
class KnownPages:
    """Reads pages; `folder` is where is remembered what was read, in files whose names begin with `name`.

    `broken` tells which of the pages that were read a generator alone would publish without their front matter.
    """

    folder: Path
    name: str
    each: Each = ONE_BY_ONE
    broken: list[Finding] = field(default_factory=list)

    def read(self, files: Sequence[tuple[str, bytes]]) -> list[Facts | Finding]:
        """Read pages, given as path and bytes; results are in the order of the pages."""
        known = self._recall()
        keys = [digest_of(path, raw) for path, raw in files]
        found = {key: facts for key in keys if key in known and (facts := _restored(known[key])) is not None}
        unknown = [(key, file) for key, file in zip(keys, files, strict=True) if key not in found]
        lines = {key: known[key] for key in found}
        results: dict[str, Facts | Finding] = {**found}
        for (key, _), (read, broken) in zip(unknown, self.each.on([file for _, file in unknown], _read), strict=True):
            results[key] = restored(read) if isinstance(read, bytes) else read
            if broken is not None:
                self.broken.append(broken)
            elif isinstance(read, bytes) and len(read) <= _LARGEST:
                lines[key] = read
        if lines.keys() != known.keys():
            self._remember(lines)
        return [results[key] for key in keys]

    def _recall(self) -> Mapping[str, bytes]:
        for place in self._places():
            if place.name != f"{self.name}-{stamp_of(place)}":
                continue
            with suppress(OSError):
                head, _, rest = place.read_bytes().partition(b"\n")
                if head == _head(rest):
                    pairs = (line.partition(b" ") for line in rest.split(b"\n") if line)
                    return {key.decode("ascii"): told for key, _, told in pairs}
        return {}

    def _remember(self, lines: Mapping[str, bytes]) -> None:
        """Write the memory, in one step; where nothing can be written, the next build reads all pages."""
        former = self._places()
        near = self.folder / f"{self.name}.new"
        kept = b"\n".join(b"%s %s" % (key.encode(), told) for key, told in lines.items())
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            near.write_bytes(_head(kept) + b"\n" + kept)
            near.replace(self.folder / f"{self.name}-{stamp_of(near)}")
            for place in former:
                place.unlink(missing_ok=True)

    def _places(self) -> list[Path]:
        with suppress(OSError):
            return sorted(place for place in self.folder.iterdir() if place.name.startswith(f"{self.name}-"))
        return []


def _read(file: tuple[str, bytes]) -> tuple[bytes | Finding, Finding | None]:
    """Read a page, maybe in another process: as it is written down, it is handed over fastest."""
    read = read_page(file)
    return stored(read) if isinstance(read, Facts) else read, unreadable(*file)


def _head(rest: bytes) -> bytes:
    """Tell by which code a memory was written, and what it holds."""
    return f"{code_digest()} {digest(rest)}".encode()


def _restored(line: bytes) -> Facts | None:
    try:
        return restored(line)
    except ValueError:
        return None
