"""The JSON Schema of a report: it describes every field, and accepts every report that is written."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings

from pipeline.report import Report, as_json
from pipeline.report.schema import describe_schema
from tests.report.reports import FULL, VALUES, reports, variations

SCHEMA: dict[str, Any] = describe_schema()
CLASSES: dict[str, Any] = {**SCHEMA["$defs"], "Report": SCHEMA}
TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
TOLD = {
    *("description", "title", "default", "$schema", "$defs", "format"),
    *("required", "properties", "items", "additionalProperties"),
}


def check(value: object, schema: dict[str, Any]) -> None:
    """Hold a value to the part of JSON Schema that is in use; a keyword that is not known fails."""
    if "$ref" in schema:
        check(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
        return
    if "anyOf" in schema:
        assert any(fits(value, one) for one in schema["anyOf"])
        return
    for keyword, said in schema.items():
        assert keyword in TOLD or holds(value, keyword, said)
    if isinstance(value, list):
        for one in value:
            check(one, schema["items"])
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value)
        for name, one in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            assert inner is not None, f"{name} is not described"
            check(one, inner)


def holds(value: Any, keyword: str, said: Any) -> bool:  # noqa: ANN401  # any value of JSON
    match keyword:
        case "type":
            counted = not (isinstance(value, bool) and said in {"integer", "number"})
            return isinstance(value, TYPES[said]) and counted
        case "enum":
            return value in said
        case "minimum":
            return bool(value >= said)
        case _:
            return False


def fits(value: object, schema: dict[str, Any]) -> bool:
    try:
        check(value, schema)
    except AssertionError:
        return False
    return True


@given(reports())
@settings(max_examples=60)
def test_every_report_fits_its_schema(report: Report) -> None:
    check(as_json(report), SCHEMA)


def test_each_part_of_a_report_fits_the_schema() -> None:
    for _, report in variations(FULL):
        check(as_json(report), SCHEMA)


@pytest.mark.parametrize(
    "wrong", [{"model": 1}, {"dry_run": "no"}, {"exit_code": 7}, {"sessions": [{}]}, {"proposal": {"action": "sent"}}]
)
def test_what_is_no_report_does_not_fit(wrong: dict[str, object]) -> None:
    assert not fits({**as_json(FULL), **wrong}, SCHEMA)


@pytest.mark.parametrize("kind", VALUES)
def test_every_field_is_described(kind: type[Any]) -> None:
    described = CLASSES[kind.__name__]["properties"]
    assert set(described) >= {field.name for field in fields(kind)}
    if kind.__module__.startswith("pipeline.report"):
        assert [name for name, one in described.items() if not one.get("description")] == []
