"""Owns what is seen on one built page: the marks that links may name, where it links to, what it loads from elsewhere.

It looks at HTML as generators write it: attributes between quotes, `<` and `>` escaped within them. Takes time that
grows with the text alone. Knows no other page and no file on disk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from pipeline.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST_PAGE: Final = 48 * 1024
"""Bytes of HTML from which on a page should be split: one of 2 KB with its sources takes 27, the longest session with
15 sources and 8 KB of text 37."""
_PRINTED: Final = ("print/", "print-1/")
"""Where the pages stand that hold many others, to be printed; the wiki itself may have a folder `print`."""
OF_THE_THEME: Final = "__"
"""How the ids of the theme's own controls begin."""
_SILENT: Final = re.compile(r"<(?=[!st])(?:(!--)|(script|style|textarea)\b[^<>]*>)")
_QUOTED: Final = re.compile(r"""<(?:(!--)|(code|pre|div(?= class=["']?wm-diff\b))\b[^<>]*>)""")
"""Where the marks of footnotes stand as they are written: in code, and in what a revision changed."""
_ATTRIBUTE: Final = re.compile(
    r"""(?<=[\s"'])((?:id|(?:xlink:)?href|src|action|poster|srcset|data-(?:index|redirects|find|graph|wm-copy))"""
    r"""=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))|"[^"<>]*"|'[^'<>]*'"""
)
"""Attributes that name something; the values of all others are passed over whole, for they may hold any words."""
_LINK: Final = re.compile(r"<link\b[^<>]*")
_LOADING: Final = re.compile(r"""\brel=["']?[^"'<>=]*(?:stylesheet|icon|preload|prefetch|preconnect|manifest)""")
_OUTWARD: Final = re.compile(r"""\bhref=["']?((?:https?:)?//[^"'\s<>]*)""", re.IGNORECASE)
_STYLE_LOADS: Final = re.compile(r"""(?:url\(|@import\s)\s*["']?((?:https?:)?//[^"')\s<>]*)""", re.IGNORECASE)
_STYLES: Final = re.compile(r"""<style\b[^<>]*>(?P<sheet>[^<]*)|<[a-z][^<>]*\sstyle=(?P<own>"[^"<>]*"|'[^'<>]*')""")
"""Where a text is read as a style: what a page says of styles loads nothing."""
_REFRESH: Final = re.compile(
    r"""<meta\b(?=[^<>"']*(?:"[^"<>]*"[^<>"']*|'[^'<>]*'[^<>"']*)*?\bhttp-equiv=["']?refresh)"""
    r"""[^<>]*\bcontent=["'][0-9]+; *url=([^"'<>]*)["']""",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(r"\[\^o-[0-9a-f]{10,}\]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SHOWN: Final = 120


@dataclass(frozen=True, slots=True)
class Looked:
    """What one page holds: the ids that links may name, where it links to, and what is wrong with it by itself.

    `links` are paths of files or folders from the site's top (`./`), decoded but for what means something here
    (`escaped`), with `#` and the anchor where there is one, and with `*` at the end of a folder that a script reads
    from; sorted, each once. Links within the page are among them only where they lead nowhere.
    """

    ids: frozenset[str]
    links: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def look_at(file: str, html: str, *, site_url: str = "") -> Looked:
    """Look at one built page: its path on the site, its HTML, and where the site is served, if that is known."""
    silenced = _without(_SILENT, html)
    place = _Place(file, site_url)
    ids: set[str] = set()
    links: set[str] = {place.target(value) for value in _REFRESH.findall(html)}
    loaded: set[str] = set()
    for attribute in filter(None, _ATTRIBUTE.findall(_tags(silenced))):
        name, _, value = attribute.partition("=")
        if value[0] in "\"'":
            value = value[1:-1]
        if name == "id":
            ids.add(value)
        elif name == "srcset":
            loaded.update(one.split()[0] for one in value.split(",") if _leaves(one.strip()))
        else:
            if name in {"src", "poster"} and _leaves(value):
                loaded.add(value)
            links.add(place.target(value) + ("*" if name == "data-find" else ""))
    links -= {"", "*"}
    loaded.update(value for tag in _LINK.findall(silenced) if _LOADING.search(tag) for value in _OUTWARD.findall(tag))
    if "//" in html and ("url(" in html or "@import" in html):
        for style in _STYLES.finditer(html):
            loaded.update(_STYLE_LOADS.findall(style["sheet"] or style["own"]))
    own = f"{escaped(file)}#"
    kept = tuple(sorted(one for one in links if not (one.startswith(own) and one.removeprefix(own) in ids)))
    named = frozenset(one for one in ids if not one.startswith(OF_THE_THEME))
    return Looked(named, kept, tuple(_own_findings(file, html, loaded, site_url)))


def _own_findings(file: str, html: str, loaded: Iterable[str], site_url: str) -> Iterator[Finding]:
    for address in sorted(loaded):
        if not (site_url and address.startswith(site_url)):
            told = f"loads '{shown(address)}' from elsewhere."
            yield _error(file, "site-external", told, "Put a copy into the wiki, or link to it.")
    if "[^o-" in html and (open_notes := set(_REFERENCE.findall(_without(_QUOTED, html)))):
        for label in sorted(open_notes):
            told = f"cites '{label[2:-1]}', and no footnote defines it."
            yield _error(file, "site-footnote", told, "Define the footnote, or take the citation out.")
    size = len(html.encode())
    if size > LARGEST_PAGE and not file.startswith(_PRINTED):
        told = f"has {size:,} bytes of HTML, more than {LARGEST_PAGE:,}."
        yield Finding(file, "site-size", "note", told, "Split the page.")


@lru_cache(maxsize=65_536)
def _read(value: str, site_url: str) -> tuple[int, str] | None:
    """Read an address: how many folders up it goes (-1: to the site's top), and the path with its anchor from there.

    None where it leaves the site, or names nothing to check. What begins with `#` stays on its page.
    """
    value = unescape(value).strip()
    ups = 0
    if site_url and value.startswith(site_url):
        ups, value = -1, value[len(site_url) :]
    elif _leaves(value) or _SCHEME.match(value):
        return None
    elif value.startswith("/"):
        base = urlsplit(site_url).path or "/"
        ups, value = -1, value.removeprefix(base).lstrip("/")
    path, _, anchor = value.partition("#")
    path = escaped(unquote(path.partition("?")[0]))
    mark = f"#{unquote(anchor)}" if anchor else ""
    if not path:
        return (ups, mark) if mark else None
    more, found = _walk(path)
    return (ups if ups < 0 else more), f"{found}{mark}" or "./"


def _walk(path: str) -> tuple[int, str]:
    """Follow a path: how many folders it goes up, and the rest; that of a folder ends with a slash."""
    ups = 0
    kept: list[str] = []
    steps = path.split("/")
    for step in steps:
        if step == ".." and kept:
            kept.pop()
        elif step == "..":
            ups += 1
        elif step not in {"", "."}:
            kept.append(step)
    found = "/".join(kept)
    return ups, f"{found}/" if found and steps[-1] in {"", ".", ".."} else found


class _Place:
    """Where a page stands, for the links that it holds."""

    def __init__(self, file: str, site_url: str) -> None:
        self._file = escaped(file)
        self._site_url = site_url
        above: list[str] = [""]
        for step in self._file.split("/")[:-1]:
            above.append(f"{above[-1]}{step}/")
        self._above = above[::-1]

    def target(self, value: str) -> str:
        """Give where a link leads, from the site's top; nothing where there is nothing to check."""
        told = _read(value, self._site_url)
        if told is None:
            return ""
        ups, rest = told
        if not ups and rest.startswith("#"):
            return self._file + rest
        start = "" if ups < 0 else self._above[min(ups, len(self._above) - 1)]
        return f"{start}{'' if rest == './' else rest}" or "./"


def escaped(path: str) -> str:
    """Write a path so that neither `#` nor `*` in it is taken for a mark; `unescaped` reads it back."""
    return path.replace("%", "%25").replace("#", "%23").replace("*", "%2A")


def unescaped(path: str) -> str:
    """Read a path back."""
    return path.replace("%2A", "*").replace("%23", "#").replace("%25", "%")


def _without(opened: re.Pattern[str], html: str) -> str:
    """Take comments out, and the contents of the elements that a pattern finds the beginnings of."""
    parts: list[str] = []
    reached = 0
    while found := opened.search(html, reached):
        parts.append(html[reached : found.start() if found[1] else found.end()])
        end = "-->" if found[1] else f"</{found[2]}"
        reached = html.find(end, found.end())
        if reached < 0:
            return "".join(parts)
        reached += len(end) if found[1] else 0
    return "".join((*parts, html[reached:]))


def _tags(html: str) -> str:
    """Give the tags without what stands between them."""
    return "<".join(piece.partition(">")[0] for piece in html.split("<")[1:])


def _leaves(value: str) -> bool:
    return value[:8].lower().startswith(("https://", "http://", "//"))


def shown(text: str) -> str:
    """Make a text of a page fit for a message: printable, and not long."""
    plain = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"


def _error(where: str, rule: str, message: str, next_step: str) -> Finding:
    return Finding(where, rule, "error", message, next_step)
