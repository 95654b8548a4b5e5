"""Owns redaction: what is a secret becomes `[REDACTED:kind]`, before anything is cut, sent, written or told.

Three passes over a text: shapes that are known anywhere (`secret_patterns`), values behind a telling name
(`named_secrets`), and what the settings add. Scrubbing twice changes nothing. The time grows with the length of
the text alone, except for patterns of the settings: those run under a limit, and one that exceeds it is an error.
"""

from __future__ import annotations

import bisect
import hashlib
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import regex

from pipeline.errors import ConfigError
from pipeline.observations.observation import SessionKey
from pipeline.observations.redaction.headers import find_users
from pipeline.observations.redaction.named_secrets import HINTS, find_behind, find_named
from pipeline.observations.redaction.secret_patterns import SecretPattern, patterns_for
from pipeline.observations.redaction.secret_values import MARKER, Found, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.config import RedactionSettings
    from pipeline.observations.observation import Json, Observation

PATIENCE_SECONDS = 5.0
"""How long one pattern of the settings may run over one text of a million characters, or a shorter one."""

_MILLION = 1_000_000
_SHORT = 200
_MOST_PASSES = 20
_JUDGED = frozenset({"url-password", "password"})
"""Shapes that tell where a secret stands and not what it looks like: a placeholder may stand there too."""


class Scrubbed(NamedTuple):
    """A text without its secrets, and how many of each kind it held."""

    text: str
    counts: Mapping[str, int]


def make_redactor(settings: RedactionSettings) -> Redactor:
    """Build the redactor that these settings ask for; a pattern that cannot be used is a `ConfigError`."""
    return Redactor(
        tuple((extra.kind, _compile(extra.pattern)) for extra in settings.patterns),
        tuple(_compile(pattern) for pattern in settings.allow),
    )


class Redactor:
    """Takes secrets out of texts and observations."""

    def __init__(
        self, extra: tuple[tuple[str, regex.Pattern[str]], ...] = (), allow: tuple[regex.Pattern[str], ...] = ()
    ) -> None:
        self._extra = extra
        self._allow = allow
        # Authors, branches, folders, names of fields: short texts come again and again.
        self._remember = lru_cache(maxsize=4096)(self._scrub)

    def scrub(self, text: str) -> Scrubbed:
        """Replace every secret in a text."""
        return self._remember(text) if len(text) <= _SHORT else self._scrub(text)

    def _scrub(self, text: str) -> Scrubbed:
        counts: Counter[str] = Counter()
        # What stood beside a secret may be one that only now stands by itself.
        for _ in range(_MOST_PASSES):
            text, found = self._pass(text)
            if not found:
                break
            counts.update(found)
        return Scrubbed(text, dict(counts))

    def _pass(self, text: str) -> tuple[str, Counter[str]]:
        counts: Counter[str] = Counter()
        for pattern in patterns_for(text):
            text = self._replace(text, _find_shapes(pattern, text), counts)
        lowered = text.lower()
        if any(hint in lowered for hint in HINTS):
            text = self._replace(text, find_named(text), counts)
            text = self._replace(text, find_users(text), counts)
        for kind, expression in self._extra:
            text = self._replace(text, _find_extra(kind, expression, text), counts)
        return text, counts

    def finds(self, text: str) -> tuple[str, ...]:
        """Tell the kinds of secrets that a text holds, sorted."""
        return tuple(sorted(self.scrub(text).counts))

    def safe_id(self, own_id: str) -> str:
        """Give an id as it is, or its digest where it holds a secret: two ids stay two."""
        if not self.scrub(own_id).counts:
            return own_id
        return hashlib.blake2b(own_id.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()

    def scrub_observation(self, observation: Observation) -> tuple[Observation, Mapping[str, int]]:
        """Replace every secret in an observation, in all that it says and in all that was kept of its line."""
        counts: Counter[str] = Counter()

        def clean(text: str) -> str:
            return self._count(text, counts)

        session = observation.session
        scrubbed = replace(
            observation,
            id=self.safe_id(observation.id),
            session=SessionKey(clean(session.workspace), clean(session.project), clean(session.session_id)),
            agent_kind=clean(observation.agent_kind),
            author=clean(observation.author),
            kind=clean(observation.kind),
            title=clean(observation.title),
            body=clean(observation.body),
            tags=tuple(map(clean, observation.tags)),
            files=tuple(map(clean, observation.files)),
            extra=self._scrub_object(observation.extra, counts),
        )
        return scrubbed, dict(counts)

    def _count(self, text: str, counts: Counter[str]) -> str:
        scrubbed = self.scrub(text)
        counts.update(scrubbed.counts)
        return scrubbed.text

    def _scrub_json(self, value: Json, counts: Counter[str]) -> Json:
        if isinstance(value, str):
            return self._count(value, counts)
        if isinstance(value, dict):
            return self._scrub_object(value, counts)
        if isinstance(value, list):
            return [
                self._scrub_json(self._scrub_behind(name, item, counts), counts) for name, item in _arguments(value)
            ]
        return value

    def _scrub_object(self, members: Mapping[str, Json], counts: Counter[str]) -> dict[str, Json]:
        # {"name": "API_KEY", "value": "..."}: the name stands beside the value.
        beside = next((name for key in ("name", "key") if isinstance(name := members.get(key), str)), "")
        cleaned: dict[str, Json] = {}
        for key, value in members.items():
            known = self._scrub_behind(beside if key == "value" and beside else key, value, counts)
            cleaned[self._count(key, counts)] = self._scrub_json(known, counts)
        return cleaned

    def _scrub_behind(self, name: str, value: Json, counts: Counter[str]) -> Json:
        if not name or not isinstance(value, str):
            return value
        return self._replace(value, find_behind(name, value), counts)

    def _replace(self, text: str, found: Iterable[Found], counts: Counter[str]) -> str:
        parts: list[str] = []
        reached = 0
        for secret in found:
            if secret.start < reached or self._is_allowed((text[secret.start : secret.end], secret.whole)):
                continue
            parts += (text[reached : secret.start], f"[REDACTED:{secret.kind}]")
            reached = secret.end
            counts[secret.kind] += 1
        return "".join((*parts, text[reached:])) if parts else text

    def _is_allowed(self, texts: Iterable[str]) -> bool:
        return any(_matches_whole(allowed, text) for allowed in self._allow for text in texts)


def _find_shapes(pattern: SecretPattern, text: str) -> Iterator[Found]:
    group = "secret" if "secret" in pattern.regex.groupindex else 0
    for match in pattern.matches(text):
        secret = match[group]
        judged = pattern.kind in _JUDGED and is_placeholder(secret, sure=True)
        if not judged and not MARKER.fullmatch(secret):
            yield Found(*match.span(group), pattern.kind, whole=match[0])


def _find_extra(kind: str, expression: regex.Pattern[str], text: str) -> list[Found]:
    """Find what a pattern of the settings matches; a marker is redacted with what stands around it, never alone."""
    markers = [marker.span() for marker in MARKER.finditer(text)]
    found = []
    try:
        for match in expression.finditer(text, timeout=_limit(text)):
            start, end = match.span()
            first = bisect.bisect_right(markers, start, key=itemgetter(1))
            touched = markers[first : bisect.bisect_left(markers, end, first, key=itemgetter(0))]
            if start < end and not any(left <= start and end <= right for left, right in touched[:1]):
                start, end = (
                    min(start, *touched[0][:1]) if touched else start,
                    max(end, *touched[-1][1:]) if touched else end,
                )
                found.append(Found(start, end, kind, whole=match[0]))
    except TimeoutError:
        raise _too_slow(expression.pattern) from None
    return found


def _arguments(items: list[Json]) -> Iterator[tuple[str, Json]]:
    """Give each item of a list with the option before it: `["--password", "..."]`."""
    before: Json = None
    for item in items:
        option = isinstance(before, str) and before.startswith("-")
        yield (before.lstrip("-") if option and isinstance(before, str) else ""), item
        before = item


def _matches_whole(expression: regex.Pattern[str], text: str) -> bool:
    try:
        return expression.fullmatch(text, timeout=_limit(text)) is not None
    except TimeoutError:
        raise _too_slow(expression.pattern) from None


def _limit(text: str) -> float:
    return PATIENCE_SECONDS * max(1.0, len(text) / _MILLION)


def _compile(pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern)
    except regex.error as fault:
        raise ConfigError(
            f"the redaction pattern {pattern!r} is not a regular expression: {fault}.", where="wikimill.toml"
        ) from None


def _too_slow(pattern: str) -> ConfigError:
    return ConfigError(
        f"the redaction pattern {pattern!r} takes too long on an observation.",
        where="wikimill.toml",
        next_step="Avoid repeats within repeats, such as (a+)+, and limit each repeat: {1,80} instead of +.",
    )
