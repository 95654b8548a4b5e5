from __future__ import annotations

import gzip
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.observations.inbox import again as second_look
from pipeline.observations.inbox.folder import read_blocks
from pipeline.observations.observation import SessionKey
from tests.observations.inbox.test_inbox_properties import LINES
from tests.observations.inboxes import Inbox, line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.observations.inbox.folder import Listing
    from pipeline.observations.observation import Observation

S1, S2 = SessionKey("default", "acme", "s1"), SessionKey("default", "acme", "s2")
AGAIN = frozenset({S1})


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path)


def told(seen: list[Observation]) -> list[tuple[str, str]]:
    return [(str(one.place), one.body) for one in seen]


# What is given


def test_a_session_is_given_whole_and_in_its_order(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(3), line(5, "s2"), b"no json\n", line(1))
    inbox.write("b.jsonl.gz", gzip.compress(b"\xef\xbb\xbf" + line(2) + b"\n" + line(0, "s2") + line(9)))
    inbox.consume()
    marks, aside = dict(inbox.marks), list(inbox.aside)
    with inbox.read(again=AGAIN) as news:
        (pending,) = news.sessions()
        assert (pending.key, pending.observations_count, pending.again) == (S1, 4, True)
        assert [one.body for one in news.observations(S1)] == ["text 1", "text 2", "text 3", "text 9"]
        assert [str(one.place) for one in news.observations(S1)] == [
            "a.jsonl:4",
            "b.jsonl.gz:1",
            "a.jsonl:1",
            "b.jsonl.gz:4",
        ]
        intake = news.intake
        assert (intake.reread, intake.files, intake.files_with_news) == (4, 2, 0)
        assert (intake.lines, intake.observations, intake.duplicates, intake.set_aside) == (0, 0, 0, ())
        assert (news.marks(), news.aside()) == ({}, ())
        news.settle(S1)
        assert (news.marks(), news.aside()) == ({}, ())
    assert inbox.consume()[0] == []
    assert (inbox.marks, inbox.aside) == (marks, aside)


def test_new_lines_come_with_the_known_ones_and_alone_move_marks(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2, "s2"))
    inbox.consume()
    before = dict(inbox.marks)
    inbox.append("a.jsonl", line(0), line(3, "s2"), line(1))
    inbox.write("b.jsonl", line(4))
    with inbox.read(again=AGAIN) as news:
        assert [(one.key, one.observations_count, one.again) for one in news.sessions()] == [
            (S1, 3, True),
            (S2, 1, False),
        ]
        assert [one.body for one in news.observations(S1)] == ["text 0", "text 1", "text 4"]
        assert (news.intake.observations, news.intake.reread, news.intake.duplicates) == (3, 1, 1)
        assert (news.intake.lines, news.intake.files_with_news) == (4, 2)
        assert news.marks() == {}
        news.settle(S2)
        assert news.marks() == {}
        news.settle(S1)
        marks = news.marks()
    assert (before["a.jsonl"].lines, marks["a.jsonl"].lines, marks["b.jsonl"].lines) == (2, 5, 1)


def test_known_lines_behind_one_that_waits_are_no_duplicates(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, "s2"), line(2), line(3))
    inbox.consume(failing=frozenset({"s2"}))
    assert inbox.marks == {}
    with inbox.read(again=AGAIN) as news:
        assert [(one.key, one.again) for one in news.sessions()] == [(S2, False), (S1, True)]
        assert (news.intake.reread, news.intake.duplicates, news.intake.lines) == (2, 0, 1)
        news.settle(S1)
        assert news.marks() == {}
        news.settle(S2)
        assert news.marks()["a.jsonl"].lines == 3


def test_two_sessions_and_a_stranger(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2, "s2"))
    inbox.consume()
    with inbox.read(again=frozenset({S1, S2, SessionKey("default", "acme", "s3")})) as news:
        assert [one.key for one in news.sessions()] == [S1, S2]
        assert news.intake.reread == 2


def test_secrets_stay_out_and_their_session_is_found(inbox: Inbox) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 4
    inbox.write("a.jsonl", line(1, secret, body=f"key {secret}", id=secret), line(2))
    inbox.consume()
    key = SessionKey("default", "acme", "[REDACTED:github-token]")
    with inbox.read(again=frozenset({key})) as news:
        (observation,) = news.observations(key)
        assert observation.body == "key [REDACTED:github-token]"
        assert secret not in repr(observation)
        assert secret.encode() not in inbox.spool.read_bytes()
        # They were told when the line was new.
        assert (news.intake.reread, news.intake.redactions) == (1, {})


def test_a_session_keeps_its_name_when_the_settings_give_it_another(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1))
    inbox.consume()
    inbox.append("a.jsonl", line(2))
    seen, _ = inbox.consume(again=AGAIN, project="other")
    assert [(one.session.project, one.body) for one in seen] == [("acme", "text 1"), ("other", "text 2")]


# What is read


def test_only_files_of_the_session_are_read_again(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox.write("a.jsonl", line(1))
    inbox.write("b.jsonl", line(2, "s2"))
    inbox.write("c.jsonl", line(3), line(4, "s2"))
    inbox.consume()
    asked, read = inbox.asked, []

    def watched(listing: Listing, file: str, tell: Callable[[str], None]) -> Iterator[bytes]:
        read.append(file)
        return read_blocks(listing, file, tell)

    monkeypatch.setattr(second_look, "read_blocks", watched)
    assert told(inbox.consume(again=AGAIN)[0]) == [("a.jsonl:1", "text 1"), ("c.jsonl:1", "text 3")]
    assert read == ["a.jsonl", "c.jsonl"]
    read.clear()
    assert inbox.consume()[0] == []
    assert (read, inbox.asked) == ([], asked)


def test_an_observation_is_given_once_from_where_it_was_consolidated(inbox: Inbox) -> None:
    inbox.write("b.jsonl", line(1), line(1), line(2))
    inbox.write("c.jsonl", line(2))
    inbox.consume()
    inbox.write("a.jsonl", line(2), line(1))
    seen, intake = inbox.consume(again=AGAIN)
    assert told(seen) == [("b.jsonl:1", "text 1"), ("b.jsonl:3", "text 2")]
    assert (intake.reread, intake.observations, intake.duplicates, intake.conflicts) == (2, 0, 0, ())
    assert inbox.marks["a.jsonl"].lines == 2


def test_a_conflict_stays_aside(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1, id="o1"), line(2, id="o1"))
    inbox.consume()
    aside = list(inbox.aside)
    seen, intake = inbox.consume(again=AGAIN)
    assert (told(seen), intake.conflicts, intake.reread) == ([("a.jsonl:1", "text 1")], (), 1)
    assert inbox.aside == aside
    inbox.append("a.jsonl", line(3, id="o1"))
    seen, intake = inbox.consume(again=AGAIN)
    assert (told(seen), len(intake.conflicts)) == ([("a.jsonl:1", "text 1")], 1)


def test_what_was_consumed_but_never_consolidated_is_given_too(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2), line(3, "s2"))
    inbox.consume()
    # As a session that was parked leaves it, or a line of the ledger that was lost.
    (lost,) = (one for one in inbox.sessions[S1].values() if one.place.line == 2)
    del inbox.sessions[S1][lost.id]
    inbox.known.remove(lost)
    inbox.append("a.jsonl", line(2))
    with inbox.read(again=AGAIN) as news:
        assert told(list(news.observations(S1))) == [("a.jsonl:1", "text 1"), ("a.jsonl:2", "text 2")]
        assert (news.intake.reread, news.intake.observations, news.intake.duplicates) == (2, 0, 1)
        assert news.marks() == {}, "the copy is not consumed before the session is"
        news.settle(S1)
        assert news.marks()["a.jsonl"].lines == 4


def test_a_last_line_without_its_end_is_given(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2).rstrip())
    inbox.consume()
    inbox.append("a.jsonl", b"\n", line(3))
    assert [one.body for one in inbox.consume(again=AGAIN)[0]] == ["text 1", "text 2", "text 3"]


# When files are not what they were


def test_a_file_that_is_gone_costs_only_its_own_observations(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1))
    inbox.write("b.jsonl", line(2))
    inbox.consume()
    (inbox.folder / "a.jsonl").unlink()
    seen, intake = inbox.consume(again=AGAIN)
    assert told(seen) == [("b.jsonl:1", "text 2")]
    assert [finding.where for finding in intake.broken_promises] == ["a.jsonl:1"]
    seen, intake = inbox.consume(again=AGAIN)
    assert (told(seen), intake.broken_promises) == ([("b.jsonl:1", "text 2")], ())
    (inbox.folder / "b.jsonl").unlink()
    seen, intake = inbox.consume(again=AGAIN)
    assert (seen, intake.reread) == ([], 0)


@pytest.mark.parametrize("settled", [False, True])
def test_a_file_that_was_packed_under_another_name_is_found(inbox: Inbox, *, settled: bool) -> None:
    inbox.write("a.jsonl", line(1), line(2, "s2"))
    inbox.consume()
    (inbox.folder / "a.jsonl").unlink()
    inbox.write("old/a.jsonl.gz", gzip.compress(line(1) + line(2, "s2")))
    if settled:
        assert inbox.consume()[1].duplicates == 2
    seen, intake = inbox.consume(again=AGAIN)
    assert told(seen) == [("old/a.jsonl.gz:1", "text 1")]
    assert (intake.reread, intake.duplicates, len(intake.broken_promises)) == (1, not settled, not settled)


def test_a_line_that_was_changed_is_news_and_the_broken_promise_is_told(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2), line(3, "s2"))
    inbox.consume()
    inbox.write("a.jsonl", line(1), line(2, body="another"), line(3, "s2"))
    with inbox.read(again=AGAIN) as news:
        assert told(list(news.observations(S1))) == [("a.jsonl:1", "text 1"), ("a.jsonl:2", "another")]
        assert [finding.where for finding in news.intake.broken_promises] == ["a.jsonl:2"]
        assert (news.intake.reread, news.intake.observations, news.intake.duplicates) == (1, 1, 1)


def test_a_file_that_was_cut_off_gives_what_is_left(inbox: Inbox) -> None:
    inbox.write("a.jsonl", line(1), line(2))
    inbox.consume()
    inbox.write("a.jsonl", line(1))
    seen, intake = inbox.consume(again=AGAIN)
    assert told(seen) == [("a.jsonl:1", "text 1")]
    assert [finding.where for finding in intake.broken_promises] == ["a.jsonl:2"]


# Whatever happened before


@settings(max_examples=80, deadline=None)
@given(
    st.lists(LINES.map(b"".join), min_size=1, max_size=3),
    st.lists(LINES.map(b"".join), min_size=3, max_size=3),
    st.sampled_from(["", "s1", "s2"]),
    st.sampled_from(["", "s1", "s2"]),
    st.sets(st.sampled_from([S1, S2]), min_size=1),
)
def test_taking_sessions_again_changes_nothing_else(
    files: list[bytes], more: list[bytes], failing: str, fails_again: str, some: set[SessionKey]
) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        plain, taken = Inbox(Path(folder)), Inbox(Path(other))
        for inbox in (plain, taken):
            for number, raw in enumerate(files):
                inbox.write(f"{number}.jsonl", raw)
            inbox.consume(failing=frozenset({failing}))
            for number, raw in enumerate(files):
                inbox.write(f"{number}.jsonl", raw + more[number])
        before = {key: dict(known) for key, known in plain.sessions.items()}
        news, quiet = plain.consume(failing=frozenset({fails_again}))
        seen, intake = taken.consume(failing=frozenset({fails_again}), again=frozenset(some))
        known = {one.id: one.place for key in some for one in before.get(key, {}).values()}
        given = {one.id: one.place for one in seen}
        assert len(given) == len(seen)
        assert given == {**known, **{one.id: one.place for one in news}}
        assert [one.ts for one in seen if one.session == S1] == sorted(one.ts for one in seen if one.session == S1)
        assert (taken.marks, taken.aside) == (plain.marks, plain.aside)
        assert intake.reread == len(known)
        same = replace(intake, reread=0, lines=quiet.lines, duplicates=quiet.duplicates)
        assert replace(same, files_with_news=quiet.files_with_news) == quiet
        assert quiet.lines - intake.lines == quiet.duplicates - intake.duplicates >= 0
