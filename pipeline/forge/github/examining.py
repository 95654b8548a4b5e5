"""Owns looking what a token may do in a repository on GitHub, before anything is paid for; changes nothing there."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.forge.github.answers import (
    BranchAnswer,
    RepositoryAnswer,
    Rule,
    Ruleset,
    WorkflowPermissions,
    read_answer,
    read_answers,
)
from pipeline.forge.github.reading import PAGE
from pipeline.forge.github.refusing import READ_CONTENTS, WRITE_CONTENTS, actions_setting, explained
from pipeline.forge.github.rules import concerns, protection_finding, rule_finding
from pipeline.forge.http import HostRefused, quoted
from pipeline.proposal.proposal import Access

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Severity
    from pipeline.forge.http import ForgeClient

TOKEN_KINDS: Final = {
    "ghs_": "an installation token, of GitHub Actions or an App",
    "ghp_": "a classic personal access token",
    "github_pat_": "a fine-grained personal access token",
    "gho_": "a token of an OAuth app, such as GitHub's command line",
    "ghu_": "a token of a person through an App",
}
"""By their prefixes, which GitHub documents; a token of Actions and one of an App look alike."""
EXPIRES_SOON: Final = timedelta(days=14)

_INSTALLATION: Final = "ghs_"
_EXPIRY: Final = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: (?:UTC|([+-]\d{4})))?")
_UNSEEN: Final = frozenset((401, 403, 404))
_MISSING: Final = 404


def kind_of_token(client: ForgeClient) -> str:
    """Name the kind of a client's token; empty when it has none."""
    if not client.has_token:
        return ""
    named = [kind for prefix, kind in TOKEN_KINDS.items() if client.token_starts(prefix)]
    return named[0] if named else "a token of a kind that is not known"


class Examiner:
    """Looks at one repository with one token."""

    def __init__(self, client: ForgeClient, repository: str, web_url: str) -> None:
        self._client = client
        self._name = repository
        self._web_url = web_url
        self._home = f"/repos/{repository}"
        self._settings = f"{web_url}/{repository}/settings"

    def repository(self) -> RepositoryAnswer:
        """Read the repository."""
        return read_answer(RepositoryAnswer, self._client.get(self._home))

    def examine(self, base: str, branch: str, *, will_push: bool) -> Access:
        """Look what the token may do; `branch == base` is a push without a proposal."""
        kind = kind_of_token(self._client)
        told = f"GitHub, {self._name} at {self._client.base_url}, with {kind or 'no token'}"
        findings = self._without_token() if will_push and not kind else []
        try:
            answer, headers = self._client.look(self._home)
        except HostRefused as fault:
            meant = explained(
                fault, WRITE_CONTENTS if will_push else READ_CONTENTS, web_url=self._web_url, repository=self._name
            )
            refused = Finding("token", "repository-unseen", "error", meant.message, meant.next_step)
            return Access(f"{told}: the repository cannot be seen", kind, (*findings, refused))
        seen = read_answer(RepositoryAnswer, answer)
        findings += [*self._of_repository(seen, will_push=will_push), *self._of_token(headers, will_push=will_push)]
        rights = "push" if self._pushes(seen) else "read"
        notes = [rights if seen.permissions and not self._is_installation else "rights show when they are used"]
        if will_push:
            findings += self._of_rules(branch, direct=branch == base)
            if branch != base:
                note, more = self._of_actions()
                notes.append(note)
                findings += more
        return Access(f"{told}: {'; '.join(note for note in notes if note)}", kind, tuple(findings))

    @property
    def _is_installation(self) -> bool:
        return self._client.token_starts(_INSTALLATION)

    def _pushes(self, seen: RepositoryAnswer) -> bool:
        return seen.permissions is not None and seen.permissions.push

    def _without_token(self) -> list[Finding]:
        step = "Set GITHUB_TOKEN: in a workflow `GITHUB_TOKEN: ${{ github.token }}`, else a fine-grained token."
        return [Finding("token", "token-missing", "error", "there is no token to push and propose with.", step)]

    def _of_repository(self, seen: RepositoryAnswer, *, will_push: bool) -> list[Finding]:
        findings: list[Finding] = []
        if seen.full_name.lower() != self._name.lower():
            message = f"the repository is called {seen.full_name} now; GitHub takes no writes under its old name."
            step = f"Set `proposal.repository` and the git remote to {seen.full_name}."
            severity: Severity = "error" if will_push else "warning"
            findings.append(Finding("proposal.repository", "repository-renamed", severity, message, step))
        if seen.archived and will_push:
            step = f"Settings > General > Danger Zone > Unarchive this repository ({self._settings})."
            findings.append(Finding(self._name, "repository-archived", "error", "it is archived: read-only.", step))
        if seen.disabled:
            findings.append(
                Finding(self._name, "repository-disabled", "error", "GitHub has disabled it.", "Ask GitHub.")
            )
        # What GitHub says here of an installation token are no rights of its own, so that silence proves nothing.
        if will_push and seen.permissions and not seen.permissions.push and not self._is_installation:
            message = "whom the token belongs to may not push to the repository."
            place = f"Settings > Collaborators and teams ({self._settings}/access)"
            step = f"Give that person or team the role Write: {place}."
            findings.append(Finding("token", "push-not-permitted", "error", message, step))
        return findings

    def _of_token(self, headers: Mapping[str, str], *, will_push: bool) -> list[Finding]:
        """Look at what the headers tell of a token: the scopes of a classic one, when another one expires."""
        findings: list[Finding] = []
        if will_push and self._client.token_starts("ghp_") and (told := headers.get("x-oauth-scopes")) is not None:
            scopes = {scope.strip() for scope in told.split(",")}
            if not scopes & {"repo", "public_repo"}:
                step = "Settings > Developer settings > Personal access tokens > Tokens (classic): tick `repo`."
                findings.append(Finding("token", "scope-missing", "error", "it has no scope to push with.", step))
        until = _moment(headers.get("github-authentication-token-expiration", ""))
        if until is not None and until - self._client.now() < EXPIRES_SOON:
            message = f"it expires on {until:%Y-%m-%d %H:%M} UTC."
            step = "Make a new one in time: Settings > Developer settings > Personal access tokens."
            findings.append(Finding("token", "token-expires", "warning", message, step))
        return findings

    def _of_actions(self) -> tuple[str, list[Finding]]:
        """Look whether GitHub Actions may open pull requests, which only somebody who may administrate is told."""
        try:
            answer = self._client.get(f"{self._home}/actions/permissions/workflow")
        except HostRefused as fault:
            if fault.status not in _UNSEEN:
                raise
            return "whether GitHub Actions may open pull requests cannot be seen with this token", []
        if read_answer(WorkflowPermissions, answer).can_approve_pull_request_reviews:
            return "GitHub Actions may open pull requests", []
        # The token of GitHub Actions never sees this setting: whoever does is not held by it.
        message = "GitHub Actions may not open pull requests here; other tokens may."
        step = actions_setting(self._web_url, self._name)
        return "", [Finding("repository settings", "actions-may-not-propose", "warning", message, step)]

    def _of_rules(self, branch: str, *, direct: bool) -> list[Finding]:
        """Look which rules would refuse a push to a branch, whether or not it stands yet."""
        rules = self._rules(branch)
        barred = [rule for rule in rules if concerns(rule, direct=direct)]
        passed = {number for number in {rule.ruleset_id for rule in barred} if number and self._may_bypass(number)}
        page = f"{self._settings}/rules"
        findings = [rule_finding(rule, branch, page) for rule in barred if rule.ruleset_id not in passed]
        protected = self._is_protected(branch)
        if protected is None and direct:
            step = "Push it once by hand, or set `proposal.base`."
            findings.append(Finding(f"branch {branch}", "base-missing", "error", "there is no such branch.", step))
        # A branch counts as protected for its rulesets, too; without any it is the older kind.
        if protected and not rules:
            findings.append(protection_finding(branch, f"{self._settings}/branches", direct=direct))
        return list(dict.fromkeys(findings))

    def _rules(self, branch: str) -> tuple[Rule, ...]:
        try:
            return read_answers(Rule, self._client.pages(f"{self._home}/rules/branches/{quoted(branch)}", PAGE))
        except HostRefused as fault:
            if fault.status not in _UNSEEN:
                raise
            return ()

    def _may_bypass(self, number: int) -> bool:
        """Whether the token may pass by a ruleset; what cannot be seen is taken as no."""
        try:
            answer = self._client.get(f"{self._home}/rulesets/{number}")
        except HostRefused:
            return False
        return read_answer(Ruleset, answer).current_user_can_bypass in {"always", "exempt"}

    def _is_protected(self, branch: str) -> bool | None:
        """Whether a branch is protected; None when there is no such branch."""
        try:
            answer = self._client.get(f"{self._home}/branches/{quoted(branch)}")
        except HostRefused as fault:
            if fault.status not in _UNSEEN:
                raise
            return None if fault.status == _MISSING else False
        return read_answer(BranchAnswer, answer).protected


def _moment(told: str) -> datetime | None:
    """Read when a token expires: `2026-12-30 08:00:00 UTC`, or with an offset such as `+0200`."""
    found = _EXPIRY.fullmatch(told.strip())
    if not found:
        return None
    try:
        moment = datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3] or '+00:00'}")
    except ValueError:
        return None
    return moment.astimezone(UTC)
