"""The models of an endpoint: what it offers, and what is said when it has no list."""

from __future__ import annotations

import time

import pytest

from pipeline.config import ModelSettings
from pipeline.errors import InvalidReply, Unavailable
from pipeline.models.openai_compatible import ModelInfo, list_models
from tests.models.openai_compatible.scripted import KEY, Answer, error, serving


def listed(answer: Answer) -> tuple[ModelInfo, ...]:
    with serving(lambda *_: answer) as endpoint:
        settings = ModelSettings(provider="openai", name="m", base_url=endpoint.address)
        try:
            return list_models(settings, {"OPENAI_API_KEY": KEY}, scrub=str, clock=time.monotonic)
        finally:
            assert [one.path for one in endpoint.asked] == ["/v1/models"]


def test_ids_and_dates() -> None:
    entries: list[object] = [
        {"id": "a", "shutdown_date": "2027-01-14"},
        {"id": "b\x1b[2J", "shutdown_date": 5},
        {"id": KEY},
        {"id": 5},
        {"name": "c"},
        "d",
        {"id": ""},
    ]
    found = (ModelInfo("a", "2027-01-14"), ModelInfo("b"), ModelInfo("[REDACTED:api-key]"))
    assert listed(Answer(body={"object": "list", "data": entries})) == found


@pytest.mark.parametrize("body", [b"<html>", {}, {"data": 5}, b""])
def test_what_is_no_list(body: object) -> None:
    with pytest.raises(InvalidReply, match="no list of models"):
        listed(Answer(body=body))


@pytest.mark.parametrize("status", [403, 404, 405, 501])
def test_an_endpoint_without_a_list_is_told_from_one_that_does_not_answer(status: int) -> None:
    with pytest.raises(InvalidReply, match=f"answered {status} when asked for its list of models"):
        listed(error(status, KEY))


@pytest.mark.parametrize("status", [401, 429, 500])
def test_an_error_is_told_after_one_call(status: int) -> None:
    with pytest.raises(Unavailable, match=f"answered {status}") as caught:
        listed(error(status, KEY))
    assert KEY not in str(caught.value)
