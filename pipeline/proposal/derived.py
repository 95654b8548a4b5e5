"""Owns that handed-over indexes and logs hold nothing but what a run puts there; pure.

Both are made by code from titles, descriptions and paths: headings, and lists of links to pages with a few words. What
else stands in them is from somebody who is no run. What stood before, or is proposed already, is no reason to refuse.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.proposal.protected import LOOK, RULE
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.derived.indexes import is_index
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.markdown.links import decode, join

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TOLD: Final = 120
_LINK: Final = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\(([^()\s]*)\)")
_MARKUP: Final = re.compile(r"(?<!\\)(?:\\\\)*[\[*<`]")
_LOGGED: Final = re.compile(r"\* \*\*(?:Creation|Update)\*\*: (.+)")
_DAY: Final = re.compile(r"(?:## \d{4}-\d{2}-\d{2}|# Update log)?")
_LISTED: Final = re.compile(r"\* (\[.+)")
_TITLE: Final = re.compile(r"(?:#(?: .*)?)?")
_FRONT: Final = ("---", 'okf_version: "0.2"')


def check_derived(
    path: str, after: Mapping[str, bytes], before: Mapping[str, bytes], published: Mapping[str, bytes]
) -> Iterator[Finding]:
    """Refuse lines of an index or a log that no run writes, and a log that lost a line; of other files nothing."""
    is_log = path.rpartition("/")[2].casefold() == LOG
    if not is_log and not is_index(path):
        return
    stood = {line for files in (before, published) if path in files for line in _lines(files[path])}
    for line in _lines(after[path]):
        if line not in stood and not (_is_logged if is_log else _is_listed)(path, line, after):
            told = f"has a line that no run writes: {one_line(line, _TOLD)}"
            yield Finding(path, RULE, "error", told, LOOK)
    if is_log:
        lost = Counter(_words(before.get(path, b""))) - Counter(_words(after[path]))
        for line in sorted(lost)[:1]:
            yield Finding(path, RULE, "error", f"lost a line, though a log only grows: {one_line(line, _TOLD)}", LOOK)


def _lines(raw: bytes) -> list[str]:
    return [line.rstrip("\r") for line in raw.decode("utf-8", "replace").split("\n")]


def _words(raw: bytes) -> list[str]:
    """Give the lines that say something, without their links: those to a page that a person declined are taken out."""
    return [_LINK.sub(r"\1", line) for line in _lines(raw) if line.strip()]


def _is_listed(index: str, line: str, wiki: Mapping[str, bytes]) -> bool:
    if _TITLE.fullmatch(line) or line in _FRONT:
        return not _MARKUP.search(line)
    found = _LISTED.fullmatch(line)
    return found is not None and _leads_to_pages(index, found[1], wiki)


def _is_logged(log: str, line: str, wiki: Mapping[str, bytes]) -> bool:
    if _DAY.fullmatch(line):
        return True
    found = _LOGGED.fullmatch(line)
    return found is not None and _leads_to_pages(log, found[1], wiki)


def _leads_to_pages(here: str, text: str, wiki: Mapping[str, bytes]) -> bool:
    """Whether the links of a line lead to pages and indexes of the wiki, and the rest of it is but words."""
    if _MARKUP.search(_LINK.sub("", text)):
        return False
    targets = [join(here, decode(address)) for _, address in _LINK.findall(text)]
    return all(_is_generated(target) or (target in wiki and is_page(target)) for target in targets)


def _is_generated(path: str) -> bool:
    """Whether a path is that of an index or a log of the wiki; one may be made by a later commit."""
    return not path.startswith("..") and (is_index(path) or path.rpartition("/")[2] == LOG)
