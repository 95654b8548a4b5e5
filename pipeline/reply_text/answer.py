"""Owns which of the values in a reply is the answer, and its form; knows the names of a draft's keys alone."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import TYPE_CHECKING, Final

from pipeline.errors import InvalidReply, Truncated
from pipeline.reply_text.container import MOST_DEPTH
from pipeline.reply_text.lexemes import whole_characters
from pipeline.reply_text.search import Found, find_containers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.observations.observation import Json

_SURROGATE: Final = re.compile(r"[\ud800-\udfff]|\\u[dD]")
_AGAIN: Final = "Answer with one JSON object and nothing else."


def read_object(text: str) -> dict[str, Json]:
    """Find the JSON object that a model answered.

    Strict JSON is read as such; anything else by a reader that takes what models write around and inside JSON:
    reasoning tags, fences, prose, comments, trailing commas, other quotes, bare keys, Python's literals, raw line
    breaks, unknown escapes (kept with their backslash). Of several objects the one with `updates` or `sessions` is
    the answer, else one with `title` and `body`, else the last; of equals the last. The schema is never the answer.

    A list stands for the one object in it; a list of updates (objects with `kind`) for `{"updates": [...]}`, one of
    sessions (objects with `session` and `updates`) for `{"sessions": [...]}`. An object whose only value is an
    answer, as an object or as its JSON text, is unwrapped once.

    Raises `Truncated` when the text ends inside an object, and `InvalidReply` when there is none or it is broken:
    a key twice, NaN, a quote that is not escaped, nested deeper than 100. Nothing is mended.
    """
    found = _found(text)
    if isinstance(found, str):
        found = _found(found)
    if isinstance(found, str) or not found:
        raise InvalidReply("the reply holds no JSON object.", next_step=_AGAIN)
    return _chosen(found)


class _NotStrict(ValueError):
    """What Python's reader takes and JSON does not, or what only a closer look may decide."""


def _found(text: str) -> Sequence[Found] | str:
    """Give the values of a text, or the string that it consists of."""
    try:
        whole = _strict(text)
    except (ValueError, RecursionError):
        return find_containers(text)
    if isinstance(whole, (dict, list)):
        return (Found(whole),)
    return whole if isinstance(whole, str) else ()


def _strict(text: str) -> Json:
    whole: Json = json.loads(
        text.strip("\ufeff \t\r\n"), object_pairs_hook=_once, parse_constant=_constant, parse_float=_finite
    )
    if text.count("{") + text.count("[") > MOST_DEPTH and _is_deep(whole):
        raise _NotStrict
    if not _SURROGATE.search(text):
        return whole
    if not isinstance(whole, str) and _holds_lone_surrogate(whole):
        raise _NotStrict
    return whole_characters(whole) if isinstance(whole, str) else whole


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _NotStrict
    return value


def _constant(_: str) -> Json:
    raise _NotStrict


def _finite(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise _NotStrict
    return value


def _is_deep(value: Json) -> bool:
    return sum(1 for level in _levels(value) if any(isinstance(one, (dict, list)) for one in level)) > MOST_DEPTH


def _holds_lone_surrogate(value: Json) -> bool:
    for level in _levels(value):
        texts = [one for one in level if isinstance(one, str)]
        texts += [key for one in level if isinstance(one, dict) for key in one]
        if any(text != whole_characters(text) for text in texts):
            return True
    return False


def _levels(value: Json) -> Iterator[list[Json]]:
    """Give what stands at each depth, without recursion."""
    level = [value]
    while level:
        yield level
        inside: list[Json] = []
        for one in level:
            if isinstance(one, (dict, list)):
                inside += one.values() if isinstance(one, dict) else one
        level = inside


def _chosen(found: Sequence[Found]) -> dict[str, Json]:
    best: tuple[int, dict[str, Json] | str] = (-1, "the reply repeats the schema and holds no answer")
    for one in found:
        value = None if one.fault else _as_object(one.value)
        if value is not None and _is_schema(value):
            continue
        if value is not None and not (one.after_broken and _may_be_piece(value)):
            best = max((_rank(value), value), best, key=lambda pair: pair[0])
        elif one.fault:
            names = one.value if isinstance(one.value, dict) else {}
            best = max((_rank(names), one.fault), best, key=lambda pair: pair[0])
        elif best[0] < 0:
            best = (-1, "the reply is a list of what is no update")
    if isinstance(best[1], str):
        raise InvalidReply(f"{best[1]}.", next_step=_AGAIN)
    return best[1]


def _as_object(value: dict[str, Json] | list[Json]) -> dict[str, Json] | None:
    """Give the object that a value stands for, unwrapped; `None` for a list that stands for none."""
    if isinstance(value, dict):
        return _unwrapped(value)
    batch = _batch(value)
    if batch is None and len(value) == 1 and isinstance(value[0], dict):
        return _unwrapped(value[0])
    return batch


def _batch(value: list[Json]) -> dict[str, Json] | None:
    """Give the batch that a list of updates or of sessions is the only filled part of."""
    objects = [one for one in value if isinstance(one, dict)]
    if not objects or len(objects) < len(value):
        return None
    if all("kind" in one for one in objects):
        return {"updates": value}
    return {"sessions": value} if all("session" in one and "updates" in one for one in objects) else None


def _unwrapped(value: dict[str, Json]) -> dict[str, Json]:
    if len(value) > 1 or _rank(value):
        return value
    for inner in value.values():
        held = _read_again(inner) if isinstance(inner, str) else _batch(inner) if isinstance(inner, list) else inner
        if isinstance(held, dict) and (_rank(held) or _is_schema(held)):
            return held
    return value


def _read_again(text: str) -> dict[str, Json] | None:
    try:
        found = _found(text)
    except (InvalidReply, Truncated):
        return None
    if isinstance(found, str) or len(found) != 1 or found[0].fault:
        return None
    return found[0].value if isinstance(found[0].value, dict) else _batch(found[0].value)


def _is_schema(value: dict[str, Json]) -> bool:
    """Whether an object is the schema of a reply, perhaps as requests carry it, and not a reply."""
    inner = value.get("schema", value.get("json_schema"))
    if isinstance(inner, dict) and not _rank(value):
        return _is_schema(inner)
    properties = value.get("properties")
    if value.get("type") != "object" or not isinstance(properties, dict):
        return False
    return all(isinstance(one, dict) for one in properties.values())


def _rank(value: dict[str, Json]) -> int:
    """Say how well an object fits: 3 for a filled batch, 2 for an empty one, 1 for a page, 0 for anything else."""
    if value.get("updates") or value.get("sessions"):
        return 3
    if "updates" in value or "sessions" in value:
        return 2
    return int("title" in value and "body" in value)


def _may_be_piece(value: dict[str, Json]) -> bool:
    """Whether an object may have been a part of a longer answer."""
    if "sessions" in value:
        return False
    if "updates" in value:
        return "session" in value
    return not _rank(value) or "path" in value or "kind" in value
