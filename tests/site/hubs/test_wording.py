from __future__ import annotations

import pytest

from pipeline.site.hubs.wording import counted, plural, uncapital


@pytest.mark.parametrize(
    ("count", "noun", "told"),
    [
        (1, "guide", "1 guide"),
        (0, "guide", "0 guides"),
        (2, "policy", "2 policies"),
        (2, "day", "2 days"),
        (3, "batch", "3 batches"),
        (1_200, "page", "1,200 pages"),
        (2, "決定", "2 決定"),
        (2, "ADR", "2 ADR"),
        (2, "", "2 "),
    ],
)
def test_how_many_there_are(count: int, noun: str, told: str) -> None:
    assert counted(count, noun) == told


def test_an_abbreviation_keeps_its_capitals() -> None:
    assert [uncapital(word) for word in ("Decision", "ADR", "")] == ["decision", "ADR", ""]
    assert plural("Gotcha") == "Gotchas"
