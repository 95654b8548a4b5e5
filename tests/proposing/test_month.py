"""A fortnight of scheduled runs, with all that people do to proposals and all that goes wrong: nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.proposal.comparing import line_stats
from tests.proposing.month import Month, a_month
from tests.proposing.month_days import made_up
from tests.proposing.month_holding import Watch
from tests.proposing.month_people import TWELVE, play

if TYPE_CHECKING:
    from pathlib import Path

DAYS = 13


@pytest.mark.slow
@pytest.mark.parametrize("model", ["openai", "extractive"])
def test_a_fortnight_of_runs_needs_nobody_and_loses_nothing(tmp_path: Path, model: str) -> None:
    with a_month(tmp_path, made_up(DAYS), model, together=1) as month:
        watch = Watch(month)
        for _ in range(DAYS):
            play(month, TWELVE)
            assert watch.look() == [], f"day {month.today}"
        assert watch.account() == []
        assert watch.alike() == []
        assert watch.conflicts == []
        check_days(month)
        if model == "openai":
            check_paid(month)


def check_days(month: Month) -> None:
    """Hold each day to what its people and its night ask for."""
    rows = {row.day: row for row in month.rows}
    assert rows[4].did[-1] == "killed at work"
    assert rows[6].number == 0, "the crash comes before the opening"
    assert rows[7].action == "opened"
    assert rows[8].did[-1] == "a second runner: BranchMoved"
    assert rows[9].count("suppressed") > 0
    assert rows[10].action == rows[11].action == "waiting"
    assert rows[12].count("waiting") == 0
    stats = line_stats(page for row in month.rows for page in row.pages)
    assert stats.share > 0.8


def check_paid(month: Month) -> None:
    """Hold the endpoint's log to what a day needs."""
    rows = {row.day: row for row in month.rows}
    assert rows[5].code == 4, "the model is down"
    assert rows[10].calls == rows[11].calls == 0, "what waits is not paid for"
    assert all(row.calls == row.count("consolidated") for row in month.rows if row.day not in {4, 5})
    # One request hung when the process was killed; what was answered by then is not asked again.
    assert rows[4].calls == rows[4].count("consolidated") + 1
