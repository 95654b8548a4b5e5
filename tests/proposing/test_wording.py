"""Of a message that was handed over every line is one that a run could have written, whatever it was told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.git import Consolidation, Verification, render_message, render_verification, seal
from pipeline.observations.observation import SessionKey
from pipeline.proposal.messages import redeclare
from pipeline.proposing.wording import check_messages
from pipeline.round.round import LEDGER_MESSAGE

KEY = SessionKey("default", "acme", "s1")
PAGE = "acme/decisions/a.md"
GOOD = render_message(Consolidation(KEY, "Cookies", 2, 1, "gpt", "p1", 7, "e" * 32, {PAGE: "1" * 16}))
TEXTS = st.text(max_size=50) | st.text(st.sampled_from("@#[]!*:/ -.gGhHtTpPsS1a\n"), max_size=50)


def told(message: str, *pages: str, published: tuple[str, ...] = ()) -> list[str]:
    message = seal(message, {"wiki/a.md": "a" * 40})
    return [one.message for one in check_messages([("0123456789", message)], pages=pages, published=published)]


@given(TEXTS, TEXTS, TEXTS, st.lists(TEXTS, max_size=3), TEXTS)
def test_whatever_a_run_was_told_its_message_passes(
    project: str, session: str, rationale: str, remarks: list[str], model: str
) -> None:
    remarks += [f"[citation-unknown] {one}" for one in remarks]
    said = Consolidation(
        SessionKey("default", project, session), rationale, 1, 1, model, model, 1, "e", {PAGE: "1"}, (), remarks
    )
    message = render_message(said)
    assert told(message, PAGE) == []
    assert told(redeclare(message, written={}, declined=[PAGE]), PAGE) == []


@pytest.mark.parametrize(
    "key",
    [
        SessionKey("default", "https:", "/evil.example"),
        SessionKey("default", "https:/", "evil.example"),
        SessionKey("default", "a/b", "c/d): e"),
        SessionKey("default", "x" * 90, "y" * 90),
        SessionKey("", "", ""),
    ],
)
def test_parts_of_a_subject_that_join_to_more_pass(key: SessionKey) -> None:
    assert told(render_message(Consolidation(key, "word " * 40, 1, 0, "m", "p", 1))) == []


@given(TEXTS, TEXTS)
def test_verifications_and_the_ledger_pass(by: str, proposal: str) -> None:
    assert told(render_verification(Verification([PAGE], by, datetime(2026, 1, 2, tzinfo=UTC), proposal)), PAGE) == []
    assert told(LEDGER_MESSAGE) == []


@pytest.mark.parametrize(
    ("path", "stands", "holds"),
    [
        ("acme/decisions/gh-5-fails.md", False, True),
        ("acme/決定/決定-一.md", False, True),
        ("Notes/@dana and #1.md", True, True),
        ("Notes/\u2028line.md", True, True),
        ("Notes/@dana and #1.md", False, False),
        ("fixes GH-1.md", False, False),
        ("../a.md", False, False),
        ("acme/a.txt", False, False),
    ],
)
def test_a_path_is_that_of_a_page_or_looks_like_one(path: str, *, stands: bool, holds: bool) -> None:
    pages = (path,) if stands else ()
    said = Consolidation(KEY, "x", 1, 1, "m", "p", 1, "e", {path: "1"} if stands else {}, (path,))
    found = told(render_message(said), *pages)
    assert (not found) == holds


@pytest.mark.parametrize(
    "message",
    [
        GOOD.replace("Cookies", "closes #1"),
        GOOD.replace("Cookies", "see [skip ci]"),
        GOOD.replace("Cookies", "@dana look"),
        GOOD.replace("Cookies", "x" * 120),
        GOOD.replace("consolidate(acme/s1): Cookies", "consolidate(a): https://evil.example"),
        GOOD.replace("\n\nSession", "\n\nfixes acme/wiki no. 2\n\nSession"),
        GOOD.replace("\n\nSession", "\n\n- ![x](https://evil.example/x.png)\n\nSession"),
        GOOD.replace("\n\nSession", "\n\n- [skip-ci] x\n\nSession"),
        GOOD.replace("\n\nSession", "\n\n- one\n\n- two\n\nSession"),
        GOOD.replace("\n\nSession", "\n\n" + "- x\n" * 60 + "\nSession"),
        GOOD.replace("Model: gpt", "Model: @dana"),
        GOOD.replace("Model: gpt", "Model: gpt\n continued"),
        GOOD.replace("Tokens: 7", "Tokens: many"),
        GOOD.replace("Page: acme", "Page: fixes #1 acme"),
        GOOD.rstrip() + "\nCo-authored-by: Linus <linus@example.org>\n",
        GOOD.rstrip() + "\nSigned-off-by: Linus <linus@example.org>\n",
        GOOD.replace("Cookies", "Cook\ries"),
    ],
)
def test_a_line_that_no_run_writes_is_refused(message: str) -> None:
    found = told(message, PAGE)
    assert found
    assert all(one.isprintable() and len(one) < 200 for one in found)


def test_what_an_earlier_version_wrote_and_was_published_may_stand() -> None:
    message = GOOD.replace("Cookies", "closes #1").replace("\n\nSession", "\n\n- see #2\n\nSession")
    assert told(message) == [f"its message has a line that no run writes: {one}" for one in _lines(message)]
    assert told(message, published=_lines(message)) == []
    assert len(told(message, published=_lines(message)[:1])) == 1


def _lines(message: str) -> tuple[str, ...]:
    return tuple(line for line in message.split("\n") if "#" in line)


def test_a_message_without_a_word_is_refused() -> None:
    assert check_messages([("0123456789", "")], pages=()) != ()
