"""Owns whether a value that stands behind a telling name is a secret, or only stands where one could.

Knows the value, the kind of its name and how the two are written; knows no text around them. What is code
(`token=get_token()`), a type (`password: string`), a placeholder (`<token>`, `${TOKEN}`, `your-api-key`), a number,
a path, a version or a word of prose stays.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["password", "secret", "token", "api-key", "aws-secret-key", "azure-key", "key", "basic-auth"]
"""What a name says about its value; `key` is a name that says little."""

MARKER = re.compile(r"\[REDACTED:[a-z][a-z0-9-]{0,39}\]")
"""What stands in the place of a secret; never redacted again."""

JUDGED_LENGTH = 256
"""How much of a value is looked at; what begins as a secret does not end as something else."""

_LEAST_LEFT = 4
_LEAST_BASIC = 8

_WORDS = frozenset(
    """
    a access admin all allowed an and any api apikey args argument as asc auth authenticated authentication
    authorization base64 basic bearer be blank bool boolean boxed but buffer byte bytes by can changed changeme char
    click confirm configured context cookie cookies correct credential credentials cred creds current data default
    defined denied deny desc described description disable disabled does dummy each email empty enabled encrypted
    enter error exists expired expires external fail failed failure false field file flag for forgot foo foobar from
    function generated get github given go granted guid has hash hashed header headers hidden how i id if ignored
    implicit in incorrect inherit input int integer internal invalid is it its jwt key label length list login long
    masked match maybe member message method minimum missing mismatch must my name needed nil no none not nothing
    null number object of off ok on only option optional or otherwise output parameter params pass passed passphrase
    passcode passwd password passwort path payload permission placeholder plain please private prompt protected
    provided public pwd read redacted refresh removed request required reset response result role same scheme secret
    secrets self server session set should show sign so some source standard stdin store stored str string struct
    success test text than that the their them then this title to todo token tokens true type undefined unknown
    unset unused update updated usage use used user username utf8 uuid valid validated value var varchar variable
    verified void was we weak when where which will with without write wrong yes you your
    """.split()  # noqa: SIM905  # a list of words is read and kept in order as words
)
"""Words that stand behind such a name in code, forms and prose, and that nobody means as a secret."""

_EMPTY_WORDS = frozenset(
    """
    any bool boolean bytes changeit changeme char default empty enabled disabled example false filtered hidden int
    integer kennwort masked nil no none null number object off on optional passphrase passwd password passwort
    placeholder pwd redacted removed required str string tbd text todo true undefined unset varchar void yes
    """.split()  # noqa: SIM905  # as above
)
"""Words that nobody means as a password even where one must stand."""

_PLACEHOLDER = re.compile(
    r"[<{$%\[(@#!*]\S{0,3}"  # too short to be more than a mark
    r"|<.*|\{.*|\$[\w{(].*|%\w*%?|%\(\w+\)s|@\w+@|#\{.*|!(?:secret|Ref|GetAtt|Sub)\b.*"
    r"|(.)\1*"
    r"|[xX*.•·#_?=+-]+"
    r"|.*(?:\*{3,}|[xX]{5,}|•{3,}|<[\w -]+>|\$\{|\{\{|%[sdvq](?!\w)).*"
    r"|(?:your|example|sample|dummy|fake|placeholder|insert|replace|enter|change|redacted)(?:[-_ .][A-Za-z]+)*",
    re.IGNORECASE | re.DOTALL,
)
_WORDY_PLACEHOLDER = re.compile(r"(?:my|the|some|an?|any|secret|test)(?:[-_ .][A-Za-z]+)*", re.IGNORECASE)
_HASH_TALK = re.compile(
    r"(?:sha-?\d+|md5|bcrypt|argon2\w*|pbkdf2\w*|scrypt|base64|aes-?\d*|rsa-?\d*|hmac\w*|ed25519|utf-?8|oauth2?(?:\.0)?|"
    r"\d+-(?:bit|byte|char(?:acter)?)s?|http2?|i18n)(?:[-_][A-Za-z]+)*",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"[A-Za-z_$][\w$]{0,40}(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]{0,40})+(?:[(\[].*)?")
_CALL = re.compile(r"[A-Za-z_$][\w$.:]{0,80}[(\[].*")
_SECRET_PART = re.compile(r"(?=.*\d)\S{8,}(?<!Key)(?<!Token)(?<!Secret)(?<!Password)")
"""A part of a dotted name that is more likely a part of a secret."""

_PATH = re.compile(
    r"[a-z0-9_.-]+(?:/[a-z0-9_.-]+)+"  # no capitals: Base64 has some
    r"|(?:[A-Za-z]:|~|\.{1,2})?(?:[/\\][\w@.-]+)+[/\\]?"
    r"|[\w.@-]+(?:/[\w.@-]+)*\.(?:txt|json5?|ya?ml|toml|env|pem|key|crt|cfg|conf|ini|xml|html?|lock|log|md|sh|sql"
    r"|go|py|[jt]sx?|rs|java|kt|rb|php|cs|cpp|[ch])"
)
_ADDRESS = re.compile(
    r"[A-Za-z][\w+.-]{1,20}://.*|(?:arn|env|ssm|vault|file|ref|projects|os\.environ)[:/(].*", re.DOTALL
)
_HOST = re.compile(r"[\w.-]+:\d{1,5}")
_NUMBER = re.compile(r"v?[+-]?\d[\d.,_:-]*(?:[a-zA-Z]{1,3}|%)?")
_NAMES_A_SECRET = re.compile(r"pass(?:word|wd|phrase)|secret|token|key|cred|auth", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_RANDOM = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9+/]{24,}={0,2}")
_TOKEN = re.compile(r"(?=.*[0-9+=~!@#%^*])(?=.*[A-Za-z0-9])[^()\[\]{}\\^|<>?\"'`]+")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}")
_PROSE = re.compile(
    r"\b(?:a|an|and|are|be|by|can|cannot|enter|expired|for|has|have|incorrect|invalid|is|match|must|needs?|no|not|of|or"
    r"|password|please|required|reset|the|to|was|with|your)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Writing:
    """How a value is written behind its name."""

    quoted: bool = False
    strong: bool = False
    """Written as only settings are: `NAME=value` in capitals, or a parameter of an address."""
    code: bool = False
    """Written as an argument or a member is: after a bracket or a comma."""
    last: bool = True
    """Nothing but closing marks follows on the line."""
    loose: bool = False
    """The name is bound to the value by little: an option and its argument, two arguments of a call."""


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """Where in a text a secret stands, what it is, and the text by which it was known, where that is more."""

    start: int
    end: int
    kind: str
    whole: str = ""


class Run:
    """The ends of runs of like characters in one text; asked within a run again, it is not read again."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._pattern = pattern
        self._text = text
        self._start = self._end = 0

    def end(self, position: int) -> int:
        """Give the end of the run that holds `position`; `position` itself where there is none."""
        if not self._start <= position < self._end:
            match = self._pattern.match(self._text, position)
            self._start, self._end = position, match.end() if match else position
        return self._end


def is_secret(kind: Kind, value: str, writing: Writing) -> bool:
    """Tell whether `value` is a secret, given the kind of its name and how the two are written."""
    if kind == "basic-auth":
        return writing.quoted and _is_basic(value)
    if kind == "key" and not _is_plain_key(value, writing):
        return False
    sure = kind == "password" and (writing.quoted or writing.strong) and not writing.loose
    if (
        _is_nothing(value, sure=sure)
        or _ADDRESS.fullmatch(value)
        or (kind != "aws-secret-key" and _PATH.fullmatch(value))
    ):
        return False
    if kind == "key":
        return True
    if any(character.isspace() for character in value):
        phrase = kind == "password" and writing.quoted and not writing.loose and value[0].isalnum()
        return phrase and not _PROSE.search(value)
    return not _HASH_TALK.fullmatch(value) and not is_reference(value) and _is_single(kind, value, writing)


def _is_nothing(value: str, *, sure: bool) -> bool:
    """Tell whether hardly anything is left of a value without what is redacted already, or it is a placeholder."""
    if "[REDACTED:" in value and len(MARKER.sub("", value)) < _LEAST_LEFT:
        return True
    return not value or is_placeholder(value, sure=sure)


def _is_single(kind: Kind, value: str, writing: Writing) -> bool:
    if is_wordlike(value):
        return _is_secret_word(kind, value, writing)
    return _is_password(value, writing) if kind == "password" else _is_token(kind, value, writing)


def is_placeholder(value: str, *, sure: bool = False) -> bool:
    """Tell whether a value stands for one that somebody is to put in; `sure` where no mere word can stand."""
    if value.casefold() in (_EMPTY_WORDS if sure else _WORDS) or _PLACEHOLDER.fullmatch(value):
        return True
    return not sure and _WORDY_PLACEHOLDER.fullmatch(value) is not None


def is_wordlike(value: str) -> bool:
    """Tell whether a value consists of words, joined by `-`, `_` or `.` at most."""
    return all(part.isalpha() for part in re.split(r"[-_.]", value.strip("-_.")))


def is_reference(value: str) -> bool:
    """Tell whether a value is the name of something in a program, or a call of it."""
    if _CALL.fullmatch(value):
        return True
    if not _REFERENCE.fullmatch(value):
        return False
    return not any(map(_SECRET_PART.fullmatch, re.split(r"\.|::|->", re.split(r"[(\[]", value, maxsplit=1)[0])))


def _is_secret_word(kind: Kind, value: str, writing: Writing) -> bool:
    """Letters alone: a secret only where hardly anything else can stand."""
    sure = (writing.quoted or writing.strong) and not writing.loose
    plain = value.isalpha() and value.islower()
    if _NAMES_A_SECRET.search(value) and not (sure and plain):
        return False  # userPassword, api_token: a name of one
    if kind != "password":
        enough = 8 if writing.strong else 32
        return not writing.loose and value.isalpha() and len(value) >= enough
    if sure:
        return len(value) >= 4  # noqa: PLR2004
    return plain and len(value) >= 6 and writing.last and not writing.code and not writing.loose  # noqa: PLR2004


def _is_password(value: str, writing: Writing) -> bool:
    sure = (writing.quoted or writing.strong) and not writing.loose
    if value.isdigit():
        return len(value) >= 4 and (sure or writing.last)  # noqa: PLR2004
    if writing.loose and not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value) and not _HOST.fullmatch(value)):
        return False
    return len(value) >= (4 if sure else 6)


def _is_token(kind: Kind, value: str, writing: Writing) -> bool:
    if _NUMBER.fullmatch(value):
        return False
    sure = writing.quoted or writing.strong
    if not sure and _IDENTIFIER.fullmatch(value) and _NAMES_A_SECRET.search(value) and len(value) < 30:  # noqa: PLR2004
        return False
    if not _TOKEN.fullmatch(value) or _COLOUR.fullmatch(value):
        return False
    if kind in {"aws-secret-key", "azure-key"}:
        return len(value) >= 16  # noqa: PLR2004
    if sure and not writing.loose:
        return len(value) >= 6  # noqa: PLR2004
    return len(value) >= (6 if writing.last and not writing.loose else 8 if writing.last else 16)


def _is_plain_key(value: str, writing: Writing) -> bool:
    if writing.strong and not writing.loose:
        mixed = re.search(r"[A-Za-z]", value) and re.search(r"\d", value)
        return bool(mixed) and len(value) >= 12 and not is_reference(value) and " " not in value  # noqa: PLR2004
    return writing.quoted and not writing.loose and _RANDOM.fullmatch(value) is not None


def _is_basic(value: str) -> bool:
    """`user:password` in Base64, as it stands in files of registries."""
    if len(value) < _LEAST_BASIC:
        return False
    try:
        pair = base64.b64decode(value, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return False
    return ":" in pair and pair.isprintable()
