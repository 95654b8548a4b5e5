"""Owns what a reviewer can do: how a correction survives, and the boxes to tick; knows not how a tick is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.proposal.text import region
from pipeline.proposal.text.neutral import code, plainly
from pipeline.proposal.text.wording import count, in_order, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.proposal.account import Account
    from pipeline.proposal.text.wording import Wording

_PATH: Final = 300
_MOST_COMMITS: Final = 10
_SHORT: Final = 10
_SUBJECT: Final = 60
_FEW: Final = 8
"""Boxes of pages that stand open; more are folded away."""


def controls(account: Account, words: Wording, most: int) -> Iterator[str]:
    """Write what can be done about the proposal; every box is empty, and a tick is for this state alone."""
    base = code(account.base)
    yield "### What you can do"
    yield ""
    yield (
        f"- **Merge** this {words.request}: its pages are then marked as reviewed by you, for merging says that you "
        "stand for them."
    )
    yield (
        f"- **Correct** a page on {base}, by a commit there or after the merge: wikimill keeps what a person wrote and "
        "adds to it. A commit on this branch holds back all that is new until this is merged or closed."
    )
    yield f"- **Close** this {words.request}: what it holds is not proposed again until there is new evidence for it."
    yield ""
    yield "The next run reads these boxes, so merge after it; *Ignore* leaves a page out for good:"
    yield ""
    yield from main_boxes(account)
    if not account.foreign:
        pages = in_order(account.pages)
        folded = len(pages[:most]) > _FEW
        if folded:
            yield from ("", "<details>", f"<summary>Ignore a page ({len(pages):,})</summary>", "")
        for page in pages[:most]:
            yield f"- [ ] Ignore {code(page.path, _PATH)} {region.ignoring(page.path)}"
        if folded:
            yield from ("", "</details>", "")
        if len(pages) > most:
            left = f"{count(len(pages) - most, 'page')}{' more' if most else ''}"
            yield f"- {left} without a box: revert a session's commit to decline its pages"
    yield ""


def main_boxes(account: Account) -> Iterator[str]:
    """Write the box that is about all of the proposal.

    While a person's commits stand on the branch nothing is rebased and no page is left out, so that there is no box for
    that; the one that would discard these commits names them.
    """
    if account.foreign:
        yield f"- [ ] **Recreate** this anew, which discards {_discarded(account)} {region.RECREATE}"
    else:
        yield f"- [ ] **Rebase** this onto the newest {code(account.base)} {region.REBASE}"


def _discarded(account: Account) -> str:
    foreign = account.foreign
    named = [f"{code(one.id[:_SHORT])} {plainly(one.subject, _SUBJECT)}" for one in foreign[:_MOST_COMMITS]]
    if len(foreign) > _MOST_COMMITS:
        named.append(f"{len(foreign) - _MOST_COMMITS:,} more")
    authors = list(dict.fromkeys(person(one.author) for one in foreign))
    by = ", ".join(authors[:_MOST_COMMITS]) + (" and others" if len(authors) > _MOST_COMMITS else "")
    return f"{count(len(foreign), 'commit')} by {by} ({'; '.join(named)})"
