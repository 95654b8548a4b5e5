"""Owns how the double writes what it knows as GitLab's API does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.forge.gitlab_double.state import PROJECT, MergeRequest, Note, Project, Token

if TYPE_CHECKING:
    from datetime import datetime

    from tests.forge.hosting import HostedCommit


def at(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def user(project: Project, name: str | None) -> dict[str, Any] | None:
    """Tell a user as it stands with other things: without `bot`."""
    if name is None:
        return None
    state = project.user_states.get(name, "active")
    return {"id": project.identity(name), "username": name, "name": name.title(), "state": state, "locked": False}


def merge_request(project: Project, one: MergeRequest, site: str) -> dict[str, Any]:
    merger = user(project, one.merge_user)
    return {
        "id": 9_000 + one.number,
        "iid": one.number,
        "project_id": PROJECT,
        "title": one.title,
        "description": one.body,
        "state": one.state,
        "created_at": at(one.at),
        "merged_by": merger,
        "merge_user": merger,
        "merged_at": at(one.merged_at),
        "closed_at": at(one.closed_at),
        "target_branch": one.base,
        "source_branch": one.branch,
        "source_project_id": one.source_project,
        "target_project_id": PROJECT,
        "author": user(project, one.author),
        "labels": list(one.labels),
        "reviewers": [user(project, name) for name in one.reviewers],
        "draft": one.title.startswith("Draft:"),
        "sha": one.head or None,
        "merge_commit_sha": one.merge_commit,
        "squash_commit_sha": one.squash_commit,
        "force_remove_source_branch": one.removes_branch,
        "web_url": f"{site}/{project.path}/-/merge_requests/{one.number}",
    }


def commit(one: HostedCommit) -> dict[str, Any]:
    title = one.message.partition("\n")[0]
    return {"id": one.id, "short_id": one.id[:8], "title": title, "message": f"{one.message}\n", "parent_ids": []}


def note(project: Project, one: Note) -> dict[str, Any]:
    told = {"id": one.id, "body": one.body, "author": user(project, one.author), "system": one.system}
    return {**told, "created_at": at(one.at), "noteable_type": "MergeRequest"}


def approvals(project: Project, one: MergeRequest) -> dict[str, Any]:
    given = [
        {"user": user(project, name), **({"approved_at": at(when)} if project.approvals_tell_time else {})}
        for name, when in one.approvals
    ]
    return {"user_has_approved": False, "approved": bool(given), "approved_by": given}


def token(project: Project, one: Token) -> dict[str, Any]:
    told = {"id": 5, "name": "wikimill", "revoked": False, "active": one.active, "scopes": list(one.scopes)}
    return {**told, "user_id": project.identity(one.user), "expires_at": one.expires_at}


def whole_project(project: Project, asking: str | None) -> dict[str, Any]:
    def access(roles: dict[str, int]) -> dict[str, int] | None:
        return {"access_level": roles[asking]} if asking in roles else None

    told = {"id": PROJECT, "path_with_namespace": project.path, "default_branch": "main", **project.settings}
    if asking is None:
        return told
    rights = {"project_access": access(project.roles), "group_access": access(project.group_roles)}
    return {**told, "permissions": rights}


def path_of(project: Project) -> str:
    return quote(project.path, safe="")
