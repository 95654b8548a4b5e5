"""A merge counts as the review of whoever merged: of the pages that are as they were merged, and of no other file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pipeline.git import open_repository
from pipeline.proposing.looking import look
from pipeline.proposing.opening import open_hosted
from pipeline.proposing.stamping import stamp
from pipeline.wiki.format.page import parse_page, trust_tier
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.proposal.proposal import Proposal


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES))
        ground.run()
        yield ground


def stamped(stage: Stage, **told: object) -> tuple[str, ...]:
    """Stamp what is due, and give the pages."""
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        standing = look(hosted)
        merged: list[Proposal] = [replace(one, **told) for one in standing.merged]  # type: ignore[arg-type]  # as told
        tip, pages = stamp(hosted, merged, standing.base_tip, standing.base_tip, at=stage.now())
        changed = [one.path.removeprefix("wiki/") for one in hosted.repository.changes(standing.base_tip, tip)]
        assert changed == list(pages)
        for page in pages:
            raw = hosted.repository.snapshot(tip, "wiki")[page]
            assert trust_tier(parse_page(page, raw)) == "human-reviewed"
    return pages


def edit(stage: Stage, page: str, old: str, new: str) -> None:
    text = stage.file("main", f"wiki/{page}") or ""
    assert old in text
    stage.double.repository.commit("main", {f"wiki/{page}": text.replace(old, new, 1)}, "mine")


def test_pages_as_they_were_merged_are_reviewed(stage: Stage) -> None:
    pages = stage.pages()
    stage.double.merge(1, "squash")
    assert list(stamped(stage)) == sorted(pages)


@pytest.mark.parametrize(
    ("old", "new"), [("signed", "sealed"), ("title:", "locked: true\ntitle:")], ids=["edited", "locked"]
)
def test_a_page_that_changed_since_or_is_locked_gets_nothing(stage: Stage, old: str, new: str) -> None:
    stage.double.merge(1, "squash")
    page, other = stage.pages("main")
    edit(stage, page, old, new)
    assert stamped(stage) == (other,)


def test_a_page_that_was_locked_before_the_merge_gets_nothing(stage: Stage) -> None:
    page, other = stage.pages()
    text = stage.file(BRANCH, f"wiki/{page}") or ""
    locked = text.replace("title:", "locked: true\ntitle:", 1)
    stage.double.repository.commit(BRANCH, {f"wiki/{page}": locked}, "lock it")
    stage.double.merge(1, "squash")
    assert stamped(stage) == (other,)


def test_only_pages_are_stamped_whatever_a_message_says(stage: Stage) -> None:
    said = "mine\n\nSession: acme/x\nPage: acme/index.md 0123456789abcdef\nPage: ../code.md 0123456789abcdef\n"
    stage.double.repository.commit(BRANCH, {"wiki/acme/mine.md": "# Mine\n"}, said)
    pages = [one for one in stage.pages() if one != "acme/mine.md"]
    stage.double.merge(1, "squash")
    assert list(stamped(stage)) == sorted(pages)


@pytest.mark.parametrize(
    "told",
    [
        {"merged_by_person": False},
        {"merged_by": "dana\nVerified: x"},
        {"merged_by": ""},
        {"merged_at": None},
        {"merge_commit": ""},
    ],
)
def test_without_a_person_a_time_and_a_commit_nobody_has_reviewed(stage: Stage, told: dict[str, object]) -> None:
    stage.double.merge(1, "squash")
    assert stamped(stage, **told) == ()


def test_a_review_that_was_declined_is_not_proposed_again(stage: Stage) -> None:
    stage.double.merge(1, "squash")
    assert stage.run().proposal is not None
    stage.double.close(2)
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.verified_pages) == ("none", ())
    assert stage.double.open_pulls() == []
    stage.observe("day2", line("s2", 2, PORT))
    again = stage.run()
    assert again.proposal is not None
    assert (again.proposal.action, again.proposal.verified_pages) == ("opened", ())
    asked = stage.run(retry_declined=True)
    assert asked.proposal is not None
    assert len(asked.proposal.verified_pages) == 2


def test_a_stamp_is_a_sealed_commit_of_ours(stage: Stage) -> None:
    stage.double.merge(1, "merge")
    stage.run("prepare")
    with open_repository(stage.root, stage.outside.environment) as repository:
        (commit,) = repository.commits_between("main", BRANCH)
    assert commit.message.startswith("verify: 2 pages by human:dana\n")
    assert commit.trailers["Proposal"] == ("github.test/acme/wiki/pull/1",)
    assert set(commit.trailers) == {"Verified-by", "Verified-at", "Proposal", "Verified", "Content"}
