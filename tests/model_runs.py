"""Runs of the whole pipeline against an endpoint, as the door starts them: settings, model, report."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline import run
from pipeline.choosing import Outside, open_model
from pipeline.config import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pipeline.report import Report

AT = datetime(2026, 11, 30, 8, tzinfo=UTC)


def settings(url: str, *, run: Mapping[str, object] | None = None, **model: object) -> Settings:
    asked = {"provider": "openai", "name": "small", "base_url": url, **model}
    return Settings.model_validate({"model": asked, "run": dict(run or {})})


def outside(environment: Mapping[str, str] | None = None, sleep: Callable[[float], None] = time.sleep) -> Outside:
    return Outside(environment or {}, lambda: AT, time.monotonic, sleep, lambda: 0.5)


def consolidate(
    root: Path,
    chosen: Settings,
    *,
    environment: Mapping[str, str] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    tell: Callable[[str], None] = lambda _: None,
    use_git: bool = True,
    dry_run: bool = False,
    reconsolidate: bool = False,
    retry_parked: bool = False,
) -> Report:
    with open_model(chosen, root, outside(environment, sleep), tell=tell) as model:
        return run.consolidate(
            chosen,
            root,
            clock=lambda: AT,
            model=model,
            use_git=use_git,
            dry_run=dry_run,
            reconsolidate=reconsolidate,
            retry_parked=retry_parked,
            environment=environment,
        )
