"""Replies, manners, caps and recordings over real HTTP through whole runs of several sessions, with every call counted.

Sessions that share a request, and one of them is at fault; what is declined or too long; an endpoint that is away for
days; a run that may spend no more; recordings that people have changed.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from pipeline.config import Settings
from pipeline.wiki import ledger
from tests.endpoint import vendors
from tests.endpoint.behaviours import (
    answer,
    content_filter,
    in_order,
    length,
    refusal,
    refusing_parameter,
    rejecting,
    slow,
    when,
)
from tests.endpoint.brain import draft, obedient, thinking, written
from tests.endpoint.misbehaviour import ALL
from tests.endpoint.prompt import prompt_of
from tests.endpoint.server import Endpoint
from tests.endpoint.spoiling import unasked
from tests.model_runs import consolidate, settings
from tests.test_endpoint_behaviours import (
    GOOD,
    RETRIES,
    WORDS,
    Team,
    about,
    assert_parked,
    fails_for_good,
    saying,
    shown,
)
from tests.test_model_runs import files, observe

if TYPE_CHECKING:
    from pathlib import Path

    from tests.endpoint.exchange import Behaviour, Script
    from tests.endpoint.prompt import Prompt

CUT = saying(lambda text: length(text[:100]))
AZURE = vendors.error(
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    param="prompt",
    name="content_filter",
    innererror={"code": "ResponsibleAIPolicyViolation"},
)


@pytest.mark.parametrize(
    ("declining", "told", "together", "workers"),
    [
        (refusal("I cannot help."), "declines", 1, 1),
        (refusal("I cannot help."), "declines", 1, 4),
        (refusal("I cannot help."), "declines", 4, 4),
        (content_filter(), "content filter", 1, 1),
        (content_filter(), "content filter", 4, 1),
        (AZURE, "content filter", 1, 1),
        (AZURE, "content filter", 4, 1),
    ],
)
def test_a_session_that_is_declined_is_parked_at_once(
    tmp_path: Path, declining: Behaviour, told: str, together: int, workers: int
) -> None:
    with Endpoint(when(about("s2"), declining, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, sessions_per_request=together, workers=workers)
        first = team.run()
        # What shares its request is asked for once more, alone.
        assert (first.calls, first.states) == (3 if together == 1 else 4, ["consolidated", "parked", "consolidated"])
        assert told in first.of("s2")[1]
        assert "--retry-parked" in first.of("s2")[1]
        assert first.report.incomplete
        endpoint.script = GOOD
        assert_parked(team)
        again = team.run(retry_parked=True)
        assert (again.calls, again.states, again.report.incomplete) == (1, ["consolidated"], False)
        assert team.run().calls == 0


def observe_much(root: Path) -> None:
    said = [f"We keep {word} in signed cookies. " + "This has been so for long. " * 15 for word in WORDS[:12]]
    observe(root, "big", 5, *said)


def assert_halved(team: Team) -> None:
    """Check that a long session was asked for in ever smaller parts, each part once, until each had its answer."""
    asked = shown(team.endpoint.calls)
    answered = [number for number in asked if number <= 4]
    assert asked[0] == sum(answered) == 12
    assert len(asked) == 2 * len(answered) - 1
    (record,) = ledger.sessions(files(team.root))
    assert (record.state, len(record.observations)) == ("done", 12)


@pytest.mark.parametrize("long", ["length", *vendors.TOO_LONG])
def test_what_is_too_long_is_halved_until_it_is_not(tmp_path: Path, long: str) -> None:
    how = vendors.TOO_LONG.get(long, CUT)
    with Endpoint(when(lambda call: shown([call])[0] > 4, how, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=0)
        observe_much(tmp_path)
        told = team.run()
        assert (told.states, told.rules, told.report.incomplete) == (["consolidated"], [], False)
        assert_halved(team)
        assert team.run().calls == 0


def test_one_reply_that_is_cut_off_costs_one_call_more_than_its_halves(tmp_path: Path) -> None:
    with Endpoint(in_order(CUT, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=0)
        observe_much(tmp_path)
        told = team.run()
        assert (told.calls, told.report.sessions[0].windows, told.report.incomplete) == (3, 2, False)
        assert team.run().calls == 0


def test_replies_that_are_cut_off_for_ever_end_after_four_halvings(tmp_path: Path) -> None:
    with Endpoint(CUT) as endpoint:
        team = Team(tmp_path, endpoint, sessions=0)
        observe_much(tmp_path)
        told = team.run()
        assert (told.calls, told.states, told.report.incomplete) == (5, ["failed"], True)
        assert "lower budget.total" in told.of("big")[1]
        # That the larger parts were too long is known.
        fails_for_good(team, 1, "cut off at the model's limit")


@pytest.mark.parametrize("wording", vendors.TOO_LONG)
def test_one_small_observation_that_is_too_long_fails_with_a_next_step(tmp_path: Path, wording: str) -> None:
    with Endpoint(when(about("s2"), vendors.TOO_LONG[wording], GOOD)) as endpoint:
        team = Team(tmp_path, endpoint)
        told = team.run()
        assert (told.calls, told.states, told.slept) == (3, ["consolidated", "failed", "consolidated"], ())
        assert "Lower budget.total." in told.of("s2")[1]
        if wording == "openai":
            fails_for_good(team, 1, "Lower budget.total.")


def in_one(name: str, session: str) -> Script:
    """Misbehave in one session, alone or among others, whether or not something is to be mended."""

    def brain(prompt: Prompt) -> str:
        if not any(seen.facts["session"] == session for seen in prompt.sessions):
            return obedient(prompt)
        if prompt.mode != "shared":
            return ALL[name](prompt)
        good, bad = draft(unasked(prompt))["sessions"], json.loads(ALL[name](prompt))["sessions"]
        told = [
            (bad[number : number + 1] if seen.facts["session"] == session else [good[number]])
            for number, seen in enumerate(prompt.sessions)
        ]
        return written({"sessions": [one for batch in told for one in batch]})

    return thinking(brain)


SHARED: dict[str, tuple[list[int], str, set[str]]] = {
    # Calm when it is alone.
    "one_session_missing": ([4, 4, 1], "consolidated", set()),
    "wrong_session_names": ([4, 4, 1], "consolidated", set()),
    "six_updates": ([4, 4], "consolidated", {"reply-fault", "detail-ungrounded"}),
    "path_twice": ([4, 4], "consolidated", {"reply-fault", "path-unknown"}),
    "two_session_pages": ([4, 4], "consolidated", {"reply-fault"}),
    "escaping_path": ([4, 4], "consolidated", {"path-unsafe"}),
    "invented_version": ([4, 4], "consolidated", {"detail-ungrounded"}),
    "uncited": ([4, 4], "consolidated", {"claim-unsourced"}),
    # Of no use together, and of none alone.
    "empty_updates": ([4, 4, 1, 1], "failed", set()),
    "missing_body": ([4, 4, 1, 1], "failed", set()),
}
"""How many sessions each call was about, what became of the one at fault, and which rules speak."""


@pytest.mark.parametrize("name", SHARED)
def test_one_session_at_fault_costs_the_others_no_more_than_a_mend(tmp_path: Path, name: str) -> None:
    asked, state, rules = SHARED[name]
    with Endpoint(in_one(name, "s4")) as endpoint:
        team = Team(tmp_path, endpoint, sessions=4, sessions_per_request=4)
        told = team.run()
        assert [len(prompt_of(call).sessions) for call in endpoint.calls] == asked
        assert all(prompt_of(call).sessions[-1].facts["session"] == "s4" for call in endpoint.calls)
        assert told.states == [*["consolidated"] * 3, state]
        assert [{finding.rule for finding in one.findings} for one in told.report.sessions] == [*[set()] * 3, rules]
        if state == "failed":
            fails_for_good(team, 2, "the reply cannot be used")
        else:
            assert team.run().calls == 0


def test_a_shared_reply_of_no_use_is_paid_once(tmp_path: Path) -> None:
    with Endpoint(thinking(ALL["prose_alone"])) as endpoint:
        team = Team(tmp_path, endpoint, sessions=4, sessions_per_request=4)
        assert (team.run().calls, team.run().calls) == (2 + 4 * 2, 4 * 2)
        third = team.run()
        assert (third.calls, third.states, third.report.spent.cache_hits) == (4 * 2, ["parked"] * 4, 2)
        assert team.run().calls == 0


# An endpoint that is away


@pytest.mark.parametrize(("together", "workers"), [(1, 1), (1, 4), (4, 1), (4, 4)])
def test_the_offline_model_stands_in_until_the_endpoint_is_back(tmp_path: Path, together: int, workers: int) -> None:
    with Endpoint(vendors.FAULTS[503]) as endpoint:
        team = Team(tmp_path, endpoint, sessions_per_request=together, workers=workers, on_unavailable="extractive")
        told = team.run()
        assert RETRIES + 1 <= told.calls <= RETRIES + 2 + (1 if together > 1 else workers)
        assert [one.provisional for one in told.report.sessions] == [True] * 3
        assert (told.rules, told.report.incomplete) == (["model-unavailable"], True)
        team.silent("answered 503")
        endpoint.script = GOOD
        back = team.run()
        assert (back.calls, back.states) == (1 if together > 1 else 3, ["consolidated"] * 3)
        assert not any(one.provisional for one in back.report.sessions)
        assert not ledger.provisional(files(tmp_path))
        assert (back.rules, back.report.incomplete, team.run().calls) == ([], False, 0)


def test_the_offline_model_stands_in_on_the_second_day_as_well(tmp_path: Path) -> None:
    with Endpoint(vendors.FAULTS[503]) as endpoint:
        team = Team(tmp_path, endpoint, on_unavailable="extractive")
        team.run()
        team.observe()
        told = team.run()
        assert (told.calls, told.of("s4")[0]) == (RETRIES + 1 + 2, "consolidated")
        assert len(ledger.provisional(files(tmp_path))) == 4


# Caps


@pytest.mark.parametrize(
    ("caps", "together"),
    [
        ({"calls": 1}, 1),
        ({"calls": 6}, 1),
        ({"calls": 1}, 4),
        ({"input_tokens": 12_000}, 1),
        ({"money": 0.012}, 1),
        ({"output_tokens": 800}, 4),
    ],
)
def test_a_cap_leaves_the_latest_sessions_whatever_is_under_way(
    tmp_path: Path, caps: dict[str, float], together: int
) -> None:
    prices = [{"model": "small", "input": 1.0, "output": 1.0}]
    with Endpoint(slow(0.01, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=18, sessions_per_request=together, workers=4, prices=prices)
        told = team.run(caps=caps)
        done = told.states.count("consolidated")
        assert told.states == ["consolidated"] * done + ["left"] * (18 - done)
        assert done < 18
        if "calls" in caps:
            # Which of the requests under way gets the last call is chance; what it brought is kept all the same.
            assert (told.calls, done <= caps["calls"] * together) == (caps["calls"], True)
        assert ("cap-reached" in told.rules, told.report.incomplete) == (True, True)
        rest = team.run()
        assert rest.states == ["consolidated"] * (18 - done)
        assert rest.calls <= -(-(18 - done) // together)
        assert team.run().calls == 0


@pytest.mark.parametrize(
    "calls",
    [
        3,
        5,
    ],
)
def test_what_was_paid_before_a_cap_is_not_paid_again(tmp_path: Path, calls: int) -> None:
    said = [f"We decided in part {word} what to do. " + "This has been so for long. " * 30 for word in WORDS]
    narrow = {"budget": {"total": 8_000, "response": 2_500}}
    with Endpoint(GOOD) as endpoint:

        def run(root: Path, **caps: int) -> tuple[int, int, list[str]]:
            before = len(endpoint.calls)
            chosen = settings(endpoint.url, sessions_per_request=1, workers=4, caps=caps).model_dump()
            report = consolidate(root, Settings.model_validate({**chosen, **narrow}), use_git=False)
            return len(endpoint.calls) - before, report.spent.cache_hits, [one.state for one in report.sessions]

        for root in (tmp_path / "a", tmp_path / "b"):
            observe(root, "big", 1, *said)
            Team(root, endpoint)
        undisturbed, _, _ = run(tmp_path / "a")
        assert undisturbed > 8
        # Others were answered, and have to wait for the first one, which has many parts.
        assert run(tmp_path / "b", calls=calls) == (calls, 0, ["left"] * 4)
        assert run(tmp_path / "b") == (undisturbed - calls, calls, ["consolidated"] * 4)
        assert run(tmp_path / "b") == (0, 0, [])
    assert files(tmp_path / "a") == files(tmp_path / "b")


# Manners


PROSE = answer("Of course! Which wiki do you mean?")


@pytest.mark.parametrize(
    ("script", "rungs"),
    [
        pytest.param(vendors.llama_cpp_python(GOOD), ["json_schema", *["json_object"] * 3], id="llama-cpp-python"),
        pytest.param(vendors.llama_server(GOOD, PROSE), ["json_schema"] * 3, id="llama.cpp server"),
        *(
            pytest.param(
                rejecting({"json_schema"}, how, GOOD),
                ["json_schema", *["json_object"] * 3],
                id=f"no schema: {name}",
            )
            for name, how in vendors.NO_SCHEMA.items()
        ),
        *(
            pytest.param(
                rejecting({"json_schema"}, vendors.NO_SCHEMA["openai"], rejecting({"json_object"}, how, GOOD)),
                ["json_schema", "json_object", *["text"] * 3],
                id=f"no object: {name}",
            )
            for name, how in vendors.NO_OBJECT.items()
        ),
    ],
)
def test_what_an_endpoint_cannot_is_found_out_once(tmp_path: Path, script: Script, rungs: list[str]) -> None:
    with Endpoint(script) as endpoint:
        team = Team(tmp_path, endpoint, sessions=2)
        told = team.run()
        assert (told.states, told.rules, told.slept, told.report.incomplete) == (["consolidated"] * 2, [], (), False)
        team.observe()
        assert team.run().calls == 1
        assert [call.rung for call in endpoint.calls] == rungs
        assert team.run().calls == 0


@pytest.mark.parametrize("name", [name for name in vendors.NO_PARAMETER if name != "seed"])
def test_a_parameter_that_is_refused_is_left_out_from_then_on(tmp_path: Path, name: str) -> None:
    parameter, how = vendors.NO_PARAMETER[name]
    with Endpoint(refusing_parameter(parameter, how, GOOD)) as endpoint:
        limited = parameter != "temperature"
        team = Team(tmp_path, endpoint, max_output_tokens=4_000) if limited else Team(tmp_path, endpoint, temperature=0)
        first = team.run()
        refused = [parameter in call.body for call in endpoint.calls]
        # The limit goes by its newer name first, which is not refused here.
        assert refused == ([False] * 3 if parameter == "max_tokens" else [True, *[False] * 3])
        assert first.states == ["consolidated"] * 3
        team.observe()
        assert team.run().calls == 1
        assert parameter not in endpoint.calls[-1].body


# Recordings


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A copy of three sessions and their recordings, without a wiki."""
    with Endpoint(GOOD) as endpoint:
        assert Team(tmp_path / "team", endpoint, replies="record").run().calls == 3
    for folder in ("observations", "recordings"):
        shutil.copytree(tmp_path / "team" / folder, tmp_path / "ci" / folder)
    return tmp_path / "ci"


NOBODY = settings("http://127.0.0.1:9/v1", replies="replay", sessions_per_request=1)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 1}', "\xff"])
def test_a_damaged_recording_ends_the_replay_and_is_named(recorded: Path, damage: str) -> None:
    (path,) = (recorded / "recordings").rglob("s2-*.json")
    path.write_text(damage, encoding="latin-1")
    report = consolidate(recorded, NOBODY, use_git=False)
    assert [one.state for one in report.sessions] == ["consolidated", "left", "left"]
    assert (report.spent.calls, report.incomplete) == (0, True)
    silent, damaged = report.findings
    assert (silent.rule, damaged.rule) == ("model-unavailable", "recording-damaged")
    assert "session acme/s2" in silent.message
    assert damaged.where == path.relative_to(recorded / "recordings").as_posix()

    before = files(recorded)
    fault = consolidate(recorded, NOBODY, use_git=False).fault
    assert fault is not None
    assert (fault.kind, "damaged: acme/s2-" in fault.message) == ("Unavailable", True)
    assert files(recorded) == before


def test_a_recording_that_somebody_edited_is_used_as_edited(recorded: Path) -> None:
    (path,) = (recorded / "recordings").rglob("s2-*.json")
    told = json.loads(path.read_text(encoding="utf-8"))
    reply = json.loads(told["reply"])
    reply["updates"][0]["title"] = "Edited by hand"
    path.write_text(json.dumps({**told, "reply": json.dumps(reply)}), encoding="utf-8")
    report = consolidate(recorded, NOBODY, use_git=False)
    assert [one.state for one in report.sessions] == ["consolidated"] * 3
    assert (report.spent.calls, report.findings, report.incomplete) == (0, (), False)
    assert b"# Edited by hand" in files(recorded)["acme/sessions/edited-by-hand.md"]
    assert consolidate(recorded, NOBODY, use_git=False).sessions == ()
