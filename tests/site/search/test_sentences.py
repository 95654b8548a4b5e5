"""What of a page's text results may quote."""

from __future__ import annotations

from pipeline.site.search.sentences import LONGEST_TEXT, sentences
from tests.site.making import facts, section


def test_one_line_for_each_sentence() -> None:
    page = facts(
        description="It is set to nine.",
        sections=(
            section("", "See v1.2.3 of a.b! It is set to nine. Is it…  so?"),
            section("Why", "潮位を測る。次は九時。"),
            section("Empty"),
        ),
    )

    assert list(sentences(page)) == ["See v1.2.3 of a.b!", "Is it…", "so?", "潮位を測る。", "次は九時。"]


def test_no_more_than_there_is_room_for() -> None:
    page = facts(sections=(section("", "Nine words. " * 100), section("", "x" * 5000), section("", "Too late.")))

    told = list(sentences(page))
    assert sum(len(sentence) + 1 for sentence in told) <= LONGEST_TEXT + 1
    assert told[-1] == "x" * (LONGEST_TEXT - 1200)
