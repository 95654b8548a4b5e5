"""Owns the settings: one frozen value, read from `wikimill.toml`; knows no module that uses them.

Whoever needs a setting gets it by argument. An unknown key or a misspelt value is a `ConfigError` that names
the nearest valid one.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from pipeline.errors import ConfigError
from pipeline.settings.mistakes import mistakes, toml_mistake
from pipeline.settings.model import CapSettings, ModelPrice, ModelSettings
from pipeline.settings.proposal import ProposalSettings
from pipeline.settings.schedule import ScheduleSettings
from pipeline.settings.section import Section, compiled, inner_folder

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "FILE_NAME",
    "BudgetSettings",
    "CapSettings",
    "LintSettings",
    "ModelPrice",
    "ModelSettings",
    "ProposalSettings",
    "RedactionPattern",
    "RedactionSettings",
    "RunSettings",
    "ScheduleSettings",
    "Settings",
    "SiteSettings",
    "WikiSettings",
    "parse_settings",
    "read_settings",
]

FILE_NAME = "wikimill.toml"

LEAST_ROOM = 5_000
"""Tokens: the fixed parts of a prompt take some 3,700 at most, the rest is for observations and pages."""


class WikiSettings(Section):
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
        return inner_folder(value)


class BudgetSettings(Section):
    """How much one prompt may hold, in estimated tokens, and one observation in it, in Unicode characters."""

    total: Annotated[int, Field(ge=6_000, le=10_000_000)] = 100_000
    response: Annotated[int, Field(ge=500, le=1_000_000)] = 32_000
    observation_characters: Annotated[int, Field(ge=200, le=1_000_000)] = 6_000
    context: Annotated[float, Field(ge=0, le=100)] = 0.5
    """Tokens of related pages and of the catalogue for each token of observations, beside a small base."""

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        if self.total - self.response < LEAST_ROOM:
            message = f"must leave {LEAST_ROOM:,} tokens for the prompt: make 'total' larger or 'response' smaller"
            raise ValueError(message)
        return self


class RedactionPattern(Section):
    """A further secret: what matches `pattern` (Python `re` syntax) becomes `[REDACTED:kind]`."""

    kind: str
    pattern: Annotated[str, Field(min_length=1, max_length=2_000)]

    @field_validator("kind")
    @classmethod
    def _is_a_name(cls, value: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", value):
            message = "must be a name such as 'staff-number': lower-case letters, digits and '-', 40 at most"
            raise ValueError(message)
        return value

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        if compiled(value, what="is").match(""):
            message = "matches the empty text and would redact everything"
            raise ValueError(message)
        return value


class RedactionSettings(Section):
    """What else is a secret, and what is none although it looks like one."""

    patterns: tuple[RedactionPattern, ...] = Field(default=(), strict=False)
    allow: tuple[str, ...] = Field(default=(), strict=False)
    """Regular expressions; a match that one of them matches as a whole is left alone."""

    @field_validator("allow")
    @classmethod
    def _compile(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for number, pattern in enumerate(value, 1):
            compiled(pattern, what=f"has an entry {number} that is")
        return value


class RunSettings(Section):
    """How a run behaves."""

    attempts: Annotated[int, Field(ge=1, le=20)] = 3
    """After so many failing runs a session is parked until someone retries it."""
    project_instructions: bool = True
    drafted_together: Annotated[int, Field(ge=1, le=200)] = 16
    """So many requests are drafted on the same state of the wiki and committed as one step; a model without
    latency takes one at a time. The result depends on this number, not on how many workers there are."""


class LintSettings(Section):
    """When a page gets a finding."""

    page_characters: Annotated[int, Field(ge=1_000)] = 16_000
    """A page with more Unicode characters is oversized."""
    stale_days: Annotated[int, Field(ge=1)] = 365


class SiteSettings(Section):
    """What `wikimill build` hands to the site generator; everything else stands in `mkdocs.yml`."""

    output: str = ".build/site"
    generator: Literal["mkdocs", "properdocs", "zensical"] = "mkdocs"
    quotations: bool = True
    """Whether footnotes show the cited observations' own words, without their secrets."""

    @field_validator("output")
    @classmethod
    def _is_written_out(cls, output: str) -> str:
        if output.startswith("~"):
            message = "begins with '~', which only a shell replaces: write the whole path"
            raise ValueError(message)
        return output


class Settings(Section):
    """All settings of one wiki repository."""

    wiki: WikiSettings = WikiSettings()
    model: ModelSettings = ModelSettings()
    budget: BudgetSettings = BudgetSettings()
    redaction: RedactionSettings = RedactionSettings()
    run: RunSettings = RunSettings()
    proposal: ProposalSettings = ProposalSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    lint: LintSettings = LintSettings()
    site: SiteSettings = SiteSettings()

    @model_validator(mode="after")
    def _recordings_stand_apart(self) -> Self:
        top = self.model.recordings.split("/")[0].lower()
        others = {self.wiki.pages.split("/")[0].lower(), self.wiki.observations.split("/")[0].lower()}
        if top in others or top in {".git", ".wikimill"}:
            message = "has model.recordings in a folder of its own kind: name one beside pages and observations"
            raise ValueError(message)
        return self


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
        raise ConfigError(toml_mistake(fault), where=FILE_NAME) from None
    try:
        return Settings.model_validate(values)
    except ValidationError as fault:
        raise ConfigError(mistakes(fault, Settings), where=FILE_NAME) from None
