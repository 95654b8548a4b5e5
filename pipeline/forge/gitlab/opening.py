"""Owns opening a merge request exactly once: reviewers by name, lost answers, and the one that stands already.

GitLab refuses a second open merge request with 409 for the same source *and* target branch only; that there is never
more than one for the source branch is held by looking first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.forge.gitlab.answers import fields, items, number, proposal, text
from pipeline.forge.gitlab.wording import commanding_nothing, titled
from pipeline.forge.http import HostRefused, Interrupted
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.forge.gitlab.people import People
    from pipeline.forge.gitlab.project import ProjectApi
    from pipeline.observations.observation import Json
    from pipeline.proposal.proposal import NewProposal, Proposal

_PAUSE: Final = 3.0
"""Seconds before looking for what a request whose answer was lost may have made: GitLab may still be at it."""
_LOST: Final = 3
"""How often a request is sent whose answer gets lost."""
_OPTIONAL: Final = {"reviewer_ids": "reviewer", "labels": "label"}
"""What a merge request can do without, and the word by which a refusal names it."""


class Opening:
    """One merge request on its way; `findings` tells what it had to do without."""

    def __init__(
        self,
        project: ProjectApi,
        people: People,
        *,
        standing: Callable[[], Proposal | None],
        sleep: Callable[[float], None],
    ) -> None:
        self._project, self._people = project, people
        self._standing, self._sleep = standing, sleep
        self.findings: list[Finding] = []

    def open(self, new: NewProposal) -> Proposal:
        """Open it, or give the open one that stands there already."""
        if found := self._standing():
            return found
        reviewers = self._reviewers(new.reviewers)
        body: dict[str, Json] = {
            "source_branch": new.branch,
            "target_branch": new.base,
            "title": titled(new.title, draft=new.draft),
            "description": commanding_nothing(new.body),
            "remove_source_branch": True,
        }
        if new.labels:
            body["labels"] = ",".join(label.replace(",", " ") for label in new.labels)
        if reviewers:
            body["reviewer_ids"] = list(reviewers.values())
        return self._sent(body, reviewers)

    def _sent(self, body: dict[str, Json], reviewers: dict[str, int]) -> Proposal:
        lost = 0
        while True:
            try:
                answer = self._project.post("/merge_requests", body)
            except Interrupted:
                lost += 1
                self._sleep(_PAUSE)
                if found := self._standing():
                    return found
                if lost >= _LOST:
                    raise
                continue
            except HostRefused as refused:
                if refused.status == 409 and (found := self._standing()):  # noqa: PLR2004
                    return found
                if not self._does_without(refused, body):
                    raise self._project.explained(refused) from None
                continue
            if "reviewer_ids" in body:
                self._compare(reviewers, answer)
            return proposal(answer, self._people.is_machine)

    def _does_without(self, refused: HostRefused, body: dict[str, Json]) -> bool:
        """Take out what was refused when a merge request can do without it; whether there was such a thing."""
        named = [name for name, word in _OPTIONAL.items() if name in body and refused.says(word)]
        if refused.status not in {400, 422} or not named:
            return False
        for name in named:
            del body[name]
            self._miss(f"proposal.{_OPTIONAL[name]}s", f"GitLab did not take them: {refused.said}.")
        return True

    def _reviewers(self, names: tuple[str, ...]) -> dict[str, int]:
        """Give the ids of users by name; one whom GitLab does not know is told, and left out."""
        known: dict[str, int] = {}
        for name in names:
            answer = self._project.look("/users", {"username": name})
            users = answer if isinstance(answer, list) else []
            same = [user for user in map(fields, users) if text(user, "username").lower() == name.lower()]
            if same and number(same[0], "id"):
                known[name] = number(same[0], "id")
            else:
                self._miss("proposal.reviewers", f"GitLab knows no user {one_line(name, 100)}.")
        return known

    def _compare(self, asked: dict[str, int], answer: Json) -> None:
        """Tell of reviewers whom GitLab left out: without a licence for more than one, or without access."""
        taken = {number(fields(one), "id") for one in items(fields(answer), "reviewers")}
        left_out = [one_line(name, 100) for name, identity in asked.items() if identity not in taken]
        if left_out:
            told = f"GitLab left out {', '.join(left_out)}: the Free tier takes one reviewer, who must be a member."
            self._miss("proposal.reviewers", told)

    def _miss(self, where: str, message: str) -> None:
        self.findings.append(Finding(where, "proposal-without", "warning", message))
