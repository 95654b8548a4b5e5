"""Owns where requests may go: what the address of an API is, whether two are of one origin, where a list goes on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from pipeline.errors import ConfigError
from pipeline.settings.address import is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

_VISIBLE: Final = re.compile(r"[!-~]+")
_LINK: Final = re.compile(r"<([^<>]*)>([^<>]*)")
_NEXT: Final = re.compile(r"""\brel\s*=\s*"?(?:[^",;]*\s)?next\b""", re.IGNORECASE)
_PORTS: Final = {"https": 443, "http": 80}
_LONGEST_LINK: Final = 10_000


def api_address(value: str, *, with_token: bool) -> str:
    """Give the address of an API without a closing slash; raises `ConfigError` when it cannot be used.

    A token goes over https alone, or to this machine.
    """
    where, value = "the address of the host's API", value.strip()
    try:
        parts = urlsplit(value)
        usable = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not _VISIBLE.fullmatch(value):
        raise ConfigError("is no web address.", where=where, next_step="It is such as 'https://api.github.com'.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ConfigError(
            "must hold no user, password, '?' or '#'.", where=where, next_step="The token stands in the environment."
        )
    if with_token and not is_protected(value):
        raise ConfigError("is http, over which the token would go unprotected.", where=where, next_step="Use https.")
    return value.rstrip("/")


def is_protected(address: str) -> bool:
    """Whether nobody on the way can read what goes to a web address: it is https, or this machine."""
    try:
        parts = urlsplit(address)
        return parts.scheme == "https" or is_loopback(parts.hostname or "")
    except ValueError:
        return False


def origin(address: str) -> tuple[str, str, int]:
    """Give scheme, host and port; three empty values for what is no web address, which is of no origin."""
    try:
        parts = urlsplit(address)
        return parts.scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", "", 0


def without_query(address: str) -> str:
    """Give an address without what stands behind `?` or `#`, and without a user: there may be secrets."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def next_page(address: str, headers: Mapping[str, str]) -> str:
    """Give the address of the page after this one, empty after the last; `headers` has its names in lower case."""
    link = headers.get("link", "")
    if link:
        following = [found[1] for found in _LINK.finditer(link[:_LONGEST_LINK]) if _NEXT.search(found[2])]
        return urljoin(address, following[0]) if following else ""
    number = headers.get("x-next-page", "").strip()
    if not number.isascii() or not number.isdigit():
        return ""
    parts = urlsplit(address)
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "page"]
    return urlunsplit((*parts[:3], urlencode([*query, ("page", number)]), ""))
