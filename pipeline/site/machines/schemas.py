"""Owns the JSON Schemas (draft 2020-12) of `kb/index.json`, `kb/graph.json` and `kb/redirects.json`.

They stand on the site as `kb/schema/<name>.json`. `schema` in a file is raised when a reader of the former version
would misread it; new keys may come without that, so a reader steps over what it does not know. Knows no page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.machines.index_json import SCHEMA
from pipeline.site.machines.layout import SIDE
from pipeline.site.machines.written import json_bytes

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

_TEXT: Final[dict[str, Json]] = {"type": "string"}
_TEXTS: Final[dict[str, Json]] = {"type": "array", "items": {"type": "string"}}
_COUNT: Final[dict[str, Json]] = {"type": "integer", "minimum": 0}
_DAY: Final[dict[str, Json]] = {
    "type": "string",
    "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$",
    "description": "an ISO day, or empty where none is known",
}
_PLACE: Final[dict[str, Json]] = {"type": "integer", "minimum": 0, "maximum": SIDE}
_PATH: Final[dict[str, Json]] = {
    "type": "string",
    "pattern": "^([^/].*\\.md)?$",
    "description": "the Markdown file, from the site's top",
}
_URL: Final[dict[str, Json]] = {
    "type": "string",
    "format": "uri-reference",
    "description": "the address, from the site's top",
}


def schema_files() -> dict[str, bytes]:
    """Write the schemas, by their paths on the site."""
    return {f"kb/schema/{name}.json": json_bytes(schema) for name, schema in _SCHEMAS.items()}


def _object(**keys: Json) -> dict[str, Json]:
    return {"type": "object", "properties": keys, "required": list(keys)}


def _list(items: dict[str, Json]) -> dict[str, Json]:
    return {"type": "array", "items": items}


def _file(title: str, **keys: Json) -> dict[str, Json]:
    head: dict[str, Json] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    generated: dict[str, Json] = {**_DAY, "description": "the day of the newest change of any page, or empty"}
    return head | _object(schema={"const": SCHEMA}, generated=generated, **keys)


_PAGE: Final = _object(
    path=_PATH,
    url=_URL,
    title=_TEXT,
    type=_TEXT,
    project=_TEXT,
    kind=_TEXT,
    tags=_TEXTS,
    aliases=_TEXTS,
    description=_TEXT,
    status={"enum": ["stable", "draft", "deprecated", "other"]},
    tier={"enum": ["unverified", "machine-confirmed", "human-reviewed"]},
    changed=_DAY,
    sources=_COUNT,
    due=_DAY,
    unsourced=_COUNT,
    contradicted=_COUNT,
)
_NODE: Final = _object(path=_PATH, url=_URL, title=_TEXT, type=_TEXT, x=_PLACE, y=_PLACE, links=_COUNT)
_EDGE: Final[dict[str, Json]] = {"type": "array", "items": _COUNT, "minItems": 2, "maxItems": 2}

_SCHEMAS: Final[dict[str, dict[str, Json]]] = {
    "index": _file("All pages of the wiki", pages=_list(_PAGE)),
    "graph": _file(
        "Links between the pages of the wiki", view={"enum": ["pages", "hubs"]}, nodes=_list(_NODE), edges=_list(_EDGE)
    ),
    "redirects": _file(
        "Former addresses of pages", redirects={"type": "object", "additionalProperties": {"type": "string"}}
    ),
}
