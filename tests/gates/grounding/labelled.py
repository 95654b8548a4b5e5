"""The labelled statements, and how the gate does on them.

`held_out` marks those that nobody looked at while the gate was tuned; `"second"` those that were written afterwards by
somebody who had not seen the gate.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from pipeline.context import Context
from pipeline.gates.grounding.characters import normal, tokens
from pipeline.gates.grounding.judging import judge_of
from tests.gates.drafts import batch_of, window_of

FOLDER = Path(__file__).parents[1] / "labelled"


HeldOut: TypeAlias = "bool | Literal['second']"


@dataclass(frozen=True)
class Labelled:
    """A statement and what it was made from; a planted one holds `detail`, which its sources do not."""

    label: str
    kind: str
    language: str
    sources: list[str]
    statement: str
    held_out: HeldOut
    detail: str = ""


def read_labelled() -> list[Labelled]:
    return [
        Labelled(**json.loads(line))
        for path in sorted(FOLDER.glob("grounding*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def flagged(case: Labelled) -> tuple[str, ...]:
    judge = judge_of(batch_of(f"- {case.statement}\n"), window_of(*case.sources), Context())
    return tuple(detail for one in judge.sentences(case.statement) for detail in one.details)


def is_right(case: Labelled) -> bool:
    """Whether a faithful statement is let through, and a planted one flagged for what was planted."""
    found = flagged(case)
    if case.label == "faithful":
        return not found
    planted = set(tokens(normal(case.detail)))
    return any(planted & set(tokens(detail)) for detail in found)
