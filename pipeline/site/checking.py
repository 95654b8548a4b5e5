"""Owns what can be wrong with the built site: a link, an anchor, an asset, a footnote or a redirect that leads nowhere.

Each page is looked at once (`looking`) and comes down to a small value, so that one that did not change need not be
read again; then all are held against each other and against the files of the site. Knows no file on disk.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.site.looking import OF_THE_THEME, shown, unescaped
from pipeline.wiki.derived.indexes import NAME as INDEX
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.markdown.links import decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pipeline.site.looking import Looked

REDIRECTS: Final = "kb/redirects.json"


def check_site(
    pages: Mapping[str, Looked],
    files: Collection[str],
    *,
    redirects: bytes | None = None,
    names: Mapping[str, str] | None = None,
    refused: Collection[str] = (),
) -> tuple[Finding, ...]:
    """Find all that leads nowhere: `pages` are the built pages by path, `files` the paths of all files of the site.

    `names` tells what people call a page's file: that of its document. Links to the files `refused` are not told of:
    somebody told already why these are not there. Findings are sorted; errors are what a reader would run into.
    """
    names = names or {}
    folders = _folders(files)
    known = frozenset((*files, *refused)) if refused else files
    found = [
        replace(one, where=names.get(one.where, one.where)) for looked in pages.values() for one in looked.findings
    ]
    # Most links stand on many pages: each is judged once.
    wrong: dict[str, str] = {}
    right: set[str] = set()
    for file in sorted(pages):
        for link in pages[file].links:
            if link in right:
                continue
            if link not in wrong:
                told = _judge(link, pages, known, folders, names)
                if not told:
                    right.add(link)
                    continue
                wrong[link] = told
            found.append(_link(names.get(file, file), wrong[link]))
    if redirects is not None:
        found += _check_redirects(redirects, files)
    return tuple(sorted(set(found)))


def _judge(
    link: str,
    pages: Mapping[str, Looked],
    files: Collection[str],
    folders: Collection[str],
    names: Mapping[str, str],
) -> str:
    """Say what is wrong with a link, or nothing."""
    if link.endswith("*"):
        folder = unescaped(link[:-1])
        return "" if folder in folders else f"reads from '{shown(folder)}', which is not on the site."
    place, mark, anchor = link.partition("#")
    place = unescaped(place)
    file = "index.html" if place == "./" or not place else f"{place}index.html" if place.endswith("/") else place
    if file not in files:
        meant = f"{place[:-1]}.md" if names and place.endswith("/") and place != "./" else place
        return f"links to '{shown(meant)}', which is not on the site."
    if not mark or not anchor or anchor.startswith((OF_THE_THEME, ":~:")):
        return ""
    if file in pages and anchor not in pages[file].ids:
        what = "footnote" if anchor.startswith(("fn:", "fnref")) else "heading"
        return f"links to '{shown(f'{names.get(file, place)}#{anchor}')}', and there is no such {what}."
    return ""


def _check_redirects(raw: bytes, files: Collection[str]) -> Iterator[Finding]:
    try:
        told = json.loads(raw)
        redirects = dict(told["redirects"])
    except (ValueError, KeyError, TypeError):
        yield _finding(REDIRECTS, "site-redirect", "cannot be read.", "Build with --full.")
        return
    for old, new in sorted(redirects.items()):
        for place in (str(old), decode(str(new).partition("#")[0])):
            file = f"{place}index.html" if not place or place.endswith("/") else place
            if file not in files:
                what = f"leads from '{shown(str(old))}' to '{shown(str(new))}', and '{shown(place)}' is not there."
                yield _finding(REDIRECTS, "site-redirect", what, "Build with --full.")


def _folders(files: Collection[str]) -> frozenset[str]:
    found: set[str] = set()
    for file in files:
        above = file.rpartition("/")[0]
        while above and f"{above}/" not in found:
            found.add(f"{above}/")
            above = above.rpartition("/")[0]
    return frozenset(found)


def _link(where: str, message: str) -> Finding:
    """Tell of a link. An index and a log are generated, and name what stood once: a page may go all the same."""
    if where.rpartition("/")[2] in {INDEX, LOG}:
        return Finding(where, "site-link", "warning", message, "The next run renews an index; a log tells what was.")
    return Finding(where, "site-link", "error", message, "Correct the link, or bring back what it names.")


def _finding(where: str, rule: str, message: str, next_step: str) -> Finding:
    return Finding(where, rule, "error", message, next_step)
