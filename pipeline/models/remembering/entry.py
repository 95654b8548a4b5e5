"""Owns the form of one kept reply, as bytes; knows no file, and not why it is kept.

A kept reply is a JSON object in UTF-8: `format` (1), `key` (what was asked, see `prompt.fingerprint`), `model` (a name
for people), `reply`, `ending`, `usage`. In the cache it stands in one line, with a `check` over all the rest, so that
no damage is believed; as a recording it stands over many lines, may be edited, and says more for people.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, get_args

from pipeline.models.model import Ending, Reply
from pipeline.spending import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.observations.observation import Json

MOST_BYTES: Final = 16_000_000
"""Of one kept reply; a larger one is neither written nor read."""

_FORMAT: Final = 1
_ENDINGS: Final[tuple[Ending, ...]] = get_args(Ending)
_UNSEEN: Final = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""What no UTF-8 can hold, and what an editor would not show or would take for the end of a line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reply, what it answers, and who gave it."""

    key: str
    model: str
    reply: Reply


def clean(reply: Reply, scrub: Callable[[str], str]) -> Reply:
    """Give a reply as it will come back from memory: without secrets, with two halves of a character made one."""
    text = scrub(_joined(reply.text))
    return reply if text == reply.text else replace(reply, text=_joined(text))


def render_cached(entry: Entry) -> bytes:
    """Write a reply for the cache, in one line."""
    told = _told(entry)
    return _rendered({**told, "check": _check(told)})


def parse_cached(raw: bytes, key: str) -> Entry:
    """Read what `render_cached` wrote for a key; anything else, changed by a single bit, is a `ValueError`."""
    told = _object(raw)
    check = told.pop("check", None)
    if check != _check(told) or told.get("key") != key:
        raise ValueError("it is not what was written")
    return _entry(told)


def render_recording(entry: Entry, about: Mapping[str, Json]) -> bytes:
    """Write a reply as a recording: sorted keys, one a line, LF; `about` says for people what was asked."""
    return _rendered({**about, **_told(entry)}, indent=1)


def parse_recording(raw: bytes) -> Entry:
    """Read a recording; what is none is a `ValueError` that says why."""
    return _entry(_object(raw))


def _told(entry: Entry) -> dict[str, Json]:
    reply = entry.reply
    return {
        "format": _FORMAT,
        "key": entry.key,
        "model": entry.model,
        "reply": reply.text,
        "ending": reply.ending,
        "usage": {"input_tokens": reply.usage.input_tokens, "output_tokens": reply.usage.output_tokens},
    }


def _rendered(told: dict[str, Json], *, indent: int | None = None) -> bytes:
    separators = (",", ":") if indent is None else None
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, indent=indent, separators=separators)
    # All of these can only stand within strings of JSON, where each may be written as an escape.
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode() + b"\n"


def _check(told: dict[str, Json]) -> str:
    return blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=10).hexdigest()


def _object(raw: bytes) -> dict[str, Json]:
    try:
        told: Json = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(told, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004  # one kind of mistake for whoever reads
    return told


def _entry(told: dict[str, Json]) -> Entry:
    if told.get("format") is True or told.get("format") != _FORMAT:
        raise ValueError("it is of another format")
    key, model, text, ending = (told.get(name) for name in ("key", "model", "reply", "ending"))
    known = next((one for one in _ENDINGS if one == ending), None)
    if not isinstance(key, str) or not isinstance(model, str) or not isinstance(text, str) or known is None:
        raise ValueError("'key', 'model', 'reply' or 'ending' is missing or wrong")
    usage = told.get("usage")
    if not isinstance(usage, dict):
        raise ValueError("'usage' is missing or wrong")  # noqa: TRY004  # as above
    return Entry(key, model, Reply(text, Usage(_count(usage, "input_tokens"), _count(usage, "output_tokens")), known))


def _count(usage: dict[str, Json], name: str) -> int:
    count = usage.get(name, 0)
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ValueError(f"'usage.{name}' is no count")
    return count


def _joined(text: str) -> str:
    """Make one character of two surrogates that stand side by side, as JSON does; a lone one stays."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text
