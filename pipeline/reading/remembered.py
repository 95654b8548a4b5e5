"""Owns what is remembered of the former build: what each file was made from, and how it stood on disk.

A page is used again only where its document, everything else that it depends on, and the file itself are the same;
in doubt it is rendered. Whether the file is the same is told by its size and its time, to the nanosecond. What
cannot be read is as if there were nothing. Knows no generator.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

import yaml

from pipeline.finding import Finding
from pipeline.site.looking import Looked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

VERSION: Final = 1
_LONGEST_PATH: Final = 1_000
_WORD: Final = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of the site: the digest of what it was made from (empty for one of the theme's), and its stamp."""

    source: str
    stamp: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole build: in which environment it was made, where it stands, its files, and what its pages hold."""

    environment: str
    output: str
    files: Mapping[str, Kept] = field(default_factory=dict)
    looked: Mapping[str, Looked] = field(default_factory=dict)


def digest(raw: bytes) -> str:
    """Tell contents apart."""
    return blake2b(raw, digest_size=16).hexdigest()


def digest_of(path: str, raw: bytes) -> str:
    """Tell files apart by their path and what they hold."""
    return digest(path.encode("utf-8", "surrogatepass") + b"\0" + raw)


def stamp_of(place: Path) -> str:
    """Tell how a file stands on disk; nothing where there is none."""
    try:
        told = place.lstat()
    except OSError:
        return ""
    return f"{told.st_mtime_ns}-{told.st_size}"


def environment_digest(
    configuration: bytes,
    root: Path,
    *,
    environment: Mapping[str, str],
    apart: Iterable[str] = (),
    also: Iterable[str] = (),
) -> str:
    """Tell apart all that a page depends on beside its document.

    That is the configuration, the files, folders and variables that it names, the code of wikimill, and every
    installed package; `also` are further facts. Of what the configuration names, the folders `apart` (below the root,
    or absolute) do not count, and nothing outside the root does.
    """
    told = blake2b(digest_size=16)

    def add(*values: bytes) -> None:
        for value in values:
            told.update(b"%d:" % len(value))
            told.update(value)

    add(configuration)
    add(*(fact.encode() for fact in also))
    named = _named(configuration, root, [root / one for one in apart])
    words = {word.decode() for raw in (configuration, *_inherited(named)) for word in _WORD.findall(raw)}
    for name in sorted(words & set(environment)):
        add(name.encode(), environment[name].encode("utf-8", "surrogateescape"))
    for place in named:
        for path, raw in _contents(place):
            add(path.encode("utf-8", "surrogateescape"), raw)
    add(code_digest().encode())
    return told.hexdigest()


@cache
def code_digest() -> str:
    """Tell apart the code that is at work: wikimill's own, every installed package, and Python."""
    told = blake2b(digest_size=16)
    for path, raw in _contents(Path(__file__).parents[1], ending=".py"):
        told.update(b"%d:%d:" % (len(path), len(raw)) + path.encode() + raw)
    told.update("\n".join((sys.version, *_installed())).encode("utf-8", "surrogateescape"))
    return told.hexdigest()


def _inherited(named: Iterable[Path]) -> Iterator[bytes]:
    return (place.read_bytes() for place in named if place.is_file() and place.suffix in {".yml", ".yaml"})


def _named(configuration: bytes, root: Path, apart: Iterable[Path]) -> list[Path]:
    """Give what the configuration names below the repository: the theme's folder, hooks, what it inherits."""
    try:
        top = yaml.compose(configuration.decode("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return []
    home = root.resolve()
    without = [place.resolve() for place in apart]
    found = set()
    for value in set(_scalars(top)):
        if not value or len(value) > _LONGEST_PATH or any(character in value for character in "\n\0*"):
            continue
        place = (home / value).resolve()
        inside = place.is_relative_to(home) and place != home and place.exists()
        if inside and not any(place.is_relative_to(one) or one.is_relative_to(place) for one in without):
            found.add(place)
    return sorted(found)


def _scalars(node: yaml.Node | None) -> Iterator[str]:
    waiting = [node] if node is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            yield node.value
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            waiting += [part for pair in node.value for part in pair]


def _contents(place: Path, ending: str = "") -> Iterator[tuple[str, bytes]]:
    if place.is_file():
        yield place.name, place.read_bytes()
        return
    for above, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(ending):
                file = Path(above) / name
                yield file.relative_to(place).as_posix(), file.read_bytes()


def _installed() -> list[str]:
    """Name every installed package with its version, as the folders of their descriptions are called."""
    found: set[str] = set()
    for place in sys.path:
        with suppress(OSError):
            names = (entry.name for entry in Path(place).iterdir())
            found.update(name for name in names if name.endswith((".dist-info", ".egg-info")))
    return sorted(found)


def read_manifest(place: Path) -> Manifest | None:
    """Read what was remembered; None where there is nothing, or nothing that can be understood."""
    try:
        seal, _, raw = place.read_bytes().partition(b"\n")
        if seal.decode("ascii") != f"{VERSION} {digest(raw)}":
            return None
        told = json.loads(raw)
        targets = [str(target) for target in told["targets"]]
        return Manifest(
            str(told["environment"]),
            str(told["output"]),
            {str(path): Kept(str(source), str(stamp)) for path, (source, stamp) in told["files"].items()},
            {
                str(path): Looked(
                    frozenset(str(ids).split(" ")) - {""},
                    tuple(targets[number] for number in links),
                    tuple(Finding(path, str(rule), severity, str(said), str(step)) for rule, severity, said, step in f),
                )
                for path, (ids, links, f) in told["looked"].items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None


def write_manifest(place: Path, manifest: Manifest) -> None:
    """Remember a build, in one step; where nothing can be written, the next build is a full one."""
    numbers: dict[str, int] = {}
    looked = {
        path: [
            " ".join(sorted(one.ids)),
            [numbers.setdefault(link, len(numbers)) for link in one.links],
            [[found.rule, found.severity, found.message, found.next_step] for found in one.findings],
        ]
        for path, one in manifest.looked.items()
    }
    told = {
        "environment": manifest.environment,
        "output": manifest.output,
        "files": {path: [kept.source, kept.stamp] for path, kept in manifest.files.items()},
        "targets": list(numbers),
        "looked": looked,
    }
    near = place.with_name(f"{place.name}.new")
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        raw = json.dumps(told, separators=(",", ":")).encode("ascii")
        near.write_bytes(f"{VERSION} {digest(raw)}\n".encode("ascii") + raw)
        near.replace(place)
