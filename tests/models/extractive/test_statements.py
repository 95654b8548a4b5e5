"""Observations taken apart into statements that may be quoted."""

from __future__ import annotations

import pytest

from pipeline.models.extractive.statements import Piece, read
from pipeline.models.extractive.tongues.ear import ear
from pipeline.models.extractive.tongues.english import ENGLISH
from pipeline.models.extractive.tongues.german import GERMAN
from pipeline.models.extractive.tongues.japanese import JAPANESE

EAR = ear(ENGLISH)


def pieces(text: str, *, by_person: bool = False) -> tuple[Piece, ...]:
    return read(text, EAR, by_person=by_person).pieces


@pytest.mark.parametrize(
    ("text", "raws"),
    [
        ("Let me look at the config. The proxy drops the header.", ["The proxy drops the header."]),
        ("You're right. The proxy drops the header.", ["The proxy drops the header."]),
        ("Done! The `sid` cookie is signed now.", ["The `sid` cookie is signed now."]),
        ("**No, the header is never logged.** More.", ["the header is never logged."]),
        ("The proxy drops it at night. This breaks logins.", ["The proxy drops it at night. This breaks logins."]),
        ("Removed the old login command:\n\n- x", ["Removed the old login command"]),
        ("The new login page now shows:\n\n- x", []),
        ("**Root cause:** The proxy drops the header.", ["The proxy drops the header."]),
        (
            "**Session cookies** - Small values that the browser keeps.",
            ["**Session cookies** - Small values that the browser keeps."],
        ),
        ("I've added a retry to the upload.", ["added a retry to the upload."]),
        ("```go\nfunc main() { run() }\n```", []),
        ("| name | value |\n|---|---|\n| one | two |", []),
        ("session_count: 2", []),
    ],
)
def test_what_an_answer_states(text: str, raws: list[str]) -> None:
    assert [piece.raw for piece in pieces(text)] == raws


def test_a_statement_is_the_observations_own_text() -> None:
    text = "Fixed it. The *proxy* drops [the header](https://example.org/h), e.g. `Authorization`. It is back now."
    assert all(piece.raw in text for piece in pieces(text))


def test_a_statement_knows_what_stands_around_it() -> None:
    (piece,) = pieces("## What broke\n\nIn `edge.conf`:\n\n1. The proxy drops the header of each request.")
    assert piece.headings == ("What broke",)
    assert piece.intro == "In edge.conf:"
    assert (piece.number, piece.shape) == (1, "item")


@pytest.mark.parametrize(
    "text",
    [
        "$ make test\nFAIL: test_login (0.03s)\nexit code 1",
        "Operation stopped by hook: commit your work first.",
        "2026-01-05 09:12:11 ERROR cannot connect\n2026-01-05 09:12:12 ERROR giving up",
        "main.go:12:4: undefined: foo\nmain.go:13:4: undefined: bar",
    ],
)
def test_what_a_person_pasted_is_no_statement(text: str) -> None:
    assert pieces(text, by_person=True) == ()


def test_commands_are_kept_apart() -> None:
    (found,) = read("To run the tests:\n\n```bash\nmake build\nmake test\n```", EAR, by_person=False).commands
    assert found.lines == ("make build", "make test")
    assert found.intro == "To run the tests:"


def test_other_languages_drop_their_own_small_talk() -> None:
    german = read("Gute Frage. Ich schaue nach. Der Proxy entfernt den Header.", ear(GERMAN), by_person=False)
    assert [piece.raw for piece in german.pieces] == ["Der Proxy entfernt den Header."]
    japanese = read("はい、まず設定を確認します。プロキシがヘッダーを削除しています。", ear(JAPANESE), by_person=False)
    assert [piece.raw for piece in japanese.pieces] == ["プロキシがヘッダーを削除しています。"]
