"""Endpoints that behave badly, over real HTTP through whole runs: every call is counted, over several runs in a row.

After each run the pages hold what the ledger calls done and nothing of the other sessions; nothing really waits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from pipeline.wiki import ledger
from tests.endpoint import vendors
from tests.endpoint.behaviours import (
    close_at_once,
    content_null,
    cut_in_body,
    dripping,
    empty_body,
    error_body_with_200,
    html,
    in_order,
    list_content,
    never,
    no_choices,
    not_json,
    reasoning_content,
    slow,
    status,
    usage_missing,
    when,
    wrong_content_type,
)
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.prompt import prompt_of
from tests.endpoint.server import Endpoint
from tests.model_runs import consolidate, settings
from tests.test_model_runs import files, observe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pipeline.report import Report
    from tests.endpoint.exchange import Behaviour, Call, Script

GOOD = thinking(obedient)
RETRIES = 3
WORDS = (
    *("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima"),
    *("mike", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "victor"),
)
"""What each session, and each part of a long one, is about; a word stands on a page if its session does."""
RECORDED = {"consolidated": "done", "failed": "failing", "parked": "parked"}


@dataclass(frozen=True, slots=True)
class Told:
    """What one run came to."""

    calls: int
    slept: tuple[float, ...]
    report: Report

    @property
    def states(self) -> list[str]:
        return [one.state for one in self.report.sessions]

    @property
    def rules(self) -> list[str]:
        return [finding.rule for finding in self.report.every_finding()]

    def of(self, session: str) -> tuple[str, str]:
        (outcome,) = [one for one in self.report.sessions if one.session.session_id == session]
        return outcome.state, outcome.reason


class Team:
    """A team that has observed something in some sessions, `s1`, `s2` and so on, and runs against an endpoint."""

    def __init__(self, root: Path, endpoint: Endpoint, *, sessions: int = 3, **model: object) -> None:
        self.root, self.endpoint = root, endpoint
        self.model = {"sessions_per_request": 1, "workers": 1, "retries": RETRIES, **model}
        self.sessions = 0
        for _ in range(sessions):
            self.observe()

    def observe(self) -> None:
        """Let another session come in, later than the others."""
        word, self.sessions = WORDS[self.sessions], self.sessions + 1
        observe(self.root, f"s{self.sessions}", self.sessions, f"We keep {word} small, because it grows fast.")

    def run(self, *, retry_parked: bool = False, caps: Mapping[str, float] | None = None) -> Told:
        before, slept = len(self.endpoint.calls), list[float]()
        chosen = settings(self.endpoint.url, run=None, caps=caps or {}, **self.model)
        report = consolidate(self.root, chosen, use_git=False, sleep=slept.append, retry_parked=retry_parked)
        told = Told(len(self.endpoint.calls) - before, tuple(slept), report)
        assert report.spent.calls == told.calls
        self.hold(report)
        return told

    def silent(self, match: str) -> tuple[int, int]:
        """Run while the endpoint does not answer, so that nothing may change; give the calls and the waits."""
        before, asked, slept = files(self.root), len(self.endpoint.calls), list[float]()
        report = consolidate(
            self.root, settings(self.endpoint.url, run=None, **self.model), use_git=False, sleep=slept.append
        )
        assert report.fault is not None
        assert (report.fault.kind, bool(report.fault.next_step)) == ("Unavailable", True)
        assert re.search(match, str(report.fault))
        assert report.spent.calls == len(self.endpoint.calls) - asked, "what was tried is told"
        assert files(self.root) == before
        return len(self.endpoint.calls) - asked, len(slept)

    def hold(self, report: Report) -> None:
        """Check that report, ledger and pages tell the same."""
        wiki = files(self.root)
        records = {record.key.session_id: record for record in ledger.sessions(wiki)}
        for one in report.sessions:
            if one.state in RECORDED:
                assert records[one.session.session_id].state == RECORDED[one.state]
            assert bool(one.pages) == (one.state == "consolidated")
            assert one.reason
        pages = "\n".join(raw.decode() for path, raw in wiki.items() if path.endswith(".md"))
        standing = {f"s{number}" for number, word in enumerate(WORDS, 1) if re.search(rf"\b{word}\b", pages)}
        assert standing == {name for name, record in records.items() if record.observations} or "big" in records
        assert "Traceback" not in pages + "".join(one.reason for one in report.sessions)


def about(name: str) -> Callable[[Call], bool]:
    return lambda call: any(seen.facts["session"] == name for seen in prompt_of(call).sessions)


def shown(calls: Sequence[Call]) -> list[int]:
    """Count the observations that each call showed."""
    return [sum(len(seen.observations) for seen in prompt_of(call).sessions) for call in calls]


def saying(form: Callable[[str], Behaviour]) -> Script:
    """Answer obediently, in some form."""
    return lambda call: form(obedient(prompt_of(call)))


def fails_for_good(team: Team, calls: int, told: str) -> None:
    """Check the next runs of a session that fails each time: the last attempts, the parking, and then silence."""
    for state in ("failed", "parked"):
        again = team.run()
        assert (again.calls, again.states, again.report.incomplete) == (calls, [state], True)
        assert told in again.report.sessions[0].reason
    assert_parked(team)


def assert_parked(team: Team) -> None:
    last = team.run()
    assert (last.calls, last.states, last.rules, last.report.incomplete) == (0, [], ["session-parked"], False)


FATAL = {
    "401": (vendors.NO_KEY, "OPENAI_API_KEY"),
    "403": (vendors.FORBIDDEN, "does not allow"),
    "404": (vendors.NO_MODEL, "does not know the model"),
    "404, no route": (html(404), "model.base_url"),
    "410": (vendors.GONE, "answered 410"),
    "insufficient_quota": (vendors.QUOTA, "no credit left"),
    "402": (vendors.NO_CREDITS, "no credit left"),
}


@pytest.mark.parametrize(("fault", "workers"), [*((fault, 1) for fault in FATAL), ("401", 4), ("402", 4)])
def test_what_no_request_fares_better_with_takes_one_call(tmp_path: Path, fault: str, workers: int) -> None:
    behaviour, told = FATAL[fault]
    with Endpoint(slow(0.02, behaviour)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=5, workers=workers)
        calls, waits = team.silent(told)
        assert 1 <= calls <= workers
        assert waits == 0
        endpoint.script = GOOD
        assert (team.run().states, len(endpoint.calls)) == (["consolidated"] * 5, calls + 5)


def test_a_key_that_expires_during_a_run_leaves_the_rest_to_the_next_one(tmp_path: Path) -> None:
    with Endpoint(in_order(GOOD, GOOD, vendors.NO_KEY)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=5)
        told = team.run()
        assert (told.calls, told.states) == (3, ["consolidated"] * 2 + ["left"] * 3)
        assert (told.rules, told.report.incomplete) == (["model-unavailable"], True)
        (finding,) = told.report.findings
        assert "OPENAI_API_KEY" in finding.next_step
        assert team.silent("does not accept the key") == (1, 0)
        endpoint.script = GOOD
        again = team.run()
        assert (again.calls, again.states, team.run().calls) == (3, ["consolidated"] * 3, 0)


@pytest.mark.parametrize("retries", [0, 1, 3])
@pytest.mark.parametrize("retry_after", [None, "1"])
def test_one_worker_is_refused_as_often_as_it_may_repeat(tmp_path: Path, retry_after: str | None, retries: int) -> None:
    with Endpoint(vendors.rate_limited(retry_after)) as endpoint:
        team = Team(tmp_path, endpoint, retries=retries)
        for _ in range(2):
            assert team.silent("has too many requests") == (retries + 1, retries)
        endpoint.script = GOOD
        assert team.run().calls == 3


def test_four_workers_are_refused_no_more_than_retries_and_workers_times(tmp_path: Path) -> None:
    with Endpoint(vendors.rate_limited(None)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=6, workers=4)
        assert RETRIES + 1 <= team.silent("has too many requests")[0] <= RETRIES + 4
        endpoint.script = GOOD
        assert (team.run().calls, team.run().calls) == (6, 0)


@pytest.mark.parametrize("workers", [1, 4])
def test_the_wait_that_is_asked_for_is_kept_and_costs_one_call(tmp_path: Path, workers: int) -> None:
    with Endpoint(in_order(vendors.rate_limited("7"), GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, workers=workers)
        told = team.run()
        assert (told.calls, told.report.spent.retries, told.states) == (4, 1, ["consolidated"] * 3)
        assert 6.5 < sum(told.slept) <= 7 * workers
        assert team.run().calls == 0


@pytest.mark.parametrize("behaviour", [vendors.rate_limited("3600"), status(503, headers={"Retry-After": "3600"})])
def test_an_endpoint_that_wants_an_hour_is_left_alone(tmp_path: Path, behaviour: Behaviour) -> None:
    with Endpoint(behaviour) as endpoint:
        team = Team(tmp_path, endpoint)
        for _ in range(2):
            assert team.silent("come back in 60 minutes") == (1, 0)
        endpoint.script = GOOD
        assert team.run().calls == 3


def test_an_outage_is_nobodys_fault_where_one_session_is_pending(tmp_path: Path) -> None:
    with Endpoint(vendors.FAULTS[503]) as endpoint:
        team = Team(tmp_path, endpoint, sessions=1)
        for _ in range(4):
            assert team.silent("answered 503") == (RETRIES + 1, RETRIES)
        endpoint.script = GOOD
        told = team.run()
        assert (told.calls, told.states, team.run().calls) == (1, ["consolidated"], 0)


PASSING: dict[str, Behaviour] = {
    **{str(code): behaviour for code, behaviour in vendors.FAULTS.items()},
    "closed": close_at_once(),
    "cut": cut_in_body(GOOD),
    "not json": not_json(),
    "error with 200": error_body_with_200(),
}


@pytest.mark.parametrize(("fault", "workers"), [*((fault, 1) for fault in PASSING), ("503", 4), ("cut", 4)])
def test_a_session_that_alone_has_bad_luck_costs_itself(tmp_path: Path, fault: str, workers: int) -> None:
    behaviour = PASSING[fault]
    with Endpoint(when(about("s2"), behaviour, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, workers=workers)
        told = team.run()
        assert (told.calls, told.states) == (3 + RETRIES, ["consolidated", "failed", "consolidated"])
        assert f"{RETRIES + 1} times" in told.of("s2")[1]
        assert (told.report.spent.retries, told.report.incomplete) == (RETRIES, True)
        endpoint.script = GOOD
        again = team.run()
        assert (again.calls, again.states, team.run().calls) == (1, ["consolidated"], 0)


def test_an_endpoint_that_falls_silent_during_a_run_is_asked_about_three_sessions_at_most(tmp_path: Path) -> None:
    with Endpoint(in_order(GOOD, vendors.FAULTS[503])) as endpoint:
        team = Team(tmp_path, endpoint, sessions=5)
        told = team.run()
        assert told.calls == 1 + (RETRIES + 1) + 1 + 1
        assert told.states == ["consolidated", *["left"] * 4]
        assert (told.rules, told.report.incomplete) == (["model-unavailable"], True)
        endpoint.script = GOOD
        assert (team.run().calls, team.run().calls) == (4, 0)


@pytest.mark.parametrize(
    ("together", "workers"),
    [
        (1, 4),
        (1, 1),
        (4, 1),
        (4, 4),
    ],
)
def test_a_session_that_the_endpoint_never_answers_does_not_keep_the_later_ones_waiting(
    tmp_path: Path, together: int, workers: int
) -> None:
    with Endpoint(when(about("s1"), vendors.FAULTS[503], GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, sessions=5, sessions_per_request=together, workers=workers)
        for _ in range(3):
            team.run()
        done = {one.key.session_id for one in ledger.sessions(files(tmp_path)) if one.state == "done"}
        assert done == {"s2", "s3", "s4", "s5"}


@pytest.mark.parametrize(
    ("behaviour", "timeout"),
    [(cut_in_body(GOOD), 60), (close_at_once(), 60), (dripping(400, GOOD), 1), (never(), 1)],
    ids=["cut", "closed", "dripping", "never"],
)
def test_an_answer_that_does_not_arrive_is_asked_for_again(tmp_path: Path, behaviour: Behaviour, timeout: int) -> None:
    with Endpoint(in_order(behaviour, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint, timeout_seconds=timeout)
        told = team.run()
        assert (told.calls, told.report.spent.retries, len(told.slept)) == (4, 1, 1)
        assert (told.states, told.report.incomplete, team.run().calls) == (["consolidated"] * 3, False, 0)


def test_an_endpoint_that_never_answers_is_asked_as_often_as_may_be(tmp_path: Path) -> None:
    with Endpoint(never()) as endpoint:
        assert Team(tmp_path, endpoint, retries=1, timeout_seconds=1).silent("no whole answer in time") == (4, 1)


ODD = {
    "error with 200": (error_body_with_200(code="weird"), 1, "200 (weird)"),
    "not json": (not_json(400), 1, "answered 400"),
    "null": (content_null(), 2, "no JSON object"),
    "reasoning alone": (reasoning_content(None, "Let me think {"), 2, "no JSON object"),
}


NO_REPLY = {
    "html": (html(), "model.base_url"),
    "empty": (empty_body(), "an empty body"),
    "no choices": (no_choices(), "no choices"),
    "no key": (no_choices(key=False), "without choices"),
}
"""What no model says: where nobody is answered otherwise, it is the endpoint's fault and not the session's."""


@pytest.mark.parametrize("odd", NO_REPLY)
def test_what_is_no_reply_costs_the_one_session_while_others_are_answered(tmp_path: Path, odd: str) -> None:
    behaviour, told = NO_REPLY[odd]
    with Endpoint(when(about("s2"), behaviour, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint)
        first = team.run()
        assert (first.calls, first.states) == (3, ["consolidated", "failed", "consolidated"])
        assert told in first.of("s2")[1]
        assert (first.slept, first.report.incomplete) == ((), True)
        assert team.silent("the endpoint answered") == (1, 0)


@pytest.mark.parametrize("odd", NO_REPLY)
def test_an_endpoint_that_gives_no_reply_to_anybody_parks_nobody(tmp_path: Path, odd: str) -> None:
    with Endpoint(NO_REPLY[odd][0]) as endpoint:
        team = Team(tmp_path, endpoint, sessions=5)
        for _ in range(4):
            assert team.silent("the endpoint answered") == (3, 0)
        endpoint.script = GOOD
        assert team.run().states == ["consolidated"] * 5


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_answer_costs_the_one_session(tmp_path: Path, odd: str) -> None:
    behaviour, calls, told = ODD[odd]
    with Endpoint(when(about("s2"), behaviour, GOOD)) as endpoint:
        team = Team(tmp_path, endpoint)
        first = team.run()
        assert (first.calls, first.states) == (2 + calls, ["consolidated", "failed", "consolidated"])
        assert told in first.of("s2")[1]
        assert (first.slept, first.report.incomplete) == ((), True)
        fails_for_good(team, calls, told)


@pytest.mark.parametrize(
    "form", [list_content, usage_missing, wrong_content_type, lambda text: reasoning_content(text, 'Well: {"a": 1}')]
)
def test_a_good_answer_of_another_form_is_as_good(tmp_path: Path, form: Callable[[str], Behaviour]) -> None:
    with Endpoint(saying(form)) as endpoint:
        team = Team(tmp_path, endpoint)
        told = team.run()
        assert (told.calls, told.states, told.report.incomplete) == (3, ["consolidated"] * 3, False)
        assert told.report.spent.input_tokens > 1_000
        assert team.run().calls == 0
