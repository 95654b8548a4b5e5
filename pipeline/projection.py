"""Owns what one window of a session shows to a model; knows nothing of pages, prompts or models.

Everything is shown: a session that is too long for one window makes several, and an observation that is too long
keeps its head and its tail. Nothing is sampled away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from pipeline.text import cut, estimate_tokens, head_and_tail, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from pipeline.observations.observation import Observation, SessionKey

LEAST_BUDGET: Final = 400
"""Estimated tokens below which no window is made: the head line of one observation and a few words must fit."""

LEAST_PART: Final = 200
"""Unicode characters below which the text of an observation is not cut any further."""
_MOST_PARTS: Final = 100_000
"""A number of parts with more digits than there will be, to leave room for it."""

_INDENT: Final = "    "
_FULL_ENOUGH: Final = 0.8
"""From this fill on a window ends where a person speaks, so that a request and its answer stay together."""
_NAME: Final = 40
_KIND: Final = 24
_PATH: Final = 120
"""Most Unicode characters of an author, a kind, and a file or tag in a head line."""
_HEAD_TOKENS: Final = 150
"""Most estimated tokens of a head line; files and tags beyond it are counted, not named."""
_IMPLIED: Final = {
    "user": frozenset({"note", "user_prompt", "prompt", "user_message", "user"}),
    "assistant": frozenset({"note", "assistant_text", "assistant_message", "message", "assistant"}),
    "tool": frozenset({"note", "post_tool_use", "tool_result", "tool_use", "tool"}),
    "system": frozenset({"note", "system"}),
}
"""Kinds that say no more than the role does."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One observation as a model sees it.

    `handle` (`o12`, counted over all windows of the session in one run) is what a draft cites. `text` is the
    title and body after the cut, `missing` the number of Unicode characters that the cut left out.
    """

    handle: str
    observation: Observation
    text: str
    missing: int
    part: int = 1
    parts: int = 1
    """An observation that is larger than a window is shown in parts, one a window, all under its handle."""


@dataclass(frozen=True, slots=True)
class Projection:
    """One window: observations of one session in chronological order, and its place among the windows."""

    session: SessionKey
    number: int
    """Counted from 1."""
    of: int
    shown: tuple[Shown, ...]
    tokens: int
    """Of what `render` gives; estimated, on the high side."""


def project(
    session: SessionKey,
    observations: Iterable[Observation],
    *,
    budget_tokens: int,
    observation_characters: int,
) -> tuple[Projection, ...]:
    """Lay the observations of one session out in windows, in the order of their time and place.

    Each observation stands in exactly one window, or in several when it is larger than one. No window exceeds
    `budget_tokens` estimated tokens (at least `LEAST_BUDGET`); no text of an observation exceeds
    `observation_characters` Unicode characters. No observation means no window.
    """
    budget = max(budget_tokens, LEAST_BUDGET)
    ordered = sorted(observations, key=lambda observation: (observation.ts, observation.place))
    shown = [
        part
        for number, observation in enumerate(ordered, start=1)
        for part in _show(f"o{number}", observation, observation_characters, budget)
    ]
    windows = _pack(shown, budget)
    return tuple(
        Projection(session, number, len(windows), window, estimate_tokens(_render(window)))
        for number, window in enumerate(windows, start=1)
    )


def render(projection: Projection) -> str:
    """Write a window as a model reads it: a head line for each observation, its text after it, indented.

    No text of an observation can stand at the start of a line, so none can pass for another observation.
    """
    return _render(projection.shown)


def timestamp(moment: datetime) -> str:
    """Write a time in UTC as it stands in prompts: `2024-01-15T09:23:00Z`."""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _render(window: Sequence[Shown]) -> str:
    return "\n".join(_entry(shown.handle, shown.observation, shown.text, shown.part, shown.parts) for shown in window)


def halve(projection: Projection) -> tuple[Projection, ...]:
    """Cut a window into two of about the same size, for a model that could not do with the whole; empty if it cannot.

    A single observation is cut within its text, down to `LEAST_PART` Unicode characters.
    """
    shown = projection.shown
    if len(shown) == 1:
        (only,) = shown
        if len(only.text) < LEAST_PART * 2:
            return ()
        first = cut(only.text, len(only.text) // 2)
        halves = [[replace(only, text=text)] for text in (first, only.text[len(first) :])]
    else:
        costs = list(accumulate(_cost(one) for one in shown))
        middle = next(number for number, cost in enumerate(costs, 1) if cost * 2 >= costs[-1])
        middle = min(middle, len(shown) - 1)
        halves = [list(shown[:middle]), list(shown[middle:])]
    return tuple(replace(projection, shown=tuple(half), tokens=estimate_tokens(_render(half))) for half in halves)


def _show(handle: str, observation: Observation, characters: int, budget: int) -> list[Shown]:
    """Cut an observation to what may be shown of it, and into parts when that is larger than a window."""
    excerpt = head_and_tail(_words(observation), characters)
    if _tokens(handle, observation, excerpt.text) <= budget:
        return [Shown(handle, observation, excerpt.text, excerpt.missing)]
    texts: list[str] = []
    rest = excerpt.text
    while rest:
        text = rest
        while (tokens := _tokens(handle, observation, text, part=_MOST_PARTS)) > budget and text:
            # The estimate grows with the text, so this comes down to the budget in a few steps.
            text = cut(text, min(len(text) * budget // tokens, len(text) - 1))
        if not text:
            break  # not even one grapheme has room beside the head line
        texts.append(text)
        rest = rest[len(text) :]
    texts = texts or [""]
    missing = excerpt.missing + len(rest)
    return [Shown(handle, observation, text, missing, number, len(texts)) for number, text in enumerate(texts, start=1)]


def _words(observation: Observation) -> str:
    title, body = observation.title.strip(), observation.body.strip("\r\n").rstrip()
    if not title or body.lstrip().startswith(title):
        return body
    return f"{title}\n{body}" if body else title


def _tokens(handle: str, observation: Observation, text: str, *, part: int = 1) -> int:
    """Estimate an entry together with the line break that joins it to the next."""
    return estimate_tokens(_entry(handle, observation, text, part, part)) + 1


def _cost(shown: Shown) -> int:
    return estimate_tokens(_entry(shown.handle, shown.observation, shown.text, shown.part, shown.parts)) + 1


def _pack(shown: Sequence[Shown], budget: int) -> list[tuple[Shown, ...]]:
    costs = [_cost(entry) for entry in shown]
    still_to_come = list(accumulate(reversed(costs)))[::-1]
    windows: list[tuple[Shown, ...]] = []
    start = filled = 0
    for index, entry in enumerate(shown):
        good_end = entry.observation.role == "user" and filled > budget * _FULL_ENOUGH
        goes_on = entry.part > 1
        full = filled + costs[index] > budget or (good_end and filled + still_to_come[index] > budget)
        if index > start and (full or goes_on):
            windows.append(tuple(shown[start:index]))
            start, filled = index, 0
        filled += costs[index]
    return [*windows, tuple(shown[start:])] if shown else []


def _entry(handle: str, observation: Observation, text: str, part: int, parts: int) -> str:
    lines = text.splitlines() or [""]
    first, *rest = lines
    following = [f"{_INDENT}{line}" if line.strip() else "" for line in rest]
    return "\n".join((f"{_head(handle, observation, part, parts)} {first}".rstrip(), *following))


def _head(handle: str, observation: Observation, part: int, parts: int) -> str:
    role, kind, author = observation.role, _name(observation.kind, _KIND), _name(observation.author, _NAME)
    who = f"{role} {author}" if author else role
    what = "" if kind in _IMPLIED[role] or not kind else f", {kind}"
    head = f"[{handle}] {timestamp(observation.ts)} [{who}{what}]"
    # What is listed does not depend on the part: a shorter number would else leave room for more, and the whole entry
    # could be longer than the one that was measured.
    widest = f"{head} (part {_MOST_PARTS} of {_MOST_PARTS})"
    listed = ""
    for label, values in (("files", observation.files), ("tags", observation.tags)):
        listed += _listed(label, values, _HEAD_TOKENS - estimate_tokens(f"{widest}{listed}"))
    told = f" (part {part} of {parts})" if parts > 1 else ""
    return f"{head}{told}{listed}:"


def _listed(label: str, values: Sequence[str], tokens: int) -> str:
    """Name as many values as fit in so many estimated tokens, and count the others."""
    told = ""
    for index, value in enumerate(values):
        more = f"{told}, " if told else ""
        longer = more + one_line(value, _PATH)
        if estimate_tokens(longer) > tokens // 2:
            left = len(values) - index
            told = f"{more}{left} more" if told else f"{left}"
            break
        told = longer
    return f" ({label}: {told})" if told else ""


def _name(value: str, limit: int) -> str:
    return one_line(value.replace("[", " ").replace("]", " "), limit)
