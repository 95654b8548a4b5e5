"""Owns a look over what runs that need nobody rest on: the host, as far as a token sees it, and the files for it.

Changes nothing, asks nobody without a token, and waits for nobody longer than some seconds. A run by hand needs no
host, so that nothing here is an error.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.errors import ConfigError, ForgeUnavailable, GitError, WikimillError
from pipeline.finding import Finding
from pipeline.forge.choosing import choose, git_header, open_forge
from pipeline.git import Credentials, open_repository
from pipeline.git.process import GitProcess
from pipeline.proposing.opening import base_of
from pipeline.report.telling import OFFLINE
from pipeline.schedule.cron import parse_cron
from pipeline.schedule.zones import find_zone
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.choosing import Outside
    from pipeline.config import Settings
    from pipeline.finding import Severity
    from pipeline.forge.choosing import Chosen
    from pipeline.git import Repository

WORKFLOWS: Final = {"github": ".github/workflows/consolidate.yml", "gitlab": ".gitlab-ci.yml"}
IGNORED: Final = ".wikimill/runs"
"""Below the folder that no commit should hold."""
CALLED: Final = {"github": "GitHub", "gitlab": "GitLab"}

PROTECTING: Final = ("branch-rule", "branch-protected")
"""How rules of findings are called about pushes to a branch that are refused, or may be."""

HURRIED: Final = 5.0
"""Seconds that git may take to ask: whoever looks waits."""
_MOST_BYTES: Final = 1_000_000
_ZONE: Final = re.compile(r"""^[ \t]+timezone:[ \t]*["']?([^"'#\s]+)""", re.MULTILINE)
_CRON: Final = re.compile(r"""^[ \t]*-[ \t]+cron:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^#\n]*))""", re.MULTILINE)


def examine_host(settings: Settings, root: Path, outside: Outside) -> tuple[str, tuple[Finding, ...]]:
    """Give a line for people, and what to mend, at most as warnings; raises nothing that a host or git can cause."""
    try:
        with open_repository(root) as repository:
            told, findings = _files(repository, root)
            url = repository.remote_url(settings.proposal.remote)
            if not url:
                told.append(f"there is no remote {settings.proposal.remote!r}, so commits stay here")
            else:
                more, found = _host(settings, repository, url, outside)
                told, findings = [*more, *told], [*found, *findings]
    except GitError as error:
        return f"left out, for git cannot be used: {error.message}", ()
    return "; ".join(told), tuple(dict.fromkeys(map(_at_most_a_warning, findings)))


def _host(settings: Settings, repository: Repository, url: str, outside: Outside) -> tuple[list[str], list[Finding]]:
    """Tell which host it is; where there is a token, ask it."""
    chosen = settings.proposal
    try:
        host = choose(chosen, url, outside.environment)
    except ConfigError as error:
        told = f"the remote {chosen.remote!r} stands on no host that is known"
        return [told], [_finding(error, severity="warning" if chosen.model_fields_set else "note")]
    here = f"{CALLED[host.host]} {host.repository}"
    if not host.token:
        return [f"{here}, not asked without a token"], [_no_token(host, here)]
    try:
        return _seen(settings, repository, url, outside)
    except GitError:
        return [f"{here}, not asked for want of a branch"], []
    except ForgeUnavailable as error:
        return [f"{here} does not answer"], [_finding(error, where=here)]
    except WikimillError as error:
        return [f"{here} cannot be looked at"], [_finding(error)]


def _push(settings: Settings, repository: Repository, url: str, outside: Outside) -> Iterator[Finding]:
    """Let git ask whether it may push: of many a token the host's API does not tell."""
    here = repository.head().commit
    header = git_header(settings.proposal, url, outside.environment)
    if here is None or header is None:
        return
    remote = repository.remote(settings.proposal.remote, Credentials(*header), limit=HURRIED)
    try:
        remote.try_push(settings.proposal.branch, here)
    except GitError as error:
        yield _finding(error, where=url)


def _seen(settings: Settings, repository: Repository, url: str, outside: Outside) -> tuple[list[str], list[Finding]]:
    """Ask the host; raises what opening it raises, and what it answers in place of an answer."""
    base, branch = base_of(repository, settings, outside.environment), settings.proposal.branch
    forge = open_forge(
        settings.proposal,
        url,
        outside.environment,
        sleep=outside.sleep,
        now=outside.now,
        author_email=repository.author_email(),
        hurried=True,
    )
    try:
        access = forge.examine(base=base, branch=branch, will_push=True)
        told, findings = [access.told], [*access.findings]
        if not any(one.severity == "error" for one in findings):
            seen, watched = forge.watch()
            # What stands in the way of a push to the base alone is no fault: it is how the base is protected.
            direct = forge.examine(base=base, branch=base, will_push=True).findings
            protected = any(one.rule.startswith(PROTECTING) for one in direct)
            told += [seen, f"{base} is protected" if protected else f"{base} is not seen to be protected"]
            findings += [*watched, *(one for one in direct if one.rule == "base-missing")]
            findings += _push(settings, repository, url, outside)
            findings += _key(settings, forge.secret_names())
    finally:
        forge.hang_up()
    return told, findings


def _key(settings: Settings, secrets: frozenset[str] | None) -> Iterator[Finding]:
    """Tell of a key that a language model needs in CI, and that no job would get."""
    name = settings.model.api_key_variable
    if settings.model.provider == OFFLINE or secrets is None or name in secrets:
        return
    told = "no secret of CI has this name; one of an environment is not seen here."
    step = "Store the key of the language model under it; the guides to GitHub and GitLab tell where."
    yield Finding(name, "secret-missing", "note", told, step)


def _no_token(host: Chosen, here: str) -> Finding:
    names = " or ".join(host.told_variables)
    return Finding(
        here,
        "no-token",
        "note",
        "there is no token, so the host was not asked what would be in the way of proposals.",
        f"Set the environment variable {names} for `wikimill doctor`; the token stands in no file.",
    )


def _files(repository: Repository, root: Path) -> tuple[list[str], list[Finding]]:
    """Look at what stands in the repository for runs by themselves."""
    told: list[str] = []
    findings: list[Finding] = []
    top = repository.places.top
    for path in WORKFLOWS.values():
        text = _read(top / path)
        if text is None:
            continue
        times = list(_times(text))
        told.append(f"{path} is there" + (f", at {', '.join(repr(one) for one in times)}" if times else ""))
        findings += [*_wrong_times(path, times), *_wrong_zones(path, text)]
    if GitProcess(root).ask("--no-literal-pathspecs", "check-ignore", "--quiet", "--no-index", IGNORED).code:
        findings.append(
            Finding(
                ".gitignore",
                "wikimill-folder",
                "warning",
                "git does not ignore .wikimill/, where replies and reports are kept.",
                "Add the line `/.wikimill/`.",
            )
        )
    return told, findings


def _read(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def _times(text: str) -> Iterator[str]:
    """Give the cron expressions of a workflow; a line suffices for that, and what it is else GitHub checks."""
    for found in _CRON.finditer(text):
        yield one_line(next((one for one in found.groups() if one is not None), "").strip(), 100)


def _wrong_times(path: str, times: list[str]) -> Iterator[Finding]:
    for time in times:
        try:
            remarks = parse_cron(time).remarks
        except ValueError as fault:
            step = "Correct it; `wikimill schedule` tells when an expression comes due."
            yield Finding(path, "cron", "warning", f"the cron expression {time!r} {fault}.", step)
            continue
        for remark in remarks:
            yield Finding(path, "cron", "warning", remark, "Correct it.")


def _wrong_zones(path: str, text: str) -> Iterator[Finding]:
    for found in _ZONE.finditer(text):
        try:
            find_zone(found[1], where=path)
        except ConfigError as fault:
            yield Finding(path, "timezone", "warning", f"{one_line(found[1], 60)}: {fault.message}", "Correct it.")


def _finding(error: WikimillError, *, where: str = "", severity: Severity = "warning") -> Finding:
    return Finding(where or error.where or "proposal", "host", severity, error.message, error.next_step)


def _at_most_a_warning(finding: Finding) -> Finding:
    return replace(finding, severity="warning") if finding.severity == "error" else finding
