"""The double of GitLab refuses what GitLab refuses, and sees what no client should do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.forge.gitlab_double import JOB_TOKEN, TOKEN, Token
from tests.forge.gitlab_double.at_hand import BRANCH, NEW, Hand, at_hand

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BODY = {"source_branch": BRANCH, "target_branch": "main", "title": "A", "description": "B"}


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    made = at_hand(tmp_path)
    made.push()
    yield made
    made.stop()


def ask(hand: Hand, method: str, below: str, *, token: str = TOKEN, **body: Any) -> httpx2.Response:  # noqa: ANN401
    sent = {"JOB-TOKEN": token} if token == JOB_TOKEN else {"PRIVATE-TOKEN": token} if token else {}
    return httpx2.request(method, f"{hand.double.url}/projects/acme%2Fwiki{below}", json=body or None, headers=sent)


@pytest.mark.parametrize(
    ("changed", "status", "says"),
    [
        ({"source_branch": "gone"}, 400, {"source_branch": ["does not exist"]}),
        ({"source_branch": "main"}, 422, ["You can't use same project/branch for source and target"]),
        ({"title": "x" * 256}, 400, {"title": ["is too long (maximum is 255 characters)"]}),
        (
            {"description": "x" * 1_048_577},
            400,
            {"description": ["is too long (maximum is 1048576 characters)"]},
        ),
    ],
)
def test_what_cannot_be_opened(hand: Hand, changed: dict[str, str], status: int, says: object) -> None:
    answer = ask(hand, "POST", "/merge_requests", **{**BODY, **changed})
    assert (answer.status_code, answer.json()["message"]) == (status, says)


def test_a_second_one_is_refused_for_the_same_base_and_seen_for_another(hand: Hand) -> None:
    hand.push(branch="other")
    assert ask(hand, "POST", "/merge_requests", **BODY).status_code == 201
    answer = ask(hand, "POST", "/merge_requests", **BODY)
    told = "Another open merge request already exists for this source branch: !1"
    assert (answer.status_code, answer.json()) == (409, {"message": [told]})
    assert hand.double.violations() == []
    assert ask(hand, "POST", "/merge_requests", **{**BODY, "target_branch": "other"}).status_code == 201
    assert hand.double.violations() == [f"!2 is a second open merge request from {BRANCH}"]


@pytest.mark.parametrize(
    ("token", "method", "below", "status"),
    [
        ("", "GET", "/merge_requests", 404),
        ("wrong", "GET", "/merge_requests", 401),
        (JOB_TOKEN, "GET", "/merge_requests", 200),
        (JOB_TOKEN, "GET", "/merge_requests/1", 200),
        (JOB_TOKEN, "GET", "/merge_requests/1/commits", 404),
        (JOB_TOKEN, "GET", "", 404),
        (JOB_TOKEN, "POST", "/merge_requests", 401),
        (TOKEN, "GET", "/push_rule", 403),
        (TOKEN, "GET", "/merge_requests/9", 404),
        (TOKEN, "GET", "/nothing", 404),
    ],
)
def test_who_may_ask_what(hand: Hand, token: str, method: str, below: str, status: int) -> None:
    ask(hand, "POST", "/merge_requests", **BODY)
    assert ask(hand, method, below, token=token).status_code == status


def test_scopes_and_roles_are_held_to(hand: Hand) -> None:
    hand.double.tokens[TOKEN] = Token(scopes=("read_api",))
    assert ask(hand, "GET", "/merge_requests").status_code == 200
    assert ask(hand, "POST", "/merge_requests", **BODY).json() == {"error": "insufficient_scope"}
    hand.double.tokens[TOKEN] = Token("stranger")
    assert ask(hand, "GET", "").status_code == 404
    hand.double.project.settings["visibility"] = "public"
    assert ask(hand, "GET", "").status_code == 200
    assert ask(hand, "POST", "/merge_requests", **BODY).status_code == 403


def test_limits_are_told_in_headers(hand: Hand) -> None:
    hand.double.fail("GET", "/merge_requests", "429")
    answer = ask(hand, "GET", "/merge_requests")
    assert (answer.status_code, answer.text) == (429, "Retry later")
    assert (answer.headers["RateLimit-Remaining"], answer.headers["Retry-After"]) == ("0", "7")


def test_pages_are_named_twice(hand: Hand) -> None:
    for number in range(1, 4):
        hand.client().open(NEW)
        hand.double.close(number)
    answer = ask(hand, "GET", "/merge_requests?per_page=2")
    assert [one["iid"] for one in answer.json()] == [3, 2]
    assert answer.headers["x-next-page"] == "2"
    assert answer.links["next"]["url"].endswith("/merge_requests?per_page=2&page=2")
    last = httpx2.get(answer.links["next"]["url"], headers={"PRIVATE-TOKEN": TOKEN})
    assert ([one["iid"] for one in last.json()], last.headers["x-next-page"]) == ([1], "")


def test_it_follows_pushes(hand: Hand) -> None:
    number = hand.client().open(NEW).number
    first = hand.double.pull(number).head
    second = hand.push("later")
    assert [head for _, head in hand.double.pull(number).versions] == [first, second]
    hand.double.repository.keep("refs/heads/main", second)
    one = hand.double.pull(number)
    assert (one.state, one.merge_user) == ("merged", "dana")


def test_one_whose_branch_is_deleted_is_closed(hand: Hand) -> None:
    number = hand.client().open(NEW).number
    hand.double.delete_branch(BRANCH)
    assert hand.double.pull(number).state == "closed"
    hand.push("anew")
    assert hand.double.violations() == []


def test_a_push_to_the_branch_of_a_closed_one_is_seen(hand: Hand) -> None:
    number = hand.client().open(NEW).number
    hand.double.close(number)
    assert hand.double.violations() == []
    hand.push("later")
    assert hand.double.violations() == [f"pushed to {BRANCH}, the branch of !1, which is closed"]


def test_what_people_do(hand: Hand) -> None:
    number = hand.client().open(NEW).number
    hand.double.edit_body(number, "- [ ] rebase\n- [ ] recreate\n")
    hand.double.tick(number, "rebase")
    assert hand.double.pull(number).body == "- [x] rebase\n- [ ] recreate\n"
    hand.double.close(number)
    hand.double.reopen(number)
    assert [one.number for one in hand.double.open_pulls()] == [number]


def test_a_quick_action_is_seen(hand: Hand) -> None:
    ask(hand, "POST", "/merge_requests", **{**BODY, "description": "x\n\r/merge"})
    assert hand.double.violations() == ["!1 carried out /merge"]
