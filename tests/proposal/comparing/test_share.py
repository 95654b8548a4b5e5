from __future__ import annotations

import pytest

from pipeline.proposal.comparing import share_of_claims
from tests.proposal.samples import A, B, page

SOURCES = [A, B]


def share(before: str, after: str) -> tuple[int, int]:
    first = [A] if "[b]" not in before else SOURCES
    then = [A] if "[b]" not in after else SOURCES
    texts = [text.replace("[a]", f"[^{A[0]}]").replace("[b]", f"[^{B[0]}]") for text in (before, after)]
    return share_of_claims(page("X", texts[0], first), page("X", texts[1], then))


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("It is so.[a]", "It is so.[a]", (0, 0)),
        ("The port is 80.[a]", "The port is 81.[a]", (2, 2)),
        ("The port is 80.[a]", "The port is 81.[b]", (3, 3)),  # with the new footnote
        ("It is so.[a]", "It is so.[a]\n\n## More\n\n- One is two.[a]", (2, 2)),  # with its heading
        ("It is so.[a]", "It is so.[a]\n\n## More\n\n### Deep\n\n- One is two.[a]", (3, 3)),
        ("It is so.[a]", "It is so.[a]\n\nThese hold:\n\n- One is two.[a]", (2, 2)),  # with what leads to it
        ("It is so.[a]", "It is so.[a]\n\nRun it as follows.[a]\n\n```\nmake\n```", (4, 4)),  # with its code
        ("It is so.[a]", "It is so.[a]\n\n| A | B |\n|---|---|\n| x | y[a] |", (1, 3)),
        ("It is so.[a]", "It is so.[a]\n\n## T\n\n| A | B |\n|---|---|\n| x | y[a] |", (4, 4)),
        ("One.[a]\n\nTwo.[a]", "Two.[a]\n\nOne.[a]", (0, 2)),  # moved
        ("One is\ntwo.[a]", "One\nis two.[a]", (0, 4)),  # wrapped
        ("It is **so**.[a]", "It is so.[a]", (0, 2)),  # emphasised
        ("It is so.[a]", "It is so.[a]\n\n## Empty", (0, 1)),
        ("It is so.[a]", "It is so.[a]\n\n> Superseded by [Y](y.md).", (0, 1)),
        ("Old is 5.[a]", "New is 6.[a]\n\n**Changed:** before, “Old is 5.”[a]", (3, 3)),
    ],
)
def test_lines_that_carry_a_claim(before: str, after: str, lines: tuple[int, int]) -> None:
    assert share(before, after) == lines


def test_a_new_page_carries_but_for_its_title_what_it_says() -> None:
    assert share_of_claims(b"", page("X", "It is so.[^o-aaaaaaaaaa]", [A])) == (3, 3)


def test_line_ends_do_not_matter() -> None:
    before, after = (page("X", f"The port is {port}.", end="\r\n") for port in (80, 81))
    assert share_of_claims(before, after) == (2, 2)
