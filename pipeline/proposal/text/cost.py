"""Owns how the text of a proposal tells what it took: sessions, models, calls, tokens, cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.neutral import code, plainly
from pipeline.proposal.text.wording import OFFLINE, count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.proposal.account import Account, SessionCommit
    from pipeline.spending import Spent

_SUBJECT: Final = 120
_SESSION: Final = 120
_MODEL: Final = 80
_MOST_MODELS: Final = 5
_LINE: Final = 300


def cost(account: Account, most: int, most_lines: int) -> Iterator[str]:
    """Tell what the proposal and the last run took; what is unknown is unknown, and not zero.

    The report of the last run follows, folded, in at most so many lines; with 0 it stands in the report alone.
    """
    yield "### Model and cost"
    yield ""
    models = ", ".join(code(model, _MODEL) for model in account.models[:_MOST_MODELS]) or "unknown"
    offline = account.models == (OFFLINE,)
    told = "no tokens, for no language model was asked" if offline else count(account.tokens, "token")
    yield f"- All commits: {count(len(account.commits), 'session')}, model {models}, {told}"
    yield f"- Last run: {_spent(account.spent)}"
    yield ""
    if account.commits and most:
        yield "<details>"
        yield f"<summary>{count(len(account.commits), 'session')}, a commit each</summary>"
        yield ""
        yield from listed(account.commits, most, _commit, "session")
        yield ""
        yield "</details>"
        yield ""
    yield from _run(account, most_lines)


def _run(account: Account, most: int) -> Iterator[str]:
    if account.run and most:
        yield "<details>"
        yield "<summary>The last run, as its report tells it</summary>"
        yield ""
        yield from listed(account.run, most, lambda line: plainly(line, _LINE), "line")
        yield ""
        yield "</details>"
        yield ""


def _spent(spent: Spent | None) -> str:
    if spent is None:
        return "calls, tokens and cost unknown"
    told = [count(spent.calls, "call")]
    if spent.retries:
        told.append(f"{spent.retries:,} of them again after a fault")
    if spent.cache_hits:
        told.append(f"{count(spent.cache_hits, 'reply', 'replies')} from memory")
    told.append(f"{count(spent.input_tokens, 'token')} in, {spent.output_tokens:,} out")
    if spent.cost is None:
        known = f"; {spent.known_cost:.4f} for the others" if spent.known_cost else ""
        told.append(f"cost unknown ({count(spent.unpriced_calls, 'call')} without a known cost{known})")
    else:
        told.append(f"cost {spent.cost:.4f}")
    return ", ".join(told)


def _commit(commit: SessionCommit) -> str:
    model = code(commit.model, _MODEL) or "model unknown"
    took = f"{count(commit.pages, 'page')}, {count(commit.tokens, 'token')}, {model}"
    return f"{code(commit.session, _SESSION)}: {plainly(commit.subject, _SUBJECT)} ({took})"
