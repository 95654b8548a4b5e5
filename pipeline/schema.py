"""Owns the JSON schema of a reply in the form that every vendor takes; knows no vendor and no prompt.

Vendors accept different subsets of JSON Schema. What all of them take: closed objects that require each property,
no references, no defaults, and no limits; a limit is told in the description instead, where a model can read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pydantic import BaseModel

    from pipeline.observations.observation import Json

_LIMITS: Final = {
    "minItems": "items: {} or more",
    "maxItems": "items: {} or fewer",
    "minLength": "characters: {} or more",
    "maxLength": "characters: {} or fewer",
}


def portable_schema(model: type[BaseModel]) -> dict[str, Json]:
    """Give the schema of `model` with references inlined, objects closed, and every property required."""
    schema: dict[str, Json] = model.model_json_schema()
    definitions = schema.get("$defs")
    return _portable(schema, definitions if isinstance(definitions, dict) else {})


def _portable(schema: dict[str, Json], definitions: dict[str, Json]) -> dict[str, Json]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = definitions[reference.rpartition("/")[2]]
        return _portable(target, definitions) if isinstance(target, dict) else {}
    kept: dict[str, Json] = {}
    limits = [told.format(schema[limit]) for limit, told in _LIMITS.items() if limit in schema]
    if limits:
        kept["description"] = ", ".join(limits)
    kept |= {key: schema[key] for key in ("type", "enum") if key in schema}
    items, properties = schema.get("items"), schema.get("properties")
    if isinstance(items, dict):
        kept["items"] = _portable(items, definitions)
    if isinstance(properties, dict):
        kept["properties"] = {
            name: _portable(value, definitions) for name, value in properties.items() if isinstance(value, dict)
        }
        kept["required"] = list(properties)
        kept["additionalProperties"] = False
    return kept
