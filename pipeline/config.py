"""Owns the settings: one frozen value, read from `wikimill.toml`; knows no module that uses them.

Whoever needs a setting gets it by argument. An unknown key or a misspelt value is a `ConfigError` that names
the nearest valid one.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from typing import TYPE_CHECKING, Annotated, Literal, Self, TypeGuard, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "wikimill.toml"

LEAST_ROOM = 5_000
"""Tokens: the fixed parts of a prompt take some 3,700 at most, the rest is for observations and pages."""

Provider = Literal["extractive", "openai"]
"""What drafts pages: `extractive` works offline, without a language model; `openai` is any endpoint that speaks the
OpenAI chat API."""
Mode = Literal["batch", "single"]
Asking = Literal["auto", "json_schema", "json_object", "text"]
OnUnavailable = Literal["stop", "extractive"]
Replies = Literal["cache", "record", "replay", "off"]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _inner_folder(value: str) -> str:
    parts = value.replace("\\", "/").split("/")
    if not value or value.startswith(("/", "\\")) or ":" in value or any(part in {"", ".", ".."} for part in parts):
        message = "must be a folder below the one that holds wikimill.toml, such as 'wiki'"
        raise ValueError(message)
    return "/".join(parts)


def _address(value: str) -> str:
    """Give an endpoint's address without blanks and closing slashes; a key or a password has no place in it."""
    value = value.strip().rstrip("/")
    if not value:
        return ""
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        message = "must be a web address such as 'http://localhost:11434/v1'"
        raise ValueError(message)
    if parts.username or parts.password or parts.query or parts.fragment:
        message = "must hold no user, password, '?' or '#'; the key stands in the environment"
        raise ValueError(message)
    return value


class WikiSettings(_Section):
    """Where things stand, relative to the folder that holds `wikimill.toml`; paths use `/`."""

    observations: str = "observations"
    pages: str = "wiki"
    prompts: str = "prompts"
    default_project: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    """The project of an observation that names none."""
    branch: str = ""
    """The branch that gets the commits; empty means the branch that is checked out."""

    @field_validator("observations", "pages", "prompts")
    @classmethod
    def _stays_inside(cls, value: str) -> str:
        return _inner_folder(value)


class ModelPrice(_Section):
    """What a model costs, for each million tokens, in one currency of your choice."""

    model: Annotated[str, Field(min_length=1, max_length=200)]
    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]


class CapSettings(_Section):
    """What one run may spend; 0 means without limit. Reaching one ends the run with what is done committed."""

    calls: Annotated[int, Field(ge=0)] = 0
    input_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    money: Annotated[float, Field(ge=0)] = 0.0
    """In the currency of the prices; needs a price for the model."""


class ModelSettings(_Section):
    """The model that drafts pages, and how it is asked."""

    provider: Provider = "extractive"
    name: Annotated[str, Field(max_length=200)] = ""
    """The model's name as its endpoint knows it; needed for `openai`."""
    base_url: Annotated[str, Field(max_length=2_000)] = ""
    """The endpoint, such as `http://localhost:11434/v1`; empty means OPENAI_BASE_URL, else OpenAI itself."""
    api_key_variable: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")] = "OPENAI_API_KEY"
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
        return _inner_folder(value)

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        return _address(value)

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


class BudgetSettings(_Section):
    """How much one prompt may hold, in estimated tokens, and one observation in it, in Unicode characters."""

    total: Annotated[int, Field(ge=6_000, le=10_000_000)] = 100_000
    response: Annotated[int, Field(ge=500, le=1_000_000)] = 32_000
    observation_characters: Annotated[int, Field(ge=200, le=1_000_000)] = 6_000
    context: Annotated[float, Field(ge=0, le=100)] = 0.35
    """Tokens of related pages and of the catalogue for each token of observations, beside a small base."""

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        if self.total - self.response < LEAST_ROOM:
            message = f"must leave {LEAST_ROOM:,} tokens for the prompt: make 'total' larger or 'response' smaller"
            raise ValueError(message)
        return self


class RedactionPattern(_Section):
    """A further secret: what matches `pattern` (Python `re` syntax) becomes `[REDACTED:kind]`."""

    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
    pattern: Annotated[str, Field(min_length=1, max_length=2_000)]

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        try:
            compiled = re.compile(value)
        except re.error as fault:
            message = f"is not a regular expression: {fault}"
            raise ValueError(message) from None
        if compiled.match(""):
            message = "matches the empty text and would redact everything"
            raise ValueError(message)
        return value


class RedactionSettings(_Section):
    """What else is a secret, and what is none although it looks like one."""

    patterns: tuple[RedactionPattern, ...] = Field(default=(), strict=False)
    allow: tuple[str, ...] = Field(default=(), strict=False)
    """Regular expressions; a match that one of them matches as a whole is left alone."""

    @field_validator("allow")
    @classmethod
    def _compile(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in value:
            try:
                re.compile(pattern)
            except re.error as fault:
                message = f"{pattern!r} is not a regular expression: {fault}"
                raise ValueError(message) from None
        return value


class RunSettings(_Section):
    """How a run behaves."""

    attempts: Annotated[int, Field(ge=1, le=20)] = 3
    """After so many failing runs a session is parked until someone retries it."""
    project_instructions: bool = True
    drafted_together: Annotated[int, Field(ge=1, le=200)] = 16
    """So many requests are drafted on the same state of the wiki and committed as one step; a model without
    latency takes one at a time. The result depends on this number, not on how many workers there are."""


class LintSettings(_Section):
    """When a page gets a finding."""

    page_characters: Annotated[int, Field(ge=1_000)] = 16_000
    """A page with more Unicode characters is oversized."""
    stale_days: Annotated[int, Field(ge=1)] = 365


class SiteSettings(_Section):
    """What `wikimill build` hands to the site generator; everything else stands in `mkdocs.yml`."""

    output: str = ".build/site"


class Settings(_Section):
    """All settings of one wiki repository."""

    wiki: WikiSettings = WikiSettings()
    model: ModelSettings = ModelSettings()
    budget: BudgetSettings = BudgetSettings()
    redaction: RedactionSettings = RedactionSettings()
    run: RunSettings = RunSettings()
    lint: LintSettings = LintSettings()
    site: SiteSettings = SiteSettings()


def read_settings(folder: Path) -> Settings:
    """Read `wikimill.toml` in `folder`; a missing file means the defaults, a wrong one is a `ConfigError`."""
    path = folder / FILE_NAME
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return Settings()
    except OSError as fault:
        raise ConfigError(f"cannot be read: {fault.strerror}.", where=FILE_NAME) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8.", where=FILE_NAME, next_step="Save it as UTF-8.") from None
    return parse_settings(text)


def parse_settings(text: str) -> Settings:
    """Turn the text of a `wikimill.toml` into settings, or raise a `ConfigError` that names every mistake."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise ConfigError(f"is not valid TOML: {fault}.", where=FILE_NAME) from None
    try:
        return Settings.model_validate(values)
    except ValidationError as fault:
        told = [_explain(tuple(error["loc"]), error["type"], error["msg"], error["input"]) for error in fault.errors()]
        raise ConfigError("; ".join(told) + ".", where=FILE_NAME) from None


def _explain(loc: tuple[str | int, ...], kind: str, message: str, given: object) -> str:
    name = ".".join(str(part) for part in loc)
    if kind == "extra_forbidden":
        return f"unknown key '{name}'{_nearest(str(loc[-1]), _keys(loc[:-1]))}"
    if kind == "literal_error":
        allowed = _allowed(loc)
        return f"'{name}' cannot be {given!r}{_nearest(str(given), allowed)} (valid: {', '.join(allowed)})"
    return f"'{name}' {message.removeprefix('Value error, ')} (given: {given!r})"


def _section(loc: tuple[str | int, ...]) -> type[BaseModel]:
    """Find the section that a place in the settings lies in."""
    model: type[BaseModel] = Settings
    for part in loc:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        inner = next((one for one in (annotation, *get_args(annotation)) if _is_section(one)), None)
        if inner is not None:
            model = inner
    return model


def _is_section(one: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(one, type) and issubclass(one, BaseModel)


def _keys(loc: tuple[str | int, ...]) -> tuple[str, ...]:
    return tuple(_section(loc).model_fields)


def _allowed(loc: tuple[str | int, ...]) -> tuple[str, ...]:
    annotation = _section(loc[:-1]).model_fields[str(loc[-1])].annotation
    return tuple(map(str, get_args(annotation)))


def _nearest(word: str, valid: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, valid, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; valid here: {', '.join(valid)}"
