"""Owns looking at what runs by itself on a GitLab: schedules of pipelines, their owners, and who reads the pages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.forge.gitlab.answers import fields, is_true, moment, number, text
from pipeline.forge.gitlab.obstacles import project_notes
from pipeline.forge.gitlab.seeing import MISSING, OK, Seen
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pipeline.forge.gitlab.answers import Fields
    from pipeline.forge.gitlab.project import ProjectApi

_LATE: Final = timedelta(hours=24)
"""GitLab starts a schedule within minutes; a day after its time, something is wrong."""
_SETTING: Final = "Build > Pipeline schedules"


def watch(project: ProjectApi, now: datetime) -> tuple[str, tuple[Finding, ...]]:
    """Give a line for people, and what to mend; what the token may not see is told, and is no finding."""
    status, answer = project.status_of("")
    seen = Seen(project_status=status, project=fields(answer))
    findings = [one for one in project_notes(project, seen) if one.rule == "pages-public"]
    here = f"GitLab {project.path}"
    if text(seen.project, "builds_access_level") == "disabled" or seen.project.get("jobs_enabled") is False:
        step = "Switch on Settings > General > Visibility, project features, permissions > CI/CD."
        findings.append(Finding(here, "pipelines-off", "error", "CI/CD is off: no schedule runs.", step))
    pages = _pages(seen)
    listed = project.listed("/pipeline_schedules")
    if listed is None:
        return f"schedules are not visible to this token; {pages}", tuple(findings)
    schedules = [fields(one) for one in listed]
    if not schedules:
        step = f"{_SETTING} > New schedule."
        findings.append(Finding(here, "no-schedule", "note", "No pipeline has a schedule.", step))
    members: dict[int, bool] = {}
    for schedule in schedules:
        findings.extend(_judged(project, schedule, members, now))
    return f"{_schedules(schedules)}; {pages}", tuple(findings)


def _judged(project: ProjectApi, schedule: Fields, members: dict[int, bool], now: datetime) -> Iterator[Finding]:
    where = f"GitLab {project.path} {_SETTING}: {one_line(text(schedule, 'description'), 60) or 'without a name'}"
    if not is_true(schedule, "active"):
        told = "The schedule is inactive and runs nothing."
        yield Finding(where, "schedule-inactive", "warning", told, "Edit it and switch on Activated.")
        return
    owner = fields(schedule.get("owner"))
    if trouble := _trouble_of(project, owner, members):
        step = f"{_SETTING} > Take ownership, as a member with the role Developer or higher."
        yield Finding(where, "schedule-owner", "error", f"Its owner {trouble}: its pipelines fail or do not run.", step)
    due = moment(schedule, "next_run_at")
    if due is not None and now - due > _LATE:
        told = f"It should have run at {due:%Y-%m-%d %H:%M} UTC, and has not."
        yield Finding(where, "schedule-late", "warning", told, "Look at its last pipeline, and save it once more.")


def _trouble_of(project: ProjectApi, owner: Fields, members: dict[int, bool]) -> str:
    """Say what is wrong with the owner of a schedule, with whose rights it runs; empty when nothing is."""
    identity = number(owner, "id")
    if not identity:
        return "is gone"
    name, state = one_line(text(owner, "username"), 60), text(owner, "state")
    if state not in {"", "active"}:
        return f"{name} is {one_line(state, 30)}"
    if identity not in members:
        members[identity] = project.status_of(f"/members/all/{identity}")[0] != MISSING
    return "" if members[identity] else f"{name} is no member any more"


def _schedules(schedules: list[Fields]) -> str:
    active = [one for one in schedules if is_true(one, "active")]
    due = min((at for one in active if (at := moment(one, "next_run_at"))), default=None)
    told = f"{len(active)} of {len(schedules)} pipeline schedules active"
    return f"{told}, the next at {due:%Y-%m-%d %H:%M} UTC" if due else told


def _pages(seen: Seen) -> str:
    if seen.project_status != OK:
        return "settings of the project are not visible"
    level = text(seen.project, "pages_access_level") or "not told"
    return f"project {text(seen.project, 'visibility') or 'not told'}, pages {one_line(level, 30)}"
