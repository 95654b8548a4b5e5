"""What one job hands to another: taken over as it was told, or refused with a word on what to do."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pipeline.config import Settings
from pipeline.errors import GitError, StoreError, WikimillError
from pipeline.finding import Finding
from pipeline.git import Content, NewCommit, open_repository
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposing import handing
from pipeline.proposing.handing import BUNDLE, FOLDER, REPORT, SEEN, Seen, hand_over, take_over
from pipeline.report import Report
from tests.repositories import AT, Ground, new_ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.git import Repository

REPORTED = Report("extractive", prompt_version="p")
SCRUB = make_redactor(Settings().redaction).scrub


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_ground(tmp_path / "repo")


@pytest.fixture
def repository(ground: Ground) -> Iterator[Repository]:
    with open_repository(ground.root, ground.environment) as found:
        yield found


def seen_at(repository: Repository, **fields: object) -> Seen:
    """Make a commit over main, and say that it is to be proposed."""
    base = repository.tip("main") or ""
    (tip,) = repository.build_chain(base, (NewCommit({"wiki/a.md": Content(b"a")}, "a\n"),), at=AT)
    return Seen(**{"base_tip": base, "branch": "wikimill/consolidate", "head": "", "number": 0, "tip": tip, **fields})  # type: ignore[arg-type]  # as told


def test_a_secret_in_the_report_goes_no_further(ground: Ground, repository: Repository) -> None:
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # it opens nothing
    told = Finding(f"acme/{secret}.md", "note", "warning", f"the token is {secret}", f"Use {secret}.")
    hand_over(ground.root, repository, seen_at(repository), replace(REPORTED, findings=(told,), branch=secret))
    _, report = take_over(ground.root, repository, SCRUB)
    assert secret not in str(report)
    assert (report.findings[0].rule, "[REDACTED" in report.findings[0].message) == ("note", True)


def test_it_arrives_as_it_was_handed_over(ground: Ground, repository: Repository) -> None:
    seen = seen_at(
        repository,
        head="a" * 40,
        number=7,
        rebase=True,
        ticked=("rebase", "acme/ü.md"),
        suppressed_by=(3, 5),
        declined_pages=("acme/b.md",),
        verified_pages=("acme/c.md",),
    )
    hand_over(ground.root, repository, seen, REPORTED)
    assert take_over(ground.root, repository, SCRUB) == (seen, REPORTED)
    assert ground.tip("refs/wikimill/handed") == seen.tip


def test_another_clone_gets_the_commits(ground: Ground, repository: Repository, tmp_path: Path) -> None:
    seen = seen_at(repository)
    hand_over(ground.root, repository, seen, REPORTED)
    other = Ground(tmp_path / "other", ground.environment)
    ground.git("clone", "-q", str(ground.root), str(other.root))
    (other.root / FOLDER).parent.mkdir()
    (ground.root / FOLDER).rename(other.root / FOLDER)
    with open_repository(other.root, other.environment) as there:
        assert take_over(other.root, there, SCRUB) == (seen, REPORTED)
    assert other.files(seen.tip) == {"a.md": b"a"}


@pytest.mark.parametrize("fields", [{"hands_off": True}, {"tip": ""}], ids=["hands off", "nothing new"])
def test_where_there_is_nothing_to_push_there_are_no_commits(
    ground: Ground, repository: Repository, fields: dict[str, object]
) -> None:
    hand_over(ground.root, repository, seen_at(repository), REPORTED)
    told = {"tip": repository.tip("main")} if "tip" in fields else fields
    seen = seen_at(repository, **told)
    hand_over(ground.root, repository, seen, REPORTED)
    assert not (ground.root / FOLDER / BUNDLE).exists(), "an older one goes"
    assert take_over(ground.root, repository, SCRUB) == (seen, REPORTED)


def change(ground: Ground, name: str, **fields: object) -> None:
    place = ground.root / FOLDER / name
    place.write_text(json.dumps({**json.loads(place.read_bytes()), **fields}), encoding="utf-8")


@pytest.mark.parametrize(
    "fields",
    [
        {"base_tip": "main"},
        {"base_tip": "a" * 39},
        {"base_tip": "A" * 40},
        {"base_tip": "--upload-pack=x"},
        {"head": None},
        {"head": "main"},
        {"tip": ""},
        {"tip": 7},
        {"number": -1},
        {"number": True},
        {"number": "7"},
        {"number": 1.0},
        {"branch": ["a"]},
        {"branch": "\ud800"},
        {"ticked": "rebase"},
        {"ticked": [1]},
        {"declined_pages": ["\udfff"]},
        {"suppressed_by": [None]},
        {"verified_pages": {"a": 1}},
        {"version": 2},
        {"version": "1"},
        {"version": None},
    ],
    ids=str,
)
def test_a_damaged_value_is_refused(ground: Ground, repository: Repository, fields: dict[str, object]) -> None:
    hand_over(ground.root, repository, seen_at(repository), REPORTED)
    change(ground, SEEN, **fields)
    with pytest.raises(StoreError, match=r"seen\.json: is (damaged|not what this version)"):
        take_over(ground.root, repository, SCRUB)


@pytest.mark.parametrize("name", [SEEN, REPORT])
@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not"),
        (b"[]", "is not"),
        (b"null", "is not"),
        (b'{"schema_version": 99, "version": 99}', "is not"),
        (b"[" * 100_000, "is not"),
        (b"1" * 10_000, "is not JSON"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:30]),
)
def test_a_damaged_file_is_refused(ground: Ground, repository: Repository, name: str, raw: bytes, told: str) -> None:
    hand_over(ground.root, repository, seen_at(repository), REPORTED)
    (ground.root / FOLDER / name).write_bytes(raw)
    with pytest.raises(StoreError, match=told) as caught:
        take_over(ground.root, repository, SCRUB)
    assert caught.value.where == f"{FOLDER}/{name}"
    assert "run --prepare" in caught.value.next_step


def test_a_huge_file_is_refused(ground: Ground, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_over(ground.root, repository, seen_at(repository), REPORTED)
    monkeypatch.setattr(handing, "MOST_BUNDLE_BYTES", 100)
    with pytest.raises(GitError, match="more than 100 bytes"):
        take_over(ground.root, repository, SCRUB)
    monkeypatch.setattr(handing, "MOST_JSON_BYTES", 100)
    with pytest.raises(StoreError, match="is too large"):
        take_over(ground.root, repository, SCRUB)


@pytest.mark.parametrize("name", [SEEN, REPORT, BUNDLE])
def test_what_is_missing_is_named(ground: Ground, repository: Repository, name: str) -> None:
    with pytest.raises(StoreError, match="is missing: there is nothing to propose"):
        take_over(ground.root, repository, SCRUB)
    hand_over(ground.root, repository, seen_at(repository), REPORTED)
    (ground.root / FOLDER / name).unlink()
    with pytest.raises(WikimillError) as caught:
        take_over(ground.root, repository, SCRUB)
    assert caught.value.where.endswith(name)


def test_a_folder_or_a_device_is_no_file(ground: Ground, repository: Repository) -> None:
    hand_over(ground.root, repository, seen_at(repository), REPORTED)
    place = ground.root / FOLDER / SEEN
    place.unlink()
    place.mkdir()
    with pytest.raises(StoreError, match="is no file"):
        take_over(ground.root, repository, SCRUB)
    place.rmdir()
    place.symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="is no file"):
        take_over(ground.root, repository, SCRUB)


def test_other_commits_than_were_told_are_refused(ground: Ground, repository: Repository) -> None:
    first = seen_at(repository)
    hand_over(ground.root, repository, first, REPORTED)
    change(ground, SEEN, tip="b" * 40)
    with pytest.raises(StoreError, match="holds other commits than the run told"):
        take_over(ground.root, repository, SCRUB)
    (ground.root / FOLDER / BUNDLE).write_bytes(b"# v2 git bundle\n")
    with pytest.raises(GitError, match="is not taken"):
        take_over(ground.root, repository, SCRUB)


def test_a_disk_that_takes_nothing_is_told(ground: Ground, repository: Repository) -> None:
    ground.write(".wikimill", "no folder\n")
    with pytest.raises(StoreError, match="cannot be written"):
        hand_over(ground.root, repository, seen_at(repository), REPORTED)
    with pytest.raises(StoreError, match="cannot be read"):
        take_over(ground.root, repository, SCRUB)
