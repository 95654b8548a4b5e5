"""What is remembered of endpoints: kept between runs, and worth nothing when it is damaged."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import StoreError
from pipeline.models.openai_compatible import EndpointMemory
from pipeline.models.openai_compatible.calibration import Calibration, believed
from pipeline.models.openai_compatible.memory import Known
from tests.models.openai_compatible.scripted import Answer, a_model, a_request, said, serving

if TYPE_CHECKING:
    from pathlib import Path

HERE = "http://localhost/v1"

ENTRIES = (
    b"5",
    b'{"rung": 5, "refused": {}, "tokens_ratio": "x"}',
    b'{"refused": [5], "tokens_ratio": NaN}',
)
"""Entries that no version has written."""


def test_what_is_noted_is_known_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / ".wikimill" / "endpoints.json"
    EndpointMemory(path).note(HERE, "a", rung="text", refused=("temperature",))
    EndpointMemory(path).note(HERE, "a", tokens_ratio=0.8)
    EndpointMemory(path).note(HERE, "b", rung="json_object")

    assert EndpointMemory(path).recall(HERE, "a") == Known("text", frozenset({"temperature"}), 0.8)
    assert EndpointMemory(path).recall(HERE, "b") == Known("json_object")
    assert EndpointMemory(path).recall("http://elsewhere/v1", "a") == Known()
    assert [one.name for one in path.parent.iterdir()] == ["endpoints.json"]


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"{", b"null", b"[]", b"\xff", b"[" * 100_000, b" " * 1_000_001, b'{"version": 2, "endpoints": {}}'),
        *(b'{"version": 1}', b'{"version": 1, "endpoints": []}'),
        *(b'{"version": 1, "endpoints": {"http://localhost/v1 a": %b}}' % entry for entry in ENTRIES),
    ],
)
def test_a_damaged_or_foreign_file_counts_as_empty_and_is_replaced(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "endpoints.json"
    path.write_bytes(raw)
    assert EndpointMemory(path).recall(HERE, "a") == Known()

    EndpointMemory(path).note(HERE, "a", rung="text")
    assert EndpointMemory(path).recall(HERE, "a").rung == "text"


def test_what_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "endpoints.json"
    EndpointMemory(path).note(HERE, "a", rung="text")
    before = path.stat().st_mtime_ns, path.stat().st_ino
    EndpointMemory(path).note(HERE, "a", rung="text")
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_many_writers_leave_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "endpoints.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: EndpointMemory(path).note(HERE, f"m{number}", rung="text"), range(40)))
    assert json.loads(path.read_bytes())["version"] == 1
    assert [one.name for one in tmp_path.iterdir()] == ["endpoints.json"]


def test_a_file_that_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written"):
        EndpointMemory(tmp_path / "taken" / "endpoints.json").note(HERE, "a", rung="text")


def test_a_file_that_was_on_its_way_is_known_as_such(tmp_path: Path) -> None:
    (tmp_path / "endpoints.json" / "taken").mkdir(parents=True)
    with pytest.raises(StoreError, match="cannot be written"):
        EndpointMemory(tmp_path / "endpoints.json").note(HERE, "a", rung="text")
    assert [one.name for one in tmp_path.iterdir()] == ["endpoints.json"]


def test_without_leave_to_keep_what_is_known_is_given_and_nothing_written(tmp_path: Path) -> None:
    path = tmp_path / "endpoints.json"
    EndpointMemory(path).note(HERE, "a", rung="text")
    before = path.read_bytes()
    EndpointMemory(path, keeps=False).note(HERE, "a", rung="json_object")
    assert path.read_bytes() == before
    assert EndpointMemory(path, keeps=False).recall(HERE, "a") == Known("text")


def test_a_model_goes_on_when_nothing_can_be_remembered(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with serving(lambda *_: said("prose")) as endpoint:
        bench = a_model(endpoint.address, tmp_path / "taken")
        assert bench.model.complete(a_request()).text == "prose"
        bench.model.complete(a_request())
    assert endpoint.rungs == ["json_schema", "json_object"]
    assert sum("not remembered" in line for line in bench.told) == 1


def counting(tokens: int) -> Answer:
    body = {"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": tokens}}
    return Answer(body=body)


@pytest.mark.parametrize(("replies", "tokens", "learnt"), [(4, 600, False), (5, 600, True), (1, 20_000, True)])
def test_the_ratio_is_learnt_for_the_next_run(tmp_path: Path, replies: int, tokens: int, *, learnt: bool) -> None:
    with serving(lambda *_: counting(tokens)) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        for _ in range(replies):
            bench.model.complete(a_request())
        assert bench.model.tokens_ratio == 1.0
        bench.model.close()
        bench.model.close()
        later = a_model(endpoint.address, tmp_path).model.tokens_ratio

    assert (later != 1.0) == learnt
    assert round(later * 20) == pytest.approx(later * 20)


@pytest.mark.parametrize(
    ("before", "counted", "after"),
    [
        (None, 700, 0.7),
        (None, 701, 0.75),
        (None, 10, 0.3),
        (None, 9_000, 1.5),
        (0.75, 701, None),
        (0.75, 651, None),
        (0.75, 650, 0.65),
        (0.75, 751, 0.8),
    ],
)
def test_the_ratio_is_rounded_up_and_does_not_waver(before: float | None, counted: int, after: float | None) -> None:
    calibration = Calibration()
    for _ in range(5):
        calibration.add(counted=counted, estimated=1_000)
    assert calibration.ratio(before) == after


@given(st.none() | st.floats())
def test_what_is_believed_lies_within_bounds(ratio: float | None) -> None:
    assert 0.3 <= believed(ratio) <= 1.5
