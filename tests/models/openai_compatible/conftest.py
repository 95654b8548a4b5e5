"""Closes every model that a test has made: a connection left open is a warning, and warnings are errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.models.openai_compatible.scripted import OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()
