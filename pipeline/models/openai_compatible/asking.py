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

_IN_A_ROW: Final = 2
"""Replies of the wrong form, after which a rung is left alone by the next runs as well."""


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


@dataclass(frozen=True, slots=True)
class Ways:
    """What is known of the ways in which a model can be asked.

    `barred` are rungs that cannot be used, for good; `doubted` those that this process leaves alone as well, for a
    reply did not keep to them; `prose` those of such replies in a row. `fixed` is the rung that the settings demand.
    """

    refused: frozenset[str] = frozenset()
    barred: frozenset[Rung] = frozenset()
    doubted: frozenset[Rung] = frozenset()
    prose: tuple[Rung, ...] = ()
    fixed: Rung | None = None

    @property
    def now(self) -> Asking:
        """How this process asks."""
        return self._best(self.barred | self.doubted)

    @property
    def lasting(self) -> Asking:
        """How the next ones begin."""
        return self._best(self.barred)

    def after(self, asking: Asking, gone: frozenset[Rung], *, kept: bool | None) -> Ways:
        """Learn from a reply that was asked for so, after the rungs in `gone` were refused.

        `kept` says whether the reply was of the form that the rung demands; None when it does not show that. One that
        was not may be chance; two in a row are none.
        """
        told = replace(self, refused=self.refused | asking.refused, barred=self.barred | gone)
        if kept is None or asking.rung == "text":
            return told
        if kept:
            return replace(told, prose=())
        prose = (*self.prose, asking.rung)[-_IN_A_ROW:]
        barred = told.barred | set(prose) if len(prose) == _IN_A_ROW else told.barred
        return replace(told, barred=barred, doubted=self.doubted | {asking.rung}, prose=prose)

    def _best(self, without: frozenset[Rung]) -> Asking:
        usable = [rung for rung in RUNGS if rung not in without]
        return Asking(self.fixed or usable[0], self.refused)


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


def known_ways(settings: ModelSettings, rung: str, refused: frozenset[str]) -> Ways:
    """Begin where an earlier run left off; `model.asking` fixes the rung, whatever was remembered."""
    fixed = None if settings.asking == "auto" else settings.asking
    above = RUNGS[: next((number for number, one in enumerate(RUNGS) if one == rung), 0)]
    return Ways(frozenset(refused & set(PARAMETERS)), frozenset(above), fixed=fixed)
