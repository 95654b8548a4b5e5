"""Turns that people take on a host and on its main branch: nothing is stuck, lost, paid for twice or proposed twice."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from pipeline.config import parse_settings
from pipeline.errors import ConfigError, Rejected
from pipeline.git import Content, NewCommit, open_repository
from pipeline.proposing import proposing
from pipeline.proposing.inspecting import inspect
from pipeline.report import exit_code
from tests.forge.github_state import Account
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_long_use import done
from tests.proposing.test_states import COOKIES, PORT, QUEUE, opened, reviewers, subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.finding import Finding
    from tests.forge.hosting import MergeKind

FILE = "observations/day1.jsonl"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        yield ground
        assert ground.double.violations() == []


def on_main(stage: Stage, *commands: tuple[str, ...]) -> None:
    """Do something in the clone as a person, over main as it is on the host, and push it."""
    clone = stage.clone
    clone.git("fetch", "-q")
    clone.git("switch", "-q", "-C", "mine", "origin/main")
    for command in commands:
        clone.git(*command)
    clone.git("push", "-q", "origin", "mine:main")
    clone.git("switch", "-q", "main")


def pack(stage: Stage) -> None:
    raw = (stage.file("main", FILE) or "").encode()
    place = stage.root / f"{FILE}.gz"
    stage.clone.git("pull", "-q")
    place.write_bytes(gzip.compress(raw, mtime=0))
    stage.clone.git("rm", "-q", FILE)
    stage.clone.git("add", "-A")
    stage.clone.git("commit", "-qm", "pack")
    stage.clone.git("push", "-q", "origin", "main")


def rename(stage: Stage) -> None:
    on_main(stage, ("mv", FILE, "observations/other.jsonl"), ("commit", "-qm", "rename"))


def remove(stage: Stage) -> None:
    on_main(stage, ("rm", "-q", FILE), ("commit", "-qm", "remove"))


def correct(stage: Stage) -> None:
    text = (stage.file("main", FILE) or "").replace("signed cookies", "sealed biscuits")
    stage.double.repository.commit("main", {FILE: text}, "correct it")


@pytest.mark.parametrize("change", [rename, remove, correct, pack])
def test_a_proposal_goes_on_though_what_it_cites_changes_on_main(stage: Stage, change: Callable[[Stage], None]) -> None:
    stage.observe("day1", line("s1", 1, COOKIES, id="one"))
    stage.run()
    change(stage)
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.fault is None, report.fault
    assert "consolidate(acme/s2)" in subjects(stage)
    assert len(stage.double.open_pulls()) == 1


def test_a_proposal_goes_on_though_the_redaction_learns_a_word_that_stands_in_it(stage: Stage) -> None:
    opened(stage)
    stage.settings = parse_settings('[[redaction.patterns]]\nkind = "word"\npattern = "signed cookies"\n')
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.fault is None, report.fault
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]


def the_session_page(stage: Stage) -> str:
    return next(path for path in stage.pages("main") if "/sessions/" in path)


@pytest.mark.parametrize("fresh", [False, True])
def test_what_a_proposal_brings_to_a_page_finds_it_where_it_was_moved(stage: Stage, *, fresh: bool) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s1", 2, QUEUE, kind="observation"))
    assert "queue per tenant" in all_text(stage, done(stage).branch)
    page = the_session_page(stage)
    moved = page.replace(".md", "-by-another-name.md")
    on_main(stage, ("mv", f"wiki/{page}", f"wiki/{moved}"), ("commit", "-qm", "a better name"))
    if fresh:
        stage.fresh_clone()
    report = stage.run()
    assert [(str(one.session), one.state) for one in report.sessions] == [("acme/s1", "consolidated")]
    assert [one.message for one in report.findings if one.rule == "taken-again"] == [
        f"the page was moved to {moved}; session acme/s1, which had more for it, is taken again."
    ]
    assert "queue per tenant" in (stage.file(BRANCH, f"wiki/{moved}") or "")
    assert page not in stage.pages(BRANCH)
    assert stage.run().sessions == ()


def test_what_a_proposal_brings_to_a_page_that_nobody_can_read_is_not_lost(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s1", 2, QUEUE, kind="observation"))
    stage.run()
    page = the_session_page(stage)
    good = stage.file("main", f"wiki/{page}") or ""
    stage.double.repository.commit("main", {f"wiki/{page}": good.replace("title:", "title: [")}, "a slip")
    stage.run()
    stage.double.repository.commit("main", {f"wiki/{page}": good}, "mended")
    stage.run()
    stage.run()
    assert "queue per tenant" in all_text(stage, BRANCH)


def test_a_page_that_a_person_removed_stays_so(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s1", 2, QUEUE, kind="observation"))
    stage.run()
    page = the_session_page(stage)
    on_main(stage, ("rm", "-q", f"wiki/{page}"), ("commit", "-qm", "not needed"))
    report = stage.run()
    assert report.sessions == ()
    assert any("queue per tenant" in one.message for one in report.findings if one.rule == "page-gone")


def all_text(stage: Stage, branch: str) -> str:
    return "\n".join(stage.file(branch, f"wiki/{path}") or "" for path in stage.pages(branch))


@pytest.mark.parametrize("fresh", [False, True])
def test_a_proposal_that_is_opened_again_beside_another_takes_nothing_from_it(stage: Stage, *, fresh: bool) -> None:
    opened(stage)
    stage.double.close(1)
    stage.observe("day2", line("s2", 2, PORT))
    assert done(stage).number == 2
    stage.double.reopen(1)
    stage.observe("day3", line("s3", 3, QUEUE))
    if fresh:
        stage.fresh_clone()
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.number == 1
    states = {str(one.session): (one.state, one.reason) for one in report.sessions}
    assert states["acme/s3"][0] == "consolidated"
    if fresh:
        assert states["acme/s2"] == ("waiting", "it stands in proposal 2, which is open as well")
    assert ["2 (wikimill/consolidate-2)" in one.message for one in report.findings if "several" in one.rule] == [True]
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s3)"]
    stage.double.merge(2, "squash")
    stage.run()
    stage.double.merge(1, "squash")
    assert stage.run().sessions == ()
    assert len([path for path in stage.pages("main") if "/decisions/" in path]) == 3


def test_a_proposal_goes_on_until_it_ends_though_another_branch_is_configured(stage: Stage) -> None:
    opened(stage)
    stage.settings = parse_settings('[proposal]\nbranch = "wiki/next"\n')
    stage.observe("day2", line("s2", 2, PORT))
    stage.fresh_clone()
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.number, report.proposal.branch) == (1, BRANCH)
    assert [str(one.session) for one in report.sessions] == ["acme/s2"], "nothing is paid for twice"
    stage.double.merge(1, "squash")
    stage.observe("day3", line("s3", 3, QUEUE))
    outcome = done(stage)
    assert (outcome.number, outcome.branch) == (2, "wiki/next")


def test_the_proposal_of_another_wiki_in_the_repository_is_its_own(tmp_path: Path) -> None:
    with on_stage(tmp_path) as stage:
        repository = stage.double.repository
        repository.git("update-ref", "refs/heads/other/wiki", repository.tip("main"))
        repository.commit("other/wiki", {"docs/wiki/a.md": "# A\n"}, "another wiki")
        region = "<!-- wikimill:begin -->\nOther.\n<!-- wikimill:end -->\n"
        stage.double.add("other/wiki", "main", "wiki: other", region, Account("bot", "Bot"))
        stage.observe("day1", line("s1", 1, COOKIES))
        outcome = done(stage)
        assert (outcome.action, outcome.number, outcome.branch) == ("opened", 2, BRANCH)


def test_a_branch_that_git_can_merge_no_more_is_brought_up_to_date(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    commits = stage.double.repository.commits("main", BRANCH)
    on_main(stage, ("cherry-pick", commits[0].id))
    assert not stage.double.repository.can_merge(BRANCH, "main")
    assert done(stage).action == "updated"
    assert stage.double.repository.can_merge(BRANCH, "main")
    assert subjects(stage) == ["consolidate(acme/s2)"]
    assert done(stage).action == "unchanged"


def test_a_persons_own_branch_of_that_name_is_left_alone_and_nothing_waits(stage: Stage) -> None:
    theirs = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.double.repository.git("update-ref", f"refs/heads/{BRANCH}", theirs)
    theirs = stage.double.repository.commit(BRANCH, {"notes.md": "mine\n"}, "mine")
    stage.observe("day1", line("s1", 1, COOKIES))
    outcome = done(stage)
    assert (outcome.action, outcome.branch) == ("opened", f"{BRANCH}-2")
    assert stage.double.repository.tip(BRANCH) == theirs
    assert done(stage).action == "unchanged"


@pytest.mark.parametrize("name", [BRANCH, f"{BRANCH}-2"])
def test_nothing_is_pushed_directly_to_a_branch_of_proposals(stage: Stage, name: str) -> None:
    opened(stage)
    head = stage.double.pull(1).head
    stage.double.close(1)
    stage.clone.git("fetch", "-q")
    stage.clone.git("switch", "-q", "-c", name, head) if name != BRANCH else stage.clone.git("switch", "-q", BRANCH)
    with pytest.raises(ConfigError, match="is the branch of proposals"):
        stage.run("push")
    assert stage.double.repository.tip(BRANCH) == head


@pytest.mark.parametrize("kind", ["merge", "squash", "rebase"])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_merge_that_is_taken_back_on_main_was_declined(stage: Stage, kind: MergeKind, *, fresh: bool) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    before = stage.double.repository.tip("main")
    stage.double.merge(1, kind)
    merged = ("-m", "1", "HEAD") if kind == "merge" else (f"{before}..HEAD",)
    on_main(stage, ("revert", "--no-edit", *merged))
    if fresh:
        stage.fresh_clone()
    report = stage.run()
    assert {(one.state, one.reason) for one in report.sessions} == {
        ("suppressed", "taken back after proposal 1 was merged, and nothing new was observed since")
    }
    assert report.proposal is not None
    assert (report.proposal.suppressed, report.proposal.suppressed_by) == (2, (1,))
    assert stage.double.open_pulls() == []
    stage.observe("day2", line("s1", 3, QUEUE))
    assert {str(one.session): one.state for one in stage.run().sessions} == {
        "acme/s1": "consolidated",
        "acme/s2": "suppressed",
    }, "what has new evidence is proposed again"
    assert {str(one.session): one.state for one in stage.run(retry_declined=True).sessions} == {
        "acme/s2": "consolidated"
    }, "and so is what somebody asks for"


def test_whoever_takes_the_revert_back_has_the_pages_again(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    on_main(stage, ("revert", "--no-edit", "HEAD"))
    stage.run()
    on_main(stage, ("revert", "--no-edit", "HEAD"))
    assert stage.run().sessions == ()
    assert [path for path in stage.pages("main") if "/decisions/" in path]


def test_a_place_where_a_persons_edit_met_a_sessions_is_told_until_it_is_merged(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s1", 2, QUEUE, kind="observation"))
    stage.run()
    page = the_session_page(stage)
    mine = (stage.file("main", f"wiki/{page}") or "").replace("signed cookies", "signed, HTTP-only cookies")
    stage.double.repository.commit("main", {f"wiki/{page}": mine + "\nA word of mine.\n"}, "mine")
    report = stage.run()
    told = [one for one in report.findings if one.rule == "merged-beside"]
    assert told
    (pull,) = stage.double.open_pulls()
    heading = f"### Beside a person's edit ({len(told)})"
    assert heading in pull.body
    stage.observe("day3", line("s3", 3, PORT))
    later = stage.run()
    assert not [one for one in later.findings if one.rule == "merged-beside"]
    assert heading in stage.double.pull(pull.number).body, "both still stand on the page"
    stage.double.merge(pull.number, "squash")
    stage.observe("day4", line("s4", 4, "We decided to log in UTC, because clocks differ."))
    stage.run()
    assert "### Beside a person's edit" not in stage.double.open_pulls()[0].body


def test_a_review_that_a_later_session_made_outdated_is_not_claimed(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash", by="dana")
    stage.run()
    page = the_session_page(stage)
    (pull,) = stage.double.open_pulls()
    marked = f"- `{page}` (human:dana)"
    assert marked in pull.body
    stage.observe("day2", line("s1", 2, QUEUE, kind="observation"))
    stage.run()
    body = stage.double.pull(pull.number).body
    assert marked not in body
    row = next(one for one in body.splitlines() if one.startswith("| ") and page in one)
    assert "a person's review of it lapses" in row
    assert "**Marked as reviewed**" in body, "the other page is as it was merged"


def test_whoever_closes_pages_does_not_decline_a_review(stage: Stage) -> None:
    opened(stage)
    stage.double.merge(1, "squash", by="dana")
    stage.observe("day2", line("s2", 2, PORT))
    assert len(done(stage).verified_pages) == 2
    stage.double.close(2, by="erin")
    stage.observe("day3", line("s3", 3, QUEUE))
    assert len(done(stage).verified_pages) == 2, "erin declined the pages of s2, and nothing was asked of dana's word"
    stage.double.merge(3, "squash")
    stage.run()


def test_an_observation_from_the_future_can_be_declined(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES, ts="2027-05-01T08:00:00Z"))
    stage.run()
    stage.double.close(1)
    for fresh in (False, True):
        if fresh:
            stage.fresh_clone()
        assert [one.state for one in stage.run().sessions] == ["suppressed"]
    assert stage.double.open_pulls() == []


def test_what_main_alone_changed_is_not_told_as_changed_since_a_review(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s3", 3, QUEUE))
    stage.run()
    (pull,) = stage.double.open_pulls()
    stage.double.review(pull.number, by="lee")
    page = next(path for path in stage.pages("main") if "/decisions/" in path and "port" in path)
    mine = (stage.file("main", f"wiki/{page}") or "") + "\nA word of mine.\n"
    stage.double.repository.commit("main", {f"wiki/{page}": mine}, "mine")
    stage.observe("day4", line("s3", 4, "We decided to log in UTC, because clocks differ."))
    stage.run()
    body = stage.double.pull(pull.number).body
    since = body.partition("**Changed since your last review")[2].partition("### ")[0]
    assert "session" in since
    assert page not in since
    assert reviewers(stage, BRANCH, page) == ["process:wikimill-gates"], "it is not what dana merged"
    assert "verify: 3 pages by human:dana" in stage.double.repository.git("log", "--format=%s", f"main..{BRANCH}")


def test_a_box_brings_the_newest_main_in_though_no_page_changes(stage: Stage) -> None:
    opened(stage)
    tip = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    assert done(stage).action == "unchanged"
    assert stage.double.repository.fork_point("main", BRANCH) != tip
    stage.double.tick(1, "**Rebase**")
    assert done(stage).action == "updated"
    assert stage.double.repository.fork_point("main", BRANCH) == tip
    assert "[x]" not in stage.double.pull(1).body


def test_a_proposal_that_is_closed_while_it_is_checked_keeps_its_branch(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(stage)
    stage.observe("day2", line("s2", 2, PORT))
    head = stage.double.pull(1).head

    def close_meanwhile(*arguments: object, **more: object) -> tuple[Finding, ...]:
        stage.double.close(1)
        return inspect(*arguments, **more)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(proposing, "inspect", close_meanwhile)
    report = stage.run()
    assert report.fault is not None
    assert (report.fault.kind, stage.double.repository.tip(BRANCH)) == ("BranchMoved", head)


def test_a_commit_without_our_seal_is_not_pushed(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.run("prepare")
    handed = stage.root / ".wikimill/proposal"
    seen = json.loads((handed / "seen.json").read_text(encoding="utf-8"))
    with open_repository(stage.root, stage.outside.environment) as repository:
        page = NewCommit({"wiki/acme/a.md": Content(b"# A\n")}, "consolidate(acme/s2): a\n")
        (tip,) = repository.build_chain(seen["tip"], (page,), at=stage.now())
        (handed / "commits.bundle").unlink()
        repository.write_bundle(handed / "commits.bundle", base=seen["base_tip"], head=tip)
    (handed / "seen.json").write_text(json.dumps({**seen, "tip": tip}), encoding="utf-8")
    with pytest.raises(Rejected, match="holds commits that wikimill did not make"):
        stage.propose()
    assert list(stage.double.repository.branches()) == ["main"]


@pytest.mark.parametrize("known", [False, True])
def test_a_clone_without_observations_is_told(stage: Stage, *, known: bool) -> None:
    if known:
        opened(stage)
        stage.double.merge(1, "squash")
        stage.double.repository.commit("main", {"observations/README.md": "Notes.\n"}, "notes")
        on_main(stage, ("rm", "-q", FILE), ("commit", "-qm", "lost"))
    report = stage.run()
    (found,) = [one for one in report.findings if one.rule == "no-observations"]
    assert (found.severity, exit_code(report)) == (("error", 3) if known else ("warning", 0))
    assert ("the ledger knows 1" in found.message) == known


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_page_that_was_left_out_comes_back_when_somebody_asks(stage: Stage, *, merged: bool, fresh: bool) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    page = next(one for one in stage.pages() if "/decisions/" in one and "cookies" in one)
    stage.double.tick(1, f"Ignore `{page}`")
    assert done(stage).declined_pages == (page,)
    if merged:
        stage.double.merge(1, "squash")
        stage.run()
    if fresh:
        stage.fresh_clone()
    assert stage.run().sessions == ()
    report = stage.run(retry_declined=True)
    assert [(str(one.session), one.state) for one in report.sessions] == [("acme/s1", "consolidated")]
    assert page in stage.pages()
    (pull,) = stage.double.open_pulls()
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.double.tick(pull.number, "**Rebase**")
    assert done(stage).action == "updated"
    assert page in stage.pages(), "it is laid over the newest main with the others"
    stage.double.merge(pull.number, "squash")
    stage.run()
    assert stage.run(retry_declined=True).sessions == (), "what was merged whole is not asked for again"


def test_a_direct_push_leaves_to_a_proposal_what_it_holds(stage: Stage) -> None:
    opened(stage)
    stage.observe("day2", line("s2", 2, PORT))
    stage.fresh_clone()
    report = stage.run("push")
    assert {str(one.session): (one.state, one.reason) for one in report.sessions} == {
        "acme/s1": ("waiting", "it stands in proposal 1, which is open as well"),
        "acme/s2": ("consolidated", report.sessions[-1].reason),
    }
    assert [path for path in stage.pages("main") if "port" in path]
    stage.double.close(1)
    assert stage.run("push").sessions[0].state == "consolidated", "whoever pushes directly is asked by nobody"


def test_a_folder_that_takes_the_place_of_a_page_stays(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.run()
    page = next(path for path in stage.pages() if "/decisions/" in path and "cookies" in path)
    stage.double.repository.commit("main", {f"wiki/{page}/notes.md": "# Notes\n"}, "a folder")
    stage.observe("day3", line("s3", 3, QUEUE))
    report = stage.run()
    assert report.fault is None, report.fault
    assert [one.where for one in report.findings if one.rule == "page-gone"] == [page]
    assert {f"{page}/notes.md"} < set(stage.pages())
    assert [path for path in stage.pages() if "queue" in path]


LEARNT = '[[redaction.patterns]]\nkind = "word"\npattern = "(?i)cookies"\n'


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("session", ["s1", "s2"])
def test_a_redaction_that_learns_a_word_of_ids_paths_and_titles_stops_nothing(
    stage: Stage, session: str, *, merged: bool
) -> None:
    stage.observe("day1", line("s1", 1, COOKIES, id="about-cookies"))
    stage.run()
    if merged:
        stage.double.merge(1, "squash")
    stage.settings = parse_settings(LEARNT)
    stage.observe("day1", line(session, 2, PORT))
    for fresh in (False, True):
        if fresh:
            stage.fresh_clone()
            stage.observe("day1", line(session, 3, QUEUE))
        report = stage.run()
        assert report.fault is None, report.fault
    stage.settings = parse_settings("")
    stage.observe("day1", line(session, 4, "We decided to log in UTC, because clocks differ."))
    report = stage.run()
    assert report.fault is None, report.fault
