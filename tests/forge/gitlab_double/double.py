"""Owns the double as tests use it: its addresses, what people do on its pages, its settings, and what goes wrong.

What is called as in the double of GitHub does what it does there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from tests.forge.gitlab_double import telling
from tests.forge.gitlab_double.routes import SIGN_IN, Routes
from tests.forge.gitlab_double.state import BOT, FORK, MAINTAINER, PROJECT, MergeRequest, Project, Token
from tests.forge.hosting import HostedRepository
from tests.forge.served import Answer, Asked, Fault, Served, html

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType

    from tests.forge.hosting import MergeKind

TOKEN = "glpat-3kQ9sT7vXw1LmN5pR8zB"
JOB_TOKEN = "glcbt-64_8hJ2kL4mN6pQ8rS0tU"

Trouble = Literal["502 before", "502 after", "429", "page", "sign-in", "cut", "nonsense", "400", "403"]


class GitLabDouble:
    """A GitLab with one project; a context manager. `relative` is such as `/gitlab`, `url` the address of the API."""

    def __init__(
        self,
        place: Path,
        *,
        name: str = "acme/wiki",
        now: Callable[[], datetime] | None = None,
        main: str = "main",
        relative: str = "",
    ) -> None:
        self.repository = HostedRepository(place, main=main, host="GitLab")
        self.project = Project(self.repository, name, clock=now)
        self.tokens = {TOKEN: Token(), JOB_TOKEN: Token("dana", (), None, job=True)}
        self.routes = Routes(self.project, self.tokens, "", relative)
        self._relative = relative
        self._served = Served(self.routes.answer, self.project.now)
        self.routes.web_url = self.web_url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._served.__exit__(kind, error, at)

    @property
    def url(self) -> str:
        return f"{self.web_url}/api/v4"

    @property
    def web_url(self) -> str:
        return f"{self._served.url}{self._relative}"

    @property
    def requests(self) -> list[Asked]:
        """All requests, in the order in which they came."""
        return self._served.requests

    @property
    def faults(self) -> list[Fault]:
        """What goes wrong next; append to it, or see `fail`."""
        return self._served.faults

    def asked(self) -> list[str]:
        """List the requests as `METHOD path-within-the-project`."""
        api = f"{self._relative}/api/v4"
        home = f"{api}/projects/{telling.path_of(self.project)}"
        return [f"{one.method} {one.path.removeprefix(home).removeprefix(api) or '/'}" for one in self.requests]

    def violations(self) -> list[str]:
        """Tell what no client should have done: pushes to the branch of a declined one, two open at a time."""
        with self._served.lock:
            self.project.refresh()
            return list(self.project.violations)

    def pull(self, number: int) -> MergeRequest:
        with self._served.lock:
            self.project.refresh()
            return self.project.requests[number]

    def open_pulls(self) -> list[MergeRequest]:
        with self._served.lock:
            self.project.refresh()
            ours = [one for one in self.project.requests.values() if one.source_project == PROJECT]
            return [one for one in ours if one.state == "opened"]

    def fail(self, method: str, path: str, kind: Trouble, *, times: int = 1, says: str = "") -> None:
        """Let something go wrong with the next requests; `path` is a part of theirs."""
        place = f"{self.web_url}/users/sign_in"
        limits = {"RateLimit-Limit": "60", "RateLimit-Remaining": "0", "RateLimit-Observed": "61"}
        late = html(502, "<h1>502</h1><p>Whoops, GitLab is taking too much time to respond.</p>")
        answers = {
            "502 before": late,
            "502 after": late,
            "429": Answer(
                429, headers={**limits, "Retry-After": "7", "content-type": "text/plain"}, raw=b"Retry later"
            ),
            "page": SIGN_IN,
            "sign-in": Answer(302, headers={"Location": place}, raw=b"redirected"),
            "cut": None,
            "nonsense": Answer(200, {"message": "hello"}),
            "400": Answer(400, {"message": says or "400 Bad request"}),
            "403": Answer(403, {"message": says or "403 Forbidden"}),
        }
        self.faults.append(
            Fault(method, path, answers[kind], after=kind == "502 after", cut=kind == "cut", times=times)
        )

    # What people do on its pages.

    def merge(self, number: int, how: MergeKind = "merge", *, by: str = "dana", delete_branch: bool = True) -> str:
        """Press the button, and give the commit that the base has then; raises `NotMergeable`."""
        one = self.pull(number)
        with self._served.lock:
            return self.project.merge(one, how, by, delete_branch=delete_branch)

    def close(self, number: int, *, by: str = "dana") -> None:
        one = self.pull(number)
        assert one.state == "opened", f"!{number} is {one.state}"
        one.state, one.closed_at = "closed", self.project.moment()
        self.project.comment(one, by, "closed", system=True)

    def reopen(self, number: int) -> None:
        one = self.pull(number)
        assert one.state == "closed", "a merged or open merge request is not reopened"
        assert self.repository.tip(one.branch), "GitLab reopens none whose branch is gone"
        one.state, one.closed_at = "opened", None

    def tick(self, number: int, text: str) -> None:
        """Tick a box in the text, as a person does: `- [ ] text` becomes `- [x] text`."""
        one = self.pull(number)
        assert f"- [ ] {text}" in one.body, f"no box for {text!r}"
        one.body = one.body.replace(f"- [ ] {text}", f"- [x] {text}", 1)

    def edit_body(self, number: int, body: str) -> None:
        self.pull(number).body = body

    def comment(self, number: int, text: str, *, by: str = "dana", system: bool = False) -> datetime:
        return self.project.comment(self.pull(number), by, text, system=system)

    def review(
        self, number: int, *, by: str = "dana", state: Literal["APPROVED", "COMMENTED"] = "APPROVED"
    ) -> datetime:
        """Approve, which GitLab notes of its own, or merely comment."""
        if state == "COMMENTED":
            return self.comment(number, "A look.", by=by)
        at = self.comment(number, "approved this merge request", by=by, system=True)
        self.pull(number).approvals.append((by, at))
        return at

    def delete_branch(self, branch: str) -> None:
        with self._served.lock:
            self.project.refresh()
            self.repository.delete_branch(branch)
            self.project.refresh()

    def rename(self, name: str) -> None:
        """Move the project to another path; the old one sends there."""
        self.project.old_paths.append(self.project.path)
        self.project.path = name

    def add_from_fork(self, branch: str, *, by: str = "mallory") -> MergeRequest:
        """Open one from a fork whose branch is called alike."""
        number = max(self.project.requests, default=0) + 1
        made = MergeRequest(number, branch, "main", "From a fork", "", by, self.project.moment(), FORK)
        self.project.requests[number] = made
        return made

    # Settings.

    def protect(self, pattern: str, *, push: int = MAINTAINER, force: bool = False, **level: int) -> None:
        levels = [{"id": 1, "access_level": None if level else push, **level}]
        self.project.protected.append({"name": pattern, "push_access_levels": levels, "allow_force_push": force})

    def set_push_rule(self, **rule: object) -> None:
        self.project.push_rule = {"id": 1, "project_id": PROJECT, **rule}

    def schedule(
        self, *, owner: str | None = "dana", active: bool = True, due: str | None = "2026-12-07T06:00:00.000Z"
    ) -> None:
        told = {"id": 13, "description": "consolidate", "ref": "refs/heads/main", "cron": "0 6 * * 1", "active": active}
        self.project.schedules.append({**told, "next_run_at": due, "owner": owner})


__all__ = ["BOT", "JOB_TOKEN", "TOKEN", "GitLabDouble"]
