"""Owns how the text of a proposal shows each claim that changed, beside the words that support it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.neutral import code, in_html, neutral, plainly
from pipeline.proposal.text.wording import count, in_order, size
from pipeline.relevance import terms
from pipeline.wiki.markdown.quoting import plain

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.proposal.account import Account, Quotation
    from pipeline.proposal.comparing.values import CitedSource, ClaimChange, PageChange
    from pipeline.proposal.proposal import HostName

_CLAIM: Final = 600
_QUOTED: Final = 360
_ENOUGH: Final = 120
"""Characters of a quotation to which no further sentence is added."""
_SECTION: Final = 80
_NAME: Final = 100
_LOOKED_AT: Final = 40_000
"""Characters of an observation in which the words that support a claim are looked for."""
_MOST_PARTS: Final = 400
_MOST_SOURCES: Final = 3
_PART = re.compile(r"(?<=[.!?。！？])\s+|\s*\n\s*")
_HEAD: Final = "### Claims and what they rest on\n\n"
_INNER: Final = str.maketrans({"“": "‘", "”": "’", "„": "‚", "`": "'"})
_KINDS: Final = {"added": "New", "changed": "Changed", "removed": "Removed"}


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of a page's claims is shown: how many, and whether with the words that support them."""

    claims: int
    quoted: bool


BRIEF: Final = Detail(8, quoted=False)
SHORT: Final = Detail(120, quoted=False)
FULL: Final = Detail(120, quoted=True)
WHOLE: Final = Detail(1_000_000, quoted=True)


@dataclass(frozen=True, slots=True)
class Shown:
    """The claims of as many pages as there is room for, and a sentence on what was left out."""

    text: str
    left_out: str


def every_claim(account: Account) -> str:
    """Show all claims of all pages with all that supports them, however much that is."""
    blocks = [_page(page, account.quotations, WHOLE) for page in in_order(account.pages) if page.claims]
    return "".join((_HEAD, *blocks)) if blocks else ""


def claims(account: Account, room: int, host: HostName) -> Shown:
    """Show the claims of all pages, within `room`: first all in brief, then whole, then with their quotations.

    The work depends on the room and not on how many pages there are: each step ends at the first page that does not
    fit.
    """
    pages = [page for page in in_order(account.pages) if page.claims]
    blocks: list[str] = []
    left = room - size(_HEAD, host)
    reached = 0
    for detail in (BRIEF, SHORT, FULL):
        reached = 0
        for number, page in enumerate(pages):
            block = _page(page, account.quotations, detail)
            more = size(block, host) - (size(blocks[number], host) if number < len(blocks) else 0)
            if more > left:
                break
            left -= more
            blocks[number : number + 1] = [block]
            reached = number + 1
        if reached < len(pages):
            return Shown(f"{_HEAD}{''.join(blocks)}" if blocks else "", _left_out(pages, reached, detail))
    return Shown(f"{_HEAD}{''.join(blocks)}" if blocks else "", "")


def _left_out(pages: Sequence[PageChange], reached: int, detail: Detail) -> str:
    """Say all that is missing once there was no room for a page at this level of detail."""
    left = count(len(pages) - reached, "page")
    if detail == BRIEF:
        others = f", all but {BRIEF.claims} of those of each other page" if reached else ""
        return f"the claims of {left}{others}, and all quotations"
    if detail == SHORT:
        many = [page for page in pages[reached:] if len(page.claims) > BRIEF.claims]
        some = f"some of the claims of {count(len(many), 'page')}, and " if many else ""
        return f"{some}all quotations"
    return f"the quotations of {left}"


def _page(page: PageChange, quotations: Mapping[str, Quotation], detail: Detail) -> str:
    numbers = ((page.added, "new"), (page.changed, "changed"), (page.removed, "removed"))
    counted = ", ".join(f"{number:,} {what}" for number, what in numbers if number)
    lines = [
        "<details>",
        f"<summary><b>{in_html(page.title, _NAME)}</b> ({counted}) {in_html(page.path, 200)}</summary>",
        "",
    ]
    for claim in page.claims[: detail.claims]:
        lines += _claim(claim, quotations if detail.quoted else None)
    if len(page.claims) > detail.claims:
        lines.append(f"- {count(len(page.claims) - detail.claims, 'claim')} more: see the full report")
    return "\n".join((*lines, "", "</details>", "", ""))


def _claim(claim: ClaimChange, quotations: Mapping[str, Quotation] | None) -> Iterator[str]:
    section = f" in *{neutral(claim.section, _SECTION)}*" if claim.section else ""
    if claim.kind == "changed" and claim.before == claim.after:
        yield f"- **Other sources**{section}: {neutral(claim.after, _CLAIM)}"
    elif claim.kind == "changed":
        yield f"- **Changed**{section}"
        yield f"  - Before: {neutral(claim.before, _CLAIM)}"
        yield f"  - After: {neutral(claim.after, _CLAIM)}"
    else:
        yield f"- **{_KINDS[claim.kind]}**{section}: {neutral(claim.after or claim.before, _CLAIM)}"
    if quotations is None:
        return
    if not claim.sources:
        yield "  - **No source**: see *Could not verify*"
    for source in claim.sources[:_MOST_SOURCES]:
        yield f"  - {_supporting(claim.after or claim.before, source, quotations.get(source.id))}"
    if len(claim.sources) > _MOST_SOURCES:
        yield f"  - {count(len(claim.sources) - _MOST_SOURCES, 'source')} more"


def _supporting(claim: str, source: CitedSource, quotation: Quotation | None) -> str:
    if quotation is None:
        told = plainly(source.title, 200) or "a source of which nothing is known"
        return f"Source {code(source.id, 80)}: {told} (its words could not be looked up)"
    # Who says it, and where, stands first: what is quoted can then not pass for the beginning of another quotation.
    place = code(quotation.place, 200)
    by = f"{plainly(quotation.who, 60)}, {plainly(quotation.when, 40)} UTC"
    where = f"[{place}](<{quotation.address}>)" if quotation.address else place
    if _holds(quotation.text, claim):
        return f"{where}, {by}, word for word"
    return f"{where}, {by}: “{neutral(_unquoted(excerpt(quotation.text, claim, _QUOTED)), _QUOTED)}”"


def _unquoted(text: str) -> str:
    """Take out of an observation what would end its quotation, or look like a place: quotation marks, and code."""
    return text.translate(_INNER)


def _holds(text: str, claim: str) -> bool:
    """Whether an observation says just what the claim says."""
    return plain(claim).rstrip(".").casefold() in plain(text[:_LOOKED_AT]).casefold()


def excerpt(text: str, claim: str, limit: int) -> str:
    """Give the part of an observation that shares most words with a claim, at most about `limit` characters."""
    if len(text) <= limit:
        return text
    parts = [part for part in _PART.split(text[:_LOOKED_AT])[:_MOST_PARTS] if part]
    wanted = terms(claim)
    best = max(range(len(parts)), key=lambda number: (_shared(parts[number], wanted), -number), default=0)
    last = best
    length = len(parts[best]) if parts else 0
    while length < _ENOUGH and last + 1 < len(parts) and length + len(parts[last + 1]) < limit - 4:
        last += 1
        length += len(parts[last]) + 1
    behind = " …" if last + 1 < len(parts) or len(text) > _LOOKED_AT else ""
    return f"{'… ' if best else ''}{' '.join(parts[best : last + 1])}{behind}"


def _shared(part: str, wanted: Counter[str]) -> float:
    found = terms(part[:2_000])
    shared = (found & wanted).total()
    return shared / (1 + 0.05 * found.total())
