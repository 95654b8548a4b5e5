"""An observation is appended whole or not at all, and nothing that stood before changes."""

from __future__ import annotations

import errno
import multiprocessing
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.cli.appending import append_line
from pipeline.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [
        (None, b"new\n", 1),
        (b"", b"new\n", 1),
        (b"one\n", b"one\nnew\n", 2),
        (b"one", b"one\nnew\n", 2),
        (b"one\r\n", b"one\r\nnew\n", 2),
        (b"one\n\n", b"one\n\nnew\n", 3),
        (b"\xef\xbb\xbfone\ntw\xff", b"\xef\xbb\xbfone\ntw\xff\nnew\n", 3),
    ],
)
def test_a_line_is_put_behind_what_stands(tmp_path: Path, before: bytes | None, after: bytes, number: int) -> None:
    path = tmp_path / "observations" / "day.jsonl"
    if before is not None:
        path.parent.mkdir()
        path.write_bytes(before)
    assert append_line(path, b"new\n", lock=tmp_path / "lock") == number
    assert path.read_bytes() == after


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(before=st.binary(max_size=40))
def test_what_stood_before_stays_and_the_number_is_the_lines_own(tmp_path: Path, before: bytes) -> None:
    path = tmp_path / "day.jsonl"
    path.write_bytes(before)
    number = append_line(path, "Grüße 日本\n".encode(), lock=tmp_path / "lock")
    after = path.read_bytes()
    assert after.startswith(before)
    assert after.split(b"\n")[number - 1].decode() == "Grüße 日本"


def _append_many(path: Path, lock: Path, who: int) -> None:
    for number in range(25):
        append_line(path, b"%d-%d-" % (who, number) + b"x" * 5_000 + b"\n", lock=lock)


def test_several_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path, lock = tmp_path / "day.jsonl", tmp_path / "lock"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_append_many, args=(path, lock, who)) for who in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(f"{who}-{number}-" + "x" * 5_000 for who in range(3) for number in range(25))


def test_a_line_that_does_not_fit_on_the_disk_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "day.jsonl"
    path.write_bytes(b"one\n")
    write = os.write

    def half_then_full(handle: int, piece: bytes) -> int:
        if len(piece) <= 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, piece[: len(piece) // 2])

    monkeypatch.setattr(os, "write", half_then_full)
    with pytest.raises(StoreError, match="was not written: No space left on device"):
        append_line(path, b"x" * 100 + b"\n", lock=tmp_path / "lock")
    assert path.read_bytes() == b"one\n"


def test_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "observations").write_bytes(b"")
    with pytest.raises(StoreError, match=r"day\.jsonl: the observation was not written"):
        append_line(tmp_path / "observations" / "day.jsonl", b"new\n", lock=tmp_path / "lock")
