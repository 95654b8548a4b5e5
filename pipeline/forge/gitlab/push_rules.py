"""Owns what the push rules of a GitLab (Premium, Ultimate) mean for wikimill's commits; asks nobody.

GitLab's patterns are those of RE2; one that cannot be tried here is told, and not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from pipeline.finding import Finding
from pipeline.forge.gitlab.answers import is_true, text
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.finding import Severity
    from pipeline.forge.gitlab.answers import Fields

_SETTING: Final = "Settings > Repository > Push rules"
_SECONDS: Final = 0.2
"""For one pattern on one short text; RE2 is linear, what tries it here is not."""
_LONGEST: Final = 511
"""Characters of a pattern; GitLab takes no longer one."""

MESSAGES: Final = (
    "consolidate(acme/7f4c2a): what a session taught\n\nSession: 7f4c2a\nObservations: 12\nPages: 2\n",
    "ledger: record what was read\n\nContent: 0123456789abcdef0123456789abcdef01234567\n",
    "verify: acme/decisions/cookies.md\n\nContent: 0123456789abcdef0123456789abcdef01234567\n",
)
"""Such as wikimill's commits have; a rule must let all of them pass."""
PATHS: Final = ("wiki/acme/decisions/cookies.md", "wiki/index.md", "wiki/.ledger/files.jsonl")

_FORBIDDEN: Final = {
    "reject_unsigned_commits": ("Commits must be signed; wikimill signs none.", "Reject unsigned commits"),
    "reject_non_dco_commits": ("Commits must be signed off; wikimill's are not.", "Reject commits without DCO"),
}
_OF_AUTHORS: Final = {
    "member_check": ("The author of a commit must be a user of this GitLab.", "Check whether the author is a user"),
    "commit_committer_check": ("The committer must be the token's user.", "Check whether the committer is current"),
    "commit_committer_name_check": ("The author's name must be that of the token's user.", "Check the author's name"),
}


_FORBIDDING: Final = frozenset(("commit_message_negative_regex", "file_name_regex"))


def push_findings(rule: Fields, *, here: str, branch: str, default_branch: str, email: str) -> Iterator[Finding]:
    """Tell each push rule that refuses wikimill's pushes, as errors, or that may do so, as warnings."""
    for name, (told, setting) in _FORBIDDEN.items():
        if is_true(rule, name):
            yield _finding(here, name, "error", told, setting)
    for name, (told, setting) in _OF_AUTHORS.items():
        if is_true(rule, name):
            step = f"{setting}; set git's user.name and user.email accordingly"
            yield _finding(here, name, "warning", told, step)
    if is_true(rule, "prevent_secrets"):
        told = "Files whose names look like keys are refused; wikimill writes no such file."
        yield _finding(here, "prevent_secrets", "note", told, "Prevent pushing secret files")
    trials = [
        _Trial("commit_message_regex", MESSAGES, "Require expression in commit messages", "the commit messages"),
        _Trial("commit_message_negative_regex", MESSAGES, "Reject expression in commit messages", "commit messages"),
        _Trial("file_name_regex", PATHS, "Prohibited file names", "the pages' paths"),
    ]
    if branch != default_branch:
        trials.append(_Trial("branch_name_regex", (branch,), "Branch name", f"the branch {branch}"))
    if email:
        trials.append(_Trial("author_email_regex", (email,), "Commit author's email", f"the author {email}"))
    elif pattern := text(rule, "author_email_regex"):
        told = f"Authors' addresses must match {one_line(pattern, 100)}."
        yield _finding(here, "author_email_regex", "warning", told, "Commit author's email; set git's user.email")
    for trial in trials:
        yield from _tried(trial, rule, here)


@dataclass(frozen=True, slots=True)
class _Trial:
    """A pattern of a rule, and texts that all must match it, or, where it forbids, must not."""

    name: str
    samples: tuple[str, ...]
    setting: str
    of: str


def _tried(trial: _Trial, rule: Fields, here: str) -> Iterator[Finding]:
    pattern, forbids = text(rule, trial.name), trial.name in _FORBIDDING
    if not pattern:
        return
    shown = one_line(pattern, 100)
    outcome = [_found(pattern, sample) for sample in trial.samples]
    if None in outcome:
        told = f"Whether {trial.of} pass the pattern {shown} cannot be tried here."
        yield _finding(here, trial.name, "warning", told, trial.setting)
    elif forbids in outcome:
        told = f"The pattern {shown} {'forbids' if forbids else 'does not match'} {trial.of} of wikimill."
        yield _finding(here, trial.name, "error", told, trial.setting)


def _found(pattern: str, sample: str) -> bool | None:
    """Whether a pattern occurs in a text; None where that cannot be told in time."""
    if len(pattern) > _LONGEST:
        return None
    try:
        return regex.search(pattern, sample, regex.MULTILINE | regex.VERSION0, timeout=_SECONDS) is not None
    except (regex.error, TimeoutError, ValueError, RecursionError, OverflowError):
        return None


def _finding(here: str, name: str, severity: Severity, told: str, setting: str) -> Finding:
    rule = f"push-rule-{name.replace('_', '-')}"
    return Finding(here, rule, severity, told, f"{_SETTING} > {setting}.")
