"""The workflows `check` and `publish`, run as they are written, over this repository and over a new wiki."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.workflows.machine import Machine
from tests.workflows.places import SETS, installed_commands, new_wiki, own_repository

if TYPE_CHECKING:
    from pathlib import Path

CHECK = ["Install wikimill", "Check the pages", "Build the site, strictly"]


@pytest.fixture(scope="module")
def origins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        "own": own_repository(tmp_path_factory.mktemp("own")),
        "shipped": new_wiki(tmp_path_factory.mktemp("shipped")),
    }


@pytest.fixture
def machine(tmp_path: Path, origins: dict[str, Path]) -> Machine:
    return Machine(tmp_path / "machine", origins["shipped"], installed_commands(tmp_path / "commands"))


def propose(origin: Path, files: dict[str, str]) -> None:
    """Make what GitHub makes of a pull request: a commit that merges it into main."""
    tree = origin.parent / "pull"
    if not tree.exists():
        subprocess.run(["git", "clone", "--quiet", str(origin), str(tree)], check=True)
    identity = ("-c", "user.name=Dana", "-c", "user.email=dana@example.org", "-c", "core.hooksPath=/dev/null")

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(tree), *identity, *arguments], check=True, capture_output=True)

    git("checkout", "-B", "feature", "origin/main")
    for path, text in files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")
    git("add", "-A")
    git("commit", "-m", "a change")
    git("checkout", "-B", "main", "origin/main")
    git("merge", "--no-ff", "-m", "Merge", "feature")
    git("push", "--force", "origin", "main:refs/pull/1/merge")


def test_a_new_wiki_is_checked_and_its_site_can_be_looked_at(machine: Machine) -> None:
    job = replace(machine, event_name="push").run(SETS["shipped"] / "check.yml")["check"]
    assert job.result == "success", job.steps
    assert len(job.ran) == len(job.steps)
    assert [step.name for step in job.steps if step.name in CHECK] == CHECK
    assert (machine.place / "artifacts" / "site" / "404.html").is_file()
    assert (machine.commands / "python.log").read_text(encoding="utf-8") == (
        "-m pip install --quiet --requirement requirements-wikimill.txt\n"
    )


@pytest.mark.parametrize(
    ("page", "step", "told"),
    [
        ("---\ntype: Concept\ntitle: A: B\n---\n\n# A\n", "Check the pages", "concepts/a.md"),
        ("---\ntype: Concept\ntitle: A\n---\n\n# A\n\n[gone](b.md)\n", "Build the site, strictly", "b.md"),
    ],
)
def test_a_page_that_is_wrong_fails_the_check(machine: Machine, page: str, step: str, told: str) -> None:
    propose(machine.origin, {"wiki/wiki/concepts/a.md": page})
    ran = replace(machine, event_name="pull_request", ref="refs/pull/1/merge").run(SETS["shipped"] / "check.yml")
    assert ran["check"].result == "failure"
    assert ran["check"].ran[-1] == step
    assert told in ran["check"].step(step).said


@pytest.mark.parametrize(
    ("event", "files", "everything"),
    [
        ("push", {}, True),
        ("workflow_dispatch", {}, True),
        ("pull_request", {"observations/new.jsonl": "", "wiki/wikimill/note.md": "# A note\n"}, False),
        ("pull_request", {"pipeline/__init__.py": '__version__ = "9"\n'}, True),
        ("pull_request", {"wiki/wikimill/note.md": "# A note\n", "mkdocs.yml": "site_name: wikimill\n"}, True),
        ("pull_request", {"wiki/wikimill/guides/memory-mechanics.md": "# Another\n"}, True),
        ("pull_request", {".github/workflows/check.yml": "name: none\n"}, True),
    ],
)
def test_the_tests_are_skipped_when_pages_and_observations_alone_change(
    tmp_path: Path, origins: dict[str, Path], event: str, files: dict[str, str], *, everything: bool
) -> None:
    commands = installed_commands(tmp_path / "commands")
    (commands / "wikimill").write_text("#!/bin/sh\nmkdir -p .build/site && touch .build/site/index.html\n", "utf-8")
    if files:
        propose(origins["own"], files)
    ref = "refs/pull/1/merge" if event == "pull_request" else "refs/heads/main"
    machine = Machine(tmp_path / "machine", origins["own"], commands, event_name=event, ref=ref)
    job = machine.run(SETS["own"] / "check.yml")["check"]
    assert job.result == "success", job.steps
    assert job.step("touched").outputs == {"code": "true" if everything else "false"}
    assert job.step("Check everything").outcome == ("success" if everything else "skipped")
    if everything:
        assert job.step("Check everything").said == "everything is checked\n"


@pytest.mark.parametrize("name", list(SETS))
def test_the_site_is_built_with_its_address_and_deployed(tmp_path: Path, origins: dict[str, Path], name: str) -> None:
    commands = installed_commands(tmp_path / "commands")
    machine = Machine(tmp_path / "machine", origins[name], commands, event_name="push")
    jobs = machine.run(SETS[name] / "publish.yml")
    assert {job: (ran.result, len(ran.ran) == len(ran.steps)) for job, ran in jobs.items()} == {
        "build": ("success", True),
        "deploy": ("success", True),
    }
    page = (machine.place / "pages" / "tags" / "index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://acme.github.io/wiki/tags/">' in page
    assert "https://github.com/acme/wiki" in page


def test_another_workflow_can_have_a_branch_published(machine: Machine) -> None:
    jobs = replace(machine, event_name="workflow_call", inputs={"ref": "main"}).run(SETS["shipped"] / "publish.yml")
    assert jobs["deploy"].result == "success"
