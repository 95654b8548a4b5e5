"""Owns the section `[schedule]` of the settings: when `wikimill schedule` runs, and what becomes of its commits."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from pipeline.schedule.cron import parse_cron
from pipeline.settings.section import Section

_ZONE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,3}")


class ScheduleSettings(Section):
    """When the scheduler runs; other schedulers, such as that of GitHub Actions, have files of their own."""

    cron: str = "23 5 * * 1"
    """Five fields as on GitHub Actions, or a name such as `@daily`; by default, Monday at 05:23."""
    timezone: Annotated[str, Field(max_length=100)] = "Etc/UTC"
    """The IANA name of the zone whose clocks count."""
    jitter_seconds: Annotated[int, Field(ge=0, le=3_600)] = 0
    """Each run is put off by up to so many seconds, so that many wikis do not ask one endpoint at once."""
    misfire_grace_seconds: Annotated[int, Field(ge=1, le=604_800)] = 3_600
    """A run that is noticed later, because the machine slept, is left out."""
    then: Literal["commit", "propose", "push"] = "commit"
    """What becomes of the commits: they stay here, are proposed, or are pushed to the branch."""

    @field_validator("cron")
    @classmethod
    def _is_cron(cls, value: str) -> str:
        parse_cron(value)
        return value

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        if not _ZONE.fullmatch(value):
            message = "must be the IANA name of a time zone, such as 'Europe/Berlin'"
            raise ValueError(message)
        return value
