"""The files around the code say what is true: settings, workflows, the one command that checks everything."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from pipeline import __version__
from pipeline.config import Settings, parse_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[1]
START = ROOT / "pipeline" / "shipped" / "start"
WORKFLOWS = sorted([*(ROOT / ".github" / "workflows").glob("*.yml"), *(START / "github" / "workflows").glob("*.yml")])

PIN = re.compile(r"^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
COMMENTED = re.compile(r"^# (?=[a-z_]+ = )", re.MULTILINE)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", [ROOT / "wikimill.toml", START / "wikimill.toml"], ids=short)
def test_the_settings_file_shows_every_setting_with_its_default(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("{project}", "default")
    shown = COMMENTED.sub("", text)
    assert names(tomllib.loads(shown)) == names(Settings().model_dump(exclude_none=True))
    assert parse_settings(shown) == Settings()
    without = {
        f"{one}.{key}" for one, values in Settings().model_dump().items() for key in values if values[key] is None
    }
    assert without == {"model.temperature", "model.max_output_tokens"}
    assert all(f'"{name.partition(".")[2]}"' in text for name in without)


def names(values: Mapping[str, object], above: str = "") -> set[str]:
    """Name every setting, those of sections within sections too."""
    found: set[str] = set()
    for name, value in values.items():
        found |= names(value, f"{above}{name}.") if isinstance(value, dict) else {f"{above}{name}"}
    return found


@pytest.mark.parametrize(
    ("page", "number"),
    [(ROOT / "README.md", 1), (ROOT / "wiki" / "wikimill" / "guides" / "language-models.md", 2)],
    ids=["README.md", "language-models.md"],
)
def test_the_settings_that_a_page_shows_are_understood(page: Path, number: int) -> None:
    shown = re.findall(r"^```toml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(shown) >= number
    for block in shown:
        assert parse_settings(block) != Settings(), block


def test_this_repository_changes_no_default() -> None:
    assert parse_settings((ROOT / "wikimill.toml").read_text(encoding="utf-8")) == Settings()


@pytest.mark.parametrize("path", WORKFLOWS, ids=short)
def test_a_workflow_grants_nothing_at_its_top_and_pins_what_it_uses(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert "concurrency" in workflow
    used = re.findall(r"uses: (.+)$", text, re.MULTILINE)
    assert used
    for use in used:
        assert use.startswith("./") or PIN.match(use), f"{use} is not pinned to a hash with its version"


@pytest.mark.parametrize("path", WORKFLOWS, ids=short)
def test_no_workflow_puts_an_expression_into_a_script(path: Path) -> None:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    scripts = [step["run"] for job in jobs.values() for step in job.get("steps", ()) if "run" in step]
    assert not [script for script in scripts if "${{" in script]


def test_the_schedule_stands_in_one_file_alone() -> None:
    scheduled = [path.name for path in WORKFLOWS if "\n  schedule:" in path.read_text(encoding="utf-8")]
    assert scheduled == ["consolidate.yml", "consolidate.yml"]


def test_all_workflows_use_the_same_version_of_an_action() -> None:
    pins: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        for action, pin in re.findall(r"uses: ([\w/-]+)@(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            pins.setdefault(action, set()).add(pin)
    assert {action: len(found) for action, found in pins.items()} == dict.fromkeys(pins, 1)


def test_the_check_script_can_be_parsed() -> None:
    subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=True)


def test_the_change_log_tells_of_this_version() -> None:
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_is_committed_is_text_and_pictures() -> None:
    """A wheel or a profile that a tool left behind is in the history for good."""
    listing = ["git", "ls-files", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    files = [ROOT / name for name in filter(None, names) if (ROOT / name).is_file()]
    assert len(files) > 100
    others = [path for path in files if path.suffix != ".png" and b"\0" in path.read_bytes()]
    assert list(map(short, others)) == []


def test_what_is_built_is_not_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"/.build/", "/.venv/", "/demo/", "*.whl"} <= set(ignored)
    assert "/site/" not in ignored


@pytest.mark.parametrize("path", sorted([*ROOT.glob("pipeline/**/*.py"), *ROOT.glob("tests/**/*.py")]), ids=short)
def test_text_files_are_opened_in_utf_8_on_every_system(path: Path) -> None:
    """Where nothing is named, Windows takes the code page of its country."""
    places = {"read_text": 0, "write_text": 1, "open": 1}
    unnamed = [
        call.lineno
        for call in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and len(call.args) == places.get(call.func.attr, -1)
        and not any(keyword.arg == "encoding" for keyword in call.keywords)
        and not any(isinstance(mode, ast.Constant) and "b" in str(mode.value) for mode in call.args)
        and (call.func.attr != "open" or isinstance(call.args[0], ast.Constant))
    ]
    assert unnamed == []
