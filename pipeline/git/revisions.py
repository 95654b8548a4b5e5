"""Owns the newest revisions of all pages below a folder, and how pages were moved; knows nothing of what a page says.

One `git log` tells what every commit did, and one `git cat-file` gives the bytes. A page is followed from commit to
commit by its path and its content: the commit that made what stands now, then the one that made what stood before
that, also under a former path. So the list of a page holds what became of it and nothing else: commits of a merged
branch stand in it as well as those beside it, each once; a merge only where it differs from all its parents, and then
the line of its first parent goes on, so that each revision arose from the one after it in the list.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.git.history import FIELDS, Version, moment
from pipeline.git.process import Answer, explain
from pipeline.git.snapshot import REGULAR, list_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import IO

    from pipeline.git.process import GitProcess
    from pipeline.git.snapshot import Blobs

LARGEST_BLOB: Final = 256 * 1024
"""Bytes of a revision; the list of a page ends before a larger one."""
MOST_BYTES: Final = 192 * 1024 * 1024
"""Bytes of all revisions together; beyond that the oldest of every page are left out."""

_LIKE: Final = "-M60%"
"""How much of a file is the same when it was moved and changed at once."""
_MOST_MOVED: Final = "-l1000"
"""Files of a commit that are compared for likeness; exact moves are found without a limit."""
_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class PageVersion:
    """A page as one commit left it: `path` is what it was called then, below the folder; `raw` is the whole file."""

    version: Version
    path: str
    raw: bytes
    boundary: bool
    """Whether it is not known here what stood before: the list was cut, or a shallow clone begins with this commit.

    In a shallow clone, such a commit need not be the one that made this version.
    """


@dataclass(frozen=True, slots=True)
class Revisions:
    """The newest versions of every page by its path below the folder, the newest first, and all moves."""

    pages: Mapping[str, tuple[PageVersion, ...]]
    renames: tuple[tuple[str, str], ...] = ()
    """From the former path to the new one, the oldest move first."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What a commit did to a file: `(path, blob)` before and after; nothing before for a file that it made."""

    before: tuple[str, str] | None
    after: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Step:
    """A version of a page whose bytes are not read yet; `first` is the one that made the page."""

    version: Version
    path: str
    blob: str
    first: bool


def read_revisions(  # noqa: PLR0913  # the repository's parts, and what is asked of them
    git: GitProcess,
    blobs: Blobs,
    commit: str,
    folder: str,
    *,
    most: int,
    wanted: Callable[[str], bool],
    shallow: frozenset[str],
) -> Revisions:
    """Read the newest `most` versions of the files below a folder whose paths are wanted.

    `folder` is a path from the top without slashes at its ends; `shallow` are the commits whose parents are missing.
    """
    start = f"{folder}/"
    waiting: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for path, entry in list_entries(git, commit, folder).items():
        if entry.regular and wanted(path):
            waiting[path, entry.id].append(path)
    found: dict[str, list[_Step]] = {page: [] for pages in waiting.values() for page in pages}
    renames: list[tuple[str, str]] = []
    for version, rows in _commits(git, commit, folder):
        for row in _below(rows, start, wanted):
            if row.before is not None and row.before[0] != row.after[0]:
                renames.append((row.before[0], row.after[0]))
            for page in waiting.pop(row.after, ()):
                steps = found[page]
                if row.before is None or row.before[1] != row.after[1]:
                    first = row.before is None and version.commit not in shallow
                    steps.append(_Step(version, *row.after, first))
                if row.before is not None and len(steps) < most:
                    waiting[row.before].append(page)
    return Revisions(_read_all(git, blobs, found), tuple(dict.fromkeys(reversed(renames))))


def is_markdown(path: str) -> bool:
    """Whether a path is that of a Markdown file."""
    return path.endswith(".md")


def read_shallow(path: Path) -> frozenset[str]:
    """Read git's list of the commits whose parents a shallow clone left behind."""
    with suppress(FileNotFoundError):
        return frozenset(path.read_bytes().decode("ascii", "replace").split())
    return frozenset()


def _below(rows: Iterable[_Row], start: str, wanted: Callable[[str], bool]) -> Iterator[_Row]:
    """Give the rows of wanted files, with paths below the folder."""
    for row in rows:
        path, blob = row.after
        if not (path.startswith(start) and wanted(path[len(start) :])):
            continue
        before = row.before
        if before is not None:
            former = before[0][len(start) :]
            known = before[0].startswith(start) and wanted(former)
            before = (former, before[1]) if known else None
        yield _Row(before, (path[len(start) :], blob))


def _read_all(git: GitProcess, blobs: Blobs, found: Mapping[str, list[_Step]]) -> dict[str, tuple[PageVersion, ...]]:
    """Read the bytes of all versions, as far as they are here and small enough, the newest of every page first."""
    sizes = _sizes(git, list(dict.fromkeys(step.blob for steps in found.values() for step in steps)))
    kept = dict.fromkeys(found, 0)
    chosen: dict[str, None] = {}
    left = MOST_BYTES
    for number in range(max(map(len, found.values()), default=0)):
        for page, steps in found.items():
            if number >= len(steps) or kept[page] < number:
                continue
            blob = steps[number].blob
            size = 0 if blob in chosen else sizes.get(blob, LARGEST_BLOB + 1)
            if size <= min(LARGEST_BLOB, left):
                left -= size
                chosen[blob] = None
                kept[page] = number + 1
    raws = dict(zip(chosen, blobs.read(list(chosen)), strict=True))
    return {
        page: tuple(
            PageVersion(step.version, step.path, raws[step.blob], number == kept[page] and not step.first)
            for number, step in enumerate(steps[: kept[page]], 1)
        )
        for page, steps in found.items()
        if kept[page]
    }


def _sizes(git: GitProcess, ids: list[str]) -> dict[str, int]:
    """Tell the sizes of the objects that are here: a clone may lack some, and is then read as far as it goes."""
    if not ids:
        return {}
    told = git.run("cat-file", "--batch-check", stdin="".join(f"{one}\n" for one in ids).encode("ascii"))
    rows = (line.split() for line in told.splitlines())
    return {row[0].decode("ascii"): int(row[2]) for row in rows if row[1:2] == [b"blob"]}


def _commits(git: GitProcess, commit: str, folder: str) -> Iterator[tuple[Version, list[_Row]]]:
    """Tell the commits that changed something below a folder, children before parents, and what each of them did."""
    form = "--format=" + "%x00".join(FIELDS)
    how = ("-z", "-c", "--combined-all-paths", "--raw", "--no-abbrev", _LIKE, _MOST_MOVED, "--topo-order")
    plain = ("--no-show-signature", "--encoding=UTF-8", "--no-color", "--no-relative", "--ignore-submodules=none")
    command = ("-c", "log.showRoot=true", "log", *how, *plain, form, commit, "--", folder)
    tokens = _tokens(git, command)
    head = next(tokens, b"")
    while head:
        values = (head, *(next(tokens, b"") for _ in FIELDS[1:]))
        rows: list[_Row] = []
        # A line feed stands before what a commit did, and a NUL before what a merge did.
        head = next(tokens, b"").lstrip(b"\n") or next(tokens, b"")
        while head.startswith(b":"):
            rows += _row(head, tokens)
            head = next(tokens, b"")
        yield _version(*(value.decode("utf-8", "replace") for value in values)), rows


def _row(told: bytes, tokens: Iterator[bytes]) -> list[_Row]:
    """Read one entry: a mode and an id for each parent and the commit, what was done, and the paths.

    A merge names a path for each parent, too; any other commit names two for a file that was moved. What is no plain
    file counts as absent, and so does what has a name that is not UTF-8.
    """
    fields = told.lstrip(b":").decode("ascii").split(" ")
    parents = len(told) - len(told.lstrip(b":"))
    moved = fields[-1][:1] in {"R", "C"}
    names = [next(tokens, b"") for _ in range(parents + 1 if parents > 1 else 1 + moved)]
    modes, ids = fields[: parents + 1], fields[parents + 1 : -1]
    ends = [*(names[:-1] if len(names) > 1 else names), names[-1]]
    files = [_file(*one) for one in zip(modes, ids, ends, strict=True)]
    after = files[-1]
    return [] if after is None else [_Row(next(filter(None, files[:-1]), None), after)]


def _file(mode: str, blob: str, name: bytes) -> tuple[str, str] | None:
    if mode not in REGULAR:
        return None
    try:
        return name.decode("utf-8"), blob
    except UnicodeDecodeError:
        return None


def _version(  # noqa: PLR0913, PLR0917  # the fields of a row, in their order
    commit: str, seconds: str, subject: str, author: str, session: str, observations: str, model: str
) -> Version:
    told = (" ".join(one.split()) for one in (subject, author, session, observations, model))
    return Version(commit, moment(seconds), *told)


def _tokens(git: GitProcess, command: tuple[str, ...]) -> Iterator[bytes]:
    """Give what a command writes between NULs, as it writes it: a long history never stands in memory as a whole."""
    with git.start(*command) as process:
        source, complaints = process.stdout, process.stderr
        try:
            if source is not None:
                yield from _split(source)
            complaint = complaints.read() if complaints is not None else b""
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        answer = Answer(process.returncode, b"", complaint.decode("utf-8", "replace"))
        raise explain(("log",), answer, git.folder)


def _split(source: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := source.read(_CHUNK):
        parts = (rest + chunk).split(b"\0")
        rest = parts.pop()
        yield from parts
    if rest:
        yield rest
