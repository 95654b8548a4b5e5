"""Putting a site together: the former one is only ever linked from, and comes back when a build was killed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import StoreError
from pipeline.reading.assembling import Parts, alone, assemble, beside, take_place
from pipeline.reading.remembered import Kept, digest, stamp_of

if TYPE_CHECKING:
    from pathlib import Path


def former_site(tmp_path: Path) -> tuple[Path, dict[str, Kept]]:
    place = tmp_path / "site"
    texts = {"index.html": "home", "a/one/index.html": "one", "kb/index.json": "{}"}
    for path, text in texts.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    return place, {path: Kept(digest(text.encode()), stamp_of(place / path)) for path, text in texts.items()}


def test_what_stays_is_linked_what_is_new_is_written_and_all_is_told(tmp_path: Path) -> None:
    former, kept = former_site(tmp_path)
    (tmp_path / "new.html").write_text("two", encoding="utf-8")
    files, findings = assemble(
        tmp_path / "fresh",
        former,
        Parts(
            moved={"a/two/index.html": (tmp_path / "new.html", "d2")},
            kept={"a/one/index.html": kept["a/one/index.html"]},
            written={"kb/index.json": b"{}", "feed.xml": b"<feed/>"},
            copied={"pictures/x.png"},
            read=lambda path: path.encode(),
        ),
        kept,
    )
    fresh = tmp_path / "fresh"
    assert findings == ()
    assert {path: (fresh / path).read_bytes() for path in files} == {
        "a/one/index.html": b"one",
        "a/two/index.html": b"two",
        "feed.xml": b"<feed/>",
        "kb/index.json": b"{}",
        "pictures/x.png": b"pictures/x.png",
    }
    assert all(kept.stamp == stamp_of(fresh / path) for path, kept in files.items())
    assert files["a/two/index.html"].source == "d2"
    assert files["a/one/index.html"] == kept["a/one/index.html"]
    assert files["kb/index.json"] == kept["kb/index.json"]
    assert (former / "index.html").read_bytes() == b"home"


def test_a_file_that_somebody_changed_is_written_anew(tmp_path: Path) -> None:
    former, kept = former_site(tmp_path)
    (former / "kb/index.json").write_bytes(b"[tampered]")
    files, _ = assemble(tmp_path / "fresh", former, Parts(written={"kb/index.json": b"{}"}), kept)
    assert (tmp_path / "fresh/kb/index.json").read_bytes() == b"{}"
    assert files["kb/index.json"] != kept["kb/index.json"]


def test_where_a_file_cannot_have_two_names_it_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(os, "link", refuse)
    former, kept = former_site(tmp_path)
    files, _ = assemble(tmp_path / "fresh", former, Parts(kept=kept), kept)
    assert (tmp_path / "fresh/a/one/index.html").read_bytes() == b"one"
    assert files == kept
    assert {path: stamp_of(tmp_path / "fresh" / path) for path in files} == {
        path: one.stamp for path, one in kept.items()
    }


@pytest.mark.parametrize("path", ["../out.html", "/etc/x", "a/../../x", "a//b", "./x"])
def test_no_path_leads_out_of_the_site(tmp_path: Path, path: str) -> None:
    with pytest.raises(StoreError, match="cannot be the path of a file on the site"):
        assemble(tmp_path / "fresh", tmp_path / "former", Parts(written={path: b""}), {})


def test_a_swap_that_fails_brings_the_former_site_back(tmp_path: Path) -> None:
    former, _ = former_site(tmp_path)
    with beside(former, clean=True) as scratch, pytest.raises(OSError, match="No such file"):
        take_place(scratch / "never-made", former, scratch)
    assert (former / "index.html").read_bytes() == b"home"
    assert [entry.name for entry in tmp_path.iterdir()] == ["site"]


def test_what_killed_builds_left_goes_and_a_site_among_it_comes_back(tmp_path: Path) -> None:
    place, _ = former_site(tmp_path)
    left = tmp_path / ".site.wikimill-abc"
    left.mkdir()
    (left / "rendered").mkdir()
    place.rename(left / "former")
    (tmp_path / ".site-of-others").mkdir()
    with beside(place, clean=True) as scratch:
        assert scratch.parent == tmp_path
        assert (place / "index.html").read_bytes() == b"home"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".site-of-others", "site"]


def test_without_certainty_nothing_of_another_build_is_touched(tmp_path: Path) -> None:
    (tmp_path / ".site.wikimill-other").mkdir()
    with beside(tmp_path / "site", clean=False):
        pass
    assert [entry.name for entry in tmp_path.iterdir()] == [".site.wikimill-other"]


def test_a_lock_that_cannot_be_taken_is_no_certainty(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with alone(tmp_path / "file/lock") as sure:
        assert not sure
    with alone(tmp_path / "folder/lock") as sure:
        assert sure
