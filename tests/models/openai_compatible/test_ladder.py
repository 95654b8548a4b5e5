"""How replies are asked for: the rungs, the parameters, what is remembered; each with its exact calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import InvalidReply
from pipeline.prompt import reply_schema
from pipeline.spending import Spent
from tests.models.openai_compatible.scripted import Answer, Asked, a_model, a_request, error, said, serving

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.models.model import Model

NO_SCHEMA = "'response_format' of type 'json_schema' is not supported with this model"
NO_OBJECT = "JSON mode is not available"


def test_a_schema_is_asked_for_strictly_and_stands_not_in_the_prompt(tmp_path: Path) -> None:
    with serving(lambda *_: said()) as endpoint:
        reply = a_model(endpoint.address, tmp_path).model.complete(a_request())

    assert (reply.text, reply.ending, reply.usage.input_tokens, reply.usage.output_tokens) == (
        *('{"updates": []}', "stop"),
        *(100, 7),
    )
    (asked,) = endpoint.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["user-agent"].startswith("wikimill/")
    form = asked.payload["response_format"]["json_schema"]
    assert (form["strict"], form["schema"]) == (True, reply_schema(a_request()))
    assert sorted(asked.payload) == ["messages", "model", "response_format"]
    assert [one["role"] for one in asked.payload["messages"]] == ["system", "user"]
    assert "additionalProperties" not in str(asked.payload["messages"])


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, NO_SCHEMA),
        (422, "Extra inputs are not permitted: response_format"),
        (500, "1 validation error for ResponseFormat: json_schema"),
        (400, 'Either "json_schema" or "grammar" can be specified'),
        (400, "failed to parse grammar"),
        (400, "This model does not support structured outputs"),
    ],
)
def test_a_refused_rung_costs_one_call_and_is_remembered(tmp_path: Path, status: int, message: str) -> None:
    def script(_: int, asked: Asked) -> Answer:
        return error(status, message) if asked.rung == "json_schema" else said()

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        bench.model.complete(a_request())
        bench.model.complete(a_request())
        a_model(endpoint.address, tmp_path).model.complete(a_request())

    assert endpoint.rungs == ["json_schema", "json_object", "json_object", "json_object"]
    assert "additionalProperties" in str(endpoint.asked[1].payload["messages"])
    assert "JSON" in str(endpoint.asked[1].payload["messages"])
    assert bench.model.spent.calls == 3
    assert bench.model.spent.retries == 0
    assert bench.model.spent.rungs == ("json_schema", "json_object")
    assert bench.told == [f"{endpoint.address} is asked by json_object from now on."]
    assert bench.time.slept == []


def test_the_last_rung_is_plain_text(tmp_path: Path) -> None:
    def script(_: int, asked: Asked) -> Answer:
        refusals = {"json_schema": error(400, NO_SCHEMA), "json_object": error(400, NO_OBJECT)}
        return refusals.get(asked.rung, said("Here it is: {}"))

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        assert bench.model.complete(a_request()).text == "Here it is: {}"
        bench.model.complete(a_request())

    assert endpoint.rungs == ["json_schema", "json_object", "text", "text"]


def test_what_refuses_every_rung_is_an_invalid_reply_and_teaches_nothing(tmp_path: Path) -> None:
    with serving(lambda *_: error(400, "bad schema", code="bad_request")) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        for _ in range(2):
            with pytest.raises(InvalidReply, match=r"answered 400 \(bad_request\)"):
                bench.model.complete(a_request())

    assert endpoint.rungs == ["json_schema", "json_object", "text"] * 2
    assert not (tmp_path / "endpoints.json").exists()


def test_a_fixed_rung_stays(tmp_path: Path) -> None:
    with serving(lambda *_: error(400, NO_OBJECT)) as endpoint:
        bench = a_model(endpoint.address, tmp_path, asking="json_object")
        with pytest.raises(InvalidReply):
            bench.model.complete(a_request())

    assert endpoint.rungs == ["json_object"]


def test_prose_where_json_was_due_is_given_as_it_is_and_lowers_the_next_request(tmp_path: Path) -> None:
    with serving(lambda *_: said("I think the page should say so.")) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        texts = {bench.model.complete(a_request()).text for _ in range(4)}

    assert texts == {"I think the page should say so."}
    assert endpoint.rungs == ["json_schema", "json_object", "text", "text"]


def remembered(folder: Path) -> str:
    path = folder / "endpoints.json"
    return next(iter(json.loads(path.read_bytes())["endpoints"].values())).get("rung", "") if path.exists() else ""


def replies(folder: Path, *answers: str | int, requests: int, keeps: bool = True) -> list[str]:
    """Ask so often, and give the rungs; a text is a reply, a number the status that refuses the rung."""

    def script(number: int, _: Asked) -> Answer:
        given = answers[number - 1]
        return said(given) if isinstance(given, str) else error(given, NO_SCHEMA)

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, folder, keeps=keeps)
        for _ in range(requests):
            bench.model.complete(a_request())
    return endpoint.rungs


@pytest.mark.parametrize(
    ("answers", "rungs", "kept"),
    [
        (["prose"], ["json_schema"], ""),
        (["prose", "{}"], ["json_schema", "json_object"], ""),
        (["prose", "{}", "prose", "{}"], ["json_schema", "json_object", "json_object", "text"], ""),
        (["prose", "prose"], ["json_schema", "json_object"], "text"),
        (["prose", "{}", "prose", "prose"], ["json_schema", "json_object", "json_object", "text"], ""),
        (["{}", "prose", ""], ["json_schema", "json_schema", "json_object"], ""),
    ],
)
def test_prose_lowers_the_rung_for_the_next_runs_only_twice_in_a_row(
    tmp_path: Path, answers: list[str], rungs: list[str], kept: str
) -> None:
    assert replies(tmp_path, *answers, requests=len(answers)) == rungs
    assert remembered(tmp_path) == kept


def test_what_prose_has_lowered_is_not_remembered_by_another_refusal(tmp_path: Path) -> None:
    assert replies(tmp_path, "prose", 400, "{}", requests=2) == ["json_schema", "json_object", "text"]
    assert remembered(tmp_path) == ""


def test_a_refused_rung_and_prose_below_it_are_told_apart(tmp_path: Path) -> None:
    assert replies(tmp_path, 400, "prose", "{}", requests=2) == ["json_schema", "json_object", "text"]
    assert remembered(tmp_path) == "json_object"


def test_without_leave_to_keep_nothing_is_remembered(tmp_path: Path) -> None:
    assert replies(tmp_path, 400, "{}", "prose", "prose", "{}", requests=4, keeps=False)[-1] == "text"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("answer", [said(""), said(None), said("I cannot", refusal="I cannot"), said("x", "length")])
def test_an_answer_without_content_says_nothing_about_the_rung(tmp_path: Path, answer: Answer) -> None:
    with serving(lambda *_: answer) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        bench.model.complete(a_request())
        bench.model.complete(a_request())

    assert endpoint.rungs == ["json_schema", "json_schema"]


def test_refused_parameters_are_left_out_once_each_and_remembered(tmp_path: Path) -> None:
    def script(_: int, asked: Asked) -> Answer:
        for name in ("temperature", "max_completion_tokens", "max_tokens"):
            if name in asked.payload:
                return error(400, f"Unsupported parameter: '{name}'", param=name, code="unsupported_parameter")
        return said()

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, temperature=0.0, max_output_tokens=500)
        bench.model.complete(a_request())
        bench.model.complete(a_request())
        a_model(endpoint.address, tmp_path, temperature=0.0, max_output_tokens=500).model.complete(a_request())

    optional = [sorted(set(one.payload) - {"messages", "model", "response_format"}) for one in endpoint.asked]
    assert optional == [["max_completion_tokens", "temperature"], ["max_completion_tokens"], ["max_tokens"], [], [], []]


def test_configured_parameters_are_sent(tmp_path: Path) -> None:
    with serving(lambda *_: said()) as endpoint:
        a_model(endpoint.address, tmp_path, temperature=0.0, max_output_tokens=500).model.complete(a_request())

    assert endpoint.asked[0].payload["temperature"] == 0.0
    assert endpoint.asked[0].payload["max_completion_tokens"] == 500


def test_lone_surrogates_are_sent_as_question_marks(tmp_path: Path) -> None:
    with serving(lambda *_: said()) as endpoint:
        a_model(endpoint.address, tmp_path).model.complete(a_request("odd \ud800 text"))

    assert endpoint.asked[0].payload["messages"][0]["content"] == "odd ? text"


def test_the_face_that_every_model_has(tmp_path: Path) -> None:
    bench = a_model("http://localhost/v1", tmp_path, workers=3, temperature=0.5)
    model: Model = bench.model

    assert (model.name, model.quotes, model.workers, model.tokens_ratio) == ("m-1", False, 3, 1.0)
    assert (bench.model.endpoint, model.spent) == ("http://localhost/v1", Spent())
    assert bench.model.identity == '["http://localhost/v1", "m-1", 0.5, null]'
    model.forget(a_request())
