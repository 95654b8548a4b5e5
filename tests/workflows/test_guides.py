"""What the guides to GitHub and GitLab say of the files for CI is what stands in the files."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
import yaml

from pipeline.config import Settings, parse_settings
from tests.workflows.places import FILES, GITLAB, ROOT, SETS, SHIPPED
from tests.workflows.test_linters import tool
from tests.workflows.test_shape import PERMISSIONS, PIN, SECRETS, read

if TYPE_CHECKING:
    from pathlib import Path

GUIDES = ROOT / "wiki" / "wikimill" / "guides"
ON_GITHUB = (GUIDES / "set-up-on-github.md").read_text(encoding="utf-8")
ON_GITLAB = (GUIDES / "set-up-on-gitlab.md").read_text(encoding="utf-8")


def rows(text: str, head: str) -> list[list[str]]:
    """Give the cells of the table whose head is this line."""
    table = text.split(f"\n{head}\n")[1].split("\n\n", maxsplit=1)[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_guide_tells_all_that_each_job_on_github_may_do() -> None:
    told: dict[str, dict[str, dict[str, str]]] = {}
    secrets = set()
    for file, job, permissions, needed in rows(ON_GITHUB, "| workflow | job | permissions | secrets |"):
        name, key = code(file)[0], code(job)[0]
        told.setdefault(name, {})[key] = dict(part.split(": ") for part in code(permissions))
        secrets |= {(name, key, secret) for secret in code(needed)}
    assert told == PERMISSIONS
    assert secrets == SECRETS


def test_the_guide_tells_of_each_workflow_and_input() -> None:
    assert [code(row[0])[0] for row in rows(ON_GITHUB, "| workflow | when | what |")] == [
        "check",
        "consolidate",
        "publish",
    ]
    inputs = read(SETS["shipped"] / "consolidate.yml")["on"]["workflow_dispatch"]["inputs"]
    assert [code(row[0])[0] for row in rows(ON_GITHUB, "| input | meaning |")] == list(inputs)


def test_the_guide_tells_of_each_job_and_variable_on_gitlab() -> None:
    written = yaml.safe_load(GITLAB.read_text(encoding="utf-8").replace("!reference ", ""))
    jobs = [name for name, job in written.items() if isinstance(job, dict) and "script" in job]
    assert [code(row[0])[0] for row in rows(ON_GITLAB, "| job | when | what |")] == jobs
    asked = [name for name, value in written["variables"].items() if isinstance(value, dict)]
    assert [code(row[0])[0] for row in rows(ON_GITLAB, "| variable | meaning |")] == asked
    scopes = rows(ON_GITLAB, "| job | environment, whose variables it gets | what of yours it needs |")
    assert {code(row[0])[0]: code(row[1]) for row in scopes} == {
        name: [written[name]["environment"]["name"]] if "environment" in written[name] else [] for name in jobs
    }


@pytest.mark.parametrize("text", [ON_GITHUB, ON_GITLAB], ids=["github", "gitlab"])
def test_the_settings_that_a_guide_shows_are_understood(text: str) -> None:
    shown = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert shown
    assert all(parse_settings(block) != Settings() for block in shown)


@pytest.mark.parametrize("text", [ON_GITHUB, ON_GITLAB], ids=["github", "gitlab"])
def test_what_the_guides_name_is_called_so_in_the_files(text: str) -> None:
    files = "".join(path.read_text(encoding="utf-8") for path in [*FILES, GITLAB])
    readmes = "".join(path.read_text(encoding="utf-8") for path in (SHIPPED.parents[1] / "ci").glob("*.md"))
    named = set(re.findall(r"\b(?:WIKIMILL_\w+|OPENAI_API_KEY|GITLAB_TOKEN|wikimill-[a-z]+)\b", text + readmes))
    mine = {"GITLAB_TOKEN"}  # wikimill reads it; GitLab puts it into the environment
    assert named - mine <= set(re.findall(r"[\w-]+", files))


def without_review() -> str:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", ON_GITHUB, re.MULTILINE | re.DOTALL)
    return str(block)


def test_the_workflow_without_review_is_sound(tmp_path: Path) -> None:
    block = without_review()
    shutil.copytree(SETS["shipped"], tmp_path / ".github" / "workflows")
    file = tmp_path / ".github" / "workflows" / "consolidate.yml"
    file.write_text(block, encoding="utf-8")
    assert all(PIN.match(use) for use in re.findall(r"uses: (actions/.+)$", block, re.MULTILINE))
    shipped = "".join(path.read_text(encoding="utf-8") for path in SETS["shipped"].iterdir())
    assert all(use in shipped for use in re.findall(r"uses: (actions/.+)$", block, re.MULTILINE))
    for command in (
        [tool("zizmor"), "--offline", "--persona=pedantic", "--quiet", str(tmp_path)],
        [tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", str(file)],
    ):
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode()
    called = read(SETS["shipped"] / "publish.yml")
    granted = read(file)["jobs"]["publish"]["permissions"]
    asked = [job["permissions"] for job in called["jobs"].values()]
    level = {"read": 1, "write": 2}
    for permissions in asked:  # what a called workflow asks for, its caller must have
        assert all(level[granted[name]] >= level[wanted] for name, wanted in permissions.items())
