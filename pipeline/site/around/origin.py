"""Owns what a page tells of how it came to be: from what, by whom, how, and who confirmed it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.around.told import day, is_person, kind_of, listed, name_of, quotation_of
from pipeline.site.elements import Html, join, link
from pipeline.text import one_line
from pipeline.wiki.revision.sources import is_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.site.facts import Facts, Verified
    from pipeline.site.values import Quoted

SOURCES_ID: Final = "wm-sources"
"""The id of the heading above the sources."""

_GATES: Final = "process:wikimill-gates"
_MOST_NAMES: Final = 3
_NAME: Final = 60
"""Unicode characters."""
_DAY: Final = len("2026-11-29")
_REMEMBERED: Final = 4_096
"""Sentences that are kept: the pages of one run share theirs."""


def from_what(facts: Facts, quoted: Mapping[str, Quoted]) -> Html:
    """Tell from how many observations a page was made, from which days and by whom; nothing without sources."""
    if not facts.sources:
        return Html()
    parts: list[object] = [f"{words.FROM} ", link(f"#{SOURCES_ID}", _counted(facts))]
    days = _days(facts, quoted)
    if days:
        to = (f" {words.TO} ", day(days[1])) if days[1] != days[0] else ()
        parts += [" (", day(days[0]), *to, ")"]
    people = _people(facts.authors)
    if people:
        parts += [f" {words.BY} ", people]
    return join(parts)


@lru_cache(maxsize=_REMEMBERED)
def how(origin: str, model: str, generated_on: str) -> Html:
    """Tell who or what wrote a page, and on which day."""
    if origin == "model":
        made = f"{words.DRAFTED} {one_line(model, _NAME)}" if model else words.DRAFTED_BY_SOMEONE
    else:
        made = words.WRITTEN if origin == "hand" else words.COLLECTED
    return join((made, f" {words.ON} ", day(generated_on))) if generated_on else join((made,))


@lru_cache(maxsize=_REMEMBERED)
def confirmations(verified: tuple[Verified, ...], *, by_hand: bool = False) -> Html:
    """Tell who confirmed a page and when; a page that no person confirmed, beside the one who wrote it, says so."""
    people = [_with_day(one) for one in verified if one.person]
    if people:
        return join((f"{words.CONFIRMED} ", listed(people, _MOST_NAMES)))
    if not verified:
        return join((words.NOT_BY_ANOTHER if by_hand else words.NOT_CONFIRMED,))
    if any(one.by == _GATES for one in verified):
        return join((words.CHECKED,))
    names = dict.fromkeys(one_line(one.by.removeprefix("process:"), _NAME) for one in verified)
    return join((f"{words.CHECKED_BY} ", listed(tuple(names), _MOST_NAMES), f", {words.NOT_YET}"))


def _counted(facts: Facts) -> str:
    number = len(facts.sources)
    if all(is_label(source.id) for source in facts.sources):
        return words.observations(number)
    return words.sources(number)


def _days(facts: Facts, quoted: Mapping[str, Quoted]) -> tuple[str, str] | None:
    """Give the first and the last day on which the observations were made, as far as they are known."""
    days = []
    for source in facts.sources:
        own = quoted.get(source.id)
        on = own.when.date().isoformat() if own else quotation_of(source)[0][:_DAY]
        if on:
            days.append(on)
    return (min(days), max(days)) if days else None


@lru_cache(maxsize=_REMEMBERED)
def _people(authors: tuple[str, ...]) -> Html:
    """Name the people, then the kinds of agents."""
    people = (name_of(one) for one in authors if is_person(one))
    agents = (kind_of(one) for one in authors if not is_person(one))
    return listed([name for name in dict.fromkeys((*people, *agents)) if name], _MOST_NAMES)


def _with_day(one: Verified) -> Html:
    who = words.A_PERSON if one.person == "unknown" else one_line(one.person, _NAME)
    return join((who, f" {words.ON} ", day(one.on))) if one.on else join((who,))
