"""Owns judging what a token sees of a project: what forbids reading, pushing and opening; pure, asks nobody."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.forge.gitlab.answers import items, text
from pipeline.forge.gitlab.seeing import MISSING, OK
from pipeline.forge.gitlab.tokens import JOB, NEXT_STEP
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.forge.gitlab.project import ProjectApi
    from pipeline.forge.gitlab.seeing import Seen

DEVELOPER: Final = 30
SOON: Final = timedelta(days=14)
_ROLES: Final = {
    0: "no role",
    5: "Minimal access",
    10: "Guest",
    15: "Planner",
    20: "Reporter",
    30: "Developer",
    40: "Maintainer",
    50: "Owner",
    60: "Administrator",
}
_UNAUTHORIZED: Final = 401


def role_name(role: int | None) -> str:
    """Name a role as GitLab's pages do."""
    return "a role that is not told" if role is None else _ROLES.get(role, f"role {role}")


def is_refused(seen: Seen) -> bool:
    """Whether GitLab does not take the token at all."""
    return seen.project_status != OK and _UNAUTHORIZED in {seen.token_status, seen.project_status}


class Judge:
    """What is seen by one token, held to what is to be done: push, open merge requests, or read alone."""

    def __init__(self, project: ProjectApi, seen: Seen, now: datetime) -> None:
        self._project, self._seen, self._now = project, seen, now
        self._here = f"GitLab {project.path}"

    def token(self, *, opens: bool, pushes: bool) -> Iterator[Finding]:
        """Judge the token itself: its kind, whether GitLab takes it, how long, and for what."""
        kind, where = self._project.kind, self._project.variable
        if not self._project.client.has_token:
            if opens or pushes:
                yield Finding(where, "no-token", "error", "There is no token.", NEXT_STEP)
            return
        if not kind.opens and opens:
            yield Finding(
                where, "token-kind", "error", f"It holds {kind.name}, which opens no merge request.", NEXT_STEP
            )
        elif kind is JOB and not pushes:
            told = "The token of a CI/CD job lists merge requests, but may not read their commits."
            yield Finding(where, "token-kind", "warning", told, NEXT_STEP.replace("scope api", "scope read_api"))
        if kind.tells_of_itself and is_refused(self._seen):
            told = "GitLab does not take the token: it is wrong, revoked or expired."
            yield Finding(where, "token-refused", "error", told, f"Create a new one and store it in {where}.")
        yield from self._end(where)
        yield from self._scopes(where, opens=opens, pushes=pushes)

    def project(self, *, opens: bool, pushes: bool) -> Iterator[Finding]:
        """Judge the project and the role in it."""
        seen, here = self._seen, self._here
        if seen.project_status != OK:
            if self._project.kind.tells_of_itself and not is_refused(seen):
                told = f"GitLab shows no such project to the token ({seen.project_status})."
                step = "Check proposal.repository, and that the token's user is a member; private projects answer 404."
                yield Finding(here, "project-unseen", "error", told, step)
            return
        if pushes and seen.project.get("archived") is True:
            step = "Settings > General > Advanced > Unarchive project."
            yield Finding(here, "project-archived", "error", "The project is archived and takes no pushes.", step)
        if opens and self._is_off("merge_requests"):
            step = "Switch on Settings > General > Visibility, project features, permissions > Merge requests."
            yield Finding(here, "merge-requests-off", "error", "Merge requests are switched off.", step)
        if pushes:
            yield from self._role()
        if seen.base_status == MISSING:
            step = "Set proposal.base to the branch that the wiki is merged into."
            yield Finding("proposal.base", "base-missing", "error", "GitLab has no such branch.", step)

    def _role(self) -> Iterator[Finding]:
        role, step = self._seen.role, "Give the token's user, or the token itself, the role Developer in the project."
        if role is None:
            if self._project.kind.tells_of_itself and self._project.client.has_token:
                told = "GitLab does not tell which role the token has; Developer is needed."
                yield Finding(self._here, "role-unseen", "warning", told, step)
        elif role < DEVELOPER:
            told = f"The token has the role {role_name(role)}, which may not push." if role else "It is no member."
            yield Finding(self._here, "role-too-low", "error", told, step)

    def _end(self, where: str) -> Iterator[Finding]:
        """Judge how long an access token lasts: to the beginning of the day that it names, in UTC."""
        token = self._seen.token
        try:
            end = datetime.combine(date.fromisoformat(text(token, "expires_at")[:10]), time(), UTC)
        except ValueError:
            end = None
        step = f"Rotate it on GitLab (Settings > Access tokens) and store the new one in {where}."
        if token.get("revoked") is True or token.get("active") is False or (end is not None and end <= self._now):
            yield Finding(where, "token-expired", "error", "The token is revoked or has expired.", step)
        elif end is not None and end - self._now <= SOON:
            told = f"The token expires on {end.date().isoformat()}; from then on runs fail."
            yield Finding(where, "token-expires", "warning", told, step)

    def _scopes(self, where: str, *, opens: bool, pushes: bool) -> Iterator[Finding]:
        scopes = {one for one in items(self._seen.token, "scopes") if isinstance(one, str)}
        if not scopes or "granular" in scopes:
            return
        needed = "api" if opens else "write_repository" if pushes else "read_api"
        if not scopes & {needed, "api"}:
            told = f"The token has the scopes {one_line(', '.join(sorted(scopes)), 200)}, and not {needed}."
            step = f"Create one with the scope {needed}: a scope cannot be added to a token."
            yield Finding(where, "token-scope", "error", told, step)

    def _is_off(self, feature: str) -> bool:
        project = self._seen.project
        return text(project, f"{feature}_access_level") == "disabled" or project.get(f"{feature}_enabled") is False


def project_notes(project: ProjectApi, seen: Seen) -> Iterator[Finding]:
    """Tell what a newcomer would not expect of the project's settings."""
    here = f"GitLab {project.path}"
    if seen.project.get("only_allow_merge_if_pipeline_succeeds") is True:
        told = "A merge request waits for its pipeline; without a job for merge requests it waits for ever."
        step = "See Settings > Merge requests > Merge checks > Pipelines must succeed."
        yield Finding(here, "pipelines-required", "note", told, step)
    hidden = text(seen.project, "visibility") in {"private", "internal"}
    if hidden and text(seen.project, "pages_access_level") == "public":
        told = "The project is not public, but its pages are: everybody can read the wiki."
        step = "Settings > General > Visibility, project features, permissions > Pages: Only project members."
        yield Finding(here, "pages-public", "warning", told, step)
