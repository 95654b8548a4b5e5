"""The section `[schedule]`: its defaults, and what is said of what cannot stand there."""

from __future__ import annotations

import pytest

from pipeline.config import Settings, parse_settings
from pipeline.errors import ConfigError


def test_by_default_it_runs_on_mondays_and_keeps_its_commits_here() -> None:
    schedule = Settings().schedule
    assert (schedule.cron, schedule.timezone, schedule.then) == ("23 5 * * 1", "Etc/UTC", "commit")
    assert (schedule.jitter_seconds, schedule.misfire_grace_seconds) == (0, 3600)


@pytest.mark.parametrize("cron", ["@daily", "*/15 * * * *", "0 0 * * 7", " 5 4 * * sun "])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "Etc/GMT+12", "America/Argentina/ComodRivadavia", "UTC", "Etc/UTC"])
def test_what_can_be_set(cron: str, zone: str) -> None:
    schedule = parse_settings(f"[schedule]\ncron = '{cron}'\ntimezone = '{zone}'\nthen = 'propose'\n").schedule
    assert (schedule.cron, schedule.timezone, schedule.then) == (cron, zone, "propose")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cron = '0 5 * * 1-8'", "'schedule.cron' in its field 'day of the week' has '8', but goes from 0 to 6;"),
        ("cron = '* * * *'", "'schedule.cron' has 4 fields; it needs five fields, such as '23 5 * * 1': minute"),
        ("cron = ''", "'schedule.cron' is empty; it needs five fields"),
        ("cron = '0 0 30 2 *'", "'schedule.cron' never comes due: "),
        (f"cron = '{'1' * 201}'", "'schedule.cron' may have at most 200 characters"),
        ("cron = 5", "'schedule.cron' must be a text in quotes (given: 5)"),
        ("timezone = ''", "'schedule.timezone' must be the IANA name of a time zone, such as 'Europe/Berlin'"),
        ("timezone = '../../etc/passwd'", "'schedule.timezone' must be the IANA name of a time zone"),
        ("timezone = '/etc/localtime'", "'schedule.timezone' must be the IANA name of a time zone"),
        ("timezone = 'Europe/'", "'schedule.timezone' must be the IANA name of a time zone"),
        ("jitter_seconds = -1", "'schedule.jitter_seconds' must be at least 0 (given: -1)"),
        ("jitter_seconds = 3601", "'schedule.jitter_seconds' must be at most 3,600 (given: 3601)"),
        ("misfire_grace_seconds = 0", "'schedule.misfire_grace_seconds' must be at least 1 (given: 0)"),
        ("misfire_grace_seconds = '1'", "'schedule.misfire_grace_seconds' must be a whole number, without quotes"),
        ("then = 'merge'", "'schedule.then' cannot be 'merge'; valid here: commit, propose, push"),
        ("then = 'pusch'", "'schedule.then' cannot be 'pusch'; did you mean 'push'?"),
        ("crom = '@daily'", "unknown key 'schedule.crom'; did you mean 'cron'?"),
    ],
)
def test_a_mistake_is_named(line: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_settings(f"[schedule]\n{line}\n")
    assert str(caught.value).startswith(f"wikimill.toml: {told}")
