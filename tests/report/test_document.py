"""The JSON form of a report: everything that the value holds, there and back."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings

from pipeline.report import Report, as_json, from_json, parse_json, render_json
from pipeline.spending import Spent
from tests.report.reports import FULL, reports, variations

DERIVED = {"schema_version", "incomplete", "changed", "exit_code"}


def plain(**told: object) -> dict[str, Any]:
    return {"model": "m", "prompt_version": "p", **told}


def test_machines_are_told_everything_that_the_value_holds() -> None:
    told = as_json(FULL)
    assert set(told) == {field.name for field in fields(Report)} | DERIVED
    assert (told["schema_version"], told["incomplete"], told["changed"], told["exit_code"]) == (1, True, True, 5)
    assert told["started_at"] == "2026-11-30T08:00:00Z"
    assert told["sessions"] == [
        {
            "session": {"workspace": "default", "project": "acme", "session_id": "s1"},
            "state": "consolidated",
            "observations": 41,
            "windows": 3,
            "tokens": 12_000,
            "commit": "a" * 40,
            "pages": [{"path": "acme/a.md", "title": "Cookies", "change": "created", "statements": 5}],
            "reason": "cookies",
            "findings": [
                {
                    "where": "unsourced.jsonl:1",
                    "rule": "unsourced",
                    "severity": "note",
                    "message": "unsourced was told.",
                    "next_step": "Mend unsourced.",
                }
            ],
            "model": "gpt",
            "repairs": 2,
            "provisional": False,
        }
    ]


@given(reports())
@settings(max_examples=60)
def test_a_report_comes_back_equal(report: Report) -> None:
    assert parse_json(render_json(report)) == report
    assert from_json(as_json(report)) == report


def test_each_part_of_a_report_comes_back_equal() -> None:
    for name, report in variations(FULL):
        assert parse_json(render_json(report)) == report, name


@pytest.mark.parametrize(
    ("spent", "cost"),
    [
        (Spent(), 0),
        (Spent(calls=2, known_cost=0.5), 0.5),
        (Spent(calls=2, unpriced_calls=2), None),
        (Spent(calls=2, known_cost=0.5, unpriced_calls=1), None),
    ],
)
def test_an_unknown_price_is_null_and_never_zero(spent: Spent, cost: float | None) -> None:
    told = as_json(replace(FULL, spent=spent))["spent"]
    assert isinstance(told, dict)
    assert told["cost"] == cost
    assert told["known_cost"] == spent.known_cost


def test_times_are_told_in_utc() -> None:
    east = datetime(2026, 11, 30, 9, 30, tzinfo=timezone(timedelta(hours=1, minutes=30)))
    report = replace(FULL, started_at=east)
    assert as_json(report)["started_at"] == "2026-11-30T08:00:00Z"
    assert parse_json(render_json(report)).started_at == datetime(2026, 11, 30, 8, tzinfo=UTC)


def test_what_no_file_can_hold_is_replaced() -> None:
    assert parse_json(render_json(replace(FULL, branch="a\ud800b"))).branch == "a\ufffdb"


def test_what_a_later_wikimill_adds_is_passed_over() -> None:
    told = plain(later=1, intake={"lines": 3, "later": [1]}, spent={"cost": None, "known_cost": 0.5})
    report = from_json(told)
    assert (report.intake.lines, report.spent.known_cost) == (3, 0.5)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "it is no JSON object"),
        (b"\xff\xfe", "it is no JSON object"),
        (b"[1]", "it is no JSON object"),
        (b"[" * 100_000, "it is no JSON object"),
        (b"{}", "model: Field required"),
        (json.dumps(plain(schema_version=2)).encode(), "its schema_version is 2, and this wikimill reads up to 1"),
        (json.dumps(plain(schema_version="1")).encode(), "its schema_version is no number from 1"),
        (json.dumps(plain(schema_version=True)).encode(), "its schema_version is no number from 1"),
        (json.dumps(plain(dry_run="yes")).encode(), "dry_run: Input should be a valid boolean"),
        (json.dumps(plain(started_at="2026-11-30T08:00:00")).encode(), "a time needs its zone"),
        (json.dumps(plain(started_at="0001-01-01T00:00:00+23:00")).encode(), "the time is out of reach"),
        (json.dumps(plain(spent={"known_cost": float("nan")})).encode(), "it is no number of money"),
        (json.dumps(plain(sessions=[{"state": "SECRET"}])).encode(), "sessions.0.session: Field required"),
        (json.dumps(plain(findings={"SECRET": 1})).encode(), "findings: Input should be a valid array"),
    ],
)
def test_nonsense_is_refused_with_a_reason_that_repeats_none_of_it(raw: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        parse_json(raw)
    assert told in str(refused.value)
    assert "SECRET" not in str(refused.value)
    assert "\n" not in str(refused.value)
