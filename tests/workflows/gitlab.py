"""Owns a machine that runs `.gitlab-ci.yml` as it is written: rules, scripts, artifacts, caches, scopes of variables.

It knows the few keywords that the file uses; a rule that it cannot read is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COMPARISON = re.compile(r'\$(\w+) == (?:"([^"]*)"|\$(\w+))')
JOB_TOKEN = "glcbt-of-this-job"


class _Loader(yaml.SafeLoader):
    """Reads `!reference [job, key]` too."""


def _reference(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> tuple[str, ...]:
    return ("reference", *loader.construct_sequence(node))


_Loader.add_constructor("!reference", _reference)


@dataclass
class Job:
    code: int
    said: str


@dataclass
class Machine:
    """Where a pipeline runs. `place` holds work trees, artifacts and caches; `origin` is a bare repository."""

    place: Path
    origin: Path
    commands: Path
    source: str = "schedule"
    branch: str = "main"
    variables: Mapping[str, str] = field(default_factory=dict)
    """Given by whoever starts the pipeline; they win over those of the file."""
    protected: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Variables of the project by name and environment scope; `*` is every scope."""
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, file: Path) -> dict[str, Job]:
        """Run the pipeline, stage after stage; what needs a job that failed does not run."""
        written = yaml.load(file.read_text(encoding="utf-8"), _Loader)  # a safe loader with one tag more
        known = {**self._known(), **_plain(written["variables"]), **self.variables}
        ran: dict[str, Job] = {}
        if not _applies(written["workflow"]["rules"], known):
            return ran
        jobs = {name: _extended(written, name) for name in written if _is_job(written, name)}
        for stage in written["stages"]:
            if any(job.code for job in ran.values()):
                break
            for name, job in jobs.items():
                if job["stage"] == stage and _applies(job["rules"], known):
                    ran[name] = self._job(name, {**written["default"], **job}, known)
        return ran

    def _known(self) -> dict[str, str]:
        return {
            "CI": "true",
            "GITLAB_CI": "true",
            "CI_PIPELINE_SOURCE": self.source,
            "CI_DEFAULT_BRANCH": "main",
            **({} if self.source == "merge_request_event" else {"CI_COMMIT_BRANCH": self.branch}),
            "CI_COMMIT_SHA": _git(self.origin, "rev-parse", "main"),
            "CI_PROJECT_PATH": "acme/wiki",
            "CI_PROJECT_URL": "https://gitlab.com/acme/wiki",
            "CI_PAGES_URL": "https://acme.gitlab.io/wiki",
            "CI_API_V4_URL": "https://gitlab.com/api/v4",
            "CI_JOB_TOKEN": JOB_TOKEN,
        }

    def _job(self, name: str, job: dict[str, Any], known: Mapping[str, str]) -> Job:
        tree = self.place / "jobs" / name
        variables = {**known, **_filled(_plain(job.get("variables", {})), known)}
        scope = job.get("environment", {}).get("name", "")
        secrets = {key: value for (key, where), value in self.protected.items() if where in {"*", scope}}
        if variables["GIT_STRATEGY"] == "clone":
            assert variables["GIT_DEPTH"] == "0"
            subprocess.run(["git", "clone", "--quiet", "--no-checkout", self.origin.as_uri(), str(tree)], check=True)
            _git(tree, "checkout", "--quiet", "--detach", known["CI_COMMIT_SHA"])  # as a runner does
        else:
            tree.mkdir(parents=True)
        self._bring(tree, job)
        script = "\n".join([*job["before_script"], *job["script"]])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=tree,
            env={
                "PATH": f"{self.commands}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.place),
                "LANG": "C.UTF-8",
                **variables,
                **self._dotenv(),
                **secrets,
                **self.environment,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self._keep(tree, job, done.returncode)
        return Job(done.returncode, done.stdout.decode("utf-8", "replace"))

    def _bring(self, tree: Path, job: dict[str, Any]) -> None:
        artifacts = self.place / "artifacts" if job.get("dependencies") != [] else self.place / "none"
        for source in (artifacts, self.place / "caches" / job.get("cache", {}).get("key", "none")):
            if source.is_dir():
                shutil.copytree(source, tree, dirs_exist_ok=True)

    def _keep(self, tree: Path, job: dict[str, Any], code: int) -> None:
        cache = job.get("cache", {"paths": [], "key": "none"})
        for path in cache["paths"]:
            if (tree / path).is_dir() and (not code or cache["when"] == "always"):
                shutil.copytree(tree / path, self.place / "caches" / cache["key"] / path, dirs_exist_ok=True)
        kept = job.get("artifacts", {})
        for path in [] if code else kept.get("paths", []):
            if (tree / path).is_dir():  # where there is none, GitLab only warns
                shutil.copytree(tree / path, self.place / "artifacts" / path, dirs_exist_ok=True)
        report = kept.get("reports", {}).get("dotenv", "")
        if report and not code:
            with (self.place / "dotenv").open("ab") as every:
                every.write((tree / report).read_bytes())

    def _dotenv(self) -> dict[str, str]:
        report = self.place / "dotenv"
        rows = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
        return {name: value for name, _, value in (row.partition("=") for row in rows)}


def _is_job(written: Mapping[str, Any], name: str) -> bool:
    return not name.startswith(".") and isinstance(written[name], dict) and "script" in written[name]


def _extended(written: dict[str, Any], name: str) -> dict[str, Any]:
    job = written[name]
    whole = {**written.get(job.get("extends"), {}), **job}
    whole["rules"] = list(_flat(written, whole["rules"]))
    return whole


def _flat(written: dict[str, Any], rules: list[Any] | tuple[str, ...]) -> list[dict[str, str]]:
    if isinstance(rules, tuple):
        return _flat(written, written[rules[1]][rules[2]])
    return [found for rule in rules for found in (_flat(written, rule) if isinstance(rule, tuple) else [rule])]


def _applies(rules: list[dict[str, str]], known: Mapping[str, str]) -> bool:
    for rule in rules:
        parts = rule["if"].split(" && ")
        found = [COMPARISON.fullmatch(part) for part in parts]
        assert all(found), f"{rule['if']} cannot be read"
        if all(_same(match, known) for match in found if match):
            return rule.get("when") != "never"
    return False


def _same(match: re.Match[str], known: Mapping[str, str]) -> bool:
    other = known.get(match[3]) if match[3] else match[2]
    return known.get(match[1]) == other


def _plain(variables: Mapping[str, str | dict[str, str]]) -> dict[str, str]:
    return {name: value["value"] if isinstance(value, dict) else value for name, value in variables.items()}


def _filled(variables: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    return {name: re.sub(r"\$(\w+)", lambda found: known[found[1]], value) for name, value in variables.items()}


def _git(place: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(place), *arguments], check=True, capture_output=True)
    return done.stdout.decode().strip()
