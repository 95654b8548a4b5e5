"""Owns how the text of a proposal tells what is not in it, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.findings import finding_lines
from pipeline.proposal.text.neutral import code, plainly
from pipeline.proposal.text.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.proposal.account import Account, Suppressed
    from pipeline.proposal.text.wording import Wording

_SESSION: Final = 120
_REASON: Final = 400
_MOST_NUMBERS: Final = 20
_STATES: Final = {
    "failed": "failed; the next run tries it again",
    "parked": "parked after it failed several times; nobody tries it again unasked",
    "left": "left for the next run",
}


def undone(account: Account, words: Wording, most: int) -> Iterator[str]:
    """List the sessions that failed, were parked or left, the lines set aside, and what reviewers declined."""
    if not (account.undone or account.set_aside or account.suppressed.sessions or account.declined):
        return
    yield "### Not in this proposal"
    yield ""
    yield from listed(
        account.undone,
        most,
        lambda one: (
            f"{code(one.session, _SESSION)} {_STATES[one.state]}: {plainly(one.reason, _REASON) or 'no reason told'}"
        ),
        "session",
    )
    if account.set_aside:
        number = len(account.set_aside)
        yield f"- {count(number, 'line')} of observations could not be read and {_were(number)} set aside:"
        yield from (f"  {line}" for line in finding_lines(account.set_aside, most))
    if account.suppressed.sessions:
        yield f"- {_suppressed(account.suppressed, words)}"
    if account.declined:
        yield f"- {count(len(account.declined), 'page')} that a reviewer declined here:"
        yield from (f"  {line}" for line in listed(account.declined, most, code, "page"))
    yield ""


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _suppressed(suppressed: Suppressed, words: Wording) -> str:
    numbers = ", ".join(f"{words.sign}{number}" for number in suppressed.proposals[:_MOST_NUMBERS])
    where = f" ({numbers})" if numbers else ""
    were = _were(suppressed.sessions)
    sessions = f"{count(suppressed.sessions, 'session')} {were}"
    told = f"{sessions} declined or taken back before{where} and {were} not proposed again"
    return f"{told}, for there is no new evidence; `--retry-declined` takes them up anyway"
