"""The double of GitHub itself: it keeps state as GitHub does, refuses what GitHub refuses, and sees what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.forge.http import ForgeClient, HostRefused
from tests.forge.github_double import GitHubDouble
from tests.forge.hosting import HostedRepository, NotMergeable
from tests.repositories import empty_ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.forge.hosting import MergeKind
    from tests.repositories import Ground

BRANCH = "wikimill/consolidate"
WANTED = {"title": "t", "body": "- [ ] one\n- [ ] two\n", "head": BRANCH, "base": "main"}
PULLS = "/repos/acme/wiki/pulls"


@pytest.fixture
def double(tmp_path: Path) -> Iterator[GitHubDouble]:
    with GitHubDouble(tmp_path / "origin.git") as made:
        yield made


@pytest.fixture
def api(double: GitHubDouble) -> Iterator[ForgeClient]:
    with ForgeClient(double.url, {}, double.token(), sleep=lambda _: None, now=double.now) as client:
        yield client


@pytest.fixture
def person(double: GitHubDouble, tmp_path: Path) -> Ground:
    """A clone in which somebody pushes."""
    ground = empty_ground(tmp_path / "clone")
    ground.git("remote", "add", "origin", double.repository.url)
    ground.git("pull", "-q", "origin", "main")
    ground.git("checkout", "-q", "-b", "work")
    return ground


def push(person: Ground, *files: str, branch: str = BRANCH) -> str:
    for path in files:
        person.commit(f"add {path}", **{path: path})
    person.git("push", "-q", "--force", "origin", f"HEAD:refs/heads/{branch}")
    return person.tip()


def refused(api: ForgeClient, **wanted: str) -> tuple[int, str]:
    with pytest.raises(HostRefused) as caught:
        api.post(PULLS, {**WANTED, **wanted})
    return caught.value.status, caught.value.said


def test_what_is_refused(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    assert refused(api) == (422, "Validation Failed: PullRequest head invalid")
    double.repository.keep(f"refs/heads/{BRANCH}", double.repository.tip("main"))
    assert refused(api) == (422, f"Validation Failed: No commits between main and {BRANCH}")
    assert refused(api, head="main") == (422, "Validation Failed: No commits between main and main")
    push(person, "a")
    assert refused(api, base="trunk") == (422, "Validation Failed: PullRequest base invalid")
    assert refused(api, title="") == (422, "Validation Failed: PullRequest title missing_field")
    too_long = "Validation Failed: body is too long (maximum is 65536 characters)"
    assert refused(api, body="x" * 65_537) == (422, too_long)
    api.post(PULLS, WANTED)
    assert refused(api) == (422, f"Validation Failed: A pull request already exists for acme:{BRANCH}.")
    with pytest.raises(HostRefused, match="body is too long"):
        api.patch(f"{PULLS}/1", {"body": "x" * 65_537})
    double.settings.archived = True
    assert refused(api) == (403, "Repository was archived so is read-only.")
    assert double.violations() == []


def test_pull_requests_follow_their_branches(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    first = push(person, "a")
    api.post(PULLS, WANTED)
    assert double.pull(1).head == first
    second = push(person, "b")
    assert double.pull(1).head == second
    assert [commit.id for commit in double.commits(double.pull(1))] == [first, second]
    assert person.git("ls-remote", "origin", "refs/pull/1/head").split()[0] == second
    person.git("push", "-q", "origin", f":refs/heads/{BRANCH}")
    pull = double.pull(1)
    assert (pull.state, pull.merged_at, pull.events[-2]) == ("closed", None, "its branch was deleted")
    assert [commit.id for commit in double.commits(pull)] == [first, second]


def test_a_branch_that_is_pushed_to_hold_nothing_closes(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    push(person, "a")
    api.post(PULLS, WANTED)
    person.git("push", "-q", "--force", "origin", f"{double.repository.tip('main')}:refs/heads/{BRANCH}")
    assert double.pull(1).was_declined


def test_commits_that_are_pushed_to_the_base_count_as_merged(
    double: GitHubDouble, api: ForgeClient, person: Ground
) -> None:
    head = push(person, "a")
    api.post(PULLS, WANTED)
    person.git("push", "-q", "origin", "HEAD:refs/heads/main")
    pull = double.pull(1)
    assert (pull.state, pull.merge_commit, pull.merged_by) == ("closed", head, None)
    assert pull.merged_at is not None
    assert [commit.id for commit in double.commits(pull)] == [head]


@pytest.mark.parametrize(("how", "shape"), [("merge", (2, 4)), ("squash", (1, 2)), ("rebase", (1, 3))])
def test_merging(
    double: GitHubDouble, api: ForgeClient, person: Ground, how: MergeKind, shape: tuple[int, int]
) -> None:
    start = double.repository.tip("main")
    head = push(person, "a", "b")
    api.post(PULLS, WANTED)
    double.repository.commit("main", {"other": "x"})
    made = double.merge(1, how, by="erin")
    repository = double.repository
    assert repository.tip("main") == made != head
    # How many parents the new tip has, and how many commits main has more.
    assert (len(repository.history(made, 1)[0].parents), len(repository.commits(start, made))) == shape
    assert set(repository.git("ls-tree", "--name-only", "main").split()) >= {"a", "b", "other"}
    assert double.pull(1).merged_by is not None
    assert len(double.commits(double.pull(1))) == 2
    assert repository.tip(BRANCH) == head
    # After a merge the branch starts anew, which is no violation.
    person.git("reset", "-q", "--hard", "HEAD~2")
    push(person, "c")
    api.post(PULLS, WANTED)
    assert double.violations() == []


def test_branches_that_conflict_are_merged_by_no_button(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    push(person, "a")
    api.post(PULLS, WANTED)
    double.repository.commit("main", {"a": "otherwise"})
    for how in ("merge", "squash", "rebase"):
        with pytest.raises(NotMergeable):
            double.merge(1, how)
    assert double.pull(1).state == "open"
    assert not double.repository.can_merge(double.pull(1).head, "main")


def test_pushes_to_a_declined_branch_are_seen(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    push(person, "a")
    api.post(PULLS, WANTED)
    double.close(1, by="dana")
    assert double.violations() == []
    push(person, "b")
    assert double.violations() == ["the branch of 1, which was declined, was pushed to"]


def test_a_declined_branch_that_was_deleted_is_free_again(
    double: GitHubDouble, api: ForgeClient, person: Ground
) -> None:
    push(person, "a")
    api.post(PULLS, WANTED)
    double.close(1)
    double.delete_branch(BRANCH)
    push(person, "b")
    api.post(PULLS, WANTED)
    assert double.violations() == []


def test_two_open_ones_are_seen(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    push(person, "a")
    api.post(PULLS, WANTED)
    push(person, "b", branch=f"{BRANCH}-2")
    api.post(PULLS, {**WANTED, "head": f"{BRANCH}-2"})
    assert double.violations() == ["2 was opened while [1] stood open"]
    assert [pull.number for pull in double.open_pulls()] == [1, 2]


def test_what_people_do_on_its_pages(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    push(person, "a")
    api.post(PULLS, WANTED)
    double.tick(1, "two")
    assert double.pull(1).body == "- [ ] one\n- [x] two\n"
    double.edit_body(1, "my words\n- [ ] one\n")
    assert double.pull(1).body == "my words\r\n- [ ] one\r\n"
    double.close(1)
    double.reopen(1)
    assert double.pull(1).state == "open"
    tip = double.repository.update_branch(BRANCH, "main")
    assert double.pull(1).head == tip


def test_tokens_and_limits(double: GitHubDouble) -> None:
    def asked(token: str, path: str = "/repos/acme/wiki") -> int:
        with ForgeClient(double.url, {}, token, sleep=lambda _: None, now=double.now) as client:
            try:
                client.get(path)
            except HostRefused as refusal:
                return refusal.status
        return 200

    assert asked("") == 200
    assert asked("ghp_unknown") == 401
    assert asked(double.token(sees=False)) == 404
    assert asked(double.token(), "/repos/acme/other") == 404
    double.settings.private = True
    assert asked("") == 404
    assert asked(double.token(permissions={"metadata": "read"}), PULLS) == 403
    double.settings.requests_left = 1
    token = double.token()
    assert [asked(token), double.settings.requests_left] == [200, 0]


def test_pages_of_lists(double: GitHubDouble, api: ForgeClient, person: Ground) -> None:
    push(person, "a", "b", "c")
    api.post(PULLS, WANTED)
    for size, pages in ((1, 3), (2, 2), (3, 1), (100, 1)):
        double.requests.clear()
        assert len(list(api.pages(f"{PULLS}/1/commits", {"per_page": size}))) == 3
        assert len(double.requests) == pages


def test_a_hosted_repository_is_opened_again_as_it_was(tmp_path: Path) -> None:
    one = HostedRepository(tmp_path / "a.git")
    tip = one.commit("side", {'o"dd\\näme/ü.md': "x\n", "b": "y"}, "über\n\nTwo: lines")
    assert [commit.id for commit in one.commits(one.tip("main"), tip)] == [tip]
    again = HostedRepository(tmp_path / "a.git")
    assert again.tip("side") == tip
    assert again.history(tip, 1)[0].message == "über\n\nTwo: lines"
    assert again.git("show", f'{tip}:o"dd\\näme/ü.md') == "x\n"
    again.git("pack-refs", "--all")
    assert again.branches() == {"main": again.tip("main"), "side": tip}
    gone = again.commit("side", {"b": None})
    assert "b" in again.changed(tip, gone)


def test_pushes_can_be_refused(double: GitHubDouble, person: Ground) -> None:
    double.repository.refuse_pushes("main", "protected branch hook declined")
    person.commit("x", x="x")
    person.git("push", "-q", "origin", "HEAD:refs/heads/main", fails=True)
    push(person, "y")
