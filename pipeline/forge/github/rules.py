"""Owns which rules of GitHub refuse a push of wikimill's, and where each is set; pure, asks nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding

if TYPE_CHECKING:
    from pipeline.finding import Severity
    from pipeline.forge.github.answers import Rule

REFUSING: Final = {
    "creation": "Restrict creations",
    "update": "Restrict updates",
    "non_fast_forward": "Block force pushes",
    "required_signatures": "Require signed commits",
    "pull_request": "Require a pull request before merging",
    "required_status_checks": "Require status checks to pass",
    "required_deployments": "Require deployments to succeed",
    "merge_queue": "Require merge queue",
    "workflows": "Require workflows to pass before merging",
    "code_scanning": "Require code scanning results",
    "code_quality": "Require code quality results",
}
"""Rules by which a direct push of unsigned commits is refused, as the settings' page calls them."""
SOMETIMES: Final = {
    "deletion": "Restrict deletions",
    "required_linear_history": "Require linear history",
    "commit_message_pattern": "Require commit metadata: message",
    "commit_author_email_pattern": "Require commit metadata: author email",
    "committer_email_pattern": "Require commit metadata: committer email",
    "branch_name_pattern": "Restrict branch names",
    "file_path_restriction": "Restrict file paths",
    "max_file_path_length": "Restrict file path length",
    "file_extension_restriction": "Restrict file extensions",
    "max_file_size": "Restrict file size",
}
"""Rules that refuse a push only for what is in it, or only the removal of a branch."""

_NEVER_BY_DIRECT_PUSHES: Final = frozenset(("creation", "non_fast_forward"))
"""A push to a base that stands, and is never forced, does not touch these."""


def concerns(rule: Rule, *, direct: bool) -> bool:
    """Whether a rule may refuse a push to its branch; `direct` is one to the base, which stands and is not forced."""
    return rule.type in {*REFUSING, *SOMETIMES} and not (direct and rule.type in _NEVER_BY_DIRECT_PUSHES)


def rule_finding(rule: Rule, branch: str, page: str) -> Finding:
    """Tell of a rule that stands in wikimill's way; `page` is where the rulesets of the repository are."""
    name = REFUSING.get(rule.type) or SOMETIMES[rule.type]
    severity: Severity = "error" if rule.type in REFUSING else "warning"
    verb = "refuses" if rule.type in REFUSING else "may refuse"
    ruleset = f"ruleset {rule.ruleset_id}" if rule.ruleset_id else "a ruleset"
    owner = f" of {rule.ruleset_source}" if rule.ruleset_source_type not in {"", "Repository"} else ""
    return Finding(
        f"branch {branch}",
        f"branch-rule-{rule.type.replace('_', '-')}",
        severity,
        f"the rule '{name}' in {ruleset}{owner} {verb} what wikimill pushes to it.",
        f"Settings > Rules > Rulesets ({page}): exclude this branch, switch the rule off, or add who pushes to the "
        "bypass list.",
    )


def protection_finding(branch: str, page: str, *, direct: bool) -> Finding:
    """Tell of a branch whose protection is of the older kind, of which ordinary tokens see no detail."""
    asks = "reviews, checks or signatures" if direct else "no force pushes, reviews, checks or signatures"
    return Finding(
        f"branch {branch}",
        "branch-protected",
        "warning",
        f"it is protected, and a protection that asks for {asks} refuses what wikimill pushes to it; its details "
        "cannot be seen with this token.",
        f"Settings > Branches ({page}): exclude this branch from the pattern, or allow who pushes to bypass it.",
    )
