"""What weeks of use bring: other bases, texts that could not be written, sessions that fail, branches that change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.errors import BranchMoved, Busy, ConfigError, Conflict, NotPermitted
from pipeline.git import open_repository
from pipeline.landing.opening import alone
from pipeline.models.extractive.model import ExtractiveModel
from tests.forge.served import Answer, Fault
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, QUEUE, RETRY, Another, opened, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.models.model import Reply
    from pipeline.prompt import Request
    from pipeline.report import ProposalOutcome


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        yield ground
        assert ground.double.violations() == []


def done(stage: Stage, **options: object) -> ProposalOutcome:
    report = stage.run(**options)  # type: ignore[arg-type]  # options of a run by name
    assert report.fault is None
    assert report.proposal is not None
    return report.proposal


class Failing(ExtractiveModel):
    """Fails at one session, and counts."""

    asked = 0

    def complete(self, request: Request) -> Reply:
        type(self).asked += 1
        if request.projection.session.session_id == "s1":
            message = "a word that no page can hold"
            raise ValueError(message)
        return super().complete(request)


def set_proposal(stage: Stage, **values: object) -> None:
    proposal = stage.settings.proposal.model_copy(update=values)
    stage.settings = stage.settings.model_copy(update={"proposal": proposal})


def test_an_open_proposal_into_another_base_is_not_taken_over(stage: Stage) -> None:
    head = opened(stage)
    stage.clone.git("switch", "-q", "-c", "feature")
    stage.clone.commit("half done", **{"secret-work.py": "1\n"})
    stage.clone.git("push", "-q", "origin", "feature")
    with pytest.raises(Conflict, match="asks to be merged into 'main', and not into 'feature'"):
        stage.run()
    assert stage.double.pull(1).head == head


@pytest.mark.parametrize("base", [BRANCH, f"{BRANCH}-2"])
def test_the_branch_of_proposals_is_no_base(stage: Stage, base: str) -> None:
    set_proposal(stage, base=base)
    with pytest.raises(ConfigError, match="is the branch of proposals"):
        stage.run()


def test_a_text_that_could_not_be_written_is_written_by_the_next_run(stage: Stage) -> None:
    opened(stage)
    stage.observe("day2", line("s2", 2, PORT))
    stage.double.faults.append(Fault("PATCH", "/pulls", answer=Answer(500, {"message": "oh"}), times=9))
    report = stage.run()
    assert report.fault is not None
    stage.double.faults.clear()
    assert PORT not in stage.double.pull(1).body
    assert done(stage).action == "updated"
    assert PORT in stage.double.pull(1).body
    assert "2 sessions" in stage.double.pull(1).title
    assert done(stage).action == "unchanged"


def test_blocked_goes_away_when_the_person_takes_the_commit_back(stage: Stage) -> None:
    head = opened(stage)
    stage.double.repository.commit(BRANCH, {"wiki/acme/mine.md": "# Mine\n"}, "mine")
    assert done(stage).action == "waiting"
    assert "**Recreate**" in stage.double.pull(1).body
    stage.double.repository.git("update-ref", f"refs/heads/{BRANCH}", head)
    assert done(stage).action == "updated"
    assert "**Recreate**" not in stage.double.pull(1).body
    assert "Blocked" not in stage.double.pull(1).body


def test_nothing_prepared_is_nothing_to_propose_though_the_base_moves_meanwhile(stage: Stage) -> None:
    stage.run("prepare")
    stage.double.repository.commit("main", {"wiki/acme/notes.md": "# Notes\n"}, "notes")
    report = stage.propose()
    assert report.proposal is not None
    assert (report.proposal.action, BRANCH in stage.double.repository.branches()) == ("none", False)


def test_a_job_that_pushed_and_was_cut_off_can_be_started_again(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.run("prepare")
    stage.double.faults.append(Fault("POST", "/pulls", answer=Answer(422, {"message": "Validation Failed"})))
    stage.double.faults.append(Fault("POST", "/pulls", cut=True, times=9))
    with pytest.raises(Exception, match="answer"):
        stage.propose()
    stage.double.faults.clear()
    report = stage.propose()
    assert report.proposal is not None
    assert (report.proposal.action, subjects(stage)) == ("opened", ["consolidate(acme/s1)"])


def test_a_proposal_that_is_closed_right_before_the_push_keeps_its_branch(stage: Stage) -> None:
    opened(stage)
    stage.observe("day2", line("s2", 2, PORT))
    stage.run("prepare")
    head = stage.double.pull(1).head
    stage.double.close(1)
    with pytest.raises(BranchMoved, match="nothing was pushed"):
        stage.propose()
    assert stage.double.repository.tip(BRANCH) == head


def test_a_direct_push_asks_for_its_rights_before_the_model(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.double.settings.rules["main"] = [{"type": "pull_request", "parameters": {}}]
    stage.model = Failing()
    before = Failing.asked
    with pytest.raises(NotPermitted):
        stage.run("push")
    assert Failing.asked == before


def test_a_direct_push_goes_to_the_branch_that_got_the_commits(stage: Stage) -> None:
    wiki = stage.settings.wiki.model_copy(update={"branch": "docs"})
    stage.settings = stage.settings.model_copy(update={"wiki": wiki})
    set_proposal(stage, base="main")
    stage.observe("day1", line("s1", 1, COOKIES))
    repository = stage.double.repository
    repository.keep("refs/heads/docs", repository.tip("main"))
    stage.clone.git("pull", "-q")
    stage.clone.git("branch", "-q", "docs", "origin/main")
    told = done(stage, way="push")
    assert (told.action, told.branch) == ("pushed", "docs")
    assert stage.pages("docs")
    assert not stage.pages("main")


def test_what_fails_alone_is_no_proposal_and_is_parked_in_the_end(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.model = Failing()
    before, states = Failing.asked, []
    for _ in range(5):
        stage.fresh_clone()
        report = stage.run()
        states.append([one.state for one in report.sessions])
        assert report.proposal is not None
        assert (report.proposal.action, stage.double.pulls) == ("none", {})
    assert states == [["failed"], ["failed"], ["parked"], [], []], "also in clones that know nothing"
    assert Failing.asked - before == 3
    stage.observe("day2", line("s2", 2, PORT))
    assert done(stage).action == "opened"
    assert subjects(stage)[-1] == "consolidate(acme/s2)"


def test_a_proposal_all_of_whose_pages_are_declined_is_closed_and_stays_declined(stage: Stage) -> None:
    opened(stage)
    for page in stage.pages():
        stage.double.tick(1, f"Ignore `{page}`")
    assert done(stage).action == "closed"
    assert stage.double.pull(1).state == "closed"
    stage.fresh_clone()
    report = stage.run()
    assert [one.state for one in report.sessions] == ["suppressed"]
    assert stage.double.open_pulls() == []


def test_a_proposal_that_wikimill_closed_itself_is_nobodys_no(stage: Stage) -> None:
    opened(stage)
    files = {f"wiki/{path}": raw.decode() for path, raw in stage.double.repository.ground.files(BRANCH, "wiki").items()}
    stage.double.repository.commit("main", files, "by hand")
    assert done(stage).action == "closed"
    stage.model = Another()
    report = stage.run(reconsolidate=True)
    assert [one.state for one in report.sessions] == ["consolidated"]


def test_work_left_behind_is_found_under_another_name(stage: Stage) -> None:
    opened(stage)
    stage.double.repository.refuse_pushes(BRANCH)
    stage.observe("day2", line("s2", 2, PORT))
    assert stage.run().fault is not None
    stage.double.close(1)
    stage.model = Failing()
    before = Failing.asked
    told = done(stage)
    assert (told.action, told.branch) == ("opened", f"{BRANCH}-2")
    assert subjects(stage, f"{BRANCH}-2") == ["consolidate(acme/s2)", "ledger"]
    assert Failing.asked == before, "it was paid for already"


def test_sessions_that_were_committed_to_the_base_here_are_taken_along(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.clone.git("pull", "-q")
    stage.run("commit")
    stage.model = Failing()
    before = Failing.asked
    report = stage.run()
    assert "base-ahead" in {finding.rule for finding in report.findings}
    assert (subjects(stage), Failing.asked) == (["consolidate(acme/s1)"], before)


def test_observations_that_nobody_else_can_see_are_told(stage: Stage) -> None:
    stage.clone.write("observations/here.jsonl", line("s1", 1, COOKIES))
    report = stage.run()
    (found,) = [finding for finding in report.findings if finding.rule == "observations-not-shared"]
    assert "observations/here.jsonl" in found.message


def test_what_waits_is_what_a_run_would_take(stage: Stage) -> None:
    opened(stage)
    stage.double.repository.commit(BRANCH, {"wiki/acme/mine.md": "# Mine\n"}, "mine")
    stage.observe("day2", line("s2", 2, PORT), line("s3", 3, QUEUE, project="other"))
    report = stage.run(project="acme")
    assert [(str(one.session), one.state) for one in report.sessions] == [("acme/s2", "waiting")]
    dry = stage.run(dry_run=True)
    assert dry.dry_run


def test_the_text_of_reviews_alone_does_not_deny_them(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.run()
    body = stage.double.pull(2).body
    assert "No person has reviewed" not in body
    assert "review" in stage.double.pull(2).title


def test_the_host_is_asked_for_no_more_than_is_needed(stage: Stage) -> None:
    """Closed proposals only become more, and a token has so many questions an hour."""
    for number in range(6):
        stage.observe(f"day{number}", line(f"s{number}", number, f"{RETRY} Number {number}."))
        told = done(stage)
        stage.double.close(told.number)
    stage.double.requests.clear()
    stage.fresh_clone()
    stage.run()
    quiet = [asked for asked in stage.double.asked() if asked.endswith("/commits")]
    assert len(quiet) == len(set(quiet)), "each is asked for once"
    stage.double.requests.clear()
    stage.observe("late", line("late", 60 * 24 * 9, QUEUE))
    stage.run()
    assert stage.double.pulls[7].state == "open"


def test_another_run_is_waited_for(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    before = stage.clone.git("for-each-ref", "refs/heads")
    with open_repository(stage.root, stage.outside.environment) as repository, alone(repository):
        for way in ("propose", "prepare", "push"):
            with pytest.raises(Busy):
                stage.run(way)
    assert stage.clone.git("for-each-ref", "refs/heads") == before


def test_a_page_whose_box_was_ticked_is_nobodys_word_when_it_is_merged_all_the_same(stage: Stage) -> None:
    opened(stage)
    page = next(one for one in stage.pages() if "/decisions/" in one)
    stage.double.tick(1, f"Ignore `{page}`")
    stage.double.merge(1, "squash")
    told = done(stage)
    assert page not in told.verified_pages
    assert told.verified_pages


def test_what_was_left_out_is_told_until_the_proposal_ends(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), "no JSON\n")
    assert done(stage).action == "opened"
    assert "day1.jsonl:2" in stage.double.pull(1).body
    stage.observe("day2", line("s2", 2, PORT))
    stage.fresh_clone()
    assert done(stage).action == "updated"
    body = stage.double.pull(1).body
    assert "day1.jsonl:2" in body
    assert "**Partial**" in body


def test_a_failure_is_told_until_the_proposal_ends(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.model = Failing()
    assert done(stage).action == "opened"
    assert "`acme/s1`" in stage.double.pull(1).body
    stage.observe("day2", line("s3", 3, QUEUE))
    assert done(stage, project="other").action == "unchanged"
    assert "**Partial**" in stage.double.pull(1).body


def test_pages_that_only_say_who_stands_for_them_are_no_work_for_a_reviewer(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s2", 2, PORT))
    told = done(stage)
    assert len(told.verified_pages) == 2
    pull = stage.double.pull(2)
    assert pull.title == "wiki: 2 pages from 1 session of acme"
    assert pull.body.count("Ignore `") == 2
    assert "Marked as reviewed" in pull.body


def test_a_secret_that_was_taken_out_is_told_to_the_reviewer(stage: Stage) -> None:
    key = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    stage.observe("day1", line("s1", 1, f"{COOKIES} The token is {key}."))
    assert done(stage).action == "opened"
    body = stage.double.pull(1).body
    assert "the observation files still hold them" in body
    assert key not in body
