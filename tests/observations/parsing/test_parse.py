from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ObservationError
from pipeline.observations.observation import Place, SessionKey
from pipeline.observations.parsing.parse import LONGEST_NAME, parse_line

if TYPE_CHECKING:
    from pipeline.observations.observation import Json, Observation

PLACE = Place("team/2026-01-05.jsonl", 7)
LEAST: dict[str, Json] = {"ts": "2026-01-05T12:17:31Z", "session_id": "s1", "body": "text"}


def parse(**fields: Json) -> Observation:
    return parse_line(json.dumps({**LEAST, **fields}).encode(), PLACE, default_project="acme")


def parse_only(fields: dict[str, Json]) -> Observation:
    return parse_line(json.dumps(fields).encode(), PLACE, default_project="acme")


def reason_of(raw: bytes) -> str:
    with pytest.raises(ObservationError) as caught:
        parse_line(raw, PLACE, default_project="acme")
    assert caught.value.where == "team/2026-01-05.jsonl:7"
    return caught.value.message


def test_the_least_line_takes_every_default() -> None:
    observation = parse()
    assert observation.id == observation.digest
    assert len(observation.digest) == 40
    assert observation.ts == datetime(2026, 1, 5, 12, 17, 31, tzinfo=UTC)
    assert observation.session == SessionKey("default", "acme", "s1")
    assert (observation.agent_kind, observation.author, observation.role) == ("unknown", "", "user")
    assert (observation.kind, observation.title, observation.body) == ("note", "", "text")
    assert (observation.importance, observation.tags, observation.files) == (5, (), ())
    assert (observation.place, observation.naive_time, observation.extra) == (PLACE, False, {})


def test_a_full_line_keeps_every_field() -> None:
    observation = parse(
        id="o1",
        project="web",
        workspace="north",
        agent_kind="codex",
        author="dana",
        role="assistant",
        kind="decision",
        title="Cookies",
        importance=8,
        tags=["auth", "web", "auth"],
        files=["a.py", "b.py"],
        branch="main",
    )
    assert observation.id == "o1"
    assert observation.session == SessionKey("north", "web", "s1")
    assert (observation.agent_kind, observation.author, observation.role) == ("codex", "dana", "assistant")
    assert (observation.kind, observation.title, observation.importance) == ("decision", "Cookies", 8)
    assert (observation.tags, observation.files) == (("auth", "web"), ("a.py", "b.py"))
    assert observation.extra == {"branch": "main"}


def test_an_exporters_line_of_an_agent_is_read_as_it_is() -> None:
    observation = parse_only(
        {
            "id": "e77a9581",
            "session_id": "s1",
            "timestamp": "2026-01-05T12:17:31.459Z",
            "author": "claude-code",
            "on_behalf_of": "dana",
            "type": "assistant_text",
            "branch": "main",
            "cwd": "/home/dana/cli",
            "text": "Done.",
        }
    )
    assert (observation.role, observation.agent_kind, observation.author) == ("assistant", "claude-code", "claude-code")
    assert (observation.kind, observation.body) == ("assistant_text", "Done.")
    assert observation.extra == {"on_behalf_of": "dana", "branch": "main", "cwd": "/home/dana/cli"}


def test_an_exporters_line_of_a_person_is_read_as_it_is() -> None:
    observation = parse_only(
        {"session_id": "s1", "timestamp": 1767615451459, "author": "dana", "type": "user_prompt", "text": "Why?"}
    )
    assert (observation.role, observation.agent_kind, observation.author) == ("user", "unknown", "dana")
    assert observation.kind == "user_prompt"


def test_a_line_of_claude_code_is_read_as_it_is() -> None:
    observation = parse_only(
        {
            "type": "assistant",
            "uuid": "u1",
            "sessionId": "s1",
            "timestamp": "2026-01-05T12:17:31.459Z",
            "cwd": "/x",
            "message": {
                "id": "msg_1",
                "role": "assistant",
                "content": [{"type": "text", "text": "I edit."}, {"type": "tool_use", "name": "Edit", "input": {}}],
            },
        }
    )
    assert (observation.id, observation.role, observation.kind) == ("u1", "assistant", "assistant")
    assert observation.body == "I edit.\n[tool_use: Edit]"
    assert observation.extra == {"cwd": "/x", "message": {"id": "msg_1"}}


SPELLINGS: tuple[tuple[dict[str, Json], str, Json], ...] = (
    ({"timestamp": "2026-02-01T00:00:00Z"}, "ts", "2026-02-01T00:00:00+00:00"),
    ({"created_at": "2026-02-01T00:00:00Z"}, "ts", "2026-02-01T00:00:00+00:00"),
    ({"time": "2026-02-01T00:00:00Z"}, "ts", "2026-02-01T00:00:00+00:00"),
    ({"date": "2026-02-01T00:00:00Z"}, "ts", "2026-02-01T00:00:00+00:00"),
    ({"createdAt": "2026-02-01T00:00:00Z"}, "ts", "2026-02-01T00:00:00+00:00"),
    ({"sessionId": "s9"}, "session_id", "s9"),
    ({"session": "s9"}, "session_id", "s9"),
    ({"conversation_id": "s9"}, "session_id", "s9"),
    ({"conversationId": "s9"}, "session_id", "s9"),
    ({"thread_id": "s9"}, "session_id", "s9"),
    ({"session": {"id": "s9", "title": "x"}}, "session_id", "s9"),
    ({"session": 12}, "session_id", "12"),
    ({"content": "said"}, "body", "said"),
    ({"text": "said"}, "body", "said"),
    ({"message": "said"}, "body", "said"),
    ({"summary": "said"}, "body", "said"),
    ({"narrative": "said"}, "body", "said"),
    ({"description": "said"}, "body", "said"),
    ({"message": {"role": "user", "content": "said"}}, "body", "said"),
    ({"message": {"parts": [{"text": "said"}]}}, "body", "said"),
    ({"content": "", "text": " ", "summary": "said"}, "body", "said"),
    ({"user": "dana"}, "author", "dana"),
    ({"by": "dana"}, "author", "dana"),
    ({"username": "dana"}, "author", "dana"),
    ({"author": {"name": "dana", "email": "d@host.example"}}, "author", "dana"),
    ({"agent": "codex"}, "agent_kind", "codex"),
    ({"agentKind": "codex"}, "agent_kind", "codex"),
    ({"tool": "codex"}, "agent_kind", "codex"),
    ({"type": "tool_result", "tool": "Bash"}, "agent_kind", "unknown"),
    ({"event": "decision"}, "kind", "decision"),
    ({"kind": "decision", "type": "user_prompt"}, "kind", "decision"),
    ({"project_name": "web"}, "project", "web"),
    ({"project": {"id": 3, "name": "web"}}, "project", "web"),
    ({"project": ""}, "project", "acme"),
    ({"project": None}, "project", "acme"),
    ({"workspace": "  "}, "workspace", "default"),
    ({"headline": "A\ntitle"}, "title", "A title"),
    ({"tags": "auth, web,,auth"}, "tags", ["auth", "web"]),
    ({"labels": ["a", 1]}, "tags", ["a", "1"]),
    ({"file_path": "a, b.py"}, "files", ["a, b.py"]),
)


@pytest.mark.parametrize(("fields", "name", "expected"), SPELLINGS)
def test_common_spellings_are_read(fields: dict[str, Json], name: str, expected: Json) -> None:
    taken = {"ts": {"ts"}, "session_id": {"session_id"}, "body": {"body"}}.get(name, set())
    observation = parse_only({**{key: value for key, value in LEAST.items() if key not in taken}, **fields})
    read = {
        "ts": observation.ts.isoformat(),
        "session_id": observation.session.session_id,
        "body": observation.body,
        "author": observation.author,
        "agent_kind": observation.agent_kind,
        "kind": observation.kind,
        "project": observation.session.project,
        "workspace": observation.session.workspace,
        "title": observation.title,
        "tags": list(observation.tags),
        "files": list(observation.files),
    }
    assert read[name] == expected


ROLES: tuple[tuple[dict[str, Json], str], ...] = (
    ({"role": "assistant"}, "assistant"),
    ({"role": "AI"}, "assistant"),
    ({"role": "model"}, "assistant"),
    ({"role": "human"}, "user"),
    ({"role": "developer"}, "system"),
    ({"role": "toolResult"}, "tool"),
    ({"role": "reviewer"}, "user"),
    ({"role": "user", "type": "assistant_text"}, "user"),
    ({"type": "user_prompt"}, "user"),
    ({"type": "assistant_text"}, "assistant"),
    ({"type": "agent_message"}, "assistant"),
    ({"type": "tool_result"}, "tool"),
    ({"type": "post_tool_use"}, "tool"),
    ({"type": "tool.execution_complete"}, "tool"),
    ({"type": "PostToolUse"}, "tool"),
    ({"type": "session.start"}, "system"),
    ({"type": "decision"}, "user"),
    ({"kind": "decision", "type": "assistant_text"}, "assistant"),
    ({"author": "claude-code"}, "assistant"),
    ({"author": "Claude Code"}, "assistant"),
    ({"author": "claudia"}, "user"),
    ({"type": "user", "body": [{"type": "tool_result", "content": "x"}]}, "tool"),
    ({"message": {"role": "assistant"}}, "assistant"),
)


@pytest.mark.parametrize(("fields", "role"), ROLES)
def test_the_role_is_found(fields: dict[str, Json], role: str) -> None:
    assert parse(**fields).role == role


IMPORTANCE: tuple[tuple[Json, int], ...] = (
    (1, 1),
    (10, 10),
    (0, 1),
    (-5, 1),
    (11, 10),
    (10**30, 10),
    (7.6, 8),
    ("7", 7),
    ("high", 8),
    (" LOW ", 3),
    (True, 5),
    (None, 5),
    ("very", 5),
    ([], 5),
    ("nan", 5),
    ("inf", 5),
)


@pytest.mark.parametrize(("given", "expected"), IMPORTANCE)
def test_importance_is_rounded_and_clamped(given: Json, expected: int) -> None:
    assert parse(importance=given).importance == expected


def test_what_cannot_be_used_stays_in_extra() -> None:
    kept: dict[str, Json] = {
        "importance": "very",
        "tags": [{"a": 1}],
        "role": "reviewer",
        "author": "x" * 201,
        "id": None,
    }
    assert parse(**kept).extra == kept


def test_a_usable_spelling_counts_before_an_unusable_one() -> None:
    observation = parse(ts="soon", timestamp="2026-02-01T00:00:00Z")
    assert observation.ts == datetime(2026, 2, 1, tzinfo=UTC)
    assert observation.extra == {"ts": "soon"}


def test_a_time_without_a_zone_is_told() -> None:
    assert parse(ts="2026-01-05T12:17:31").naive_time


def test_texts_are_cleaned_everywhere() -> None:
    observation = parse(
        body="red \x1b[31mword\x1b[0m\r\n\ud83c",
        title="a\x00b",
        author="d\x07ana",
        tags=["x\ud83c"],
        branch={"k\x00": "v\x1b[0m"},
    )
    assert observation.body == "red word\n\ufffd"
    assert (observation.title, observation.author, observation.tags) == ("ab", "dana", ("x\ufffd",))
    assert observation.extra == {"branch": {"k": "v"}}


def test_nothing_is_cut() -> None:
    assert parse(body="x" * 1_000_000).body == "x" * 1_000_000
    assert parse(title="x" * 10_000).title == "x" * 10_000


READABLE: tuple[tuple[bytes, str], ...] = (
    (b'{"ts":1767615451,"session_id":"s","body":"a"}\r\n', "a"),
    (b'\x00\x00{"ts":1767615451,"session_id":"s","body":"a"}\x00\x00', "a"),
    (b'{"ts":1767615451,"session_id":"s","body":"a\tb"}', "a\tb"),
    (b'{"ts":1767615451,"session_id":"s","body":"x","body":"last"}', "last"),
    (b'{"ts":1767615451,"session_id":"s","body":"a","score":NaN,"other":-Infinity}', "a"),
    (b'{"ts":1767615451,"session_id":"s","body":"a","score":1e999}', "a"),
    (b'{"ts":1767615451,"session_id":"s","body":"\\ud83c"}', "\ufffd"),
    ('{"ts":1767615451,"session_id":"s","body":"日本語 🎉"}'.encode(), "日本語 🎉"),
)

UNREADABLE: tuple[tuple[bytes, str], ...] = (
    (b"", "it is not JSON (column 1)"),
    (b"text", "it is not JSON (column 1)"),
    (b'{"body": "cut', "it is not JSON (column 10)"),
    (b'{"a":1}{"b":2}', "it is not JSON (column 8)"),
    (b'"text"', "it is no JSON object but a text"),
    (b"42", "it is no JSON object but a number"),
    (b"null", "it is no JSON object but null"),
    (b"true", "it is no JSON object but true or false"),
    (b"[1,2]", "it is no JSON object but a list"),
    (b'{"body":"\xff"}', "it is not UTF-8 (byte 10)"),
    (b'{"body":"\xed\xa0\xbd"}', "it is not UTF-8 (byte 10)"),
    (b'{"a":\x00\x00\x001}', "it holds NUL bytes, as a crashed append leaves them"),
    (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "it is nested more than 100 levels deep"),
    (b'{"a":' + b"[" * 100 + b"]" * 100 + b"}", "it is nested more than 100 levels deep"),
    (b"[" * 100_000, "it is nested more than 100 levels deep"),
    (b'{"a":' + b"1" * 5000 + b"}", "it holds a number of too many digits"),
    (b"{}", "it has no time"),
    (b'{"ts":"soon"}', "its time cannot be read"),
    (b'{"ts":1767615451}', "it has no session id"),
    (b'{"ts":1767615451,"session_id":"  "}', "it has no session id"),
    (b'{"ts":1767615451,"session_id":"s"}', "it has neither a title nor a text"),
    (b'{"ts":1767615451,"session_id":"s","body":"\\u0000\\n"}', "it has neither a title nor a text"),
    (b'{"ts":1767615451,"session_id":"s","body":[]}', "it has neither a title nor a text"),
)


@pytest.mark.parametrize(("raw", "body"), READABLE)
def test_damage_that_can_be_mended_is(raw: bytes, body: str) -> None:
    assert parse_line(raw, PLACE, default_project="acme").body == body


@pytest.mark.parametrize(("raw", "reason"), UNREADABLE)
def test_a_line_that_cannot_be_read_says_why(raw: bytes, reason: str) -> None:
    assert reason_of(raw) == reason


@pytest.mark.parametrize(
    ("field", "told"), [("session_id", "session id"), ("project", "project"), ("workspace", "workspace"), ("id", "id")]
)
def test_a_name_that_is_too_long_sets_the_line_aside(field: str, told: str) -> None:
    line = json.dumps({**LEAST, field: "x" * (LONGEST_NAME + 1)}).encode()
    assert reason_of(line) == f"its {told} is longer than 200 characters"
    assert parse(**{field: "x" * LONGEST_NAME}).body == "text"


def test_nesting_up_to_the_limit_is_kept() -> None:
    raw = b'{"ts":1767615451,"session_id":"s","body":"a","x":' + b"[" * 99 + b"]" * 99 + b"}"
    assert parse_line(raw, PLACE, default_project="acme").body == "a"


def test_a_reason_never_quotes_the_line() -> None:
    for raw in (b'{"hunter2-secret', b'{"ts":"hunter2-secret"}', b'{"hunter2-secret": 1}', b"hunter2-secret"):
        assert "hunter2" not in reason_of(raw)


def test_the_digest_is_that_of_the_content_alone() -> None:
    digest = parse().digest
    assert (
        parse_line(
            b'{"body": "text",  "session_id":"s1", "ts":"2026-01-05T12:17:31Z"}', Place("x", 1), default_project="y"
        ).digest
        == digest
    )
    assert parse(id="o1").digest == digest
    assert parse(uuid="o1").digest == digest
    assert parse(body="other").digest != digest
    assert parse(more=1).digest != digest
    assert parse(id="o1", uuid="o2").digest == parse(uuid="o2", id="o3").digest
    assert parse(id=None).digest != digest


def test_the_canonical_content_is_as_promised() -> None:
    canonical = '{"body":"text","n":[1,2.5,null,{"a":true,"b":"ü"}],"session_id":"s1","ts":"2026-01-05T12:17:31Z"}'
    digest = hashlib.blake2b(canonical.encode(), digest_size=20).hexdigest()
    assert parse(id="o1", n=[1, 2.5, None, {"b": "ü", "a": True}]).digest == digest


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "ts",
                "time",
                "session_id",
                "body",
                "text",
                "message",
                "content",
                "title",
                "role",
                "type",
                "id",
                "tags",
                "files",
                "importance",
                "project",
                "author",
                "x",
            ]
        ),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text(st.characters(), max_size=9)
            | st.just(1767615451),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["content", "text", "type", "role", "id", "name"]), inner, max_size=3)
            ),
        ),
    )
)
def test_any_object_is_read_or_set_aside(fields: dict[str, Json]) -> None:
    try:
        observation = parse_only(fields)
    except ObservationError:
        return
    assert observation.title or observation.body
    assert 1 <= observation.importance <= 10
    shown = (
        observation.title,
        observation.body,
        observation.author,
        *observation.tags,
        *observation.files,
        observation.session.session_id,
    )
    "".join(shown).encode()
    json.dumps(observation.extra, allow_nan=False, ensure_ascii=False).encode()


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_set_aside(raw: bytes) -> None:
    reason_of(raw)
