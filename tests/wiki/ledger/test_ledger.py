from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.observations.consumed import Aside, FileMark, KnownObservation
from pipeline.observations.observation import Place, SessionKey
from pipeline.wiki import ledger
from pipeline.wiki.ledger.session_record import Attempt, SessionRecord, fingerprint

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

KEY = SessionKey("default", "Acme Shop", "7f4c-1")
AT = datetime(2026, 11, 30, 8, tzinfo=UTC)
PATH = ledger.session_path(KEY)

texts = st.text(max_size=20)
names = st.text(min_size=1, max_size=20)
counts = st.integers(0, 10**12)
marks = st.builds(FileMark, file=names, bytes=counts, lines=counts, digest=names)
known = st.builds(KnownObservation, id=names, digest=names, place=st.builds(Place, file=names, line=counts))
keys = st.builds(SessionKey, names, names, names)


def observation(number: int, file: str = "a.jsonl") -> KnownObservation:
    return KnownObservation(f"id-{number}", f"digest-{number}", Place(file, number))


def done(
    files: dict[str, bytes],
    *numbers: int,
    model: str = "extractive",
    key: SessionKey = KEY,
    prompt: str = "v1",
    provisional: bool = False,
) -> dict[str, bytes]:
    changed = ledger.record_session(
        files,
        key,
        observations=map(observation, numbers),
        prompt=prompt,
        model=model,
        page="acme/sessions/s.md",
        provisional=provisional,
    )
    return {**files, **changed}


def lines(raw: bytes) -> list[dict[str, Json]]:
    assert raw.endswith(b"\n")
    return [json.loads(line) for line in raw.removesuffix(b"\n").split(b"\n")]


def mark(file: str, size: int) -> FileMark:
    return FileMark(file, size, size // 10, f"digest-{size}")


# Marks


def test_marks_are_written_one_a_line_and_sorted() -> None:
    files = ledger.render_marks({}, {one.file: one for one in (mark("b.jsonl", 20), mark("a/ü.jsonl", 10))})
    assert files == {
        ".ledger/files.jsonl": (
            '{"bytes": 10, "digest": "digest-10", "file": "a/ü.jsonl", "lines": 1}\n'
            '{"bytes": 20, "digest": "digest-20", "file": "b.jsonl", "lines": 2}\n'
        ).encode()
    }


def test_new_marks_replace_old_ones_and_the_rest_stays() -> None:
    files = ledger.render_marks({}, {one.file: one for one in (mark("a", 10), mark("b", 20))})
    files = ledger.render_marks(files, {"b": mark("b", 30)})
    assert ledger.read_marks(files) == {"a": mark("a", 10), "b": mark("b", 30)}


def test_marks_that_say_nothing_new_write_nothing() -> None:
    files = ledger.render_marks({}, {"a": mark("a", 10)})
    assert ledger.render_marks(files, {}) == {}
    assert ledger.render_marks(files, {"a": mark("a", 10)}) == {}
    assert ledger.render_marks({}, {}) == {}


@given(st.lists(marks, max_size=8))
def test_marks_survive_writing_and_reading(some: list[FileMark]) -> None:
    wanted = {one.file: one for one in some}
    files = ledger.render_marks({}, wanted)
    assert ledger.read_marks(files) == wanted
    assert ledger.findings(files) == ()


def test_of_two_marks_the_smaller_counts_whatever_their_order() -> None:
    one, other = (ledger.render_marks({}, {"a": mark("a", size)})[ledger.FILES] for size in (100, 70))
    for raw in (one + other, other + one):
        files = {ledger.FILES: raw}
        assert ledger.read_marks(files) == {"a": mark("a", 70)}
        assert [(found.where, found.rule) for found in ledger.findings(files)] == [
            (".ledger/files.jsonl:2", "ledger-double-line")
        ]


def test_an_unsolved_merge_is_read_from_both_sides() -> None:
    ours, theirs, base = (ledger.render_marks({}, {"a": mark("a", size)})[ledger.FILES] for size in (100, 70, 50))
    also = ledger.render_marks({}, {"b": mark("b", 10)})[ledger.FILES]
    raw = b"<<<<<<< HEAD\n" + ours + b"||||||| base\n" + base + b"=======\n" + theirs + b">>>>>>> side\n" + also
    files = {ledger.FILES: raw}
    assert ledger.read_marks(files) == {"a": mark("a", 50), "b": mark("b", 10)}
    rules = [found.rule for found in ledger.findings(files)]
    assert (rules.count("ledger-merge-mark"), rules.count("ledger-double-line")) == (4, 2)
    healed = {**files, **ledger.render_marks(files, {})}
    assert ledger.findings(healed) == ()
    assert ledger.read_marks(healed) == ledger.read_marks(files)


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b'{"file": "x", "bytes": -1, "lines": 0, "digest": "d"}',
        b'{"file": "x", "bytes": true, "lines": 0, "digest": "d"}',
        b'{"file": "x", "bytes": 1.5, "lines": 0, "digest": "d"}',
        b'{"file": "", "bytes": 1, "lines": 0, "digest": "d"}',
        b'{"file": "x", "bytes": 1, "lines": 0}',
        b'{"bytes": 1, "lines": 0, "digest": "d"}',
        b"\xff\xfe",
        b"\0" * 10,
        b"[" * 100_000,
    ],
)
def test_a_broken_mark_costs_itself_alone(line: bytes) -> None:
    good = ledger.render_marks({}, {"a": mark("a", 10)})[ledger.FILES]
    files = {ledger.FILES: line + b"\n" + good}
    assert ledger.read_marks(files) == {"a": mark("a", 10)}
    (found,) = ledger.findings(files)
    assert (found.where, found.rule, found.severity) == (".ledger/files.jsonl:1", "ledger-broken-line", "warning")


def test_a_byte_order_mark_carriage_returns_and_blank_lines_are_tolerated() -> None:
    good = ledger.render_marks({}, {"a": mark("a", 10)})[ledger.FILES]
    files = {ledger.FILES: b"\xef\xbb\xbf\r\n" + good.replace(b"\n", b"\r\n") + b"\r\n"}
    assert ledger.read_marks(files) == {"a": mark("a", 10)}
    assert ledger.findings(files) == ()


# Lines set aside


def test_lines_set_aside_add_up_without_doubles() -> None:
    first = ledger.render_aside({}, [Aside("b", 2, "no JSON"), Aside("a", 1, "no time")])
    again = {**first, **ledger.render_aside(first, [Aside("a", 1, "no time"), Aside("a", 1, "changed afterwards")])}
    assert ledger.read_aside(again) == (
        Aside("a", 1, "changed afterwards"),
        Aside("a", 1, "no time"),
        Aside("b", 2, "no JSON"),
    )
    assert ledger.render_aside(again, [Aside("b", 2, "no JSON")]) == {}


# Sessions


def test_a_session_is_written_first_and_its_observations_by_place() -> None:
    head, *rest = lines(done({}, 3, 1, 2)[PATH])
    assert head == {
        "attempts": [],
        "fingerprint": fingerprint(["id-1", "id-2", "id-3"], "v1", "extractive"),
        "model": "extractive",
        "page": "acme/sessions/s.md",
        "project": "Acme Shop",
        "prompt": "v1",
        "session_id": "7f4c-1",
        "state": "done",
        "waiting": [],
        "workspace": "default",
    }
    assert rest == [
        {"digest": f"digest-{number}", "file": "a.jsonl", "id": f"id-{number}", "line": number} for number in (1, 2, 3)
    ]


def test_the_path_of_a_session_is_readable_and_its_own() -> None:
    assert PATH.startswith(".ledger/sessions/acme-shop/7f4c-1-")
    assert len(PATH.rpartition("-")[2].removesuffix(".jsonl")) == 8
    others = [
        SessionKey("default", "acme-shop", "7f4c-1"),
        SessionKey("other", "Acme Shop", "7f4c-1"),
        SessionKey("default", "Acme Shop", "7F4C-1"),
    ]
    assert len({PATH, *map(ledger.session_path, others)}) == 4


def test_what_was_recorded_before_stays() -> None:
    files = done(done({}, 1, 2), 3)
    assert [one.id for one in ledger.read_known(files)] == ["id-1", "id-2", "id-3"]
    record = ledger.read_session(files, KEY)
    assert record is not None
    assert record.fingerprint == fingerprint(["id-1", "id-2", "id-3"], "v1", "extractive")


def test_recording_the_same_again_writes_nothing() -> None:
    files = done({}, 1, 2)
    assert done(files, 2, 1) == files
    assert done(files, 2, 1, model="other") != files


@given(st.lists(known, max_size=6, unique_by=lambda one: one.id), keys, texts, texts, texts, st.booleans())
def test_a_session_survives_writing_and_reading(  # noqa: PLR0917  # what stands in a record
    some: list[KnownObservation],
    key: SessionKey,
    prompt: str,
    model: str,
    page: str,
    provisional: bool,  # noqa: FBT001
) -> None:
    files = ledger.record_session(
        {}, key, observations=some, prompt=prompt, model=model, page=page, provisional=provisional
    )
    record = ledger.read_session(files, key)
    assert record is not None
    assert record.provisional == provisional
    assert ledger.provisional(files) == ({key} if provisional else set())
    assert (record.key, record.state, record.prompt, record.model, record.page) == (key, "done", prompt, model, page)
    assert set(record.observations) == set(some) == set(ledger.read_known(files)) == set(ledger.known_of(files, key))
    assert list(ledger.sessions(files)) == [record]
    assert ledger.findings(files) == ()


def test_a_lone_surrogate_survives() -> None:
    odd = KnownObservation("a\ud800", "d", Place("f", 1))
    files = ledger.record_session({}, KEY, observations=[odd], prompt="", model="", page="")
    assert list(ledger.read_known(files)) == [odd]


def test_a_fingerprint_knows_ids_prompt_and_model_but_no_order() -> None:
    same = fingerprint(["b", "a"], "v1", "m")
    assert same == fingerprint(["a", "b"], "v1", "m")
    others = [
        fingerprint(["a"], "v1", "m"),
        fingerprint(["ab"], "v1", "m"),
        fingerprint(["a", "b"], "v2", "m"),
        fingerprint(["a", "b"], "v1", "n"),
        fingerprint(["a", "b", "v1"], "m", ""),
    ]
    assert same not in others
    assert len(set(others)) == len(others)


def test_a_broken_line_costs_its_observation_alone() -> None:
    files = done({}, 1, 2, 3)
    head, one, two, three = files[PATH].splitlines(keepends=True)
    files[PATH] = head + one + two[:20] + b"\n" + b"<<<<<<< HEAD\n" + three
    assert [known_one.id for known_one in ledger.read_known(files)] == ["id-1", "id-3"]
    assert [(found.where, found.rule) for found in ledger.findings(files)] == [
        (f"{PATH}:3", "ledger-broken-line"),
        (f"{PATH}:4", "ledger-merge-mark"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"state": "finished"},
        {"state": None},
        {"project": ""},
        {"attempts": {}},
        {"attempts": ["x"]},
        {"attempts": [{"at": "yesterday", "reason": "r"}]},
        {"attempts": [{"reason": "r"}]},
        {"page": 3},
    ],
)
def test_a_broken_first_line_forgets_no_observation(change: dict[str, Json]) -> None:
    files = done({}, 1, 2)
    head, *rest = lines(files[PATH])
    files[PATH] = b"".join(json.dumps(line).encode() + b"\n" for line in ({**head, **change}, *rest))
    assert ledger.read_session(files, KEY) is None
    assert [one.id for one in ledger.read_known(files)] == ["id-1", "id-2"]
    assert [found.rule for found in ledger.findings(files)] == ["ledger-broken-line"]
    again = done(files, 3)
    assert [one.id for one in ledger.read_known(again)] == ["id-1", "id-2", "id-3"]


# Failures


def fail(files: dict[str, bytes], number: int, *, most: int = 3) -> dict[str, bytes]:
    attempt = Attempt(AT + timedelta(days=number), f"the model\nanswered nonsense {number}")
    return {**files, **ledger.record_failure(files, KEY, attempt, most=most, waiting=["b.jsonl", "a.jsonl"])}


def record_in(files: dict[str, bytes]) -> SessionRecord:
    record = ledger.read_session(files, KEY)
    assert record is not None
    return record


def test_a_session_fails_until_it_is_parked() -> None:
    files = fail(fail({}, 1), 2)
    assert (record_in(files).state, len(record_in(files).attempts), record_in(files).waiting) == ("failing", 2, ())
    files = fail(files, 3)
    record = record_in(files)
    assert (record.state, record.waiting) == ("parked", ("a.jsonl", "b.jsonl"))
    assert record.attempts[0] == Attempt(AT + timedelta(days=1), "the model answered nonsense 1")


def test_success_ends_the_count_of_failures() -> None:
    files = done(fail(fail(done({}, 1), 1), 2), 2)
    assert (record_in(files).state, record_in(files).attempts) == ("done", ())
    assert record_in(fail(files, 1)).state == "failing"
    assert [one.id for one in record_in(fail(files, 1)).observations] == ["id-1", "id-2"]


def test_a_parked_session_remembers_what_it_passes_over() -> None:
    files = fail({}, 1, most=1)
    files.update(ledger.hold(files, KEY, ["c.jsonl"]))
    assert (record_in(files).state, record_in(files).waiting) == ("parked", ("a.jsonl", "b.jsonl", "c.jsonl"))
    assert ledger.hold(files, KEY, ["c.jsonl"]) == {}


def test_a_retry_reads_again_what_was_passed_over() -> None:
    files = ledger.render_marks({}, {file: mark(file, 10) for file in ("a.jsonl", "b.jsonl", "z.jsonl")})
    files = fail(files, 1, most=1)
    freed = {**files, **ledger.unpark(files, KEY)}
    assert (record_in(freed).state, record_in(freed).attempts, record_in(freed).waiting) == ("failing", (), ())
    assert set(ledger.read_marks(freed)) == {"z.jsonl"}
    assert ledger.unpark(freed, KEY) == {}


def test_a_retry_of_a_session_that_has_pages_leaves_them_done() -> None:
    files = fail(done({}, 1), 1, most=1)
    freed = {**files, **ledger.unpark(files, KEY)}
    assert (record_in(freed).state, [one.id for one in record_in(freed).observations]) == ("done", ["id-1"])


def test_nothing_to_retry_writes_nothing() -> None:
    assert ledger.unpark({}, KEY) == {}
    assert ledger.unpark(done({}, 1), KEY) == {}


def test_a_long_reason_is_cut() -> None:
    files = ledger.record_failure({}, KEY, Attempt(AT, "word " * 1_000), most=3, waiting=[])
    (attempt,) = record_in(files).attempts
    assert len(attempt.reason) == 500


# Sessions that are taken again

OTHER = SessionKey("default", "Acme Shop", "other")


def test_what_is_provisional_says_so_in_its_first_line_alone() -> None:
    head, *rest = lines(done({}, 1, 2, provisional=True)[PATH])
    plain, *same = lines(done({}, 1, 2)[PATH])
    assert head == {**plain, "provisional": True}
    assert rest == same
    assert "provisional" not in plain


def test_only_provisional_sessions_are_named_until_the_model_took_them() -> None:
    files = done(done({}, 1, provisional=True), 2, key=OTHER)
    assert ledger.provisional(files) == {KEY}
    assert ledger.findings(files) == ()
    assert ledger.provisional(done(files, 1, model="real")) == set()
    assert ledger.provisional({}) == set()


def test_sessions_of_another_prompt_or_model_are_outdated() -> None:
    files = done(done({}, 1), 2, key=OTHER, model="real")
    assert ledger.outdated(files, prompt="v1", model="extractive") == {OTHER}
    assert ledger.outdated(files, prompt="v1", model="real") == {KEY}
    assert ledger.outdated(files, prompt="v2", model="real") == {KEY, OTHER}
    files = done(files, 1, provisional=True)
    assert ledger.outdated(files, prompt="v1", model="extractive") == {KEY, OTHER}
    assert ledger.outdated({}, prompt="v1", model="extractive") == set()


def test_a_session_without_pages_is_not_outdated() -> None:
    files = fail({}, 1)
    assert ledger.outdated(files, prompt="v2", model="real") == set()


def test_a_failure_keeps_what_stands_and_that_it_is_provisional() -> None:
    files = fail(done({}, 1, 2, provisional=True), 1)
    record = record_in(files)
    assert (record.state, record.provisional, record.page) == ("failing", True, "acme/sessions/s.md")
    assert [one.id for one in record.observations] == ["id-1", "id-2"]
    assert ledger.provisional(files) == ledger.outdated(files, prompt="v1", model="extractive") == {KEY}


def test_a_parked_session_is_taken_again_once_it_is_free() -> None:
    files = fail(done({}, 1, provisional=True), 1, most=1)
    assert record_in(files).provisional
    assert ledger.provisional(files) == ledger.outdated(files, prompt="v2", model="real") == set()
    files.update(ledger.hold(files, KEY, ["c.jsonl"]))
    files.update(ledger.unpark(files, KEY))
    assert record_in(files).state == "done"
    assert ledger.provisional(files) == ledger.outdated(files, prompt="v1", model="extractive") == {KEY}


def test_a_session_that_was_taken_again_holds_each_observation_once_and_where_it_stands_now() -> None:
    files = done({}, 1, 2)
    moved = replace(observation(2), place=Place("packed.jsonl.gz", 9))
    seen = [moved, observation(3)]
    files.update(ledger.record_session(files, KEY, observations=seen, prompt="v2", model="real", page="s.md"))
    assert set(record_in(files).observations) == {observation(1), moved, observation(3)}
    assert record_in(files).fingerprint == fingerprint(["id-1", "id-2", "id-3"], "v2", "real")
    assert ledger.known_of(files, OTHER) == ()


@pytest.mark.parametrize("value", [1, "true", None, []])
def test_what_is_neither_true_nor_false_breaks_the_first_line(value: Json) -> None:
    files = done({}, 1)
    head, *rest = lines(files[PATH])
    files[PATH] = b"".join(json.dumps(line).encode() + b"\n" for line in ({**head, "provisional": value}, *rest))
    assert [(found.where, found.rule) for found in ledger.findings(files)] == [(f"{PATH}:1", "ledger-broken-line")]
    assert [one.id for one in ledger.known_of(files, KEY)] == ["id-1"]


@pytest.mark.parametrize("swap", [False, True])
def test_what_one_side_of_a_merge_calls_provisional_is_so(*, swap: bool) -> None:
    sides = [done({}, 1, provisional=True)[PATH], done({}, 1, 2, model="real")[PATH]]
    files = {PATH: b"".join(reversed(sides) if swap else sides)}
    assert record_in(files).provisional
    settled = ledger.settle_merges(files)
    assert ledger.findings(settled) == ()
    assert record_in(settled) == record_in(files)
    assert ledger.provisional(settled) == {KEY}


# Merges of one session


def test_two_sides_that_both_went_on_add_up() -> None:
    one, other = done(done({}, 1), 2)[PATH], done(done({}, 1), 3)[PATH]
    files = {PATH: one + other}
    assert sorted(known_one.id for known_one in ledger.read_known(files)) == ["id-1", "id-2", "id-3"]
    assert record_in(files).state == "done"
    assert len(list(ledger.sessions(files))) == 1
    assert [found.rule for found in ledger.findings(files)] == ["ledger-double-line"]


@pytest.mark.parametrize("swap", [False, True])
def test_what_one_side_parked_is_not_taken_for_done(*, swap: bool) -> None:
    sides = [done({}, 1)[PATH], fail({}, 1, most=1)[PATH]]
    files = {PATH: b"".join(reversed(sides) if swap else sides)}
    record = record_in(files)
    assert (record.state, record.waiting, len(record.attempts)) == ("parked", ("a.jsonl", "b.jsonl"), 1)
    assert [one.id for one in record.observations] == ["id-1"]


def test_what_one_side_brought_to_an_end_fails_no_more() -> None:
    files = {PATH: fail({}, 1)[PATH] + done({}, 1)[PATH]}
    assert (record_in(files).state, record_in(files).attempts) == ("done", ())


def test_a_run_settles_what_a_merge_left_in_a_record() -> None:
    one, other = done(done({}, 1), 2)[PATH], done(done({}, 1), 3)[PATH]
    for raw in (one + other, b"<<<<<<< HEAD\n" + one + b"=======\n" + other + b">>>>>>> side\n"):
        settled = ledger.settle_merges({PATH: raw})
        assert ledger.findings(settled) == ()
        assert sorted(known_one.id for known_one in ledger.read_known(settled)) == ["id-1", "id-2", "id-3"]
        assert ledger.settle_merges(settled) == {}


def test_a_record_with_a_broken_line_is_not_written_anew() -> None:
    whole = done({}, 1, 2)[PATH]
    assert ledger.settle_merges({PATH: whole + b"<<<<<<< HEAD\n" + whole[:20] + b"\n"}) == {}
