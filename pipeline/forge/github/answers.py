"""Owns what is read out of GitHub's answers: each is checked here, at the border, and trusted behind it.

Only what is used is read; what GitHub adds is passed over, and a field that it leaves out has a careful default.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from pipeline.errors import ForgeError
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.observations.observation import Json

CommitId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$")]
_LOGIN_LIMIT = 100


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


AnyAnswer = TypeVar("AnyAnswer", bound=_Answer)


class User(_Answer):
    """Whoever did something; GitHub has null for an account that is gone."""

    login: Annotated[str, StringConstraints(pattern=r"^[\w.\[\]-]+$", max_length=_LOGIN_LIMIT)]
    type: str = "User"

    @property
    def is_person(self) -> bool:
        """Whether it is no App, bot or organisation."""
        return self.type == "User" and not self.login.endswith("[bot]")


class RepositoryName(_Answer):
    """A repository as an end of a pull request; null when a fork was deleted."""

    full_name: str


class End(_Answer):
    """The branch that a pull request comes from, or goes to."""

    ref: str
    sha: CommitId
    repo: RepositoryName | None = None


class Pull(_Answer):
    """A pull request; `merged_by` and `commits` stand only where it is read alone."""

    number: Annotated[int, Field(gt=0)]
    state: Literal["open", "closed"]
    html_url: str
    head: End
    base: End
    title: str
    body: str | None = None
    user: User | None = None
    merged_at: datetime | None = None
    closed_at: datetime | None = None
    merge_commit_sha: CommitId | None = None
    merged_by: User | None = None
    commits: Annotated[int, Field(ge=0)] = 0

    @property
    def is_of_its_own(self) -> bool:
        """Whether it comes from the repository that it goes to, and from no fork; a deleted one was a fork."""
        head, base = self.head.repo, self.base.repo
        return head is not None and base is not None and head.full_name.lower() == base.full_name.lower()


class _Message(_Answer):
    message: str = ""


class _Parent(_Answer):
    sha: CommitId


class Commit(_Answer):
    """A commit, with the commits that it follows."""

    sha: CommitId
    commit: _Message
    parents: tuple[_Parent, ...] = ()


class ReviewAnswer(_Answer):
    """A review; one that is still being written has the state PENDING and no time."""

    state: str
    user: User | None = None
    commit_id: CommitId | None = None
    submitted_at: datetime | None = None


class Permissions(_Answer):
    """What the user whom a token belongs to may do; says little about the token of an App."""

    push: bool = False
    pull: bool = False


class RepositoryAnswer(_Answer):
    """A repository."""

    full_name: str
    default_branch: str = ""
    private: bool = False
    archived: bool = False
    disabled: bool = False
    fork: bool = False
    has_pages: bool = False
    permissions: Permissions | None = None


class Secret(_Answer):
    """A secret, of which nobody is told more than its name."""

    name: str


class Secrets(_Answer):
    """The first of the secrets."""

    secrets: list[Secret] = []


class WorkflowPermissions(_Answer):
    """What workflows may do in a repository."""

    can_approve_pull_request_reviews: bool


class Rule(_Answer):
    """One rule that holds for a branch, and the ruleset that it stands in."""

    type: Annotated[str, StringConstraints(pattern=r"^\w+$", max_length=_LOGIN_LIMIT)]
    ruleset_id: int = 0
    ruleset_source: str = ""
    ruleset_source_type: str = ""


class Ruleset(_Answer):
    """What a token sees of a ruleset."""

    name: str = ""
    current_user_can_bypass: str = "never"


class BranchAnswer(_Answer):
    """A branch; `protected` is true for rulesets as for the older branch protection."""

    protected: bool = False


class Workflow(_Answer):
    """A workflow file."""

    state: str
    html_url: str = ""


class WorkflowRun(_Answer):
    """One run of a workflow; the conclusion is null while it goes on."""

    status: str | None = None
    conclusion: str | None = None
    created_at: datetime | None = None
    html_url: str = ""


class WorkflowRuns(_Answer):
    """Runs of a workflow, the newest first."""

    workflow_runs: tuple[WorkflowRun, ...] = ()


class Pages(_Answer):
    """How a repository's site is published; the status is null until it was built once."""

    status: str | None = None
    html_url: str = ""
    build_type: str | None = None
    public: bool = True


def read_answer(kind: type[AnyAnswer], answer: Json) -> AnyAnswer:
    """Read an answer; raises `ForgeError` for one that is not what GitHub documents."""
    try:
        return kind.model_validate(answer)
    except ValidationError as fault:
        places = ", ".join(".".join(str(part) for part in error["loc"]) or "all" for error in fault.errors()[:3])
        raise ForgeError(
            one_line(f"GitHub answered what cannot be read as {kind.__name__} (at {places}).", 300),
            next_step="Check the address of the API.",
        ) from None


def read_answers(kind: type[AnyAnswer], answers: Iterable[Json]) -> tuple[AnyAnswer, ...]:
    """Read a list of answers."""
    return tuple(read_answer(kind, answer) for answer in answers)
