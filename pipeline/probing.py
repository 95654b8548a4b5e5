"""Owns the look at the model that the settings name: whom a run would ask, and whether it would get an answer.

At most one call goes out, for the list of models; no completion is asked for, and the offline model needs no call at
all. Knows neither a command line nor how a request is answered.
"""

from __future__ import annotations

import difflib
import ipaddress
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.errors import ConfigError, InvalidReply, ModelError, Truncated
from pipeline.finding import Finding
from pipeline.observations.redaction.redact import make_redactor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipeline.choosing import Outside
    from pipeline.config import ModelSettings, Settings
    from pipeline.finding import Severity
    from pipeline.models.openai_compatible import Endpoint, ModelInfo

RULE: Final = "model"

SOON: Final = timedelta(days=90)
"""How long before a model is switched off people are told."""

_LOCAL_ENDINGS: Final = (".localhost", ".local", ".internal", ".lan")
_ISO_DATE: Final = 10
"""Characters of a date such as 2027-01-14."""
_MOST_NEAR: Final = 3


def examine_model(settings: Settings, root: Path, outside: Outside) -> tuple[str, tuple[Finding, ...]]:
    """Tell whom a run below `root` would ask, and what is wrong with that."""
    chosen = settings.model
    if chosen.provider == "extractive":
        return "extractive: works offline, no endpoint and no key are needed", ()
    if chosen.replies == "replay":
        return _examine_recordings(chosen, root)
    # The client library takes a second to load, which nobody pays who does not need it.
    from pipeline.models.openai_compatible import resolve_endpoint  # noqa: PLC0415

    try:
        endpoint = resolve_endpoint(chosen, outside.environment)
        listed, findings = _examine_list(settings, outside)
    except ConfigError as error:
        told = Finding(error.where or "model", RULE, "error", error.message, error.next_step)
        return f"{chosen.name} cannot be asked", (told,)
    address = endpoint.base_url if chosen.base_url else f"{endpoint.base_url} (as the environment has it)"
    key = f"with the key in {chosen.api_key_variable}" if endpoint.has_key else "without a key"
    priced = any(price.model == chosen.name for price in chosen.prices)
    cost = "" if priced else "; no price is set for it, so that a report names tokens and no cost"
    return f"{chosen.name} at {address}, {key}; {listed}{cost}", (*_examine_way(chosen, endpoint), *findings)


def is_local(host: str) -> bool:
    """Whether a host is this machine or stands in its own network, as far as its name tells."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.lower().rstrip(".")
        return "." not in name or name.endswith(_LOCAL_ENDINGS)
    return address.is_loopback or address.is_private or address.is_link_local


def _examine_recordings(chosen: ModelSettings, root: Path) -> tuple[str, tuple[Finding, ...]]:
    count = sum(1 for _ in (root / chosen.recordings).rglob("*.json"))
    replies = _counted(count, "recorded reply", "recorded replies")
    told = f"{chosen.name}: {replies} in {chosen.recordings}/; nobody is asked"
    if count:
        return told, ()
    step = 'Record replies with `replies = "record"` under [model], and commit them.'
    return told, (Finding("model.recordings", RULE, "error", "there is no recording to answer from.", step),)


def _examine_way(chosen: ModelSettings, endpoint: Endpoint) -> tuple[Finding, ...]:
    """Look at the address and the key alone."""
    parts = urlsplit(endpoint.base_url)
    if is_local(parts.hostname or ""):
        return ()
    findings = []
    if not endpoint.has_key:
        message = f"the environment variable {chosen.api_key_variable} is not set, and most endpoints need a key."
        step = f"Set {chosen.api_key_variable}, or name the variable that holds the key."
        findings.append(Finding("model.api_key_variable", RULE, "warning", message, step))
    if parts.scheme == "http":
        message = "the key and all that is sent can be read on the way."
        findings.append(Finding("model.base_url", RULE, "warning", message, "Use an address with https."))
    return tuple(findings)


def _examine_list(settings: Settings, outside: Outside) -> tuple[str, tuple[Finding, ...]]:
    """Ask which models there are. An endpoint that has no list may answer all the same; one that is silent does not."""
    from pipeline.models.openai_compatible import list_models  # noqa: PLC0415  # as above

    chosen = settings.model
    redactor = make_redactor(settings.redaction)
    try:
        models = list_models(
            chosen, outside.environment, scrub=lambda text: redactor.scrub(text).text, clock=outside.ticks
        )
    except (InvalidReply, Truncated) as error:
        return f"{error.message.removesuffix('.')}, so that the name is not checked", ()
    except ModelError as error:
        severity: Severity = "warning" if chosen.on_unavailable == "extractive" else "error"
        return "it does not answer", (Finding("model.base_url", RULE, severity, error.message, error.next_step),)
    named = {chosen.name, f"{chosen.name}:latest", f"models/{chosen.name}"}
    found = next((model for model in models if model.id in named), None)
    if found is None:
        return f"it lists {_counted(len(models), 'model', 'models')}", (_not_listed(chosen.name, models),)
    return "it is listed there", _examine_end(found, outside.now().date())


def _not_listed(name: str, models: Sequence[ModelInfo]) -> Finding:
    near = difflib.get_close_matches(name, [model.id for model in models], n=_MOST_NEAR, cutoff=0.4)
    like = f" It lists {', '.join(near)}." if near else ""
    step = f"Correct model.name, unless the endpoint takes names that it does not list.{like}"
    return Finding("model.name", RULE, "warning", f"the endpoint does not list {name}.", step)


def _examine_end(model: ModelInfo, today: date) -> tuple[Finding, ...]:
    try:
        end = date.fromisoformat(model.shutdown_date[:_ISO_DATE])
    except ValueError:
        return ()
    if end - today > SOON:
        return ()
    message = f"the model {'is' if end > today else 'was'} to be switched off on {end.isoformat()}."
    return (Finding("model.name", RULE, "warning", message, "Choose another one before that."),)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count or 'no'} {one}" if count <= 1 else f"{count:,} {many}"
