"""Owns where the parts of a repository stand; knows nothing of what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import GitError

if TYPE_CHECKING:
    from pipeline.git.process import GitProcess


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a repository stand; `prefix` leads from the top to the folder that was opened."""

    top: Path
    git_dir: Path
    common_dir: Path
    prefix: str
    shallow: bool
    """Whether it held a part of the history only when it was opened; `Repository.is_shallow` looks anew."""
    zero: str
    """The id of nothing: 40 zeros, or 64 in a repository of SHA-256."""


def read_places(git: GitProcess) -> Places:
    """Ask git where things are."""
    asked = (
        "--is-shallow-repository",
        "--show-object-format",
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-toplevel",
        "--show-prefix",
    )
    lines = git.run("rev-parse", *asked).decode("utf-8", "surrogateescape").split("\n")
    if len(lines) != len(asked) + 1:
        raise GitError("the path of the repository holds a line break.", where=str(git.folder))
    shallow, form, git_dir, common_dir, top, prefix = lines[:-1]
    return Places(
        top=Path(top),
        git_dir=Path(git_dir),
        common_dir=(git.folder / common_dir).resolve(),
        prefix=prefix,
        shallow=shallow == "true",
        zero="0" * (64 if form == "sha256" else 40),
    )
