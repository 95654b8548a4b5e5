"""Owns what the address of a git remote tells about its host and its repository; pure, and knows no kind of host.

Addresses are whatever stands in git's configuration: what cannot be read tells nothing, and raises nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

WEB: Final = frozenset({"http", "https"})
_PORTS: Final = {"http": 80, "https": 443}
_SCP: Final = re.compile(r"(?:[^@/\s\\]+@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]{2,}):(?P<path>[^:\s].*)")
"""Such as `git@github.com:acme/wiki.git`; one letter before the colon is a drive of Windows."""
_HOST: Final = re.compile(r"[A-Za-z0-9_.:\[\]-]+")
_WAYS_ROUND: Final = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "www.github.com": "github.com"}
"""Names of a host for SSH at the port of the web, and the name that its pages have."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a remote's address tells; all is empty for a path on this machine, and for what cannot be read."""

    scheme: str = ""
    """In lower case; `ssh` for the short form too."""
    host: str = ""
    """In lower case; with the port where it is one of the web, and not the usual one."""
    path: str = ""
    """Of the repository, without slashes around it and without `.git`."""

    @property
    def name(self) -> str:
        """The host without a port."""
        bare, colon, port = self.host.rpartition(":")
        return bare if colon and port.isdecimal() else self.host


def place_of(url: str) -> Place:
    """Read the address of a remote: `https://…`, `ssh://…`, `git://…`, or the short form of SSH."""
    url = url.strip()
    if "://" not in url:
        found = None if "\\" in url else _SCP.fullmatch(url)
        return Place("ssh", _named(found["host"]), _repository(found["path"])) if found else Place()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return Place()
    host = f"[{host}]" if ":" in host else host
    if parts.scheme == "file" or not _HOST.fullmatch(host):
        return Place()
    if parts.scheme in WEB and port is not None and port != _PORTS[parts.scheme]:
        return Place(parts.scheme, f"{_named(host)}:{port}", _repository(unquote(parts.path)))
    return Place(parts.scheme if parts.scheme in WEB else "ssh", _named(host), _repository(unquote(parts.path)))


def site_of(address: str) -> Place:
    """Read the address of a host's pages, such as GITHUB_SERVER_URL; its path is what it stands below."""
    return place_of(address) if "://" in address else Place()


def _named(host: str) -> str:
    host = host.lower().rstrip(".")
    return _WAYS_ROUND.get(host, host)


def _repository(path: str) -> str:
    return path.strip("/").removesuffix(".git").rstrip("/")
