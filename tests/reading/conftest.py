"""Sites built once for all tests that look at them: those that a plain run of MkDocs gives on a fresh clone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reading.generating import build
from tests.reading.payloads import hostile_pages
from tests.reading.sample import write_repository

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def sample_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_repository(tmp_path_factory.mktemp("sample"))
    return build("mkdocs", root, REPO_URL="https://github.com/harbour/wiki", WIKI_BRANCH="trunk")


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_repository(tmp_path_factory.mktemp("hostile"), pages=hostile_pages())
    return build("mkdocs", root, strict=False, REPO_URL="https://github.com/harbour/wiki")
