"""Proposals on GitHub: what is read of them, and how one is opened, rewritten and closed, against the double."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import ConfigError, ForgeError, ForgeUnavailable, NotPermitted
from pipeline.forge.github import open_github
from tests.forge.github_state import Account
from tests.forge.on_github import BRANCH, NEW, OnGitHub, on_github
from tests.forge.served import Answer, Fault, html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.forge.port import Forge

LOOK, POST = "GET /pulls", "POST /pulls"


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[OnGitHub]:
    with on_github(tmp_path) as made:
        yield made
        assert made.double.violations() == []


def test_it_is_a_forge(ground: OnGitHub) -> None:
    forge: Forge = ground.client()
    assert (forge.host, forge.repository, forge.body_limit) == ("github", "acme/wiki", 65_536)
    assert forge.compare_url(base="main", branch="wikimill/ä?#") == (
        "https://github.test/acme/wiki/compare/main...wikimill/%C3%A4%3F%23?expand=1"
    )


@pytest.mark.parametrize("name", ["", "wiki", "a/b/c", "../wiki", "a/..", "a b/c", "a/b?x", "a/b\n"])
def test_names_that_are_no_repository(name: str) -> None:
    with pytest.raises(ConfigError, match="not a repository"):
        open_github(
            api_url="https://api.github.com",
            web_url="",
            repository=name,
            token="",
            sleep=lambda _: None,
            now=lambda: None,  # type: ignore[arg-type,return-value]
        )


def test_requests_say_who_asks_and_in_which_version(ground: OnGitHub) -> None:
    ground.client().proposals(BRANCH)
    headers = ground.double.requests[0].headers
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["user-agent"].startswith("wikimill/")
    assert headers["accept"] == "application/vnd.github+json"
    assert ground.double.requests[0].query == {
        "state": "all",
        "head": f"acme:{BRANCH}",
        "sort": "created",
        "direction": "desc",
        "per_page": "100",
    }


def test_an_open_proposal_is_told_as_it_is(ground: OnGitHub) -> None:
    head = ground.push()
    opened = ground.client().open(NEW)
    assert ground.client().proposals(BRANCH) == (opened,)
    assert (opened.number, opened.state, opened.branch, opened.base, opened.head) == (1, "open", BRANCH, "main", head)
    assert (opened.title, opened.body) == (NEW.title, NEW.body)
    assert opened.url == "https://github.test/acme/wiki/pull/1"
    assert (opened.author, opened.author_is_machine) == ("github-actions[bot]", True)
    # The commit of the trial merge, which GitHub gives for an open one, is no merge.
    assert (opened.merged_by, opened.merged_at, opened.merge_commit, opened.closed_at) == ("", None, "", None)
    newer = ground.push("wiki/b.md")
    assert [found.head for found in ground.client().proposals(BRANCH)] == [newer]


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
def test_merges_of_all_kinds_tell_who_and_what(ground: OnGitHub, how: str) -> None:
    client = ground.client()
    head = ground.push()
    client.open(NEW)
    ground.double.repository.commit("main", {"other.md": "x"})
    made = ground.double.merge(1, how, by="erin")  # type: ignore[arg-type]
    ground.asked()
    (found,) = client.proposals(BRANCH)
    assert ground.asked() == [LOOK, "GET /pulls/1"]
    assert (found.state, found.merged_by, found.merged_by_person) == ("merged", "erin", True)
    assert found.merged_at is not None
    assert found.merged_at.tzinfo == UTC
    assert (found.merge_commit, found.head) == (made, head)
    assert made == ground.double.repository.tip("main")
    assert made != head


@pytest.mark.parametrize("by", ["dana", "merge-queue[bot]"])
def test_machines_that_merge_are_no_reviewers(ground: OnGitHub, by: str) -> None:
    ground.push()
    ground.client().open(NEW)
    ground.double.merge(1, by=by)
    (found,) = ground.client().proposals(BRANCH)
    assert (found.merged_by, found.merged_by_person) == (by, by == "dana")


def test_states_are_told_apart_the_newest_first(ground: OnGitHub) -> None:
    client = ground.client()
    ground.push()
    client.open(NEW)
    ground.double.close(1)
    ground.double.delete_branch(BRANCH)
    ground.push("wiki/b.md")
    client.open(NEW)
    ground.double.merge(2, delete_branch=True)
    ground.push("wiki/c.md")
    client.open(NEW)
    found = client.proposals(BRANCH)
    assert [(one.number, one.state) for one in found] == [(3, "open"), (2, "merged"), (1, "closed")]
    assert found[2].closed_at is not None
    assert found[2].merge_commit == ""


def test_forks_and_other_branches_are_never_ours(ground: OnGitHub) -> None:
    ground.push()
    ground.push(branch=f"{BRANCH}-2")
    ground.client().open(replace(NEW, branch=f"{BRANCH}-2"))
    ground.double.add_from_fork(BRANCH)
    ground.double.add_from_fork(BRANCH, owner="acme")
    ground.double.add_from_fork(BRANCH, owner="acme", deleted=True)
    assert ground.client().proposals(BRANCH) == ()
    assert [one.number for one in ground.client().proposals(f"{BRANCH}-2")] == [1]


def test_many_proposals_are_read_page_by_page(ground: OnGitHub) -> None:
    head = ground.push()
    for _ in range(130):
        pull = ground.double.add(BRANCH, "main", "t", "", Account("wikimill[bot]", "Bot"))
        ground.double.shut(pull, "dana")
        pull.merged_at, pull.merged_by, pull.merge_commit = pull.closed_at, Account("dana"), head
    found = ground.client().proposals(BRANCH)
    assert [one.number for one in found] == list(range(130, 0, -1))
    # Who merged is read of the 3 newest.
    assert [one.number for one in found if one.merged_by] == list(range(130, 127, -1))
    assert len(ground.asked()) == 2 + 3


def test_commits_come_oldest_first_and_outlive_the_branch(ground: OnGitHub) -> None:
    one = ground.push("wiki/a.md")
    ground.client().open(NEW)
    two = ground.push("wiki/b.md")
    ground.double.close(1)
    ground.double.delete_branch(BRANCH)
    ground.asked()
    found = ground.client().commits(1)
    assert [(commit.id, commit.message) for commit in found] == [
        (one, "consolidate: wiki/a.md"),
        (two, "consolidate: wiki/b.md"),
    ]
    assert ground.asked() == ["GET /pulls/1/commits"]


@pytest.mark.parametrize("count", [249, 250, 251, 360])
def test_more_commits_than_github_lists(ground: OnGitHub, count: int) -> None:
    repository = ground.double.repository
    tip = repository.tip("main")
    tree = repository.git("rev-parse", f"{tip}^{{tree}}").strip()
    script = "".join(
        f"commit refs/heads/{BRANCH}\ncommitter W <w@example.org> {1_800_000_000 + place} +0000\n"
        f"data {len(str(place))}\n{place}\n" + (f"from {tip}\n" if not place else "") + f"M 040000 {tree} \n\n"
        for place in range(count - 1)
    )
    repository.git("fast-import", "--quiet", stdin=script.encode())
    repository.commit("main", {"other.md": "x"})
    repository.update_branch(BRANCH, "main")
    ground.client().open(NEW)
    ground.asked()
    found = ground.client().commits(1)
    expected = repository.commits(repository.tip("main"), repository.tip(BRANCH))
    assert [commit.id for commit in found] == [commit.id for commit in expected]
    assert len(found) == count
    pages = 3 if count > 200 else 2
    assert ground.asked().count("GET /pulls/1/commits") == pages


def test_a_history_that_does_not_lead_to_what_is_listed(ground: OnGitHub) -> None:
    ground.push()
    ground.client().open(NEW)
    listed = [{"sha": f"{place:040x}", "commit": {"message": "m"}} for place in range(250)]
    ground.double.faults.append(Fault(path="/pulls/1/commits", answer=Answer(200, listed)))
    with pytest.raises(ForgeError, match="cannot all be found: 250 are listed"):
        ground.client().commits(1)


def test_the_last_review_of_a_person(ground: OnGitHub) -> None:
    first = ground.push()
    ground.client(ground.double.token("classic", login="dana")).open(NEW)
    assert ground.client().last_review(1) is None
    ground.double.comment(1, "looks good", by="erin")
    ground.double.review(1, by="erin", state="COMMENTED")
    ground.push("wiki/b.md")
    ground.double.review(1, by="dana")
    ground.double.review(1, by="copilot[bot]", kind="Bot")
    ground.double.review(1, by="robot[bot]")
    ground.double.review(1, by="Organisation", kind="Organization")
    ground.double.review(1, by="erin", state="PENDING")
    ground.asked()
    found = ground.client().last_review(1)
    assert ground.asked() == ["GET /pulls/1", "GET /pulls/1/reviews"]
    assert found is not None
    assert (found.by, found.head, found.at.tzinfo) == ("erin", first, UTC)
    ground.double.review(1, by="finn", state="CHANGES_REQUESTED")
    found = ground.client().last_review(1)
    assert found is not None
    assert (found.by, found.head) == ("finn", ground.double.repository.tip(BRANCH))


def test_a_review_of_an_account_that_is_gone(ground: OnGitHub) -> None:
    ground.push()
    ground.client().open(NEW)
    ground.double.review(1, by="ghost")
    ground.double.pull(1).reviews[0].user = None
    assert ground.client().last_review(1) is None


def test_opening_looks_first_and_dresses_it(ground: OnGitHub) -> None:
    ground.push()
    client = ground.client()
    opened = client.open(replace(NEW, labels=("wiki", "automated"), reviewers=("dana", "erin"), draft=True))
    assert ground.asked() == [LOOK, POST, "POST /issues/1/labels", "POST /pulls/1/requested_reviewers"]
    pull = ground.double.pull(opened.number)
    assert (pull.labels, pull.reviewers, pull.draft) == (["wiki", "automated"], ["dana", "erin"], True)
    assert client.findings == ()


def test_an_open_one_is_given_unchanged(ground: OnGitHub) -> None:
    ground.push()
    first = ground.client().open(NEW)
    ground.asked()
    again = ground.client().open(replace(NEW, title="Other", labels=("wiki",)))
    assert again == first
    assert ground.asked() == [LOOK]
    assert ground.double.pull(1).labels == []


def test_one_that_another_run_opens_between_look_and_request(ground: OnGitHub) -> None:
    ground.push()
    other = ground.client().open(NEW)
    ground.asked()
    ground.double.faults.append(Fault("GET", "/pulls", answer=Answer(200, [])))
    assert ground.client().open(replace(NEW, labels=("wiki",))) == other
    assert ground.asked() == [LOOK, POST, LOOK]
    assert ground.double.pull(1).labels == []


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("how", ["gateway", "cut"])
def test_a_fault_in_the_middle_never_makes_two(ground: OnGitHub, how: str, when: str) -> None:
    ground.push()
    answer = html(502) if how == "gateway" else None
    after = when == "after"
    ground.double.faults.append(Fault("POST", "/pulls", answer=answer, cut=answer is None, after=after))
    opened = ground.client().open(replace(NEW, labels=("wiki",)))
    assert opened.number == 1
    assert len(ground.double.pulls) == 1
    assert ground.double.pull(1).labels == ["wiki"]
    again = [] if after else [POST]
    assert ground.asked() == [LOOK, POST, LOOK, *again, "POST /issues/1/labels"]
    assert ground.slept == ([] if after else [1.0])


def test_a_look_that_comes_too_early_is_mended_by_the_refusal(ground: OnGitHub) -> None:
    ground.push()
    ground.double.faults.append(Fault("GET", "/pulls", answer=Answer(200, []), times=2))
    ground.double.faults.append(Fault("POST", "/pulls", answer=html(504), after=True))
    assert ground.client().open(replace(NEW, labels=("wiki",))).number == 1
    assert ground.asked() == [LOOK, POST, LOOK, POST, LOOK, "POST /issues/1/labels"]
    assert len(ground.double.pulls) == 1


def test_faults_without_end_are_given_up(ground: OnGitHub) -> None:
    ground.push()
    ground.double.faults.append(Fault("POST", "/pulls", answer=html(502), times=99))
    with pytest.raises(ForgeUnavailable, match="may have taken effect"):
        ground.client().open(NEW)
    assert ground.asked() == [LOOK] + [POST, LOOK] * 5
    assert ground.slept == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    ("title", "body", "told"),
    [
        ("t", "x" * 65_537, "at most 65,536 characters, not 65,537"),
        ("t", "🙂" * 32_769, "at most 65,536 characters, not 65,538"),
        ("", "b", "1 to 256 characters, not 0"),
        ("t" * 257, "b", "1 to 256 characters, not 257"),
    ],
)
def test_texts_that_are_too_long_are_not_sent(ground: OnGitHub, title: str, body: str, told: str) -> None:
    ground.push()
    client = ground.client()
    with pytest.raises(ForgeError, match=told):
        client.open(replace(NEW, title=title, body=body))
    with pytest.raises(ForgeError, match=told):
        client.rewrite(1, title=title, body=body)
    assert ground.asked() == []


def test_a_text_at_the_limit_is_taken(ground: OnGitHub) -> None:
    ground.push()
    assert len(ground.client().open(replace(NEW, body="ä" * 65_536)).body) == 65_536


def test_drafts_where_the_plan_has_none(ground: OnGitHub) -> None:
    ground.push()
    ground.double.settings.drafts = False
    client = ground.client()
    client.open(replace(NEW, draft=True))
    assert ground.asked() == [LOOK, POST, POST]
    assert [finding.rule for finding in client.findings] == ["draft-refused"]


def test_labels_and_reviewers_cost_themselves_alone(ground: OnGitHub) -> None:
    ground.push()
    ground.double.faults.append(Fault("POST", "/labels", answer=Answer(403, {"message": "no"})))
    client = ground.client()
    opened = client.open(replace(NEW, labels=("wiki",), reviewers=("dana", "nobody", "acme/docs", "erin")))
    assert opened.number == 1
    assert ground.double.pull(1).reviewers == ["dana", "erin"]
    assert [(finding.where, finding.rule) for finding in client.findings] == [
        ("proposal.labels", "label-refused"),
        ("proposal.reviewers: nobody", "reviewer-refused"),
        ("proposal.reviewers: acme/docs", "reviewer-refused"),
    ]
    assert len(ground.asked()) == 3 + 1 + 4


def test_teams_are_asked_by_their_short_names(ground: OnGitHub) -> None:
    ground.push()
    ground.double.settings.collaborators = ("dana", "docs")
    ground.client().open(replace(NEW, reviewers=("dana", "acme/docs")))
    assert ground.double.requests[-1].body == {"reviewers": ["dana"], "team_reviewers": ["docs"]}


def test_dressing_that_gets_no_answer_costs_itself(ground: OnGitHub) -> None:
    ground.push()
    ground.double.faults.append(Fault("POST", "/requested_reviewers", answer=html(502), times=9))
    client = ground.client()
    assert client.open(replace(NEW, reviewers=("dana",))).number == 1
    assert [finding.rule for finding in client.findings] == ["reviewer-refused"]


@pytest.mark.parametrize("status", [403, 422])
def test_actions_that_may_not_propose(ground: OnGitHub, status: int) -> None:
    ground.push()
    ground.double.settings.actions_may_propose = False
    if status != 403:
        said = "GitHub Actions is not permitted to create or approve pull requests."
        ground.double.faults.append(Fault("POST", "/pulls", answer=Answer(status, {"message": said}), times=2))
        assert said in ground.client().may_open(base="main")[0]
    with pytest.raises(NotPermitted, match="not permitted to create or approve") as caught:
        ground.client().open(NEW)
    step = caught.value.next_step
    assert "'Allow GitHub Actions to create and approve pull requests'" in step
    assert "Settings > Actions > General > Workflow permissions" in step
    assert "https://github.test/acme/wiki/settings/actions" in step
    assert "organisation" in step
    assert f"https://github.test/acme/wiki/compare/main...{BRANCH}?expand=1" in step
    # A token of an App is not held by it.
    assert ground.client(ground.double.token("app")).open(NEW).author == "wikimill-acme[bot]"


@pytest.mark.parametrize(
    ("kind", "permissions", "status", "steps"),
    [
        ("actions", {"pull_requests": "read"}, 403, ["`permissions: pull-requests: write`"]),
        ("fine-grained", {"pull_requests": "read"}, 403, ["'Pull requests: Read and write'"]),
        ("classic", {}, 404, ["cannot see acme/wiki", "scope `repo`"]),
    ],
)
def test_permissions_that_are_missing(
    ground: OnGitHub, kind: str, permissions: dict[str, str], status: int, steps: list[str]
) -> None:
    ground.push()
    token = ground.double.token(kind, permissions=permissions)  # type: ignore[arg-type]
    with pytest.raises(NotPermitted, match=f"POST /repos/acme/wiki/pulls: {status}") as caught:
        ground.client(token).open(NEW)
    assert all(step in caught.value.next_step for step in steps)
    assert token not in str(caught.value)


def test_repositories_that_cannot_be_seen(ground: OnGitHub) -> None:
    client = ground.client(ground.double.token(sees=False))
    with pytest.raises(NotPermitted, match="404 Not Found") as caught:
        client.proposals(BRANCH)
    assert "cannot see acme/wiki" in caught.value.next_step
    for errand in (lambda: client.commits(1), lambda: client.last_review(1), lambda: client.close(1, reason="x")):
        with pytest.raises(NotPermitted):
            errand()


def test_a_token_that_is_not_taken(ground: OnGitHub) -> None:
    token = "ghp_wrongSECRETwrongSECRETwrong"
    with pytest.raises(NotPermitted, match="401 Bad credentials") as caught:
        ground.client(token).proposals(BRANCH)
    assert "expired or revoked" in caught.value.next_step
    assert token not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "said", "kind", "step"),
    [
        (403, "Resource protected by organization SAML enforcement.", NotPermitted, "single sign-on"),
        (403, "the `acme` organization has an IP allow list enabled", NotPermitted, "IP allow list"),
        (403, "Repository was archived so is read-only.", NotPermitted, "Unarchive"),
        (403, "Must have admin rights", NotPermitted, "pull-requests: write"),
        (422, "Something else", ForgeError, ""),
    ],
)
def test_other_refusals(ground: OnGitHub, status: int, said: str, kind: type[ForgeError], step: str) -> None:
    ground.push()
    ground.double.faults.append(Fault("POST", "/pulls", answer=Answer(status, {"message": said})))
    with pytest.raises(kind, match=re.escape(said.rstrip("."))) as caught:
        ground.client().open(NEW)
    assert step in caught.value.next_step
    assert len(ground.double.pulls) == 0


def test_branches_that_cannot_be_proposed(ground: OnGitHub) -> None:
    client = ground.client()
    with pytest.raises(ForgeError, match="PullRequest head invalid") as caught:
        client.open(NEW)
    assert caught.value.next_step.startswith("Push the branch first")
    ground.push()
    with pytest.raises(ForgeError, match="PullRequest base invalid") as caught:
        client.open(replace(NEW, base="trunk"))
    assert "proposal.base" in caught.value.next_step
    ground.double.repository.keep(f"refs/heads/{BRANCH}", ground.double.repository.tip("main"))
    with pytest.raises(ForgeError, match="No commits between main and") as caught:
        client.open(NEW)
    assert "nothing to propose" in caught.value.next_step


def test_rewriting(ground: OnGitHub) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    ground.asked()
    told = client.rewrite(1, title="Wiki: 2 pages", body="")
    assert (told.title, told.body, told.state) == ("Wiki: 2 pages", "", "open")
    assert ground.asked() == ["GET /pulls/1", "PATCH /pulls/1"]
    assert ground.double.pull(1).title == "Wiki: 2 pages"


def test_rewriting_is_repeated_when_its_answer_is_lost(ground: OnGitHub) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    ground.asked()
    ground.double.faults.append(Fault("PATCH", cut=True, after=True))
    assert client.rewrite(1, title="t", body="b").body == "b"
    assert ground.asked() == ["GET /pulls/1", "PATCH /pulls/1", "PATCH /pulls/1"]


@pytest.mark.parametrize("how", ["merged", "closed"])
def test_what_was_closed_meanwhile_is_not_rewritten(ground: OnGitHub, how: str) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    if how == "merged":
        ground.double.merge(1)
    else:
        ground.double.close(1)
    with pytest.raises(ForgeError, match=f"Pull request 1 was {how} meanwhile"):
        client.rewrite(1, title="t", body="b")
    assert ground.double.pull(1).title == NEW.title


def test_closing_says_why(ground: OnGitHub) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    ground.asked()
    client.close(1, reason="main holds all of it already.")
    assert ground.asked() == ["GET /pulls/1", "POST /issues/1/comments", "PATCH /pulls/1"]
    pull = ground.double.pull(1)
    assert (pull.state, pull.comments) == ("closed", [("github-actions[bot]", "main holds all of it already.")])
    # One whose branch was deleted is closed already, and gets its comment as well.
    client.close(1, reason="again")
    assert ground.asked() == ["GET /pulls/1", "POST /issues/1/comments"]
    assert len(pull.comments) == 2


@pytest.mark.parametrize("answer", [Answer(403, {"message": "locked"}), html(502)])
def test_a_comment_that_is_not_taken_keeps_none_open(ground: OnGitHub, answer: Answer) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    ground.double.faults.append(Fault("POST", "/comments", answer=answer))
    client.close(1, reason="why")
    assert ground.double.pull(1).state == "closed"
    assert [finding.rule for finding in client.findings] == ["comment-refused"]


def test_a_renamed_repository_is_read_and_not_written_to(ground: OnGitHub) -> None:
    ground.push()
    ground.client().open(NEW)
    client = ground.client(name="acme/wiki")
    ground.double.rename("acme/handbook")
    assert [one.number for one in client.proposals(BRANCH)] == [1]
    with pytest.raises(ForgeError, match="acme/wiki is called acme/handbook now") as caught:
        client.rewrite(1, title="t", body="b")
    assert "proposal.repository" in caught.value.next_step
    assert ground.double.pull(1).title == NEW.title


def test_limits_of_github_are_waited_for_or_told(ground: OnGitHub) -> None:
    ground.push()
    ground.double.settings.requests_left = 0
    client = ground.client()
    ground.double.settings.limit_resets_in = 1_800
    with pytest.raises(ForgeUnavailable, match="API rate limit exceeded") as caught:
        client.open(NEW)
    assert "08:30 UTC" in caught.value.next_step
    ground.double.settings.requests_left = None
    limit = Answer(403, {"message": "You have exceeded a secondary rate limit."}, {"retry-after": "20"})
    ground.double.faults.append(Fault("POST", "/pulls", answer=limit))
    ground.asked()
    assert client.open(NEW).number == 1
    assert ground.slept == [20.0]
    assert ground.asked() == [LOOK, POST, POST]


@pytest.mark.parametrize("path", ["/pulls", "/pulls/1", "/pulls/1/commits", "/pulls/1/reviews"])
@pytest.mark.parametrize("told", [[{"odd": 1}], {"odd": 1}, "text", None, [None]])
def test_answers_that_are_not_what_github_documents(ground: OnGitHub, path: str, told: object) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    ground.double.faults.append(Fault("GET", path, answer=Answer(200, told), times=9))
    errands: dict[str, Callable[[], object]] = {
        "/pulls": lambda: client.proposals(BRANCH),
        "/pulls/1": lambda: client.rewrite(1, title="t", body="b"),
        "/pulls/1/commits": lambda: client.commits(1),
        "/pulls/1/reviews": lambda: client.last_review(1),
    }
    with pytest.raises(ForgeError):
        errands[path]()


@pytest.mark.parametrize("sha", ["--upload-pack=x", "HEAD", "", "A" * 40, "a" * 40 + "\n"])
def test_commits_have_names_that_git_can_be_given(ground: OnGitHub, sha: str) -> None:
    ground.push()
    client = ground.client()
    client.open(NEW)
    ground.double.pull(1)
    told = ground.double.pulls[1].shown("acme/wiki", ground.double.url, "https://github.test")
    told["head"]["sha"] = sha
    ground.double.faults.append(Fault("GET", "/pulls", answer=Answer(200, [told])))
    with pytest.raises(ForgeError, match=r"cannot be read as Pull \(at head\.sha\)"):
        client.proposals(BRANCH)


def test_no_error_and_no_name_holds_the_token(ground: OnGitHub) -> None:
    token = ground.double.token("fine-grained")
    client = ground.client(token)
    ground.push()
    said = Answer(403, {"message": f"{token} is refused", "errors": [token]})
    errands: list[tuple[str, Callable[[], object]]] = [
        ("GET", lambda: client.proposals(BRANCH)),
        ("GET", lambda: client.commits(1)),
        ("GET", lambda: client.last_review(1)),
        ("POST", lambda: client.open(NEW)),
        ("GET", lambda: client.rewrite(1, title="t", body="b")),
        ("GET", lambda: client.close(1, reason="r")),
    ]
    for method, errand in errands:
        ground.double.faults.append(Fault(method, answer=said))
        with pytest.raises(NotPermitted) as caught:
            errand()
        assert token not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"
    assert token not in f"{client!r} {client._client!r} {vars(client)!r} {client.findings!r}"
