"""A new wiki repository is whole, works with git as it is found, and takes nothing from what stood there."""

from __future__ import annotations

import gzip
import json
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline import __version__
from pipeline.config import read_settings
from pipeline.errors import ConfigError, GitError, StoreError
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.starting import start

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.starting import CiName

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)

EXPECTED = {
    ".github/dependabot.yml",
    ".github/workflows/check.yml",
    ".github/workflows/consolidate.yml",
    ".github/workflows/publish.yml",
    ".gitattributes",
    ".gitignore",
    "README.md",
    "mkdocs.yml",
    "observations/start.jsonl",
    "prompts/batch_consolidate_system.md",
    "prompts/single_consolidate_system.md",
    "requirements-wikimill.txt",
    "site/overrides/main.html",
    "wikimill.toml",
}


@pytest.fixture(autouse=True)
def nobodys_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git find no configuration of a person and no repository around the test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Dana", "-c", "user.email=dana@example.org")
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True).stdout.decode()


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def test_a_new_folder_becomes_a_whole_repository(tmp_path: Path) -> None:
    started = start(tmp_path / "Team Wiki", now=NOW)
    written = files(tmp_path / "Team Wiki")
    assert set(started.created) == set(written) >= EXPECTED
    assert (started.kept, started.copied, started.repository) == ((), 0, "created")


GITHUB = {path for path in EXPECTED if path.startswith(".github/")}
GITLAB = {".gitlab-ci.yml"}
VERSION = {"requirements-wikimill.txt"}


@pytest.mark.parametrize(
    ("ci", "given", "chapters"),
    [
        ("github", GITHUB | VERSION, ["## On GitHub"]),
        ("gitlab", GITLAB | VERSION, ["## On GitLab"]),
        ("both", GITHUB | GITLAB | VERSION, ["## On GitHub", "## On GitLab"]),
        ("none", set(), []),
    ],
)
def test_each_host_gets_its_own_files_and_no_others(
    tmp_path: Path, ci: CiName, given: set[str], chapters: list[str]
) -> None:
    created = set(start(tmp_path / "demo", now=NOW, use_git=False, ci=ci).created)
    assert created & (GITHUB | GITLAB | VERSION) == given
    assert created - given == set(files(tmp_path / "demo")) - given >= EXPECTED - GITHUB - VERSION
    readme = (tmp_path / "demo" / "README.md").read_text(encoding="utf-8")
    assert [line for line in readme.splitlines() if line.startswith("## ")] == chapters


def test_what_ci_installs_is_the_version_that_wrote_it(tmp_path: Path) -> None:
    start(tmp_path / "demo", now=NOW, use_git=False)
    wanted = (tmp_path / "demo" / "requirements-wikimill.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in wanted if not line.startswith("#")] == [f"wikimill=={__version__}"]


def test_a_new_repository_has_one_commit_and_nothing_left_to_commit(tmp_path: Path) -> None:
    start(tmp_path / "demo", now=NOW)
    assert (
        git(tmp_path / "demo", "log", "--format=%s %cI")
        == "Start a wiki with wikimill init 2026-11-30T08:00:00+00:00\n"
    )
    assert git(tmp_path / "demo", "status", "--porcelain") == ""
    assert git(tmp_path / "demo", "branch", "--show-current") == "main\n"


def test_observations_keep_their_bytes_where_git_changes_line_ends(tmp_path: Path) -> None:
    start(tmp_path / "demo", now=NOW)
    git(tmp_path, "clone", "--quiet", "-c", "core.autocrlf=true", "demo", "copy")
    assert (tmp_path / "copy" / "observations" / "start.jsonl").read_bytes() == (
        tmp_path / "demo" / "observations" / "start.jsonl"
    ).read_bytes()


def test_a_persons_own_name_for_the_first_branch_counts(tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[init]\n\tdefaultBranch = trunk\n", encoding="utf-8")
    start(tmp_path / "demo", now=NOW)
    assert git(tmp_path / "demo", "branch", "--show-current") == "trunk\n"


@pytest.mark.parametrize(
    ("name", "project"),
    [("Team Wiki", "team-wiki"), ("日本語", "日本語"), ("---", "default"), ("{project}", "project"), ('a"b', "a-b")],
)
def test_the_folder_names_the_site_and_the_project(tmp_path: Path, name: str, project: str) -> None:
    start(tmp_path / name, now=NOW, use_git=False)
    assert read_settings(tmp_path / name).wiki.default_project == project
    line = (tmp_path / name / "observations" / "start.jsonl").read_bytes()
    observation = parse_line(line, Place("start.jsonl", 1), default_project="x")
    assert (observation.session.project, observation.kind, observation.ts) == (project, "decision", NOW)
    assert " because " in observation.body
    assert name in observation.title
    site_name = f"site_name: {json.dumps(name, ensure_ascii=False)}\n".encode()
    assert site_name in (tmp_path / name / "mkdocs.yml").read_bytes()


def test_nothing_that_stands_is_overwritten_and_the_second_time_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    (folder / "prompts").mkdir(parents=True)
    (folder / "README.md").write_bytes(b"mine\r\n")
    (folder / "prompts" / "batch_consolidate_system.md").write_bytes(b"my prompt")
    (folder / "wikimill.toml").write_bytes(b'[wiki]\nobservations = "notes"\ndefault_project = "acme"\n')
    first = start(folder, now=NOW)
    assert set(first.kept) == {"README.md", "prompts/batch_consolidate_system.md", "wikimill.toml"}
    assert (folder / "README.md").read_bytes() == b"mine\r\n"
    assert json.loads((folder / "notes" / "start.jsonl").read_bytes())["project"] == "acme"
    before = files(folder)
    second = start(folder, now=NOW)
    assert (second.created, second.repository) == ((), "found")
    assert files(folder) == before


def test_only_what_was_written_is_committed(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "secret.txt").write_bytes(b"mine")
    start(folder, now=NOW)
    assert git(folder, "status", "--porcelain") == "?? secret.txt\n"


def test_a_folder_of_a_repository_stays_in_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "outer")
    started = start(tmp_path / "outer" / "docs", now=NOW)
    assert started.repository == "found"
    assert not (tmp_path / "outer" / "docs" / ".git").exists()
    assert git(tmp_path / "outer", "status", "--porcelain") == "?? docs/\n"


def test_a_folder_that_its_repository_ignores_becomes_one_of_its_own(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "outer")
    (tmp_path / "outer" / ".gitignore").write_text("/demo/\n", encoding="utf-8")
    started = start(tmp_path / "outer" / "demo", now=NOW)
    assert started.repository == "created"
    assert git(tmp_path / "outer" / "demo", "rev-list", "--count", "HEAD") == "1\n"


def test_observation_files_are_copied_in_and_take_the_samples_place(tmp_path: Path) -> None:
    given = tmp_path / "given"
    (given / "acme").mkdir(parents=True)
    (given / "acme" / "day.jsonl").write_bytes(b'{"a": 1}\r\n\xff')
    (given / "old.jsonl.gz").write_bytes(gzip.compress(b"{}\n"))
    (given / "notes.txt").write_bytes(b"no observations")
    started = start(tmp_path / "demo", now=NOW, observations=given)
    copied = {path: raw for path, raw in files(tmp_path / "demo").items() if path.startswith("observations/")}
    assert copied == {
        "observations/acme/day.jsonl": b'{"a": 1}\r\n\xff',
        "observations/old.jsonl.gz": (given / "old.jsonl.gz").read_bytes(),
    }
    assert started.copied == 2


def test_one_observation_file_can_be_copied_in(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(b"{}\n")
    start(tmp_path / "demo", now=NOW, observations=tmp_path / "day.jsonl", use_git=False)
    assert (tmp_path / "demo" / "observations" / "day.jsonl").read_bytes() == b"{}\n"


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_a_place_without_observations_is_told_before_anything_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="there are no observation files"):
        start(tmp_path / "demo", now=NOW, observations=tmp_path / name)
    assert not (tmp_path / "demo").exists()


def test_a_folder_that_holds_observations_gets_no_sample(tmp_path: Path) -> None:
    (tmp_path / "demo" / "observations").mkdir(parents=True)
    (tmp_path / "demo" / "observations" / "day.jsonl").write_bytes(b"{}\n")
    start(tmp_path / "demo", now=NOW, use_git=False)
    assert not (tmp_path / "demo" / "observations" / "start.jsonl").exists()


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "demo").write_bytes(b"")
    with pytest.raises(ConfigError, match="is a file"):
        start(tmp_path / "demo", now=NOW)
    with pytest.raises(StoreError, match="cannot be made"):
        start(tmp_path / "demo" / "inner", now=NOW)


def test_without_git_nothing_is_written_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed"):
        start(tmp_path / "demo", now=NOW)
    assert files(tmp_path / "demo") == {}
    assert start(tmp_path / "demo", now=NOW, use_git=False).repository == "none"
