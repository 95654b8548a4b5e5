"""The ledger carried over: what was read may be read twice, but nothing is passed over."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.observations.consumed import Aside, FileMark, KnownObservation
from pipeline.observations.observation import Place, SessionKey
from pipeline.wiki.ledger import (
    FILES,
    Attempt,
    hold,
    read_aside,
    read_known,
    read_marks,
    read_session,
    record_failure,
    record_session,
    render_aside,
    render_marks,
    session_path,
    settle_merges,
)
from pipeline.wiki.merging import carry_over, holds_evidence

KEY = SessionKey("default", "acme", "s1")
PATH = session_path(KEY)


def mark(size: int, file: str = "a.jsonl") -> FileMark:
    return FileMark(file, size, size // 10, f"{size:064x}")


def files(*marks: FileMark) -> bytes:
    return render_marks({}, {one.file: one for one in marks}).get(FILES, b"")


MARKS = {
    "only the commit read on": (10, 20, 10, 20),
    "only the other side read on": (10, 10, 20, 20),
    "both alike": (10, 20, 20, 20),
    "both: the smaller one": (10, 20, 15, 15),
    "both, the commit less": (10, 15, 20, 15),
    "new for the commit": (None, 20, None, 20),
    "new for both": (None, 20, 15, 15),
    "taken away to be read again": (10, 20, None, None),
    "taken away by the commit": (10, None, 20, None),
    "taken away by the commit alone": (10, None, 10, None),
}


@pytest.mark.parametrize("name", MARKS)
def test_marks(name: str) -> None:
    *sides, expected = MARKS[name]
    before, after, standing = (files(*([mark(one)] if one else []), mark(5, "b.jsonl")) for one in sides)
    change = {FILES: (before, after)}
    done = carry_over(change, {FILES: standing})
    result = done.files.get(FILES, standing) or b""
    assert read_marks({FILES: result}) == {
        "b.jsonl": mark(5, "b.jsonl"),
        **({"a.jsonl": mark(expected)} if expected else {}),
    }
    assert not carry_over(change, {FILES: result}).files


def test_lines_set_aside_are_added() -> None:
    path = ".ledger/aside.jsonl"
    one, two, three = (Aside("a.jsonl", number, "not JSON") for number in (1, 2, 3))
    before, after, standing = (render_aside({}, lines)[path] for lines in ([one], [one, two], [one, three]))
    done = carry_over({path: (before, after)}, {path: standing})
    assert read_aside({path: done.files[path] or b""}) == (one, two, three)


def seen(*numbers: int) -> list[KnownObservation]:
    return [KnownObservation(f"id{number}", f"{number:032x}", Place("a.jsonl", number)) for number in numbers]


def record(*numbers: int, model: str = "m1") -> bytes:
    return record_session({}, KEY, observations=seen(*numbers), prompt="p1", model=model, page="acme/sessions/s1.md")[
        PATH
    ]


def known(raw: bytes | None) -> set[str]:
    return {one.id for one in read_known({PATH: raw or b""})}


def test_observations_of_both_sides_are_known() -> None:
    done = carry_over({PATH: (record(1), record(1, 2))}, {PATH: record(1, 3)})
    assert known(done.files[PATH]) == {"id1", "id2", "id3"}
    found = read_session({PATH: done.files[PATH] or b""}, KEY)
    assert found is not None
    assert found.state == "done"
    assert settle_merges({PATH: done.files[PATH] or b""}) == {}


def test_what_was_taken_out_of_a_record_is_read_again() -> None:
    done = carry_over({PATH: (record(1, 2), record(1, 2, 3))}, {PATH: record(1)})
    assert known(done.files[PATH]) == {"id1", "id3"}


def test_a_record_that_was_removed_knows_what_the_commit_added() -> None:
    assert known(carry_over({PATH: (record(1), record(1, 2))}, {}).files[PATH]) == {"id2"}


def failing(raw: bytes | None, *days: int) -> bytes:
    wiki = {PATH: raw} if raw else {}
    for day in days:
        attempt = Attempt(datetime(2026, 11, day, tzinfo=UTC), f"failed on {day}")
        wiki |= record_failure(wiki, KEY, attempt, most=9, waiting=())
    return wiki[PATH]


def test_attempts_of_both_sides_count() -> None:
    before = failing(None, 1)
    done = carry_over({PATH: (before, failing(before, 2))}, {PATH: failing(before, 3)})
    found = read_session({PATH: done.files[PATH] or b""}, KEY)
    assert found is not None
    assert [one.at.day for one in found.attempts] == [1, 2, 3]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_session_that_is_parked_on_one_side_stays_parked(swapped: bool) -> None:  # noqa: FBT001  # a table of two
    parked = hold({PATH: record(1)}, KEY, ["b.jsonl"])[PATH]
    after, standing = (parked, record(1, 2)) if swapped else (record(1, 2), parked)
    done = carry_over({PATH: (record(1), after)}, {PATH: standing})
    raw = done.files.get(PATH, standing) or b""
    found = read_session({PATH: raw}, KEY)
    assert found is not None
    assert (found.state, found.waiting, known(raw)) == ("parked", ("b.jsonl",), {"id1", "id2"})


def test_a_success_of_the_commit_ends_failures_that_the_other_side_had_too() -> None:
    before = failing(None, 1)
    done = carry_over({PATH: (before, record(1))}, {PATH: failing(before, 2)})
    found = read_session({PATH: done.files[PATH] or b""}, KEY)
    assert found is not None
    assert (found.state, found.attempts) == ("done", ())


def test_a_record_with_a_broken_line_gets_the_new_lines_behind_it() -> None:
    standing = record(1) + b"{broken"
    done = carry_over({PATH: (record(1), record(1, 2))}, {PATH: standing})
    raw = done.files[PATH] or b""
    assert raw.startswith(standing + b"\n")
    assert known(raw) == {"id1", "id2"}
    assert not carry_over({PATH: (record(1), record(1, 2))}, {PATH: raw}).files


def test_evidence_is_held_when_every_observation_is_known() -> None:
    after = {PATH: record(1, 2), FILES: files(mark(20)), "acme/sessions/s1.md": b"x"}
    assert holds_evidence(after, {PATH: record(1, 2, 3)})
    assert holds_evidence({FILES: files(mark(20))}, {})
    assert not holds_evidence(after, {PATH: record(1)})
    assert not holds_evidence(after, {})
    other = record(1, 2).replace(f"{2:032x}".encode(), f"{9:032x}".encode())
    assert not holds_evidence(after, {PATH: other})


@settings(max_examples=100, deadline=None)
@given(*[st.sets(st.integers(1, 6), min_size=1)] * 3)
def test_no_observation_is_known_that_no_page_holds_and_none_is_forgotten(
    before: set[int], more: set[int], standing: set[int]
) -> None:
    after = before | more
    change = {PATH: (record(*before), record(*after, model="m2"))}
    done = carry_over(change, {PATH: record(*standing)})
    raw = done.files.get(PATH, record(*standing)) or b""
    assert known(raw) == {f"id{number}" for number in standing | (after - before)}
    assert not carry_over(change, {PATH: raw}).files
