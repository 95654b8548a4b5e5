"""Owns finding the last look that a person took at a merge request: approvals, comments, and what stood there then.

Newer versions of GitLab tell when an approval was given; for older ones the note that GitLab writes about it tells.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pipeline.forge.gitlab.answers import fields, is_true, items, moment, number, text
from pipeline.proposal.proposal import Review

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.forge.gitlab.answers import Fields
    from pipeline.forge.gitlab.people import People
    from pipeline.forge.gitlab.project import ProjectApi

_LOOKED: Final = ("approved this merge request", "requested changes", "left review comments", "unapproved this merge")
"""How GitLab's own notes about a review begin; its other notes (pushes, labels, rebases) are about no look."""


def last_review(project: ProjectApi, people: People, number_: int) -> Review | None:
    """Give the last look of a person who is not the author; None when there was none that the token may see."""
    place = f"/merge_requests/{number_}"
    author = fields(fields(project.get(place)).get("author"))
    newest: Review | None = None
    for at, user in (*_approvals(project, place), *_newest_note(project, people, place, author)):
        if (newest is None or at > newest.at) and _is_other_person(user, author, people):
            newest = Review(text(user, "username"), at, "")
    return None if newest is None else Review(newest.by, newest.at, _head_at(project, place, newest.at))


def _approvals(project: ProjectApi, place: str) -> Iterator[tuple[datetime, Fields]]:
    _, answer = project.status_of(f"{place}/approvals")
    for one in items(fields(answer), "approved_by"):
        if at := moment(fields(one), "approved_at"):
            yield at, fields(fields(one).get("user"))


def _newest_note(project: ProjectApi, people: People, place: str, author: Fields) -> Iterator[tuple[datetime, Fields]]:
    """Give the newest note that counts; notes on lines of a diff and in threads are among them."""
    for one in project.pages(f"{place}/notes", {"sort": "desc", "order_by": "created_at"}):
        note = fields(one)
        user, at = fields(note.get("author")), moment(note, "created_at")
        counts = not is_true(note, "system") or text(note, "body").lstrip("* ").startswith(_LOOKED)
        if counts and at is not None and _is_other_person(user, author, people):
            yield at, user
            return


def _is_other_person(user: Fields, author: Fields, people: People) -> bool:
    return number(user, "id") != number(author, "id") and not people.is_machine(user)


def _head_at(project: ProjectApi, place: str, at: datetime) -> str:
    """Give the tip of the branch at a time: that of the newest version of the merge request that is not younger."""
    found, since = "", datetime.min.replace(tzinfo=UTC)
    for one in project.listed(f"{place}/versions") or []:
        version = fields(one)
        made = moment(version, "created_at")
        if made is not None and since < made <= at:
            found, since = text(version, "head_commit_sha"), made
    return found
