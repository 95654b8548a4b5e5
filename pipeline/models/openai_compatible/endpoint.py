"""Owns which endpoint is asked, and with which key: settings and environment in, an address out; knows no network."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.errors import ConfigError
from pipeline.settings.address import endpoint_address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.config import ModelSettings

DEFAULT_ADDRESS: Final = "https://api.openai.com/v1"
ADDRESS_VARIABLE: Final = "OPENAI_BASE_URL"
ORGANIZATION_VARIABLE: Final = "OPENAI_ORG_ID"
PROJECT_VARIABLE: Final = "OPENAI_PROJECT_ID"

_VENDOR: Final = "api.openai.com"
_NO_KEY: Final = "none"
"""What servers get that ask for no key; the header cannot be empty."""
_SENDABLE: Final = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address without credentials, that can be shown, and a key, that no text may hold.

    `organization` and `project` say who pays; empty where the key says it.
    """

    base_url: str
    api_key: str = field(repr=False)
    organization: str = ""
    project: str = ""

    @property
    def has_key(self) -> bool:
        """Whether the key is a secret, and not the word that stands for none."""
        return self.api_key != _NO_KEY


def resolve_endpoint(settings: ModelSettings, environment: Mapping[str, str]) -> Endpoint:
    """Find the endpoint: `model.base_url`, else OPENAI_BASE_URL, else OpenAI; a blank variable counts as unset.

    Raises `ConfigError` for an address that cannot be one, for a key or a name that cannot stand in a header, and for
    a missing key where OpenAI itself is asked. Other endpoints may need none.
    """
    base_url = settings.base_url or _from_environment(environment) or DEFAULT_ADDRESS
    return Endpoint(
        base_url,
        _key(settings.api_key_variable, environment, base_url),
        _name(ORGANIZATION_VARIABLE, environment),
        _name(PROJECT_VARIABLE, environment),
    )


def _from_environment(environment: Mapping[str, str]) -> str:
    told = environment.get(ADDRESS_VARIABLE, "").strip()
    try:
        return endpoint_address(told) if told else ""
    except ValueError as fault:
        raise ConfigError(f"{fault}.", where=ADDRESS_VARIABLE, next_step="Correct it, or unset it.") from None


def _name(variable: str, environment: Mapping[str, str]) -> str:
    name = environment.get(variable, "").strip()
    if name and not _SENDABLE.fullmatch(name):
        raise ConfigError("holds characters that cannot be sent.", where=variable, next_step="Correct it, or unset it.")
    return name


def _key(variable: str, environment: Mapping[str, str], base_url: str) -> str:
    key = environment.get(variable, "").strip()
    if key and not _SENDABLE.fullmatch(key):
        raise ConfigError("holds characters that a key cannot have.", where=variable, next_step="Copy the key again.")
    host = urlsplit(base_url).hostname or ""
    if not key and (host == _VENDOR or host.endswith(f".{_VENDOR}")):
        raise ConfigError(
            f"the environment variable {variable} is not set, and {host} needs a key.",
            where="model.api_key_variable",
            next_step=f"Set {variable}, or name the variable that holds the key.",
        )
    return key or _NO_KEY
