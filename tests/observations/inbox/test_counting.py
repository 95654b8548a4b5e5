"""Whether an observation file has a line, whatever a page says about where the file stands."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest

from pipeline.observations.inbox.counting import line_counter

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("raw", "lines"), [(b"", 0), (b"one\n", 1), (b"one\ntwo", 2), (b"one\r\n\r\ntwo\r\n", 3), (b"\n", 1)]
)
@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_counted(tmp_path: Path, raw: bytes, lines: int, *, packed: bool) -> None:
    name = "day.jsonl.gz" if packed else "day.jsonl"
    (tmp_path / name).write_bytes(gzip.compress(raw) if packed else raw)
    exists = line_counter(tmp_path)
    assert [number for number in range(6) if exists(name, number)] == list(range(1, lines + 1))


@pytest.mark.parametrize("file", ["missing.jsonl", "", "..", "../outside.jsonl", "folder", "a\0b", "damaged.jsonl.gz"])
def test_what_is_no_file_below_the_folder_has_no_line(tmp_path: Path, file: str) -> None:
    home = tmp_path / "observations"
    (home / "folder").mkdir(parents=True)
    (tmp_path / "outside.jsonl").write_bytes(b"one\n")
    (home / "damaged.jsonl.gz").write_bytes(b"no gzip\n")
    assert not line_counter(home)(file, 1)


@pytest.mark.parametrize("name", ["cut.jsonl.gz", "CUT.JSONL.GZ"])
def test_of_a_damaged_file_the_lines_count_that_a_run_can_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b"one\ntwo\n")[:-6])
    exists = line_counter(tmp_path)
    assert [number for number in range(6) if exists(name, number)] == [1, 2]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such device")
def test_an_absolute_path_leads_nowhere(tmp_path: Path) -> None:
    assert not line_counter(tmp_path)("/dev/zero", 1)
    (tmp_path / "outside").write_bytes(b"one\n")
    assert not line_counter(tmp_path / "observations")(str(tmp_path / "outside"), 1)
