"""Owns opening a pull request, once and never twice, and what is asked of GitHub without opening one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pipeline.errors import ForgeError
from pipeline.finding import Finding
from pipeline.forge.github.answers import Pull, read_answer
from pipeline.forge.github.reading import PAGE
from pipeline.forge.http import HostRefused, Interrupted
from pipeline.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.forge.http import ForgeClient
    from pipeline.observations.observation import Json
    from pipeline.proposal.proposal import NewProposal

BODY_LIMIT: Final = 65_536
"""UTF-16 code units: GitHub counts characters, of which there are never more."""
TITLE_LIMIT: Final = 256

_FORBIDDEN, _INVALID = 403, 422
_ALREADY: Final = "pull request already exists"
_NO_DRAFTS: Final = "draft pull requests are not supported"


@dataclass(frozen=True, slots=True)
class Opened:
    """An open pull request, whether this run opened it, and what GitHub did not take on the way."""

    pull: Pull
    is_new: bool
    findings: tuple[Finding, ...] = ()


def check_texts(title: str, body: str) -> None:
    """Raise `ForgeError` for a title or a text that GitHub would refuse: whoever wrote it had the limits."""
    if not title.strip() or utf16_units(title) > TITLE_LIMIT:
        raise ForgeError(f"The title of a proposal has 1 to {TITLE_LIMIT} characters, not {utf16_units(title)}.")
    if utf16_units(body) > BODY_LIMIT:
        raise ForgeError(f"The text of a proposal has at most {BODY_LIMIT:,} characters, not {utf16_units(body):,}.")


def pulls_of(client: ForgeClient, home: str, branch: str, state: str = "all") -> Iterator[Pull]:
    """Read the pull requests from exactly this branch of this repository, the newest first."""
    owner = home.split("/")[2]
    named = {"state": state, "head": f"{owner}:{branch}", "sort": "created", "direction": "desc"}
    for pull in (read_answer(Pull, answer) for answer in client.pages(f"{home}/pulls", {**named, **PAGE})):
        if pull.head.ref == branch and pull.is_of_its_own:
            yield pull


def pulls_into(client: ForgeClient, home: str, base: str) -> Iterator[Pull]:
    """Read the open pull requests of this repository into a branch, the newest first; none of a fork."""
    named = {"state": "open", "base": base, "sort": "created", "direction": "desc"}
    for pull in (read_answer(Pull, answer) for answer in client.pages(f"{home}/pulls", {**named, **PAGE})):
        if pull.base.ref == base and pull.is_of_its_own:
            yield pull


def open_pull(client: ForgeClient, home: str, new: NewProposal) -> Opened:
    """Open a pull request, or give the open one that there is.

    A lost answer is followed by a look before the request is repeated, and GitHub takes no second one for a branch.
    """
    if (found := next(pulls_of(client, home, new.branch, "open"), None)) is not None:
        return Opened(found, is_new=False)
    try:
        return _open_once(client, home, new)
    except HostRefused as fault:
        if not (new.draft and fault.says(_NO_DRAFTS)):
            raise
        ordinary = _open_once(client, home, replace(new, draft=False))
        lost = _lost("proposal.draft", "draft-refused", fault, "It was opened as an ordinary one.")
        return replace(ordinary, findings=(lost, *ordinary.findings))


def dress(client: ForgeClient, home: str, number: int, new: NewProposal) -> list[Finding]:
    """Give a new pull request its labels and reviewers; each that GitHub does not take costs itself alone."""
    findings: list[Finding] = []
    if new.labels:
        labels: list[Json] = [*new.labels]
        try:
            client.post(f"{home}/issues/{number}/labels", {"labels": labels}, repeatable=True)
        except ForgeError as fault:
            step = "Give the token `issues: write`, or take the labels out of `proposal.labels`."
            findings.append(_lost("proposal.labels", "label-refused", fault, step))
    if new.reviewers:
        findings.extend(_ask_reviewers(client, home, number, new.reviewers))
    return findings


def probe(client: ForgeClient, home: str, base: str) -> HostRefused | int:
    """Ask for a pull request from a branch into itself, which GitHub refuses in any case, and give its refusal.

    403 comes before anything is checked: it is not permitted. 422 is about the branches: nothing is known to forbid it.
    In which order GitHub checks is not documented; should it open one after all, it is closed at once, and its number
    given.
    """
    text = "wikimill asked whether it may open pull requests; this one has no content and is closed at once."
    try:
        pull = read_answer(Pull, client.post(f"{home}/pulls", {"title": text, "head": base, "base": base}))
    except HostRefused as fault:
        return fault
    client.patch(f"{home}/pulls/{pull.number}", {"state": "closed"})
    return pull.number


def _open_once(client: ForgeClient, home: str, new: NewProposal) -> Opened:
    patience, in_doubt = client.patience(), False
    wanted: dict[str, Json] = {"title": new.title, "body": new.body, "head": new.branch, "base": new.base}
    while True:
        trouble: HostRefused | Interrupted
        try:
            answer = client.post(f"{home}/pulls", {**wanted, "draft": True} if new.draft else wanted)
        except Interrupted as fault:
            in_doubt, trouble = True, fault
        except HostRefused as fault:
            if fault.status != _INVALID or not fault.says(_ALREADY):
                raise
            trouble = fault
        else:
            return Opened(read_answer(Pull, answer), is_new=True)
        if (found := next(pulls_of(client, home, new.branch, "open"), None)) is not None:
            return Opened(found, is_new=in_doubt)
        if isinstance(trouble, HostRefused) or not patience.backs_off():
            raise trouble


def _ask_reviewers(client: ForgeClient, home: str, number: int, names: tuple[str, ...]) -> list[Finding]:
    """Ask for all at once; when GitHub refuses, which it does for a single wrong name, for one after the other."""
    try:
        _ask_for(client, home, number, names)
    except HostRefused as fault:
        if len(names) > 1 and fault.status == _INVALID:
            return [finding for name in names for finding in _ask_reviewers(client, home, number, (name,))]
        return [_unasked(names, fault)]
    except ForgeError as fault:
        return [_unasked(names, fault)]
    return []


def _ask_for(client: ForgeClient, home: str, number: int, names: tuple[str, ...]) -> None:
    people: list[Json] = [name for name in names if "/" not in name]
    teams: list[Json] = [name.rpartition("/")[2] for name in names if "/" in name]
    client.post(
        f"{home}/pulls/{number}/requested_reviewers", {"reviewers": people, "team_reviewers": teams}, repeatable=True
    )


def _unasked(names: tuple[str, ...], fault: ForgeError) -> Finding:
    step = "A reviewer is a collaborator, and not whom the token belongs to; a team is `organisation/team`."
    return _lost(f"proposal.reviewers: {', '.join(names)}", "reviewer-refused", fault, step)


def _lost(where: str, rule: str, fault: ForgeError, step: str) -> Finding:
    return Finding(where, rule, "warning", fault.message, step)
