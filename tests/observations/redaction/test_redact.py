from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config import RedactionPattern, RedactionSettings
from pipeline.errors import ConfigError
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.observations.redaction.redact import Redactor, make_redactor
from tests.observations.secret_samples import HARMLESS, NAMED, PLACES, SHAPES

REDACTOR = make_redactor(RedactionSettings())
LONGEST_LEFT = 8
"""Characters of a secret that may be left: its prefix, which says what it was."""


def fill(place: str, text: str) -> str:
    return place.replace("{{", "{").replace("}}", "}").replace("{}", text)


def leaks(secret: str, text: str) -> bool:
    """Tell whether more than a few characters of a secret's beginning stand in a text."""
    return secret[: LONGEST_LEFT + 1] in text


@pytest.mark.parametrize("place", PLACES)
def test_a_shape_goes_whole_wherever_it_stands(place: str) -> None:
    for kind, secret in SHAPES:
        scrubbed = REDACTOR.scrub(fill(place, secret))
        assert scrubbed.text == fill(place, f"[REDACTED:{kind}]")
        assert scrubbed.counts == {kind: 1}


@pytest.mark.parametrize(("kind", "place", "secret"), NAMED)
def test_what_stands_behind_a_name_goes(kind: str, place: str, secret: str) -> None:
    for before, after in (("", ""), ("a line\n", "\nanother"), ("a line\r\n", "\r\nanother")):
        text = before + fill(place, secret) + after
        assert REDACTOR.scrub(text).text == before + fill(place, f"[REDACTED:{kind}]") + after


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    for shown in (text, f"a line\n{text}\nanother", f"- {text}", f"({text})"):
        assert REDACTOR.scrub(shown) == (shown, {})


@pytest.mark.parametrize(("kind", "secret"), SHAPES)
def test_no_cut_of_a_scrubbed_text_leaves_half_a_secret(kind: str, secret: str) -> None:
    text = REDACTOR.scrub(f"some words before {secret} and some behind").text
    assert not any(leaks(secret, text[:cut]) for cut in range(len(text) + 1))
    assert f"[REDACTED:{kind}]" in text


@pytest.mark.parametrize(("kind", "secret"), [pair for pair in SHAPES if "PRIVATE KEY-----" in pair[1]])
def test_a_private_key_without_its_end_goes_too(kind: str, secret: str) -> None:
    for cut in range(60, len(secret)):
        for after in ("", '"', "...", "\n\nThe server starts."):
            text = REDACTOR.scrub(secret[:cut] + after).text
            assert secret[40:60] not in text, cut
            assert text.endswith(after.strip()[-18:])


JSON_FORMS = (1, 2, 3)


@pytest.mark.parametrize("depth", JSON_FORMS)
@pytest.mark.parametrize("name", ["password", "client_secret", "accessToken", "api_key", "DB_PASSWORD"])
def test_a_name_of_json_is_read_at_every_depth(name: str, depth: int) -> None:
    text = json.dumps({"before": "x", name: "hunter2-abc", "after": "y"})
    for _ in range(depth):
        text = json.dumps({"text": text})
    scrubbed = REDACTOR.scrub(text).text
    assert "hunter2" not in scrubbed
    for _ in range(depth):
        text, scrubbed = json.loads(text)["text"], json.loads(scrubbed)["text"]
    assert json.loads(scrubbed)["after"] == "y"


def test_counts_tell_how_many_of_each_kind() -> None:
    one, two = SHAPES[19][1], SHAPES[20][1]
    scrubbed = REDACTOR.scrub(f"{one} {two} password=hunter2")
    assert scrubbed.text == "[REDACTED:github-token] [REDACTED:github-token] password=[REDACTED:password]"
    assert scrubbed.counts == {"github-token": 2, "password": 1}
    assert REDACTOR.finds(f"{one} password=hunter2") == ("github-token", "password")
    assert REDACTOR.finds("nothing") == ()


PIECES = st.one_of(
    st.sampled_from([secret for _, secret in SHAPES]),
    st.sampled_from([fill(place, secret) for _, place, secret in NAMED]),
    st.sampled_from([place for _, place, _ in NAMED]),
    st.sampled_from(HARMLESS),
    st.sampled_from(
        ["[REDACTED:x]", "[REDACTED:", "]", "=", ": ", '"', "'", "\\", '\\"', "\n", " ", ",", "&", "@", "://", "(", "x"]
    ),
    st.text(max_size=5),
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=6))
def test_scrubbing_twice_changes_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    once = REDACTOR.scrub(text).text
    twice = REDACTOR.scrub(once)
    assert twice.text == once
    assert twice.counts == {}


@settings(max_examples=400)
@given(
    st.sampled_from(SHAPES),
    st.text(st.sampled_from(" \n\t\"'`,;:=()[]{}<>|&/\\.é日"), max_size=6),
    st.lists(PIECES, max_size=3),
)
def test_a_shape_goes_whatever_stands_around_it(sample: tuple[str, str], mark: str, pieces: list[str]) -> None:
    _, secret = sample
    around = "".join(pieces)
    text = REDACTOR.scrub(f"{around} {mark}{secret} {around}").text
    assert secret[:30] not in text or secret in around


@given(st.text())
def test_any_text_can_be_scrubbed(text: str) -> None:
    scrubbed = REDACTOR.scrub(text)
    assert (scrubbed.text == text) == (not scrubbed.counts)


def test_a_pattern_of_the_settings_applies() -> None:
    redactor = make_redactor(
        RedactionSettings(patterns=(RedactionPattern(kind="employee-number", pattern=r"\bE-\d{6}\b"),))
    )
    assert redactor.scrub("E-123456 and E-12") == ("[REDACTED:employee-number] and E-12", {"employee-number": 1})


def test_a_pattern_of_the_settings_takes_a_marker_along_but_never_alone() -> None:
    redactor = make_redactor(
        RedactionSettings(
            patterns=(
                RedactionPattern(kind="line", pattern=r".*[cC]onfidential.*"),
                RedactionPattern(kind="word", pattern="REDACTED"),
            )
        )
    )
    text = f"a\nconfidential {SHAPES[19][1]} b\nc"
    once = redactor.scrub(text)
    assert once.text == "a\n[REDACTED:line]\nc"
    assert redactor.scrub(once.text) == (once.text, {})


def test_the_allow_list_keeps_what_matches_as_a_whole() -> None:
    key = SHAPES[31][1]
    redactor = make_redactor(RedactionSettings(allow=("AKIA.*EXAMPLE", "hunter2", "postgres://dana:.*@db")))
    assert redactor.scrub(f"{key} password=hunter2 password=hunter23") == (
        f"{key} password=hunter2 password=[REDACTED:password]",
        {"password": 1},
    )
    assert REDACTOR.scrub(key).counts == {"aws-key-id": 1}


def test_a_pattern_that_runs_away_stops_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.observations.redaction.redact.PATIENCE_SECONDS", 0.05)
    redactor = make_redactor(RedactionSettings(patterns=(RedactionPattern(kind="bad", pattern=r"(?:a|aa)+$"),)))
    with pytest.raises(ConfigError, match="takes too long"):
        redactor.scrub("a" * 60 + "!")


def observation(**parts: object) -> Observation:
    plain = Observation(
        id="o1",
        digest="d",
        ts=datetime(2026, 1, 5, tzinfo=UTC),
        session=SessionKey("default", "acme", "s1"),
        agent_kind="codex",
        author="dana",
        role="user",
        kind="note",
        title="",
        body="",
        importance=5,
        tags=(),
        files=(),
        place=Place("a.jsonl", 1),
    )
    return Observation(**{**{name: getattr(plain, name) for name in plain.__slots__}, **parts})


def test_every_field_of_an_observation_is_scrubbed() -> None:
    secret = SHAPES[19][1]
    scrubbed, counts = REDACTOR.scrub_observation(
        observation(
            session=SessionKey(secret, secret, secret),
            agent_kind=secret,
            author=secret,
            kind=secret,
            title=secret,
            body=secret,
            tags=(secret, "auth"),
            files=(secret,),
            extra={secret: [secret, {"deep": {"x": secret}}], "n": 1},
        )
    )
    mark = "[REDACTED:github-token]"
    assert scrubbed.session == SessionKey(mark, mark, mark)
    assert (scrubbed.agent_kind, scrubbed.author, scrubbed.kind, scrubbed.title, scrubbed.body) == (mark,) * 5
    assert (scrubbed.tags, scrubbed.files) == ((mark, "auth"), (mark,))
    assert scrubbed.extra == {mark: [mark, {"deep": {"x": mark}}], "n": 1}
    assert counts == {"github-token": 13}


def test_an_id_that_is_a_secret_becomes_its_digest() -> None:
    first, second = SHAPES[19][1], SHAPES[20][1]
    assert REDACTOR.safe_id("o1") == "o1"
    assert first not in REDACTOR.safe_id(first)
    assert REDACTOR.safe_id(first) != REDACTOR.safe_id(second)
    assert REDACTOR.scrub_observation(observation(id=first))[0].id == REDACTOR.safe_id(first)


EXTRA: tuple[tuple[object, object], ...] = (
    ({"password": "hunter2"}, {"password": "[REDACTED:password]"}),
    ({"env": {"API_KEY": "abc12345"}}, {"env": {"API_KEY": "[REDACTED:api-key]"}}),
    (
        {"env": [{"name": "API_KEY", "value": "abc12345"}]},
        {"env": [{"name": "API_KEY", "value": "[REDACTED:api-key]"}]},
    ),
    (
        {"headers": {"Authorization": "Bearer abc12345"}},
        {"headers": {"Authorization": "Bearer [REDACTED:auth-header]"}},
    ),
    ({"headers": {"Cookie": "sid=abc12345678"}}, {"headers": {"Cookie": "sid=[REDACTED:cookie]"}}),
    (
        {"args": ["tool", "--password", "hunter2", "run"]},
        {"args": ["tool", "--password", "[REDACTED:password]", "run"]},
    ),
    ({"password": None, "token": 12, "secret": True}, {"password": None, "token": 12, "secret": True}),
    ({"max_tokens": "4096", "token": "user_prompt"}, {"max_tokens": "4096", "token": "user_prompt"}),
    ({"key": "checkpoint", "public_key": "ssh-ed25519 AAAA"}, {"key": "checkpoint", "public_key": "ssh-ed25519 AAAA"}),
    ({"password": "<password>", "Authorization": "none"}, {"password": "<password>", "Authorization": "none"}),
)


@pytest.mark.parametrize(("given", "expected"), EXTRA)
def test_what_was_kept_of_a_line_is_scrubbed_by_its_keys_too(given: object, expected: object) -> None:
    assert REDACTOR.scrub_observation(observation(extra=given))[0].extra == expected


def test_nothing_changes_in_a_clean_observation() -> None:
    clean = observation(body="the password is reset weekly", extra={"branch": "main", "cwd": "/home/dana"})
    assert REDACTOR.scrub_observation(clean) == (clean, {})


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "-",
        "\\",
        '"',
        " ",
        "password=",
        "password=(",
        "TOKEN=(",
        'token="',
        '\\"password\\":\\"',
        "authorization:",
        "Authorization: OAuth a=",
        "cookie: a=bcde; ",
        "--password ",
        "a_key=",
        "key: ",
        "://a:",
        "://a:b@",
        "redis://a:b/",
        "sk-",
        "sk-a",
        "-eyJaaaaaaaa",
        "ghp_a-",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nDEK-Info: ",
        "Bearer a",
        "machine a login b ",
        "SG.aaaaaaaaaaaaa.",
        "aaa8Q~",
        "secret>aaaa ",
        "curl -u a:bcd ",
        "[REDACTED:",
        "İpassword=x ",
    ],
)
def test_what_only_begins_like_a_secret_is_read_to_the_end(unit: str) -> None:
    # A quadratic pattern would take minutes here; how long it takes is measured in tests/benchmarks/growth.py.
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    text = (unit * (400_000 // len(unit) + 1))[:400_000]
    assert token not in Redactor().scrub(f"{text}\n\n{token}\n").text
