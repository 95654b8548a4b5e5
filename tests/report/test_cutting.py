"""What is left out where there is no room: the least important lines, counted, and nothing else."""

from __future__ import annotations

import pytest

from pipeline.report.cutting import Chapter, Fitted, Piece, fit

LIST = tuple(Piece(f"- {name}", rank, glued=True) for name, rank in (("note", 5), ("error", 1), ("warning", 2)))
WHOLE = "# a\n\n- note\n- error\n- warning\n\n# b\n\nlast\n"
CHAPTERS = (Chapter("# a", LIST), Chapter("# none", ()), Chapter("# b", (Piece("last", 0),)))


def test_everything_stands_in_its_order_where_there_is_room() -> None:
    assert fit(CHAPTERS, 100) == Fitted(WHOLE, 0)


@pytest.mark.parametrize(
    ("limit", "left", "missing"),
    [
        (38, "# a\n\n- error\n- warning\n\n# b\n\nlast\n", 1),
        (28, "# a\n\n- error\n\n# b\n\nlast\n", 2),
        (12, "# b\n\nlast\n", 3),
        (5, "", 4),
        (0, "", 4),
    ],
)
def test_the_least_important_goes_first(limit: int, left: str, missing: int) -> None:
    assert fit(CHAPTERS, limit) == Fitted(left, missing)


def test_nothing_of_less_weight_stands_where_something_of_more_had_no_room() -> None:
    chapters = (Chapter("", (Piece("x" * 50, 1), Piece("small", 2))),)
    assert fit(chapters, 40) == Fitted("", 2)


def test_a_block_is_shortened_by_lines_and_closed() -> None:
    block = Piece("one\ntwo\nthree\n", 6, wrap=lambda text: f"<<\n{text}\n>>")
    assert fit((Chapter("", (block,)),), 100) == Fitted("<<\none\ntwo\nthree\n\n>>\n", 0)
    assert fit((Chapter("", (block,)),), 18) == Fitted("<<\none\ntwo\n>>\n", 1)
    assert fit((Chapter("", (block,)),), 8) == Fitted("", 3)


def test_bytes_are_counted_and_not_characters() -> None:
    chapters = (Chapter("", (Piece("ä" * 10, 1),)),)
    assert fit(chapters, 21).missing == 1
    assert fit(chapters, 22).missing == 0
