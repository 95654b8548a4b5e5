"""Owns how a secret is found by the name that it stands behind: assignments, options, headers, keys of JSON.

Knows no shape of a secret; whether a value is one is judged by `secret_values`. A name is found first, then the
value is read from where the name ends, once, so that the time grows with the length of the text alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.observations.redaction.headers import Headers
from pipeline.observations.redaction.secret_values import JUDGED_LENGTH, MARKER, Found, Kind, Run, Writing, is_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

HINTS = ("pass", "pwd", "secret", "token", "key", "auth", "cookie", "kennwort", "--user", "-u ")
"""A text, in small letters, that has none of these has no secret behind a name."""

_CORE = re.compile("pass|pwd|kennwort|secret|token|key|auth|cookie")
"""What every name has in it; looked for in a text in small letters, so that the search is fast."""

_ANY_CORE = re.compile(_CORE.pattern, re.IGNORECASE)
_WORDS = (
    r"(?P<password>pass(?:word|wd|phrase|code|wort)|kennwort|pwd|(?<=[_-])pass)"
    r"|(?P<secret>secret)|(?P<token>token)|(?P<key>key(?:[_-]?base)?)"
    r"|(?P<header>authorization)|(?P<cookie>cookie)|(?P<basic_auth>auth)"
)
_SUFFIX = r"(?:[_-]?(?:production|prod|dev|staging|test|live|value|old|new|\d{1,2}))?"
_NAME = re.compile(
    rf"(?:{_WORDS}){_SUFFIX}"
    r"(?P<close>\\{0,8}[\"'`]\]?|\]|\*\*|__)?"
    r"(?:"
    r"[ \t]{0,16}(?P<sign>:=|\??:(?![:/=])|=>|=(?![=~>]))(?:\*\*|__)?[ \t]{0,16}"
    r"|(?P<tag>>)(?=[^<\s]{4,512}</)"
    r"|(?P<call>\(|[ \t]{0,4},)[ \t]{0,4}(?=\\{0,8}[\"'`])"
    r"|(?P<told>[ \t]{1,4}(?:is|was):?[ \t]{1,4})"
    r"(?=[\"'`]|(?=[^\s\d]{0,60}\d)(?=[^\sA-Za-z]{0,60}[A-Za-z])[\w!@#$%^&*]{6})"
    r"|(?P<gap>[ \t]{1,16})(?=[^\s=:-])"
    r")",
    re.IGNORECASE | re.ASCII,
)
_OF_AN_API = (
    "api", "access", "secret", "private", "auth", "encryption", "encrypt", "decryption", "signing", "sign",
    "master", "deploy", "ssh", "service", "storage", "app", "application", "admin", "subscription", "license",
    "function", "consumer", "hmac", "webhook", "jwt", "crypto", "integration", "write", "ingest", "bot", "server",
    "client", "session", "cookie", "shared",
)  # fmt: skip
_OWNERS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("aws-secret-key", ("secret_access", "secret-access", "secretaccess")),
    ("azure-key", ("account", "shared_access", "shared-access", "sharedaccess")),
    ("api-key", _OF_AN_API),
)
"""What a key is, by the word before it; any other key may be one of a table."""

_OF_A_TABLE = (
    "public",
    "primary",
    "foreign",
    "partition",
    "sort",
    "cache",
    "hash",
    "row",
    "index",
    "idempotency",
    "group",
)
_OF_A_PAGE = ("next", "page", "starting", "continuation", "pagination", "lock", "change", "cancellation", "publickey")

_KEY = re.compile(rf"[\w.\- /]{{0,100}}?(?:{_WORDS}){_SUFFIX}(?P<sign>)", re.IGNORECASE | re.ASCII)
_GROUPS: tuple[tuple[Kind, str], ...] = (
    ("password", "password"),
    ("secret", "secret"),
    ("token", "token"),
    ("basic-auth", "basic_auth"),
)
_ANNOTATION = re.compile(r"[A-Za-z_][\w.\[\]|<>?]{0,40}[ \t]{0,4}=[ \t]{0,4}(?=[\"'`])", re.ASCII)
"""A type between a name and its value: `password: str = "..."`."""

_OPEN = re.compile(r"(?:[bBrRfFuUL]{1,2}(?=[\"']))?(?P<slashes>\\{0,8})(?P<quote>[\"'`])")
_PLAIN_BODY = {mark: re.compile(rf"(?:\\.|[^{mark}\\\n])*+") for mark in "\"'`"}
_ESCAPED_BODY = {mark: re.compile(rf"[^{mark}\n]*+") for mark in "\"'`"}
_BARE = re.compile(r"(?:[^\s\"'`,;&|<>(){}\[\]\\]|&(?!&|amp;|[\w.%-]{1,60}=|\s|\Z))++")
_SETTING = re.compile(r"[^\s\"'`\\]++")
_TRAILING = re.compile(r"[.,:*?_]*\Z")
_CLOSES = re.compile(r"[ \t]*(?:[\"'`,;&)}\]|*<]|\\|//|#|\Z|\r|\n)")

_NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")
_LONGEST_NAME = 60
_QUOTES = ('"', "'", "`")
_BEHIND_A_QUOTE = frozenset(" \t,.;:)]}+\n\r")
"""What follows closing quotes, and hardly ever opening ones."""


def find_named(text: str) -> Iterator[Found]:
    """Find the secrets that stand behind a name, in their order, none within another."""
    reached = 0
    lowered = text.lower()
    # Few letters have a small form of another length; where one stands, the search is slower.
    cores = _CORE.finditer(lowered) if len(lowered) == len(text) else _ANY_CORE.finditer(text)
    reader = _Reader(text)
    for core in cores:
        name = _NAME.match(text, core.start()) if core.start() >= reached else None
        for found in reader.read(name) if name else ():
            yield found
            reached = found.end


def find_behind(key: str, value: str) -> tuple[Found, ...]:
    """Find the secrets in `value`, which stands behind `key` in an object."""
    name = _KEY.fullmatch(key)
    if not name:
        return ()
    if name["header"] is not None:
        return tuple(Headers(value).credentials(0, len(value)))
    if name["cookie"] is not None:
        return tuple(Headers(value).cookies(0, only_first=_sets_cookie(name)))
    if _is_harmless(name, 0):
        return ()
    kind = _kind_of(name)
    return (Found(0, len(value), kind),) if is_secret(kind, value[:JUDGED_LENGTH], Writing(quoted=True)) else ()


@dataclass(frozen=True, slots=True)
class _Value:
    """Where the value behind a name stands, and how the two are written."""

    start: int
    end: int
    writing: Writing


def _kind_of(name: re.Match[str]) -> Kind:
    if name["key"] is not None:
        owner = _owner_of(name, "key")
        return next((kind for kind, owners in _OWNERS if owner.endswith(owners)), "key")
    return next(kind for kind, group in _GROUPS if name[group] is not None)


def _owner_of(name: re.Match[str], group: str) -> str:
    before = name.string[max(0, name.start(group) - 24) : name.start(group)].lower()
    return before[:-1] if before.endswith(("_", "-")) else before


def _is_harmless(name: re.Match[str], start: int) -> bool:
    """Tell a key of a table, a token of a page and the like, and a part of a longer path: `arn:...:secret:name`."""
    if name["key"] is not None and _owner_of(name, "key").endswith(_OF_A_TABLE):
        return True
    if name["token"] is not None and _owner_of(name, "token").endswith(_OF_A_PAGE):
        return True
    return name["sign"] == ":" and name.string[start - 1 : start] == ":"


def _sets_cookie(name: re.Match[str]) -> bool:
    start = name.start("cookie")
    return name.string[max(0, start - 4) : start].lower().startswith("set")


def _start_of(name: re.Match[str]) -> int:
    """Find where the whole name begins, of which the match holds the telling end."""
    text, start = name.string, name.start()
    least = max(0, start - _LONGEST_NAME)
    while start > least and text[start - 1] in _NAME_LETTERS:
        start -= 1
    escaped = text[start - 1 : start] == "\\" and start < name.start() and text[start] in "nrt"
    return start + 1 if escaped else start  # the letter belongs to an escaped line break


class _Reader:
    """Reads the values behind names in one text, no run of characters twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bare = Run(_BARE, text)
        self._setting = Run(_SETTING, text)
        self._headers = Headers(text)

    def read(self, name: re.Match[str]) -> Iterator[Found]:
        """Find the secrets behind one name."""
        if name["header"] is not None or name["cookie"] is not None:
            if not name["sign"] or name.string[name.start() - 1 : name.start()].isalnum():
                return
            quoted = self._quoted(name.end())
            start, end = quoted or (name.end(), None)
            if name["header"] is not None:
                yield from self._headers.credentials(start, end)
            elif name["sign"] == ":":
                yield from self._headers.cookies(start, only_first=_sets_cookie(name))
            return
        start = _start_of(name)
        if (name["gap"] and self._text[start] != "-") or _is_harmless(name, start):
            return
        kind = _kind_of(name)
        value = self._value(kind, name, start)
        if value:
            shown = self._text[value.start : min(value.end, value.start + JUDGED_LENGTH)]
            if is_secret(kind, shown, value.writing):
                yield Found(value.start, value.end, kind)

    def _value(self, kind: Kind, name: re.Match[str], start: int) -> _Value | None:
        """Find the value behind a name, by the sign that stands between them."""
        text, position = self._text, name.end()
        if name["tag"]:
            tagged = text[start - 1 : start] in {"<", ":"}
            return _Value(position, self._bare.end(position), Writing(quoted=True)) if tagged else None
        if name["call"] and name["call"].strip() == "," and not name["close"]:
            return None
        annotation = _ANNOTATION.match(text, position) if name["sign"] and ":" in name["sign"] else None
        quoted = self._quoted(annotation.end() if annotation else position)
        if quoted and not name["close"] and text[quoted[0] : quoted[0] + 1] in _BEHIND_A_QUOTE:
            return None  # these quotes close what holds the name: "password: ", value
        if quoted:
            return _Value(*quoted, Writing(quoted=True, loose=not name["sign"]))
        if kind == "basic-auth" or (kind == "key" and name["sign"] != "="):
            return None  # such a name says too little about a value without quotes
        return self._unquoted(name, start, position)

    def _quoted(self, position: int) -> tuple[int, int] | None:
        opening = _OPEN.match(self._text, position)
        if not opening:
            return None
        bodies = _ESCAPED_BODY if opening["slashes"] else _PLAIN_BODY
        body = bodies[opening["quote"]].match(self._text, opening.end())
        end = body.end() if body else opening.end()
        if opening["slashes"]:
            # The backslashes before the closing mark belong to it.
            while end > opening.end() and self._text[end - 1] == "\\":
                end -= 1
        return opening.end(), end

    def _unquoted(self, name: re.Match[str], start: int, position: int) -> _Value | None:
        text, previous = self._text, self._text[start - 1 : start]
        tight = name["sign"] == "=" and text[position - 1] == "="
        # After `\n` in an escaped text the letter stands before the name.
        opens = not previous or previous.isspace() or previous in {"n", "r", "t", *_QUOTES}
        setting = tight and opens and text[start:position].partition("=")[0].isupper()
        parameter = tight and previous in {"?", "&"}
        run = self._setting if setting and previous not in _QUOTES else self._bare
        last = run.end(position)
        end = last
        if not (setting or parameter):
            tail = _TRAILING.search(text, max(position, last - 4), last)
            end = tail.start() if tail else last
        if end == position or (text[last : last + 1] in {"(", "["} and not MARKER.match(text, last)):
            return None  # nothing, or a call, or an element of something
        told = text[max(0, start - 200) : start].rpartition("\n")[2].rstrip()
        writing = Writing(
            strong=setting or parameter,
            code=told.endswith(("(", ",", "{")),
            last=_CLOSES.match(text, end) is not None or bool(name["gap"]),
            loose=bool(name["gap"]),
        )
        return _Value(position, end, writing)
