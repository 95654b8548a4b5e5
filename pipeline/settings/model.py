"""Owns the section `[model]` of the settings, and what stands below it; knows no module that uses them."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, Self

from pydantic import Field, field_validator, model_validator

from pipeline.settings.address import endpoint_address
from pipeline.settings.section import Section, inner_folder

Provider = Literal["extractive", "openai"]
"""What drafts pages: `extractive` works offline, without a language model; `openai` is any endpoint that speaks the
OpenAI chat API."""
Mode = Literal["batch", "single"]
Asking = Literal["auto", "json_schema", "json_object", "text"]
OnUnavailable = Literal["stop", "extractive"]
Replies = Literal["cache", "record", "replay", "off"]

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_KEY: Final = re.compile(r"(?=.*[a-z])(?=.*[0-9])[A-Za-z0-9_]{20,}")
"""What would do for the name of a variable, and is more likely a key: so long, in mixed letters and digits."""


class ModelPrice(Section):
    """What a model costs, for each million tokens, in one currency of your choice."""

    model: Annotated[str, Field(min_length=1, max_length=200)]
    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]


class CapSettings(Section):
    """What one run may spend; 0 means without limit. Reaching one ends the run with what is done committed."""

    calls: Annotated[int, Field(ge=0)] = 0
    input_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    money: Annotated[float, Field(ge=0)] = 0.0
    """In the currency of the prices; needs a price for the model."""


class ModelSettings(Section):
    """The model that drafts pages, and how it is asked."""

    provider: Provider = "extractive"
    name: Annotated[str, Field(max_length=200)] = ""
    """The model's name as its endpoint knows it; needed for `openai`."""
    base_url: Annotated[str, Field(max_length=2_000)] = ""
    """The endpoint, such as `http://localhost:11434/v1`; empty means OPENAI_BASE_URL, else OpenAI itself."""
    api_key_variable: str = "OPENAI_API_KEY"
    """The environment variable that holds the key; the key itself never stands in a file."""
    mode: Mode = "batch"
    """`batch`: up to five updates of any pages for a session; `single`: its own page alone."""
    sessions_per_request: Annotated[int, Field(ge=1, le=20)] = 8
    """Short sessions of one project share a request, up to so many; each still gets its own pages and commit."""
    asking: Asking = "auto"
    """How replies are asked for; `auto` begins with `json_schema` and steps down where the endpoint cannot."""
    workers: Annotated[int, Field(ge=1, le=64)] = 4
    """Requests under way at once."""
    timeout_seconds: Annotated[int, Field(ge=1, le=3_600)] = 300
    """How long one request may take, the whole reply included."""
    retries: Annotated[int, Field(ge=0, le=10)] = 3
    """How often a request is repeated after a fault that may heal."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Sent only when given."""
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    """Sent only when given; as `max_completion_tokens`, or as `max_tokens` where that is refused."""
    on_unavailable: OnUnavailable = "stop"
    """When the model does not answer: `stop`, or let the offline model stand in until it is back."""
    replies: Replies = "cache"
    """`cache`: paid replies are kept below `.wikimill/`; `record` writes them to `recordings` as well; `replay`
    answers from there alone; `off` keeps none."""
    recordings: str = "recordings"
    cache_megabytes: Annotated[int, Field(ge=1, le=100_000)] = 200
    caps: CapSettings = CapSettings()
    prices: tuple[ModelPrice, ...] = Field(default=(), strict=False)

    @field_validator("recordings")
    @classmethod
    def _stays_inside(cls, value: str) -> str:
        return inner_folder(value)

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        return endpoint_address(value) if value.strip() else ""

    @field_validator("api_key_variable")
    @classmethod
    def _names_a_variable(cls, value: str) -> str:
        if not _VARIABLE.fullmatch(value) or _KEY.fullmatch(value):
            message = (
                "must be the name of a variable of the environment, such as 'OPENAI_API_KEY': letters, digits and '_';"
                " the key itself never stands in a file"
            )
            raise ValueError(message)
        return value

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if self.provider == "openai" and not self.name.strip():
            message = "needs 'name': the model's name as its endpoint knows it"
            raise ValueError(message)
        if self.replies == "replay" and self.on_unavailable == "extractive":
            message = "with replies = 'replay' must have on_unavailable = 'stop': a reply that is missing is a mistake"
            raise ValueError(message)
        if self.caps.money and all(price.model != self.name for price in self.prices):
            message = f"has a cap of money but no price for {self.name!r}: add it under [[model.prices]]"
            raise ValueError(message)
        return self
