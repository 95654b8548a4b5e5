"""Owns the command `propose`: what a run has left becomes one pull or merge request; knows no host."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.reporting import kept
from pipeline.cli.telling import tell_run
from pipeline.delivering import check_way, propose_handed_over
from pipeline.report import as_json as plain
from pipeline.report import exit_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.cli.surroundings import Surroundings


@click.command()
@click.option("--check", is_flag=True, help="Only ask whether a proposal could be made, and say what is in the way.")
@json_option
@click.pass_obj
def propose(surroundings: Surroundings, *, check: bool, as_json: bool) -> int:
    """Open or update the pull or merge request with what `run --prepare` left.

    Checks what was handed over in .wikimill/proposal: paths, sizes, links, sources, quotations of the offline model,
    reviews, the ledger, secrets. Pushes it to the branch that wikimill alone writes, and opens one proposal or updates
    the open one. Asks no model. Where a person has committed to the branch, nothing is pushed. Needs a token in
    GITHUB_TOKEN or GITLAB_TOKEN.

    \b
    Examples:
      wikimill propose --check
      wikimill run --prepare && wikimill propose
    """
    speaker = Speaker(as_json=as_json, in_ci=surroundings.in_ci)
    root, settings = surroundings.open_wiki()
    if check:
        access = check_way("propose", settings, root, surroundings.outside)
        if as_json:
            findings = [asdict(finding) for finding in access.findings]
            speaker.give({"told": access.told, "possible": True, "findings": findings})
        else:
            speaker.findings(access.findings)
            speaker.say(f"A proposal could be made: {access.told}")
        return ExitCode.DONE
    drafts = settings.model.name or settings.model.provider
    with kept(surroundings, root, "propose", speaker=speaker, model=drafts) as keep:
        url = report_url(surroundings.environment)
        report = keep(propose_handed_over(settings, root, surroundings.outside, report_url=url))
    if as_json:
        speaker.give(plain(report))
    else:
        tell_run(speaker, report)
    return exit_code(report)


def report_url(environment: Mapping[str, str]) -> str:
    """Give the page of the CI system on which this run and its summary can be read; empty elsewhere."""
    if environment.get("GITHUB_ACTIONS") == "true":
        parts = [environment.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")]
        return f"{parts[0]}/{parts[1]}/actions/runs/{parts[2]}" if all(parts) else ""
    return environment.get("CI_PIPELINE_URL", "") if environment.get("GITLAB_CI") == "true" else ""
