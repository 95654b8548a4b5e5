"""Owns the exit codes, and with which one a run ends; knows no command and no rendering."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from pipeline import errors
from pipeline.errors import ConfigError, Conflict, ForgeError, GitError, Unavailable, WikimillError
from pipeline.report.values import Fault

if TYPE_CHECKING:
    from pipeline.report.values import Report


class ExitCode(IntEnum):
    """How a command ended; other programs may count on these numbers."""

    DONE = 0
    """Done, whether or not anything changed."""
    OTHER = 1
    """Anything else: an observation, a page or a file that stops the command; findings of severity error."""
    USAGE = 2
    """The command line or the configuration is wrong."""
    IN_PART = 3
    """Done in part: some sessions failed, were parked or held, or an error stands among the findings."""
    UNAVAILABLE = 4
    """The model does not answer; nothing was done."""
    CONFLICT = 5
    """The repository or its host cannot be used as it is, or somebody else changes it at this moment."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""
    TERMINATED = 143
    """Ended by the signal TERM."""


INTERRUPTED = Fault("Interrupted", "somebody ended the run with Ctrl-C.", next_step="Run again: it goes on from there.")
TERMINATED = Fault("Terminated", "the system ended the run.", next_step="Run again: it goes on from there.")

_SIGNALS = {INTERRUPTED.kind: ExitCode.INTERRUPTED, TERMINATED.kind: ExitCode.TERMINATED}


def code_of(kind: type[WikimillError]) -> ExitCode:
    """Tell with which code an error of this kind ends a command."""
    if issubclass(kind, ConfigError):
        return ExitCode.USAGE
    if issubclass(kind, Unavailable):
        return ExitCode.UNAVAILABLE
    if issubclass(kind, GitError | Conflict | ForgeError):
        return ExitCode.CONFLICT
    return ExitCode.OTHER


def fault_of(error: BaseException) -> Fault:
    """Tell an error that ended a run. Of one that is not wikimill's own the text is left out: it may hold anything."""
    if isinstance(error, WikimillError):
        # The nearest kind of the tree: a room may have kinds of its own, which nobody else knows.
        kind = next(one.__name__ for one in type(error).__mro__ if vars(errors).get(one.__name__) is one)
        return Fault(kind, error.message, error.where, error.next_step)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, SystemExit):
        return TERMINATED
    kind = type(error).__name__
    if isinstance(error, OSError):
        why = error.strerror or "the system refused something"
        return Fault(kind, f"{why}.", next_step="Mend that, then run again.")
    return Fault(kind, "a mistake in wikimill itself.", next_step="`wikimill --debug run` shows where.")


def exit_code(report: Report) -> ExitCode:
    """Tell with which code the run of a report ended."""
    if report.fault is not None:
        return _code_of_fault(report.fault)
    return ExitCode.IN_PART if report.incomplete else ExitCode.DONE


def _code_of_fault(fault: Fault) -> ExitCode:
    if fault.kind in _SIGNALS:
        return _SIGNALS[fault.kind]
    kind = vars(errors).get(fault.kind)
    return code_of(kind) if isinstance(kind, type) and issubclass(kind, WikimillError) else ExitCode.OTHER
