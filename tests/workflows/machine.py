"""Owns a machine that runs a workflow of GitHub Actions from its YAML, job after job, as it is written.

Every `run:` is given to the shell that the file names, in a fresh clone, with the runner's environment variables. What
the actions do stands elsewhere; an unknown one is an error.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from tests.workflows.actions import ACTIONS, Bench, Failed
from tests.workflows.expressions import Value, evaluate, fill, holds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SHELLS = {"bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail"), "": ("bash", "-e")}
"""How GitHub starts a script, by `shell:`; without one there is no pipefail."""

ACTOR_TOKEN = "ghs_of_this_job"
APP_TOKEN = "ghs_of_the_app"


@dataclass
class Step:
    """What a step came to: `success`, `failure` or `skipped`, and what it was given and has said."""

    name: str
    outcome: str
    given: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    outputs: dict[str, Value] = field(default_factory=dict)


@dataclass
class Job:
    result: str
    steps: list[Step] = field(default_factory=list)
    outputs: dict[str, Value] = field(default_factory=dict)
    summary: str = ""

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)

    @property
    def ran(self) -> list[str]:
        """The names of the steps that were not skipped."""
        return [step.name for step in self.steps if step.outcome != "skipped"]


@dataclass
class Machine:
    """Where workflows run. `place` holds work trees, artifacts and caches; `origin` is a bare repository."""

    place: Path
    origin: Path
    commands: Path
    """A folder of commands that come before all others, such as `wikimill` and `python`."""
    event_name: str = "schedule"
    event: Mapping[str, Value] = field(default_factory=dict)
    ref: str = "refs/heads/main"
    inputs: Mapping[str, Value] = field(default_factory=dict)
    variables: Mapping[str, Value] = field(default_factory=dict)
    secrets: Mapping[str, Value] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    """What the runner's own environment has besides, such as the address of an API."""
    mint: Callable[[Mapping[str, str]], str] = lambda _permissions: ACTOR_TOKEN
    """Gives the token of a job, by the permissions that the job is written with."""
    app_token: str = APP_TOKEN

    def run(self, file: Path) -> dict[str, Job]:
        """Run all jobs of a workflow in the order in which they need each other."""
        workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
        shell = workflow.get("defaults", {}).get("run", {}).get("shell", "")
        jobs: dict[str, Job] = {}
        for name, written in workflow["jobs"].items():
            needs = [written["needs"]] if isinstance(written.get("needs"), str) else written.get("needs", [])
            assert set(needs) <= jobs.keys(), f"{name} stands before what it needs"
            jobs[name] = self._job(name, written, {need: jobs[need] for need in needs}, shell)
        return jobs

    def _job(self, name: str, written: dict[str, Any], needs: Mapping[str, Job], shell: str) -> Job:
        job = Job("success")
        token = self.mint(written["permissions"])
        contexts = self._contexts(job, needs, token)
        status: dict[str, Callable[..., Value]] = {
            "success": lambda: all(need.result == "success" for need in needs.values()),
            "failure": lambda: any(need.result == "failure" for need in needs.values()),
            "cancelled": lambda: False,
            "always": lambda: True,
        }
        if not holds(str(written.get("if", "")), contexts, status):
            return Job("skipped")
        work = _Work(self, self.place / "jobs" / name, shell)
        functions: dict[str, Callable[..., Value]] = {
            **status,
            "success": lambda: job.result == "success",
            "failure": lambda: job.result == "failure",
            "hashFiles": work.digest,
        }
        for number, text in enumerate(written["steps"]):
            step = work.step(number, text, contexts, functions)
            job.steps.append(step)
            contexts = self._contexts(job, needs, token)
            if step.outcome == "failure":
                job.result = "failure"
        job.summary = work.summary.read_text(encoding="utf-8")
        job.outputs = {
            key: evaluate(value.strip()[3:-2], contexts, functions) for key, value in written.get("outputs", {}).items()
        }
        return job

    def _contexts(self, job: Job, needs: Mapping[str, Job], token: str) -> dict[str, Value]:
        return {
            "github": {
                "event": self.event,
                "event_name": self.event_name,
                "ref": self.ref,
                "ref_name": self.ref.split("/", 2)[2],
                "repository": "acme/wiki",
                "server_url": "https://github.com",
                "token": token,
                "run_id": "7",
                "run_attempt": "1",
            },
            "inputs": self.inputs,
            "vars": self.variables,
            "secrets": self.secrets,
            "steps": {step.name: {"outcome": step.outcome, "outputs": step.outputs} for step in job.steps},
            "needs": {name: {"result": need.result, "outputs": need.outputs} for name, need in needs.items()},
        }


class _Work:
    """One job at work: a work tree, its scratch files, and how a step is done in it."""

    def __init__(self, machine: Machine, place: Path, shell: str) -> None:
        self.machine, self.place, self.shell = machine, place, shell
        self.tree, self.temporary = place / "work", place / "temp"
        self.home, self.summary = place / "home", place / "summary.md"
        for folder in (self.tree, self.temporary, self.home):
            folder.mkdir(parents=True)
        self.summary.touch()

    def digest(self, pattern: Value) -> str:
        """Play `hashFiles()`: something where files match, and nothing where none does. Its `**` means files too."""
        found = self.tree.glob(f"{pattern}/*" if str(pattern).endswith("**") else str(pattern))
        return "a1b2" if any(path.is_file() for path in found) else ""

    def step(
        self, number: int, text: dict[str, Any], contexts: Mapping[str, Value], functions: Mapping[str, Any]
    ) -> Step:
        """Do one step. It is known by its id, where it has one, else by its name or its action."""
        name = text.get("id") or text.get("name") or text["uses"].partition("@")[0]
        if not holds(str(text.get("if", "")), contexts, functions):
            return Step(name, "skipped")
        given = {
            key: fill(str(value).lower() if isinstance(value, bool) else str(value), contexts, functions)
            for key, value in {**text.get("env", {}), **text.get("with", {})}.items()
        }
        if "uses" in text:
            action = ACTIONS[text["uses"].partition("@")[0]]
            machine = self.machine
            bench = Bench(self.tree, machine.origin, machine.place, machine.ref, machine.app_token)
            try:
                return Step(name, "success", given, outputs=action(bench, given))
            except Failed as failure:
                return Step(name, "failure", given, said=str(failure))
        return self._script(number, name, text, given)

    def _script(self, number: int, name: str, text: dict[str, Any], given: Mapping[str, str]) -> Step:
        assert "${{" not in text["run"]
        script, output = self.temporary / f"{number}.sh", self.temporary / f"{number}.output"
        script.write_text(text["run"], encoding="utf-8")
        output.touch()
        done = subprocess.run(
            [*SHELLS[text.get("shell", self.shell)], str(script)],
            cwd=self.tree,
            env={**self._environment(output), **given},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        outputs: dict[str, Value] = {}
        for line in output.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition("=")
            outputs[key] = value
        said = done.stdout.decode("utf-8", "replace")
        return Step(name, "failure" if done.returncode else "success", given, said, outputs)

    def _environment(self, output: Path) -> dict[str, str]:
        machine = self.machine
        return {
            "PATH": f"{machine.commands}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": "https://api.github.com",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "acme/wiki",
            "GITHUB_EVENT_NAME": machine.event_name,
            "GITHUB_REF": machine.ref,
            "GITHUB_REF_NAME": machine.ref.split("/", 2)[2],
            "GITHUB_RUN_ID": "7",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_WORKSPACE": str(self.tree),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": str(self.temporary),
            **machine.environment,
        }
