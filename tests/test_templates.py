from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError
from pipeline.templates import BATCH, read_prompt, shipped_prompts

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_shipped_is_read_where_the_repository_has_none(tmp_path: Path) -> None:
    assert read_prompt(tmp_path, BATCH) == shipped_prompts()[BATCH].decode()


def test_the_repository_s_own_template_wins(tmp_path: Path) -> None:
    (tmp_path / BATCH).write_bytes(b"\xef\xbb\xbfOurs.\r\nAll of it.\r\n")
    assert read_prompt(tmp_path, BATCH) == "Ours.\nAll of it.\n"


@pytest.mark.parametrize(("raw", "told"), [(b"\xff\xfe", "not UTF-8"), (b" \n", "is empty")])
def test_a_template_that_cannot_be_used_is_named(tmp_path: Path, raw: bytes, told: str) -> None:
    (tmp_path / BATCH).write_bytes(raw)
    with pytest.raises(ConfigError, match=told):
        read_prompt(tmp_path, BATCH)
