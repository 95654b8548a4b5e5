"""Who stands for a page: each reviewer once, with the last time that they looked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from pipeline.wiki.format.page import Page, trust_tier
from pipeline.wiki.revision.authorship import GATES, confirm, drop_reviews

if TYPE_CHECKING:
    from pipeline.wiki.format.frontmatter import Yaml

AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
GATED: dict[str, Yaml] = {"by": GATES, "at": AT}
DANA: dict[str, Yaml] = {"by": "human:dana", "at": AT}
ERIN: dict[str, Yaml] = {"by": "human:erin", "at": AT}
EARLIER: dict[str, Yaml] = {"by": "human:dana", "at": datetime(2026, 1, 1, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, [DANA]),
        ([], [DANA]),
        ("", [DANA]),
        (GATED, [GATED, DANA]),
        ([GATED], [GATED, DANA]),
        ([EARLIER, GATED], [GATED, DANA]),
        (EARLIER, [DANA]),
        ([EARLIER, ERIN, EARLIER], [ERIN, DANA]),
        (
            [{"by": "human:dan"}, {"by": 7}, "human:dana", None],
            [{"by": "human:dan"}, {"by": 7}, "human:dana", None, DANA],
        ),
        ("by hand", ["by hand", DANA]),
    ],
)
def test_a_review_joins_the_others_and_takes_the_place_of_an_earlier_one(before: Yaml, after: Yaml) -> None:
    front: dict[str, Yaml] = {"type": "Decision"} if before is None else {"type": "Decision", "verified": before}
    confirmed = confirm(front, "human:dana", AT)
    assert confirmed == {"type": "Decision", "verified": after}
    assert trust_tier(Page(confirmed, "")) == "human-reviewed"
    assert confirm(confirmed, "human:dana", AT) == confirmed, "to say it again changes nothing"


def test_a_time_is_told_in_utc_to_the_second() -> None:
    local = datetime(2026, 11, 30, 10, 0, 0, 999, tzinfo=timezone(timedelta(hours=2)))
    assert confirm({}, "human:dana", local) == {"verified": [DANA]}


def test_what_was_confirmed_can_be_dropped_again() -> None:
    front = confirm(confirm({"type": "Decision", "verified": [GATED]}, "human:dana", AT), "human:erin", AT)
    assert drop_reviews(front) == ({"type": "Decision", "verified": [GATED]}, ("human:dana", "human:erin"))
    assert drop_reviews(confirm({}, "human:dana", AT)) == ({}, ("human:dana",))


def test_the_front_matter_that_was_given_stays() -> None:
    front: dict[str, Yaml] = {"verified": [EARLIER], "extra": 1}
    confirm(front, "human:dana", AT)
    assert front == {"verified": [EARLIER], "extra": 1}
