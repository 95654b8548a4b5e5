"""Owns what GitHub's refusals mean, and which setting changes them; knows no request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import ForgeError, NotPermitted
from pipeline.forge.refusals import Moved

if TYPE_CHECKING:
    from pipeline.forge.refusals import HostRefused

ACTIONS_SETTING: Final = "Allow GitHub Actions to create and approve pull requests"
ACTIONS_MAY_NOT: Final = "not permitted to create or approve pull requests"
"""GitHub's words, with 403 as far as is known, when Actions' own token opens a pull request and the setting is off."""
NOT_ACCESSIBLE: Final = ("resource not accessible by integration", "resource not accessible by personal access token")

_UNAUTHORISED, _FORBIDDEN, _NOT_FOUND, _INVALID = 401, 403, 404, 422


@dataclass(frozen=True, slots=True)
class Need:
    """A permission, as a workflow spells it and as the page of a token does."""

    in_workflow: str
    on_page: str


READ_PULLS: Final = Need("pull-requests: read", "'Pull requests: Read-only'")
WRITE_PULLS: Final = Need("pull-requests: write", "'Pull requests: Read and write'")
READ_CONTENTS: Final = Need("contents: read", "'Contents: Read-only'")
WRITE_CONTENTS: Final = Need("contents: write", "'Contents: Read and write'")


def actions_setting(web_url: str, repository: str, by_hand: str = "") -> str:
    """Say how GitHub Actions gets to open pull requests, and where it is done by hand until then."""
    meanwhile = f" Until then open it by hand: {by_hand}" if by_hand else ""
    return (
        f"Tick '{ACTIONS_SETTING}' in Settings > Actions > General > Workflow permissions "
        f"({web_url}/{repository}/settings/actions); where it is greyed out, an owner ticks it in the "
        f"organisation's (or enterprise's) Settings > Actions > General first.{meanwhile}"
    )


def grant(need: Need) -> str:
    """Say where a permission is given to each kind of token."""
    return (
        f"In a workflow give its job `permissions: {need.in_workflow}`; a fine-grained token or an App needs "
        f"{need.on_page}, a classic token the scope `repo`."
    )


def explained(fault: HostRefused, need: Need, *, web_url: str, repository: str, by_hand: str = "") -> ForgeError:
    """Give the error that says what a refusal means; `by_hand` is where a person can open the proposal."""
    if isinstance(fault, Moved):
        return ForgeError(fault.message, next_step="Set `proposal.repository` and the git remote to its new name.")
    step = _forbidden(fault, need, web_url=web_url, repository=repository, by_hand=by_hand)
    if fault.status == _UNAUTHORISED:
        step = "The token is wrong, expired or revoked: make a new one and store it where this one came from."
    elif fault.status == _NOT_FOUND:
        step = (
            f"Either the token cannot see {repository}, which GitHub tells no other way, or there is no such thing. "
            f"Check `proposal.repository`, and give the token access to this repository. {grant(need)}"
        )
    if fault.status in {_UNAUTHORISED, _FORBIDDEN, _NOT_FOUND} or fault.says(ACTIONS_MAY_NOT):
        return NotPermitted(fault.message, next_step=step)
    return ForgeError(fault.message, next_step=_invalid(fault) if fault.status == _INVALID else "")


def _forbidden(fault: HostRefused, need: Need, *, web_url: str, repository: str, by_hand: str) -> str:
    if fault.says(ACTIONS_MAY_NOT):
        return actions_setting(web_url, repository, by_hand)
    if fault.says(*NOT_ACCESSIBLE):
        return grant(need)
    if fault.says("saml"):
        return "Authorise the token for the organisation's single sign-on: Settings > Developer settings > the token."
    if fault.says("archived"):
        return "The repository is archived: Settings > General > Danger Zone > Unarchive this repository."
    if fault.says("ip allow list"):
        return "The organisation allows other addresses alone: Organisation settings > Security > IP allow list."
    return grant(need)


def _invalid(fault: HostRefused) -> str:
    if fault.says("no commits between"):
        return "The branch holds nothing that its base has not; there is nothing to propose."
    if fault.says("head"):
        return "Push the branch first; GitHub does not see it."
    if fault.says("base"):
        return "Set `proposal.base` to a branch that stands on GitHub."
    return ""
