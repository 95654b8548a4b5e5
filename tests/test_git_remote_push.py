from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import BranchMoved, GitError, PushRefused
from pipeline.git import Credentials, open_repository
from pipeline.git.addresses import host_of, remote_words, secrets_in, without_credentials
from pipeline.git.refusals import (
    ARCHIVED,
    HOOK,
    PROTECTED,
    READING,
    RULES,
    WORKFLOWS,
    WRITING,
    read_pushed,
    said_by_remote,
    step_for_push,
)
from tests.git_server import (
    add_hook,
    basic,
    by_somebody,
    free_port,
    new_clone,
    new_host,
    new_origin,
    origin_of,
    serve_daemon,
    serve_git,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.git import Remote
    from tests.repositories import Ground

NAME = "wikimill/consolidate"
TOKEN = "ghs_0123456789abcdefSecret"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_clone(tmp_path)


@contextmanager
def remote_of(ground: Ground, credentials: Credentials | None = None) -> Iterator[Remote]:
    with open_repository(ground.root, ground.environment) as repository:
        yield repository.remote("origin", credentials, limit=20)


# The lease


def test_a_branch_is_made_moved_forced_and_deleted(ground: Ground) -> None:
    first = ground.tip()
    second, other = ground.commit("second"), ground.git("commit-tree", "HEAD^{tree}", "-m", "other").strip()
    with remote_of(ground) as remote:
        for new, expected in [(first, None), (second, first), (other, second), (None, other)]:
            remote.push(NAME, new, expected=expected)
            assert remote.heads(NAME) == ({NAME: new} if new else {})
    assert ground.git("for-each-ref", "refs/tags") == ""


@pytest.mark.parametrize("wanted", ["new", "moved", "gone"])
def test_whoever_was_faster_is_not_overwritten(ground: Ground, wanted: str) -> None:
    first = ground.tip()
    theirs = by_somebody(ground, NAME)
    mine = ground.commit("mine")
    new, expected = {"new": (mine, None), "moved": (mine, first), "gone": (None, first)}[wanted]
    with remote_of(ground) as remote, pytest.raises(BranchMoved) as told:
        remote.push(NAME, new, expected=expected)
    assert f"the branch {NAME!r} of origin moved" in told.value.message
    assert (f"was expected at {first[:12]}" if expected else "was not expected to exist") in told.value.message
    assert f"stands at {theirs[:12]}" in told.value.message
    assert told.value.next_step
    assert origin_of(ground).tip(NAME) == theirs


def test_a_branch_that_somebody_deleted_is_not_made_again(ground: Ground) -> None:
    with remote_of(ground) as remote, pytest.raises(BranchMoved, match="does not exist; nothing was overwritten"):
        remote.push(NAME, ground.commit("mine"), expected=ground.tip())


def test_what_git_knows_of_the_remote_is_not_taken_for_what_was_seen(ground: Ground) -> None:
    first = ground.tip()
    ground.git("push", "-q", "origin", f"main:refs/heads/{NAME}")
    theirs = by_somebody(ground, NAME)
    ground.git("fetch", "-q", "origin")  # by an editor, behind our back
    with remote_of(ground) as remote, pytest.raises(BranchMoved):
        remote.push(NAME, ground.commit("mine"), expected=first)
    assert origin_of(ground).tip(NAME) == theirs


def test_a_branch_that_stands_where_it_should_is_as_good_as_pushed(ground: Ground) -> None:
    first, second = ground.tip(), ground.commit("second")
    ground.git("push", "-q", "origin", f"main:refs/heads/{NAME}")
    with remote_of(ground) as remote:
        remote.push(NAME, second, expected=first)
        remote.push(NAME, second, expected=None)
        remote.push("never-there", None, expected=first)
        assert remote.heads(NAME) == {NAME: second}


@pytest.mark.parametrize("how", ["same moment", "between"])
def test_two_pushes_that_race_have_one_winner(ground: Ground, how: str) -> None:
    first = ground.tip()
    ground.git("push", "-q", "origin", f"main:refs/heads/{NAME}")
    theirs = by_somebody(ground, "aside")
    commits = [ground.commit("mine"), theirs]
    ground.git("fetch", "-q", "origin")
    if how == "between":
        # The remote moves after it told where it stands, while this push is under way.
        alone = "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES"
        moving = f"{alone}\ngit update-ref refs/heads/{NAME} {theirs}"
        add_hook(origin_of(ground).root, "pre-receive", moving)
        with remote_of(ground) as remote, pytest.raises(BranchMoved, match=f"stands at {theirs[:12]}"):
            remote.push(NAME, commits[0], expected=first)
        assert origin_of(ground).tip(NAME) == theirs
        return
    outcomes: dict[str, str] = {}

    def act(commit: str) -> None:
        with remote_of(ground) as remote:
            try:
                remote.push(NAME, commit, expected=first)
                outcomes[commit] = "pushed"
            except BranchMoved:
                outcomes[commit] = "moved"

    threads = [threading.Thread(target=act, args=(commit,)) for commit in commits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes.values()) == ["moved", "pushed"]
    assert outcomes[origin_of(ground).tip(NAME)] == "pushed"


def test_an_answer_that_was_lost_does_not_make_a_push_fail(ground: Ground) -> None:
    first, mine = ground.tip(), ground.commit("mine")
    origin = origin_of(ground)
    # The connection breaks when the branch has moved, before anybody is told.
    add_hook(origin.root, "post-receive", "kill -9 $PPID")
    with remote_of(ground) as remote:
        remote.push(NAME, mine, expected=None)
        (origin.root / "hooks" / "post-receive").unlink()
        add_hook(origin.root, "pre-receive", "kill -9 $PPID")
        with pytest.raises(GitError, match="cannot be reached"):
            remote.push(NAME, first, expected=mine)
    assert origin.tip(NAME) == mine


@pytest.mark.parametrize("wrong", ["main", "1" * 39, "", "--exec=x", "HEAD"])
def test_what_is_expected_must_be_a_commit(ground: Ground, wrong: str) -> None:
    with remote_of(ground) as remote, pytest.raises(GitError, match="is not the id of a commit"):
        remote.push(NAME, ground.tip(), expected=wrong)


def test_what_is_pushed_must_be_here(ground: Ground) -> None:
    with remote_of(ground) as remote, pytest.raises(GitError, match="there is no commit '1111"):
        remote.push(NAME, "1" * 40, expected=None)


def test_nothing_else_goes_along(ground: Ground) -> None:
    for key, value in {
        "push.followTags": "true",
        "remote.origin.push": "refs/heads/*",
        "push.default": "matching",
    }.items():
        ground.git("config", key, value)
    ground.git("tag", "-a", "-m", "v1", "v1")
    ground.git("branch", "private")
    with remote_of(ground) as remote:
        remote.push(NAME, ground.tip(), expected=None)
    refs = origin_of(ground).git("for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/heads/main", f"refs/heads/{NAME}"]


# Forward only


def test_a_push_forward_takes_nothing_away(ground: Ground) -> None:
    first, second = ground.tip(), ground.commit("second")
    other = ground.git("commit-tree", "HEAD^{tree}", "-m", "other").strip()
    with remote_of(ground) as remote:
        remote.push_forward("main", second, expected=first)
        for new, expected in [(first, second), (other, second)]:
            with pytest.raises(GitError, match="would take commits away"):
                remote.push_forward("main", new, expected=expected)
        remote.push_forward(NAME, other, expected=None)
        assert remote.heads() == {"main": second, NAME: other}


@pytest.mark.parametrize("back", [False, True], ids=["forward", "back"])
def test_a_push_forward_stops_when_the_remote_moved_either_way(ground: Ground, *, back: bool) -> None:
    first, second = ground.tip(), ground.commit("second")
    ground.git("push", "-q", "origin", "main")
    stands = first if back else by_somebody(ground)
    if back:
        ground.git("push", "-q", "-f", "origin", f"{first}:main")
    third = ground.commit("third")
    with (
        remote_of(ground) as remote,
        pytest.raises(BranchMoved, match=f"expected at {second[:12]}, and stands at {stands[:12]}"),
    ):
        remote.push_forward("main", third, expected=second)
    assert origin_of(ground).tip("main") == stands


# Refusals by real remotes


def test_a_hook_of_the_remote_is_told_in_its_own_words(ground: Ground) -> None:
    said = "GitLab: \\033[31mYou shall not\\033[0m pass\\r\\nhttps://u:s3cr3t-word@h/why?token=1 says why\\n"
    add_hook(origin_of(ground).root, "pre-receive", f'printf "{said}" >&2; exit 1')
    with remote_of(ground) as remote, pytest.raises(PushRefused) as told:
        remote.push(NAME, ground.tip(), expected=None)
    assert "pre-receive hook declined: GitLab: You shall not pass https://h/why says why" in told.value.message
    assert told.value.message.isprintable()
    assert (told.value.where, told.value.next_step) == (NAME, HOOK)


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("error: GH006: Protected branch update failed for refs/heads/main.", PROTECTED),
        ("GitLab: You are not allowed to push code to protected branches on this project.", PROTECTED),
        ("error: GH013: Repository rule violations found for refs/heads/main.", RULES),
        (
            "refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without permission",
            WORKFLOWS,
        ),
    ],
)
def test_a_protected_branch_is_told_with_the_setting(ground: Ground, words: str, step: str) -> None:
    add_hook(origin_of(ground).root, "update", f"cat >&2 <<'END'\n{words}\nEND\nexit 1")
    with remote_of(ground) as remote, pytest.raises(PushRefused) as told:
        remote.push_forward("main", ground.commit("mine"), expected=origin_of(ground).tip("main"))
    assert words[:100] in told.value.message
    assert told.value.next_step == step


def test_a_flood_of_words_is_cut(ground: Ground) -> None:
    add_hook(
        origin_of(ground).root,
        "pre-receive",
        "i=0; while [ $i -lt 5000 ]; do echo 'no no no' >&2; i=$((i+1)); done; exit 1",
    )
    with remote_of(ground) as remote, pytest.raises(PushRefused) as told:
        remote.push(NAME, ground.tip(), expected=None)
    words = told.value.message.partition("does not take the push: ")[2]
    assert words.startswith("pre-receive hook declined: no no no")
    assert len(words) == 300


def test_a_branch_in_the_way_of_another_is_told(ground: Ground) -> None:
    ground.git("push", "-q", "origin", "main:refs/heads/wikimill")
    with remote_of(ground) as remote, pytest.raises(PushRefused) as told:
        remote.push(NAME, ground.tip(), expected=None)
    assert told.value.where == NAME


def test_a_branch_that_somebody_works_in_is_told(ground: Ground, tmp_path: Path) -> None:
    ground.git("clone", "-q", str(origin_of(ground).root), str(tmp_path / "worked"))
    ground.git("remote", "set-url", "origin", str(tmp_path / "worked"))
    with remote_of(ground) as remote, pytest.raises(PushRefused, match=r"checked out.*bare repository"):
        remote.push_forward("main", ground.commit("mine"), expected=origin_of(ground).tip("main"))


@pytest.mark.parametrize(
    ("key", "act"),
    [
        ("receive.denyDeletes", lambda remote, tip, other: remote.push(NAME, None, expected=tip)),
        ("receive.denyNonFastForwards", lambda remote, tip, other: remote.push(NAME, other, expected=tip)),
    ],
)
def test_a_remote_that_keeps_commits_is_told(ground: Ground, key: str, act: Callable[[Remote, str, str], None]) -> None:
    ground.git("push", "-q", "origin", f"main:refs/heads/{NAME}")
    other = ground.git("commit-tree", "HEAD^{tree}", "-m", "other").strip()
    origin_of(ground).git("config", key, "true")
    with remote_of(ground) as remote, pytest.raises(PushRefused) as told:
        act(remote, ground.tip(), other)
    assert "on the host" in told.value.next_step
    assert origin_of(ground).tip(NAME) == ground.tip()


def test_a_token_that_may_only_read_is_told(ground: Ground) -> None:
    host = new_host(origin_of(ground).root.parent, token="writing-token", readers=[TOKEN])
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        with remote_of(ground, Credentials(base, basic(TOKEN))) as remote:
            assert remote.heads() == {"main": ground.tip()}
            with pytest.raises(PushRefused, match=r"Permission to acme/wiki\.git denied") as told:
                remote.push(NAME, ground.tip(), expected=None)
        assert told.value.next_step == WRITING
        with remote_of(ground, Credentials(base, basic("no-token-at-all"))) as remote:
            with pytest.raises(PushRefused) as told:
                remote.push(NAME, ground.tip(), expected=None)
            assert told.value.next_step == WRITING


def test_whether_a_token_may_push_is_found_out_without_pushing(ground: Ground) -> None:
    host = new_host(origin_of(ground).root.parent, token="writing-token", readers=[TOKEN])
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        before = origin_of(ground).git("for-each-ref")
        with remote_of(ground, Credentials(base, basic("writing-token"))) as remote:
            remote.try_push(NAME, ground.tip())
            remote.try_push("main", ground.tip())
        with remote_of(ground, Credentials(base, basic(TOKEN))) as remote:
            with pytest.raises(PushRefused, match=r"Permission to acme/wiki\.git denied") as told:
                remote.try_push(NAME, ground.tip())
            assert told.value.next_step == WRITING
        assert origin_of(ground).git("for-each-ref") == before
    with remote_of(ground, Credentials(base, basic(TOKEN))) as remote:
        remote.try_push(NAME, ground.tip())  # nobody is there: that will be found out when it matters


def test_a_hook_and_a_branch_elsewhere_do_not_disturb_the_question(ground: Ground) -> None:
    add_hook(ground.root / ".git", "pre-push", "exit 1\n")
    with remote_of(ground) as remote:
        remote.try_push(NAME, ground.tip())
        remote.try_push("main", ground.tip())
    assert NAME not in origin_of(ground).git("for-each-ref")


def test_a_remote_without_the_service_is_told(ground: Ground) -> None:
    with serve_daemon(origin_of(ground).root.parent) as base:
        ground.git("remote", "set-url", "origin", f"{base}/none.git")
        with remote_of(ground) as remote, pytest.raises(PushRefused) as told:
            remote.push(NAME, ground.tip(), expected=None)
        assert "access denied or repository not exported" in str(told.value)


def test_a_push_to_nowhere_is_no_refusal(ground: Ground) -> None:
    ground.git("remote", "set-url", "origin", f"http://127.0.0.1:{free_port()}/x.git")
    with remote_of(ground) as remote, pytest.raises(GitError, match=r"127\.0\.0\.1 cannot be reached") as told:
        remote.push(NAME, ground.tip(), expected=None)
    assert not isinstance(told.value, PushRefused)


def test_a_hook_of_the_clone_is_heard(ground: Ground) -> None:
    add_hook(ground.root / ".git", "pre-push", "echo 'run the tests first' >&2; exit 1")
    with remote_of(ground) as remote, pytest.raises(PushRefused, match=r"pre-push.*run the tests first"):
        remote.push(NAME, ground.tip(), expected=None)
    assert origin_of(ground).git("for-each-ref", f"refs/heads/{NAME}") == ""


def test_a_large_push_over_http(ground: Ground) -> None:
    ground.write("large.bin", bytes((number * number * 7919 >> 3) % 251 for number in range(3_000_000)))
    mine = ground.commit("large")
    with serve_git(origin_of(ground).root.parent, token=TOKEN) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        with remote_of(ground, Credentials(base, basic(TOKEN))) as remote:
            remote.push(NAME, mine, expected=None)
    assert origin_of(ground).tip(NAME) == mine


def test_two_addresses_for_pushing_are_both_pushed_to(ground: Ground, tmp_path: Path) -> None:
    second = new_origin(tmp_path / "second")
    ground.git("remote", "set-url", "--add", "--push", "origin", str(origin_of(ground).root))
    ground.git("remote", "set-url", "--add", "--push", "origin", str(second))
    with remote_of(ground) as remote:
        remote.push(NAME, ground.tip(), expected=None)
    assert ground.git("ls-remote", str(second), NAME).split()[0] == ground.tip()


# What hosts say


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("protected branch hook declined: error: GH006: Protected branch update failed", PROTECTED),
        ("push declined due to repository rule violations", RULES),
        (
            "pre-receive hook declined: GitLab: You are not allowed to force push code to a protected branch",
            "force a push",
        ),
        ("error: GH013 - GITHUB PUSH PROTECTION - Push cannot contain secrets", "Take the secret out"),
        (
            "refusing to allow a Personal Access Token to create or update workflow `x` without `workflow` scope",
            WORKFLOWS,
        ),
        ("Permission to a/b.git denied to github-actions[bot]. The requested URL returned error: 403", WRITING),
        ("This repository was archived so it is read-only. The requested URL returned error: 403", ARCHIVED),
        ("fatal: could not read Username for 'https://github.com': terminal prompts disabled", WRITING),
        ("git@github.com: Permission denied (publickey).", WRITING),
        ("ERROR: The key you are authenticating with has been marked as read only.", WRITING),
        ("You are not allowed to upload code for this project.", WRITING),
        ("remote: Repository not found. fatal: repository 'https://github.com/a/b/' not found", READING),
        ("pre-receive hook declined", HOOK),
        ("error: GH001: Large files detected. File x is 120 MB; this exceeds GitHub's file size limit", "large file"),
        ("something quite new", "See what the remote says"),
    ],
)
def test_each_refusal_names_a_step(said: str, step: str) -> None:
    assert step in step_for_push(said)


def test_what_became_of_a_branch_is_read_from_the_output() -> None:
    out = (
        "To https://github.com/a/b.git\n=\trefs/heads/x:refs/heads/x\t[up to date]\n"
        "!\t1234:refs/heads/main\t[remote rejected] (refusing to allow a `x` (y) z)\nDone\n"
    )
    pushed = read_pushed(out, "refs/heads/main")
    assert pushed is not None
    assert (pushed.failed, pushed.kind, pushed.reason) == (True, "remote rejected", "refusing to allow a `x` (y) z")
    up_to_date = read_pushed(out, "refs/heads/x")
    assert up_to_date is not None
    assert not up_to_date.failed
    assert read_pushed(out, "refs/heads/none") is None
    assert read_pushed("", "refs/heads/main") is None
    assert (
        said_by_remote("remote: \nremote: error: GH006: no.        \nerror: failed\nremote: more\n")
        == "error: GH006: no. more"
    )


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://u:p@github.com/a/b.git", "github.com"),
        ("https://[::1]:80/a", "[::1]"),
        ("git@github.com:a/b.git", "github.com"),
        ("ssh://git@git.example.org:22/a", "git.example.org"),
        ("host:path", "host"),
        ("/srv/a:b", "/srv/a:b"),
        ("../a", "../a"),
        ("C:/git/a", "C:/git/a"),
        ("file:///srv/a", "file:///srv/a"),
    ],
)
def test_the_host_of_an_address(address: str, host: str) -> None:
    assert host_of(address) == host


def test_secrets_are_taken_out_of_words_in_every_form() -> None:
    secrets = secrets_in(header=basic(TOKEN), addresses=["https://dana:p%40ss-word@h/", "ssh://git@h/"])
    said = (
        f"bad token {TOKEN}, {basic(TOKEN)}, x-access-token:{TOKEN}, p%40ss-word or p@ss-word at https://a:b@h/ by git"
    )
    told = remote_words(said, secrets)
    gone = "[REDACTED]"
    assert told == f"bad token {gone}, Authorization: Basic {gone}, {gone}, {gone} or {gone} at https://h/ by git"
    assert "git" not in secrets


def test_a_megabyte_of_words_takes_no_time() -> None:
    for text in (
        "a://" * 250_000,
        "a" * 1_000_000,
        "x:" * 500_000,
        "a://b@" * 170_000,
        "https://" + "a:" * 500_000,
        "repository " * 90_000,
    ):
        assert len(remote_words(text, ())) <= 300
        assert without_credentials(text)
        assert step_for_push(text)
