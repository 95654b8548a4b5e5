"""The step that installs, run with the real pip and no network: from the checkout, and from a wheel."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.workflows.machine import Machine
from tests.workflows.places import ROOT, SETS, new_wiki, own_repository, write_command

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    build = ("-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder))
    subprocess.run([sys.executable, *build], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SETS))
def test_what_is_installed_works(tmp_path: Path, wheels: Path, name: str) -> None:
    installed = tmp_path / "installed"
    commands = tmp_path / "commands"
    write_command(commands, "python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    write_command(commands, "wikimill", f'#!/bin/sh\nexec "{installed}/bin/wikimill" "$@"\n')
    settings = tmp_path / "pip.conf"
    # Dependencies are there already, and so is hatchling: those of the tests.
    settings.write_text(
        f"[install]\ntarget = {installed}\nno-index = true\nno-deps = true\nfind-links = {wheels}\n"
        "no-build-isolation = false\n",  # pip reads it the other way round
        encoding="utf-8",
    )
    machine = Machine(
        tmp_path / "machine",
        (own_repository if name == "own" else new_wiki)(tmp_path / "repository"),
        commands,
        event_name="push",
        environment={"PIP_CONFIG_FILE": str(settings), "PYTHONPATH": str(installed)},
    )
    written = yaml.safe_load((SETS[name] / "publish.yml").read_text(encoding="utf-8"))
    (tmp_path / "publish.yml").write_text(
        yaml.safe_dump({**written, "jobs": {"build": written["jobs"]["build"]}}), "utf-8"
    )
    job = machine.run(tmp_path / "publish.yml")["build"]
    assert job.result == "success", job.steps
    assert (installed / "pipeline" / "shipped" / "mkdocs.yml").is_file()  # it is not the checkout that ran
