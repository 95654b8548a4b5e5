"""What a session's pages rest on has one name: of the session and its observations alone, in whatever order."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.observations.evidence import digest_of, evidence_of
from pipeline.observations.observation import SessionKey

KEY = SessionKey("default", "acme", "s1")
TEXT = st.text(st.characters())


def test_the_name_holds_for_ever() -> None:
    assert evidence_of(KEY, ["b", "a"]) == "e3554cbb6c0cccaa1fa04e2d4b312c47"
    assert digest_of(b"# Cookies\n") == "dbb9f7d3879c1c09"


def test_order_and_repetition_do_not_count() -> None:
    assert evidence_of(KEY, ["b", "a", "b"]) == evidence_of(KEY, iter(["a", "b"]))
    assert evidence_of(KEY, []) != evidence_of(KEY, [""])


@pytest.mark.parametrize(
    "other",
    [
        (SessionKey("default", "acme", "s1"), ["a"]),
        (SessionKey("default", "acme", "s1"), ["a", "b", "c"]),
        (SessionKey("default", "acme", "s1"), ["ab"]),
        (SessionKey("default", "acme", "s2"), ["a", "b"]),
        (SessionKey("default", "acm", "es1"), ["a", "b"]),
        (SessionKey("acme", "default", "s1"), ["a", "b"]),
        (SessionKey("default", "acme", "s1a"), ["b"]),
    ],
)
def test_another_session_or_another_observation_has_another_name(other: tuple[SessionKey, list[str]]) -> None:
    assert evidence_of(*other) != evidence_of(KEY, ["a", "b"])


@given(st.tuples(TEXT, TEXT, TEXT), st.sets(TEXT), st.tuples(TEXT, TEXT, TEXT), st.sets(TEXT))
def test_two_names_are_equal_only_for_the_same(
    one: tuple[str, str, str], some: set[str], other: tuple[str, str, str], more: set[str]
) -> None:
    names = evidence_of(SessionKey(*one), some), evidence_of(SessionKey(*other), more)
    assert (names[0] == names[1]) == ((one, some) == (other, more))
    assert all(len(name) == 32 and set(name) <= set("0123456789abcdef") for name in names)


def test_a_lone_surrogate_has_a_name() -> None:
    assert len(evidence_of(KEY, ["\ud800"])) == 32


def test_a_page_is_known_by_its_bytes() -> None:
    assert digest_of(b"# A\n") == hashlib.blake2b(b"# A\n", digest_size=8).hexdigest()
    assert digest_of(b"# A\n") != digest_of(b"# A\r\n")
