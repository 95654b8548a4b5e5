"""Sites built once for all tests that look at them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pipeline.reading.build import build_site
from tests.reading.payloads import hostile_pages
from tests.reading.sample import write_repository

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in {"SITE_URL", "REPO_URL", "WIKI_BRANCH"}}


@pytest.fixture(scope="session")
def sample_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_repository(tmp_path_factory.mktemp("sample"))
    variables = {"REPO_URL": "https://github.com/harbour/wiki", "WIKI_BRANCH": "trunk"}
    return build_site(root, environment={**ENVIRONMENT, **variables}).output


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_repository(tmp_path_factory.mktemp("hostile"), pages=hostile_pages())
    return build_site(
        root, strict=False, environment={**ENVIRONMENT, "REPO_URL": "https://github.com/harbour/wiki"}
    ).output
