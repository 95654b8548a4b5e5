"""Owns the sentence that tells how a page came to be, and that on who confirmed it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.around.told import day, is_person, listed, name_of
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
_MOST_PEOPLE: Final = 3
_NAME: Final = 60
"""Unicode characters."""
_REMEMBERED: Final = 4_096
"""Sentences that are kept: the pages of one run share theirs."""


def how_it_came(facts: Facts, quoted: Mapping[str, Quoted]) -> Html:
    """Tell who or what wrote a page, from how many observations of which people, and when."""
    parts: list[object] = [_maker(facts)]
    if facts.sources:
        parts += [f" {words.FROM} ", link(f"#{SOURCES_ID}", _counted(facts))]
        sessions = {one.session_id for one in quoted.values()} | set(facts.session_ids)
        if len(sessions) > 1:
            parts.append(f" {words.OF} {words.sessions(len(sessions))}")
        people = _people(facts)
        if people:
            parts += [f" {words.BY} ", people]
    if facts.generated_on:
        parts += [f", {words.ON} ", day(facts.generated_on)]
    return join(parts)


@lru_cache(maxsize=_REMEMBERED)
def confirmations(verified: tuple[Verified, ...]) -> Html:
    """Tell who confirmed a page and when; a page that nobody confirmed says so."""
    people = [one for one in verified if one.person]
    if people:
        return join((f"{words.CONFIRMED} ", listed([_with_day(one, one.person) for one in people], _MOST_PEOPLE)))
    told = [_process(one) for one in verified]
    return join((*told[:_MOST_PEOPLE], words.NOT_CONFIRMED), "; ") if told else _first_up(words.NOT_CONFIRMED)


def _maker(facts: Facts) -> str:
    if facts.origin == "hand":
        return words.WRITTEN
    if facts.origin == "extractive":
        return words.COLLECTED
    model = one_line(facts.model, _NAME)
    return f"{words.DRAFTED} {model}" if model else words.DRAFTED_BY_SOMEONE


def _counted(facts: Facts) -> str:
    number = len(facts.sources)
    if all(is_label(source.id) for source in facts.sources):
        return words.observations(number)
    return words.sources(number)


def _people(facts: Facts) -> Html:
    authors = facts.authors
    people = [name_of(one) for one in authors if is_person(one)]
    agents = sum(not is_person(one) for one in authors)
    shown: list[object] = [*people[:_MOST_PEOPLE]]
    if len(people) > _MOST_PEOPLE:
        shown.append(words.others(len(people) - _MOST_PEOPLE))
    if agents:
        shown.append(words.agents(agents))
    return listed(shown, len(shown))


def _with_day(one: Verified, name: str) -> Html:
    who = words.A_PERSON if name == "unknown" else one_line(name, _NAME)
    return join((who, f" {words.ON} ", day(one.on))) if one.on else join((who,))


def _process(one: Verified) -> Html:
    process = one_line(one.by.removeprefix("process:"), _NAME)
    told = words.CHECKED if one.by == _GATES else f"{words.CHECKED_BY} {process}"
    return join((told, f" {words.ON} ", day(one.on))) if one.on else join((told,))


def _first_up(sentence: str) -> Html:
    return join((sentence[:1].upper() + sentence[1:],))
