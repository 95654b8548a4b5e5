"""With which code a run ended, as its report tells it."""

from __future__ import annotations

import pytest

from pipeline import errors
from pipeline.cli.exits import code_of
from pipeline.errors import GitError, WikimillError
from pipeline.report import ExitCode, Fault, Report, exit_code, fault_of
from tests.report.reports import finding

KINDS = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, WikimillError)]


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report("m", "p"), 0),
        (Report("m", "p", findings=(finding("a"),)), 0),
        (Report("m", "p", findings=(finding("a", "error"),)), 3),
        (Report("m", "p", fault=Fault("ConfigError", "x")), 2),
        (Report("m", "p", fault=Fault("Unavailable", "x")), 4),
        (Report("m", "p", fault=Fault("BranchMoved", "x")), 5),
        (Report("m", "p", fault=Fault("StoreError", "x"), findings=(finding("a", "error"),)), 1),
        (Report("m", "p", fault=Fault("KeyError", "x")), 1),
        (Report("m", "p", fault=Fault("annotations", "x")), 1),
        (Report("m", "p", fault=fault_of(KeyboardInterrupt())), 130),
        (Report("m", "p", fault=fault_of(SystemExit(143))), 143),
    ],
)
def test_a_report_tells_its_code(report: Report, code: int) -> None:
    assert exit_code(report) == code


@pytest.mark.parametrize("kind", KINDS)
def test_a_kept_error_ends_with_the_code_of_the_error_itself(kind: type[WikimillError]) -> None:
    assert exit_code(Report("m", "p", fault=fault_of(kind("x")))) == code_of(kind("x"))


def test_an_error_is_told_whole() -> None:
    assert fault_of(GitError("it is gone.", where=".git", next_step="Bring it back.")) == Fault(
        "GitError", "it is gone.", ".git", "Bring it back."
    )


@pytest.mark.parametrize("error", [ValueError("SECRET"), OSError(28, "No space left on device", "SECRET")])
def test_the_text_of_an_error_that_is_not_ours_is_not_told(error: Exception) -> None:
    fault = fault_of(error)
    assert fault.kind == type(error).__name__
    assert "SECRET" not in str(fault)
    assert exit_code(Report("m", "p", fault=fault)) == ExitCode.OTHER
