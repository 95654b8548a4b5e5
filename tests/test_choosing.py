"""What a run may write that only tries: the cache of replies, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.choosing import open_model
from tests import model_runs
from tests.models.openai_compatible.scripted import Answer, Asked, a_request, error, said, serving

if TYPE_CHECKING:
    from pathlib import Path


def script(_: int, asked: Asked) -> Answer:
    return error(400, "no json_schema here") if asked.rung == "json_schema" else said()


@pytest.mark.parametrize(
    ("learn", "written"),
    [
        (True, {".wikimill/replies", ".wikimill/endpoints.json", "recordings/acme"}),
        (False, {".wikimill/replies"}),
    ],
)
def test_without_leave_to_learn_only_the_cache_is_written(tmp_path: Path, written: set[str], *, learn: bool) -> None:
    with serving(script) as endpoint:
        chosen = model_runs.settings(endpoint.address, replies="record")
        for _ in range(2):
            with open_model(chosen, tmp_path, model_runs.outside(), tell=lambda _: None, learn=learn) as model:
                assert model.complete(a_request()).text == '{"updates": []}'

    assert endpoint.rungs == ["json_schema", "json_object"]
    assert {"/".join(path.relative_to(tmp_path).parts[:2]) for path in tmp_path.rglob("*") if path.is_file()} == written


def test_what_is_recorded_answers_also_where_nothing_may_be_learnt(tmp_path: Path) -> None:
    with serving(script) as endpoint:
        chosen = model_runs.settings(endpoint.address, replies="record")
        with open_model(chosen, tmp_path, model_runs.outside(), tell=lambda _: None) as model:
            model.complete(a_request())
        (recorded,) = (tmp_path / "recordings").rglob("*.json")
        recorded.write_text(json.dumps({**json.loads(recorded.read_bytes()), "reply": "edited"}), encoding="utf-8")
        with open_model(chosen, tmp_path, model_runs.outside(), tell=lambda _: None, learn=False) as model:
            assert model.complete(a_request()).text == "edited"
            model.forget(a_request())
    assert recorded.exists()
    assert len(endpoint.asked) == 2
