"""Owns asking GitLab what a token is, may do, and sees of a project; judges nothing, and raises for no refusal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.forge.gitlab.answers import fields, is_true, number
from pipeline.forge.http import quoted

if TYPE_CHECKING:
    from pipeline.forge.gitlab.answers import Fields
    from pipeline.forge.gitlab.project import ProjectApi

OK = 200
MISSING = 404


@dataclass(frozen=True, slots=True)
class Seen:
    """What GitLab tells. A status is that of an answer of HTTP, 0 where nothing was asked."""

    token_status: int = 0
    token: Fields = field(default_factory=dict)
    project_status: int = 0
    project: Fields = field(default_factory=dict)
    role: int | None = None
    """GitLab's number of the role: 30 Developer, 40 Maintainer, 50 Owner; None where it does not tell."""
    base_status: int = 0
    """Of asking for the branch to be merged into."""


def see(project: ProjectApi, base: str) -> Seen:
    """Ask about the token, the project, the role, and, unless `base` is empty, whether that branch is there."""
    token_status, token = 0, fields(None)
    if project.client.has_token and project.kind.tells_of_itself:
        token_status, answer = project.status_of_token()
        token = fields(answer)
    project_status, answer = project.status_of("")
    told = fields(answer)
    if project_status != OK:
        return Seen(token_status, token, project_status)
    base_status = project.status_of(f"/repository/branches/{quoted(base)}")[0] if base else 0
    return Seen(token_status, token, project_status, told, _role(project, told, token), base_status)


def _role(project: ProjectApi, told: Fields, token: Fields) -> int | None:
    """Give the role in the project, or in a group that the project was shared with; an administrator needs none."""
    permissions = fields(told.get("permissions"))
    levels = [number(fields(permissions.get(name)), "access_level") for name in ("project_access", "group_access")]
    if any(levels):
        return max(levels)
    user = number(token, "user_id")
    if not user:
        return None
    status, member = project.status_of(f"/members/all/{user}")
    if status == OK:
        return number(fields(member), "access_level")
    if status == MISSING and not is_true(fields(project.look("/user")), "is_admin"):
        return 0
    return None
