"""Owns the JSON Schema of a report as it is kept and given to machines, read off the values; knows no document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import ConfigDict, TypeAdapter

from pipeline.report.document import SCHEMA_VERSION
from pipeline.report.ending import ExitCode
from pipeline.report.values import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.observations.observation import Json

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_ADDED_TO_REPORT: Final[Mapping[str, Json]] = {
    "schema_version": {
        "type": "integer",
        "minimum": 1,
        "description": f"The version of this format; {SCHEMA_VERSION} now.",
    },
    "incomplete": {
        "type": "boolean",
        "description": "Whether sessions failed, were parked or left, or an error stands among the findings.",
    },
    "changed": {"type": "boolean", "description": "Whether a page was written."},
    "exit_code": {
        "type": "integer",
        "enum": [int(code) for code in ExitCode],
        "description": "The code with which the command ended.",
    },
}
_ADDED_TO_SPENT: Final[Mapping[str, Json]] = {
    "cost": {
        "anyOf": [{"type": "number"}, {"type": "null"}],
        "description": "What all calls cost; null where a price is missing, so that nobody knows.",
    },
}


def describe_schema() -> dict[str, Json]:
    """Give the schema. Other keys may stand beside those that it names: a later wikimill tells more."""
    # Descriptions are the docstrings of the fields. That is asked for once, from outside the classes.
    whole = TypeAdapter(list[Report], config=ConfigDict(use_attribute_docstrings=True)).json_schema(
        mode="serialization"
    )
    classes = {name: _described(one) for name, one in whole["$defs"].items()}
    report = _with(classes.pop("Report"), _ADDED_TO_REPORT)
    classes["Spent"] = _with(classes["Spent"], _ADDED_TO_SPENT)
    return {"$schema": DIALECT, "title": "Report of a run of wikimill", **report, "$defs": {**classes}}


def _described(value: Json) -> dict[str, Json]:
    """Give a class as it is described, all its fields required: what is written always holds them all."""
    plain = _without_titles(value)
    return _with(plain, {}) if isinstance(plain, dict) else {}


def _with(described: Mapping[str, Json], added: Mapping[str, Json]) -> dict[str, Json]:
    fields = described["properties"]
    properties = {**fields, **added} if isinstance(fields, dict) else {**added}
    return {**described, "properties": properties, "required": [*properties]}


def _without_titles(value: Json) -> Json:
    """Leave out what says the name of a field once more; a field may itself be called `title`."""
    if isinstance(value, list):
        return [_without_titles(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: {field: _without_titles(one) for field, one in inner.items()}
        if name == "properties" and isinstance(inner, dict)
        else _without_titles(inner)
        for name, inner in value.items()
        if name != "title"
    }
