"""`init` and `doctor` through the door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.models.openai_compatible.scripted import KEY, Answer, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Say


def test_a_new_wiki_works_at_once(wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(wiki.parent)
    said = say("init", "second wiki")
    assert said.code == 0
    assert said.out.endswith(
        "It is a git repository of its own now, with a first commit.\n"
        "Next:\n  cd 'second wiki'\n  wikimill run\n  wikimill serve\n"
    )
    monkeypatch.chdir("second wiki")
    for command in ("doctor", "plan", "run", "lint", "build"):
        assert say(command).code == 0, command


def test_init_here_needs_no_cd(tmp_path: Path, wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    said = say("init", ".")
    assert said.code == 0
    assert "  cd " not in said.out
    again = say("init", ".")
    assert again.code == 0
    assert again.out.startswith("Left alone, for they stood there: ")


def test_init_without_git_says_how_to_run(wiki: Path, say: Say) -> None:
    said = say("init", "--no-git", "plain")
    assert said.code == 0
    assert "  wikimill run --no-git\n" in said.out
    assert not (wiki / "plain" / ".git").exists()


def test_init_in_a_repository_says_what_to_commit(wiki: Path, say: Say) -> None:
    said = say("init", "inner")
    assert said.code == 0
    assert "It belongs to a git repository already: commit the new files there before the first run.\n" in said.out
    steps = said.out.partition("Next:\n")[2]
    assert "  git add .gitattributes .github .gitignore README.md " in steps
    assert steps.index("  cd inner\n") < steps.index("  git add ") < steps.index("  git commit ")
    assert steps.index("  git commit ") < steps.index("  wikimill run\n")


def test_init_copies_observations_named_from_where_the_person_stands(wiki: Path, say: Say) -> None:
    told = say("init", "../copy", "--observations", "observations", "--json").json()
    assert told["copied"] == 1
    assert (wiki.parent / "copy" / "observations" / "start.jsonl").is_file()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["init", "new", "--observations", "nowhere"], "there are no observation files"),
        (["init", "wikimill.toml"], "is a file"),
    ],
)
def test_what_cannot_begin_is_told(wiki: Path, say: Say, arguments: list[str], told: str) -> None:
    said = say(*arguments)
    assert said.code == 2
    assert told in said.err


def test_the_doctor_finds_nothing_in_a_new_wiki(wiki: Path, say: Say) -> None:
    said = say("doctor")
    assert said.code == 0
    assert said.out.splitlines()[-1] == "All is well."
    told = say("doctor", "--json").json()
    assert told["healthy"] is True


def test_the_doctor_ends_with_1_when_a_run_would_stop(wiki: Path, say: Say) -> None:
    (wiki / "wikimill.toml").write_text("[wiki]\npage = 'x'\n", encoding="utf-8")
    said = say("doctor")
    assert said.code == 1
    assert "unknown key 'wiki.page'; did you mean 'pages'?" in said.out
    assert said.out.splitlines()[-1] == "1 finding."


def test_a_warning_alone_ends_with_0(wiki: Path, say: Say) -> None:
    (wiki / "mkdocs.yml").unlink()
    said = say("doctor")
    assert said.code == 0
    assert "warning mkdocs.yml: there is none. " in said.out


def test_the_doctor_asks_the_endpoint_of_a_language_model_once_and_tells_no_key(
    wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_KEY", KEY)
    with serving(lambda *_: Answer(body={"data": [{"id": "writer"}]})) as endpoint:
        (wiki / "wikimill.toml").write_text(
            f'[model]\nprovider = "openai"\nname = "writer"\nbase_url = "{endpoint.address}"\n'
            'api_key_variable = "LLM_KEY"\n',
            encoding="utf-8",
        )
        said = say("doctor")
        assert said.code == 0
        assert f"model: writer at {endpoint.address}, with the key in LLM_KEY; it is listed there" in said.out
        assert said.out.splitlines()[-1] == "All is well."
        assert KEY not in said.out + said.err
        assert [(one.path, one.headers["authorization"]) for one in endpoint.asked] == [("/v1/models", f"Bearer {KEY}")]
