"""Owns which model drafts pages, and through what its replies pass: caps, recordings, the cache.

Knows no endpoint, no file format and no rule of a reply.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.models.extractive.model import ExtractiveModel
from pipeline.models.metering import Meter
from pipeline.models.remembering import CachingModel, RecordingModel, Recordings, ReplayingModel, ReplyStore
from pipeline.observations.redaction.redact import make_redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import ModelSettings, Settings
    from pipeline.models.model import Model

CACHE = ".wikimill/replies"
"""Where paid replies are kept; below the folder that git ignores."""
LEARNT = ".wikimill/endpoints.json"
"""What is learnt of an endpoint: how it takes a schema, what it refuses, how it counts tokens."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What a model needs of the world: the environment (key, address, proxies), clocks, waiting, and chance.

    `now` gives aware times; `ticks` monotonic seconds; `sleep` waits for so many; `jitter` gives a number from 0 to 1.
    """

    environment: Mapping[str, str]
    now: Callable[[], datetime]
    ticks: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]


@contextmanager
def open_model(
    settings: Settings, root: Path, outside: Outside, *, tell: Callable[[str], None], learn: bool = True
) -> Iterator[Model]:
    """Make the model that the settings name; with `learn`, what ended well keeps how its endpoint counts tokens.

    Without `learn` nothing but the cache of replies is written: nothing is recorded, and nothing of the endpoint noted.

    `tell` gets a line for people: which endpoint is asked, and whenever it is asked otherwise or waited for. Raises
    `ConfigError` when the address or the key is missing or cannot be used.
    """
    redactor = make_redactor(settings.redaction)
    chosen = settings.model
    portable = _portable_identity(chosen)
    recordings = Recordings(root / chosen.recordings, scrub=lambda text: redactor.scrub(text).text, keeps=learn)
    if chosen.provider == "extractive":
        yield ExtractiveModel()
        return
    if chosen.replies == "replay":
        tell(f"Replies come from the recordings in {chosen.recordings}; nobody is asked.")
        yield ReplayingModel(chosen.name, recordings, identity=portable, workers=chosen.workers)
        return
    # The client library takes a second to load, which no other command should cost.
    from pipeline.models.openai_compatible import EndpointMemory, OpenAiModel  # noqa: PLC0415

    asked = OpenAiModel(
        chosen,
        environment=outside.environment,
        meter=Meter(chosen.caps, chosen.prices, model=chosen.name),
        memory=EndpointMemory(root / LEARNT, keeps=learn),
        scrub=lambda text: redactor.scrub(text).text,
        clock=outside.ticks,
        sleep=outside.sleep,
        jitter=outside.jitter,
        tell=tell,
    )
    tell(f"Asking {chosen.name} at {asked.endpoint}.")
    model: Model = asked
    if chosen.replies != "off":
        store = ReplyStore(
            root / CACHE,
            megabytes=chosen.cache_megabytes,
            clock=outside.now,
            scrub=lambda text: redactor.scrub(text).text,
        )
        model = CachingModel(asked, store, identity=asked.identity)
    if chosen.replies == "record":
        model = RecordingModel(model, recordings, identity=portable)
    ended_well = False
    try:
        yield model
        ended_well = True
    finally:
        asked.close(learn=learn and ended_well)


def foreseen_model(settings: Settings, root: Path) -> Model:
    """Make a model that stands for the one that a run would ask, for plans: it asks nobody and needs no key."""
    if settings.model.provider == "extractive":
        return ExtractiveModel()
    recordings = Recordings(root / settings.model.recordings, scrub=str)
    return ReplayingModel(settings.model.name, recordings, identity=_portable_identity(settings.model))


def _portable_identity(settings: ModelSettings) -> str:
    """Say who is asked, and how, in words that do not differ from machine to machine."""
    return json.dumps([settings.name, settings.temperature, settings.max_output_tokens])
