"""Commits are laid over another base, without the pages that people declined, and what is left is sound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pipeline.config import LintSettings
from pipeline.git import Content, NewCommit, seal, trailers_of
from pipeline.observations.observation import SessionKey
from pipeline.proposing.looking import read_steps
from pipeline.proposing.opening import open_hosted
from pipeline.proposing.replaying import Replayed, replay
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.ledger import session_path
from pipeline.wiki.linting.lint import lint
from pipeline.wiki.markdown.links import links, resolve
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, QUEUE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES), line("s1", 2, PORT), line("s2", 3, QUEUE))
        ground.run("prepare")
        yield ground


def laid(
    stage: Stage,
    base: str = "main",
    *,
    head: str = BRANCH,
    ignored: tuple[str, ...] = (),
    reverted: tuple[int, ...] = (),
) -> Replayed:
    """Lay the commits of `head` over a base, without some pages, or without those of some commits by their place."""
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        tip = stage.clone.tip(base)
        steps = read_steps(hosted, tip, head)
        gone = {steps[place].id for place in reverted}
        return replay(hosted, tip, steps, ignored=ignored, reverted=gone, at=stage.now())


def wrong(stage: Stage, commit: str) -> list[str]:
    """Tell what the lint finds, except that sessions are short of links to declined pages' subjects."""
    found = lint(stage.clone.files(commit), settings=LintSettings(), today=stage.now().date())
    return [f"{one.where} {one.rule}: {one.message}" for one in found if one.rule != "orphan"]


def page(stage: Stage, part: str) -> str:
    return next(path for path in stage.clone.files(BRANCH) if "/decisions/" in path and part in path)


def test_on_the_same_base_nothing_is_made_anew(stage: Stage) -> None:
    assert laid(stage) == Replayed(stage.clone.tip(BRANCH))
    assert laid(stage, BRANCH) == Replayed(stage.clone.tip(BRANCH))


def test_on_another_base_the_same_stands(stage: Stage) -> None:
    stage.clone.commit("code", **{"code2.py": "2\n"})
    tip = laid(stage).tip
    assert stage.clone.git("rev-parse", f"{tip}~2").strip() == stage.clone.tip("main")
    assert stage.clone.files(tip) == stage.clone.files(BRANCH)
    again = stage.clone.git("log", "-2", "--format=%B", tip), stage.clone.git("log", "-2", "--format=%B", BRANCH)
    assert again[0] == again[1], "the seal is of what changes, and that is the same"


def test_what_the_base_holds_is_not_laid_again(stage: Stage) -> None:
    stage.clone.git("merge", "-q", "--squash", BRANCH)
    stage.clone.git("commit", "-q", "-m", "squashed")
    assert laid(stage).tip == stage.clone.tip("main")


@pytest.mark.parametrize("part", ["cookies", "port", "queue"])
def test_a_page_that_was_declined_is_gone_and_nothing_leads_to_it(stage: Stage, part: str) -> None:
    gone = page(stage, part)
    found = laid(stage, ignored=(gone, "acme/no-such-page.md"))
    files = stage.clone.files(found.tip)
    assert found.declined == (gone,)
    assert set(stage.clone.files(BRANCH)) - set(files) == {gone}
    assert not [path for path, raw in files.items() if path.endswith(".md") and gone in leads(path, raw)]
    assert wrong(stage, found.tip) == wrong(stage, BRANCH)
    (declined,) = [
        told
        for one in range(2)
        if "Declined" in (told := trailers_of(stage.clone.git("log", "-1", "--format=%B", f"{found.tip}~{one}")))
    ]
    assert declined["Declined"] == (gone,)
    assert not [one for one in declined["Page"] if one.startswith(gone)]
    assert declined["Pages"] == (str(len(declined["Page"])),)
    # Laid again, also over another base, it stays declined.
    again = laid(stage, head=found.tip)
    assert again == Replayed(found.tip, (), (gone,))
    stage.clone.commit("code", **{"code2.py": "2\n"})
    other = laid(stage, head=found.tip)
    assert (other.declined, stage.clone.files(other.tip)) == ((gone,), files)


def test_a_session_that_was_declined_stays_recorded(stage: Stage) -> None:
    found = laid(stage, reverted=(0,))
    files = stage.clone.files(found.tip)
    assert len(found.declined) == 3
    assert {path for path in stage.clone.files(BRANCH) if path.startswith(".ledger/")} <= set(files)
    assert [path for path in files if "/decisions/" in path and path.endswith(".md") and "index" not in path] == [
        page(stage, "queue")
    ]
    assert wrong(stage, found.tip) == []
    both = laid(stage, reverted=(0, 1))
    assert not [path for path in stage.clone.files(both.tip) if not path.startswith(".ledger/")]
    assert wrong(stage, both.tip) == []


def leads(path: str, raw: bytes) -> set[str]:
    """Tell where the links of a file lead, those of its front matter included."""
    found = (resolve(path, one.address) for one in links(raw.decode()))
    return {target.path for target in found if target is not None}


def record(stage: Stage) -> tuple[str, str]:
    """Make the record of another session, which knows what no other one does."""
    name = next(path for path in stage.clone.files(BRANCH) if path.startswith(".ledger/sessions/acme/s2-"))
    text = stage.clone.files(BRANCH)[name].decode()
    text = re.sub(r'("id": ?")', r"\1another-", text.replace('"s2"', '"s9"'))
    return session_path(SessionKey("default", "acme", "s9")), text


def commit(stage: Stage, files: dict[str, str], *pages: str) -> str:
    """Put a session's commit over the branch, as a model makes that links and supersedes."""
    said = "".join(f"Page: {one} 0123456789abcdef\n" for one in pages)
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        told = {**files, **dict([record(stage)])}
        raw = {f"wiki/{path}": text.encode() for path, text in told.items()}
        ids = {path: hosted.repository.blob_id(one) for path, one in raw.items()}
        message = seal(f"consolidate(acme/s9): x\n\nSession: acme/s9\nPages: {len(pages)}\n{said}", ids)
        new = NewCommit({path: Content(one) for path, one in raw.items()}, message)
        (tip,) = hosted.repository.build_chain(stage.clone.tip(BRANCH), (new,), at=stage.now())
    return tip


def test_links_from_pages_of_later_sessions_become_words(stage: Stage) -> None:
    gone, other = page(stage, "cookies"), page(stage, "queue")
    text = stage.clone.files(BRANCH)[other].decode()
    linked = f"{text}\nSee [how we log in]({gone.rpartition('/')[2]} 'that (page)'), `[a]({gone})`.\n"
    tip = commit(stage, {other: linked}, other)
    found = laid(stage, head=tip, ignored=(gone,))
    assert stage.clone.files(found.tip)[other].decode().endswith(f"\nSee how we log in, `[a]({gone})`.\n")


def test_a_page_keeps_its_place_when_the_one_that_was_to_take_it_is_declined(stage: Stage) -> None:
    old, new = page(stage, "cookies"), "acme/decisions/new.md"
    text = stage.clone.files(BRANCH)[old].decode()
    retired = text.replace("status: stable\n", "status: deprecated\nsuperseded_by: new.md\n", 1)
    assert retired != text
    fresh = "---\ntype: Decision\ntitle: New\nsupersedes:\n- x.md\n---\n\n# New\n"
    tip = commit(stage, {old: retired, new: fresh}, old, new)
    declined = laid(stage, head=tip, ignored=(new,))
    assert declined.declined == (new,)
    assert parse_page(old, stage.clone.files(declined.tip)[old]).status == "stable"
    kept = laid(stage, head=tip, ignored=("acme/other.md",))
    assert parse_page(old, stage.clone.files(kept.tip)[old]).status == "deprecated"
