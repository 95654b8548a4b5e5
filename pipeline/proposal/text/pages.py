"""Owns the table of a proposal's pages: a row a page, or a row a folder when there are too many."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.neutral import code, plainly
from pipeline.proposal.text.wording import count, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.proposal.comparing.values import PageChange

_TITLE: Final = 100
_PATH: Final = 200
_TYPE: Final = 40
_NUMBERS: Final = "`+` added, `~` changed, `-` removed; a source is an observation that the page cites."


def rows(pages: Sequence[PageChange]) -> Iterator[str]:
    """Write a row for every page."""
    if not pages:
        return
    yield "### Pages"
    yield ""
    yield "| Page | Type | Change | Claims | Sources |"
    yield "|:--|:--|:--|:--|--:|"
    for page in in_order(pages):
        name = f"{plainly(page.title, _TITLE)}<br>{code(page.path, _PATH)}"
        yield f"| {name} | {plainly(page.type, _TYPE)} | {_change(page)} | {_claims([page])} | {page.sources:,} |"
    yield ""
    yield _NUMBERS
    yield ""


def folders(pages: Sequence[PageChange], most: int) -> Iterator[str]:
    """Write a row for every folder, the largest first, up to `most`; the rest are one row."""
    if not pages:
        return
    by_folder: defaultdict[str, list[PageChange]] = defaultdict(list)
    for page in pages:
        by_folder[page.path.rpartition("/")[0] or "."].append(page)
    ordered = sorted(by_folder.items(), key=lambda one: (-len(one[1]), one[0]))
    yield "### Pages"
    yield ""
    yield "| Folder | Pages | Change | Claims |"
    yield "|:--|--:|:--|:--|"
    for folder, held in ordered[:most]:
        yield f"| {code(folder, _PATH)} | {len(held):,} | {_kinds(held)} | {_claims(held)} |"
    if rest := [page for _, held in ordered[most:] for page in held]:
        told = count(len(ordered) - most, "other folder") if most else "All folders"
        yield f"| {told} | {len(rest):,} | {_kinds(rest)} | {_claims(rest)} |"
    yield ""
    yield _NUMBERS
    yield ""


def _change(page: PageChange) -> str:
    lapsed = page.trust_before == "human-reviewed" != page.trust_after and page.trust_after is not None
    return f"**{page.change}**; a person's review of it lapses" if lapsed else page.change


def _kinds(pages: Sequence[PageChange]) -> str:
    kinds = [page.change for page in pages]
    return ", ".join(f"{kinds.count(kind):,} {kind}" for kind in dict.fromkeys(sorted(kinds)))


def _claims(pages: Sequence[PageChange]) -> str:
    numbers = (("+", [p.added for p in pages]), ("~", [p.changed for p in pages]), ("-", [p.removed for p in pages]))
    return " ".join(f"`{sign}{sum(each):,}`" for sign, each in numbers if any(each)) or "none"
