"""Owns what a run has to tell: one value, and every form in which it is told; knows no effect."""

from pipeline.report.document import SCHEMA_VERSION, as_json, from_json, parse_json, render_json
from pipeline.report.ending import ExitCode, exit_code, fault_of
from pipeline.report.markdown import as_markdown
from pipeline.report.telling import tell
from pipeline.report.values import (
    Action,
    Fault,
    Intake,
    PageOutcome,
    ProposalOutcome,
    Report,
    SessionOutcome,
    State,
)
from pipeline.report.wording import count, summary

__all__ = [
    "SCHEMA_VERSION",
    "Action",
    "ExitCode",
    "Fault",
    "Intake",
    "PageOutcome",
    "ProposalOutcome",
    "Report",
    "SessionOutcome",
    "State",
    "as_json",
    "as_markdown",
    "count",
    "exit_code",
    "fault_of",
    "from_json",
    "parse_json",
    "render_json",
    "summary",
    "tell",
]
