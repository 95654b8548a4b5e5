"""Owns how credentials are found in the headers of HTTP, and in the options by which programs pass them on.

Knows the value of a header, not how its name is found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.observations.redaction.secret_values import (
    JUDGED_LENGTH,
    MARKER,
    Found,
    Run,
    is_placeholder,
    is_reference,
    is_wordlike,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEME = re.compile(
    r"(?P<params>Digest|AWS4-HMAC-SHA256|OAuth|Hawk|Signature|HMAC|SharedAccessSignature)[ \t]{1,8}"
    r"(?=[\w-]{1,60}=|\[REDACTED:)"
    r"|(?P<simple>Bearer|Basic|Token|Api-?Key|Bot|SSWS|GenieKey|Negotiate|NTLM|DPoP|Splunk|Key)[ \t]{1,8}(?:token=)?",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(r"[^\s\"'`,;\\<>()\[\]{}|]++")
_REST_OF_LINE = re.compile(r"[^\r\n'\\]*+")
_ALONE = re.compile(r"[ \t]*(?:[\"'`,;)}\]]|\\|\Z|\r|\n)")
_SENTENCE_WORD = re.compile(r"[A-Z]?[a-z]+(?:[-_.,:][a-z]*)*|[A-Z]+")
_PAIR = re.compile(r"[ \t]{0,8}[\w.!#%&*+|~-]{1,100}=\"?(?P<secret>[^\s;,\"'`\\]{4,}+)", re.ASCII)
_USER = re.compile(
    r"(?:(?<=\s)-u|--user|--proxy-user)(?:[ \t]{1,4}|=)[\"']?[^\s:\"'/$]{1,100}:(?P<secret>[^\s\"'`@/\\]{3,})", re.ASCII
)
_CALLERS = ("curl", "wget", "http ", "httpie", "xh ")

_LEAST_WITH_SCHEME, _LEAST_ALONE = 4, 8


class Headers:
    """Reads the values of headers in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._credential = Run(_CREDENTIAL, text)

    def credentials(self, start: int, end: int | None) -> Iterator[Found]:
        """Find what follows `Authorization:`; `end` is where the closing quotes stand, if there are any."""
        text = self._text
        scheme = _SCHEME.match(text, start)
        first = scheme.end() if scheme else start
        last = self._credential.end(first)
        if scheme and scheme["params"]:
            rest = _REST_OF_LINE.match(text, first)
            last = end if end is not None else rest.end() if rest else last
        secret = text[first : min(last, first + JUDGED_LENGTH)]
        if not secret or MARKER.match(secret) or is_placeholder(secret):
            return
        if _is_credential(secret, scheme=scheme is not None, alone=_ALONE.match(text, last) is not None):
            yield Found(first, last, "auth-header")

    def cookies(self, start: int, *, only_first: bool) -> Iterator[Found]:
        """Find the values of cookies; what follows the first is no cookie where the header sets one."""
        position = start
        while pair := _PAIR.match(self._text, position):
            secret = pair["secret"][:JUDGED_LENGTH]
            word = is_wordlike(secret) and len(secret) < _LEAST_ALONE
            if not word and not MARKER.match(secret) and not is_placeholder(secret):
                yield Found(*pair.span("secret"), "cookie")
            position = pair.end()
            if only_first or self._text[position : position + 1] != ";":
                return
            position += 1


def find_users(text: str) -> Iterator[Found]:
    """Find the passwords that stand behind `-u user:`, where a program is called that reads them so."""
    for match in _USER.finditer(text):
        before = text[max(0, match.start() - 300) : match.start()].rpartition("\n")[2]
        value = match["secret"]
        called = any(caller in before for caller in _CALLERS)
        if called and not value.isdigit() and not is_placeholder(value) and not MARKER.match(value):
            yield Found(*match.span("secret"), "basic-auth")


def _is_credential(secret: str, *, scheme: bool, alone: bool) -> bool:
    """Tell a credential from the words of a sentence about one."""
    if is_reference(secret) or (not scheme and is_wordlike(secret)):
        return False
    if _SENTENCE_WORD.fullmatch(secret):
        return scheme and alone and len(secret) >= _LEAST_ALONE and not is_placeholder(secret.strip(".,:"))
    return len(secret) >= (_LEAST_WITH_SCHEME if scheme else _LEAST_ALONE)
