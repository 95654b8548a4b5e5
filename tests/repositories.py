"""Real repositories for tests: made in a temporary folder, and deaf to the configuration of the machine."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


def quiet_environment(home: Path) -> dict[str, str]:
    """Give what git needs to run, and nothing of whoever runs the tests."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }


@dataclass
class Ground:
    """A work tree, and the git commands that a person would give in it."""

    root: Path
    environment: dict[str, str] = field(repr=False)

    def git(self, *arguments: str, stdin: bytes = b"", fails: bool = False) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=self.environment, input=stdin, capture_output=True, check=False
        )
        assert bool(done.returncode) == fails, (arguments, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str | bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def commit(self, message: str = "by a person", **files: str) -> str:
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.tip()

    def tip(self, name: str = "HEAD") -> str:
        return self.git("rev-parse", name).strip()

    def status(self) -> list[str]:
        return [line for line in self.git("status", "--porcelain", "-z", "--untracked-files=all").split("\0") if line]

    def files(self, commit: str = "HEAD", folder: str = "wiki") -> dict[str, bytes]:
        """Read every file below a folder at a commit."""
        rows = [row for row in self.git("ls-tree", "-r", "-z", commit, "--", f"{folder}/").split("\0") if row]
        wanted = {row.partition("\t")[2].removeprefix(f"{folder}/"): row.split()[2] for row in rows}
        stdin = "".join(f"{name}\n" for name in wanted.values()).encode()
        rest, found = self.git("cat-file", "--batch", stdin=stdin).encode("utf-8", "surrogateescape"), {}
        for path in wanted:
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[2])
            found[path], rest = rest[:size], rest[size + 1 :]
        return found

    def on_disk(self, folder: str = "wiki") -> dict[str, bytes]:
        home = self.root / folder
        return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()}

    def is_sound(self) -> bool:
        return not self.git("fsck", "--strict", "--no-dangling").strip()


def empty_ground(place: Path, *options: str) -> Ground:
    """Make a repository without a commit."""
    place.mkdir(parents=True, exist_ok=True)
    ground = Ground(place, quiet_environment(place.parent / f"{place.name}-home"))
    ground.git("init", "-q", "-b", "main", *options)
    ground.git("config", "user.name", "Dana")
    ground.git("config", "user.email", "dana@example.org")
    return ground


def new_ground(place: Path, *options: str) -> Ground:
    """Make a repository with one commit, of a file outside the wiki."""
    ground = empty_ground(place, *options)
    ground.write("code.py", "print(1)\n")
    ground.commit("the beginning")
    return ground
