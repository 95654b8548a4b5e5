"""Owns how a source, a person and a moment are told in a line. All that comes in is untrusted text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.elements import Html, element, join, link, text
from pipeline.site.machines.fronts import WITHHELD, is_public
from pipeline.text import cut, one_line
from pipeline.wiki.markdown.links import decode
from pipeline.wiki.markdown.links import join as joined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pipeline.site.values import Site
    from pipeline.wiki.format.page import Source

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\Z")
_DAYS_FILE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?=\.)")
_STAMPED: Final = re.compile(r"(?P<time>\d{4}-\d{2}-\d{2} \d{2}:\d{2}) (?P<who>.{1,120}?): ")
_LINE: Final = re.compile(r"L([1-9][0-9]{0,8})\Z")
_ELSEWHERE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/|\\")
_WEB: Final = ("https://", "http://")
_NAME: Final = 60
"""Unicode characters of a name; and so on below."""
_ADDRESS: Final = 200
_HUMAN: Final = "human:"
_ROLES: Final = frozenset({"assistant", "tool", "system"})

_REMEMBERED: Final = 4_096
"""Days and names that are kept as they are shown: the pages of a wiki share most of them."""


@lru_cache(maxsize=_REMEMBERED)
def day(iso: str) -> Html:
    """Show a day; what is none is shown as plain text."""
    return element("time", iso) if _DAY.match(iso) else text(one_line(iso, _NAME))


@lru_cache(maxsize=_REMEMBERED)
def moment(at: datetime) -> Html:
    """Show a moment to the minute, in UTC."""
    return element("time", f"{at:%Y-%m-%d %H:%M}", datetime=f"{at:%Y-%m-%dT%H:%MZ}")


def is_person(author: str) -> bool:
    """Whether the author of a source is a person."""
    return author.startswith(_HUMAN)


@lru_cache(maxsize=_REMEMBERED)
def name_of(author: str) -> str:
    """Name the author of a source: a person by name, an agent as one."""
    if is_person(author):
        name = one_line(author.removeprefix(_HUMAN), _NAME)
        return words.A_PERSON if name in {"", "unknown"} else name
    name = one_line(author.removesuffix("/unversioned"), _NAME)
    return words.agent(name) if name else ""


@lru_cache(maxsize=_REMEMBERED)
def kind_of(author: str) -> str:
    """Name the kind of an agent that is the author of a source, without its version."""
    return one_line(author.partition("/")[0], _NAME)


def speaker(who: str, agent_kind: str) -> str:
    """Name who an observation comes from, where its source does not: a person, else the kind of agent."""
    name = one_line(who, _NAME)
    return words.agent(one_line(agent_kind, _NAME) or name) if name in _ROLES else name


def listed(names: Sequence[object], most: int) -> Html:
    """Join names as in a sentence; those above `most` are counted."""
    shown = [*names[:most], *([words.others(len(names) - most)] if len(names) > most else [])]
    if len(shown) < 2:  # noqa: PLR2004 - a list of two needs an `and`
        return join(shown)
    return join((join(shown[:-1], ", "), f" {words.AND} ", shown[-1]))


def quotation_of(source: Source) -> tuple[str, str]:
    """Give when an observation was made and how it begins, from the title of its source; the time may be empty."""
    found = _STAMPED.match(source.title)
    if found is None:
        return "", source.title
    return found["time"], source.title[found.end() :]


def shortened(words_of: str, limit: int) -> str:
    """Cut words at a grapheme, with an ellipsis where something is missing."""
    whole = words_of.strip()
    return whole if len(whole) <= limit else f"{cut(whole, limit - 1).rstrip()}…"


def place_of_source(source: Source, page: str, site: Site) -> Html:
    """Show where a source can be read: a link to its line on the host, or to the web, else its plain name."""
    resource = source.resource
    apart = resource.startswith(_WEB) or _ELSEWHERE.match(resource) is not None
    if apart and not is_public(page, resource, ()):
        return text(WITHHELD)
    if resource.startswith(_WEB):
        return link(resource, one_line(resource, _ADDRESS))
    if not resource or _ELSEWHERE.match(resource):
        return text(one_line(resource, _ADDRESS))
    path, _, mark = resource.partition("#")
    line = _LINE.match(mark)
    below = joined(page, decode(path))
    outside = below.startswith("../")
    while below.startswith("../"):
        below = below.removeprefix("../")
    return line_on_host(below if outside else f"{site.folder}/{below}", int(line[1]) if line else 0, site)


def line_on_host(file: str, line: int, site: Site) -> Html:
    """Show a line of a file, by its path from the repository's top: a link where the repository is hosted."""
    file = file.encode("utf-8", "replace").decode()
    name = words.line_of(one_line(file.rpartition("/")[2], _ADDRESS), line)
    day_of = _DAYS_FILE.match(name)
    shown = join((element("time", day_of[0]), name[day_of.end() :])) if day_of else text(name)
    return link(site.host.shown(file, line), shown) if site.host and file else shown


@lru_cache(maxsize=_REMEMBERED)
def written_moment(told: str) -> Html:
    """Show a moment that is told as `2026-11-29 08:00`, or a day; anything else is plain text."""
    shown = one_line(told, _NAME)
    return element("time", shown) if _MOMENT.match(shown) else text(shown)


def fact(*content: object) -> Html:
    """Set a part of a line apart from the others."""
    return element("span", *content, class_="wm-fact")


def folded(entries: Sequence[Html], shown: int, number: int, class_: str | None = None) -> Html:
    """Make a list; what stands beyond the first entries is folded, and what is left out of `number` is counted."""
    first, rest = entries[:shown], entries[shown:]
    listed_first = element("ul", *(element("li", entry) for entry in first), class_=class_)
    if not rest:
        return listed_first
    left_out = number - len(entries)
    end = element("p", words.left_out(left_out)) if left_out > 0 else ""
    inner = element("ul", *(element("li", entry) for entry in rest), class_=class_)
    return join((listed_first, element("details", element("summary", words.more(number - shown)), inner, end)))
