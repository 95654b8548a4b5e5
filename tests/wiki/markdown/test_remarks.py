"""The remarks on a claim: their shape is fixed, and each is known again."""

from __future__ import annotations

import pytest

from pipeline.wiki.markdown import remarks
from pipeline.wiki.markdown.blocks import read_blocks

OLD, NEW = "[^o-3f2a9c1e55]", "[^o12]"


@pytest.mark.parametrize(
    ("day", "elsewhere", "text"),
    [
        ("2026-11-29", "", f"**Changed on 2026-11-29:** before, “Port 8080.”{OLD}{NEW}"),
        ("", "", f"**Changed:** before, “Port 8080.”{OLD}{NEW}"),
        ("2026-11-29", "[Ops](ops.md)", f"**Changed on 2026-11-29:** before, “Port 8080.” ([Ops](ops.md)){OLD}{NEW}"),
    ],
)
def test_a_change(day: str, elsewhere: str, text: str) -> None:
    assert remarks.changed("Port 8080.", f"{OLD}{NEW}", day, elsewhere) == text
    assert remarks.is_changed(text)
    assert remarks.is_remark(text)
    assert not remarks.is_contradiction(text)


def test_a_contradiction() -> None:
    text = remarks.contradiction(("Port 8080.", OLD), ("Port 9090.", NEW), "[Ops](ops.md)")
    assert text == (
        f"**Contradiction:** “Port 8080.” ([Ops](ops.md)){OLD} stands against “Port 9090.”{NEW}; "
        "nothing says which one holds."
    )
    assert remarks.is_contradiction(text)
    assert not remarks.is_changed(text)
    (statement,) = read_blocks(f"- x\n  - {text}\n").statements[1:]
    assert remarks.is_remark(statement.text)
    assert statement.labels == ("o-3f2a9c1e55", "o12")


@pytest.mark.parametrize(
    "text", ["Changed on 2026-11-29: before, “x”", "**Changed on Monday:** it", "A contradiction: “x”"]
)
def test_what_is_no_remark(text: str) -> None:
    assert not remarks.is_remark(text)
