"""Owns a month of scheduled runs: a host, clones as runners have them, a model, and what each day came to.

What people do on which day stands in `month_people`, what must hold after each in `month_holding`.
"""

from __future__ import annotations

import re
import shutil
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.choosing import Outside, foreseen_model, open_model
from pipeline.config import read_settings
from pipeline.delivering import Errand, deliver, propose_handed_over
from pipeline.errors import WikimillError
from pipeline.report import exit_code
from pipeline.report.ending import code_of
from pipeline.run import consolidate, plan
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.server import Endpoint
from tests.forge.github_double import GitHubDouble
from tests.repositories import Ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.delivering import Way
    from pipeline.proposal.comparing import PageChange
    from pipeline.report import Report
    from pipeline.round.opened import Declines
    from tests.endpoint.exchange import Call
    from tests.forge.github_state import Pull
    from tests.proposing.month_days import Observed

BRANCH = "wikimill/consolidate"
BEGAN = datetime(2026, 2, 1, 22, 0, tzinfo=UTC)
"""The first run; the next ones are a day apart each."""
READS = {"contents": "read", "pull_requests": "read"}
HANDED = ".wikimill/proposal"


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence that a person wrote, and must stand where they wrote it."""

    path: str
    text: str
    where: str
    """`main`, or `proposal` until that is merged."""


@dataclass
class Row:
    """What a day came to."""

    day: int
    did: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    calls: int = 0
    retaken: int = 0
    """Calls of a runner that was in vain."""
    code: int = 0
    number: int = 0
    state: str = ""
    action: str = ""
    pushed: bool = False
    pages: list[PageChange] = field(default_factory=list)
    """What the sessions of the day changed, a page a commit."""
    seconds: float = 0.0

    def count(self, *states: str) -> int:
        return sum(one in states for one in self.states)


@dataclass
class Month:
    """The ground on which a month is played; `today` is counted from 1."""

    place: Path
    double: GitHubDouble
    endpoint: Endpoint | None
    toml: str
    token: str
    reader: str
    days: Sequence[Observed]
    clone: Ground
    today: int = 0
    minutes: int = 0
    """Since the hour at which runs begin."""
    rows: list[Row] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    in_vain: list[Call] = field(default_factory=list)
    """Calls of a runner whose work could not be used, since another was at it at the same time."""
    fresh: bool = True
    """Whether the next run has a clone of its own."""
    notes: dict[str, str] = field(default_factory=dict)
    """What one day has to remember for another."""
    clones: int = 0

    @property
    def row(self) -> Row:
        return self.rows[-1]

    @property
    def pull(self) -> Pull | None:
        return next(iter(self.double.open_pulls()), None)

    @property
    def offline(self) -> bool:
        return self.endpoint is None

    def now(self) -> datetime:
        return BEGAN + timedelta(days=self.today, minutes=self.minutes)

    def outside(self, clone: Ground, token: str) -> Outside:
        environment = {
            **clone.environment,
            "GITHUB_API_URL": self.double.url,
            "GITHUB_SERVER_URL": self.double.web_url,
            "GITHUB_REPOSITORY": self.double.name,
            "GITHUB_TOKEN": token,
            "OPENAI_API_KEY": "none",
            "SOURCE_DATE_EPOCH": str(int(self.now().timestamp())),
        }
        return Outside(environment, self.now, time.monotonic, lambda _: None, lambda: 0.5)

    # What stands on the host

    def files(self, commit: str) -> dict[str, bytes]:
        """Read the wiki at a commit or branch of the host."""
        return self.double.repository.ground.files(commit, "wiki")

    def head(self) -> str:
        """Give the commit that holds everything: that of the open proposal, else of main."""
        return self.pull.head if self.pull else self.double.repository.tip("main")

    def commit(self, branch: str, files: Mapping[str, str], message: str, *, by: str = "Dana") -> str:
        return self.double.repository.commit(branch, {**files}, message, by=by)

    def observe(self, observed: Observed) -> None:
        """Append observations to files on main."""
        repository = self.double.repository
        standing = repository.ground.files("main", "observations")
        files = {
            f"observations/{name}": standing.get(name, b"").decode() + text for name, text in observed.items() if text
        }
        if files:
            self.commit("main", files, f"observations of day {self.today}", by="Noter")

    # The days

    def live(self, did: Sequence[str] = ()) -> Row:
        """Begin a day; people may do something, then observations come."""
        self.today += 1
        self.rows.append(Row(self.today, list(did)))
        return self.row

    def new_clone(self, *options: str) -> Ground:
        self.clones += 1
        # A runner's clone goes when it is done; of a month of them the disk would be full.
        for old in self.place.glob("clone*"):
            if old.name.removeprefix("clone").isdigit() and old != self.clone.root and self._is_old(old):
                shutil.rmtree(old)
        return _clone(self.double, self.place / f"clone{self.clones}", *options)

    def _is_old(self, clone: Path) -> bool:
        return int(clone.name.removeprefix("clone")) < self.clones - 3

    def run(self, *, apart: bool = False) -> Report | None:
        """Run as one job that proposes, or as two, each with a clone and a token of its own."""
        if self.fresh:
            self.clone = self.new_clone()
        before, asked = self.heads(), len(self.calls())
        try:
            report = self.job(self.clone, "prepare" if apart else "propose", self.reader if apart else self.token)
            if apart and report.fault is None:
                report = self.propose(self.clone)
        except WikimillError as fault:
            self.row.code = int(code_of(type(fault)))
            self.row.action = type(fault).__name__
            self.notes["fault"] = f"{fault.where}: {fault.message}"
            report = None
        self.tell(report, before, asked)
        return report

    def tell(self, report: Report | None, before: Mapping[str, str], asked: int) -> None:
        """Note in the day's row what a run came to."""
        row = self.row
        row.calls += len(self.calls()) - asked
        if report is not None:
            self.reports.append(report)
            row.code = int(exit_code(report))
            row.states = [one.state for one in report.sessions]
            row.action = report.proposal.action if report.proposal else ""
            if report.fault is not None:
                row.action = f"{report.fault.kind}"
                self.notes["fault"] = f"{report.fault.where}: {report.fault.message}"
        row.pushed = self.heads() != before
        row.number, row.state = (self.pull.number, "open") if self.pull else (0, "none")

    def heads(self) -> dict[str, str]:
        return {name: tip for name, tip in self.double.repository.branches().items() if name.startswith(BRANCH)}

    def calls(self) -> list[Call]:
        return self.endpoint.calls if self.endpoint else []

    def job(self, clone: Ground, way: Way, token: str) -> Report:
        settings, outside = read_settings(clone.root), self.outside(clone, token)

        def work(there: Settings, *, declined: Declines | None, start: str) -> Report:
            with open_model(settings, clone.root, outside, tell=lambda _: None) as model:
                return consolidate(
                    there,
                    clone.root,
                    clock=self.now,
                    model=model,
                    declined=declined,
                    start=start,
                    environment=outside.environment,
                )

        def foresee(there: Settings, *, start: str, declined: Declines | None = None) -> Report:
            model = foreseen_model(settings, clone.root)
            return plan(
                there,
                clone.root,
                clock=self.now,
                model=model,
                declined=declined,
                start=start,
                environment=outside.environment,
            )

        return deliver(settings, clone.root, outside, Errand(way), work=work, foresee=foresee)

    def propose(self, prepared: Ground) -> Report:
        """Let another job propose what one has prepared, in a clone of its own."""
        other = self.new_clone()
        shutil.copytree(prepared.root / HANDED, other.root / HANDED)
        return propose_handed_over(read_settings(other.root), other.root, self.outside(other, self.token))


@contextmanager
def a_month(place: Path, days: Sequence[Observed], model: str = "openai", *, together: int = 8) -> Iterator[Month]:
    """Set up a repository on a host, without observations, and a model: the offline one, or an endpoint that obeys."""
    with ExitStack() as stack:
        endpoint = stack.enter_context(Endpoint(thinking(obedient))) if model == "openai" else None
        toml = (
            f'[model]\nprovider = "openai"\nname = "small"\nbase_url = "{endpoint.url}"\nretries = 1\n'
            f"sessions_per_request = {together}\n"
            if endpoint
            else ""
        )
        month: list[Month] = []
        double = stack.enter_context(GitHubDouble(place / "origin.git", now=lambda: month[0].now() if month else BEGAN))
        double.repository.commit("main", {"wikimill.toml": toml, ".gitignore": ".wikimill/\n"}, "set up")
        clone = _clone(double, place / "clone0")
        month.append(Month(place, double, endpoint, toml, double.token(), double.token(permissions=READS), days, clone))
        yield month[0]


def _clone(double: GitHubDouble, place: Path, *options: str) -> Ground:
    ground = Ground(place, quiet_environment(place.parent / f"{place.name}-home"))
    Ground(place.parent, ground.environment).git("clone", "-q", *options, double.repository.url, str(place))
    ground.git("config", "user.name", "wikimill")
    ground.git("config", "user.email", "wikimill@example.org")
    return ground


def trailers(message: str, name: str) -> list[str]:
    """Read a trailer wherever it stands: a squash folds several messages into one."""
    return [found.rstrip("\r") for found in re.findall(rf"^{name}: (.+)$", message, re.MULTILINE)]
