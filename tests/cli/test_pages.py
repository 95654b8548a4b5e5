"""`lint` and `history` through the door."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.cli.pages import locate_page

if TYPE_CHECKING:
    from tests.cli.conftest import Say


def test_pages_that_the_pipeline_made_have_no_finding(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    said = say("lint")
    assert said.code == 0
    assert said.out.splitlines()[-1].endswith(" pages checked: 0 errors, 0 other findings.")


def test_an_error_ends_with_1_and_a_warning_with_0(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    (wiki / "observations" / "start.jsonl").write_bytes(b"")
    said = say("lint")
    assert said.code == 1
    assert "error demo/decisions/" in said.out
    told = say("lint", "--json").json()
    assert isinstance(told["findings"], list)
    assert {finding["rule"] for finding in told["findings"]} == {"observation-missing"}
    assert told["errors"] == len(told["findings"])


def test_a_note_of_a_person_is_no_error(wiki: Path, say: Say) -> None:
    (wiki / "wiki" / "demo" / "concepts").mkdir(parents=True)
    (wiki / "wiki" / "demo" / "concepts" / "mine.md").write_text("# Mine\n\nBy hand.\n", encoding="utf-8")
    said = say("lint", "--json")
    told = said.json()
    assert isinstance(told["findings"], list)
    assert told["findings"]
    assert (said.code, told["errors"]) == (
        (1, sum(finding["severity"] == "error" for finding in told["findings"]))
        if any(finding["severity"] == "error" for finding in told["findings"])
        else (0, 0)
    )


def test_the_versions_of_a_page_and_the_sessions_behind_them(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    page = next((wiki / "wiki" / "demo" / "decisions").glob("keep-*.md"))
    name = page.relative_to(wiki / "wiki").as_posix()
    page.write_bytes(page.read_bytes() + b"\nBy hand.\n")
    identity = ["-c", "user.name=Dana", "-c", "user.email=dana@example.org"]
    subprocess.run(["git", *identity, "commit", "--quiet", "-am", "Add a word"], cwd=wiki, check=True)
    told = say("history", name, "--json").json()
    assert told["page"] == name
    assert isinstance(told["versions"], list)
    newest, first = told["versions"]
    assert (newest["author"], newest["subject"], newest["session"]) == ("Dana", "Add a word", "")
    assert (first["session"], first["observations"], first["model"]) == ("demo/start", "1", "extractive")
    assert first["at"] == "2026-11-30T08:00:00Z"
    said = say("history", str(page))
    assert said.out.splitlines()[-1] == f"2 versions of {name}."
    assert "demo/start" in said.out


def test_a_page_that_does_not_exist_is_answered_with_the_nearest(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    said = say("history", "demo/indx.md")
    assert said.code == 2
    assert "there is no page 'demo/indx.md'; did you mean 'demo/index.md'?" in said.err


@pytest.mark.parametrize("outside", ["../README.md", "../../x.md", "demo/../../README.md"])
def test_what_stands_outside_the_wiki_is_no_page(wiki: Path, say: Say, outside: str) -> None:
    said = say("history", outside)
    assert said.code == 2
    assert said.err == (
        f"wikimill: '{outside}' is no page of this wiki; its pages stand in {wiki / 'wiki'}."
        " See `wikimill history --help`.\n"
    )


def test_a_page_that_was_removed_still_has_its_history(wiki: Path, say: Say) -> None:
    assert say("run").code == 0
    page = next((wiki / "wiki" / "demo" / "decisions").glob("keep-*.md"))
    page.unlink()
    said = say("history", page.relative_to(wiki / "wiki").as_posix())
    assert said.code == 0
    assert "1 version of " in said.out


def test_a_page_that_is_not_committed_says_so(wiki: Path, say: Say) -> None:
    (wiki / "wiki" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    said = say("history", "mine.md")
    assert (said.code, said.out) == (0, "mine.md is not committed yet.\n")


@pytest.mark.parametrize(
    ("given", "here", "found"),
    [
        ("acme/concepts/a.md", ".", "acme/concepts/a.md"),
        ("acme/concepts/a", ".", "acme/concepts/a.md"),
        ("wiki/acme/concepts/a.md", ".", "acme/concepts/a.md"),
        ("a.md", "wiki/acme/concepts", "acme/concepts/a.md"),
        ("../concepts/a.md", "wiki/acme/rules", "acme/concepts/a.md"),
        ("acme/gone.md", ".", "acme/gone.md"),
        ("wiki/acme/gone.md", ".", "acme/gone.md"),
        ("./wiki/acme/gone.md", ".", "acme/gone.md"),
        ("acme/concepts", ".", "acme/concepts/index.md"),
        ("wiki/acme/concepts/", ".", "acme/concepts/index.md"),
        (".", "wiki/acme/concepts", "acme/concepts/index.md"),
        ("acme/rules", ".", "acme/rules.md"),
        ("outside.md", ".", "outside.md"),
    ],
)
def test_a_page_is_found_from_wherever_a_person_stands(tmp_path: Path, given: str, here: str, found: str) -> None:
    (tmp_path / "wiki" / "acme" / "concepts").mkdir(parents=True)
    (tmp_path / "wiki" / "acme" / "rules").mkdir()
    (tmp_path / "wiki" / "acme" / "concepts" / "a.md").touch()
    (tmp_path / "wiki" / "acme" / "concepts" / "index.md").touch()
    (tmp_path / "outside.md").touch()
    assert locate_page(given, tmp_path / "wiki", tmp_path / here) == found


def test_a_page_can_be_named_whole(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "a.md").touch()
    assert locate_page(str(tmp_path / "wiki" / "a.md"), tmp_path / "wiki", Path("/")) == "a.md"
