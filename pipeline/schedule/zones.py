"""Owns time zones by their IANA names, and how a moment is told in one; knows no schedule."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from datetime import datetime


def find_zone(name: str, *, where: str) -> ZoneInfo:
    """Find a time zone by its name, or raise a `ConfigError` that names the nearest one."""
    known = available_timezones()
    if not known:
        raise ConfigError(
            "this machine has no list of time zones.", where=where, next_step="Install it: `pip install tzdata`."
        )
    if name in known:
        return ZoneInfo(name)
    by_folded = {one.casefold(): one for one in sorted(known)}
    by_city = {one.rpartition("/")[2]: one for one in sorted(by_folded)}
    folded = name.casefold().replace(" ", "_")
    near = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.8) or [
        by_city[city] for city in difflib.get_close_matches(folded.rpartition("/")[2], by_city, n=1, cutoff=0.8)
    ]
    hint = f"Did you mean '{by_folded[near[0]]}'?" if near else "Take an IANA name such as 'Europe/Berlin'."
    raise ConfigError("there is no such time zone.", where=where, next_step=hint)


def told(moment: datetime, zone: ZoneInfo) -> str:
    """Tell a moment by the clocks of a zone, to the second: `2026-11-30 05:23:00 CET`."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
