from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.observations.inbox.lines import LineReader
from tests.observations.inboxes import Inbox, line

GOOD = st.builds(
    lambda number, session, ends: line(number, session).rstrip() + ends,
    st.integers(0, 5),
    st.sampled_from(["s1", "s2"]),
    st.sampled_from([b"\n", b"\r\n", b" \n"]),
)
OWN_ID = st.builds(lambda number, own: line(number, id=own), st.integers(0, 2), st.sampled_from(["o1", "o2"]))
BAD = st.binary(max_size=12).map(lambda raw: b"!" + raw.replace(b"\n", b" ") + b"\n")
BLANK = st.sampled_from([b"\n", b"  \n", b"\r\n", b"\x00\x00\n"])
LINES = st.lists(GOOD | OWN_ID | BAD | BLANK, max_size=8)


def non_blank(raw: bytes) -> int:
    found = [part.removeprefix(b"\xef\xbb\xbf") if not number else part for number, part in enumerate(raw.split(b"\n"))]
    return sum(bool(part.strip(b"\x00 \t\r\n\x0b\x0c")) for part in found)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(LINES.map(b"".join), st.binary(max_size=60)), min_size=1, max_size=3), st.booleans())
def test_any_files_are_read_and_every_line_is_accounted_for_once(files: list[bytes], packed: bool) -> None:  # noqa: FBT001
    with tempfile.TemporaryDirectory() as folder:
        inbox = Inbox(Path(folder))
        for number, raw in enumerate(files):
            inbox.write(f"{number}.jsonl" + ".gz" * packed, gzip.compress(raw) if packed else raw)
        seen, intake = inbox.consume()
        accounted = (
            intake.observations + intake.duplicates + len(intake.conflicts) + len(intake.set_aside) + intake.unfinished
        )
        assert accounted == intake.lines == sum(map(non_blank, files))
        assert len(seen) == intake.observations
        assert len(inbox.aside) == len(intake.conflicts) + len(intake.set_aside)
        again, after = inbox.consume()
        assert (again, after.lines, after.broken_promises) == ([], intake.unfinished, ())


@settings(max_examples=60, deadline=None)
@given(LINES, st.lists(st.integers(0, 1000), max_size=4), st.booleans())
def test_a_file_may_grow_at_any_byte(parts: list[bytes], cuts: list[int], bom: bool) -> None:  # noqa: FBT001
    raw = b"\xef\xbb\xbf" * bom + b"".join(parts)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        whole, growing = Inbox(Path(folder)), Inbox(Path(other))
        whole.write("a.jsonl", raw)
        at_once, intake = whole.consume()
        seen = []
        for cut in sorted({min(cut, len(raw)) for cut in cuts} | {len(raw)}):
            growing.write("a.jsonl", raw[:cut])
            news, run = growing.consume()
            assert run.broken_promises == ()
            seen += news
        assert sorted(map(repr, seen)) == sorted(map(repr, at_once))
        assert sorted(growing.aside) == sorted(whole.aside)
        assert growing.marks == whole.marks
        assert intake.unfinished == 0


@settings(max_examples=50, deadline=None)
@given(st.lists(LINES.map(b"".join), min_size=1, max_size=3), st.lists(st.sampled_from(["s1", "s2", ""]), max_size=3))
def test_sessions_that_fail_for_a_while_lose_nothing(files: list[bytes], failing: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        smooth, rough = Inbox(Path(folder)), Inbox(Path(other))
        for number, raw in enumerate(files):
            smooth.write(f"{number}.jsonl", raw)
            rough.write(f"{number}.jsonl", raw)
        smooth.consume()
        for session in failing:
            rough.consume(failing=frozenset({session}))
        rough.consume()
        assert sorted(map(repr, rough.known)) == sorted(map(repr, smooth.known))
        assert rough.marks == smooth.marks
        assert set(rough.aside) == set(smooth.aside)


@settings(max_examples=60, deadline=None)
@given(LINES.map(b"".join), LINES.map(b"".join))
def test_a_file_that_was_rewritten_is_told_and_its_new_lines_are_read(before: bytes, after: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        inbox = Inbox(Path(folder))
        inbox.write("a.jsonl", before)
        inbox.consume()
        mark = inbox.marks.get("a.jsonl")
        inbox.write("a.jsonl", after)
        _, intake = inbox.consume()
        kept = mark is None or LineReader([after]).skip(mark)
        assert len(intake.broken_promises) == (0 if kept else 1)
        assert len({one.id for one in inbox.known}) == len(inbox.known)
        again, quiet = inbox.consume()
        assert (again, quiet.broken_promises) == ([], ())
