"""Owns reading what GitLab answers: fields by kind, moments, merge requests, commits; knows no HTTP and no rights.

An answer is untrusted: what is missing or of another kind than documented reads as empty, never as a crash.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pipeline.errors import ForgeError
from pipeline.proposal.proposal import Proposal, ProposedCommit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.observations.observation import Json
    from pipeline.proposal.proposal import ProposalState

    Fields = Mapping[str, Json]

_STATES: Final[dict[str, ProposalState]] = {"opened": "open", "merged": "merged", "closed": "closed"}
BEING_MERGED: Final = "locked"
"""The state of a merge request while GitLab merges it; it lasts seconds."""


def fields(value: Json) -> Fields:
    """Give an object's fields; none of anything else."""
    return value if isinstance(value, dict) else {}


def text(of: Fields, name: str) -> str:
    """Give a field of text; empty where there is none."""
    value = of.get(name)
    return value if isinstance(value, str) else ""


def number(of: Fields, name: str) -> int:
    """Give a field with a whole number; 0 where there is none."""
    value = of.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def items(of: Fields, name: str) -> list[Json]:
    """Give a field with a list; an empty one where there is none."""
    value = of.get(name)
    return value if isinstance(value, list) else []


def is_true(of: Fields, name: str) -> bool:
    """Whether a field says so; GitLab's documentation has null for false in places."""
    return of.get(name) is True


def moment(of: Fields, name: str) -> datetime | None:
    """Give a field with a time, in UTC; a date alone is its midnight. None where there is none."""
    try:
        read = datetime.fromisoformat(text(of, name))
    except ValueError:
        return None
    try:
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def is_from_here(of: Fields, branch: str | None = None) -> bool:
    """Whether a merge request comes from the project itself, and from no fork; with `branch`, from exactly that one."""
    source = number(of, "source_project_id")
    named = branch is None or text(of, "source_branch") == branch
    return named and source != 0 and source == number(of, "target_project_id")


def proposal(value: Json, is_machine: Callable[[Fields], bool]) -> Proposal:
    """Read a merge request; `is_machine` tells of a user whether it is no person.

    Raises `ForgeError` for what is no merge request.
    """
    told = fields(value)
    state = _STATES.get(text(told, "state"))
    if state is None or number(told, "iid") <= 0:
        raise ForgeError("GitLab answered with something that is no merge request.")
    author = fields(told.get("author"))
    merger = fields(told.get("merge_user")) or fields(told.get("merged_by"))
    merged = state == "merged"
    login = text(merger, "username") if merged else ""
    return Proposal(
        number=number(told, "iid"),
        state=state,
        url=text(told, "web_url"),
        branch=text(told, "source_branch"),
        base=text(told, "target_branch"),
        head=text(told, "sha"),
        title=text(told, "title"),
        body=text(told, "description"),
        author=text(author, "username"),
        author_is_machine=is_machine(author),
        merged_by=login,
        merged_by_person=bool(login) and not is_machine(merger),
        merged_at=moment(told, "merged_at") if merged else None,
        merge_commit=_merge_commit(told) if merged else "",
        closed_at=moment(told, "closed_at"),
    )


def commit(value: Json) -> ProposedCommit:
    """Read a commit; raises `ForgeError` for what is none."""
    told = fields(value)
    if not text(told, "id"):
        raise ForgeError("GitLab answered with something that is no commit.")
    return ProposedCommit(text(told, "id"), text(told, "message") or text(told, "title"))


def _merge_commit(told: Fields) -> str:
    """Give the last commit that a merge put on the base: its own, the squashed one, or, fast-forward, the head."""
    return text(told, "merge_commit_sha") or text(told, "squash_commit_sha") or text(told, "sha")
