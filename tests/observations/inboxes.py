"""Owns what tests of the inbox share: lines to write, a ledger to read against, and a run that remembers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.config import RedactionSettings
from pipeline.observations.consumed import Aside, Consumed, FileMark, KnownObservation
from pipeline.observations.inbox import read_news
from pipeline.observations.redaction.redact import make_redactor

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.observations.inbox import News
    from pipeline.observations.observation import Json, Observation, SessionKey
    from pipeline.report import Intake

REDACTOR = make_redactor(RedactionSettings())


def line(number: int, session: str = "s1", **fields: Json) -> bytes:
    """Give one observation with its line break, at minute `number`."""
    plain: dict[str, Json] = {"ts": 1767600000 + 60 * number, "session_id": session, "body": f"text {number}", **fields}
    return json.dumps(plain).encode() + b"\n"


@dataclass(slots=True)
class Inbox:
    """A folder of observations, and a ledger that remembers what runs have consumed."""

    root: Path
    marks: dict[str, FileMark] = field(default_factory=dict)
    known: list[KnownObservation] = field(default_factory=list)
    sessions: dict[SessionKey, dict[str, KnownObservation]] = field(default_factory=dict)
    aside: list[Aside] = field(default_factory=list)
    asked: int = 0

    @property
    def folder(self) -> Path:
        return self.root / "observations"

    @property
    def spool(self) -> Path:
        return self.root / "spool.db"

    def write(self, file: str, *raw: bytes) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(raw))

    def append(self, file: str, *raw: bytes) -> None:
        with (self.folder / file).open("ab") as stream:
            stream.write(b"".join(raw))

    def read(self, *, strict: bool = False, again: frozenset[SessionKey] = frozenset(), project: str = "acme") -> News:
        def known() -> list[KnownObservation]:
            self.asked += 1
            return self.known

        ledger = Consumed(dict(self.marks), known, again, lambda key: self.sessions.get(key, {}).values())
        return read_news(
            self.folder, ledger, redactor=REDACTOR, default_project=project, spool=self.spool, strict=strict
        )

    def consume(
        self,
        *,
        failing: frozenset[str] = frozenset(),
        again: frozenset[SessionKey] = frozenset(),
        project: str = "acme",
    ) -> tuple[list[Observation], Intake]:
        """Make one run: consolidate each session except those that fail, and remember the rest."""
        with self.read(again=again, project=project) as news:
            seen: list[Observation] = []
            for pending in news.sessions():
                observations = news.observations(pending.key)
                assert len(observations) == pending.observations_count
                assert observations[0].ts == pending.first_ts
                assert pending.again == (pending.key in again)
                seen += observations
                if pending.key.session_id not in failing:
                    news.settle(pending.key)
                    known = self.sessions.setdefault(pending.key, {})
                    assert again or known.keys().isdisjoint(one.id for one in observations)
                    known |= {one.id: KnownObservation(one.id, one.digest, one.place) for one in observations}
            self.known = [one for known in self.sessions.values() for one in known.values()]
            self.marks.update(news.marks())
            self.aside += news.aside()
            return seen, news.intake
