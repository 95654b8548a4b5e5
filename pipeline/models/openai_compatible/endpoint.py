"""Owns which endpoint is asked, and with which key: settings and environment in, an address out; knows no network."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.config import ModelSettings

DEFAULT_ADDRESS: Final = "https://api.openai.com/v1"
ADDRESS_VARIABLE: Final = "OPENAI_BASE_URL"

_VENDOR: Final = "api.openai.com"
_NO_KEY: Final = "none"
"""What servers get that ask for no key; the header cannot be empty."""
_PASTED: Final = re.compile(r"(?:/chat)?/completions$", re.IGNORECASE)
_DOUBLED: Final = re.compile(r"(?:/v1){2,}$", re.IGNORECASE)
_KEY: Final = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address without credentials, that can be shown, and a key, that no text may hold."""

    base_url: str
    api_key: str = field(repr=False)

    @property
    def has_key(self) -> bool:
        """Whether the key is a secret, and not the word that stands for none."""
        return self.api_key != _NO_KEY


def resolve_endpoint(settings: ModelSettings, environment: Mapping[str, str]) -> Endpoint:
    """Find the endpoint: `model.base_url`, else OPENAI_BASE_URL, else OpenAI; a blank variable counts as unset.

    Raises `ConfigError` for an address that cannot be one, for a key that cannot stand in a header, and for a
    missing key where OpenAI itself is asked. Other endpoints may need none.
    """
    from_environment = environment.get(ADDRESS_VARIABLE, "").strip()
    if settings.base_url.strip():
        base_url = _address(settings.base_url, "model.base_url")
    elif from_environment:
        base_url = _address(from_environment, ADDRESS_VARIABLE)
    else:
        base_url = DEFAULT_ADDRESS
    return Endpoint(base_url, _key(settings.api_key_variable, environment, base_url))


def _address(value: str, where: str) -> str:
    """Normalise an address; what is wrong with it is told without the address, which may hold a password."""
    next_step = "Give an address such as 'http://localhost:11434/v1'."
    try:
        parts = urlsplit(value.strip())
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not _KEY.fullmatch(value.strip()):
        raise ConfigError("is not a web address.", where=where, next_step=next_step)
    if "@" in parts.netloc or parts.query or parts.fragment:
        message = "holds a user, a password, '?' or '#'; the key stands in a variable of its own."
        raise ConfigError(message, where=where, next_step=next_step)
    path = parts.path.rstrip("/")
    path = _DOUBLED.sub("/v1", _PASTED.sub("", path).rstrip("/"))
    return f"{parts.scheme}://{parts.netloc}{path}"


def _key(variable: str, environment: Mapping[str, str], base_url: str) -> str:
    key = environment.get(variable, "").strip()
    if key and not _KEY.fullmatch(key):
        raise ConfigError("holds characters that a key cannot have.", where=variable, next_step="Copy the key again.")
    host = urlsplit(base_url).hostname or ""
    if not key and (host == _VENDOR or host.endswith(f".{_VENDOR}")):
        raise ConfigError(
            f"the environment variable {variable} is not set, and {host} needs a key.",
            where="model.api_key_variable",
            next_step=f"Set {variable}, or name the variable that holds the key.",
        )
    return key or _NO_KEY
