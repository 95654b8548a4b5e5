"""Owns the whole text of a proposal: the order of its parts, and what is cut when a host allows no more.

What matters least goes first: quotations, then claims, then the rows of single pages, then the findings, which are
counted. The status, the counts, the boxes and the marks of the region always stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from pipeline.proposal.text import boxes, findings, opening, pages, region
from pipeline.proposal.text.claims import claims, every_claim
from pipeline.proposal.text.cost import cost
from pipeline.proposal.text.undone import undone
from pipeline.proposal.text.wording import size, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.proposal.account import Account
    from pipeline.proposal.proposal import HostName
    from pipeline.proposal.text.wording import Wording


@dataclass(frozen=True, slots=True)
class _Plan:
    """How much is told: `items` of each list, `folders` instead of pages unless that is None, `boxes` of pages."""

    items: int
    remarks: int
    folders: int | None
    boxes: int
    cut: str = ""
    """What this plan leaves out, in words."""


_CUT: Final = "**Cut**, because the host allows no longer text:"
_ALL: Final = 1_000_000
_PLANS: Final = (
    _Plan(400, 400, None, _ALL),
    _Plan(60, 0, None, _ALL, "some findings"),
    _Plan(30, 0, 60, _ALL, "the rows of single pages and some findings"),
    _Plan(10, 0, 20, 150, "the rows of single pages, most findings and some boxes"),
    _Plan(3, 0, 8, 20, "the rows of single pages, most findings and boxes"),
    _Plan(0, 0, 0, 0, "the rows of single pages, all findings and boxes of pages"),
)
_FOR_NOTE: Final = 500
"""Room for the sentences that say what was cut and where all of it stands; their addresses come on top."""


def render(account: Account, *, standing_body: str, limit: int, host: HostName) -> str:
    """Write the text of a proposal into the one that stands, of which all that is not wikimill's own stays as it is.

    `limit` is what the host allows, in UTF-16 units for GitHub and characters for GitLab. The result is longer only
    if people's own text leaves no room for the shortest region.
    """
    standing = region.read_standing(standing_body)
    room = limit - size(standing.around(""), host)
    return standing.around(_region(account, room, host))


def render_whole(account: Account, host: HostName) -> str:
    """Write all that there is to tell, however long, for a place without a limit; without marks of a region."""
    words, plan = wording(account, host), _Plan(_ALL, _ALL, None, 0)
    parts = (*_first(account, words, plan), every_claim(account), *_rest(account, words, plan, boxed=False))
    return "\n".join(parts).strip() + "\n"


def is_cut(body: str) -> bool:
    """Whether the text of a proposal leaves something out."""
    return _CUT in (region.read_standing(body).region or "")


def _region(account: Account, room: int, host: HostName) -> str:
    words = wording(account, host)
    frame = size(f"{region.BEGIN}\n{region.bound(account.head)}\n\n{region.END}", host)
    left = room - frame - _FOR_NOTE - 2 * size(words.reports, host)
    for plan in _PLANS:
        first = _fitting(_first(account, words, plan), left, host)
        rest = None if first is None else _fitting(_rest(account, words, plan), left - size(first, host), host)
        if first is None or rest is None:
            continue
        shown = claims(account, left - size(first, host) - size(rest, host), host)
        cut = " and ".join(filter(None, (shown.left_out, plan.cut)))
        return _framed(account, f"{first}{_note(cut, words)}{shown.text}{rest}{_report(words)}")
    bare = (*opening.status(account), _note("nearly everything", words), *boxes.main_boxes(account))
    return _framed(account, "\n".join(bare))


def _framed(account: Account, text: str) -> str:
    return f"{region.BEGIN}\n{region.bound(account.head)}\n\n{text.strip()}\n\n{region.END}"


def _first(account: Account, words: Wording, plan: _Plan) -> Iterator[str]:
    yield from opening.status(account)
    yield from opening.authorship(account, words)
    yield from opening.notices(account, min(plan.items, 20))
    yield from opening.since_review(account.review, min(plan.items, 100))
    yield from pages.rows(account.pages) if plan.folders is None else pages.folders(account.pages, plan.folders)


def _rest(account: Account, words: Wording, plan: _Plan, *, boxed: bool = True) -> Iterator[str]:
    yield from chain(
        findings.contradictions(account, plan.items),
        findings.unverified(account, plan.items),
        findings.taken_out(account, plan.items),
        undone(account, words, plan.items),
        findings.remarks(account, plan.remarks),
        cost(account, plan.items, plan.remarks),
        boxes.controls(account, words, plan.boxes) if boxed else (),
    )


def _fitting(lines: Iterable[str], room: int, host: HostName) -> str | None:
    """Join lines, each with its end; None as soon as they do not fit."""
    parts = []
    for line in lines:
        parts.append(f"{line}\n")
        room -= size(parts[-1], host)
        if room < 0:
            return None
    return "".join(parts)


def _note(cut: str, words: Wording) -> str:
    """Say what was cut."""
    return f"{_CUT} {cut}. The {words.report} has it whole.\n\n" if cut else ""


def _report(words: Wording) -> str:
    return f"Everything that the last run has to tell stands in its {words.report}." if words.reports else ""
