"""Two linters that others wrote find nothing in the files for CI: zizmor by risks, check-jsonschema by schemas."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workflows.places import FILES, GITLAB, OWN, SHIPPED, short


def tool(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    assert found is not None, f"{name} is not installed; the extra `test` has it"
    return found


def run(*command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, check=False)


@pytest.mark.parametrize("folder", [OWN, SHIPPED], ids=short)
def test_zizmor_finds_nothing_not_even_smells(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "workflows", tmp_path / ".github" / "workflows")
    shutil.copy(folder / "dependabot.yml", tmp_path / ".github")
    done = run(tool("zizmor"), "--offline", "--persona=pedantic", "--strict-collection", "--quiet", str(tmp_path))
    assert done.returncode == 0, done.stdout.decode()


def test_zizmor_would_find_an_expression_in_a_script(tmp_path: Path) -> None:
    planted = (SHIPPED / "workflows" / "consolidate.yml").read_text(encoding="utf-8")
    (tmp_path / "bad.yml").write_text(planted.replace("$PROJECT", "${{ inputs.project }}"), encoding="utf-8")
    done = run(tool("zizmor"), "--offline", "--quiet", str(tmp_path / "bad.yml"))
    assert done.returncode != 0
    assert b"template-injection" in done.stdout


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("vendor.github-workflows", FILES),
        ("custom.github-workflows-require-timeout", FILES),
        ("vendor.dependabot", [OWN / "dependabot.yml", SHIPPED / "dependabot.yml"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_files_follow_their_schema(schema: str, paths: list[Path]) -> None:
    done = run(tool("check-jsonschema"), "--builtin-schema", schema, *map(str, paths))
    assert done.returncode == 0, done.stdout.decode()


def test_the_file_for_gitlab_follows_its_schema(tmp_path: Path) -> None:
    given = ("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")
    done = run(tool("check-jsonschema"), *given, str(GITLAB))
    assert done.returncode == 0, done.stdout.decode()
    wrong = GITLAB.read_text(encoding="utf-8").replace("expire_in: 14 days", "expire_in: [14]")
    (tmp_path / "wrong.yml").write_text(wrong, encoding="utf-8")
    assert run(tool("check-jsonschema"), *given, str(tmp_path / "wrong.yml")).returncode != 0
