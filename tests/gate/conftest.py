"""Builds each site of the gate once, for all tests and for all processes that run them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from tests.gate.builds import Sites

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "gate"
    return Sites(shared, _lock)


def _lock(place: Path) -> FileLock:
    place.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(f"{place}.lock")
