"""Owns handing commits from one clone to another as a file, git's bundle, and the distrust with which it is read.

A bundle holds one reference and what it adds to a commit that both clones have. Whoever reads it takes nothing from
it but objects: each is checked, and all that they need must be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import GitError, StoreError
from pipeline.git.branches import OURS, find_commit, is_id, need_commit, set_reference
from pipeline.git.process import explain, first_line
from pipeline.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.git.process import GitProcess

HANDED = f"{OURS}handed"
"""The one reference in a bundle, and the one that keeps what was read."""

SIZE_LIMIT = 64 * 2**20
"""Bytes that a bundle, and each object in it once unpacked, may have unless told otherwise; a wiki's are far fewer."""

HEADER_LIMIT = 2**16
"""Bytes: two short lines and a commit's subject."""

SIGNATURES = (b"# v2 git bundle", b"# v3 git bundle")

TOLD = 200
"""Characters of git's complaint that are told: it may name what somebody else wrote."""


def write_bundle(git: GitProcess, path: Path, *, base: str, head: str) -> None:
    """Write what `head` adds to `base`, which it must go on from; with nothing between them there is no bundle."""
    start, end = need_commit(git, base), need_commit(git, head)
    if start == end:
        raise GitError("there is nothing to hand over: no commit was made.", where=end[:12])
    if git.ask("merge-base", "--is-ancestor", start, end).code:
        raise GitError(f"{end[:12]} does not go on from {start[:12]}, so it cannot be handed over.", where=str(path))
    place = path.absolute()
    set_reference(git, HANDED, end)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        git.run("bundle", "create", "--quiet", str(place), HANDED, f"^{start}")
    except OSError as fault:
        raise StoreError(f"cannot be written: {fault.strerror}.", where=str(path)) from None
    finally:
        set_reference(git, HANDED, None)


def read_bundle(git: GitProcess, path: Path, *, limit: int = SIZE_LIMIT) -> str:
    """Take the commits of a bundle in, let `refs/wikimill/handed` name the last, and give its id.

    Refused are a file of more than `limit` bytes, one that holds anything but this one reference, or needs commits
    that are not here, and objects that are malformed or unpack to more than `limit` bytes. No branch moves.
    """
    raw = _read_file(path, limit)
    needed, commit, start = _read_header(raw, path)
    missing = [one for one in needed if find_commit(git, one) is None]
    if missing:
        raise GitError(
            f"needs the commit {missing[0][:12]}, which is not here.",
            where=str(path),
            next_step="Fetch the branch that it was made for, then run again.",
        )
    command = ("index-pack", "--stdin", "--fix-thin", "--strict", f"--max-input-size={limit}")
    answer = git.ask(*command, stdin=raw[start:])
    if answer.code:
        if any(sign in answer.complaint for sign in ("No space left", "Permission denied", "Read-only file system")):
            raise explain(command, answer, git.folder)
        raise _refused(path, one_line(first_line(answer.complaint), TOLD))
    answer = git.ask("rev-list", "--objects", "--no-object-names", commit, "--not", "--all")
    if answer.code or find_commit(git, commit) != commit:
        raise _refused(path, "what it holds is not complete")
    sizes = git.run("cat-file", "--batch-check=%(objectsize)", stdin=answer.out).split()
    if max(map(int, sizes), default=0) > limit:
        raise _refused(path, f"something in it unpacks to more than {limit} bytes")
    set_reference(git, HANDED, commit)
    return commit


def _read_file(path: Path, limit: int) -> bytes:
    try:
        if path.is_symlink() or not path.is_file():
            raise _refused(path, "it is no file")
        with path.open("rb") as source:
            raw = source.read(limit + 1)
    except OSError as fault:
        raise StoreError(f"cannot be read: {fault.strerror}.", where=str(path)) from None
    if len(raw) > limit:
        raise _refused(path, f"it has more than {limit} bytes")
    return raw


def _read_header(raw: bytes, path: Path) -> tuple[list[str], str, int]:
    """Give the commits that a bundle needs, the one that it brings, and where its objects start."""
    head, blank, _ = raw[:HEADER_LIMIT].partition(b"\n\n")
    signature, *lines = head.split(b"\n")
    if signature not in SIGNATURES or not blank:
        raise _refused(path, "it is no bundle of git")
    told = [line.decode("utf-8", "replace") for line in lines]
    needed = [line[1:].partition(" ")[0] for line in told if line.startswith("-")]
    brought = [line.partition(" ") for line in told if not line.startswith(("-", "@object-format="))]
    if len(brought) != 1 or brought[0][2] != HANDED or not all(map(is_id, (*needed, brought[0][0]))):
        raise _refused(path, f"it holds something else than {HANDED}")
    return needed, brought[0][0], len(head) + len(blank)


def _refused(path: Path, why: str) -> GitError:
    return GitError(
        f"is not taken: {why}.",
        where=str(path),
        next_step="It was not written by wikimill, or changed on the way: run the job that makes it again.",
    )
