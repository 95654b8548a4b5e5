"""Owns how commits are made: as objects, from bytes in memory; no file, index or branch is touched.

Everything goes through one `git fast-import`, a chain of many commits too. The stream ends by dropping the only
reference it names, so that none is ever written, and nothing is left behind when the process is killed but
objects that git cleans up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import GitError
from pipeline.git.process import explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from pipeline.git.process import GitProcess

REFERENCE = "refs/wikimill/landing"
"""Exists inside `git fast-import` only."""

FALLBACK = ("wikimill", "wikimill@localhost")
"""Whose name a commit bears where git knows none."""

NOT_IN_A_NAME = re.compile(r"[\x00-\x1f\x7f<>]+")


@dataclass(frozen=True, slots=True)
class Content:
    """What a path is to hold: bytes, and the mode that it has already or 100644."""

    raw: bytes
    mode: str = "100644"


@dataclass(frozen=True, slots=True)
class NewCommit:
    """What a commit changes, and its message. Paths are those from the top; nothing stands for a path that goes."""

    changes: Mapping[str, Content | None]
    message: str
    at: datetime | None = None
    """When it was made; without it, when the chain is."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A name and an address, as they stand in a commit."""

    name: str
    address: str

    def at(self, moment: datetime) -> bytes:
        """Render them with a moment, in UTC."""
        return f"{self.name} <{self.address}> {int(moment.timestamp())} +0000".encode()


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is named as author and as committer."""

    author: Signature
    committer: Signature


def read_identity(git: GitProcess) -> Identity:
    """Tell whom git would name, by environment or configuration; without name and address, wikimill signs."""
    answer = git.ask("config", "-z", "--get-regexp", r"^(user|author|committer)\.(name|email)$")
    pairs = (record.partition("\n") for record in answer.out.decode("utf-8", "replace").split("\0") if record)
    values = {key: NOT_IN_A_NAME.sub(" ", value).strip() for key, _, value in pairs}

    def signature(role: str) -> Signature:
        name, address = (
            NOT_IN_A_NAME.sub(" ", git.environment.get(f"GIT_{role}_{key}".upper(), "")).strip()
            or values.get(f"{role}.{key}")
            or values.get(f"user.{key}", "")
            for key in ("name", "email")
        )
        return Signature(name, address) if name and address else Signature(*FALLBACK)

    return Identity(signature("author"), signature("committer"))


def read_user_name(git: GitProcess) -> str:
    """Tell the name in git's configuration, on one line; empty where there is none."""
    answer = git.ask("config", "--get", "user.name")
    return "" if answer.code else NOT_IN_A_NAME.sub(" ", answer.out.decode("utf-8", "replace")).strip()


def build_commits(  # noqa: PLR0913  # what a chain of commits consists of
    git: GitProcess,
    *,
    parent: str | None,
    chain: Sequence[NewCommit],
    identity: Identity,
    at: datetime,
    zero: str,
) -> tuple[str, ...]:
    """Make commits, the first over `parent` and each other over the one before it; give their ids."""
    stream = b"".join(_stream(parent, chain, identity, at, zero))
    answer = git.ask("fast-import", "--quiet", "--done", "--date-format=raw", stdin=stream)
    made = tuple(answer.out.decode("ascii", "replace").split())
    if answer.code or [len(one) for one in made] != [len(zero)] * len(chain):
        error = explain(("fast-import",), answer, git.folder)
        error.next_step = error.next_step or "The branch is as it was."
        raise error
    return made


def _stream(
    parent: str | None, chain: Sequence[NewCommit], identity: Identity, at: datetime, zero: str
) -> Iterable[bytes]:
    yield b"feature done\n"
    start = parent
    for number, commit in enumerate(chain, start=1):
        yield f"commit {REFERENCE}\nmark :{number}\n".encode()
        yield b"author " + identity.author.at(commit.at or at) + b"\n"
        yield b"committer " + identity.committer.at(commit.at or at) + b"\n"
        message = commit.message.encode("utf-8", "replace")
        yield b"data %d\n%s\n" % (len(message), message)
        if start:
            yield f"from {start}\n".encode()
        yield from _stream_changes(commit.changes)
        yield f"\nget-mark :{number}\n".encode()
        start = f":{number}"
    yield f"reset {REFERENCE}\nfrom {zero}\n\ndone\n".encode()


def _stream_changes(changes: Mapping[str, Content | None]) -> Iterable[bytes]:
    for path, content in changes.items():
        if content is None:
            yield b"D " + quote_path(path) + b"\n"
        else:
            yield f"M {content.mode} inline ".encode() + quote_path(path) + b"\n"
            yield b"data %d\n%s\n" % (len(content.raw), content.raw)


def quote_path(path: str) -> bytes:
    """Write a path so that git reads it back byte for byte, whatever stands in it."""
    if "\0" in path:
        raise GitError("a path must not hold a NUL character.")
    inner = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{inner}"'.encode("utf-8", "surrogateescape")
