"""How a report reads: every number in it, nothing besides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pipeline.cli.output import Speaker
from pipeline.cli.telling import MOST_PAGES, count, summary, tell_run
from pipeline.finding import Finding
from pipeline.observations.observation import SessionKey
from pipeline.report import Fault, Intake, PageOutcome, ProposalOutcome, Report, SessionOutcome

if TYPE_CHECKING:
    from pipeline.report import State


def session(state: State, *, pages: int = 0, name: str = "s1", reason: str = "") -> SessionOutcome:
    return SessionOutcome(
        SessionKey("default", "acme", name),
        state,
        observations=41,
        windows=2,
        tokens=12_000,
        commit="0123456789abcdef" if state == "consolidated" else "",
        pages=tuple(
            PageOutcome(f"acme/concepts/p{number}.md", f"Page {number}", "created" if number else "updated", 3)
            for number in range(pages)
        ),
        reason=reason,
    )


def report(*sessions: SessionOutcome, intake: Intake = Intake(), dry_run: bool = False, diff: str = "") -> Report:  # noqa: B008  # a frozen value
    commits = tuple(outcome.commit for outcome in sessions if outcome.commit)
    return Report(
        "extractive", "v1", intake=intake, sessions=sessions, commits=commits, branch="main", dry_run=dry_run, diff=diff
    )


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (report(), "Done: Nothing new."),
        (
            report(session("consolidated", pages=3)),
            "Done: 1 session consolidated; 2 pages created, 1 updated; 1 commit on main.",
        ),
        (
            report(session("consolidated", pages=1), session("failed"), session("parked"), session("parked")),
            "Done in part: 1 session consolidated; 0 pages created, 1 updated; 1 commit on main; 1 failed; 2 parked.",
        ),
        (report(session("failed")), "Done in part: 1 failed."),
        (report(session("waiting"), session("suppressed")), "Done: 1 waiting; 1 suppressed."),
        (
            replace(report(), command="propose", proposal=ProposalOutcome("updated", "b", "main", number=4)),
            "Done: proposal updated.",
        ),
        (
            replace(report(session("consolidated")), fault=Fault("GitError", "it is gone.")),
            "Ended before its time (GitError): 1 session consolidated; 1 commit on main.",
        ),
        (
            report(session("consolidated", pages=2), dry_run=True),
            "Dry run, nothing was written: 1 session consolidated; 1 page created, 1 updated; 1 commit on main.",
        ),
    ],
)
def test_a_run_ends_with_one_line(told: Report, line: str) -> None:
    assert summary(told) == line


def test_a_run_tells_what_it_read_and_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding("a.jsonl:3", "unreadable-line", "warning", "it is not JSON.")
    intake = Intake(
        files=7, files_with_news=2, lines=45, observations=41, duplicates=1, naive_times=3, unfinished=1,
        redactions={"github-token": 2}, set_aside=(finding,),
    )  # fmt: skip
    tell_run(Speaker(), report(session("consolidated", pages=2), intake=intake))
    assert capsys.readouterr().out.splitlines() == [
        (
            "41 new observations in 2 of 7 files; 1 duplicate; 1 line set aside; 1 unfinished line; "
            "3 times without a zone, read as UTC."
        ),
        "Secrets redacted: 2 x github-token.",
        "consolidated acme/s1: 41 observations, 2 pages, commit 0123456789, 2 windows, 12,000 tokens",
        "  updated acme/concepts/p0.md  Page 0 (3 statements)",
        "  created acme/concepts/p1.md  Page 1 (3 statements)",
        "warning a.jsonl:3: it is not JSON. [unreadable-line]",
        "Done: 1 session consolidated; 1 page created, 1 updated; 1 commit on main.",
    ]


def test_a_large_run_is_told_session_by_session(capsys: pytest.CaptureFixture[str]) -> None:
    tell_run(Speaker(), report(session("consolidated", pages=MOST_PAGES + 1)))
    assert "p1.md" not in capsys.readouterr().out


def test_a_session_that_was_left_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    tell_run(Speaker(), report(session("failed", reason="the reply does not fit")))
    assert (
        "failed acme/s1: 41 observations, 2 windows, 12,000 tokens, the reply does not fit\n" in capsys.readouterr().out
    )


def test_a_session_cannot_forge_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    tell_run(Speaker(), report(session("consolidated", name="x\nDone: all is well.\x1b[2J")))
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("Done:") for line in lines) == 1


def test_a_dry_run_shows_the_diff(capsys: pytest.CaptureFixture[str]) -> None:
    tell_run(Speaker(), report(session("consolidated"), dry_run=True, diff="--- a\n+++ b\n+new\n"))
    assert "\n--- a\n+++ b\n+new\n" in capsys.readouterr().out


def test_a_plan_is_a_table_and_a_sum(capsys: pytest.CaptureFixture[str]) -> None:
    planned = report(session("planned"), session("planned", name="s2"), intake=Intake(observations=82))
    tell_run(Speaker(), replace(planned, command="plan"))
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]
    assert ["acme/s1", "41", "2", "12,000"] in rows
    assert ["acme/s2", "41", "2", "12,000"] in rows
    assert out.endswith(
        "A run would consolidate 2 sessions in 4 windows, about 24,000 tokens of observations, "
        "with the model extractive.\n"
    )


def test_a_plan_without_news_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    tell_run(Speaker(), replace(report(), command="plan"))
    assert capsys.readouterr().out.endswith("Nothing new: a run would change nothing.\n")


@pytest.mark.parametrize(("number", "told"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (12345, "12,345 pages")])
def test_things_are_counted(number: int, told: str) -> None:
    assert count(number, "page") == told
