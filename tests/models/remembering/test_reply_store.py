"""The cache on disk: damage, limits, a disk that fails, many at once."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.models.model import Reply
from pipeline.models.remembering.entry import MOST_BYTES, Entry, render_cached
from pipeline.models.remembering.reply_store import ReplyStore
from pipeline.spending import Usage
from tests.models.remembering.asked import AT, Ticking, ask, hide, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.finding import Finding

HOUSE = Path(__file__).resolve().parents[3]
KEY = "ab" * 20
REQUEST = ask()


def store(folder: Path, *, megabytes: int = 1) -> ReplyStore:
    return ReplyStore(folder, megabytes=megabytes, clock=Ticking(), scrub=hide)


def key(number: int) -> str:
    return f"{number:04x}" * 10


def entry(text: str, named: str = KEY) -> Entry:
    return Entry(named, "gpt", Reply(text, Usage(7, 8), "length"))


def on_disk(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*/*.json"))


def test_what_is_kept_is_found_by_the_next_one(tmp_path: Path) -> None:
    folder = tmp_path / ".wikimill" / "replies"
    first = store(folder)
    assert first.find(KEY) is None
    assert not folder.exists()
    kept = first.keep(entry("the password is hunter2 \ud83d\ude00"), REQUEST)
    assert kept == Reply("the password is [REDACTED:password] 😀", Usage(7, 8), "length")
    assert first.find(KEY) == store(folder).find(KEY) == kept
    assert first.findings == ()
    assert b"hunter2" not in (folder / "ab" / f"{KEY}.json").read_bytes()
    assert (folder / ".gitignore").read_bytes() == b"*\n"
    first.remove(KEY)
    first.remove(KEY)
    assert first.find(KEY) is store(folder).find(KEY) is None


def damage(place: Path) -> dict[str, Callable[[], object]]:
    raw = place.read_bytes()
    return {
        "truncated": lambda: place.write_bytes(raw[:-20]),
        "empty": lambda: place.write_bytes(b""),
        "a bit": lambda: place.write_bytes(raw.replace(b"answer", b"anszer")),
        "foreign": lambda: place.write_bytes(b"{}\n"),
        "another key's": lambda: place.write_bytes(render_cached(entry("other", "cd" * 20))),
        "zeros": lambda: place.write_bytes(bytes(len(raw))),
        "too large": lambda: os.truncate(place, MOST_BYTES + 1),
    }


KINDS = ("truncated", "empty", "a bit", "foreign", "another key's", "zeros", "too large")


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_a_miss_and_goes(tmp_path: Path, kind: str) -> None:
    store(tmp_path).keep(entry("an answer"), REQUEST)
    place = tmp_path / "ab" / f"{KEY}.json"
    kinds = damage(place)
    assert set(kinds) == set(KINDS)
    kinds[kind]()
    again = store(tmp_path)
    assert again.find(KEY) is None
    assert not place.exists()
    again.keep(entry("new"), REQUEST)
    assert again.find(KEY) == Reply("new", Usage(7, 8), "length")
    assert again.findings == ()


def test_the_least_recently_used_go(tmp_path: Path) -> None:
    cache = store(tmp_path)
    for number in range(9):
        cache.keep(entry("x" * 100_000, key(number)), REQUEST)
    assert cache.find(key(0)) is not None
    for number in range(9, 12):
        cache.keep(entry("x" * 100_000, key(number)), REQUEST)
    assert on_disk(tmp_path) == sorted(key(number) for number in (0, 5, 6, 7, 8, 9, 10, 11))
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 1_000_000


def test_a_smaller_limit_counts_from_the_next_run_on(tmp_path: Path) -> None:
    cache = store(tmp_path, megabytes=10)
    for number in range(30):
        cache.keep(entry("x" * 100_000, key(number)), REQUEST)
    assert len(on_disk(tmp_path)) == 30
    smaller = store(tmp_path, megabytes=1)
    assert smaller.find(key(0)) is None
    assert on_disk(tmp_path) == [key(number) for number in range(22, 30)]


def test_a_single_large_reply_stays(tmp_path: Path) -> None:
    cache = store(tmp_path)
    cache.keep(entry("x" * 500_000, key(1)), REQUEST)
    cache.keep(entry("x" * 990_000, key(2)), REQUEST)
    assert on_disk(tmp_path) == [key(2)]


def test_what_exceeds_the_limit_alone_is_told(tmp_path: Path) -> None:
    cache = store(tmp_path)
    assert cache.keep(entry("x" * 1_000_000), REQUEST).text == "x" * 1_000_000
    assert [(found.where, found.rule) for found in cache.findings] == [("model.replies", "reply-too-large")]
    assert on_disk(tmp_path) == []


def test_left_overs_go_when_they_are_old_and_other_files_stay(tmp_path: Path) -> None:
    store(tmp_path).keep(entry("an answer"), REQUEST)
    old, new, notes = tmp_path / "ab" / ".01.wikimill", tmp_path / ".02.wikimill", tmp_path / "ab" / "notes.txt"
    for path in (old, new, notes):
        path.write_bytes(b"half")
    os.utime(old, (AT.timestamp() - 7_200, AT.timestamp() - 7_200))
    os.utime(new, (AT.timestamp() - 60, AT.timestamp() - 60))
    store(tmp_path).find(KEY)
    assert [path.exists() for path in (old, new, notes)] == [False, True, True]


def assert_told_once(findings: tuple[Finding, ...], why: str) -> None:
    (found,) = findings
    assert (found.where, found.rule, found.severity) == ("model.replies", "replies-not-kept", "warning")
    assert why in found.message
    assert "\n" not in str(found)


def test_a_file_where_the_folder_should_be_costs_the_cache_alone(tmp_path: Path) -> None:
    (tmp_path / "replies").write_bytes(b"")
    cache = store(tmp_path / "replies")
    for _ in range(2):
        assert cache.find(KEY) is None
        assert cache.keep(entry("hunter2"), REQUEST).text == "[REDACTED:password]"
    assert len(cache.findings) == 1
    assert cache.findings[0].rule == "replies-not-kept"


def test_a_folder_that_cannot_be_written_costs_the_cache_alone(tmp_path: Path) -> None:
    store(tmp_path).keep(entry("old"), REQUEST)
    for path in (tmp_path, tmp_path / "ab"):
        path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        if os.access(tmp_path, os.W_OK):
            pytest.skip("who runs this may write everywhere")
        cache = store(tmp_path)
        assert cache.find(KEY) == Reply("old", Usage(7, 8), "length")
        assert cache.keep(entry("new", key(5)), REQUEST).text == "new"
        assert_told_once(cache.findings, "Permission denied")
        cache.remove(KEY)
        assert cache.find(KEY) is None
    finally:
        for path in (tmp_path, tmp_path / "ab"):
            path.chmod(stat.S_IRWXU)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limit for files")
def test_a_full_disk_costs_the_cache_alone(tmp_path: Path) -> None:
    cache = store(tmp_path)
    cache.keep(entry("old"), REQUEST)
    with files_of_at_most(1_000):
        for _ in range(2):
            assert cache.keep(entry("x" * 5_000, key(1)), REQUEST).text == "x" * 5_000
        assert_told_once(cache.findings, "too large")
        assert cache.find(key(1)) is None
        assert cache.find(KEY) == Reply("old", Usage(7, 8), "length")
    assert cache.keep(entry("x" * 5_000, key(1)), REQUEST) == cache.find(key(1))
    assert names(tmp_path / "00") == [f"{key(1)}.json"]


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full."""
    import resource  # noqa: PLC0415  # not on every system

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_folder_in_the_way_is_told_and_forgotten_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "ab" / f"{KEY}.json" / "inside").mkdir(parents=True)
    cache = store(tmp_path)
    assert cache.find(KEY) is None
    assert cache.keep(entry("new"), REQUEST).text == "new"
    assert_told_once(cache.findings, "directory")
    cache.remove(KEY)
    assert cache.find(KEY) is None


def test_threads_share_a_store(tmp_path: Path) -> None:
    cache = store(tmp_path)

    def work(number: int) -> bool:
        named = key(number % 20)
        cache.keep(entry(f"{named} " + "x" * (number * 97 % 9_000), named), REQUEST)
        found = cache.find(key(number * 7 % 20))
        return found is None or found.text.startswith(key(number * 7 % 20) + " ")

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(600)))
    assert on_disk(tmp_path) == sorted(key(number) for number in range(20))
    assert cache.findings == ()


def start(*what: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.models.remembering.writing", *what], cwd=HOUSE, stdout=subprocess.PIPE, text=True
    )


def test_two_processes_write_the_same_key(tmp_path: Path) -> None:
    writers = [start(str(tmp_path), "same", text) for text in "ab"]
    cache = store(tmp_path)
    seen = set()
    while any(writer.poll() is None for writer in writers):
        found = cache.find(KEY)
        seen.add(found.text if found else "")
    assert [writer.communicate()[0] for writer in writers] == ["150\n", "150\n"]
    assert seen <= {"", "a" * 20_000, "b" * 20_000}
    last = cache.find(KEY)
    assert last is not None
    assert last.text in {"a" * 20_000, "b" * 20_000}
    assert names(tmp_path / "ab") == [f"{KEY}.json"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no kill -9 to survive")
def test_killed_at_any_moment(tmp_path: Path) -> None:
    out, _ = start(str(tmp_path), "killed", "").communicate()
    assert out == "killed " * 25 + "\n"
    found = on_disk(tmp_path)
    assert len(found) > 25
    cache = ReplyStore(tmp_path, megabytes=1_000, clock=lambda: AT.replace(year=2500), scrub=hide)
    for named in found:
        reply = cache.find(named)
        assert reply is not None, named
        assert reply.text.startswith(named + " ")
    assert on_disk(tmp_path) == found
    assert not list(tmp_path.glob("**/.*.wikimill"))
    assert (tmp_path / ".gitignore").read_bytes() == b"*\n"
