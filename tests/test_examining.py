"""The doctor names what would stop a run, with its mend, and finds nothing in a new wiki."""

from __future__ import annotations

import socket
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.choosing import Outside
from pipeline.examining import Check, fits
from pipeline.examining import examine as examine_outside
from pipeline.starting import start

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    start(tmp_path / "demo", now=datetime(2026, 11, 30, tzinfo=UTC))
    return tmp_path / "demo"


def nobody() -> float:
    raise AssertionError("no endpoint is asked here")


def examine(folder: Path) -> tuple[Check, ...]:
    """Look a wiki over whose model works offline, in a world that must not be touched."""
    outside = Outside({}, lambda: datetime(2026, 11, 30, tzinfo=UTC), nobody, lambda _: None, nobody)
    return examine_outside(folder, outside)


def told(checks: Iterable[Check]) -> list[tuple[str, str, str]]:
    return [(finding.rule, finding.severity, finding.where) for check in checks for finding in check.findings]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def test_a_new_wiki_is_well(wiki: Path) -> None:
    checks = examine(wiki)
    assert told(checks) == []
    assert [check.subject for check in checks] == [
        "versions", "disk", "settings", "git", "observations", "prompts", "model", "host", "site",
    ]  # fmt: skip
    assert "no endpoint and no key are needed" in next(check.told for check in checks if check.subject == "model")


def test_wrong_settings_are_a_finding_and_the_rest_is_looked_at_all_the_same(wiki: Path) -> None:
    (wiki / "wikimill.toml").write_text("[wiki]\npage = 'x'\n", encoding="utf-8")
    checks = examine(wiki)
    assert told(checks) == [("settings", "error", "wikimill.toml")]
    assert "did you mean 'pages'?" in next(check.findings[0].message for check in checks if check.findings)
    assert "git" in {check.subject for check in checks}


def test_a_folder_without_git_is_told_how_to_go_on(wiki: Path) -> None:
    (wiki / ".git").rename(wiki.parent / "git-elsewhere")
    checks = examine(wiki)
    assert told(checks) == [("git", "error", str(wiki))]
    assert "--no-git" in next(check.findings[0].next_step for check in checks if check.findings)


def test_a_detached_head_is_found(wiki: Path) -> None:
    git(wiki, "checkout", "--quiet", "--detach")
    assert told(examine(wiki)) == [("git", "error", str(wiki))]


def test_uncommitted_pages_are_found(wiki: Path) -> None:
    (wiki / "wiki").mkdir(exist_ok=True)
    (wiki / "wiki" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    assert told(examine(wiki)) == [("git", "warning", "wiki/mine.md")]


def test_a_branch_that_does_not_exist_is_found(wiki: Path) -> None:
    (wiki / "wikimill.toml").write_text("[wiki]\nbranch = 'knowledge'\n", encoding="utf-8")
    assert told(examine(wiki)) == [("git", "warning", "wiki.branch")]


def test_what_is_missing_is_found(wiki: Path) -> None:
    (wiki / "mkdocs.yml").unlink()
    (wiki / "observations" / "start.jsonl").unlink()
    (wiki / "prompts" / "batch_consolidate_system.md").write_bytes(b"\xff")
    rules = {rule: severity for rule, severity, _ in told(examine(wiki))}
    assert rules == {"observations": "warning", "prompts": "error", "site": "warning"}


def test_the_prompts_of_both_modes_are_read_where_a_language_model_drafts(wiki: Path) -> None:
    model = '[model]\nprovider = "openai"\nname = "m"\nreplies = "replay"\nmode = '
    (wiki / "recordings").mkdir()
    (wiki / "recordings" / "one.json").touch()
    (wiki / "prompts" / "batch_consolidate_system.md").write_bytes(b" ")
    (wiki / "prompts" / "single_consolidate_system.md").unlink()
    for mode, severity in (("batch", "error"), ("single", "warning")):
        (wiki / "wikimill.toml").write_text(f'{model}"{mode}"\n', encoding="utf-8")
        checks = examine(wiki)
        assert told(checks) == [("prompts", severity, "batch_consolidate_system.md")]
        prompts = next(check.told for check in checks if check.subject == "prompts")
        assert prompts == "single_consolidate_system.md as shipped with wikimill"


def test_an_output_that_would_empty_the_theme_is_found(wiki: Path) -> None:
    (wiki / "wikimill.toml").write_text("[site]\noutput = 'site'\n", encoding="utf-8")
    assert told(examine(wiki)) == [("settings", "error", "site.output")]


@pytest.mark.parametrize("generator", ["mkdocs", "properdocs", "zensical"])
def test_a_site_generator_that_is_not_installed_is_found(
    wiki: Path, monkeypatch: pytest.MonkeyPatch, generator: str
) -> None:
    (wiki / "wikimill.toml").write_text(f"[site]\ngenerator = '{generator}'\n", encoding="utf-8")
    assert told(examine(wiki)) == []
    monkeypatch.setitem(sys.modules, generator, None)
    checks = examine(wiki)
    assert told(checks) == [("site", "warning", "site.generator")]
    assert f"`pip install {generator}`" in next(check.findings[0].next_step for check in checks if check.findings)


def test_no_host_is_asked_without_a_token_and_its_check_is_never_an_error(wiki: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        (wiki / "wikimill.toml").write_text(f"[proposal]\nhost = 'github'\napi_url = '{address}'\n", encoding="utf-8")
        git(wiki, "remote", "add", "origin", f"{address}/acme/wiki.git")
        checks = examine(wiki)
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert told(checks) == [("no-token", "note", "GitHub acme/wiki")]
    assert "GITHUB_TOKEN" in next(check.findings[0].next_step for check in checks if check.subject == "host")


def test_every_finding_has_a_mend(wiki: Path) -> None:
    (wiki / "mkdocs.yml").unlink()
    (wiki / "wikimill.toml").write_text("[site]\noutput = 'site'\n", encoding="utf-8")
    (wiki / "wiki").mkdir(exist_ok=True)
    (wiki / "wiki" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    findings = [finding for check in examine(wiki) for finding in check.findings]
    assert len(findings) == 3
    assert all(finding.next_step for finding in findings)


@pytest.mark.parametrize(
    ("installed", "requirement", "fit"),
    [
        ("1.6.1", "mkdocs<2,>=1.6.1", True),
        ("1.6.0", "mkdocs<2,>=1.6.1", False),
        ("2.0", "mkdocs<2,>=1.6.1", False),
        ("2.0.0a1", "mkdocs<2,>=1.6.1", False),
        ("1.10", "mkdocs<2,>=1.6.1", True),
        ("3.1.62", "gitpython<4,>=3.2.1", False),
        ("2026.11.19", "regex>=2024.11.6", True),
        ("13.9", "rich>=13.9", True),
        ("missing", "rich>=13.9", False),
    ],
)
def test_a_version_is_held_against_its_bounds(installed: str, requirement: str, *, fit: bool) -> None:
    assert fits(installed, requirement) is fit
