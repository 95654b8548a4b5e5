"""GitLab by its API: what each method asks, makes of the answers, and does when something goes wrong."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError, ForgeError, ForgeUnavailable, NotPermitted
from pipeline.forge.gitlab import open_gitlab
from pipeline.forge.http import Interrupted
from pipeline.proposal.proposal import Review
from tests.forge.gitlab_double import BOT, JOB_TOKEN, TOKEN, Token
from tests.forge.gitlab_double.at_hand import BRANCH, NEW, Hand, at_hand

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.forge.port import Forge
    from tests.forge.gitlab_double.double import Trouble
    from tests.forge.hosting import MergeKind
    from tests.forge.served import Answer, Asked

LIST = "GET /merge_requests"
USER = "GET /users/71"


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    made = at_hand(tmp_path)
    made.push()
    yield made
    made.stop()
    assert all(TOKEN not in str(request.query) + str(request.body) for request in made.double.requests)


def opened(hand: Hand) -> int:
    number = hand.client().open(NEW).number
    hand.double.requests.clear()
    return number


# Opening.


def test_it_opens_a_merge_request(hand: Hand) -> None:
    head = hand.double.repository.tip(BRANCH)
    forge: Forge = hand.client()
    made = forge.open(dataclasses.replace(NEW, labels=("wiki", "automated")))
    assert (made.number, made.state, made.branch, made.base, made.head) == (1, "open", BRANCH, "main", head)
    assert made.url == f"{hand.double.web_url}/acme/wiki/-/merge_requests/1"
    assert (made.title, made.body) == (NEW.title, NEW.body)
    assert (made.author, made.author_is_machine, made.merged_by, made.merge_commit) == (BOT, True, "", "")
    assert hand.double.asked() == [LIST, "POST /merge_requests"]
    sent = hand.double.requests[1].body
    assert sent == {
        "source_branch": BRANCH,
        "target_branch": "main",
        "title": NEW.title,
        "description": NEW.body,
        "remove_source_branch": True,
        "labels": "wiki,automated",
    }
    assert hand.double.pull(1).labels == ["wiki", "automated"]
    assert hand.double.violations() == []


def test_a_token_of_another_kind_goes_in_its_own_header(hand: Hand) -> None:
    hand.client().proposals(BRANCH)
    hand.client(JOB_TOKEN).proposals(BRANCH)
    hand.client("").examine(base="main", branch=BRANCH, will_push=False)
    own, job, none = (hand.double.requests[at].headers for at in (0, 1, -1))
    assert (own["authorization"], own.get("job-token")) == (f"Bearer {TOKEN}", None)
    assert (job.get("authorization"), job["job-token"]) == (None, JOB_TOKEN)
    assert "authorization" not in none
    assert "job-token" not in none


def test_the_open_one_is_given_unchanged(hand: Hand) -> None:
    number = opened(hand)
    again = hand.client().open(dataclasses.replace(NEW, title="Another", base="other"))
    assert (again.number, again.title, again.base) == (number, NEW.title, "main")
    assert hand.double.asked() == [LIST]
    assert len(hand.double.project.requests) == 1


def test_one_that_was_opened_meanwhile_is_found_after_409(hand: Hand) -> None:
    def racing(request: Asked) -> Answer:
        if request.method == "POST" and not hand.double.project.requests:
            hand.double.project.create("kim", BRANCH, "main", "By hand", "")
        return hand.double.routes.answer(request)

    hand.double._served.handle = racing
    assert hand.client().open(NEW).title == "By hand"
    assert hand.double.asked() == [LIST, "POST /merge_requests", LIST, "GET /users/72"]
    assert len(hand.double.project.requests) == 1


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("502 after", [LIST, "POST /merge_requests", LIST]),
        ("502 before", [LIST, "POST /merge_requests", LIST, "POST /merge_requests"]),
        ("cut", [LIST, "POST /merge_requests", LIST, "POST /merge_requests"]),
        ("429", [LIST, "POST /merge_requests", "POST /merge_requests"]),
    ],
)
def test_a_fault_in_the_middle_makes_no_second_one(hand: Hand, kind: Trouble, asked: list[str]) -> None:
    hand.double.fail("POST", "/merge_requests", kind)
    assert hand.client().open(NEW).number == 1
    assert hand.double.asked() == asked
    assert [one.number for one in hand.double.open_pulls()] == [1]
    assert hand.double.violations() == []


def test_answers_that_are_lost_again_and_again_are_an_outage(hand: Hand) -> None:
    hand.double.fail("POST", "/merge_requests", "502 before", times=9)
    with pytest.raises(Interrupted) as raised:
        hand.client().open(NEW)
    assert isinstance(raised.value, ForgeUnavailable)
    assert hand.double.asked() == [LIST, "POST /merge_requests"] * 3 + [LIST]
    assert hand.double.project.requests == {}


def test_reviewers_are_found_by_name(hand: Hand) -> None:
    hand.double.project.one_reviewer = False
    forge = hand.client()
    forge.open(dataclasses.replace(NEW, reviewers=("Dana", "kim")))
    assert hand.double.pull(1).reviewers == ["dana", "kim"]
    assert forge.findings == ()
    assert hand.double.asked() == [LIST, "GET /users", "GET /users", "POST /merge_requests"]


def test_a_reviewer_who_cannot_be_had_costs_only_the_review(hand: Hand) -> None:
    forge = hand.client()
    forge.open(dataclasses.replace(NEW, reviewers=("dana", "kim", "nobody", "../x")))
    assert hand.double.pull(1).reviewers == ["dana"]
    assert [(one.rule, one.severity) for one in forge.findings] == [("proposal-without", "warning")] * 3
    assert [one.message for one in forge.findings] == [
        "GitLab knows no user nobody.",
        "GitLab knows no user ../x.",
        "GitLab left out kim: the Free tier takes one reviewer, who must be a member.",
    ]


def test_what_a_merge_request_can_do_without_is_left_out(hand: Hand) -> None:
    hand.double.fail("POST", "/merge_requests", "400", says="Reviewers are too many")
    forge = hand.client()
    forge.open(dataclasses.replace(NEW, reviewers=("dana",), labels=("wiki",)))
    posts = [request.body for request in hand.double.requests if request.method == "POST"]
    assert [("reviewer_ids" in body, "labels" in body) for body in posts] == [(True, True), (False, True)]
    assert [one.where for one in forge.findings] == ["proposal.reviewers"]


def test_a_draft_is_one_by_its_title_and_stays_one(hand: Hand) -> None:
    forge = hand.client()
    assert forge.open(dataclasses.replace(NEW, draft=True)).title == "Draft: Consolidate 2 sessions"
    assert forge.rewrite(1, title="Consolidate 3 sessions", body="x").title == "Draft: Consolidate 3 sessions"
    hand.double.pull(1).title = "Consolidate 3 sessions"
    assert forge.rewrite(1, title="Consolidate 4 sessions", body="x").title == "Consolidate 4 sessions"


def test_texts_command_nothing_and_keep_to_the_limits(hand: Hand) -> None:
    forge = hand.client()
    body = "Learned:\n/merge\n\r/close\n/label ~x\nsee /etc/hosts\n"
    made = forge.open(dataclasses.replace(NEW, title="x" * 400, body=body))
    assert len(made.title) == 255
    forge.rewrite(1, title=NEW.title, body=f"/close\n{'y' * forge.body_limit}")
    forge.close(1, reason="/approve\nnot needed")
    assert hand.double.violations() == []
    assert "\n /merge\n" in made.body


@pytest.mark.parametrize(("status", "kind"), [("403", NotPermitted), ("400", ForgeError)])
def test_a_refusal_says_what_to_do(hand: Hand, status: Trouble, kind: type[ForgeError]) -> None:
    hand.double.fail("POST", "/merge_requests", status)
    with pytest.raises(kind) as raised:
        hand.client().open(NEW)
    assert (type(raised.value) is NotPermitted) == (kind is NotPermitted)
    if kind is NotPermitted:
        assert "role Developer or higher in acme/wiki and the scope api" in raised.value.next_step
        assert "GITLAB_TOKEN" in raised.value.next_step


def test_a_role_that_may_not_write_is_told(hand: Hand) -> None:
    hand.double.project.roles[BOT] = 20
    with pytest.raises(NotPermitted, match="role Developer"):
        hand.client().open(NEW)


def test_a_scope_that_reads_alone_is_told(hand: Hand) -> None:
    hand.double.tokens[TOKEN] = Token(scopes=("read_api",))
    with pytest.raises(NotPermitted, match="insufficient_scope"):
        hand.client().open(NEW)


def test_a_job_token_opens_nothing(hand: Hand) -> None:
    for hand.double.routes.job_refusal in (401, 403):
        with pytest.raises(NotPermitted) as raised:
            hand.client(JOB_TOKEN).open(NEW)
        assert "does not let the token of a CI/CD job" in raised.value.message
        assert "project access token" in raised.value.next_step
    assert hand.double.project.requests == {}


def test_a_job_token_of_older_versions_is_known_by_its_variable(hand: Hand) -> None:
    hand.double.tokens["64_plain"] = Token("dana", (), None, job=True)
    assert hand.client("64_plain", variable="CI_JOB_TOKEN").proposals(BRANCH) == ()


def test_a_wrong_token_is_told_without_it(hand: Hand) -> None:
    with pytest.raises(NotPermitted) as raised:
        hand.client("glpat-wrong-and-long-enough").proposals(BRANCH)
    assert "wrong, revoked or expired" in str(raised.value)
    assert "glpat-wrong" not in str(raised.value) + repr(raised.value)


def test_a_project_that_is_not_shown_is_told(hand: Hand) -> None:
    hand.double.project.roles.clear()
    with pytest.raises(NotPermitted) as raised:
        hand.client().proposals(BRANCH)
    assert "There is no project acme/wiki, or the token may not see it." in raised.value.message


@pytest.mark.parametrize("kind", ["page", "sign-in"])
def test_a_page_for_people_is_no_answer(hand: Hand, kind: Trouble) -> None:
    hand.double.fail("GET", "/merge_requests", kind)
    with pytest.raises(ForgeError, match=r"no JSON"):
        hand.client().proposals(BRANCH)
    hand.double.fail("POST", "/merge_requests", "sign-in")
    with pytest.raises(ForgeError, match="leads to a page for people"):
        hand.client().open(NEW)


def test_nonsense_is_no_merge_request(hand: Hand) -> None:
    hand.double.fail("POST", "/merge_requests", "nonsense")
    with pytest.raises(ForgeError, match="no merge request"):
        hand.client().open(NEW)


# Listing.


def test_proposals_are_those_of_the_branch_and_of_no_fork(hand: Hand) -> None:
    number = opened(hand)
    hand.push(branch="wikimill/consolidate-2")
    hand.client().open(dataclasses.replace(NEW, branch="wikimill/consolidate-2"))
    hand.double.add_from_fork(BRANCH)
    hand.double.requests.clear()
    assert [one.number for one in hand.client().proposals(BRANCH)] == [number]
    assert hand.double.requests[0].query == {
        "state": "all",
        "scope": "all",
        "source_branch": BRANCH,
        "order_by": "created_at",
        "sort": "desc",
        "per_page": "100",
    }


@pytest.mark.parametrize("links", [True, False])
def test_many_proposals_come_page_by_page_the_newest_first(hand: Hand, *, links: bool) -> None:
    hand.double.routes.links, hand.double.routes.most_per_page = links, 2
    for number in range(1, 6):
        assert hand.client().open(NEW).number == number
        hand.double.close(number)
        hand.double.project.requests[number].left = True
    hand.double.requests.clear()
    assert [one.number for one in hand.client().proposals(BRANCH)] == [5, 4, 3, 2, 1]
    assert hand.double.asked() == [LIST] * 3


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
@pytest.mark.parametrize("moved", [True, False])
def test_a_merged_one_tells_who_and_where(hand: Hand, how: MergeKind, *, moved: bool) -> None:
    number = opened(hand)
    if moved:
        hand.double.repository.commit("main", {"other.md": "x"})
    tip = hand.double.merge(number, how)
    (one,) = hand.client().proposals(BRANCH)
    assert (one.state, one.merged_by, one.merged_by_person, one.merge_commit) == ("merged", "dana", True, tip)
    assert one.merged_at == hand.double.pull(number).merged_at
    assert hand.double.asked() == [LIST, USER]
    assert hand.double.repository.tip(BRANCH) == ""


@pytest.mark.parametrize("by", [BOT, "ghost", "release-robot"])
def test_a_machine_that_merged_is_no_person(hand: Hand, by: str) -> None:
    hand.double.project.machines.add("release-robot")
    number = opened(hand)
    hand.double.merge(number, by=by)
    (one,) = hand.client().proposals(BRANCH)
    assert (one.merged_by, one.merged_by_person) == (by, False)


def test_a_user_is_asked_for_once(hand: Hand) -> None:
    forge = hand.client()
    for _ in range(3):
        hand.push()
        hand.double.merge(forge.open(NEW).number)
    hand.double.requests.clear()
    fresh = hand.client()
    assert len(fresh.proposals(BRANCH)) == 3
    fresh.proposals(BRANCH)
    assert hand.double.asked() == [LIST, USER, LIST]


def test_a_declined_one_is_closed(hand: Hand) -> None:
    number = opened(hand)
    hand.double.close(number)
    (one,) = hand.client().proposals(BRANCH)
    assert (one.state, one.closed_at, one.merge_commit) == ("closed", hand.double.pull(number).closed_at, "")


def test_one_that_is_being_merged_is_waited_for(hand: Hand) -> None:
    number = opened(hand)
    hand.double.pull(number).state = "locked"
    with pytest.raises(ForgeUnavailable, match="being merged right now"):
        hand.client().proposals(BRANCH)
    assert hand.slept == [3.0] * 4
    assert hand.double.asked() == [LIST] * 5


# Commits.


def test_commits_come_the_oldest_first_and_in_full(hand: Hand) -> None:
    message = "consolidate(acme/s2): learned\n\n- [rule] where: told\n\nSession: s2\nContent: 00ff"
    hand.push(message, "consolidate(acme/s3): more")
    number = opened(hand)
    told = hand.client().commits(number)
    assert [one.message.strip() for one in told] == [
        "consolidate(acme/s1): learned",
        message,
        "consolidate(acme/s3): more",
    ]
    assert told[-1].id == hand.double.repository.tip(BRANCH)


def test_commits_of_one_whose_branch_is_gone(hand: Hand) -> None:
    hand.push(*(f"consolidate(acme/s{count}): x" for count in range(2, 7)))
    number = opened(hand)
    hand.double.merge(number, how="squash")
    hand.double.routes.most_per_page = 2
    assert len(hand.client().commits(number)) == 6
    assert hand.double.asked() == ["GET /merge_requests/1/commits"] * 3


def test_commits_of_none(hand: Hand) -> None:
    with pytest.raises(ForgeError) as raised:
        hand.client().commits(99)
    assert not isinstance(raised.value, NotPermitted)


def test_a_job_token_reads_no_commits(hand: Hand) -> None:
    number = opened(hand)
    with pytest.raises(NotPermitted, match="CI/CD job"):
        hand.client(JOB_TOKEN).commits(number)


# Reviews.


def test_the_last_look_of_a_person(hand: Hand) -> None:
    number = opened(hand)
    first = hand.double.repository.tip(BRANCH)
    at = hand.double.review(number, by="dana")
    hand.double.comment(number, "approved this merge request", by=BOT)
    hand.double.comment(number, "added 1 commit", by="kim", system=True)
    hand.push("consolidate(acme/s9): later")
    assert hand.client().last_review(number) == Review("dana", at, first)
    place = f"GET /merge_requests/{number}"
    assert hand.double.asked() == [place, f"{place}/approvals", f"{place}/notes", USER, f"{place}/versions"]
    later = hand.double.review(number, by="kim", state="COMMENTED")
    assert hand.client().last_review(number) == Review("kim", later, hand.double.repository.tip(BRANCH))


def test_older_versions_tell_of_approvals_in_notes(hand: Hand) -> None:
    number = opened(hand)
    hand.double.project.approvals_tell_time = False
    at = hand.double.review(number)
    assert hand.client().last_review(number) == Review("dana", at, hand.double.repository.tip(BRANCH))


def test_nobody_looked(hand: Hand) -> None:
    number = opened(hand)
    hand.double.comment(number, "By the machine.", by=BOT)
    hand.double.comment(number, "Of a removed user.", by="ghost")
    assert hand.client().last_review(number) is None


def test_the_author_reviews_nothing(hand: Hand) -> None:
    hand.double.tokens[TOKEN] = Token("dana")
    number = opened(hand)
    hand.double.comment(number, "My own.", by="dana")
    assert hand.client().last_review(number) is None


# Rewriting and closing.


def test_an_open_one_is_rewritten(hand: Hand) -> None:
    number = opened(hand)
    made = hand.client().rewrite(number, title="Consolidate 3 sessions", body="More.\n")
    assert (made.title, made.body, made.state) == ("Consolidate 3 sessions", "More.\n", "open")
    assert hand.double.asked() == [f"GET /merge_requests/{number}", f"PUT /merge_requests/{number}"]


def test_a_closed_one_is_not_rewritten(hand: Hand) -> None:
    number = opened(hand)
    hand.double.close(number)
    with pytest.raises(ForgeError, match="!1 is closed"):
        hand.client().rewrite(number, title="x", body="y")
    assert hand.double.pull(number).title == NEW.title


def test_a_fault_while_rewriting_is_repeated(hand: Hand) -> None:
    number = opened(hand)
    hand.double.fail("PUT", "/merge_requests/1", "502 after")
    assert hand.client().rewrite(number, title="Anew", body="z").title == "Anew"


def test_one_is_closed_with_the_reason(hand: Hand) -> None:
    number = opened(hand)
    forge = hand.client()
    forge.close(number, reason="main holds it already.")
    one = hand.double.pull(number)
    assert (one.state, [(note.author, note.body) for note in one.notes]) == (
        "closed",
        [(BOT, "main holds it already.")],
    )
    place = f"/merge_requests/{number}"
    assert hand.double.asked() == [f"GET {place}", f"POST {place}/notes", f"PUT {place}"]
    assert forge.findings == ()
    forge.close(number, reason="Again.")
    assert hand.double.asked()[3:] == [f"GET {place}"]


@pytest.mark.parametrize(("kind", "notes"), [("403", 0), ("502 after", 1)])
def test_it_is_closed_without_a_comment_too(hand: Hand, kind: Trouble, notes: int) -> None:
    number = opened(hand)
    hand.double.fail("POST", "/notes", kind)
    forge = hand.client()
    forge.close(number, reason="main holds it already.")
    assert (hand.double.pull(number).state, len(hand.double.pull(number).notes)) == ("closed", notes)
    assert [one.rule for one in forge.findings] == ["comment-refused"]


# Addresses and secrets.


def test_below_a_relative_address_and_in_subgroups(tmp_path: Path) -> None:
    hand = at_hand(tmp_path, "/tools/gitlab")
    try:
        hand.double.project.path = "acme/docs/wiki"
        hand.push()
        forge = hand.client()
        assert forge.open(NEW).url == f"{hand.double.web_url}/acme/docs/wiki/-/merge_requests/1"
        assert hand.double.requests[0].path == "/tools/gitlab/api/v4/projects/acme%2Fdocs%2Fwiki/merge_requests"
        assert forge.compare_url(base="main", branch=BRANCH) == (
            f"{hand.double.web_url}/acme/docs/wiki/-/merge_requests/new"
            "?merge_request%5Bsource_branch%5D=wikimill%2Fconsolidate&merge_request%5Btarget_branch%5D=main"
        )
    finally:
        hand.stop()


def test_the_token_stands_in_no_text(hand: Hand) -> None:
    forge = hand.client()
    told = [repr(forge), repr(forge.__dict__), str(forge.examine(base="main", branch=BRANCH, will_push=True))]
    hand.double.fail("GET", "/merge_requests", "400", says=f"the token {TOKEN} is odd", times=9)
    hand.double.fail("POST", "/merge_requests", "403", says=f"{TOKEN}", times=9)
    for ask in (lambda: forge.proposals(BRANCH), lambda: forge.close(1, reason="x"), lambda: forge.commits(1)):
        with pytest.raises(ForgeError) as raised:
            ask()
        told.append(f"{raised.value}{raised.value!r}{raised.value.__cause__!r}{forge.findings}")
    assert all(TOKEN not in text for text in told)
    assert forge.host == "gitlab"
    assert forge.repository == "acme/wiki"
    forge.hang_up()


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("http://git.example.org/api/v4", "acme/wiki"),
        ("https://git.example.org/api/v4", "wiki"),
        ("https://git.example.org/api/v4", "acme/../wiki"),
        ("https://git.example.org/api/v4", "acme/wiki?x=1"),
        ("https://git.example.org/api/v4", ""),
    ],
)
def test_an_address_or_a_path_that_cannot_be_used(address: str, path: str) -> None:
    with pytest.raises(ConfigError) as raised:
        open_gitlab(
            address,
            path,
            TOKEN,
            variable="GITLAB_TOKEN",
            sleep=lambda _: None,
            now=lambda: datetime(2026, 11, 30, tzinfo=UTC),
        )
    assert TOKEN not in str(raised.value)


def test_a_project_that_was_renamed_is_read_but_not_written_to(hand: Hand) -> None:
    number = opened(hand)
    forge = hand.client()
    hand.double.rename("acme/handbook")
    assert [one.number for one in forge.proposals(BRANCH)] == [number]
    with pytest.raises(NotPermitted) as raised:
        forge.rewrite(number, title="x", body="y")
    assert "what the project is called now" in raised.value.next_step
