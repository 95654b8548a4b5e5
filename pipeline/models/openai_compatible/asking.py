"""Owns the ways in which a reply can be asked for, and the order in which they are tried; pure, knows no network.

The ladder: a strict JSON schema that the endpoint enforces, a JSON object with the schema in the prompt, plain text
with the schema in the prompt. A parameter that was refused is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from pipeline.models.openai_compatible.faults import FORMAT, PARAMETERS, Fault

if TYPE_CHECKING:
    from pipeline.config import ModelSettings

Rung = Literal["json_schema", "json_object", "text"]
RUNGS: Final[tuple[Rung, ...]] = ("json_schema", "json_object", "text")


@dataclass(frozen=True, slots=True)
class Asking:
    """One way of asking: a rung of the ladder, and the parameters that the model has refused."""

    rung: Rung = "json_schema"
    refused: frozenset[str] = frozenset()

    def joined(self, other: Asking) -> Asking:
        """Take what was learnt by both: the lower rung, and all refusals."""
        return Asking(max(self.rung, other.rung, key=RUNGS.index), self.refused | other.refused)

    def lower(self) -> Asking | None:
        """Step down; None on the lowest rung."""
        below = RUNGS[RUNGS.index(self.rung) + 1 :]
        return replace(self, rung=below[0]) if below else None

    def after(self, fault: Fault, settings: ModelSettings) -> Asking | None:
        """Find how to ask after a refusal; None when there is no other way, or the fault is no refusal."""
        if fault.kind == "rung":
            return self.lower() if settings.asking == "auto" else None
        if fault.kind == "parameter" and fault.parameter in sent_fields(self, settings):
            return replace(self, refused=self.refused | {fault.parameter})
        return None


def limit_field(asking: Asking, settings: ModelSettings) -> str:
    """Name the field that carries the limit on the answer; empty when none is configured, or all are refused."""
    if settings.max_output_tokens is None:
        return ""
    names = ("max_completion_tokens", "max_tokens")
    return next((name for name in names if name not in asking.refused), "")


def sends_temperature(asking: Asking, settings: ModelSettings) -> bool:
    """Say whether the temperature goes along: only when configured, and not refused."""
    return settings.temperature is not None and "temperature" not in asking.refused


def sent_fields(asking: Asking, settings: ModelSettings) -> frozenset[str]:
    """Name the optional fields that a request carries."""
    fields = {limit_field(asking, settings)} - {""}
    if asking.rung != "text":
        fields.add(FORMAT)
    if sends_temperature(asking, settings):
        fields.add("temperature")
    return frozenset(fields)


def first_asking(settings: ModelSettings, rung: str, refused: frozenset[str]) -> Asking:
    """Begin where an earlier run left off; `model.asking` fixes the rung, whatever was remembered."""
    known = frozenset(refused & set(PARAMETERS))
    chosen = rung if settings.asking == "auto" else settings.asking
    return Asking(next((one for one in RUNGS if one == chosen), RUNGS[0]), known)
