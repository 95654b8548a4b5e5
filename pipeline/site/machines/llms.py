"""Owns `llms.txt` and `llms-full.txt`: what a language model is given to find its way, and all pages in one file.

llms.txt (llmstxt.org, version 2) has the site's name as its heading, its description as a quotation, and for each type
of pages a list of links to their Markdown, with what they are about. Pages that another one took the place of are left
out; those that people reviewed come first, then the newest. The whole stays below 100 KB: each type gets its share,
and what has no room is pointed to in kb/index.json. llms-full.txt holds the text of the same pages in the same order,
each below a line with its address, and is made only while it stays below 2 MB. Knows no HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.hubs.names import type_names, type_slug
from pipeline.site.hubs.wording import counted, plural
from pipeline.site.machines.index_json import file_url, url_of
from pipeline.site.machines.written import day, one_line
from pipeline.text import cut
from pipeline.wiki.format.frontmatter import split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

LLMS: Final = "llms.txt"
FULL: Final = "llms-full.txt"
LARGEST: Final = 100_000
"""Bytes of llms.txt."""
LARGEST_FULL: Final = 2_000_000
"""Bytes from which on llms-full.txt is not made."""

_ABOUT: Final = (
    "in Markdown with front matter in the Open Knowledge Format 0.2, written from what people and their coding agents "
    "observed. The key `verified` tells who confirmed a page; without it nobody did. The label of a footnote is the "
    "`id` of an entry in `sources`. A page is due for review from `stale_after` on."
)
_FILES: Final = (
    ("All pages", "kb/index.json", "title, type, project, tags, status and trust of every page, as JSON"),
    ("Links between pages", "kb/graph.json", "as JSON"),
    ("Moved pages", "kb/redirects.json", "former and present addresses, as JSON"),
    ("Recent changes", "feed.xml", "an Atom feed"),
    ("Bundle", "index.md", "the index of the Markdown files, from which the others are linked"),
)
_TIERS: Final = {"human-reviewed": 2, "machine-confirmed": 1, "unverified": 0}
_SAID: Final = {"human-reviewed": "reviewed by a person", "machine-confirmed": "checked by machine"}
_MEANT: Final = str.maketrans({"\\": "\\\\", "[": "\\[", "]": "\\]", "<": "&lt;", "`": "'"})
_LONGEST_TITLE: Final = 200
_LONGEST: Final = 300
"""Characters of what is said about a page."""
_MOST_TYPES: Final = 60
_ROOM_FOR_MORE: Final = 200
"""Bytes kept free in each section for the line about the rest, with the address of the site."""


def llms_files(site: Site, library: Library, bundle: Mapping[str, bytes]) -> dict[str, bytes]:
    """Write llms.txt and, where it is small enough, llms-full.txt, of pages that stand in the bundle."""
    shelves = _shelves(library, bundle)
    files = {LLMS: _guide(site, library, shelves)}
    full = _full(site, shelves, bundle)
    return files | {FULL: full} if full else files


def _shelves(library: Library, bundle: Mapping[str, bytes]) -> dict[str, list[Facts]]:
    """Give the current pages of each type, by how the type is called, the most trusted and the newest first."""
    current = [
        facts
        for path, facts in library.pages.items()
        if path in bundle and facts.status != "deprecated" and not facts.superseded_by
    ]
    names = type_names(facts.type for facts in current)
    shelves: dict[str, list[Facts]] = {name: [] for name in names.values()}
    for facts in sorted(current, key=_rank, reverse=True):
        shelves[names[type_slug(facts.type)]].append(facts)
    return shelves


def _rank(facts: Facts) -> tuple[bool, int, str]:
    return facts.status == "stable", _TIERS[facts.tier], day(facts.changed_on)


def _guide(site: Site, library: Library, shelves: Mapping[str, Sequence[Facts]]) -> bytes:
    sections = {
        f"\n## {_plain(plural(name), _LONGEST_TITLE)}\n\n": [_line(facts, site) for facts in pages]
        for name, pages in list(shelves.items())[:_MOST_TYPES]
    }
    parts = [_head(site, library)]
    room = LARGEST - _size(parts[0]) - sum(_size(title) + _ROOM_FOR_MORE for title in sections)
    kept: dict[str, int] = {}
    # The smallest first: what it leaves of its share goes to the larger ones.
    smallest = sorted(sections, key=lambda title: len(sections[title]))
    for left, title in zip(range(len(smallest), 0, -1), smallest, strict=True):
        kept[title], spent = _fitting(sections[title], room // left)
        room -= spent
    for title, lines in sections.items():
        rest = len(lines) - kept[title]
        more = f"- [{counted(rest, 'more page')}]({site.url}kb/index.json)\n" if rest else ""
        parts += [title, *lines[: kept[title]], more]
    return "".join(parts).encode("utf-8", "replace")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _fitting(lines: Sequence[str], room: int) -> tuple[int, int]:
    """Count the lines that have room, and their bytes."""
    spent = 0
    for number, line in enumerate(lines):
        spent += _size(line)
        if spent > room:
            return number, spent - _size(line)
    return len(lines), spent


def _head(site: Site, library: Library) -> str:
    said = f"> {_plain(site.description, _LONGEST)}\n\n" if site.description else ""
    files = "".join(f"- [{name}]({site.url}{path}): {told}\n" for name, path, told in _FILES)
    count = counted(len(library.pages), "page")
    return f"# {_plain(site.name, _LONGEST_TITLE) or 'Wiki'}\n\n{said}{count} {_ABOUT}\n\n{files}"


def _line(facts: Facts, site: Site) -> str:
    facets = (_SAID.get(facts.tier, ""), "draft" if facts.status == "draft" else "", day(facts.changed_on))
    told = ", ".join(filter(None, facets))
    said = _plain(facts.description, _LONGEST)
    about = f"{said} ({told})" if said and told else said or told
    title = _plain(facts.title, _LONGEST_TITLE) or _plain(facts.path, _LONGEST_TITLE)
    where = file_url(facts.path, site).replace("(", "%28").replace(")", "%29")
    return f"- [{title}]({site.url}{where}){f': {about}' if about else ''}\n"


def _plain(text: str, longest: int) -> str:
    """Bring a text into one line of Markdown that means nothing else."""
    return cut(one_line(text), longest).translate(_MEANT)


def _full(site: Site, shelves: Mapping[str, Sequence[Facts]], bundle: Mapping[str, bytes]) -> bytes:
    parts: list[bytes] = [f"# {_plain(site.name, _LONGEST_TITLE) or 'Wiki'}\n".encode("utf-8", "replace")]
    size = len(parts[0])
    for pages in shelves.values():
        for facts in pages:
            text = split(bundle[facts.path]).body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
            head = f"\n---\n\nSource: <{site.url}{url_of(facts.path, site)}>\n"
            told = f"Type: {_plain(facts.type, _LONGEST)}, trust: {facts.tier}, changed: {day(facts.changed_on)}\n"
            parts.append(f"{head}{told}\n{text}\n".encode("utf-8", "replace"))
            size += len(parts[-1])
            if size > LARGEST_FULL:
                return b""
    return b"".join(parts) if len(parts) > 1 else b""
