"""Owns asking an endpoint which models it has: one call, ten seconds; no completion is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import Unavailable
from pipeline.models.openai_compatible.endpoint import resolve_endpoint
from pipeline.models.openai_compatible.explaining import Explainer
from pipeline.models.openai_compatible.faults import Fault, classify
from pipeline.models.openai_compatible.key_scrubbing import keyless
from pipeline.models.openai_compatible.vendor_errors import parse_json, read_error
from pipeline.models.openai_compatible.wire import NoAnswer, Wire
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.config import ModelSettings
    from pipeline.observations.observation import Json

_SECONDS: Final = 10.0
_LONGEST_ID, _LONGEST_DATE = 200, 40
_OK: Final = 200
_NO_LIST: Final = frozenset((403, 404, 405, 410, 501))
"""What servers answer that have no list, or show it to few; whether they answer requests, it does not tell."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that an endpoint offers; `shutdown_date` as the vendor writes it, empty when it gives none."""

    id: str
    shutdown_date: str = ""


def list_models(
    settings: ModelSettings,
    environment: Mapping[str, str],
    *,
    scrub: Callable[[str], str],
    clock: Callable[[], float],
) -> tuple[ModelInfo, ...]:
    """Give the models of an endpoint, in its order.

    Raises `ConfigError`; `InvalidReply` when there is somebody who has no list to give, and another `ModelError` when
    there is nobody, or the key is not accepted.
    """
    endpoint = resolve_endpoint(settings, environment)
    scrubbed = keyless(endpoint, scrub)
    explainer = Explainer(endpoint.base_url, settings.api_key_variable, scrubbed)
    wire = Wire(endpoint, seconds=_SECONDS, connections=1, clock=clock)
    try:
        answer = wire.models()
    finally:
        wire.close()
    if isinstance(answer, NoAnswer):
        if answer.trouble == "too_large":
            raise explainer.odd(answer.detail)
        if answer.trouble == "certificate":
            raise explainer.error(Fault("certificate", detail=answer.detail))
        told, step = f"the endpoint did not answer: {answer.detail}.", "Does the server run? Check model.base_url."
        raise Unavailable(told, where=endpoint.base_url, next_step=step)
    if answer.status in _NO_LIST:
        raise explainer.odd(f"{answer.status} when asked for its list of models")
    if answer.status != _OK:
        raise explainer.error(classify(answer.status, read_error(answer.body), ()))
    try:
        value = parse_json(answer.body)
    except ValueError:
        value = None
    entries = value.get("data") if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise explainer.odd("no list of models")
    return tuple(info for entry in entries if (info := _info(entry, scrubbed)) is not None)


def _info(entry: Json, scrub: Callable[[str], str]) -> ModelInfo | None:
    name = entry.get("id") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(name, str) or not one_line(name, _LONGEST_ID):
        return None
    date = entry.get("shutdown_date")
    told = one_line(date, _LONGEST_DATE) if isinstance(date, str) else ""
    return ModelInfo(scrub(one_line(name, _LONGEST_ID)), scrub(told))
