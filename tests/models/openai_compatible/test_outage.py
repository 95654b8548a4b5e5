"""An endpoint that fails: whether that is one request's misfortune or everybody's, and how many calls that takes."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ModelError, OddAnswer, Unanswered, Unavailable
from tests import model_runs
from tests.models.openai_compatible.scripted import HEAD, Answer, Asked, a_model, a_request, error, said, serving

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.models.openai_compatible import OpenAiModel

POISON = "Poison."


def outcome(model: OpenAiModel, system: str = "Be brief.") -> type[ModelError] | str:
    try:
        return model.complete(a_request(system)).text
    except ModelError as fault:
        return type(fault)


def is_poison(asked: Asked) -> bool:
    return any(POISON in str(message["content"]) for message in asked.payload["messages"])


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("answer", [error(503), error(500), Answer(raw=(b"gibberish\r\n\r\n",))])
def test_two_requests_may_fail_by_themselves_and_the_third_in_a_row_ends_the_run(
    tmp_path: Path, answer: Answer, workers: int
) -> None:
    with serving(lambda *_: answer) as endpoint:
        bench = a_model(endpoint.address, tmp_path, retries=3, workers=workers)
        ended = [outcome(bench.model) for _ in range(5)]

    assert ended == [Unanswered, Unanswered, *[Unavailable] * 3]
    assert len(endpoint.asked) == 4 + 1 + 1
    assert (bench.model.spent.calls, bench.model.spent.retries) == (6, 3)


@pytest.mark.parametrize("workers", [1, 4])
def test_too_many_requests_tell_of_all_of_them(tmp_path: Path, workers: int) -> None:
    with serving(lambda *_: error(429)) as endpoint:
        bench = a_model(endpoint.address, tmp_path, retries=3, workers=workers)
        assert [outcome(bench.model) for _ in range(3)] == [Unavailable] * 3

    assert len(endpoint.asked) == 4


def test_three_web_pages_in_a_row_are_no_model(tmp_path: Path) -> None:
    with serving(lambda *_: Answer(raw=(HEAD + b"Connection: close\r\n\r\n", b"<html>Sign in</html>"))) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        assert [outcome(bench.model) for _ in range(4)] == [OddAnswer, OddAnswer, Unavailable, Unavailable]

    assert len(endpoint.asked) == 3


def test_a_time_out_may_be_the_request_s_own(tmp_path: Path) -> None:
    def script(_: int, __: Asked) -> Answer:
        time.sleep(1.2)
        return said()

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, clock=time.monotonic, timeout_seconds=1, retries=0)
        assert outcome(bench.model) == Unanswered
        assert len(endpoint.asked) == 1


def test_four_workers_find_out_with_few_calls(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def script(number: int, _: Asked) -> Answer:
        if number <= 4:
            together.wait(5)
        return error(503)

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, retries=3, workers=4)
        with ThreadPoolExecutor(4) as pool:
            ended = list(pool.map(lambda _: outcome(bench.model), range(12)))

    assert set(ended) <= {Unanswered, Unavailable}
    assert ended.count(Unanswered) <= 2
    assert len(endpoint.asked) <= 4 + 3 + 2


def test_among_others_that_are_answered_each_request_that_fails_costs_itself_alone(tmp_path: Path) -> None:
    with serving(lambda _, asked: error(500) if is_poison(asked) else said("{}")) as endpoint:
        bench = a_model(endpoint.address, tmp_path, retries=2)
        ended = [outcome(bench.model, system) for system in ("a", POISON, "b", POISON, "c")]

    assert ended == ["{}", Unanswered, "{}", Unanswered, "{}"]
    assert len(endpoint.asked) == 3 + 2 * 3


def test_a_run_with_one_session_tells_of_the_outage_and_counts_no_attempt(tmp_path: Path) -> None:
    (tmp_path / "observations").mkdir()
    line = '{"ts": "2026-11-29T10:00:00Z", "session_id": "s1", "project": "acme", "body": "We chose cookies."}\n'
    (tmp_path / "observations" / "day.jsonl").write_text(line, encoding="utf-8")
    with serving(lambda *_: error(503)) as endpoint:
        chosen = model_runs.settings(endpoint.address, run={"attempts": 1})
        for _ in range(2):
            report = model_runs.consolidate(tmp_path, chosen, use_git=False, sleep=lambda _: None)
            assert report.fault is not None
            assert (report.fault.kind, "answered 503" in report.fault.message) == ("Unavailable", True)
            assert (report.spent.calls, report.spent.cost) == (4, None)
    assert len(endpoint.asked) == 2 * 4
    assert not (tmp_path / "wiki").exists()
