"""A schema that every vendor takes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pipeline.schema import portable_schema


class Leaf(BaseModel):
    kind: Literal["a", "b"]
    name: Annotated[str, Field(min_length=1, max_length=9)] = "x"


class Tree(BaseModel):
    leaves: Annotated[tuple[Leaf, ...], Field(max_length=5)] = ()
    first: Leaf


def test_references_are_inlined_objects_closed_and_limits_told() -> None:
    leaf = {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["a", "b"]},
            "name": {"description": "characters: 1 or more, characters: 9 or fewer", "type": "string"},
        },
        "required": ["kind", "name"],
        "additionalProperties": False,
    }
    assert portable_schema(Tree) == {
        "type": "object",
        "properties": {
            "leaves": {"description": "items: 5 or fewer", "type": "array", "items": leaf},
            "first": leaf,
        },
        "required": ["leaves", "first"],
        "additionalProperties": False,
    }
