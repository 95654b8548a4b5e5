"""What is tolerated in a reply, what is a fault, and what is left of a reply that keeps its faults."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.consolidation.replies import read_reply
from pipeline.context import Context
from pipeline.errors import InvalidReply, Truncated
from pipeline.observations.observation import SessionKey
from pipeline.projection import Projection
from pipeline.prompt import Request

if TYPE_CHECKING:
    from pipeline.prompt import Mode


def request(sessions: int = 1, mode: Mode = "batch", page: str = "acme/sessions/s.md") -> Request:
    windows = tuple(Projection(SessionKey("default", "acme", f"s{n}"), 1, 1, (), 0) for n in range(sessions))
    return Request("x", windows, Context(), (page,) * sessions, mode)


def update(**fields: object) -> dict[str, object]:
    return {"kind": "concept", "title": "Cookies", "description": "d", "body": "They are signed.[^o1]", **fields}


def batch(*updates: object, **fields: object) -> str:
    return json.dumps({"updates": list(updates), "rationale": "why", **fields})


def test_a_sound_reply_is_a_batch_without_faults() -> None:
    (answer,) = read_reply(request(), batch(update(tags=["auth"]), update(kind="session", title="S")))

    assert answer.faults == ()
    assert answer.batch is not None
    assert [(one.kind, one.title, one.tags) for one in answer.batch.updates] == [
        ("concept", "Cookies", ("auth",)),
        ("session", "S", ()),
    ]
    assert answer.batch.rationale == "why"


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"kind": "Decision"}, {"kind": "decision"}),
        ({"kind": "how-to"}, {"kind": "procedure"}),
        ({"kind": "gotchas"}, {"kind": "gotcha"}),
        ({"kind": "", "type": "rule"}, {"kind": "rule"}),
        ({"tags": "auth, web"}, {"tags": ("auth", "web")}),
        ({"tags": None, "aliases": None}, {"tags": (), "aliases": ()}),
        ({"tags": [1, None, " a "]}, {"tags": ("1", "a")}),
        ({"tags": [str(n) for n in range(20)]}, {"tags": tuple(str(n) for n in range(12))}),
        ({"path": None}, {"path": ""}),
        ({"description": "d" * 400}, {"description": "d" * 300}),
        ({"title": "t" * 400}, {"title": "t" * 200}),
        ({"confidence": 0.9, "reasoning": "because"}, {"title": "Cookies"}),
        ({"removed_sections": "Old"}, {"removed_sections": ("Old",)}),
    ],
)
def test_what_changes_no_meaning_is_tolerated(given: dict[str, object], read: dict[str, object]) -> None:
    (answer,) = read_reply(request(), batch(update(**given)))

    assert answer.faults == ()
    assert answer.batch is not None
    assert {key: getattr(answer.batch.updates[0], key) for key in read} == read


@pytest.mark.parametrize(
    ("updates", "kept", "fault"),
    [
        ([update(), update(body="")], ["Cookies"], "updates[1].body is empty: state there what the observations say"),
        ([update(kind="poem"), update(title="B")], ["B"], "updates[0].kind: Input should be 'session', 'concept'"),
        ([update(), "text"], ["Cookies"], "updates[1] must be an object."),
        (
            [update(path="a.md"), update(path="a.md", title="Twice")],
            ["Cookies"],
            "updates[1] (“Twice”): the page a.md stands twice; join the two.",
        ),
        (
            [update(kind="session"), update(kind="session", title="Again")],
            ["Cookies"],
            "updates[1] (“Again”): there is more than one session page; join them.",
        ),
        (
            [update(title=f"T{n}") for n in range(6)],
            ["T0", "T1", "T2", "T3", "T4"],
            "there are 6 updates, and at most 5 may be; too many: “T5”.",
        ),
    ],
)
def test_a_fault_costs_the_one_update(updates: list[object], kept: list[str], fault: str) -> None:
    (answer,) = read_reply(request(), batch(*updates))

    assert answer.batch is not None
    assert [one.title for one in answer.batch.updates] == kept
    assert len(answer.faults) == 1
    assert answer.faults[0].startswith(fault)
    (finding,) = answer.findings("acme/s1")
    assert (finding.rule, finding.where) == ("reply-fault", "acme/s1")
    assert answer.faults[0] in finding.message


def test_nothing_to_add_is_a_good_answer_about_a_session_that_has_its_page() -> None:
    (answer,) = read_reply(request(), '{"updates": []}')
    assert (answer.batch is not None, answer.batch and answer.batch.updates, answer.faults) == (True, (), ())
    (answer,) = read_reply(request(page=""), '{"updates": []}')
    assert (answer.batch, answer.faults) == (
        None,
        ("`updates` must be a list of one to five changes; write the session's page at least.",),
    )


@pytest.mark.parametrize("reply", ["{}", '{"updates": {"a": 1}}', '{"updates": [{}]}'])
def test_a_reply_without_any_usable_update_holds_no_draft(reply: str) -> None:
    (answer,) = read_reply(request(), reply)

    assert answer.batch is None
    assert answer.faults


def test_a_reply_that_is_cut_off_or_no_object_is_told_apart() -> None:
    with pytest.raises(Truncated):
        read_reply(request(), batch(update())[:-5])
    with pytest.raises(InvalidReply):
        read_reply(request(), "I am sorry, there is nothing to say.")


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(update()),
        json.dumps({"sessions": [{"session": "s1", "updates": [update()]}]}),
    ],
)
def test_one_session_may_answer_in_a_shape_near_by(reply: str) -> None:
    (answer,) = read_reply(request(), reply)

    assert answer.batch is not None
    assert [one.title for one in answer.batch.updates] == ["Cookies"]


def test_each_session_of_a_shared_request_gets_its_own_answer() -> None:
    told = {
        "sessions": [
            {"session": "S2", "updates": [update(title="two")], "rationale": "r2"},
            {"session": "s3", "updates": "none"},
            {"session": "s4", "updates": [update(title="first")]},
            {"session": "s4", "updates": [update(title="second")]},
        ]
    }
    first, second, third, fourth = read_reply(request(4), json.dumps(told))

    assert (first.batch, first.faults) == (None, ("the session s1 is missing.",))
    assert second.batch is not None
    assert (second.batch.updates[0].title, second.batch.rationale, second.faults) == ("two", "r2", ())
    assert (third.batch, third.faults) == (
        None,
        ("`updates` must be a list of one to five changes; write the session's page at least.",),
    )
    assert (fourth.batch, fourth.faults) == (None, ("the session s4 stands twice.",))


def test_the_one_page_of_the_single_mode_is_a_batch_of_one() -> None:
    page = {"title": "Cookies", "description": "d", "tags": ["a"], "body": "They are signed.[^o1]"}
    for reply in (page, {"updates": [page]}):
        (answer,) = read_reply(request(mode="single"), json.dumps(reply))
        assert answer.batch is not None
        (made,) = answer.batch.updates
        assert (made.kind, made.path, made.title, made.body) == (
            "session",
            "acme/sessions/s.md",
            "Cookies",
            "They are signed.[^o1]",
        )
    (answer,) = read_reply(request(mode="single"), '{"title": "x"}')
    assert answer.batch is None
    assert answer.faults[0].startswith("page.body is empty: state there what the observations say")


def test_a_session_without_a_page_is_to_get_one() -> None:
    (answer,) = read_reply(request(page=""), batch(update()))

    assert answer.batch is not None
    assert answer.faults == ("the session page is missing.",)
    assert read_reply(request(page=""), batch(update(kind="session")))[0].faults == ()
