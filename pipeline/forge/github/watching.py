"""Owns looking whether what runs by itself on GitHub does: the schedule and the published site; changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.forge.github.answers import Pages, RepositoryAnswer, Secrets, Workflow, WorkflowRuns, read_answer
from pipeline.forge.http import HostRefused, quoted
from pipeline.text import one_line

if TYPE_CHECKING:
    from pipeline.forge.http import ForgeClient
    from pipeline.observations.observation import Json

_ASLEEP: Final = {
    "disabled_inactivity": "GitHub switched it off after 60 days without activity in the repository.",
    "disabled_manually": "somebody switched it off.",
    "disabled_fork": "it is off because this repository is a fork.",
}
_BAD_ENDS: Final = frozenset(("failure", "timed_out", "startup_failure"))
_UNSEEN: Final = frozenset((401, 403))
_MISSING: Final = 404
_LIMIT: Final = 100


def watch_over(client: ForgeClient, name: str, web_url: str, workflow: str) -> tuple[str, tuple[Finding, ...]]:
    """Give what was seen, in a line, and what to mend; what the token may not see is said, and is no finding."""
    watch = _Watch(client, name, web_url, workflow)
    try:
        repository = read_answer(RepositoryAnswer, client.get(f"/repos/{name}"))
    except HostRefused:
        return f"{name} cannot be seen with this token", ()
    told = [*watch.schedule(), *watch.last_run(), *watch.site(repository), *watch.fork(repository)]
    return "; ".join(text for text, _ in told), tuple(finding for _, found in told for finding in found)


def names_of_secrets(client: ForgeClient, name: str) -> frozenset[str] | None:
    """Give the names of the secrets that workflows of a repository get; None where the token may not see them."""
    found: set[str] = set()
    for kind in ("secrets", "organization-secrets"):
        try:
            answer = client.get(f"/repos/{name}/actions/{kind}?per_page={_LIMIT}")
        except HostRefused:
            return None
        found |= {secret.name for secret in read_answer(Secrets, answer).secrets}
    return frozenset(found)


_Told = list[tuple[str, list[Finding]]]


class _Watch:
    def __init__(self, client: ForgeClient, name: str, web_url: str, workflow: str) -> None:
        self._client, self._home, self._workflow = client, f"/repos/{name}", workflow
        self._page, self._web = f"/actions/workflows/{quoted(workflow)}", f"{web_url}/{name}"
        self._is_there = False

    def schedule(self) -> _Told:
        """Look whether the workflow is awake."""
        answer, status = self._seen(self._page)
        if status in _UNSEEN:
            return [(f"{self._workflow} cannot be seen with this token", [])]
        if status == _MISSING:
            step = f"Commit .github/workflows/{self._workflow} to the default branch; `wikimill init` writes one."
            return [self._found("workflow-missing", "GitHub knows no such workflow.", step)]
        self._is_there = True
        state = read_answer(Workflow, answer).state
        if state == "active":
            return [(f"{self._workflow} is active", [])]
        why = _ASLEEP.get(state) or f"its state is {one_line(state, _LIMIT)}."
        step = f"Press 'Enable workflow' on {self._web}{self._page}, or run `gh workflow enable {self._workflow}`."
        return [self._found(f"workflow-{state.replace('_', '-')}" if state in _ASLEEP else "workflow-off", why, step)]

    def last_run(self) -> _Told:
        """Look how the workflow last ended."""
        if not self._is_there:
            return []
        answer, status = self._seen(f"{self._page}/runs?per_page=1")
        if status:
            return []
        runs = read_answer(WorkflowRuns, answer).workflow_runs
        if not runs:
            return [("it has not run yet", [])]
        last = runs[0]
        when = f" of {last.created_at:%Y-%m-%d}" if last.created_at else ""
        end = one_line(last.conclusion or last.status or "unknown", _LIMIT)
        if end in _BAD_ENDS:
            step = f"Read its log: {one_line(last.html_url, 2 * _LIMIT)}"
            return [self._found("last-run-failed", f"its last run{when} ended with {end}.", step)]
        return [(f"its last run{when}: {end}", [])]

    def site(self, repository: RepositoryAnswer) -> _Told:
        """Look whether and how the site is published."""
        answer, status = self._seen("/pages")
        settings = f"{self._web}/settings/pages"
        if status in _UNSEEN or (status and repository.has_pages):
            return [("Pages cannot be seen with this token", [])]
        if status:
            step = f"Settings > Pages > Build and deployment > Source: GitHub Actions ({settings})."
            return [_pages("pages-off", "the site is not published: Pages is not set up.", step)]
        pages = read_answer(Pages, answer)
        told: _Told = [(f"Pages at {one_line(pages.html_url, 2 * _LIMIT)}", [])]
        if pages.build_type == "legacy":
            step = f"Settings > Pages > Build and deployment > Source: GitHub Actions ({settings})."
            told.append(_pages("pages-legacy", "Pages publishes a branch, not what the workflow builds.", step))
        if repository.private and pages.public:
            step = f"Unpublish it, or restrict its visibility where the plan allows that ({settings})."
            told.append(_pages("pages-public", "everybody can read the site of this private repository.", step))
        if pages.status == "errored":
            step = f"Read the log of the last deployment: {self._web}/deployments"
            told.append(_pages("pages-errored", "the last deployment of the site failed.", step))
        return told

    def fork(self, repository: RepositoryAnswer) -> _Told:
        """Say that in a fork nothing runs by itself."""
        if not repository.fork:
            return []
        told = "this repository is a fork, in which the workflow does not run on its schedule."
        step = "Start it by hand, or take the condition on forks out of the workflow."
        return [("a fork", [Finding(f".github/workflows/{self._workflow}", "workflow-in-fork", "note", told, step)])]

    def _seen(self, path: str) -> tuple[Json, int]:
        """Read one thing, or give the status with which GitHub refuses to show it."""
        try:
            return self._client.get(f"{self._home}{path}"), 0
        except HostRefused as fault:
            return None, fault.status

    def _found(self, rule: str, message: str, step: str) -> tuple[str, list[Finding]]:
        where = f".github/workflows/{self._workflow}"
        return f"{self._workflow}: {message.rstrip('.')}", [Finding(where, rule, "warning", message, step)]


def _pages(rule: str, message: str, step: str) -> tuple[str, list[Finding]]:
    return message.rstrip("."), [Finding("Pages", rule, "warning", message, step)]
