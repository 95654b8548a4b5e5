"""What a handed-over ledger says must be readable, and what it claims anew is told."""

from __future__ import annotations

import pytest

from pipeline.observations.consumed import FileMark, KnownObservation
from pipeline.observations.observation import Place, SessionKey
from pipeline.proposal.ledgers import check_ledger, new_known, new_marks
from pipeline.wiki.ledger import FILES, record_session, render_aside, render_marks, session_path

KEY = SessionKey("default", "acme", "s1")
RECORD = session_path(KEY)
MARK = FileMark("day1.jsonl", 120, 2, "a" * 64)
ONE, TWO = (KnownObservation(name, "d", Place("day1.jsonl", number)) for number, name in enumerate(("x", "y"), 1))


def record(*known: KnownObservation) -> dict[str, bytes]:
    return record_session({}, KEY, observations=known, prompt="p", model="m", page="acme/s.md")


def told(
    after: dict[str, bytes], before: dict[str, bytes] | None = None, published: dict[str, bytes] | None = None
) -> list[str]:
    return [f"{one.where}: {one.message}" for one in check_ledger(after, after, (before or {}, published or {}))]


def test_what_a_run_writes_passes() -> None:
    assert told({**record(ONE, TWO), **render_marks({}, {MARK.file: MARK}), **render_aside({}, ())}) == []
    assert told({"acme/page.md": b"garbage\n"}) == []


@pytest.mark.parametrize(
    ("path", "raw", "why"),
    [
        (FILES, b"garbage\n", "not JSON"),
        (FILES, b'{"file": "a", "bytes": -1, "lines": 1, "digest": "d"}\n', "'bytes' must be"),
        (RECORD, b'{"a": 1}\n', "'file' must be"),
        (RECORD, b"<<<<<<< ours\n", "unsolved merge"),
        (RECORD, record(ONE)[RECORD] * 2, "more than one line"),
        (".ledger/aside.jsonl", b"[]\n", "not a JSON object"),
        (".ledger/other.jsonl", b'{"a": 1}\n', "no file that the ledger has"),
        (".ledger/sessions/acme/evil.jsonl", record(ONE)[RECORD], "a file of another name"),
    ],
)
def test_what_cannot_be_read_is_refused_unless_it_stood_so(path: str, raw: bytes, why: str) -> None:
    (found,) = told({path: raw})
    assert found.startswith(f"{path}: ")
    assert why in found
    assert told({path: raw}, {path: raw}) == []
    assert told({path: raw}, {}, {path: raw}) == []


def test_beside_a_broken_line_of_a_person_new_lines_may_stand_twice() -> None:
    before = {RECORD: b"mine\n" + record(ONE)[RECORD]}
    after = {RECORD: before[RECORD] + record(TWO)[RECORD]}
    assert told(after, before) == []
    assert told({RECORD: after[RECORD] + b"more\n"}, before) != []


def test_marks_are_new_that_stand_in_no_state_before() -> None:
    after = render_marks({}, {MARK.file: MARK, "b.jsonl": FileMark("b.jsonl", 1, 1, "b")})
    published = render_marks({}, {MARK.file: MARK})
    assert [one.file for one in new_marks(after, ({}, published))] == ["b.jsonl"]
    assert new_marks({}, (after,)) == ()


def test_observations_are_new_that_no_state_of_their_record_knows() -> None:
    after = record(ONE, TWO)
    assert new_known(after, after, (record(ONE), {})) == ((RECORD, TWO),)
    assert new_known(after, after, ({}, after)) == ()
    assert new_known(after, (), ({},)) == ()
