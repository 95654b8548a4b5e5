from __future__ import annotations

import json

import pytest

from pipeline.finding import Finding
from pipeline.observations.observation import SessionKey
from pipeline.report import Intake, PageOutcome, Report, SessionOutcome, State
from pipeline.spending import Spent

KEY = SessionKey("default", "acme", "s1")
PAGE = PageOutcome("acme/concepts/a.md", "A", "created", 2)


def outcome(state: State, *pages: PageOutcome, findings: tuple[Finding, ...] = ()) -> SessionOutcome:
    return SessionOutcome(KEY, state, 3, 1, pages=pages, findings=findings)


def finding(rule: str, severity: str = "warning") -> Finding:
    return Finding("day.jsonl:1", rule, severity, "told.")  # type: ignore[arg-type]  # a table's word


@pytest.mark.parametrize(
    ("report", "incomplete"),
    [
        (Report("m", "p"), False),
        (Report("m", "p", sessions=(outcome("consolidated", PAGE),)), False),
        (Report("m", "p", sessions=(outcome("consolidated"), outcome("failed"))), True),
        (Report("m", "p", sessions=(outcome("parked"),)), True),
        (Report("m", "p", Intake(set_aside=(finding("line-set-aside"),))), False),
        (Report("m", "p", Intake(broken_promises=(finding("changed-after-consolidation", "error"),))), True),
        (Report("m", "p", findings=(finding("page-unreadable", "error"),)), True),
        (Report("m", "p", sessions=(outcome("consolidated", findings=(finding("x", "error"),)),)), True),
    ],
)
def test_a_run_is_incomplete_when_something_was_left_undone(report: Report, *, incomplete: bool) -> None:
    assert report.incomplete is incomplete


def test_findings_come_in_the_order_of_their_weight() -> None:
    report = Report(
        "m",
        "p",
        Intake(set_aside=(finding("c"),), conflicts=(finding("b"),), broken_promises=(finding("a"),)),
        sessions=(outcome("consolidated", findings=(finding("e"),)),),
        findings=(finding("d"),),
    )
    assert [one.rule for one in report.every_finding()] == ["a", "b", "c", "d", "e"]


def test_machines_are_told_everything_that_the_value_holds() -> None:
    told = Report("m", "p", Intake(redactions={"jwt": 2}), (outcome("consolidated", PAGE),)).as_json()
    assert json.loads(json.dumps(told))["sessions"][0] == {
        "session": {"workspace": "default", "project": "acme", "session_id": "s1"},
        "state": "consolidated",
        "observations": 3,
        "windows": 1,
        "tokens": 0,
        "commit": "",
        "pages": [{"path": "acme/concepts/a.md", "title": "A", "change": "created", "statements": 2}],
        "reason": "",
        "findings": [],
        "model": "",
        "repairs": 0,
        "provisional": False,
    }
    assert told["intake"] == {**told["intake"], "redactions": {"jwt": 2}}  # type: ignore[dict-item]  # plain data
    assert (told["changed"], told["incomplete"]) == (True, False)


def test_the_end_of_a_run_is_told_with_its_beginning() -> None:
    first = Report(
        "m", "p", Intake(observations=5), (outcome("consolidated", PAGE),), commits=("a",), spent=Spent(calls=1)
    )
    last = Report("m", "p", Intake(observations=2), (outcome("failed"),), commits=("b",), spent=Spent(calls=2))
    whole = last.after(first)
    assert whole.intake.observations == 5
    assert [one.state for one in whole.sessions] == ["consolidated", "failed"]
    assert (whole.commits, whole.spent.calls) == (("a", "b"), 3)
    assert last.after(None) is last
