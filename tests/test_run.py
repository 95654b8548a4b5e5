"""Runs over real files and real git, with a scripted model: what a run promises, promise by promise."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from pipeline import run
from pipeline.config import Settings, parse_settings
from pipeline.errors import Conflict, InvalidReply, ObservationError, Unavailable
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.models.model import Model, Reply
from pipeline.report import Fault, as_json, exit_code
from pipeline.round.round import LEFT_MOVED
from pipeline.round.wave import LEFT_SILENT
from pipeline.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.finding import Finding
    from pipeline.prompt import Request
    from pipeline.report import Report

AT = datetime(2026, 11, 30, 8, tzinfo=UTC)


@dataclass
class Scripted:
    """A model whose replies a test writes; by default a session page that quotes the first observation."""

    answer: Callable[[Request], Reply] | None = None
    asked: list[Request] = field(default_factory=list)
    name: str = "scripted"
    quotes: bool = False
    workers: int = 1
    tokens_ratio: float = 1.0
    spent: Spent = field(default_factory=Spent)
    findings: tuple[Finding, ...] = ()
    forgotten: list[Request] = field(default_factory=list)

    def forget(self, request: Request) -> None:
        self.forgotten.append(request)

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return self.answer(request) if self.answer else session_page(request)


def session_page(request: Request) -> Reply:
    session = request.projection.session.session_id
    said = "\n".join(f"- {shown.observation.body}[^{shown.handle}]" for shown in request.projection.shown)
    update = {
        "path": request.session_page,
        "kind": "session",
        "title": f"Session {session}",
        "description": "What was said.",
        "body": f"## Said {request.projection.shown[0].observation.ts:%H:%M}\n\n{said}\n",
    }
    return Reply(json.dumps({"updates": [update], "rationale": f"about {session}"}))


def line(session: str, minute: int, body: str, **fields: object) -> str:
    values = {"ts": f"2026-11-29T10:{minute:02}:00Z", "session_id": session, "project": "acme", "body": body}
    return json.dumps({**values, **fields}, ensure_ascii=False) + "\n"


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, encoding="utf-8")
    return done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "team"
    (place / "observations").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main", str(place))
    git(place, "config", "user.name", "Dana")
    git(place, "config", "user.email", "dana@example.org")
    (place / "README.md").write_bytes(b"a wiki\n")
    git(place, "add", "README.md")
    git(place, "commit", "-qm", "start")
    return place


def write(root: Path, *lines: str, name: str = "day.jsonl") -> None:
    with (root / "observations" / name).open("ab") as file:
        file.write("".join(lines).encode())


ONE_BY_ONE = Settings.model_validate({"run": {"drafted_together": 1}, "model": {"sessions_per_request": 1}})
"""Each session sees what the one before it left: what these tests script."""


def go(root: Path, model: Model, settings: Settings | None = None, **options: object) -> Report:
    return run.consolidate(settings or ONE_BY_ONE, root, clock=lambda: AT, model=model, **options)  # type: ignore[arg-type]  # options by name


def pages(root: Path) -> dict[str, str]:
    found = (path for path in (root / "wiki").rglob("*.md"))
    return {path.relative_to(root / "wiki").as_posix(): path.read_bytes().decode() for path in sorted(found)}


def commits(root: Path) -> list[str]:
    return git(root, "log", "--format=%s").splitlines()


def test_each_session_gets_its_page_and_its_commit(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), line("s2", 2, "the build is green"), line("s1", 3, "tests pass"))
    report = go(root, Scripted())
    assert [(one.session.session_id, one.state, one.observations) for one in report.sessions] == [
        ("s1", "consolidated", 2),
        ("s2", "consolidated", 1),
    ]
    assert commits(root) == ["consolidate(acme/s2): about s2", "consolidate(acme/s1): about s1", "start"]
    trailers = git(
        root, "log", "-2", "--format=%(trailers:key=Session,valueonly)%(trailers:key=Observations,valueonly)"
    )
    assert trailers.split() == ["acme/s2", "1", "acme/s1", "2"]
    page = pages(root)["acme/sessions/session-s1.md"]
    assert "- we chose cookies[^o-" in page
    assert "resource: ../../../observations/day.jsonl#L1" in page
    assert set(pages(root)) == {
        "index.md",
        "acme/index.md",
        "acme/log.md",
        "acme/sessions/index.md",
        "acme/sessions/session-s1.md",
        "acme/sessions/session-s2.md",
    }
    assert git(root, "status", "--porcelain", "wiki") == ""
    assert not report.incomplete


def test_the_same_input_twice_asks_nobody_and_changes_nothing(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), line("s2", 2, "the build is green"))
    go(root, Scripted())
    before = git(root, "rev-parse", "HEAD")
    model = Scripted()
    report = go(root, model)
    assert model.asked == []
    assert report.sessions == ()
    assert report.commits == ()
    assert report.intake.lines == 0
    assert git(root, "rev-parse", "HEAD") == before


def test_appended_lines_consolidate_their_session_alone(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), line("s2", 2, "the build is green"))
    go(root, Scripted())
    write(root, *(line("s2", 10 + number, f"step {number}") for number in range(10)))
    model = Scripted()
    report = go(root, model)
    assert [request.projection.session.session_id for request in model.asked] == ["s2"]
    assert [shown.observation.body for shown in model.asked[0].projection.shown] == [f"step {n}" for n in range(10)]
    assert model.asked[0].session_page == "acme/sessions/session-s2.md"
    page = pages(root)["acme/sessions/session-s2.md"]
    assert "- the build is green[^o-" in page
    assert "- step 9[^o-" in page
    assert [page.change for page in report.sessions[0].pages] == ["updated"]


def test_a_window_sees_the_pages_as_the_one_before_left_them(root: Path) -> None:
    write(root, *(line("s1", number, f"{number} " + "word " * 1_000) for number in range(12)))
    settings = parse_settings("[budget]\ntotal = 20000\nresponse = 4000\n")
    model = Scripted()
    report = go(root, model, settings)
    assert report.sessions[0].windows == len(model.asked) > 1
    assert [request.session_page for request in model.asked] == [
        "",
        *["acme/sessions/session-s1.md"] * (len(model.asked) - 1),
    ]
    seen = [shown.handle for request in model.asked for shown in request.projection.shown]
    assert seen == [f"o{number}" for number in range(1, 13)]
    assert len(commits(root)) == 2
    page = pages(root)["acme/sessions/session-s1.md"]
    assert all(f"- {number} word" in page for number in range(12))


def test_what_is_wrong_with_one_session_costs_that_session_alone(root: Path) -> None:
    def answer(request: Request) -> Reply:
        if request.projection.session.session_id == "s1":
            raise InvalidReply("the reply is prose, password=hunter2secret9")
        return session_page(request)

    write(root, line("s1", 1, "we chose cookies"), line("s2", 2, "the build is green"))
    report = go(root, Scripted(answer))
    assert [(one.session.session_id, one.state) for one in report.sessions] == [
        ("s1", "failed"),
        ("s2", "consolidated"),
    ]
    assert "hunter2secret9" not in report.sessions[0].reason
    assert report.incomplete
    assert "acme/sessions/session-s2.md" in pages(root)

    again = Scripted(answer)
    assert [one.state for one in go(root, again).sessions] == ["failed"]
    assert [one.state for one in go(root, again).sessions] == ["parked"]
    before = git(root, "rev-parse", "HEAD")
    quiet = Scripted(answer)
    still = go(root, quiet)
    assert still.sessions == ()
    assert [(one.where, one.rule) for one in still.findings] == [("acme/s1", "session-parked")]
    assert "after 3 failed attempts, the last one with: the reply is prose" in still.findings[0].message
    assert not still.incomplete
    assert quiet.asked == []
    assert git(root, "rev-parse", "HEAD") == before

    write(root, line("s1", 9, "more of it"))
    held = go(root, quiet)
    assert [one.state for one in held.sessions] == ["parked"]
    assert quiet.asked == []

    freed = Scripted()
    report = go(root, freed, retry_parked=True)
    assert [(one.session.session_id, one.state, one.observations) for one in report.sessions] == [
        ("s1", "consolidated", 2)
    ]
    assert "we chose cookies" in pages(root)["acme/sessions/session-s1.md"]
    assert go(root, Scripted()).sessions == ()


def test_an_unexpected_fault_is_a_failure_of_its_session(root: Path) -> None:
    def answer(_: Request) -> Reply:
        raise ZeroDivisionError("by zero")

    write(root, line("s1", 1, "we chose cookies"))
    report = go(root, Scripted(answer))
    assert [(one.state, one.reason) for one in report.sessions] == [("failed", "ZeroDivisionError: by zero")]


def test_a_model_that_does_not_answer_consumes_nothing(root: Path) -> None:
    def answer(_: Request) -> Reply:
        raise Unavailable("nobody is at home")

    write(root, line("s1", 1, "we chose cookies"))
    report = go(root, Scripted(answer))
    assert (report.fault, exit_code(report)) == (Fault("Unavailable", "nobody is at home"), 4)
    assert [(one.state, one.observations, one.reason) for one in report.sessions] == [("left", 1, LEFT_SILENT)]
    assert (report.intake.observations, report.findings) == (1, ())
    assert commits(root) == ["start"]
    assert [one.state for one in go(root, Scripted()).sessions] == ["consolidated"]


def test_a_model_that_stops_answering_leaves_the_rest_for_the_next_run(root: Path) -> None:
    def answer(request: Request) -> Reply:
        if request.projection.session.session_id == "s2":
            raise Unavailable("gone for lunch")
        return session_page(request)

    write(root, line("s1", 1, "one"), line("s2", 2, "two"), line("s3", 3, "three"))
    report = go(root, Scripted(answer))
    assert [(one.session.session_id, one.state) for one in report.sessions] == [
        ("s1", "consolidated"),
        ("s2", "left"),
        ("s3", "left"),
    ]
    rest = Scripted()
    go(root, rest)
    assert [request.projection.session.session_id for request in rest.asked] == ["s2", "s3"]


def test_a_dry_run_shows_every_page_and_writes_nothing(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"))
    files = sorted(path for path in root.rglob("*") if ".git" not in path.parts)
    report = go(root, Scripted(), dry_run=True)
    assert "--- /dev/null\n+++ b/wiki/acme/sessions/session-s1.md\n" in report.diff
    assert "\n+- we chose cookies[^o-" in report.diff
    assert ".ledger" not in report.diff
    assert sorted(path for path in root.rglob("*") if ".git" not in path.parts) == files
    assert commits(root) == ["start"]

    go(root, Scripted())
    write(root, line("s1", 5, "and kept them"))
    report = go(root, Scripted(), dry_run=True)
    assert "--- a/wiki/acme/sessions/session-s1.md\n" in report.diff
    assert "\n-- we chose cookies" not in report.diff


def test_a_plan_asks_no_model(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), line("s2", 2, "the build is green"))
    model = Scripted()
    report = run.plan(Settings(), root, clock=lambda: AT, model=model)
    assert model.asked == []
    assert [(one.session.session_id, one.state, one.observations, one.windows) for one in report.sessions] == [
        ("s1", "planned", 1, 1),
        ("s2", "planned", 1, 1),
    ]
    assert all(one.tokens > 0 for one in report.sessions)
    assert not (root / "wiki").exists()


def test_a_slot_without_room_is_told(root: Path) -> None:
    slot = root / "wiki" / "acme" / "slots" / "state.md"
    slot.parent.mkdir(parents=True)
    front = "---\ntype: Slot\ntitle: State\nslot: state\n---\n\n# State\n\n"
    slot.write_bytes(f"{front}We ship on Fridays.\n".encode())
    git(root, "add", "wiki")
    git(root, "commit", "-qm", "a slot")
    write(root, line("s1", 1, "we chose cookies"))
    model = Scripted()
    report = go(root, model)
    assert [shown.path for shown in model.asked[0].context.slots] == ["acme/slots/state.md"]
    assert "slot-left-out" not in {finding.rule for finding in report.every_finding()}

    slot.write_bytes(front.encode() + b"word " * 40_000 + b"\n")
    git(root, "commit", "-qam", "a longer slot")
    write(root, line("s1", 2, "and kept them"))
    model = Scripted()
    found = [finding for finding in go(root, model).every_finding() if finding.rule == "slot-left-out"]
    assert [finding.where for finding in found] == ["acme/slots/state.md"]
    assert model.asked[0].context.slots == ()


def test_bad_lines_are_set_aside_and_do_not_come_back(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), "not json\n", '{"session_id": "s1"}\n', '{"unfinished": ')
    report = go(root, Scripted())
    assert [finding.where for finding in report.intake.set_aside] == ["day.jsonl:2", "day.jsonl:3"]
    assert report.intake.unfinished == 1
    assert [one.state for one in report.sessions] == ["consolidated"]
    aside = (root / "wiki" / ".ledger" / "aside.jsonl").read_bytes().decode()
    assert [json.loads(one)["line"] for one in aside.splitlines()] == [2, 3]
    assert go(root, Scripted()).intake.set_aside == ()


def test_only_bad_lines_still_move_the_ledger_once(root: Path) -> None:
    write(root, "not json\n")
    assert len(go(root, Scripted()).commits) == 1
    assert commits(root) == ["ledger: record what was read", "start"]
    assert go(root, Scripted()).commits == ()


def test_a_run_that_finds_something_new_renews_every_index(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), line("s2", 2, "the build is green", project="beta"))
    go(root, Scripted())
    (root / "wiki/acme/index.md").write_bytes(b"# Sessions\n")
    git(root, "commit", "-qam", "solve a merge with one side")
    write(root, line("s3", 3, "tests pass", project="beta"))
    assert len(go(root, Scripted()).commits) == 1
    assert "Session s1" in pages(root)["acme/index.md"]


def test_two_branches_that_both_went_on_become_one_wiki(root: Path) -> None:
    (root / ".gitattributes").write_bytes((files("pipeline") / "shipped/start/gitattributes").read_bytes())
    git(root, "add", ".gitattributes")
    write(root, line("s1", 1, "we chose cookies"), name="a.jsonl")
    git(root, "add", "observations")
    git(root, "commit", "-qm", "observe")
    go(root, Scripted())
    for branch, session in (("side", "s2"), ("main", "s3")):
        git(root, "checkout", "-q", *(["-b"] if branch == "side" else []), branch)
        write(root, line(session, 2, f"{branch} went on"), name=f"{branch}.jsonl")
        git(root, "add", "observations")
        git(root, "commit", "-qm", "observe")
        go(root, Scripted())
    git(root, "merge", "-q", "--no-edit", "side")
    report = go(root, Scripted())
    assert report.sessions == ()
    assert go(root, Scripted()).commits == ()
    index = pages(root)["acme/index.md"]
    assert [f"Session {one}" in index for one in ("s1", "s2", "s3")] == [True, True, True]
    assert go(root, Scripted()).findings == ()


def test_a_strict_run_stops_at_the_first_bad_line(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), "not json\n")
    with pytest.raises(ObservationError, match=r"day\.jsonl:2"):
        go(root, Scripted(), strict=True)
    assert commits(root) == ["start"]


def test_a_consumed_line_that_changes_is_a_broken_promise(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"), line("s1", 2, "we kept them"))
    go(root, Scripted())
    path = root / "observations" / "day.jsonl"
    path.write_bytes(path.read_bytes().replace(b"kept", b"lost"))
    report = go(root, Scripted())
    assert [(one.where, one.rule) for one in report.intake.broken_promises] == [
        ("day.jsonl:2", "changed-after-consolidation")
    ]
    assert report.incomplete
    assert not go(root, Scripted()).incomplete


def test_uncommitted_work_under_the_wiki_stops_the_run_before_the_model(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"))
    go(root, Scripted())
    page = root / "wiki" / "acme" / "sessions" / "session-s1.md"
    page.write_bytes(page.read_bytes() + b"\nmine\n")
    write(root, line("s2", 2, "the build is green"))
    model = Scripted()
    with pytest.raises(Conflict, match=r"session-s1\.md"):
        go(root, model)
    assert model.asked == []
    assert page.read_bytes().endswith(b"\nmine\n")


def test_what_a_person_committed_to_a_page_stays(root: Path) -> None:
    write(root, line("s1", 1, "we chose cookies"))
    go(root, Scripted())
    page = root / "wiki" / "acme" / "sessions" / "session-s1.md"
    page.write_bytes(page.read_bytes().replace(b"## Said", b"## By hand\n\nAsk Dana.\n\n## Said"))
    git(root, "commit", "-qam", "by hand")
    write(root, line("s1", 2, "and kept them"))
    go(root, Scripted())
    assert "\n## By hand\n\nAsk Dana.\n\n## Said" in pages(root)["acme/sessions/session-s1.md"]


def test_a_commit_of_somebody_else_meanwhile_is_built_upon(root: Path) -> None:
    def answer(request: Request) -> Reply:
        if request.projection.session.session_id == "s2" and "by hand" not in commits(root):
            (root / "NOTES.md").write_bytes(b"mine\n")
            git(root, "add", "NOTES.md")
            git(root, "commit", "-qm", "by hand")
        return session_page(request)

    write(root, line("s1", 1, "one"), line("s2", 2, "two"), line("s3", 3, "three"))
    model = Scripted(answer)
    report = go(root, model)
    assert [request.projection.session.session_id for request in model.asked] == ["s1", "s2", "s2", "s3"]
    assert [(one.session.session_id, one.state) for one in report.sessions] == [
        ("s1", "consolidated"),
        ("s2", "consolidated"),
        ("s3", "consolidated"),
    ]
    assert report.intake.observations == 3
    assert commits(root)[:4] == [
        "consolidate(acme/s3): about s3",
        "consolidate(acme/s2): about s2",
        "by hand",
        "consolidate(acme/s1): about s1",
    ]
    assert git(root, "status", "--porcelain") == "?? observations/\n"


def test_others_who_commit_again_and_again_end_a_run_which_tells_what_it_had_done(root: Path) -> None:
    def answer(request: Request) -> Reply:
        if request.projection.session.session_id == "s2":
            git(root, "commit", "-q", "--allow-empty", "-m", "by hand")
        return session_page(request)

    write(root, line("s1", 1, "one"), line("s2", 2, "two"), line("s3", 3, "three"))
    model = Scripted(answer)
    report = go(root, model)
    assert report.fault is not None
    assert (report.fault.kind, exit_code(report)) == ("BranchMoved", 5)
    assert [(one.session.session_id, one.state, bool(one.commit)) for one in report.sessions] == [
        ("s1", "consolidated", True),
        ("s2", "left", False),
        ("s3", "left", False),
    ]
    assert [one.reason for one in report.sessions[1:]] == [LEFT_MOVED] * 2
    assert (len(report.commits), report.intake.observations) == (1, 3)
    assert len(model.asked) == 1 + run.MOST_ROUNDS
    assert [one.session.session_id for one in go(root, Scripted()).sessions] == ["s2", "s3"]


def test_a_retry_of_the_parked_outlives_a_commit_of_somebody_else(root: Path) -> None:
    def refuse(_: Request) -> Reply:
        raise InvalidReply("prose")

    write(root, line("s1", 1, "we chose cookies"))
    settings = parse_settings("[run]\nattempts = 1\n")
    assert [one.state for one in go(root, Scripted(refuse), settings).sessions] == ["parked"]

    def answer(request: Request) -> Reply:
        if "by hand" not in commits(root):
            git(root, "commit", "-q", "--allow-empty", "-m", "by hand")
        return session_page(request)

    model = Scripted(answer)
    report = go(root, model, settings, retry_parked=True)
    assert [(one.session.session_id, one.state) for one in report.sessions] == [("s1", "consolidated")]
    assert len(model.asked) == 2
    assert commits(root)[:2] == ["consolidate(acme/s1): about s1", "by hand"]
    assert go(root, Scripted(), settings).sessions == ()


def test_without_git_the_pages_are_written_all_the_same(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    (root / "observations").mkdir(parents=True)
    write(root, line("s1", 1, "we chose cookies"))
    report = go(root, Scripted(), use_git=False)
    assert report.commits == ()
    assert [one.state for one in report.sessions] == ["consolidated"]
    assert "we chose cookies" in pages(root)["acme/sessions/session-s1.md"]
    quiet = Scripted()
    assert go(root, quiet, use_git=False).sessions == ()
    assert quiet.asked == []


def test_secrets_reach_neither_model_nor_page_nor_report(root: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    write(root, line("s1", 1, f"the token is {secret}"), f"{secret} is no json\n")
    model = Scripted()
    report = go(root, model)
    assert "[REDACTED:github-token]" in model.asked[0].projection.shown[0].text
    for text in (json.dumps(as_json(report)), git(root, "log", "-p", "--", "wiki"), str(model.asked)):
        assert secret not in text
    assert sum(report.intake.redactions.values()) == 1


def test_what_a_model_returns_of_a_secret_is_redacted_again(root: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"

    def answer(request: Request) -> Reply:
        reply = session_page(request)
        return Reply(reply.text.replace("we chose cookies", f"we chose {secret}"))

    write(root, line("s1", 1, "we chose cookies"), line("s1", 2, "the build is green"))
    report = go(root, Scripted(answer))
    page = pages(root)["acme/sessions/session-s1.md"]
    assert secret not in page
    assert "the build is green" in page
    assert "secret-redacted" in {finding.rule for finding in report.every_finding()}


def test_a_reply_of_which_nothing_is_left_is_a_failure_and_not_a_session_without_a_page(root: Path) -> None:
    def answer(request: Request) -> Reply:
        return Reply(session_page(request).text.replace("cookies", "`redis-9.9.9`"))

    write(root, line("s1", 1, "we chose cookies"))
    (one,) = go(root, Scripted(answer)).sessions
    assert one.state == "failed"
    assert one.reason.startswith("nothing of the reply is left once it was held to its sources")
    assert "redis-9.9.9" in one.reason
    assert [two.state for two in go(root, Scripted()).sessions] == ["consolidated"]


def test_hostile_names_stay_names(root: Path) -> None:
    write(
        root,
        line("../../etc\npasswd", 1, "one", project="../../up"),
        line("s\u0000x", 2, "two", project=".git"),
        line("ｓ１", 3, "three", project="CON"),
    )
    report = go(root, Scripted())
    assert [one.state for one in report.sessions] == ["consolidated"] * 3
    assert not (root.parent / "up").exists()
    assert git(root, "fsck", "--strict") == ""
    assert git(root, "status", "--porcelain", "wiki") == ""


CHILD = """
import json, os, signal, sys
from datetime import datetime, timezone
from pathlib import Path
from pipeline import run
from pipeline.config import Settings
from pipeline.models.extractive.model import ExtractiveModel

class Deadly(ExtractiveModel):
    left = int(sys.argv[2])
    def complete(self, request):
        Deadly.left -= 1
        if Deadly.left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().complete(request)

run.consolidate(Settings(), Path(sys.argv[1]), clock=lambda: datetime(2026, 11, 30, 8, tzinfo=timezone.utc),
                model=Deadly())
"""

TALK = (
    "We decided to keep login state in signed cookies because revoking a token needed a denylist anyway.",
    "Never store the session key in the repository.",
    "The login failed because the clock of the proxy was ten minutes late.",
)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_killed_again_and_again_a_run_ends_as_if_undisturbed(root: Path, tmp_path: Path) -> None:
    for number in range(5):
        write(root, *(line(f"s{number}", 10 * number + place, f"{said} ({number})") for place, said in enumerate(TALK)))
    calm = tmp_path / "calm"
    subprocess.run(["git", "clone", "-q", str(root), str(calm)], check=True)
    (calm / "observations").mkdir()
    (calm / "observations" / "day.jsonl").write_bytes((root / "observations" / "day.jsonl").read_bytes())
    go(calm, ExtractiveModel())

    ends = [
        subprocess.run([sys.executable, "-c", CHILD, str(root), "1"], check=False, env=os.environ).returncode
        for _ in range(5)
    ]
    assert ends == [-signal.SIGKILL] * 4 + [0]
    assert pages(root) == pages(calm)
    assert commits(root) == commits(calm)
    assert git(root, "status", "--porcelain", "wiki") == ""
    assert not list((root / ".wikimill").rglob("spool*"))


def test_of_two_runs_at_once_one_ends_cleanly(root: Path) -> None:
    second: list[Exception] = []

    def answer(request: Request) -> Reply:
        with pytest.raises(Conflict) as refused:
            go(root, Scripted())
        second.append(refused.value)
        return session_page(request)

    write(root, line("s1", 1, "we chose cookies"))
    report = go(root, Scripted(answer))
    assert [one.state for one in report.sessions] == ["consolidated"]
    assert len(second) == 1
    assert "run" in str(second[0])
    assert commits(root) == ["consolidate(acme/s1): about s1", "start"]
