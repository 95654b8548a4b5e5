"""`verify` through the door: what it says, what it writes, how it ends."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Say


@pytest.fixture
def page(wiki: Path, say: Say) -> str:
    """Give the path of a page that a run has made."""
    assert say("run").code == 0
    found = (path for path in (wiki / "wiki").rglob("*.md") if path.parent.name == "sessions")
    return next(path.relative_to(wiki / "wiki").as_posix() for path in found if path.name != "index.md")


def git(wiki: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=wiki, check=True, capture_output=True).stdout.decode()


def test_a_page_is_verified_and_the_wiki_stays_clean(wiki: Path, say: Say, page: str) -> None:
    said = say("verify", page, "--by", "dana")
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{page}: machine-confirmed before, human-reviewed now, by human:dana.\n"
    assert "human:dana" in (wiki / "wiki" / page).read_text(encoding="utf-8")
    assert git(wiki, "log", "-1", "--format=%s") == "verify: 1 page by human:dana\n"
    assert git(wiki, "status", "--porcelain") == ""
    assert say("lint").code == 0


def test_a_machine_gets_what_was_done(wiki: Path, say: Say, page: str) -> None:
    told = say("verify", f"wiki/{page}", "--by", "human:dana", "--json").json()
    assert told == {
        "page": page,
        "by": "human:dana",
        "before": "machine-confirmed",
        "after": "human-reviewed",
        "commit": git(wiki, "rev-parse", "HEAD").strip(),
    }


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["verify"], 2, "missing argument 'PAGE'"),
        (["verify", "demo/sessions/nowhere.md"], 2, "there is no page 'demo/sessions/nowhere.md'"),
        (["verify", "index.md", "--by", "dana"], 1, "is no page that could be verified"),
        (["verify", "wiki", "--by", "dana"], 1, "is no page that could be verified"),
        (["verify", "README.md", "--by", "dana"], 2, "there is no page"),
        (["verify", "../README.md", "--by", "dana"], 1, "is no page that could be verified"),
        (["verify", "../../elsewhere.md", "--by", "dana"], 2, "there is no page"),
    ],
)
def test_what_is_no_page_is_told(wiki: Path, say: Say, arguments: list[str], code: int, told: str) -> None:
    before = git(wiki, "rev-parse", "HEAD")
    said = say(*arguments)
    assert (said.code, said.out, told in said.err) == (code, "", True), said.err
    assert git(wiki, "rev-parse", "HEAD") == before


def test_a_page_that_is_misspelt_is_suggested(say: Say, page: str) -> None:
    said = say("verify", page.replace("sessions", "session"), "--by", "dana")
    assert (said.code, f"did you mean '{page}'?" in said.err) == (2, True)


def test_unsaved_work_is_a_conflict(wiki: Path, say: Say, page: str) -> None:
    (wiki / "wiki" / page).write_bytes(b"# Mine\n")
    said = say("verify", page, "--by", "dana")
    assert (said.code, "uncommitted changes" in said.err) == (5, True)
    assert (wiki / "wiki" / page).read_bytes() == b"# Mine\n"


def test_without_git_somebody_must_be_named(wiki: Path, say: Say, page: str) -> None:
    head = git(wiki, "rev-parse", "HEAD")
    said = say("verify", page, "--no-git")
    assert (said.code, "--by" in said.err) == (2, True)
    told = say("verify", page, "--no-git", "--by", "dana\nhuman:erin", "--json")
    assert (told.code, told.json()["by"], told.json()["commit"]) == (0, "human:dana human:erin", "")
    assert git(wiki, "rev-parse", "HEAD") == head
