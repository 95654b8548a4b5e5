"""Owns the story of a new wiki repository: files from the package, one observation, git; nothing is overwritten.

Knows no command line. What stands already stays as it is, so that the story can be told twice.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from pipeline import __version__
from pipeline.config import FILE_NAME, Settings, parse_settings, read_settings
from pipeline.errors import ConfigError, StoreError
from pipeline.git import Content, open_repository
from pipeline.git.process import GitProcess, explain
from pipeline.reading.template import site_files
from pipeline.templates import shipped_prompts
from pipeline.wiki.slugs import slugify

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from importlib.resources.abc import Traversable
    from pathlib import Path

ENDINGS = (".jsonl", ".jsonl.gz")

SAMPLE = "start.jsonl"

RENAMED = {
    "gitattributes": ".gitattributes",
    "gitignore": ".gitignore",
    "github": ".github",
    "gitlab-ci.yml": ".gitlab-ci.yml",
}
"""Names that would mean something to git, GitHub and GitLab where the templates stand; these are their real ones."""

CiName = Literal["github", "gitlab", "both", "none"]

HOSTS: dict[CiName, tuple[str, ...]] = {
    "github": ("github",),
    "gitlab": ("gitlab",),
    "both": ("github", "gitlab"),
    "none": (),
}
"""The hosts whose CI gets files, by what was chosen."""

CI_FILES = {".github/": ("github",), ".gitlab-ci.yml": ("gitlab",), "requirements-wikimill.txt": ("github", "gitlab")}
"""The hosts that need a file which nobody else needs, by how its path begins."""


@dataclass(frozen=True, slots=True)
class Started:
    """A wiki repository that is ready: `created` and `kept` are paths below its folder, with `/`."""

    folder: str
    created: tuple[str, ...]
    kept: tuple[str, ...]
    """Files that stood there already and were left alone."""
    copied: int
    """Observation files that were copied in."""
    repository: Literal["created", "found", "none"]
    """Whether the folder became a repository (with a first commit), belongs to one already, or is to be none."""


def start(
    folder: Path,
    *,
    now: datetime,
    observations: Path | None = None,
    use_git: bool = True,
    ci: CiName = "github",
) -> Started:
    """Make `folder` a wiki repository; with `observations`, copy the observation files of that file or folder in.

    `ci` names the host whose CI is to check, consolidate and publish.
    """
    folder = folder.resolve()  # so that `.` has a name
    if folder.exists() and not folder.is_dir():
        raise ConfigError("is a file.", where=str(folder), next_step="Name a folder.")
    sources = dict(find_observations(observations)) if observations is not None else {}
    new = dict(starting_files(folder.name or "wiki", ci))
    settings = read_settings(folder) if (folder / FILE_NAME).is_file() else parse_settings(new[FILE_NAME].decode())
    home = folder / settings.wiki.observations
    if not sources and not any(find_observations(home, must_exist=False)):
        new[f"{settings.wiki.observations}/{SAMPLE}"] = sample_observation(folder.name, settings, now)
    _make_folder(folder)
    # The repository first: where git is missing, nothing was written.
    repository = _ensure_repository(folder) if use_git else "none"
    written = {path: _write_new(folder / path, content) for path, content in sorted(new.items())}
    copied = {
        f"{settings.wiki.observations}/{path}": _copy_new(home / path, source) for path, source in sources.items()
    }
    every = {**written, **copied}
    created = tuple(sorted(path for path, is_new in every.items() if is_new))
    if repository == "created":
        _commit_all(folder, created, now)
    return Started(
        folder=str(folder),
        created=created,
        kept=tuple(sorted(path for path, is_new in every.items() if not is_new)),
        copied=sum(copied.values()),
        repository=repository,
    )


def starting_files(name: str, ci: CiName) -> Iterator[tuple[str, bytes]]:
    """Give every file of a new wiki named `name`: path below its folder and content."""
    project = slugify(name) if any(map(str.isalnum, name)) else "default"
    fill = {"{name}": name, "{project}": project, "{version}": __version__}
    shipped, hosts = files("pipeline") / "shipped", HOSTS[ci]
    for path, raw in _walk(shipped / "start"):
        if not _is_wanted(path, hosts):
            continue
        text = raw.decode()
        if path == "README.md":
            text += "".join((shipped / "ci" / f"{host}.md").read_text(encoding="utf-8") for host in hosts)
        if path in {FILE_NAME, "README.md", "requirements-wikimill.txt"}:
            for mark, value in fill.items():
                text = text.replace(mark, value)
        yield path, text.encode()
    yield from site_files(name).items()
    for file, content in shipped_prompts().items():
        yield f"prompts/{file}", content


def _is_wanted(path: str, hosts: tuple[str, ...]) -> bool:
    needed_by = [those for start, those in CI_FILES.items() if path.startswith(start)]
    return not needed_by or not set(hosts).isdisjoint(needed_by[0])


def sample_observation(name: str, settings: Settings, now: datetime) -> bytes:
    """Make the first observation of a wiki: a decision about the wiki itself, with its reason."""
    values: Mapping[str, str | int | list[str]] = {
        "ts": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "session_id": "start",
        "project": settings.wiki.default_project,
        "agent_kind": "human",
        "role": "user",
        "kind": "decision",
        "title": f"Keep what {name} learns in a wiki made from observations",
        "body": (
            f"We decided to keep what we learn about {name} in a wiki that wikimill makes from observation files, "
            "because every statement then cites the observation that it rests on, and git keeps every version of "
            "every page."
        ),
        "importance": 7,
        "tags": ["wiki"],
    }
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


def find_observations(place: Path, *, must_exist: bool = True) -> Iterator[tuple[str, Path]]:
    """Give every observation file at or below `place`: path to keep, with `/`, and file."""
    if place.is_file() and place.name.endswith(ENDINGS):
        yield place.name, place
        return
    found = sorted(path for path in place.rglob("*") if path.name.endswith(ENDINGS) and path.is_file())
    if not found and must_exist:
        raise ConfigError(
            "there are no observation files (*.jsonl, *.jsonl.gz).", where=str(place), next_step="Correct the path."
        )
    for path in found:
        yield path.relative_to(place).as_posix(), path


def _walk(place: Traversable, above: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
        path = f"{above}{RENAMED.get(entry.name, entry.name)}"
        if entry.is_dir():
            yield from _walk(entry, f"{path}/")
        else:
            yield path, entry.read_bytes()


def _write_new(path: Path, content: bytes) -> bool:
    """Write a file where none stands, and tell whether it is new."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            stream.write(content)
    except FileExistsError:
        return False
    except OSError as fault:
        raise StoreError(f"cannot be written: {fault.strerror}.", where=str(path)) from None
    return True


def _copy_new(path: Path, source: Path) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as given, path.open("xb") as stream:
            shutil.copyfileobj(given, stream)
    except FileExistsError:
        return False
    except OSError as fault:
        raise StoreError(f"cannot be copied: {fault.strerror}.", where=str(source)) from None
    return True


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise StoreError(f"cannot be made: {fault.strerror}.", where=str(folder)) from None


def _ensure_repository(folder: Path) -> Literal["created", "found"]:
    """Make a repository unless the folder belongs to one that does not ignore it."""
    git = GitProcess(folder)
    inside = git.ask("rev-parse", "--show-prefix")
    if inside.code and "not a git repository" not in inside.complaint:
        raise explain(("rev-parse",), inside, folder)
    at_its_top = not inside.out.strip()
    if not inside.code and (at_its_top or not _is_ignored(folder)):
        return "found"
    chosen = git.ask("config", "--get", "init.defaultBranch").out.strip()
    git.run("init", "--quiet", *(() if chosen else ("--initial-branch=main",)))
    return "created"


def _is_ignored(folder: Path) -> bool:
    # Not `git check-ignore`, which refuses to take paths literally.
    asked = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", folder.name)
    ignored = GitProcess(folder.parent).ask(*asked).out.decode("utf-8", "surrogateescape").split("\0")
    return f"{folder.name}/" in ignored or "./" in ignored


def _commit_all(folder: Path, paths: tuple[str, ...], now: datetime) -> None:
    """Commit the files of a repository that was just made, so that its owner begins with nothing left to commit."""
    with open_repository(folder) as repository:
        changes = {path: Content((folder / path).read_bytes()) for path in paths}
        commit = repository.build(None, changes, message="Start a wiki with wikimill init\n", at=now)
        repository.move(repository.branch(), commit, None, reason="wikimill init")
    GitProcess(folder).run("reset", "--quiet")
