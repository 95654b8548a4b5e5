"""Owns how all pages become a library: read one by one, then held against each other. Knows no HTML and no history."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.site.facts_reading import is_ours, read_facts
from pipeline.site.library import Ambiguous, Backlink, Library
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.links import resolve
from pipeline.wiki.sections.keep import keep_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pipeline.site.facts import Facts

    Reading = Callable[[Sequence[tuple[str, bytes]]], Iterable[Facts | Finding]]

_LISTS_TAGS: Final = "<!-- material/tags"
_MOST_NAMESAKES: Final = 20
"""Pages that one page may be confused with; a title that stands on every page tells nothing apart."""
_MOST_TOLD_APART: Final = 200
"""Pages of one name that are listed to be told apart."""
_FIRST_ACCENT: Final = 200
"""Combining classes from here on are accents; those below hold vowels and voicing of other scripts."""
_LONGEST_CHAIN: Final = 50


def read_library(
    files: Mapping[str, bytes], others: Collection[str] | None = None, *, read: Reading | None = None
) -> Library:
    """Read all pages of a wiki; `files` are its Markdown files by path, indexes and logs included.

    `others` are the paths of its other files; without them no link to one is called broken. `read` reads pages where
    somebody knows a faster way than one by one. A page that cannot be read is left out and named in the findings.
    """
    findings: list[Finding] = []
    pages: dict[str, Facts] = {}
    chosen = [
        (path, raw)
        for path, raw in sorted(files.items())
        if is_page(path) and not (path == "tags.md" and _LISTS_TAGS.encode() in raw)
    ]
    for (path, _), found in zip(chosen, (read or _one_by_one)(chosen), strict=True):
        if isinstance(found, Finding):
            findings.append(found)
        else:
            pages[path] = found
    pages = dict(_at_home(pages))
    namesakes, ambiguous = _named_alike(pages)
    findings += _broken_links(pages, {*files, *(others or ())}, assets=others is not None)
    findings += (found for facts in pages.values() for found in _unmatched_footnotes(facts))
    return Library(
        pages=pages,
        backlinks=_backlinks(pages),
        namesakes=namesakes,
        replaced=_replaced(pages),
        ambiguous=ambiguous,
        findings=tuple(sorted(set(findings))),
    )


def _one_by_one(files: Sequence[tuple[str, bytes]]) -> Iterable[Facts | Finding]:
    return map(read_page, files)


def read_page(file: tuple[str, bytes]) -> Facts | Finding:
    """Read one page, given as path and bytes, or tell why it cannot be read."""
    path, raw = file
    try:
        return read_facts(path, parse_page(path, raw))
    except Rejected as fault:
        return Finding(path, "page-unreadable", "error", fault.message, fault.next_step)


def _at_home(pages: Mapping[str, Facts]) -> Iterator[tuple[str, Facts]]:
    """Put pages outside the known kinds into the nearest project above them that has such folders."""
    known = {facts.project for facts in pages.values() if facts.kind}
    for path, facts in pages.items():
        parts = facts.folder.split("/")
        above = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
        home = facts.project if facts.kind else next((one for one in above if one in known), facts.project)
        yield path, facts if home == facts.project else replace(facts, project=home)


def _backlinks(pages: Mapping[str, Facts]) -> dict[str, tuple[Backlink, ...]]:
    found: defaultdict[str, dict[str, Backlink]] = defaultdict(dict)
    for path, facts in pages.items():
        for link in facts.links:
            if link.target in pages:
                found[link.target].setdefault(path, Backlink(path, link.sentence))
    return {path: tuple(found[path].values()) for path in sorted(found)}


def _replaced(pages: Mapping[str, Facts]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path, facts in pages.items():
        if facts.superseded_by in pages:
            found[facts.superseded_by].add(path)
        told = facts.page.front.get("supersedes")
        for address in told if isinstance(told, list) else [told]:
            target = resolve(path, address) if isinstance(address, str) else None
            if target is not None and target.path in pages and target.path != path:
                found[path].add(target.path)
    return {path: tuple(sorted(found[path])) for path in sorted(found)}


def _named_alike(pages: Mapping[str, Facts]) -> tuple[dict[str, tuple[str, ...]], tuple[Ambiguous, ...]]:
    """Find pages that are called alike; a page and those that took its place are one subject and no namesakes."""
    called: defaultdict[str, list[str]] = defaultdict(list)
    for path, facts in pages.items():
        for name in sorted({_key(told) for told in (facts.title, *facts.aliases)} - {""}):
            called[name].append(path)
    found: defaultdict[str, set[str]] = defaultdict(set)
    ambiguous = []
    for name, alike in called.items():
        apart: set[str] = set()
        for path in alike if len(alike) > 1 else ():
            later = _successors(path, pages)
            others = (other for other in alike[: _MOST_NAMESAKES + 1] if other != path)
            own = {other for other in others if other not in later and path not in _successors(other, pages)}
            found[path] |= own
            apart |= {path, *own} if own else set()
        if apart and len(alike) <= _MOST_TOLD_APART:
            ambiguous.append(Ambiguous(_usual(name, (pages[path] for path in apart)), tuple(sorted(apart))))
    namesakes = {path: tuple(sorted(found[path])[:_MOST_NAMESAKES]) for path in sorted(found) if found[path]}
    return namesakes, tuple(sorted(ambiguous, key=lambda one: (one.name, one.paths)))


def _usual(name: str, pages: Iterable[Facts]) -> str:
    """Write a name as most of the pages that bear it do."""
    written = Counter(told for facts in pages for told in (facts.title, *facts.aliases) if _key(told) == name)
    return min(written, key=lambda told: (-written[told], told))


def _successors(path: str, pages: Mapping[str, Facts]) -> set[str]:
    found: set[str] = set()
    while path in pages and pages[path].superseded_by and len(found) < _LONGEST_CHAIN:
        path = pages[path].superseded_by
        if path in found:
            break
        found.add(path)
    return found


def _key(name: str) -> str:
    """Give a name without case, accents and punctuation; signs alone, as in `C++`, give the letters beside them."""
    if name.isascii():
        return "".join(one for one in name.casefold() if one.isalnum())
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(
        one
        for one in apart
        if one.isalnum() or (unicodedata.category(one)[0] == "M" and unicodedata.combining(one) < _FIRST_ACCENT)
    )


def _broken_links(pages: Mapping[str, Facts], files: Collection[str], *, assets: bool) -> Iterator[Finding]:
    folders = {path[:place] for path in files for place, sign in enumerate(path) if sign == "/"} | {""}
    for path, facts in pages.items():
        for link in facts.links:
            target = link.target
            index = target.rpartition("/")[2].casefold() == "index.md" and target.rpartition("/")[0] in folders
            if target in files or target in folders or index or not (assets or target.endswith(".md")):
                continue
            message = f"the link to {one_line(target, 120)!r} leads nowhere."
            yield Finding(path, "link-broken", "warning", message, "Correct the path, or take the link out.")


def _unmatched_footnotes(facts: Facts) -> Iterator[Finding]:
    """Find what our own pages cite without a source for it; what a person cites between keep markers is theirs."""
    known = {source.id for source in facts.sources}
    unknown = [label for label in facts.cited if label not in known]
    if not unknown or not is_ours(facts):
        return
    body = facts.page.body
    kept = keep_blocks(body)
    outside = {
        mark.label
        for mark in read_blocks(body).marks
        if not any(block.start <= mark.start < block.end for block in kept)
    }
    for label in unknown:
        if label not in outside:
            continue
        message = f"the footnote {one_line(label, 60)} names no entry of 'sources'."
        step = "Add the source to the front matter, or take the mark out."
        yield Finding(facts.path, "footnote-without-source", "error", message, step)
