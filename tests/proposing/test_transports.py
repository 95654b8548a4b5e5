"""The whole story over the ways in which git really talks: HTTP with a token, git's own daemon, files; and races."""

from __future__ import annotations

import base64
import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import pytest

from pipeline.errors import ForgeError, GitError
from pipeline.report import as_json
from tests.git_server import add_hook, basic, new_host, serve_daemon, serve_git
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, subjects
from tests.repositories import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.proposal.proposal import HostName
    from pipeline.report import ProposalOutcome, Report
    from tests.git_server import GitHost

Transport = Literal["http", "daemon", "file", "path"]


@dataclass
class Ways:
    """A stage, and the server between it and its repository; `base` is where that listens."""

    stage: Stage
    base: str = ""
    server: GitHost | None = None
    traces: list[Path] = field(default_factory=list)

    def lead_there(self) -> None:
        """Let the clone at hand have the server's address, and see what processes are started with."""
        stage = self.stage
        stage.clone.git("remote", "set-url", "origin", f"{self.base}/acme/wiki.git")
        self.traces.append(stage.place / f"trace{len(self.traces)}")
        traced = {"GIT_TRACE2_EVENT": str(self.traces[-1]), "GIT_TRACE_REDACT": "0"}
        server = "GITHUB_SERVER_URL" if stage.host == "github" else "CI_SERVER_URL"
        stage.extra = {**stage.extra, **traced, **({server: self.base} if self.server else {})}

    def fresh_clone(self) -> None:
        self.stage.fresh_clone()
        self.lead_there()

    def arguments(self) -> str:
        return "\n".join(trace.read_text(encoding="utf-8") for trace in self.traces if trace.exists())

    def users(self) -> set[str]:
        """Give users and tokens that the server was shown."""
        assert self.server is not None
        shown = [one.partition(" ")[2] for asked in self.server.asked for one in asked.authorization]
        return {base64.b64decode(one).decode() for one in shown}


@contextmanager
def on_the_way(place: Path, transport: Transport, host: HostName = "github") -> Iterator[Ways]:
    with on_stage(place, host=host) as stage:
        folder = place / "served"
        (folder / "acme").mkdir(parents=True)
        (folder / "acme" / "wiki.git").symlink_to(stage.double.repository.place, target_is_directory=True)
        stage.observe("day1", line("s1", 1, COOKIES))
        ways = Ways(stage)
        if transport == "http":
            ways.server = new_host(folder, token=stage.token)
            with serve_git(folder, host=ways.server) as ways.base:
                ways.lead_there()
                yield ways
        elif transport == "daemon":
            with serve_daemon(folder) as ways.base:
                ways.lead_there()
                yield ways
        else:
            ways.base = folder.as_uri() if transport == "file" else str(folder)
            ways.lead_there()
            yield ways


@pytest.fixture
def http(tmp_path: Path) -> Iterator[Ways]:
    with on_the_way(tmp_path, "http") as ways:
        yield ways
        assert ways.stage.double.violations() == []


def outcome(report: Report) -> ProposalOutcome:
    assert report.fault is None, report.fault
    assert report.proposal is not None
    return report.proposal


def second_clone(stage: Stage, *, path: str = "theirs.md", branch: str = "main") -> str:
    """Give a script that lets a second clone push once to a branch, while ours is on its way."""
    home, hosted = stage.place / "second", stage.double.repository.place
    return (
        f'[ -e "{home}" ] && exit 0\n'
        "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CONFIG_COUNT\n"
        f'git clone -q "{hosted}" "{home}" && cd "{home}" || exit 1\n'
        f"git checkout -q {branch} && echo theirs > {path} && git add {path}\n"
        "git -c user.name=Robin -c user.email=robin@example.org commit -qm 'by Robin'\n"
        f"git push -q origin HEAD:{branch}"
    )


@pytest.mark.parametrize("transport", ["http", "daemon", "file", "path"])
def test_a_proposal_over_every_transport(tmp_path: Path, transport: Transport) -> None:
    with on_the_way(tmp_path, transport) as ways:
        stage = ways.stage
        assert outcome(stage.run()).action == "opened"
        ways.fresh_clone()
        stage.observe("day2", line("s2", 2, PORT))
        assert outcome(stage.run("prepare")).action == "prepared"
        assert outcome(stage.propose()).action == "updated"
        assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
        assert stage.clone.status() == []
        assert "git push" not in ways.arguments()
        assert '"push"' in ways.arguments()


@pytest.mark.parametrize("transport", ["http", "file"])
def test_a_direct_push_that_races_is_laid_over_what_came_first(tmp_path: Path, transport: Transport) -> None:
    with on_the_way(tmp_path, transport) as ways:
        stage = ways.stage
        add_hook(stage.root / ".git", "pre-push", second_clone(stage))
        done = outcome(stage.run("push"))
        tip = stage.double.repository.tip("main")
        assert (done.action, done.head) == ("pushed", tip)
        assert "theirs.md" in stage.files("main")
        assert stage.pages("main")
        assert stage.clone.tip("main") == tip
        assert stage.clone.status() == []
        assert (stage.root / "theirs.md").is_file()


@pytest.mark.parametrize("transport", ["http", "daemon"])
def test_a_proposal_that_races_overwrites_nobody(tmp_path: Path, transport: Transport) -> None:
    with on_the_way(tmp_path, transport) as ways:
        stage = ways.stage
        stage.run()
        stage.observe("day2", line("s2", 2, PORT))
        add_hook(stage.root / ".git", "pre-push", second_clone(stage, path="wiki/acme/mine.md", branch=BRANCH))
        report = stage.run()
        assert report.fault is not None
        assert report.fault.kind == "BranchMoved"
        assert "wiki/acme/mine.md" in stage.files(BRANCH)
        assert [one.state for one in report.sessions] == ["consolidated"], "it was paid for, and is not lost"
        again = outcome(stage.run())
        assert (again.action, len(again.foreign)) == ("waiting", 1)
        stage.double.merge(1, "squash")
        assert stage.run().sessions == (), "and is proposed without being paid for again"
        assert "consolidate(acme/s2)" in subjects(stage)


def test_the_token_comes_from_the_environment_and_stays_there(http: Ways) -> None:
    stage = http.stage
    assert outcome(stage.run()).action == "opened"
    assert http.users() == {f"x-access-token:{stage.token}"}
    assert stage.token not in stage.clone.git("config", "--list", "--show-origin")
    assert_nowhere(http, stage.token)


def test_a_token_of_gitlab_is_shown_to_git_as_well(tmp_path: Path) -> None:
    with on_the_way(tmp_path, "http", "gitlab") as ways:
        stage = ways.stage
        assert outcome(stage.run()).action == "opened"
        assert ways.users() == {f"oauth2:{stage.token}"}
        assert stage.token not in ways.arguments() + stage.lab.pull(1).body


def assert_nowhere(ways: Ways, token: str, *said: str) -> None:
    """Hold that a token stands in no argument of a process, in no file of the clone, and in nothing that is said."""
    pair = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    texts = [ways.arguments(), *said, *(pull.body for pull in ways.stage.double.pulls.values())]
    files = [path for path in ways.stage.root.rglob("*") if path.is_file()]
    assert any(".wikimill" in path.parts for path in files)
    assert "git" in texts[0]
    for secret in (token, pair):
        assert not [text for text in texts if secret in text]
        assert not [path for path in files if secret.encode() in path.read_bytes()]


def test_each_job_shows_its_own_token(http: Ways) -> None:
    stage = http.stage
    assert http.server is not None
    writer = stage.token
    stage.token = stage.double.token(permissions={"contents": "read", "pull_requests": "read"})
    http.server.readers = (stage.token,)
    assert outcome(stage.run("prepare")).action == "prepared"
    assert http.users() == {f"x-access-token:{stage.token}"}
    http.server.asked.clear()
    reader, stage.token = stage.token, writer
    assert outcome(stage.propose()).action == "opened"
    assert http.users() == {f"x-access-token:{writer}"}
    assert_nowhere(http, writer)
    assert_nowhere(http, reader)


@pytest.mark.parametrize("kept", ["the same", "one that reads", "one that is over"])
def test_what_a_checkout_left_in_the_configuration_is_not_shown_as_well(http: Ways, kept: str) -> None:
    """actions/checkout keeps the job's token in git's configuration; ours may be that of an App, which can do more."""
    stage = http.stage
    assert http.server is not None
    left = stage.token if kept == "the same" else f"ghs_{'0' * 30}left"
    http.server.readers = (left,) if kept == "one that reads" else ()
    stage.clone.git("config", f"http.{http.base}/.extraheader", basic(left).replace("Authorization", "AUTHORIZATION"))
    assert outcome(stage.run()).action == "opened"
    assert http.users() == {f"x-access-token:{stage.token}"}
    assert all(len(asked.authorization) < 2 for asked in http.server.asked)
    assert subjects(stage) == ["consolidate(acme/s1)"]


def test_a_token_in_the_address_gives_way_to_ours_and_is_never_told(http: Ways) -> None:
    """GitLab's runners leave the job's token in the address of the remote."""
    stage = http.stage
    assert http.server is not None
    left = f"glcbt-64_{'x' * 20}"
    http.server.readers = (left,)
    address = http.base.replace("http://", f"http://gitlab-ci-token:{left}@")
    stage.clone.git("remote", "set-url", "origin", f"{address}/acme/wiki.git")
    report = stage.run()
    assert outcome(report).action == "opened"
    assert http.users() == {f"x-access-token:{stage.token}"}
    assert left not in json.dumps(as_json(report))
    assert left not in "".join(path.read_text(encoding="utf-8") for path in (stage.root / ".wikimill").rglob("*.json"))
    add_hook(stage.double.repository.place, "update", "echo no >&2; exit 1")
    stage.observe("day2", line("s2", 2, PORT))
    refused = stage.run()
    assert refused.fault is not None
    assert left not in json.dumps(as_json(refused))


def test_a_protected_branch_is_told_in_the_words_of_the_host(http: Ways) -> None:
    stage = http.stage
    said = f"GH006: Protected branch update failed for refs/heads/{BRANCH} by {stage.token}."
    add_hook(stage.double.repository.place, "update", f'echo "{said}" >&2; exit 1')
    report = stage.run()
    assert report.fault is not None
    assert report.fault.kind == "PushRefused"
    assert "GH006: Protected branch update failed" in report.fault.message
    assert report.fault.next_step
    assert stage.double.open_pulls() == []
    assert_nowhere(http, stage.token, json.dumps(as_json(report)), str(report))


def test_a_protected_base_is_told_and_the_commits_wait(http: Ways) -> None:
    stage = http.stage
    stage.double.repository.refuse_pushes("main", "GH006: Protected branch update failed for refs/heads/main.")
    report = stage.run("push")
    assert report.fault is not None
    assert (report.fault.kind, "GH006" in report.fault.message) == ("PushRefused", True)
    (stage.double.repository.place / "hooks" / "update").unlink()
    again = stage.run("push")
    assert (again.sessions, outcome(again).action) == ((), "pushed")


@pytest.mark.parametrize("way", ["propose", "prepare", "push"])
def test_a_token_that_the_server_does_not_take_stops_before_the_model(
    http: Ways, way: Literal["propose", "prepare", "push"]
) -> None:
    stage = http.stage
    stage.token = f"ghs_{'0' * 30}over"
    with pytest.raises((GitError, ForgeError)) as caught:
        stage.run(way)
    told = f"{caught.value} {caught.value.next_step} {caught.value.where}"
    assert stage.token not in told
    steps = ("store it where this one came from", "give a token that may read", "or give another one")
    assert any(step in told for step in steps)
    assert stage.clone.git("branch", "--list", BRANCH) == ""
    assert stage.token not in http.arguments()


def test_a_shallow_checkout_is_completed_over_http(http: Ways) -> None:
    stage = http.stage
    stage.run()
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.observe("day2", line("s2", 2, PORT))
    place = stage.place / "shallow"
    given = ("-c", f"http.extraheader={basic(stage.token)}", "clone", "-q", "--depth=1", f"{http.base}/acme/wiki.git")
    Ground(stage.place, stage.clone.environment).git(*given, str(place))
    stage.clone = Ground(place, stage.clone.environment)
    http.lead_there()
    assert outcome(stage.run()).action == "updated"
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
