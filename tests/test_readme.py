"""The README is under test: each command in it runs, and each command, option, setting and code stands in it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from pydantic import BaseModel

from pipeline.cli.app import wikimill
from pipeline.cli.exits import ExitCode
from pipeline.config import Settings
from pipeline.observations.observation import Place
from pipeline.observations.parsing import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [text for _, text in re.findall(r"^```(sh|console)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)]
MAIN_JOB, TESTS, *TOUR = BLOCKS

SPELLINGS = {
    "id": parse._IDS,
    "ts": parse._TIMES,
    "session_id": parse._SESSIONS,
    "project": parse._PROJECTS,
    "workspace": parse._WORKSPACES,
    "agent_kind": parse._AGENTS,
    "author": parse._AUTHORS,
    "role": ("role",),
    "kind": parse._KINDS,
    "title": parse._TITLES,
    "body": parse._BODIES,
    "importance": ("importance",),
    "tags": parse._TAGS,
    "files": parse._FILES,
}


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(text: str, head: str) -> Iterator[list[str]]:
    """Give the cells of the table whose head begins with `head`."""
    table = text.split(f"| {head} |")[1].split("\n\n", 1)[0]
    for line in table.strip().split("\n")[2:]:
        yield [cell.strip() for cell in line.strip("|").split(" | ")]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """Give a folder in which `wikimill` is a command, as it is in an environment that it is installed in."""
    commands = tmp_path / "bin"
    commands.mkdir()
    command = commands / "wikimill"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m pipeline "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    place = tmp_path / "place"
    place.mkdir()
    return place


def plain_environment(place: Path) -> dict[str, str]:
    """Give the environment of a person who has set nothing: no git configuration, no identity."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTEST"))}
    return {
        **kept,
        "PATH": f"{place.parent / 'bin'}{os.pathsep}{kept['PATH']}",
        "HOME": str(place.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(place.parent),
    }


def test_the_first_two_commands_are_the_main_job_and_the_tests() -> None:
    assert MAIN_JOB.strip().endswith(".venv/bin/wikimill -C demo run && .venv/bin/wikimill -C demo serve")
    assert TESTS.strip().endswith(".venv/bin/python -m pytest")
    assert "\n" not in MAIN_JOB.strip()
    assert "\n" not in TESTS.strip()


def test_ci_runs_the_readmes_test_command_word_for_word() -> None:
    assert f"    {TESTS}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_other_command_runs(shell: Path) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "".join(TOUR)],  # one after the other, as a reader types them
        cwd=shell,
        env=plain_environment(shell),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    subjects = subprocess.run(["git", "log", "--format=%s"], cwd=shell / "team-wiki", capture_output=True, check=True)
    told = subjects.stdout.decode().splitlines()
    assert told[-1] == "Start a wiki with wikimill init"
    assert all(subject.startswith("consolidate(team-wiki/") for subject in told[:-1])
    assert len(told) >= 2
    assert (shell / "team-wiki" / ".build" / "site" / "index.html").is_file()


def copy_of_the_tree(place: Path) -> Path:
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = ROOT / name, place / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return place


@pytest.mark.install
def test_the_first_command_installs_and_shows_the_wiki(tmp_path: Path) -> None:
    place = copy_of_the_tree(tmp_path / "clone")
    environment = plain_environment(place)
    *steps, serve = MAIN_JOB.strip().split(" && ")
    subprocess.run(["bash", "-euc", " && ".join(steps)], cwd=place, env=environment, check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with subprocess.Popen(["bash", "-c", f"exec {serve} --port {port}"], cwd=place, env=environment) as server:
        try:
            page = wait_for_page(f"http://127.0.0.1:{port}/", server)
        finally:
            server.send_signal(signal.SIGINT)
            try:
                code_of_end = server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                server.kill()  # whoever starts the tests with interrupts ignored must not wait for ever
                raise
        assert code_of_end in {0, 130}
    assert "<title>" in page
    log = ["git", "log", "--format=%s"]
    subjects = subprocess.run(log, cwd=place / "demo", env=environment, capture_output=True, check=True).stdout.decode()
    assert "consolidate(" in subjects


def wait_for_page(address: str, server: subprocess.Popen[bytes]) -> str:
    patience = time.monotonic() + 120
    while time.monotonic() < patience:
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.5)
    pytest.fail("the site did not appear")


def test_every_command_and_option_stands_in_the_readme_and_none_besides() -> None:
    told = {code(row[0])[0]: set(re.findall(r"`(-[-\w]+)", row[2])) for row in rows(section("Commands"), "command")}
    real = {"wikimill": {longest(option) for option in options(wikimill)}}
    for name, command in wikimill.load().items():
        arguments = [argument for argument in command.params if isinstance(argument, click.Argument)]
        real[" ".join(["wikimill", name, *map(metavar, arguments)])] = {longest(option) for option in options(command)}
    assert told == real


def metavar(argument: click.Argument) -> str:
    word = argument.metavar or str(argument.name).upper()
    return word if argument.required else f"[{word}]"


def options(command: click.Command) -> Iterator[click.Option]:
    for option in command.params:
        if isinstance(option, click.Option):
            yield option


def longest(option: click.Option) -> str:
    return max(option.opts, key=len)


def test_every_command_has_a_help_that_says_what_it_writes_and_shows_an_example() -> None:
    for name, command in wikimill.load().items():
        told = command.help or ""
        first = told.split("\n\n")[0]
        assert first.endswith("."), name
        assert re.search(r"Writes|writes", told), name
        assert re.search(rf"Examples?:\n  .*wikimill {name}|\| wikimill {name}", told), name


def test_every_setting_stands_in_the_readme_with_its_default_and_none_besides() -> None:
    told = {code(row[0])[0]: default_of(row[1]) for row in setting_rows()}
    assert told == dict(settings_of(Settings()))
    assert all(len(row[2]) > 10 for row in setting_rows())


def default_of(cell: str) -> object:
    return None if cell == "none" else tomllib.loads(f"value = {code(cell)[0]}")["value"]


def settings_of(values: BaseModel, above: str = "") -> Iterator[tuple[str, object]]:
    """Give every setting with its default, those of sections within sections too."""
    for name, value in values:
        if isinstance(value, BaseModel):
            yield from settings_of(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", list(value) if isinstance(value, tuple) else value


def setting_rows() -> list[list[str]]:
    return list(rows(section("Settings"), "setting"))


def test_every_exit_code_stands_in_the_readme_and_none_besides() -> None:
    told = {int(number) for row in rows(section("Commands"), "exit code") for number in row[0].split(",")}
    assert told == {int(each) for each in ExitCode}


def test_every_spelling_of_a_field_stands_in_the_readme_and_none_besides() -> None:
    told = {code(row[0])[0]: tuple(code(row[3])) for row in rows(section("Observations"), "field")}
    assert told == SPELLINGS


def test_the_smallest_observation_in_the_readme_is_one() -> None:
    line = README.split("```json\n")[1].split("\n```")[0]
    observation = parse.parse_line(line.encode(), Place("a.jsonl", 1), default_project="acme")
    assert str(observation.session) == "acme/7f4c"
    assert observation.body == "We chose cookies, because a JWT cannot be revoked."


def test_what_the_readme_points_to_exists() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    checked = [
        path for row in rows(section("What it promises, and what checks it"), "promise") for path in code(row[2])
    ]
    missing = [path for path in [*links, *checked] if not (ROOT / path).exists()]
    assert missing == []


def test_the_last_section_tells_of_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    told = section("Dependencies, and why each")
    assert README.rstrip().endswith(told.strip())
    names = {re.split(r"[<>=\[ ]", line)[0] for line in [*project["dependencies"], *extras["test"], *extras["dev"]]}
    names = {name for name in names if name != "wikimill" and not name.startswith("types-")}
    assert {name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", told)} == set()
