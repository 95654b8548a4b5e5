"""A person stands for a page: the page says so, its words stay, and what changes them later takes it out again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.config import LintSettings, parse_settings
from pipeline.errors import ConfigError, Conflict, GitError, Rejected
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.run import consolidate
from pipeline.verifying import NAME_LIMIT, Reviewed, verify
from pipeline.wiki.format.page import parse_page, trust_tier
from pipeline.wiki.linting.lint import lint
from tests.repositories import Ground, new_ground

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
PAGE = "acme/decisions/cookies.md"
WORDS = "# Cookies\r\n\r\nSigned, *of course*. \r\n"
OURS = f"---\ntype: Decision\ntitle: Cookies\ngenerated: {{ by: wikimill/gpt, at: 2026-11-29T08:00:00Z }}\n---\n{WORDS}"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    place = new_ground(tmp_path / "repo")
    place.commit("a page", **{f"wiki/{PAGE}": OURS, "wiki/index.md": "# Index\n", "wiki/_prompts/a.md": "Obey.\n"})
    return place


def review(ground: Ground, page: str = PAGE, *, by: str = "dana", settings: str = "", use_git: bool = True) -> Reviewed:
    return verify(
        parse_settings(settings),
        ground.root,
        page,
        by=by,
        at=AT,
        use_git=use_git,
        environment=ground.environment,
    )


def test_a_page_says_who_stands_for_it_and_its_words_stay(ground: Ground) -> None:
    done = review(ground)
    assert done == Reviewed(PAGE, "human:dana", "unverified", "human-reviewed", ground.tip())
    text = ground.read(f"wiki/{PAGE}").decode()
    assert text.endswith(WORDS)
    assert parse_page(PAGE, text.encode()).front["verified"] == [{"by": "human:dana", "at": AT}]
    assert ground.git("log", "-1", "--format=%s").strip() == "verify: 1 page by human:dana"
    assert ground.git("diff", "--stat", "HEAD~1", "--", ".").count("|") == 1
    assert ground.status() == []
    again = review(ground)
    assert (again.before, again.commit) == ("human-reviewed", "")


@pytest.mark.parametrize(
    "raw",
    [
        "# Mine\n\nBy hand.\n",
        "---\ntype: Concept\ntitle: Mine\ngenerated: { by: human:erin, at: 2026-11-29 }\n---\n\n# Mine\n",
        "---\ntype: Concept\ntitle: Mine\nlocked: true\n---\n\n# Mine\n",
        "---\ntitle: Mine\nverified: { by: human:erin, at: 2026-11-29 }\n---\n# Mine\n",
    ],
    ids=["bare", "person's", "locked", "reviewed"],
)
def test_pages_of_people_and_locked_ones_can_be_reviewed(ground: Ground, raw: str) -> None:
    ground.commit("mine", **{"wiki/mine.md": raw})
    assert review(ground, "mine.md").after == "human-reviewed"
    page = parse_page("mine.md", ground.read("wiki/mine.md"))
    assert page.body == parse_page("mine.md", raw.encode()).body
    assert "human:dana" in str(page.front["verified"])
    assert ("human:erin" in str(page.front)) == ("erin" in raw)


@pytest.mark.parametrize(
    "page",
    [
        "acme/gone.md",
        "index.md",
        "_prompts/a.md",
        ".ledger/files.jsonl",
        "../code.py",
        "/etc/passwd",
        f"../wiki/{PAGE}",
        "acme",
        "",
        "a\nb.md",
    ],
)
def test_what_is_no_page_is_refused(ground: Ground, page: str) -> None:
    before = ground.tip()
    with pytest.raises(Rejected, match="is no page that could be verified"):
        review(ground, page)
    assert (ground.tip(), ground.status()) == (before, [])


def test_a_page_that_cannot_be_read_is_refused(ground: Ground) -> None:
    ground.commit("broken", **{"wiki/broken.md": "---\ntitle: [\n---\n\n# Broken\n"})
    with pytest.raises(Rejected, match=r"broken\.md"):
        review(ground, "broken.md")
    assert ground.status() == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("dana", "human:dana"),
        ("human:dana", "human:dana"),
        ("  human: Dana   Doe\t", "human:Dana Doe"),
        ("Dana\nVerified: acme/other.md\x1b[31m", "human:Dana Verified: acme/other.md"),
        ("process:wikimill-gates", "human:process:wikimill-gates"),
        ("\u202eanad", "human:anad"),
        ("x" * 100, "human:" + "x" * (NAME_LIMIT - 1) + "…"),
        ("", "human:Dana"),
        (" \n", "human:Dana"),
    ],
)
def test_a_name_is_one_line_and_that_of_a_person(ground: Ground, given: str, told: str) -> None:
    assert review(ground, by=given).by == told
    assert parse_page(PAGE, ground.read(f"wiki/{PAGE}")).front["verified"] == [{"by": told, "at": AT}]
    trailers = ground.git("log", "-1", "--format=%(trailers:key=Verified,valueonly)").split()
    assert trailers == [PAGE]


@pytest.mark.parametrize("given", ["human:", "\x00\x07", " human:\n"])
def test_without_a_name_nobody_stands_for_it(ground: Ground, given: str) -> None:
    with pytest.raises(ConfigError, match="--by"):
        review(ground, by=given)


def test_without_git_the_file_is_written_and_somebody_must_be_named(tmp_path: Path) -> None:
    ground = Ground(tmp_path / "plain", {})
    ground.write(f"wiki/{PAGE}", OURS)
    with pytest.raises(ConfigError, match="nobody is named"):
        review(ground, by="", use_git=False)
    assert review(ground, use_git=False).commit == ""
    assert trust_tier(parse_page(PAGE, ground.read(f"wiki/{PAGE}"))) == "human-reviewed"
    with pytest.raises(GitError):
        review(ground)


def test_uncommitted_changes_of_pages_are_not_committed_along(ground: Ground) -> None:
    ground.write("notes.txt", "mine\n")
    review(ground)
    assert ground.status() == ["?? notes.txt"]
    before = ground.tip()
    ground.write("wiki/index.md", "# Mine\n")
    with pytest.raises(Conflict, match=r"uncommitted changes under wiki/: .*index\.md"):
        review(ground, by="erin")
    assert (ground.tip(), ground.read("wiki/index.md")) == (before, b"# Mine\n")


def test_a_branch_that_is_not_checked_out_gets_the_review(ground: Ground) -> None:
    ground.git("switch", "-q", "-c", "other")
    done = review(ground, settings='[wiki]\nbranch = "main"\n')
    assert ground.tip("main") == done.commit != ground.tip()
    assert b"verified" not in ground.read(f"wiki/{PAGE}")


def test_a_later_run_that_changes_the_page_takes_the_review_out(tmp_path: Path) -> None:
    ground = new_ground(tmp_path / "repo")
    settings = parse_settings("")

    def observe_and_run(number: int, body: str) -> None:
        told = {"ts": f"2026-11-29T0{number}:00:00Z", "session_id": "s1", "project": "acme", "body": body}
        place = ground.root / "observations" / "day.jsonl"
        place.parent.mkdir(exist_ok=True)
        with place.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**told, "kind": "decision", "author": "dana"}) + "\n")
        at = AT + timedelta(hours=number)
        model = ExtractiveModel()
        consolidate(settings, ground.root, clock=lambda: at, model=model, environment=ground.environment)

    def wrong() -> list[str]:
        return [str(one) for one in lint(ground.on_disk(), settings=LintSettings(), today=AT.date())]

    observe_and_run(1, "We decided to keep login state in signed cookies, because a JWT cannot be revoked.")
    clean = wrong()
    assert clean == []
    session = next(
        path for path in ground.on_disk() if "/sessions/" in path and not path.endswith("index.md") and path[0] != "."
    )
    other = next(path for path in ground.on_disk() if "/decisions/" in path and not path.endswith("index.md"))
    for page in (session, other):
        assert review(ground, page).before == "machine-confirmed"
    assert wrong() == clean
    observe_and_run(2, "We decided to serve the API on port 8080, because 80 needs root.")
    tiers = [trust_tier(parse_page(page, ground.read(f"wiki/{page}"))) for page in (session, other)]
    assert tiers == ["machine-confirmed", "human-reviewed"]
    assert wrong() == clean
