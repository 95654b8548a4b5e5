from __future__ import annotations

import gzip
import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ObservationError, StoreError
from pipeline.observations.consumed import EMPTY_DIGEST, Aside, FileMark
from pipeline.observations.inbox import lines
from pipeline.observations.inbox.folder import Listing, read_blocks
from pipeline.observations.observation import Place, SessionKey
from tests.observations.inboxes import Inbox, line

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.finding import Finding


def digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=32).hexdigest()


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path)


def rules(findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    return [(finding.where, finding.rule, finding.severity) for finding in findings]


# What is read


def test_files_are_read_at_any_depth_in_the_order_of_their_paths(inbox: Inbox) -> None:
    inbox.write("b.jsonl", line(1))
    inbox.write("a/deep/er/x.jsonl.gz", gzip.compress(line(2)))
    inbox.write("a/y.JSONL", line(3))
    for other in (".hidden.jsonl", ".git/x.jsonl", "a/.cache/x.jsonl", "notes.md", "x.json", "jsonl", "x.jsonl.bak"):
        inbox.write(other, line(9))
    seen, intake = inbox.consume()
    assert [one.place for one in seen] == [
        Place("b.jsonl", 1),
        Place("a/deep/er/x.jsonl.gz", 1),
        Place("a/y.JSONL", 1),
    ]
    assert (intake.files, intake.files_with_news, intake.lines, intake.observations) == (3, 3, 3, 3)
    assert sorted(inbox.marks) == ["a/deep/er/x.jsonl.gz", "a/y.JSONL", "b.jsonl"]


def test_a_mark_covers_the_unpacked_bytes(inbox: Inbox) -> None:
    raw = line(1) + b"\n" + line(2)
    inbox.write("a.jsonl", raw)
    inbox.write("b.jsonl.gz", gzip.compress(raw.replace(b"text", b"more")))
    inbox.consume()
    other = raw.replace(b"text", b"more")
    assert inbox.marks == {
        "a.jsonl": FileMark("a.jsonl", len(raw), 3, digest(raw)),
        "b.jsonl.gz": FileMark("b.jsonl.gz", len(other), 3, digest(other)),
    }


def test_one_session_over_several_files_is_chronological(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(5), line(1), line(3, "s2"))
    inbox.write("b.jsonl", line(4), line(2), line(5, body="at the same time"))
    with inbox.read() as news:
        sessions = list(news.sessions())
        assert [(one.key.session_id, one.observations_count) for one in sessions] == [("s1", 5), ("s2", 1)]
        bodies = [one.body for one in news.observations(sessions[0].key)]
    assert bodies == ["text 1", "text 2", "text 4", "text 5", "at the same time"]


def test_sessions_come_by_their_first_news_then_by_key(inbox: Inbox) -> None:
    inbox.write(
        "a.jsonl", line(2, "b"), line(1, "z"), line(2, "a"), line(2, "a", project="zz"), line(2, "a", workspace="w")
    )
    with inbox.read() as news:
        keys = [one.key for one in news.sessions()]
    assert keys == [
        SessionKey("default", "acme", "z"),
        SessionKey("default", "acme", "a"),
        SessionKey("default", "acme", "b"),
        SessionKey("default", "zz", "a"),
        SessionKey("w", "acme", "a"),
    ]


def test_observations_come_back_as_they_were_read(inbox: Inbox) -> None:
    inbox.write(
        "a.jsonl",
        line(1, id="o1", title="T", author="dana", role="assistant", kind="decision", importance=8, tags=["a", "b"],
             files=["x.py"], agent="codex", branch={"name": "main", "n": [1, None, 2.5]}),
        line(2, ts="2026-01-05T12:17:31.459123", body="half \ud83c"),
    )  # fmt: skip
    first, second = inbox.consume()[0]
    assert (first.id, first.title, first.author, first.role, first.kind) == ("o1", "T", "dana", "assistant", "decision")
    assert (first.importance, first.tags, first.files, first.agent_kind) == (8, ("a", "b"), ("x.py",), "codex")
    assert (first.extra, first.place) == ({"branch": {"name": "main", "n": [1, None, 2.5]}}, Place("a.jsonl", 1))
    assert second.ts.isoformat() == "2026-01-05T12:17:31.459123+00:00"
    assert (second.body, second.naive_time) == ("half \ufffd", True)


def test_only_redacted_text_leaves_the_inbox(inbox: Inbox) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 4
    inbox.write("a.jsonl", line(1, secret, body=f"key {secret}", env={"password": "hunter2"}, id=secret))
    with inbox.read() as news:
        pending = next(news.sessions())
        (observation,) = news.observations(pending.key)
        spooled = inbox.spool.read_bytes()
        assert news.intake.redactions == {"github-token": 2, "password": 1}
    assert observation.body == "key [REDACTED:github-token]"
    assert observation.extra == {"env": {"password": "[REDACTED:password]"}}
    assert pending.key.session_id == "[REDACTED:github-token]"
    assert secret not in repr(observation)
    assert secret.encode() not in spooled
    inbox.consume()
    assert inbox.consume()[0] == []


# What is set aside

MALFORMED: tuple[tuple[bytes, str], ...] = (
    (b"no json\n", "it is not JSON (column 1)"),
    (b'"text"\n', "it is no JSON object but a text"),
    (b'{"body":"\xff"}\n', "it is not UTF-8 (byte 10)"),
    (b'{"a":\x00\x00}\n', "it holds NUL bytes, as a crashed append leaves them"),
    (b'{"a":' + b"[" * 50_000 + b"\n", "it is nested more than 100 levels deep"),
    (line(1, ""), "it has no session id"),
    (line(1, "x" * 201), "its session id is longer than 200 characters"),
)


@pytest.mark.parametrize(("raw", "reason"), MALFORMED)
def test_a_bad_line_costs_only_itself(inbox: Inbox, raw: bytes, reason: str) -> None:
    inbox.write("a.jsonl", line(1), raw, line(2))
    seen, intake = inbox.consume()
    assert [one.place.line for one in seen] == [1, 3]
    assert rules(intake.set_aside) == [("a.jsonl:2", "line-set-aside", "warning")]
    assert intake.set_aside[0].message == f"the line is set aside: {reason}."
    assert inbox.aside == [Aside("a.jsonl", 2, reason)]
    assert intake.lines == 3
    assert inbox.marks["a.jsonl"].lines == 3


def test_a_strict_run_stops_at_the_first_bad_line(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), b"no json\n", b"nor this\n")
    with pytest.raises(ObservationError) as caught:
        inbox.read(strict=True)
    assert caught.value.where == "a.jsonl:2"
    assert "not JSON" in caught.value.message
    assert caught.value.next_step
    assert not inbox.spool.exists()


def test_blank_lines_and_nuls_between_lines_are_nothing(inbox: Inbox) -> None:
    raw = b"\n \t\r\n" + line(1) + bytes(300) + b"\n" + bytes(200) + line(2).strip() + bytes(9) + b"\r\n\n"
    inbox.write("a.jsonl", raw)
    seen, intake = inbox.consume()
    assert [(one.place.line, one.body) for one in seen] == [(3, "text 1"), (5, "text 2")]
    assert (intake.lines, intake.set_aside) == (2, ())
    assert inbox.marks["a.jsonl"].bytes == len(raw)


def test_a_bom_and_crlf_are_read(inbox: Inbox) -> None:
    inbox.write("a.jsonl", b"\xef\xbb\xbf", line(1).replace(b"\n", b"\r\n"), line(2).replace(b"\n", b"\r\n"))
    assert [one.body for one in inbox.consume()[0]] == ["text 1", "text 2"]


def test_a_line_that_is_too_long_is_set_aside(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    inbox.write("a.jsonl", line(1), line(2, body="x" * 5000), line(3))
    seen, intake = inbox.consume()
    assert [one.place.line for one in seen] == [1, 3]
    assert "longer than" in intake.set_aside[0].message


def test_a_line_of_many_megabytes_is_read(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, body="words and more " * 200_000), line(2))
    seen, _ = inbox.consume()
    assert len(seen[0].body) == 200_000 * 15 - 1
    assert inbox.marks["a.jsonl"].lines == 2


def test_times_without_a_zone_are_counted(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, ts="2026-01-05 12:00:00"), line(2))
    assert inbox.consume()[1].naive_times == 1


# Duplicates and conflicts


def test_the_same_content_twice_is_one_observation(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(1), line(2, id="o1"))
    inbox.write("b.jsonl", line(1).replace(b": ", b":"), line(2, id="o1"))
    seen, intake = inbox.consume()
    assert [one.place for one in seen] == [Place("a.jsonl", 1), Place("a.jsonl", 3)]
    assert (intake.lines, intake.observations, intake.duplicates) == (5, 2, 3)
    assert {mark.file: mark.lines for mark in inbox.marks.values()} == {"a.jsonl": 3, "b.jsonl": 2}


def test_one_id_with_other_content_is_a_conflict_and_the_first_stands(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, id="o1"), line(2, id="o1"))
    inbox.write("b.jsonl", line(3, id="o1"), line(1, id="o1"))
    seen, intake = inbox.consume()
    assert [one.body for one in seen] == ["text 1"]
    assert rules(intake.conflicts) == [
        ("a.jsonl:2", "id-conflict", "warning"),
        ("b.jsonl:1", "id-conflict", "warning"),
    ]
    assert all("a.jsonl:1" in finding.message for finding in intake.conflicts)
    assert (intake.set_aside, intake.duplicates, intake.lines) == ((), 1, 4)
    assert [(one.file, one.line) for one in inbox.aside] == [("a.jsonl", 2), ("b.jsonl", 1)]
    with pytest.raises(ObservationError, match=r"a\.jsonl:1"):
        Inbox(inbox.root).read(strict=True)


def test_a_known_id_is_a_duplicate_or_a_conflict_in_a_later_run_too(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, id="o1"))
    inbox.consume()
    inbox.write("b.jsonl", line(1, id="o1"), line(2, id="o1"), line(3))
    seen, intake = inbox.consume()
    assert [one.body for one in seen] == ["text 3"]
    assert (intake.duplicates, rules(intake.conflicts)) == (1, [("b.jsonl:2", "id-conflict", "warning")])


# What is consumed


def test_a_second_run_has_no_news_and_asks_for_nothing(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), b"bad\n", line(2, "s2"))
    inbox.write("b.jsonl.gz", gzip.compress(line(3)))
    inbox.consume()
    marks, asked = dict(inbox.marks), inbox.asked
    with inbox.read() as news:
        assert list(news.sessions()) == []
        assert (news.marks(), news.aside()) == ({}, ())
        intake = news.intake
    assert (intake.files, intake.files_with_news, intake.lines, intake.set_aside) == (2, 0, 0, ())
    assert (inbox.marks, inbox.asked) == (marks, asked)


def test_what_was_appended_alone_is_news(inbox: Inbox) -> None:
    inbox.write("a.jsonl", *(line(number) for number in range(5)), line(9, "s2"))
    inbox.consume()
    inbox.append("a.jsonl", line(10, "s2"), line(11, "s2"))
    seen, intake = inbox.consume()
    assert [(one.place.line, one.session.session_id) for one in seen] == [(7, "s2"), (8, "s2")]
    assert (intake.lines, intake.duplicates, intake.broken_promises) == (2, 0, ())
    assert inbox.marks["a.jsonl"].lines == 8


def test_a_grown_gzip_file_is_read_from_where_it_was(inbox: Inbox) -> None:
    inbox.write("a.jsonl.gz", gzip.compress(line(1)))
    inbox.consume()
    inbox.append("a.jsonl.gz", gzip.compress(line(2)))
    seen, intake = inbox.consume()
    assert ([one.place.line for one in seen], intake.broken_promises) == ([2], ())


def test_a_file_is_consumed_up_to_the_first_line_that_waits(inbox: Inbox) -> None:
    raw = [line(1, "good"), b"bad\n", b"\n", line(2, "failing"), line(3, "good"), b"bad\n"]
    inbox.write("a.jsonl", *raw)
    inbox.consume(failing=frozenset({"failing"}))
    before = b"".join(raw[:3])
    assert inbox.marks["a.jsonl"] == FileMark("a.jsonl", len(before), 3, digest(before))
    seen, intake = inbox.consume()
    assert [one.session.session_id for one in seen] == ["failing"]
    assert (intake.lines, intake.duplicates, len(intake.set_aside)) == (3, 1, 1)
    assert inbox.marks["a.jsonl"].lines == 6


def test_nothing_settled_leaves_no_mark(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1))
    with inbox.read() as news:
        assert news.marks() == {}


def test_lines_without_a_session_are_consumed_at_once(inbox: Inbox) -> None:
    inbox.write("a.jsonl", b"bad\n\n")
    inbox.write("b.jsonl", line(1))
    with inbox.read() as news:
        assert news.marks() == {"a.jsonl": FileMark("a.jsonl", 5, 2, digest(b"bad\n\n"))}


def test_a_duplicate_waits_for_the_session_of_its_first(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, "failing"))
    inbox.write("b.jsonl", line(2, "good"), line(1, "failing"))
    inbox.consume(failing=frozenset({"failing"}))
    assert {mark.file: mark.lines for mark in inbox.marks.values()} == {"b.jsonl": 1}
    (inbox.folder / "a.jsonl").unlink()
    seen, intake = inbox.consume()
    assert [one.place for one in seen] == [Place("b.jsonl", 2)]
    assert intake.broken_promises == ()


# The last line


@pytest.mark.parametrize("tail", [b"{", line(2)[:-3], b"half a wo", b'"text"', b"\xc3", b'{"a": 1} {'])
def test_a_last_line_that_does_not_parse_waits(inbox: Inbox, tail: bytes) -> None:
    inbox.write("a.jsonl", line(1), tail)
    seen, intake = inbox.consume()
    assert len(seen) == 1
    assert (intake.unfinished, intake.lines, intake.set_aside) == (1, 2, ())
    assert inbox.marks["a.jsonl"].bytes == len(line(1))


def test_a_last_line_is_read_when_it_is_finished(inbox: Inbox) -> None:
    raw = line(2)
    inbox.write("a.jsonl", line(1), raw[:10])
    inbox.consume()
    inbox.append("a.jsonl", raw[10:], line(3))
    assert [one.place.line for one in inbox.consume()[0]] == [2, 3]


def test_a_last_line_without_its_break_is_read_when_it_parses(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2).rstrip())
    assert [one.place.line for one in inbox.consume()[0]] == [1, 2]
    assert inbox.marks["a.jsonl"].lines == 2
    inbox.append("a.jsonl", b"\r\n", line(3))
    seen, intake = inbox.consume()
    assert [one.place.line for one in seen] == [3]
    assert (intake.lines, inbox.marks["a.jsonl"].lines) == (1, 3)


def test_a_line_appended_without_a_break_before_it_is_not_lost(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1).rstrip())
    inbox.consume()
    inbox.append("a.jsonl", line(2))
    assert [(one.place.line, one.body) for one in inbox.consume()[0]] == [(1, "text 2")]


@pytest.mark.parametrize("tail", [b"  ", b"\x00\x00", b"\r"])
def test_a_blank_tail_may_still_become_a_line(inbox: Inbox, tail: bytes) -> None:
    inbox.write("a.jsonl", line(1), tail)
    _, intake = inbox.consume()
    assert (intake.unfinished, inbox.marks["a.jsonl"].bytes) == (0, len(line(1)))
    inbox.append("a.jsonl", line(2))
    assert [one.place.line for one in inbox.consume()[0]] == [2]


# Broken promises


def consumed(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), b"\n", line(3, id="o3"), b"bad\n", line(5), line(6))
    inbox.consume()
    inbox.aside.clear()


BROKEN: tuple[tuple[list[bytes], int, str, list[str]], ...] = (
    ([line(1, body="other"), b"\n", line(3, id="o3"), b"bad\n", line(5), line(6)], 1, "changed", ["other"]),
    ([line(1), b"\n", line(3, id="o3", body="other"), b"bad\n", line(5), line(6)], 3, "changed", []),
    ([line(1), b"\n", line(3, id="o3"), b"bad\n", b"torn\n", line(6)], 5, "changed", []),
    ([line(1), b"\n", line(3, id="o3"), b"bad\n", b"\n", line(6)], 5, "changed", []),
    ([line(1), line(2), line(3, id="o3"), b"bad\n", line(5), line(6)], 2, "changed", ["text 2"]),
    ([line(1), b"\n", line(3, id="o3"), b"bad\n", line(6), line(5)], 5, "changed", []),
    ([line(1), b"\n", line(3, id="o3"), b"bad\n", line(6)], 5, "changed", []),
    ([line(1), b"\n", line(3, id="o3"), b"bad\n", line(5)], 6, "cut off", []),
    ([line(1), b"\n", line(3, id="o3"), b"bad\n", line(5), line(6)[:20]], 6, "cut off", []),
    ([], 1, "cut off", []),
    ([line(1), b"\n", line(3, id="o3"), b"other\n", line(5), line(6)], 2, "no observation did", []),
    (
        [line(1)[:-1] + b" \n", b"\n", line(3, id="o3"), b"bad\n", line(5), line(6), line(7)],
        2,
        "no observation did",
        ["text 7"],
    ),
)


@pytest.mark.parametrize(("raw", "number", "told", "news"), BROKEN)
def test_changed_bytes_are_a_broken_promise_and_new_lines_are_read(
    inbox: Inbox, raw: list[bytes], number: int, told: str, news: list[str]
) -> None:
    consumed(inbox)
    inbox.write("a.jsonl", *raw)
    seen, intake = inbox.consume()
    assert rules(intake.broken_promises) == [(f"a.jsonl:{number}", "changed-after-consolidation", "error")]
    assert told in intake.broken_promises[0].message
    assert [one.body for one in seen] == news
    assert any(one.line == number and told in one.reason for one in inbox.aside)
    quiet, after = inbox.consume()
    assert (quiet, after.broken_promises, after.set_aside) == ([], (), ())


def test_a_file_that_is_gone_is_a_broken_promise_once(inbox: Inbox) -> None:
    consumed(inbox)
    (inbox.folder / "a.jsonl").unlink()
    intake = inbox.consume()[1]
    assert rules(intake.broken_promises) == [("a.jsonl:1", "changed-after-consolidation", "error")]
    assert inbox.marks["a.jsonl"] == FileMark("a.jsonl", 0, 0, EMPTY_DIGEST)
    assert inbox.aside == [Aside("a.jsonl", 1, "the file is gone after it was consolidated")]
    assert inbox.consume()[1].broken_promises == ()


def test_a_file_that_comes_back_brings_only_what_is_new(inbox: Inbox) -> None:
    consumed(inbox)
    raw = (inbox.folder / "a.jsonl").read_bytes()
    (inbox.folder / "a.jsonl").unlink()
    inbox.consume()
    inbox.write("a.jsonl", raw, line(7))
    seen, intake = inbox.consume()
    assert ([one.body for one in seen], intake.duplicates, intake.broken_promises) == (["text 7"], 4, ())


def test_a_file_that_moved_brings_no_observation_twice(inbox: Inbox) -> None:
    consumed(inbox)
    (inbox.folder / "a.jsonl").rename(inbox.folder / "b.jsonl")
    seen, intake = inbox.consume()
    assert (seen, intake.duplicates) == ([], 4)
    assert rules(intake.broken_promises) == [("a.jsonl:1", "changed-after-consolidation", "error")]


def test_a_folder_that_is_missing_is_no_broken_promise(inbox: Inbox) -> None:
    with inbox.read() as news:
        assert (news.intake.files, list(news.sessions())) == (0, [])
    consumed(inbox)
    inbox.folder.rename(inbox.root / "elsewhere")
    with pytest.raises(StoreError, match="folder is missing"):
        inbox.read()


# Files


def test_a_damaged_gzip_gives_its_whole_lines(inbox: Inbox) -> None:
    packed = gzip.compress(b"".join(line(number, noise=os.urandom(99).hex()) for number in range(300)))
    inbox.write("a.jsonl.gz", packed[: len(packed) // 2])
    inbox.write("b.jsonl", line(900))
    seen, intake = inbox.consume()
    assert 100 < len(seen) < 200
    assert rules(intake.set_aside) == [("a.jsonl.gz", "damaged-gzip", "warning")]
    inbox.write("a.jsonl.gz", packed)
    more, intake = inbox.consume()
    assert len(seen) + len(more) == 301
    assert (intake.set_aside, intake.broken_promises) == ((), ())


def test_a_file_that_is_not_there_any_more_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        list(read_blocks(Listing(tmp_path), "a.jsonl", lambda _: None))


def test_a_file_that_cannot_be_read_costs_only_itself(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1))
    inbox.write("b.jsonl", line(2))
    inbox.consume()
    (inbox.folder / "a.jsonl").chmod(0)
    if os.access(inbox.folder / "a.jsonl", os.R_OK):
        pytest.skip("root reads everything")
    inbox.append("b.jsonl", line(3))
    seen, intake = inbox.consume()
    assert [one.body for one in seen] == ["text 3"]
    assert rules(intake.set_aside) == [("a.jsonl", "unreadable-file", "error")]
    assert (intake.broken_promises, inbox.marks["a.jsonl"].lines) == ((), 1)


def test_links_are_followed_within_the_folder_only(inbox: Inbox) -> None:
    inbox.write("real/a.jsonl", line(1))
    outside = inbox.root / "outside"
    outside.mkdir()
    (outside / "x.jsonl").write_bytes(line(2))
    (inbox.folder / "in.jsonl").symlink_to(inbox.folder / "real" / "a.jsonl")
    (inbox.folder / "out.jsonl").symlink_to(outside / "x.jsonl")
    (inbox.folder / "none.jsonl").symlink_to(inbox.folder / "missing.jsonl")
    (inbox.folder / "folder").symlink_to(outside)
    (inbox.folder / "loop").symlink_to(inbox.folder)
    seen, intake = inbox.consume()
    assert [one.place.file for one in seen] == ["in.jsonl"]
    assert intake.duplicates == 1
    assert rules(intake.set_aside) == [
        ("none.jsonl", "unreadable-file", "warning"),
        ("out.jsonl", "link-outside", "warning"),
    ]


def test_the_folder_itself_may_be_a_link(inbox: Inbox) -> None:
    real = inbox.root / "real"
    real.mkdir()
    (real / "a.jsonl").write_bytes(line(1))
    inbox.folder.symlink_to(real)
    assert [one.place.file for one in inbox.consume()[0]] == ["a.jsonl"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_is_not_opened(inbox: Inbox) -> None:
    inbox.folder.mkdir()
    os.mkfifo(inbox.folder / "a.jsonl")
    assert rules(inbox.consume()[1].set_aside) == [("a.jsonl", "unreadable-file", "warning")]


@pytest.mark.parametrize("name", [b"a\nb.jsonl", b"\xff.jsonl", b"a\x1b[0m.jsonl"])
def test_a_name_that_cannot_be_cited_is_told(inbox: Inbox, name: bytes) -> None:
    inbox.folder.mkdir()
    try:
        (inbox.folder / os.fsdecode(name)).write_bytes(line(1))
    except OSError:
        pytest.skip("this file system refuses the name")
    seen, intake = inbox.consume()
    assert (seen, [finding.rule for finding in intake.set_aside]) == ([], ["unusable-file-name"])
    assert intake.set_aside[0].where.isprintable()


# The spool


def test_the_spool_is_gone_after_the_run(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1))
    inbox.spool.write_bytes(b"what a killed run left")
    with inbox.read() as news:
        assert inbox.spool.exists()
        assert len(list(news.sessions())) == 1
    assert sorted(path.name for path in inbox.root.iterdir()) == ["observations"]


def test_a_spool_that_cannot_be_made_is_told(inbox: Inbox) -> None:
    inbox.spool.mkdir()
    (inbox.spool / "x").write_bytes(b"")
    with pytest.raises(StoreError, match="cannot be"):
        inbox.read()


def test_sessions_can_be_settled_while_they_are_given(inbox: Inbox) -> None:
    inbox.write("a.jsonl", *(line(number, f"s{number}") for number in range(50)))
    with inbox.read() as news:
        marks = []
        for pending in news.sessions():
            assert len(news.observations(pending.key)) == 1
            news.settle(pending.key)
            marks.append(news.marks()["a.jsonl"].lines)
    assert marks == list(range(1, 51))
