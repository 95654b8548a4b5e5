"""What the text of a real proposal tells, run after run, from the host, git and the report alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.config import parse_settings
from pipeline.errors import CapReached, InvalidReply, NotPermitted
from pipeline.models.extractive.model import ExtractiveModel
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_long_use import done
from tests.proposing.test_states import COOKIES, PORT, QUEUE, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.models.model import Reply
    from pipeline.prompt import Request
    from pipeline.proposal.proposal import HostName


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        yield ground
        assert ground.double.violations() == []


class Picky(ExtractiveModel):
    """Answers about all sessions but some."""

    def __init__(self, fault: Callable[[str], Exception | None]) -> None:
        super().__init__()
        self._fault = fault

    def complete(self, request: Request) -> Reply:
        fault = self._fault(request.projection.session.session_id)
        if fault is not None:
            raise fault
        return super().complete(request)


def body(stage: Stage, number: int = 1) -> str:
    return stage.double.pull(number).body


def test_the_click_that_checks_wait_for_is_told_for_the_token_of_actions_alone(stage: Stage) -> None:
    opened(stage)
    assert "must press **Approve and run**" in body(stage)
    stage.double.merge(1, "squash")
    stage.token = stage.double.token("app")
    stage.observe("day2", line("s2", 2, PORT))
    assert done(stage).number == 2
    assert "Approve and run" not in body(stage, 2)


def test_who_shall_review_it_is_asked_and_how_it_is_labelled_is_set(tmp_path: Path) -> None:
    chosen = '[proposal]\nreviewers = ["dana", "erin"]\nlabels = ["knowledge"]\n'
    with on_stage(tmp_path, chosen) as stage:
        opened(stage)
        pull = stage.double.pull(1)
        assert (sorted(pull.reviewers), sorted(pull.labels)) == (["dana", "erin"], ["knowledge"])


def test_what_waits_behind_a_person_is_counted(stage: Stage) -> None:
    opened(stage)
    stage.double.repository.commit(BRANCH, {"wiki/acme/mine.md": "# Mine\n"}, "mine")
    stage.observe("day2", line("s2", 2, PORT), line("s2", 3, QUEUE), line("s3", 4, QUEUE))
    assert done(stage).action == "waiting"
    assert body(stage).partition("\n\n")[2].startswith("**Blocked**")
    assert "Meanwhile 2 sessions with 3 new observations wait." in body(stage)


def test_what_failed_in_an_earlier_run_is_told_until_it_is_there(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.model = Picky(lambda session: InvalidReply("prose") if session == "s2" else None)
    stage.run()
    failed = "- `acme/s2` failed; the next run tries it again: "
    assert body(stage).partition("\n\n")[2].startswith("**Partial**: Of the sessions: 1 failed.")
    assert failed in body(stage)
    stage.observe("day2", line("s3", 3, QUEUE))
    stage.run(project="acme")
    assert failed in body(stage)
    stage.model = ExtractiveModel()
    stage.run()
    assert failed not in body(stage)
    assert body(stage).partition("\n\n")[2].startswith("**Complete**")


def test_what_a_cap_left_is_told(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.model = Picky(lambda session: CapReached("enough") if session == "s2" else None)
    stage.run()
    assert body(stage).partition("\n\n")[2].startswith("**Partial**: Of the sessions: 1 left.")
    assert "- `acme/s2` left for the next run: " in body(stage)


def test_a_session_that_is_parked_since_long_is_told_in_every_proposal(stage: Stage) -> None:
    stage.settings = parse_settings("[run]\nattempts = 1\n")
    stage.observe("day1", line("s1", 1, COOKIES), line("s2", 2, PORT))
    stage.model = Picky(lambda session: InvalidReply("prose") if session == "s2" else None)
    stage.run()
    assert "- `acme/s2` parked after it failed several times" in body(stage)
    stage.double.merge(1, "squash")
    stage.model = ExtractiveModel()
    stage.observe("day2", line("s3", 3, QUEUE))
    assert done(stage).number == 2
    assert body(stage, 2).partition("\n\n")[2].startswith("**Partial**: Of the sessions: 1 parked.")
    assert "- `acme/s2` parked after it failed several times" in body(stage, 2)


def test_what_was_declined_and_which_proposal_this_one_follows_is_told(stage: Stage) -> None:
    opened(stage)
    stage.double.close(1)
    stage.observe("day2", line("s2", 2, PORT))
    assert done(stage).number == 2
    assert "It follows #1, which was closed without being merged." in body(stage, 2)
    assert "1 session was declined or taken back before (#1) and was not proposed again" in body(stage, 2)


def test_what_changed_since_a_look_is_told_page_by_page(stage: Stage) -> None:
    opened(stage)
    stage.double.review(1, by="lee")
    page = next(path for path in stage.pages() if "/decisions/" in path)
    stage.observe("day2", line("s2", 2, PORT))
    stage.run()
    since = body(stage).partition("**Changed since your last review (lee, ")[2].partition("### ")[0]
    new = [path for path in stage.pages() if "port" in path]
    assert len(new) == 2
    assert all(f"- `{path}`" in since for path in new)
    assert page not in since


def test_times_without_a_zone_are_told_with_what_else_the_run_reports(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES, ts="2026-11-29T08:00:00"))
    stage.run()
    told = body(stage).partition("<summary>The last run, as its report tells it</summary>")[2]
    assert "- 1 new observation in 1 of 1 file; 1 time without a zone, read as UTC." in told
    assert "- consolidated acme/s1: 1 observation" in told


@pytest.mark.parametrize("archived", [False, True])
def test_what_the_host_forbids_stops_a_run_before_the_model(stage: Stage, *, archived: bool) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    if archived:
        stage.double.settings.archived = True
    else:
        stage.double.settings.rules[BRANCH] = [{"type": "update"}]
    stage.model = Picky(lambda _: AssertionError("nobody is to be asked"))
    with pytest.raises(NotPermitted) as caught:
        stage.run()
    assert caught.value.message
    assert stage.double.pulls == {}


@pytest.mark.parametrize(("host", "page"), [("github", "/blob/"), ("gitlab", "/-/blob/")])
def test_a_quotation_leads_to_the_line_on_the_host(tmp_path: Path, host: HostName, page: str) -> None:
    with on_stage(tmp_path, host=host) as stage:
        stage.double.repository.commit("main", {"observations/a b#1.jsonl": line("s1", 1, COOKIES)}, "observations")
        stage.run()
        web = f"{stage.double.web_url}/acme/wiki{page}main/observations/a%20b%231.jsonl#L1"
        assert f"[`observations/a b#1.jsonl:1`](<{web}>), dana, 2026-11-29 08:01 UTC, word for word" in body(stage)
