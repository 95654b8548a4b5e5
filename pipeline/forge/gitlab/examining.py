"""Owns looking what a token may do in a project, before anything is paid for: asks, has it judged, and tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.forge.gitlab.addresses import site_of
from pipeline.forge.gitlab.answers import fields, items, text
from pipeline.forge.gitlab.branch_rules import branch_findings
from pipeline.forge.gitlab.obstacles import Judge, is_refused, project_notes, role_name
from pipeline.forge.gitlab.push_rules import push_findings
from pipeline.forge.gitlab.seeing import OK, see
from pipeline.forge.gitlab.tokens import JOB
from pipeline.proposal.proposal import Access
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pipeline.forge.gitlab.project import ProjectApi
    from pipeline.forge.gitlab.seeing import Seen


class Examiner:
    """One look at one project with one token; `email` is that of the commits' author, empty when it is not known."""

    def __init__(self, project: ProjectApi, now: datetime, email: str) -> None:
        self._project, self._now, self._email = project, now, email
        self._here = f"GitLab {project.path}"

    def examine(self, *, base: str, branch: str, will_push: bool) -> Access:
        """Look at everything that may stand in the way of reading or, with `will_push`, of pushing and opening."""
        opens = will_push and branch != base
        seen = see(self._project, base if opens else "")
        judge = Judge(self._project, seen, self._now)
        findings = [*judge.token(opens=opens, pushes=will_push)]
        if not is_refused(seen) or not self._project.kind.tells_of_itself:
            findings += judge.project(opens=opens, pushes=will_push)
        if seen.project_status == OK:
            findings += project_notes(self._project, seen)
            if will_push:
                findings += self._rules(seen, branch, rewrites=opens)
        if will_push and not opens and self._project.kind is JOB:
            findings += self._job_push(seen)
        kind = self._project.kind.name if self._project.client.has_token else ""
        return Access(self._told(seen), kind, tuple(findings))

    def may_open(self, *, base: str) -> tuple[str, str]:
        """Tell the first thing that forbids opening a merge request, and the setting to change."""
        seen = see(self._project, base)
        judge = Judge(self._project, seen, self._now)
        found = (*judge.token(opens=True, pushes=True), *judge.project(opens=True, pushes=True))
        first = next((one for one in found if one.severity == "error"), None)
        return ("", "") if first is None else (first.message, first.next_step)

    def _rules(self, seen: Seen, branch: str, *, rewrites: bool) -> Iterator[Finding]:
        """Judge protected branches and push rules, as far as the token sees them."""
        protected = self._project.listed("/protected_branches") or []
        yield from branch_findings(protected, branch, seen, here=self._here, rewrites=rewrites)
        _, rule = self._project.status_of("/push_rule")
        yield from push_findings(
            fields(rule),
            here=self._here,
            branch=branch,
            default_branch=text(seen.project, "default_branch"),
            email=self._email,
        )

    def _job_push(self, seen: Seen) -> Iterator[Finding]:
        if seen.project.get("ci_push_repository_for_job_token_allowed") is not True:
            told = "The token of a CI/CD job pushes only where that is switched on (GitLab 17.2 and later)."
            step = "Settings > CI/CD > Job token permissions > Allow Git push requests to the repository."
            yield Finding(self._here, "job-token-push", "warning", told, step)

    def _told(self, seen: Seen) -> str:
        parts = [site_of(self._project.client.base_url), self._project.path]
        kind = self._project.kind.name if self._project.client.has_token else "no token"
        scopes = [one for one in items(seen.token, "scopes") if isinstance(one, str)]
        parts.append(f"{kind} with {', '.join(scopes)}" if scopes else kind)
        if end := text(seen.token, "expires_at"):
            parts.append(f"until {end}")
        parts.append(role_name(seen.role) if seen.project_status == OK else "nothing of the project is visible")
        return one_line(self._project.client.scrub(", ".join(parts)), 300)
