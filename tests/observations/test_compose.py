from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ObservationError
from pipeline.observations.compose import compose_line
from pipeline.observations.observation import Place, SessionKey
from pipeline.observations.parsing.parse import parse_line

TS = datetime(2026, 1, 5, 12, 17, 31, tzinfo=UTC)
PLACE = Place("a.jsonl", 1)


def test_a_line_is_canonical() -> None:
    line = compose_line(ts=TS, session_id="s1", project="web", body="Grüße\n🎉", kind="decision", tags=("b", "a"))
    assert (
        line
        == (
            '{"body": "Grüße\\n🎉", "importance": 5, "kind": "decision", "project": "web", "role": "user",'
            ' "session_id": "s1", "tags": ["b", "a"], "ts": "2026-01-05T12:17:31Z"}\n'
        ).encode()
    )


def test_a_line_reads_as_what_was_meant() -> None:
    line = compose_line(
        ts=datetime(2026, 1, 5, 13, 17, 31, 459_123, tzinfo=timezone(timedelta(hours=1))), session_id="s1",
        project="web", title="Cookies", body="Because.", role="assistant", kind="decision", author="dana",
        agent_kind="codex", workspace="north", tags=("auth",), files=("a.py",), importance=9, own_id="o1",
    )  # fmt: skip
    read = parse_line(line, PLACE, default_project="other")
    assert read.ts == TS.replace(microsecond=459_123)
    assert read.session == SessionKey("north", "web", "s1")
    assert (read.id, read.title, read.body, read.role) == ("o1", "Cookies", "Because.", "assistant")
    assert (read.kind, read.author, read.agent_kind, read.importance) == ("decision", "dana", "codex", 9)
    assert (read.tags, read.files, read.extra, read.naive_time) == (("auth",), ("a.py",), {}, False)


@given(st.text(st.characters(), min_size=1).filter(str.strip), st.text(st.characters()))
def test_any_text_makes_one_line_that_is_utf8(body: str, author: str) -> None:
    try:
        line = compose_line(ts=TS, session_id="s1", project="web", body=body, author=author)
    except ObservationError as fault:
        assert fault.message == "it has neither a title nor a text"  # noqa: PT017  # only texts without a visible sign
        return
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    line.decode()


def test_what_could_not_be_read_again_is_refused() -> None:
    with pytest.raises(ObservationError, match="neither a title nor a text"):
        compose_line(ts=TS, session_id="s1", project="web")
    with pytest.raises(ObservationError, match="no session id"):
        compose_line(ts=TS, session_id=" ", project="web", body="x")
    with pytest.raises(ObservationError, match="has no zone"):
        compose_line(ts=TS.replace(tzinfo=None), session_id="s1", project="web", body="x")
    with pytest.raises(ObservationError, match=r"not in 1\.\.10"):
        compose_line(ts=TS, session_id="s1", project="web", body="x", importance=11)
