"""Which error ends with which code."""

from __future__ import annotations

import pytest

from pipeline.cli.exits import code_of
from pipeline.errors import (
    BranchMoved,
    ConfigError,
    Conflict,
    GitError,
    InvalidReply,
    ObservationError,
    Rejected,
    StoreError,
    Unavailable,
    WikimillError,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError, 2),
        (Unavailable, 4),
        (GitError, 5),
        (BranchMoved, 5),
        (Conflict, 5),
        (ObservationError, 1),
        (StoreError, 1),
        (InvalidReply, 1),
        (Rejected, 1),
        (WikimillError, 1),
    ],
)
def test_each_error_has_its_code(error: type[WikimillError], code: int) -> None:
    assert code_of(error("x")) == code
