"""Owns the exit codes and which error ends with which; knows no command."""

from __future__ import annotations

from enum import IntEnum

from pipeline.errors import ConfigError, Conflict, GitError, Unavailable, WikimillError


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
    """The repository cannot be used as it is, or somebody else changes it at this moment."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""
    TERMINATED = 143
    """Ended by the signal TERM."""


def code_of(error: WikimillError) -> ExitCode:
    """Tell with which code an error ends the command."""
    if isinstance(error, ConfigError):
        return ExitCode.USAGE
    if isinstance(error, Unavailable):
        return ExitCode.UNAVAILABLE
    if isinstance(error, GitError | Conflict):
        return ExitCode.CONFLICT
    return ExitCode.OTHER
