"""Owns how the text of a proposal begins: its status, who wrote it, what holds it up, what changed since a review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.findings import unverified_count
from pipeline.proposal.text.neutral import code, plainly
from pipeline.proposal.text.wording import OFFLINE, count, listed, moment, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.proposal.account import Account, LookedAt
    from pipeline.proposal.text.wording import Wording

_REASON: Final = 400
_SUBJECT: Final = 100
_MOST_MODELS: Final = 5
_SHORT: Final = 10
_FEW: Final = 5
"""Pages that are listed openly, though there is nothing to judge."""
"""Digits of a commit's id that are shown."""
_STATUS: Final = {"complete": "Complete", "partial": "Partial", "blocked": "Blocked"}


def status(account: Account) -> Iterator[str]:
    """Say how complete the proposal is, and count what it holds."""
    reason = plainly(account.reason, _REASON)
    yield f"**{_STATUS[account.status]}**{f': {reason}' if reason else ''}"
    yield ""
    yield f"{_pages(account)}. {_claims(account)}"
    yield ""


def _pages(account: Account) -> str:
    kinds = [page.change for page in account.pages]
    told = ", ".join(
        f"{kinds.count(kind):,} {kind}" for kind in ("new", "changed", "superseded", "removed") if kind in kinds
    )
    pages = f"**{count(len(kinds), 'page')}** from {count(len(account.commits), 'session')}"
    return f"{pages}: {told}" if told else pages


def _claims(account: Account) -> str:
    pages = account.pages
    added, changed, removed = (
        (sum(numbers) for numbers in zip(*((p.added, p.changed, p.removed) for p in pages), strict=True))
        if pages
        else (0, 0, 0)
    )
    told = [f"Claims: {added:,} added, {changed:,} changed, {removed:,} removed"]
    contradictions = sum(len(page.contradictions) for page in pages)
    if contradictions:
        told.append(count(contradictions, "open contradiction"))
    if unverified := unverified_count(account):
        told.append(f"{unverified:,} could not be verified")
    return f"{'; '.join(told)}."


def authorship(account: Account, words: Wording) -> Iterator[str]:
    """Say who wrote the pages and this text, and claim no review."""
    if account.verified and not account.commits:
        yield "No words change: these pages are as a person merged them, and now say who stands for them."
        yield ""
        yield from _ends(account, words)
        return
    models = [model for model in account.models if model != OFFLINE]
    named = ", ".join(code(model, 80) for model in models[:_MOST_MODELS])
    offline = f"the offline collector {code(OFFLINE)}, which quotes observations and writes no sentence of its own"
    if models and OFFLINE in account.models:
        by = f"These pages were written by a language model ({named}), in part by {offline}"
    elif models:
        by = f"These pages were written by a language model ({named}) from observations"
    elif account.models:
        by = f"These pages were collected by {offline}"
    else:
        by = "These pages were made by a machine"
    review = (
        "When a person last looked at them is told below; nothing here claims another review."
        if account.review
        else "**No person has reviewed them.**"
    )
    yield f"{by}. Code made this text. Checks in code compared them with the observations. {review}"
    yield ""
    yield from _ends(account, words)


def _ends(account: Account, words: Wording) -> Iterator[str]:
    """Say from where to where it leads."""
    followed = (
        f" It follows {words.sign}{account.previous}, which was closed without being merged."
        if account.previous
        else ""
    )
    head = f" at {code(account.head[:_SHORT])}" if account.head else ""
    yield f"{code(account.branch)}{head} into {code(account.base)}.{followed}"
    yield ""


def notices(account: Account, most: int) -> Iterator[str]:
    """Tell what a reviewer must know before reading on."""
    if account.ci_note:
        yield f"**Checks:** {' '.join(account.ci_note.split())}"
        yield ""
    if account.foreign:
        yield from _hands_off(account, most)
    if account.verified:
        yield from _marked(account, most)


def _marked(account: Account, most: int) -> Iterator[str]:
    """List the pages that only say now who stands for them; many are folded away, for there is nothing to judge."""
    number = len(account.verified)
    yield "**Marked as reviewed**, because a person merged them before; their words do not change:"
    yield ""
    if number > _FEW:
        yield from ("<details>", f"<summary>{count(number, 'page')}</summary>", "")
    yield from listed(account.verified, most, lambda one: f"{code(one.path)} ({person(one.by)})", "page")
    if number > _FEW:
        yield from ("", "</details>")
    yield ""


def _hands_off(account: Account, most: int) -> Iterator[str]:
    number = len(account.foreign)
    yield (
        f"**Hands off:** {count(number, 'commit')} on this branch {'is' if number == 1 else 'are'} not wikimill's, "
        "so it changes nothing here any more, until this is merged or closed, or **Recreate** is ticked below:"
    )
    yield ""
    yield from listed(
        account.foreign,
        most,
        lambda one: f"{code(one.id[:_SHORT])} by {person(one.author)}: {plainly(one.subject, _SUBJECT)}",
        "commit",
    )
    yield ""
    waiting = account.waiting
    if waiting.sessions or waiting.observations:
        told = f"{count(waiting.sessions, 'session')} with {count(waiting.observations, 'new observation')}"
        yield f"Meanwhile {told} wait{'s' if waiting.sessions == 1 else ''}."
        yield ""


def since_review(review: LookedAt | None, most: int) -> Iterator[str]:
    """List what changed since a person last looked at it."""
    if review is None:
        return
    last = f"your last review ({person(review.by)}, {moment(review.at)})"
    if review.changed is None:
        yield f"**What changed since {last} cannot be told:** please look at everything."
    elif not review.changed:
        yield f"**Nothing changed since {last}.**"
    else:
        yield f"**Changed since {last}:**"
        yield ""
        yield from listed(review.changed, most, code, "page")
    yield ""
