"""What becomes of a proposal from run to run, on a real repository and a host that refuses what GitHub refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pipeline.models.extractive.model import ExtractiveModel
from pipeline.wiki.format.page import parse_page
from tests.proposing.stage import BRANCH, Stage, line, on_stage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.forge.hosting import MergeKind

COOKIES = "We decided to keep login state in signed cookies, because a JWT cannot be revoked."
PORT = "We decided to serve the API on port 8080, because 80 needs root."
QUEUE = "We decided to use one queue per tenant, because a shared one starves small tenants."
RETRY = "We decided to retry uploads three times, because the store drops one in a hundred."


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        yield ground
        assert ground.double.violations() == []


def subjects(stage: Stage, branch: str = BRANCH) -> list[str]:
    repository = stage.double.repository
    told = repository.commits(repository.fork_point("main", branch), branch)
    return [commit.message.partition("\n")[0].partition(":")[0] for commit in told]


def reviewers(stage: Stage, branch: str, page: str) -> list[str]:
    told = parse_page(page, (stage.file(branch, f"wiki/{page}") or "").encode()).front["verified"]
    assert isinstance(told, list)
    return [str(one["by"]) for one in told if isinstance(one, dict)]


def opened(stage: Stage, number: int = 1) -> str:
    """Let one session be proposed; give the commit."""
    stage.observe("day1", line("s1", 1, COOKIES))
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.number) == ("opened", number)
    return stage.double.pull(number).head


def test_a_run_becomes_one_proposal_whose_commits_are_sessions(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    report = stage.run()
    pull = stage.double.open_pulls()[0]
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.url) == ("opened", "https://github.test/acme/wiki/pull/1")
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
    assert pull.labels == ["wiki", "automated"]
    assert stage.clone.tip("main") == stage.double.repository.tip("main")
    assert stage.clone.status() == []
    assert COOKIES in pull.body
    assert COOKIES.encode() not in b"".join(stage.double.repository.ground.files("main", "wiki").values())


def test_nothing_new_pushes_nothing_and_says_nothing(stage: Stage) -> None:
    head = opened(stage)
    body = stage.double.pull(1).body
    stage.double.requests.clear()
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.action == "unchanged"
    assert stage.double.pull(1).head == head
    assert stage.double.pull(1).body == body
    assert not [asked for asked in stage.double.asked() if not asked.startswith("GET") and "/pulls " not in f"{asked} "]


def test_main_that_moved_without_changing_a_page_pushes_nothing(stage: Stage) -> None:
    head = opened(stage)
    stage.double.repository.commit("main", {"code.py": "print(1)\n"}, "code")
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, stage.double.pull(1).head) == ("unchanged", head)


def test_new_work_goes_on_from_what_is_open_and_pays_for_nothing_twice(stage: Stage) -> None:
    opened(stage)
    stage.observe("day2", line("s2", 2, PORT))
    stage.fresh_clone()
    report = stage.run()
    assert [str(one.session) for one in report.sessions] == ["acme/s2"]
    assert report.proposal is not None
    assert (report.proposal.action, len(stage.double.open_pulls())) == ("updated", 1)
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
    assert "observations/day2.jsonl" in stage.files(BRANCH), "main was brought in"
    assert "2 sessions" in stage.double.pull(1).title


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
@pytest.mark.parametrize("deleted", [True, False])
def test_a_merge_is_recognised_and_counts_as_a_review(stage: Stage, how: MergeKind, *, deleted: bool) -> None:
    opened(stage)
    stage.double.merge(1, how, by="dana", delete_branch=deleted)
    report = stage.run()
    assert report.sessions == ()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.number) == ("opened", 2)
    assert subjects(stage) == ["verify"]
    assert len(report.proposal.verified_pages) == 2
    assert reviewers(stage, BRANCH, report.proposal.verified_pages[0]) == ["process:wikimill-gates", "human:dana"]
    stage.double.merge(2, how, by="erin", delete_branch=deleted)
    again = stage.run()
    assert again.proposal is not None
    assert again.proposal.action == "none", "a review of a review is no work"
    assert stage.double.open_pulls() == []


def test_a_merge_by_a_machine_is_nobodys_review(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, by="merger[bot]")
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.verified_pages) == ("none", ())


def test_a_later_change_by_itself_takes_the_review_out_again(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.run()
    stage.double.merge(2, "squash")
    page = next(one for one in stage.pages("main") if "/sessions/" in one)
    assert reviewers(stage, "main", page) == ["process:wikimill-gates", "human:dana"]
    stage.observe("day2", line("s1", 9, RETRY))
    stage.run()
    assert reviewers(stage, BRANCH, page) == ["process:wikimill-gates"]
    assert "a person's review of it lapses" in stage.double.pull(3).body


@pytest.mark.parametrize("deleted", [True, False])
def test_what_was_declined_is_not_proposed_again_until_its_evidence_changes(stage: Stage, *, deleted: bool) -> None:
    opened(stage)
    stage.double.close(1)
    if deleted:
        stage.double.delete_branch(BRANCH)
    report = stage.run()
    assert [one.state for one in report.sessions] == ["suppressed"]
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.suppressed) == ("none", 1)
    assert report.proposal.suppressed_by == (1,)
    assert not report.incomplete
    # The same clone, in which the commit still stands, and a new one.
    stage.fresh_clone()
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.proposal is not None
    branch = BRANCH if deleted else f"{BRANCH}-2"
    assert (report.proposal.action, report.proposal.branch, report.proposal.suppressed) == ("opened", branch, 1)
    assert subjects(stage, branch) == ["consolidate(acme/s2)"]
    assert COOKIES not in stage.double.pull(2).body
    stage.observe("day3", line("s1", 3, RETRY))
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.suppressed == 0
    assert subjects(stage, branch) == ["consolidate(acme/s2)", "consolidate(acme/s1)"]
    assert COOKIES in stage.double.pull(2).body
    assert RETRY in stage.double.pull(2).body


def test_somebody_can_ask_for_what_was_declined(stage: Stage) -> None:
    opened(stage)
    stage.double.close(1)
    report = stage.run(retry_declined=True)
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.number) == ("opened", 2)
    again = stage.run()
    assert again.proposal is not None
    assert again.proposal.action == "unchanged", "it is open, and so not suppressed any more"
    assert stage.double.pull(2).state == "open"


def test_a_declined_proposal_can_be_opened_again(stage: Stage) -> None:
    opened(stage)
    stage.double.close(1)
    stage.run()
    stage.double.reopen(1)
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.number) == ("unchanged", 1)


def test_a_persons_commit_on_the_branch_is_left_alone_and_new_work_waits(stage: Stage) -> None:
    opened(stage)
    page = next(one for one in stage.pages() if "/decisions/" in one)
    text = stage.file(BRANCH, f"wiki/{page}") or ""
    theirs = stage.double.repository.commit(BRANCH, {f"wiki/{page}": text.replace("signed", "sealed")}, "a better word")
    stage.observe("day2", line("s2", 2, PORT), line("s2", 3, RETRY))
    report = stage.run()
    assert [(one.state, one.observations) for one in report.sessions] == [("waiting", 2)]
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.foreign) == ("waiting", (theirs,))
    pull = stage.double.pull(1)
    assert pull.head == theirs
    assert pull.body.partition("\n\n")[2].startswith("**Blocked**: A person has committed to the branch")
    assert pull.body.count("a better word") >= 1
    assert "**Recreate**" in pull.body
    body = pull.body
    stage.run()
    assert stage.double.pull(1).body == body, "it is said once"
    stage.double.merge(1, "squash")
    report = stage.run()
    assert [(str(one.session), one.state) for one in report.sessions] == [("acme/s2", "consolidated")]
    assert "sealed" in (stage.file(BRANCH, f"wiki/{page}") or "")


def test_recreate_discards_what_it_named(stage: Stage) -> None:
    opened(stage)
    stage.double.repository.commit(BRANCH, {"wiki/acme/notes.md": "# Notes\n"}, "notes of mine")
    stage.run()
    stage.double.tick(1, "**Recreate**")
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.foreign) == ("updated", ())
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
    assert "wiki/acme/notes.md" not in stage.files(BRANCH)
    assert "[x]" not in stage.double.pull(1).body


def test_the_button_that_merges_main_is_no_work_of_a_person(stage: Stage) -> None:
    opened(stage)
    stage.double.repository.commit("main", {"code.py": "print(1)\n"}, "code")
    stage.double.repository.update_branch(BRANCH, "main")
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.action == "updated"
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]


def test_a_commit_that_a_person_amended_is_theirs(stage: Stage) -> None:
    opened(stage)
    clone = stage.clone
    clone.git("fetch", "-q", "origin")
    clone.git("switch", "-q", "--detach", f"origin/{BRANCH}")
    page = next(one for one in stage.pages() if "/decisions/" in one)
    clone.write(f"wiki/{page}", clone.read(f"wiki/{page}").replace(b"signed", b"sealed"))
    clone.git("commit", "-qa", "--amend", "--no-edit")
    clone.git("push", "-qf", "origin", f"HEAD:{BRANCH}")
    clone.git("switch", "-q", "main")
    head = stage.double.pull(1).head
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, stage.double.pull(1).head) == ("waiting", head)


def test_a_page_can_be_declined_by_a_box(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    page = next(one for one in stage.pages() if "/decisions/" in one and "cookies" in one)
    stage.double.tick(1, f"Ignore `{page}`")
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.declined_pages) == ("updated", (page,))
    assert page not in stage.pages()
    assert len(stage.pages()) == 3
    texts = stage.double.repository.ground.files(BRANCH, "wiki")
    for path, raw in texts.items():
        assert f"decisions/{page.rpartition('/')[2]}".encode() not in raw, f"{path} leads to a page that was declined"
    assert "[x]" not in stage.double.pull(1).body
    # It stays declined, and its session counts as consolidated, also in a new clone and after a merge.
    stage.fresh_clone()
    again = stage.run()
    assert again.proposal is not None
    assert (again.proposal.action, again.sessions) == ("unchanged", ())
    stage.double.merge(1, "squash")
    assert stage.run().sessions == ()


def test_a_session_can_be_declined_by_a_revert(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    clone = stage.clone
    clone.git("fetch", "-q", "origin")
    clone.git("switch", "-q", "-c", "mine", f"origin/{BRANCH}")
    clone.git("revert", "--no-edit", "HEAD")
    clone.git("push", "-q", "origin", f"mine:{BRANCH}")
    clone.git("switch", "-q", "main")
    stage.observe("day2", line("s3", 3, QUEUE))
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.action == "updated"
    assert [str(one.session) for one in report.sessions] == ["acme/s3"]
    assert not [one for one in stage.pages() if "port" in one]
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)", "consolidate(acme/s3)"]
    assert len(report.proposal.declined_pages) == 2


def test_a_persons_edit_on_main_stands_and_the_new_facts_come_beside_it(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.run()
    stage.double.merge(2, "squash")
    stage.observe("day2", line("s1", 9, RETRY))
    stage.run()
    page = next(one for one in stage.pages("main") if "/sessions/" in one)
    text = stage.file("main", f"wiki/{page}") or ""
    mine = text.replace("We decided to keep login state", "Of course we keep login state")
    assert mine != text
    stage.double.repository.commit("main", {f"wiki/{page}": mine}, "a word of mine")
    stage.observe("day3", line("s2", 10, PORT))
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.action == "updated"
    merged = stage.file(BRANCH, f"wiki/{page}") or ""
    assert "Of course we keep login state" in merged
    assert RETRY in merged
    assert "We decided to keep login state" not in re.sub(r"^---\n.*?\n---\n", "", merged, flags=re.DOTALL)


def test_a_proposal_of_which_main_holds_everything_is_closed(stage: Stage) -> None:
    opened(stage)
    files = {f"wiki/{path}": raw.decode() for path, raw in stage.double.repository.ground.files(BRANCH, "wiki").items()}
    stage.double.repository.commit("main", files, "by hand")
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.action == "closed"
    assert stage.double.pull(1).state == "closed"
    assert BRANCH not in stage.double.repository.branches()


class Another(ExtractiveModel):
    """Another model, by its name."""

    @property
    def name(self) -> str:
        return "another"


def test_a_session_that_was_taken_again_is_not_taken_for_merged(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.run()
    stage.double.merge(2, "squash")
    stage.model = Another()
    report = stage.run(reconsolidate=True)
    assert [one.state for one in report.sessions] == ["consolidated"]
    assert subjects(stage) == ["consolidate(acme/s1)"]
    stage.double.repository.commit("main", {"code.py": "print(1)\n"}, "code")
    stage.observe("day2", line("s2", 2, PORT))
    stage.fresh_clone()
    stage.run()
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]
