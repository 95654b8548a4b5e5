"""Owns what the ledger keeps of one session, and its file: a line about the session, then one an observation.

It knows no disk and no other ledger file. Where a merge left two lines about the session, the more careful one
counts; a broken line costs itself, and what stands below it is known all the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, get_args

from pipeline.observations.consumed import KnownObservation
from pipeline.observations.observation import Place, SessionKey
from pipeline.wiki.ledger.lines import Line, Trouble, read_lines, render_lines
from pipeline.wiki.slugs import slugify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.observations.observation import Json

REASON_LIMIT = 500
"""Characters of a failure's reason that the ledger keeps."""

State = Literal["parked", "done", "failing"]
STATES: tuple[State, ...] = get_args(State)
"""The most careful one first: a parked session may have passed over lines, and must not be taken for done."""


@dataclass(frozen=True, slots=True, order=True)
class Attempt:
    """One run that failed on a session: when, and why."""

    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """What is known of one session.

    `observations` are those that its pages hold, `attempts` the failures since the last success, `waiting` the
    observation files that hold lines of it which it passed over when it was parked. What is `provisional` was
    consolidated by a model that stood in for the one that was asked for, and is to be taken again.
    """

    key: SessionKey
    state: State
    fingerprint: str = ""
    prompt: str = ""
    model: str = ""
    page: str = ""
    attempts: tuple[Attempt, ...] = ()
    waiting: tuple[str, ...] = ()
    observations: tuple[KnownObservation, ...] = ()
    provisional: bool = False


@dataclass(slots=True)
class ParsedRecord:
    """The lines of one file, as they stand."""

    heads: list[SessionRecord] = field(default_factory=list)
    known: dict[tuple[str, str], KnownObservation] = field(default_factory=dict)

    @property
    def observations(self) -> tuple[KnownObservation, ...]:
        """Every observation of the file, also below a broken first line."""
        return tuple(self.known.values())

    def record(self, key: SessionKey) -> SessionRecord | None:
        """Make one record of all lines about a session."""
        heads = [head for head in self.heads if head.key == key]
        if not heads:
            return None
        best = min(heads, key=lambda head: (STATES.index(head.state), head.fingerprint))
        # Two attempts of one head may well be alike; of two heads, what both know is one attempt.
        attempts: Counter[Attempt] = Counter()
        for head in heads:
            if head.state == best.state:
                attempts |= Counter(head.attempts)
        return replace(
            best,
            attempts=tuple(sorted(attempts.elements())),
            waiting=tuple(sorted({file for head in heads for file in head.waiting})),
            observations=self.observations,
            provisional=any(head.provisional for head in heads),
        )


def fingerprint(ids: Iterable[str], prompt: str, model: str) -> str:
    """Digest what a session was consolidated from: observation ids in any order, prompt version, model."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (*sorted(ids), prompt, model):
        # The length goes first, so that no two lists of texts read the same.
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


def record_name(key: SessionKey) -> str:
    """Name the file of a session's record, `<project>/<session>-<hash>.jsonl`; the hash tells equal slugs apart."""
    whole = f"{key.workspace}\0{key.project}\0{key.session_id}".encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(whole, digest_size=4).hexdigest()
    return f"{slugify(key.project)}/{slugify(key.session_id)}-{digest}.jsonl"


def render_record(record: SessionRecord) -> bytes:
    """Write a record: the session first, then its observations by place."""
    head: dict[str, Json] = {
        "workspace": record.key.workspace,
        "project": record.key.project,
        "session_id": record.key.session_id,
        "state": record.state,
        "fingerprint": record.fingerprint,
        "prompt": record.prompt,
        "model": record.model,
        "page": record.page,
        "attempts": [{"at": _render_time(one.at), "reason": one.reason} for one in record.attempts],
        "waiting": list(record.waiting),
    }
    if record.provisional:
        head["provisional"] = True
    ordered = sorted(record.observations, key=lambda one: (one.place, one.id, one.digest))
    rest: list[dict[str, Json]] = [
        {"id": one.id, "digest": one.digest, "file": one.place.file, "line": one.place.line} for one in ordered
    ]
    return render_lines([head, *rest])


def parse_record(raw: bytes, trouble: Trouble) -> ParsedRecord:
    """Read the lines of one record; what cannot be read becomes a finding."""
    found = ParsedRecord()
    for line in read_lines(raw, trouble):
        try:
            if "session_id" in line.values:
                head = _parse_head(line)
                if any(other.key == head.key for other in found.heads):
                    trouble.double(line.number, "this session")
                found.heads.append(head)
            else:
                place = Place(line.text("file"), line.count("line"))
                one = KnownObservation(line.text("id"), line.text("digest"), place)
                found.known.setdefault((one.id, one.digest), one)
        except ValueError as fault:
            trouble.broken(line.number, str(fault))
    return found


def short_reason(text: str) -> str:
    """Bring a failure's reason to one line of bounded length."""
    return " ".join(text.split())[:REASON_LIMIT]


def _render_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _parse_head(line: Line) -> SessionRecord:
    state = line.text("state")
    known = next((one for one in STATES if one == state), None)
    if known is None:
        message = f"'state' must be one of {', '.join(sorted(STATES))}"
        raise ValueError(message)
    return SessionRecord(
        key=SessionKey(line.text("workspace"), line.text("project"), line.text("session_id")),
        state=known,
        fingerprint=line.text("fingerprint", ""),
        prompt=line.text("prompt", ""),
        model=line.text("model", ""),
        page=line.text("page", ""),
        attempts=tuple(_parse_attempt(item) for item in line.items("attempts")),
        waiting=tuple(item for item in line.items("waiting") if isinstance(item, str)),
        provisional=line.flag("provisional"),
    )


def _parse_attempt(item: Json) -> Attempt:
    at = item.get("at") if isinstance(item, dict) else None
    reason = item.get("reason", "") if isinstance(item, dict) else None
    if not isinstance(at, str) or not isinstance(reason, str):
        message = "an attempt needs a time and a reason"
        raise ValueError(message)  # noqa: TRY004  # one kind of mistake for whoever reads a line
    time = datetime.fromisoformat(at)
    return Attempt(time if time.tzinfo else time.replace(tzinfo=UTC), reason)
