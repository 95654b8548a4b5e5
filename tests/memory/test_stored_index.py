"""The index on disk: kept by content, updated in part, made anew when damaged, and never in anybody's way."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.config import Settings
from pipeline.memory.search import Index
from pipeline.memory.search.index import MOST_SEGMENTS
from pipeline.memory.stored_index import Damaged, StoredIndex, load_whole, save_whole
from pipeline.searching import STORED, Found, find_pages
from tests.memory.test_search import CORPUS, page

if TYPE_CHECKING:
    from pathlib import Path

LATER = datetime.now(UTC) + timedelta(hours=1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, raw in CORPUS.items():
        place = tmp_path / "wiki" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
    (tmp_path / "wiki" / "acme" / "index.md").write_text("# acme\n\nzebra\n")
    return tmp_path


def find(root: Path, query: str = "login state", now: datetime = LATER) -> Found:
    return find_pages(Settings(), root, query, limit=10, now=now)


def names(found: Found) -> list[str]:
    return [hit.path.rpartition("/")[2] for hit in found.hits]


def test_the_second_search_reads_nothing(root: Path) -> None:
    first = find(root)
    second = find(root)

    assert (first.read, second.read) == (len(CORPUS), 0)
    assert first.hits == second.hits
    assert names(first) == ["session-cookies.md", "jwt.md"]
    assert find(root, "zebra").hits == (), "an index is no page"
    assert (root / STORED).is_file()


def test_only_what_changed_is_read_again(root: Path) -> None:
    find(root)
    (root / "wiki/acme/gotchas/retry.md").write_bytes(page("Backoff", "zebra"))
    (root / "wiki/acme/concepts/keys.md").unlink()
    (root / "wiki/acme/rules").mkdir()
    (root / "wiki/acme/rules/new.md").write_bytes(page("Zebra"))

    changed = find(root, "zebra")

    assert changed.read == 3
    assert names(changed) == ["new.md", "retry.md"]
    assert names(find(root, "jitter")) == []
    assert find(root, "zebra") == Found(changed.hits, changed.pages, 0)


def test_a_file_that_was_touched_but_not_changed_is_not_indexed_again(root: Path) -> None:
    find(root)
    os.utime(root / "wiki/acme/gotchas/retry.md", (1, 1))

    assert find(root).read == 0


def test_a_file_that_changed_within_the_same_tick_is_noticed(root: Path) -> None:
    now = datetime.now(UTC)
    place = root / "wiki/acme/gotchas/retry.md"
    find(root, now=now)
    told = place.stat()
    place.write_bytes(place.read_bytes().replace(b"Jitter", b"Zebras"))
    os.utime(place, ns=(told.st_atime_ns, told.st_mtime_ns))

    assert names(find(root, "zebras", now=now)) == ["retry.md"]


@pytest.mark.parametrize(
    "kind", ["empty", "text", "half", "zeros", "folder", "version", "about", "blob", "sheets", "tables"]
)
def test_a_damaged_index_is_made_anew_without_a_word(root: Path, kind: str) -> None:
    expected = find(root).hits
    stored = root / STORED
    raw = stored.read_bytes()
    if kind == "folder":
        stored.unlink()
        stored.mkdir()
    elif kind in {"version", "about", "blob", "sheets", "tables"}:
        with sqlite3.connect(stored) as base:
            base.execute(
                {
                    "version": "UPDATE about SET value = 0 WHERE name = 'version'",
                    "about": "DELETE FROM about WHERE name = 'generation'",
                    "blob": "UPDATE postings SET pages = zeroblob(length(pages)) || x'01'",
                    "sheets": "UPDATE segments SET sheets = replace(sheets, 'acme', 'ecma')",
                    "tables": "DROP TABLE postings",
                }[kind]
            )
        base.close()
    else:
        bad = {
            "empty": b"",
            "text": b"no database",
            "half": raw[: len(raw) // 2],
            "zeros": raw[:4096] + bytes(len(raw)),
        }
        stored.write_bytes(bad[kind])

    assert find(root).hits == expected
    if kind != "folder":
        assert find(root).read == 0, "it was stored again"


def test_any_flipped_bytes_give_the_same_hits(root: Path) -> None:
    expected = find(root).hits
    stored = root / STORED
    raw = stored.read_bytes()
    for place in range(13, len(raw), 3_001):
        stored.write_bytes(raw[:place] + bytes([raw[place] ^ 0xFF]) + raw[place + 1 :])
        assert find(root).hits == expected, place


def test_many_small_changes_are_folded(root: Path) -> None:
    place = root / "wiki/acme/gotchas/retry.md"
    for number in range(3 * MOST_SEGMENTS):
        place.write_bytes(page("Backoff", f"zebra number{number}"))
        found = find(root, f"number{number}")
        assert (names(found), found.read) == (["retry.md"], len(CORPUS) if number == 0 else 1)
    with StoredIndex(root / STORED) as kept:
        assert len(kept.index.stored) <= MOST_SEGMENTS + 1
        fresh = Index()
        for path in kept.index:
            fresh.put(path, (root / "wiki" / path).read_bytes())
        reading = (root / "wiki").joinpath
        for query in ("login", "zebra", "number3", "署名"):
            assert kept.index.search(query, lambda path: reading(path).read_bytes()) == fresh.search(
                query, lambda path: reading(path).read_bytes()
            )


def test_somebody_else_who_saved_meanwhile_is_left_alone(root: Path) -> None:
    find(root)
    with StoredIndex(root / STORED) as mine:
        (root / "wiki/acme/gotchas/retry.md").write_bytes(page("Zebra"))
        find(root)
        mine.index.put("acme/gotchas/retry.md", page("Lion"))
        assert not mine.save({})
    assert names(find(root, "zebra")) == ["retry.md"]


def test_an_index_that_cannot_be_kept_is_in_nobodys_way(root: Path) -> None:
    (root / ".wikimill").write_text("a file stands where the folder should be")

    assert names(find(root)) == ["session-cookies.md", "jwt.md"]


def test_read_only_writes_nothing(root: Path) -> None:
    find(root)
    before = (root / STORED).read_bytes()
    with StoredIndex(root / STORED, read_only=True) as kept:
        kept.index.put("acme/rules/x.md", page("X"))
        assert not kept.save({})
    assert (root / STORED).read_bytes() == before
    with StoredIndex(root / "none.sqlite", read_only=True) as kept:
        assert len(kept.index) == 0
    assert not (root / "none.sqlite").exists()


def test_damage_that_comes_later_is_noticed(root: Path) -> None:
    find(root)
    with StoredIndex(root / STORED) as kept:
        with sqlite3.connect(root / STORED) as base:
            base.execute("UPDATE postings SET crc = crc + 1")
        base.close()
        with pytest.raises(Damaged):
            kept.index.search("login", lambda _: b"")


def test_a_whole_index_is_put_in_place_and_needs_the_file_no_more(root: Path) -> None:
    expected = find(root).hits
    stored = root / STORED
    whole = load_whole(stored)
    stored.unlink()
    reading = (root / "wiki").joinpath
    assert whole.search("login state", lambda path: reading(path).read_bytes()) == expected

    assert save_whole(stored, whole)
    assert find(root) == Found(expected, len(CORPUS), 0)
    stored.write_bytes(b"no database")
    assert len(load_whole(stored)) == 0
    assert stored.read_bytes() == b"no database", "reading it writes nothing"
    assert save_whole(stored, whole)
    assert find(root).read == 0


def test_git_is_told_to_look_away(root: Path) -> None:
    find(root)
    assert (root / ".wikimill" / ".gitignore").read_text(encoding="utf-8") == "*\n"
