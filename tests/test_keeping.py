"""Reports of earlier runs on disk: none overwrites another, none leads outside, and a bad one harms only itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline import keeping
from pipeline.errors import StoreError
from pipeline.report import render_json
from tests.report.reports import AT, FULL

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "20261130T080000Z"


def folder(root: Path) -> Path:
    return root / ".wikimill" / "runs"


def names(root: Path) -> set[str]:
    return {place.name for place in folder(root).iterdir()}


def test_a_report_is_found_again_by_its_id_and_as_the_newest(tmp_path: Path) -> None:
    assert keeping.keep(tmp_path, FULL) == FIRST
    later = replace(FULL, started_at=AT + timedelta(days=1), branch="later")
    assert keeping.keep(tmp_path, later) == "20261201T080000Z"
    assert keeping.list_runs(tmp_path) == ("20261201T080000Z", FIRST)
    assert keeping.read(tmp_path, FIRST) == replace(FULL, id=FIRST)
    assert keeping.read(tmp_path) == replace(later, id="20261201T080000Z")
    assert names(tmp_path) == {f"{FIRST}.json", "20261201T080000Z.json"}
    assert (tmp_path / ".wikimill" / ".gitignore").read_bytes() == b"*\n"


def test_those_of_one_second_are_numbered_and_stay_in_order(tmp_path: Path) -> None:
    ids = [keeping.keep(tmp_path, FULL) for _ in range(11)]
    assert ids == [FIRST, *(f"{FIRST}-{number}" for number in range(2, 12))]
    assert keeping.list_runs(tmp_path) == tuple(reversed(ids))


def test_many_at_once_overwrite_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda n: keeping.keep(tmp_path, replace(FULL, branch=f"b{n}")), range(40)))
    assert len(set(ids)) == 40
    assert [keeping.read(tmp_path, one).branch for one in ids] == [f"b{number}" for number in range(40)]


def test_the_oldest_go_and_what_is_not_ours_stays(tmp_path: Path) -> None:
    folder(tmp_path).mkdir(parents=True)
    for number in range(keeping.MOST_KEPT):
        (folder(tmp_path) / f"20270101T{number:06}Z.json").write_bytes(render_json(FULL))
    (folder(tmp_path) / "notes.json").write_text("mine", encoding="utf-8")
    later = keeping.keep(tmp_path, replace(FULL, started_at=AT + timedelta(days=365)))
    runs = keeping.list_runs(tmp_path)
    assert len(runs) == keeping.MOST_KEPT
    assert (runs[0], runs[-1]) == (later, "20270101T000001Z")
    assert "notes.json" in names(tmp_path)


def test_what_was_kept_just_now_stays_whatever_the_clock_says(tmp_path: Path) -> None:
    folder(tmp_path).mkdir(parents=True)
    for number in range(keeping.MOST_KEPT + 5):
        (folder(tmp_path) / f"20270101T{number:06}Z.json").write_bytes(render_json(FULL))
    run = keeping.keep(tmp_path, FULL)
    assert keeping.read(tmp_path, run).branch == "main"
    assert len(keeping.list_runs(tmp_path)) == keeping.MOST_KEPT + 1


def test_an_id_is_not_given_again_when_the_oldest_is_gone(tmp_path: Path) -> None:
    assert keeping.keep(tmp_path, FULL) == FIRST
    assert keeping.keep(tmp_path, FULL) == f"{FIRST}-2"
    (folder(tmp_path) / f"{FIRST}.json").unlink()
    assert keeping.keep(tmp_path, FULL) == f"{FIRST}-3"


def test_a_process_that_died_meanwhile_leaves_nothing_that_is_read(tmp_path: Path) -> None:
    keeping.keep(tmp_path, FULL)
    (folder(tmp_path) / "20270101T000000Z.json").touch()
    (folder(tmp_path) / ".0123.wikimill").write_bytes(b"{")
    assert keeping.list_runs(tmp_path) == (FIRST,)
    assert keeping.read(tmp_path).id == FIRST


@pytest.mark.parametrize("where", [".wikimill", ".wikimill/runs"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, where: str, what: str) -> None:
    root, outside = tmp_path / "wiki", tmp_path / "outside"
    (root / where).parent.mkdir(parents=True)
    outside.mkdir()
    if what == "file":
        (root / where).write_text("x", encoding="utf-8")
    else:
        (root / where).symlink_to(outside)
    with pytest.raises(StoreError, match="reports cannot be written: "):
        keeping.keep(root, FULL)
    assert list(outside.iterdir()) == []


def test_a_report_that_cannot_be_written_reserves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_BYTES", 10)
    with pytest.raises(StoreError, match="too large to be kept"):
        keeping.keep(tmp_path, FULL)
    assert names(tmp_path) == set()


def test_a_report_without_a_beginning_has_no_id(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the time at which its run began"):
        keeping.keep(tmp_path, replace(FULL, started_at=None))


@pytest.mark.parametrize(
    "run",
    [
        "../x",
        "20261130T080000Z/../../x",
        "",
        "20261130T080000Z-0",
        "20261130T080000Z\n",
        "２０261130T080000Z",
        "x" * 5_000,
    ],
)
def test_an_id_is_no_path(tmp_path: Path, run: str) -> None:
    with pytest.raises(StoreError, match=r"this is no id of a report\.") as refused:
        keeping.read(tmp_path, run)
    assert len(str(refused.value)) < 300


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    assert keeping.list_runs(tmp_path) == ()
    with pytest.raises(StoreError, match="there is no report yet"):
        keeping.read(tmp_path)
    with pytest.raises(StoreError, match="there is no such report"):
        keeping.read(tmp_path, FIRST)


@pytest.mark.parametrize("raw", [b"{", b"[]", b"\xff", b'{"model": 1}', b"[" * 100_000])
def test_a_damaged_report_is_told_with_its_place(tmp_path: Path, raw: bytes) -> None:
    keeping.keep(tmp_path, FULL)
    (folder(tmp_path) / f"{FIRST}.json").write_bytes(raw)
    with pytest.raises(StoreError, match=r"20261130T080000Z\.json: the report is damaged: "):
        keeping.read(tmp_path, FIRST)


def test_a_link_in_the_place_of_a_report_is_not_followed(tmp_path: Path) -> None:
    folder(tmp_path).mkdir(parents=True)
    (tmp_path / "secret.json").write_bytes(render_json(FULL))
    (folder(tmp_path) / f"{FIRST}.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(StoreError, match="reports cannot be read"):
        keeping.read(tmp_path, FIRST)
