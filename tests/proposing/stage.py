"""Owns what the tests of proposals play on: a host with a bare repository, a clone, observations, and runs."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from pipeline.choosing import Outside
from pipeline.config import Settings, parse_settings
from pipeline.delivering import Errand, deliver, propose_handed_over
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.run import consolidate, plan
from tests.forge.github_double import GitHubDouble
from tests.forge.gitlab_double import TOKEN, GitLabDouble
from tests.repositories import Ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.delivering import Way
    from pipeline.models.model import Model
    from pipeline.proposal.proposal import HostName
    from pipeline.report import Report
    from pipeline.round.opened import Declines

BRANCH = "wikimill/consolidate"
BEGAN = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)

OF_HOSTS = ("GITHUB_", "GITLAB_", "GH_", "CI_")
"""How names of variables begin that a CI system sets: none of the one that runs these tests may count."""


def line(session: str, number: int, body: str, **fields: object) -> str:
    """Make a line of observations; `number` tells its minute."""
    at = BEGAN - timedelta(days=1) + timedelta(minutes=number)
    told = {
        "ts": at.isoformat(),
        "session_id": session,
        "project": "acme",
        "author": "dana",
        "kind": "decision",
        "body": body,
    }
    return json.dumps({**told, **fields}) + "\n"


@dataclass
class Stage:
    double: GitHubDouble
    """On GitLab a double of that, of which what has the same name does the same; `lab` gives it as what it is."""
    place: Path
    clone: Ground
    settings: Settings
    token: str
    model: Model = field(default_factory=ExtractiveModel)
    hours: int = 0
    extra: dict[str, str] = field(default_factory=dict)
    host: HostName = "github"
    remote: str = ""
    """What clones are made from; empty: the repository's folder."""

    @property
    def root(self) -> Path:
        return self.clone.root

    @property
    def outside(self) -> Outside:
        kept = {name: value for name, value in self.clone.environment.items() if not name.startswith(OF_HOSTS)}
        environment = {**kept, **(self._on_gitlab() if self.host == "gitlab" else self._on_github()), **self.extra}
        return Outside(environment, self.now, lambda: 0.0, lambda _: None, lambda: 0.0)

    def _on_github(self) -> dict[str, str]:
        return {
            "GITHUB_API_URL": self.double.url,
            "GITHUB_SERVER_URL": self.double.web_url,
            "GITHUB_REPOSITORY": self.double.name,
            "GITHUB_TOKEN": self.token,
        }

    def _on_gitlab(self) -> dict[str, str]:
        return {
            "GITLAB_CI": "true",
            "CI_API_V4_URL": self.lab.url,
            "CI_SERVER_URL": self.lab.web_url,
            "CI_PROJECT_PATH": self.lab.project.path,
            "CI_COMMIT_BRANCH": "main",
            "GITLAB_TOKEN": self.token,
        }

    @property
    def lab(self) -> GitLabDouble:
        """The double as that of GitLab, for what GitLab alone has."""
        return cast("GitLabDouble", self.double)

    def now(self) -> datetime:
        return BEGAN + timedelta(hours=self.hours)

    def observe(self, name: str, *lines: str) -> None:
        """Commit observations to main on the host, as whoever notes them does."""
        path = f"observations/{name}.jsonl"
        before = self.file("main", path) or ""
        self.double.repository.commit("main", {path: before + "".join(lines)}, f"observations: {name}", by="Noter")

    def file(self, branch: str, path: str) -> str | None:
        repository = self.double.repository
        if not repository.tip(branch) or path not in self.files(branch):
            return None
        return repository.git("show", f"{branch}:{path}")

    def files(self, branch: str) -> list[str]:
        rows = self.double.repository.git("ls-tree", "-r", "-z", "--name-only", branch).split("\0")
        return [row for row in rows if row]

    def pages(self, branch: str = BRANCH) -> list[str]:
        """Name the pages on a branch of the host, below the wiki's root, sessions' included."""
        made = [path.removeprefix("wiki/") for path in self.files(branch) if path.startswith("wiki/")]
        return [one for one in made if one.endswith(".md") and not one.endswith(("index.md", "log.md"))]

    def run(self, way: Way = "propose", **options: Any) -> Report:  # noqa: ANN401  # options of a run by name
        """Run as the command does, an hour after the last time."""
        self.hours += 1
        retry = options.pop("retry_declined", False)
        errand = Errand(way, retry_declined=retry, dry_run=options.get("dry_run", False))

        def work(settings: Settings, *, declined: Declines | None, start: str) -> Report:
            return consolidate(
                settings,
                self.root,
                clock=self.now,
                model=self.model,
                declined=declined,
                start=start,
                environment=self.outside.environment,
                **options,
            )

        def foresee(settings: Settings, *, declined: Declines | None, start: str) -> Report:
            return plan(
                settings,
                self.root,
                clock=self.now,
                model=self.model,
                project=options.get("project", ""),
                declined=declined,
                start=start,
                environment=self.outside.environment,
            )

        return deliver(self.settings, self.root, self.outside, errand, work=work, foresee=foresee)

    def propose(self) -> Report:
        return propose_handed_over(self.settings, self.root, self.outside)

    def fresh_clone(self, *options: str) -> None:
        """Go on in a new clone, as a runner of a CI system does."""
        number = len(list(self.place.glob("clone*")))
        self.clone = clone_of(self.double, self.place / f"clone{number}", *options, remote=self.remote)


def clone_of(double: GitHubDouble, place: Path, *options: str, remote: str = "") -> Ground:
    """Clone the repository of a host, by its folder unless `remote` names another address."""
    ground = Ground(place, quiet_environment(place.parent / f"{place.name}-home"))
    Ground(place.parent, ground.environment).git("clone", "-q", *options, remote or double.repository.url, str(place))
    ground.git("config", "user.name", "wikimill")
    ground.git("config", "user.email", "wikimill@example.org")
    return ground


@contextmanager
def on_stage(place: Path, settings: str = "", host: HostName = "github", *, relative: str = "") -> Iterator[Stage]:
    """Set up a repository on a host, with settings and no observation; `relative` is what a GitLab stands below."""
    with _opened(place / "origin.git", host, relative) as double:
        double.repository.commit("main", {"wikimill.toml": settings, ".gitignore": ".wikimill/\n"}, "set up")
        clone = clone_of(double, place / "clone0")
        token = TOKEN if host == "gitlab" else double.token()
        yield Stage(double, place, clone, parse_settings(settings), token, host=host)


@contextmanager
def _opened(origin: Path, host: HostName, relative: str) -> Iterator[GitHubDouble]:
    if host == "gitlab":
        with GitLabDouble(origin, relative=relative) as lab:
            yield cast("GitHubDouble", lab)
    else:
        with GitHubDouble(origin) as hub:
            yield hub
