"""Owns the words for how fresh pages are: when the newest of what they rest on was seen, when they changed.

`seen` is a time (`2026-11-29 14:03`), `changed` a day (ISO); either may be empty. Knows no page.
"""

from __future__ import annotations

from pipeline.site.days import day_of


def fresh(seen: str, changed: str) -> str:
    """Tell the day of the newest observation, else that of the change, else nothing."""
    if seen:
        return f"seen {day_of(seen)}"
    return f"changed {changed}" if changed else ""


def newest(seen: str, changed: str) -> list[str]:
    """Tell the days of the newest observation and of the newest change of some pages, those that are known."""
    named = (("newest observation", day_of(seen)), ("newest change", changed))
    return [f"{name} {day}" for name, day in named if day]
