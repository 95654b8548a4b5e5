"""A real language model over real HTTP, when somebody asks for it: `OPENAI_BASE_URL=... pytest -m llm -s`.

`WIKIMILL_LLM` names the model (else the first that the endpoint lists), `WIKIMILL_LLM_OBSERVATIONS` a folder of
observation files of which the ten smallest sessions are taken (else ten invented ones), `WIKIMILL_LLM_MODE` the mode
(else `single`, which a small model does best). However badly a model writes, the run ends, and every promise is kept;
how many sessions it can do is told, not demanded of a small one.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from pipeline.config import LintSettings, ModelSettings, Settings
from pipeline.models.openai_compatible import list_models
from pipeline.wiki.linting.lint import lint
from tests.model_runs import AT, consolidate
from tests.test_model_runs import files

pytestmark = pytest.mark.llm

SESSIONS = 10
SAID = (
    ("prompt", "Please find out why the nightly build fails since Monday."),
    ("note", "The build runs on a machine with 2 GB of memory; webpack takes {n}00 MB more than last week."),
    ("error", "Exit code 137 at 03:1{n} UTC, no stack trace: the kernel killed the process."),
    ("decision", "We raise the memory of runner {n} to 4 GB instead of splitting the bundle, because it is cheap."),
    ("note", "Build {n} is green again after 6 minutes."),
)


def lines(folder: str | None) -> list[str]:
    if folder is None:
        return [
            json.dumps(
                {
                    "ts": f"2026-11-{10 + n}T09:{minute:02}:00Z",
                    "session_id": f"build-{n}",
                    "project": "acme",
                    "kind": kind,
                    "author": "dana",
                    "body": text.format(n=n),
                }
            )
            for n in range(SESSIONS)
            for minute, (kind, text) in enumerate(SAID)
        ]
    by_session: dict[str, list[str]] = defaultdict(list)
    for path in sorted(Path(folder).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            by_session[json.loads(line)["session_id"]].append(line)
    smallest = sorted((one for one in by_session.values() if len(one) > 2), key=lambda one: sum(map(len, one)))
    return [line for one in smallest[:SESSIONS] for line in one]


def test_a_real_model_keeps_every_promise(tmp_path: Path) -> None:
    address = os.environ.get("OPENAI_BASE_URL", "").strip()
    if not address:
        pytest.skip("set OPENAI_BASE_URL to an endpoint that speaks the OpenAI chat API")
    asked = ModelSettings(provider="openai", name="any", base_url=address)
    name = os.environ.get("WIKIMILL_LLM") or list_models(asked, os.environ, scrub=str, clock=time.monotonic)[0].id
    chosen = Settings.model_validate(
        {
            "model": {
                "provider": "openai",
                "name": name,
                "base_url": address,
                "mode": os.environ.get("WIKIMILL_LLM_MODE", "single"),
                "workers": 1,
                "timeout_seconds": 900,
                "max_output_tokens": 1_200,
                "sessions_per_request": 1,
            },
            "budget": {"total": 8_192, "response": 1_800},
            "run": {"drafted_together": 1},
        }
    )
    (tmp_path / "observations").mkdir()
    told = lines(os.environ.get("WIKIMILL_LLM_OBSERVATIONS"))
    (tmp_path / "observations/day.jsonl").write_text("\n".join(told) + "\n", encoding="utf-8", newline="\n")

    report = consolidate(tmp_path, chosen, environment=os.environ, use_git=False, tell=print)

    states = Counter(one.state for one in report.sessions)
    print(dict(states), report.spent)
    print("windows", sum(one.windows for one in report.sessions), "mended", sum(one.repairs for one in report.sessions))
    print(Counter(finding.rule for finding in report.every_finding()))
    for one in report.sessions:
        print(one.session, one.state, [page.path for page in one.pages], one.reason[:200])
    assert len(report.sessions) == SESSIONS
    assert states["left"] == 0
    assert states["consolidated"] >= 1
    standing = files(tmp_path)
    found = lint(standing, settings=LintSettings(), today=AT.date(), observation_exists=None)
    assert [finding for finding in found if finding.severity == "error"] == []
    again = consolidate(tmp_path, chosen, environment=os.environ, use_git=False)
    unfinished = {one.session for one in report.sessions if one.state != "consolidated"}
    assert {one.session for one in again.sessions} <= unfinished
