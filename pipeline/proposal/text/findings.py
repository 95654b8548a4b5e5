"""Owns how the text of a proposal tells what the checks found, sorted by what a reviewer does about it.

What contradicts something, what could not be verified, and what was taken out are three things and stand apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.neutral import code, neutral, plainly
from pipeline.proposal.text.wording import count, in_order, listed
from pipeline.wiki.markdown.remarks import CONTRADICTION
from pipeline.wiki.merging import BESIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.finding import Finding
    from pipeline.proposal.account import Account

_CLAIM: Final = 800
_MESSAGE: Final = 500
_WHERE: Final = 200
_LABEL: Final = CONTRADICTION.removesuffix("“")
"""How a remark on a contradiction begins; here a heading says so already."""

# Of both the pages themselves tell, as they are in the end: a draft may have said it, and another one taken it back.
CONTRADICTED: Final = frozenset({"value-contradicted", "contradiction-open"})
UNVERIFIED: Final = frozenset({"claim-unsourced"})
TAKEN_OUT: Final = frozenset(
    {
        *("detail-ungrounded", "quotation-missing", "citation-unknown", "secret-redacted", "keep-marker-removed"),
        *("raw-html", "script-link", "remote-image", "attribute-list", "snippet-include", "slot-invariant"),
    }
)


@dataclass(frozen=True, slots=True)
class _Told:
    """Where something stands, and what it says, not yet harmless."""

    where: str
    text: str
    note: str = ""


def contradictions(account: Account, most: int) -> Iterator[str]:
    """List the contradictions that the pages hold open, and where a person's edit met a session's."""
    found = [
        _Told(page.path, text.removeprefix(_LABEL)) for page in in_order(account.pages) for text in page.contradictions
    ]
    if found:
        yield f"### Contradicted ({len(found):,})"
        yield ""
        yield "Both statements stand on the page until somebody decides."
        yield ""
        yield from listed(found, most, _line, "contradiction")
        yield ""
    if account.conflicts:
        yield f"### Beside a person's edit ({len(account.conflicts):,})"
        yield ""
        yield "The person's text stands; what is new was added beside it."
        yield ""
        yield from listed(account.conflicts, most, _finding, "place")
        yield ""


def unverified(account: Account, most: int) -> Iterator[str]:
    """List what could not be verified, which is not to say that it is wrong."""
    found = _unverified(account)
    if found:
        yield f"### Could not verify ({len(found):,})"
        yield ""
        yield "Nothing speaks against these, and nothing that wikimill has seen supports them."
        yield ""
        yield from listed(found, most, _line, "claim")
        yield ""


def unverified_count(account: Account) -> int:
    """Count what could not be verified."""
    return len(_unverified(account))


def _unverified(account: Account) -> list[_Told]:
    found = []
    for page in in_order(account.pages):
        found += [_Told(page.path, text) for text in page.unsourced]
        marked = frozenset(page.unsourced)
        found += [
            _Told(page.path, claim.after, " (its source could not be found)")
            for claim in page.claims
            if claim.kind != "removed" and claim.after not in marked
            if not any(one.id in account.quotations or one.title or one.resource for one in claim.sources)
        ]
    return found


def taken_out(account: Account, most: int) -> Iterator[str]:
    """List what the checks took out of what the model wrote."""
    found = [one for one in account.every_finding if one.rule in TAKEN_OUT]
    if found:
        yield f"### Taken out by the checks ({len(found):,})"
        yield ""
        yield from listed(found, most, _finding, "finding")
        yield ""


def remarks(account: Account, most: int) -> Iterator[str]:
    """List everything else that was found, folded."""
    known = CONTRADICTED | UNVERIFIED | TAKEN_OUT | {BESIDE}
    found = [one for one in account.every_finding if one.rule not in known]
    if not found:
        return
    if not most:
        yield f"{count(len(found), 'other remark')}: see the full report."
        yield ""
        return
    yield "<details>"
    yield f"<summary>{count(len(found), 'other remark')}</summary>"
    yield ""
    yield from listed(found, most, _finding, "remark")
    yield ""
    yield "</details>"
    yield ""


def _line(told: _Told) -> str:
    return f"{code(told.where, _WHERE)}: {neutral(told.text, _CLAIM)}{told.note}"


def _finding(one: Finding) -> str:
    step = f" {plainly(one.next_step, _MESSAGE)}" if one.next_step else ""
    return f"{code(one.where, _WHERE)} ({code(one.rule)}): {plainly(one.message, _MESSAGE)}{step}"


def finding_lines(findings: Sequence[Finding], most: int) -> Iterator[str]:
    """List findings, a line each."""
    yield from listed(findings, most, _finding, "line")
