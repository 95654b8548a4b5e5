"""Files that are read and written whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pipeline.whole_file import is_left_over, read_whole, write_whole
from tests.models.remembering.asked import AT, names

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("durably", [False, True])
def test_a_file_is_put_in_the_place_of_another(tmp_path: Path, *, durably: bool) -> None:
    place = tmp_path / "a" / "b" / "c.json"
    write_whole(place, b"one", durably=durably)
    write_whole(place, b"two", used=AT, durably=durably)
    assert read_whole(place, 3) == b"two"
    assert place.stat().st_mtime == AT.timestamp()
    assert names(place.parent) == ["c.json"]


def test_only_plain_files_of_a_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"1234")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="more than 3 bytes"):
        read_whole(tmp_path / "large", 3)
    with pytest.raises((ValueError, OSError)):
        read_whole(tmp_path / "folder", 3)
    with pytest.raises(FileNotFoundError):
        read_whole(tmp_path / "none", 3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_neither_links_nor_pipes_are_followed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="no plain file"):
        read_whole(tmp_path / "pipe", 3)
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(OSError, match=r"symbolic|links"):
        read_whole(tmp_path / "link", 3)
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to("real")
    with pytest.raises(NotADirectoryError):
        write_whole(tmp_path / "linked" / "a", b"1")
    assert names(tmp_path / "real") == []


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match=r"directory|denied"):
        write_whole(tmp_path / "taken", b"1")
    assert names(tmp_path) == ["taken"]


@pytest.mark.parametrize(
    ("name", "left_over"), [(".0a1b.wikimill", True), ("a.json", False), (".gitignore", False), ("a.wikimill", False)]
)
def test_left_overs_are_known_by_their_names(name: str, *, left_over: bool) -> None:
    assert is_left_over(name) is left_over
