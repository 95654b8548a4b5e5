"""What a scheduler leaves on the disk, and what is said of one that left it behind."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import Conflict, StoreError
from pipeline.schedule.alone import alone, is_held
from pipeline.schedule.status import LATE, LOCK, STATUS, Board, LastRun, Status, read_status, standing
from tests.schedule.reference import utc

if TYPE_CHECKING:
    from pathlib import Path

NOW = utc(2026, 11, 30, 12)
BEGUN = Status(4711, "0.1.0", "23 5 * * 1", "Europe/Berlin", utc(2026, 11, 30))


def test_a_status_comes_back_as_it_was_written(tmp_path: Path) -> None:
    board = Board(tmp_path, BEGUN, print)
    last = LastRun(utc(2026, 11, 30, 4), utc(2026, 11, 30, 5), 3, "fine", 'a "line" \u2028 é', "r1")
    board.change(last_run=last, next_run=utc(2026, 12, 7, 4, 23), failing_since=utc(2026, 1, 1))
    assert read_status(tmp_path) == board.status
    assert board.status.last_run == last
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe", b"{}" + b" " * 200_000, b'{"form": 2}', b"nul\x00"]
)
def test_a_file_that_makes_no_sense_is_no_status(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / STATUS).write_bytes(raw)
    assert read_status(tmp_path) is None
    assert standing(tmp_path, None, NOW) == "never started"


def test_a_later_form_is_not_misread(tmp_path: Path) -> None:
    Board(tmp_path, BEGUN, print).change()
    path = tmp_path / STATUS
    path.write_bytes(path.read_bytes().replace(b'"form": 1', b'"form": 2'))
    assert read_status(tmp_path) is None


def test_how_a_scheduler_stands_is_known_by_its_lock(tmp_path: Path) -> None:
    board = Board(tmp_path, BEGUN, print)
    assert standing(tmp_path, read_status(tmp_path), NOW) == "never started"
    with alone(tmp_path / LOCK):
        assert standing(tmp_path, board.change(state="running"), NOW) == "running"
        assert standing(tmp_path, board.change(state="waiting"), NOW) == "waiting"
    assert standing(tmp_path, read_status(tmp_path), NOW) == "killed"
    assert standing(tmp_path, board.change(state="stopped"), NOW) == "stopped"


def test_one_that_lets_its_time_pass_by_is_silent(tmp_path: Path) -> None:
    board = Board(tmp_path, BEGUN, print)
    due = NOW - LATE
    with alone(tmp_path / LOCK):
        status = board.change(next_run=due)
        assert standing(tmp_path, status, NOW) == "waiting"
        assert standing(tmp_path, status, NOW + timedelta(seconds=1)) == "silent"
        at_work = board.change(state="running")
        assert standing(tmp_path, at_work, NOW + timedelta(days=1)) == "running", "a run may take long"
    assert standing(tmp_path, status, NOW + timedelta(days=1)) == "killed"


def test_one_scheduler_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / LOCK
    assert not is_held(place)
    assert not place.exists()
    with alone(place):
        assert is_held(place)
        with pytest.raises(Conflict, match=r"another scheduler is at work") as caught, alone(place):
            pytest.fail("two at once")
        assert "--status" in caught.value.next_step
    assert not is_held(place)
    with alone(place):
        pass


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match=r"cannot be taken"), alone(tmp_path / "file" / LOCK):
        pytest.fail("it has no folder")
