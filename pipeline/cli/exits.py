"""Owns which error ends a command with which code; the codes stand with the report, which is kept with its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report.ending import ExitCode
from pipeline.report.ending import code_of as code_of_kind

if TYPE_CHECKING:
    from pipeline.errors import WikimillError

__all__ = ["ExitCode", "code_of"]


def code_of(error: WikimillError) -> ExitCode:
    """Tell with which code an error ends the command."""
    return code_of_kind(type(error))
