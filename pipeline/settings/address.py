"""Owns what the address of an endpoint is, and which names are this machine's own; pure, asks nobody."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

EXAMPLE: Final = "http://localhost:11434/v1"

_VISIBLE: Final = re.compile(r"[!-~]+")
_PASTED: Final = re.compile(r"(?:/chat)?/completions$", re.IGNORECASE)
_DOUBLED: Final = re.compile(r"(?:/v1){2,}$", re.IGNORECASE)


def endpoint_address(value: str) -> str:
    """Give an address without blanks, closing slashes, and what is often pasted along, such as `/chat/completions`.

    Raises a `ValueError` that tells what is wrong without the address, for that may hold a password.
    """
    value = value.strip()
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not _VISIBLE.fullmatch(value):
        message = f"must be a web address such as '{EXAMPLE}'"
        raise ValueError(message)
    if "@" in parts.netloc or parts.query or parts.fragment:
        message = "must hold no user, password, '?' or '#'; the key stands in the environment"
        raise ValueError(message)
    path = _PASTED.sub("", parts.path.rstrip("/")).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{_DOUBLED.sub('/v1', path)}"


def is_loopback(host: str) -> bool:
    """Whether a host, by its name or its address, is this machine, reached from nowhere else."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
