"""What is otherwise on GitLab: a merge takes the branch along, lines command, and runners check out no branch."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pipeline.delivering import check_way
from pipeline.errors import NotPermitted
from tests.forge.gitlab_double import BOT, JOB_TOKEN, Token
from tests.forge.gitlab_double.state import MAINTAINER
from tests.forge.served import Answer, Fault
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, QUEUE, RETRY, reviewers, subjects
from tests.repositories import Ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.report import ProposalOutcome, Report
    from tests.forge.hosting import MergeKind

COMMANDS = "We decided to merge by hand, as in:\n/merge\n/close\nbecause a robot must not."


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path, host="gitlab") as ground:
        yield ground
        assert ground.lab.violations() == []


def outcome(report: Report) -> ProposalOutcome:
    assert report.fault is None
    assert report.proposal is not None
    return report.proposal


def opened(stage: Stage, number: int = 1) -> str:
    """Let one session be proposed; give the commit."""
    stage.observe("day1", line("s1", 1, COOKIES))
    done = outcome(stage.run())
    assert (done.action, done.number) == ("opened", number)
    return stage.lab.pull(number).head


def test_a_proposal_is_opened_goes_on_and_is_left_alone_when_nothing_is_new(stage: Stage) -> None:
    opened(stage)
    one = stage.lab.pull(1)
    assert (one.labels, one.removes_branch) == (["wiki", "automated"], True)
    assert COOKIES in one.body
    stage.fresh_clone()
    body = one.body
    again = outcome(stage.run())
    assert (again.action, stage.lab.pull(1).body) == ("unchanged", body)
    assert again.url == f"{stage.lab.web_url}/acme/wiki/-/merge_requests/1"
    stage.observe("day2", line("s2", 2, PORT))
    assert outcome(stage.run()).action == "updated"
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
    assert [made.number for made in stage.lab.open_pulls()] == [1]
    assert "2 sessions" in stage.lab.pull(1).title


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
def test_a_merge_takes_the_branch_along_and_counts_as_a_review(stage: Stage, how: MergeKind) -> None:
    opened(stage)
    stage.lab.merge(1, how, by="kim")
    assert BRANCH not in stage.lab.repository.branches()
    report = stage.run()
    assert report.sessions == ()
    done = outcome(report)
    assert (done.action, done.number, done.branch) == ("opened", 2, BRANCH)
    assert subjects(stage) == ["verify"]
    assert reviewers(stage, BRANCH, done.verified_pages[0]) == ["process:wikimill-gates", "human:kim"]
    stage.lab.merge(2, how, by="dana")
    assert outcome(stage.run()).action == "none"


def test_a_fast_forward_of_a_branch_that_was_behind_is_recognised(stage: Stage) -> None:
    opened(stage)
    stage.lab.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.lab.merge(1, "rebase", by="kim")
    report = stage.run()
    assert (report.sessions, outcome(report).action) == ((), "opened")
    assert subjects(stage) == ["verify"]


@pytest.mark.parametrize("deleted", [True, False])
def test_what_was_declined_is_not_proposed_again_until_its_evidence_changes(stage: Stage, *, deleted: bool) -> None:
    opened(stage)
    stage.lab.close(1)
    if deleted:
        stage.lab.delete_branch(BRANCH)
    report = stage.run()
    assert [one.state for one in report.sessions] == ["suppressed"]
    assert (outcome(report).action, outcome(report).suppressed_by) == ("none", (1,))
    stage.fresh_clone()
    stage.observe("day2", line("s2", 2, PORT))
    done = outcome(stage.run())
    branch = BRANCH if deleted else f"{BRANCH}-2"
    assert (done.action, done.branch, done.suppressed) == ("opened", branch, 1)
    assert COOKIES not in stage.lab.pull(2).body
    stage.observe("day3", line("s1", 3, RETRY))
    assert outcome(stage.run()).suppressed == 0
    assert subjects(stage, branch) == ["consolidate(acme/s2)", "consolidate(acme/s1)"]


def test_lines_that_command_do_nothing_and_make_no_text_new(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COMMANDS))
    assert outcome(stage.run()).action == "opened"
    stage.lab.repository.commit(BRANCH, {"wiki/acme/notes.md": "# Notes\n"}, "/close these notes")
    stage.observe("day2", line("s2", 2, PORT))
    assert outcome(stage.run()).action == "waiting"
    stage.lab.requests.clear()
    body = stage.lab.pull(1).body
    assert outcome(stage.run()).action == "waiting"
    assert stage.lab.pull(1).body == body
    assert [asked for asked in stage.lab.asked() if asked.startswith(("PUT", "POST"))] == [], "it is said once"


def test_lines_that_a_person_wrote_do_not_make_the_text_new(stage: Stage) -> None:
    opened(stage)
    stage.lab.edit_body(1, f"/shrug is what I say.\r\n\r\n{stage.lab.pull(1).body}\r\n")
    stage.lab.repository.commit(BRANCH, {"wiki/acme/notes.md": "# Notes\n"}, "notes")
    stage.run()
    stage.lab.requests.clear()
    assert outcome(stage.run()).action == "waiting"
    assert [asked for asked in stage.lab.asked() if asked.startswith(("PUT", "POST"))] == []
    assert "/shrug is what I say." in stage.lab.pull(1).body


def test_a_page_is_declined_by_a_box_and_a_person_is_not_overwritten(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    page = next(one for one in stage.pages() if "/decisions/" in one and "cookies" in one)
    stage.lab.tick(1, f"Ignore `{page}`")
    done = outcome(stage.run())
    assert (done.action, done.declined_pages) == ("updated", (page,))
    assert page not in stage.pages()
    assert "[x]" not in stage.lab.pull(1).body
    theirs = stage.lab.repository.commit(BRANCH, {"wiki/acme/notes.md": "# Notes\n"}, "notes")
    stage.observe("day2", line("s3", 3, QUEUE))
    assert outcome(stage.run()).foreign == (theirs,)
    stage.lab.tick(1, "**Recreate**")
    assert outcome(stage.run()).action == "updated"
    assert "wiki/acme/notes.md" not in stage.files(BRANCH)
    assert page not in stage.pages()


@pytest.mark.parametrize(
    "fault",
    [
        Fault("POST", "/merge_requests", answer=Answer(502, raw=b"<h1>502</h1>"), after=True),
        Fault("POST", "/merge_requests", cut=True, after=True),
        Fault(
            "POST", "/merge_requests", answer=Answer(409, {"message": ["Another open merge request: !1"]}), after=True
        ),
        Fault("POST", "/merge_requests", answer=Answer(502, raw=b"<h1>502</h1>")),
    ],
    ids=["502 after", "cut after", "409", "502 before"],
)
def test_what_goes_wrong_while_opening_opens_it_once(stage: Stage, fault: Fault) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.lab.faults.append(fault)
    done = outcome(stage.run())
    assert (done.action, done.number) == ("opened", 1)
    assert [made.number for made in stage.lab.open_pulls()] == [1]


def test_a_crash_between_push_and_opening_is_taken_up(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.lab.fail("POST", "/merge_requests", "cut", times=9)
    report = stage.run()
    assert report.fault is not None
    stage.lab.faults.clear()
    assert (bool(stage.lab.repository.tip(BRANCH)), stage.lab.open_pulls()) == (True, [])
    stage.fresh_clone()
    again = stage.run()
    assert (again.sessions, outcome(again).action) == ((), "opened")


def test_a_draft_stays_one_until_a_person_says_that_it_is_ready(tmp_path: Path) -> None:
    with on_stage(tmp_path, "[proposal]\ndraft = true\n", "gitlab", relative="/gitlab") as stage:
        opened(stage)
        assert stage.lab.pull(1).title.startswith("Draft: ")
        stage.observe("day2", line("s2", 2, PORT))
        assert outcome(stage.run()).url == f"{stage.lab.web_url}/acme/wiki/-/merge_requests/1"
        assert stage.lab.web_url.endswith("/gitlab")
        assert stage.lab.pull(1).title.startswith("Draft: ")
        stage.lab.pull(1).title = stage.lab.pull(1).title.removeprefix("Draft: ")
        stage.observe("day3", line("s3", 3, QUEUE))
        stage.run()
        assert not stage.lab.pull(1).title.startswith("Draft: ")


def as_a_runner_checks_out(stage: Stage, depth: int = 0) -> None:
    """Make a clone as a runner does: no branch, some commits, and the job's one reference besides."""
    place = stage.place / f"runner{len(list(stage.place.glob('runner*')))}"
    ground = Ground(place, quiet_environment(stage.place / f"{place.name}-home"))
    place.mkdir()
    tip = stage.lab.repository.tip("main")
    ground.git("init", "-q", "-b", "none")
    ground.git("remote", "add", "origin", stage.lab.repository.url)
    wanted = (f"+{tip}:refs/pipelines/7", "+refs/heads/main:refs/remotes/origin/main")
    ground.git("fetch", "-q", *([f"--depth={depth}"] if depth else []), "origin", *wanted)
    ground.git("checkout", "-f", "-q", tip)
    stage.clone = ground


@pytest.mark.parametrize("depth", [0, 1])
def test_a_runner_that_checks_out_no_branch_proposes(stage: Stage, depth: int) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    as_a_runner_checks_out(stage, depth)
    assert outcome(stage.run()).action == "opened"
    stage.observe("day2", line("s2", 2, PORT))
    as_a_runner_checks_out(stage, depth)
    assert outcome(stage.run()).action == "updated"
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
    assert stage.clone.status() == []
    assert stage.clone.git("branch", "--show-current") == ""


def test_one_job_prepares_with_a_token_that_reads_and_another_proposes(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    as_a_runner_checks_out(stage)
    stage.lab.tokens["glpat-reads"] = Token("kim", ("read_api",))
    writer, stage.token = stage.token, "glpat-reads"
    assert outcome(stage.run("prepare")).action == "prepared"
    handed = stage.root / ".wikimill/proposal"
    as_a_runner_checks_out(stage)
    shutil.copytree(handed, stage.root / ".wikimill/proposal")
    stage.token = writer
    assert outcome(stage.propose()).action == "opened"


def test_a_runner_that_checks_out_no_branch_pushes_to_the_base(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    as_a_runner_checks_out(stage)
    done = outcome(stage.run("push"))
    assert (done.action, done.head) == ("pushed", stage.lab.repository.tip("main"))
    assert stage.pages("main")
    # A runner that keeps its folder finds the branch there that the last job made.
    stage.observe("day2", line("s2", 2, PORT))
    stage.clone.git("fetch", "-q", "origin")
    stage.clone.git("checkout", "-f", "-q", "--detach", "origin/main")
    again = stage.run("push")
    assert [str(one.session) for one in again.sessions] == ["acme/s2"]
    assert (outcome(again).action, outcome(again).head) == ("pushed", stage.lab.repository.tip("main"))
    assert stage.clone.status() == []


@pytest.mark.parametrize("way", ["job token", "token of a job elsewhere"])
def test_the_token_of_a_job_is_named_as_unable_before_anything_is_paid_for(stage: Stage, way: str) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.extra = {"GITLAB_TOKEN": "", "CI_JOB_TOKEN": JOB_TOKEN} if way == "job token" else {"GITLAB_TOKEN": JOB_TOKEN}
    with pytest.raises(NotPermitted) as caught:
        stage.run()
    assert "GITLAB_TOKEN" in f"{caught.value} {caught.value.next_step}"
    assert "project access token" in f"{caught.value} {caught.value.next_step}"
    assert JOB_TOKEN not in f"{caught.value} {caught.value.next_step} {caught.value.where}"
    assert stage.clone.git("branch", "--list", BRANCH) == ""
    with pytest.raises(NotPermitted):
        check_way("propose", stage.settings, stage.root, stage.outside)


def test_a_rule_about_authors_is_held_against_whom_git_would_name(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.lab.project.roles[BOT] = MAINTAINER
    stage.lab.set_push_rule(author_email_regex="@acme\\.test$")
    with pytest.raises(NotPermitted, match=r"wikimill@example\.org"):
        stage.run()
    stage.clone.git("config", "user.email", "wiki@acme.test")
    assert outcome(stage.run()).action == "opened"


def test_a_persons_edit_on_main_stands_and_what_is_new_comes_beside_it(stage: Stage) -> None:
    opened(stage)
    stage.lab.merge(1, "squash")
    stage.observe("day2", line("s1", 2, QUEUE, kind="observation"))
    stage.run()
    page = next(path for path in stage.pages("main") if "/sessions/" in path)
    mine = (stage.file("main", f"wiki/{page}") or "").replace("signed cookies", "signed, HTTP-only cookies")
    stage.lab.repository.commit("main", {f"wiki/{page}": f"{mine}\nA word of mine.\n"}, "mine")
    report = stage.run()
    beside = [one for one in report.findings if one.rule == "merged-beside"]
    branch = outcome(report).branch
    text = stage.file(branch, f"wiki/{page}") or ""
    assert beside
    assert all(words in text for words in ("HTTP-only", "A word of mine.", "one queue per tenant"))
    assert f"### Beside a person's edit ({len(beside)})" in stage.lab.pull(outcome(report).number).body


def test_a_revert_declines_a_session_and_somebody_may_ask_for_it(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    clone = stage.clone
    clone.git("fetch", "-q", "origin")
    clone.git("switch", "-q", "-c", "mine", f"origin/{BRANCH}")
    clone.git("revert", "--no-edit", "HEAD")
    clone.git("push", "-q", "origin", f"mine:{BRANCH}")
    clone.git("switch", "-q", "main")
    assert len(outcome(stage.run()).declined_pages) == 2
    assert not [path for path in stage.pages() if "port" in path]
    report = stage.run(retry_declined=True)
    assert [str(one.session) for one in report.sessions] == ["acme/s2"]
    assert len([path for path in stage.pages() if "port" in path]) == 2


@pytest.mark.parametrize("fresh", [False, True])
def test_one_that_is_opened_again_beside_another_takes_nothing_from_it(stage: Stage, *, fresh: bool) -> None:
    opened(stage)
    stage.lab.close(1)
    stage.observe("day2", line("s2", 2, PORT))
    assert outcome(stage.run()).number == 2
    stage.lab.reopen(1)
    if fresh:
        stage.fresh_clone()
    stage.observe("day3", line("s3", 3, RETRY))
    report = stage.run()
    assert outcome(report).number == 1
    assert {str(one.session): one.state for one in report.sessions}["acme/s3"] == "consolidated"
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s3)"]


def test_a_merge_that_is_taken_back_on_main_was_declined(stage: Stage) -> None:
    opened(stage)
    stage.lab.merge(1, "squash")
    clone = stage.clone
    clone.git("fetch", "-q", "origin")
    clone.git("switch", "-q", "-c", "mine", "origin/main")

    merge = len(clone.git("rev-list", "--parents", "-n1", "HEAD").split()) > 2
    clone.git("revert", "--no-edit", *(("-m", "1") if merge else ()), "HEAD")
    clone.git("push", "-q", "origin", "mine:main")
    clone.git("switch", "-q", "main")
    report = stage.run()
    assert [(str(one.session), one.state) for one in report.sessions] == [("acme/s1", "suppressed")]
    assert [str(one.session) for one in stage.run(retry_declined=True).sessions] == ["acme/s1"]
