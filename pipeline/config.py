"""Owns the settings: one frozen value, read from `wikimill.toml`; knows no module that uses them.

Whoever needs a setting gets it by argument. An unknown key or a misspelt value is a `ConfigError` that names
the nearest valid one.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from typing import TYPE_CHECKING, Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "wikimill.toml"

LEAST_ROOM = 8_000
"""Estimated tokens: the prompt's fixed parts take some 4,000, the rest is for observations and pages."""

Provider = Literal["extractive"]
"""The models that can draft pages; `extractive` works offline, without a language model."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


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
        parts = value.replace("\\", "/").split("/")
        if not value or value.startswith(("/", "\\")) or ":" in value or any(part in {"", ".", ".."} for part in parts):
            message = "must be a folder below the one that holds wikimill.toml, such as 'wiki'"
            raise ValueError(message)
        return "/".join(parts)


class ModelSettings(_Section):
    """The model that drafts pages."""

    provider: Provider = "extractive"


class BudgetSettings(_Section):
    """How much one prompt may hold, in estimated tokens, and one observation in it, in Unicode characters."""

    total: Annotated[int, Field(ge=12_000, le=10_000_000)] = 100_000
    response: Annotated[int, Field(ge=500, le=1_000_000)] = 32_000
    observation_characters: Annotated[int, Field(ge=200, le=1_000_000)] = 6_000

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
        allowed = get_args(Provider)
        return f"'{name}' cannot be {given!r}{_nearest(str(given), allowed)} (valid: {', '.join(allowed)})"
    return f"'{name}' {message.removeprefix('Value error, ')} (given: {given!r})"


def _keys(loc: tuple[str | int, ...]) -> tuple[str, ...]:
    model: type[BaseModel] = Settings
    for part in loc:
        if isinstance(part, int):
            return tuple(RedactionPattern.model_fields)
        annotation = model.model_fields[part].annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            model = annotation
    return tuple(model.model_fields)


def _nearest(word: str, valid: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, valid, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; valid here: {', '.join(valid)}"
