"""The value that holds what a run has to tell: when it is incomplete, in which order, and how two are joined."""

from __future__ import annotations

import pytest

from pipeline.finding import Finding
from pipeline.observations.observation import SessionKey
from pipeline.report import Fault, Intake, PageOutcome, ProposalOutcome, Report, SessionOutcome, State
from pipeline.spending import Spent
from tests.report.reports import AT

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
        (Report("m", "p", sessions=(outcome("suppressed"), outcome("waiting"))), False),
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


def test_what_the_beginning_alone_knows_stays() -> None:
    proposal = ProposalOutcome("opened", "b", "main")
    fault = Fault("GitError", "it is gone.")
    later = AT.replace(hour=9)
    first = Report("m", "p", id="one", started_at=AT, ended_at=AT, wikimill="1", fault=fault, proposal=proposal)
    whole = Report("m", "p", started_at=later, ended_at=later).after(first)
    assert (whole.id, whole.started_at, whole.ended_at, whole.wikimill) == ("one", AT, later, "1")
    assert (whole.fault, whole.proposal) == (fault, proposal)
    newer = ProposalOutcome("updated", "b", "main")
    assert Report("m", "p", proposal=newer).after(first).proposal is newer
