"""Owns what may be told of a remote's address, and of what a remote says: nothing that lets anybody in; pure."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED = "[REDACTED]"

WORDS_LIMIT = 300
"""Characters of what a remote says that are told."""

_BLANKS = re.compile(r"(\s+)")
_END = re.compile(r"[/?#'\"]")
_QUERY = re.compile(r"\?[^'\"]*")
_SCP = re.compile(r"(?:[^@/\s]*@)?(\[[^\]]+\]|[^:/\s]+):(?!//)")
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)")
_WINDOWS_DRIVE = 1


def without_credentials(text: str) -> str:
    """Take user and password out of the addresses in a text, and what stands behind a `?` in them.

    The user of SSH stays, for it is part of the address and no secret.
    """
    return "".join(_without(word) if "://" in word else word for word in _BLANKS.split(text))


def _without(word: str) -> str:
    before, *parts = word.split("://")
    kept = [before]
    for part in parts:
        user, rest = _users(part)
        shown = f"{user.partition(':')[0]}@" if user and _is_ssh(before) else ""
        kept.append(shown + _QUERY.sub("", rest, count=1))
        before = part
    return "://".join(kept)


def _users(part: str) -> tuple[str, str]:
    """Give what stands before the host, and what follows it, of an address without its scheme."""
    end = found.start() if (found := _END.search(part)) else len(part)
    user, at, host = part[:end].rpartition("@")
    return user, host + part[end:] if at else part


def _is_ssh(before: str) -> bool:
    return before[-len("git+ssh") :].lower().endswith(("ssh", "ssh+git"))


def host_of(address: str) -> str:
    """Name the host of an address; for a folder on this machine, the folder."""
    if found := _HOST.match(address):
        return found.group(1) or without_credentials(address)
    found = _SCP.match(address)
    return found.group(1) if found and len(found.group(1)) > _WINDOWS_DRIVE else address


def is_web(address: str) -> bool:
    """Whether git speaks HTTP with an address."""
    return address.lower().startswith(("http://", "https://"))


def secrets_in(*, header: str = "", addresses: Iterable[str] = ()) -> tuple[str, ...]:
    """Give every text in a header and in addresses that lets somebody in, in each form, the longest first."""
    found = set[str]()
    _, _, value = header.partition(":")
    for part in value.split():
        found.add(part)
        with_user = _decoded(part)
        found |= {with_user, with_user.partition(":")[2]}
    for address in addresses:
        scheme, _, rest = address.partition("://")
        user, colon, password = _users(rest)[0].partition(":")
        secret = password if colon or _is_ssh(scheme) else user
        found |= {secret, unquote(secret)}
    # Shorter ones are words such as `Basic`, or `git` as a user.
    return tuple(sorted((one for one in found if len(one) > len("Bearer")), key=len, reverse=True))


def _decoded(part: str) -> str:
    try:
        return base64.b64decode(part, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def remote_words(text: str, secrets: Iterable[str], limit: int = WORDS_LIMIT) -> str:
    """Bring what a remote says into one line of at most `limit` characters that forges nothing and lets nobody in."""
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return one_line(without_credentials(text), limit)
