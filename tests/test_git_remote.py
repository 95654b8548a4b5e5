from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import GitError
from pipeline.git import Credentials, open_repository
from tests.git_server import (
    add_hook,
    basic,
    by_somebody,
    free_port,
    mute_host,
    new_clone,
    new_host,
    new_origin,
    origin_of,
    serve_daemon,
    serve_git,
)
from tests.repositories import Ground, empty_ground, new_ground

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.git import Remote, Repository

TOKEN = "ghs_0123456789abcdefSecret"
TRANSPORTS = ["path", "file", "daemon", "http"]


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_clone(tmp_path)


@contextmanager
def opened(
    ground: Ground, credentials: Credentials | None = None, more: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[Repository, Remote]]:
    with open_repository(ground.root, {**ground.environment, **more}) as repository:
        yield repository, repository.remote("origin", credentials, limit=20)


@contextmanager
def served(ground: Ground, transport: str) -> Iterator[None]:
    folder = origin_of(ground).root.parent
    if transport == "daemon":
        with serve_daemon(folder) as base:
            ground.git("remote", "set-url", "origin", f"{base}/origin.git")
            yield
    elif transport == "http":
        with serve_git(folder) as base:
            ground.git("remote", "set-url", "origin", f"{base}/origin.git")
            yield
    else:
        if transport == "file":
            ground.git("remote", "set-url", "origin", origin_of(ground).root.as_uri())
        yield


# Every transport


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_every_transport_tells_fetches_and_pushes(ground: Ground, transport: str) -> None:
    first = ground.tip()
    with served(ground, transport), opened(ground) as (repository, remote):
        assert remote.heads() == {"main": first}
        theirs = by_somebody(ground)
        assert remote.fetch(["main", "wikimill/consolidate"]) == {"main": theirs, "wikimill/consolidate": None}
        remote.push("wikimill/consolidate", theirs, expected=None)
        assert remote.heads("wikimill/") == {"wikimill/consolidate": theirs}
        mine = repository.build(theirs, {}, message="mine", at=repository.commits_between(None, first)[0].at)
        remote.push("wikimill/consolidate", mine, expected=theirs)
        assert origin_of(ground).tip("wikimill/consolidate") == mine
        remote.push("wikimill/consolidate", None, expected=mine)
        assert remote.heads() == {"main": theirs}


# The remote itself


@pytest.mark.parametrize("name", ["none", "", "-x", "--upload-pack=x", "a b", "a..b", "../clone", "x\ny", "a\0b"])
def test_a_remote_that_is_none_is_told_with_what_to_do(ground: Ground, name: str) -> None:
    with (
        open_repository(ground.root, ground.environment) as repository,
        pytest.raises(GitError, match=r"there is no remote .*git remote add.*proposal\.remote"),
    ):
        repository.remote(name)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://dana:s3cr3t-word@example.org/acme/wiki.git", "https://example.org/acme/wiki.git"),
        ("https://ghs_0123456789@example.org/acme/wiki.git", "https://example.org/acme/wiki.git"),
        ("ssh://git@example.org:22/acme/wiki.git", "ssh://git@example.org:22/acme/wiki.git"),
        ("ssh://git:s3cr3t-word@example.org/acme/wiki.git", "ssh://git@example.org/acme/wiki.git"),
        ("git@example.org:acme/wiki.git", "git@example.org:acme/wiki.git"),
        ("https://example.org/acme/wiki.git?private_token=s3cr3t", "https://example.org/acme/wiki.git"),
        ("/srv/git/wiki.git", "/srv/git/wiki.git"),
    ],
)
def test_an_address_is_told_without_what_lets_anybody_in(ground: Ground, address: str, told: str) -> None:
    ground.git("remote", "set-url", "origin", address)
    with opened(ground) as (_, remote):
        assert remote.url == told
        assert "s3cr3t" not in repr(remote)


def test_an_empty_remote_has_no_branches_and_is_no_fault(tmp_path: Path) -> None:
    ground = new_ground(tmp_path / "clone")
    ground.git("remote", "add", "origin", str(new_origin(tmp_path)))
    with opened(ground) as (_, remote):
        assert remote.heads() == {}
        assert remote.fetch(["main"]) == {"main": None}


def test_branches_are_chosen_by_how_their_names_begin(ground: Ground) -> None:
    tip = ground.tip()
    names = ["wikimill/consolidate", "wikimill/consolidate-2", "wikimill-old", "other/wikimill/x", "wiki*", "日本/ü"]
    ground.git(
        "push",
        "-q",
        "origin",
        *(f"main:refs/heads/{name}" for name in names if "*" not in name),
        "main:refs/tags/wikimill/t",
    )
    with opened(ground) as (_, remote):
        assert remote.heads("wikimill/") == {"wikimill/consolidate": tip, "wikimill/consolidate-2": tip}
        assert remote.heads("wiki*") == {}
        assert set(remote.heads()) == {"main", *(name for name in names if "*" not in name)}


# Fetching


def test_a_fetch_touches_nothing_but_what_is_followed(ground: Ground) -> None:
    ground.git("config", "fetch.prune", "true")
    ground.git("config", "--add", "remote.origin.fetch", "+refs/heads/*:refs/heads/copied/*")
    ground.git("push", "-q", "origin", "main:refs/tags/v1", "main:refs/heads/side", "main:refs/heads/other")
    ground.git("update-ref", "refs/remotes/origin/stale", "HEAD")
    theirs = by_somebody(ground)
    before = ground.git("for-each-ref", "refs/heads", "refs/tags")
    with opened(ground) as (_, remote):
        assert remote.fetch(["main", "refs/heads/side"]) == {"main": theirs, "refs/heads/side": ground.tip()}
    assert ground.git("for-each-ref", "refs/heads", "refs/tags") == before
    followed = ground.git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin").split()
    assert followed == ["main", "other", "side", "stale"]
    assert not (ground.root / ".git" / "FETCH_HEAD").exists()


def test_a_branch_that_was_forced_back_is_followed(ground: Ground) -> None:
    first = ground.tip()
    second = by_somebody(ground)
    with opened(ground) as (_, remote):
        assert remote.fetch(["main"]) == {"main": second}
        ground.git("push", "-q", "-f", "origin", f"{first}:refs/heads/main")
        assert remote.fetch(["main"]) == {"main": first}


def test_a_branch_that_is_gone_is_followed_no_longer(ground: Ground) -> None:
    ground.git("push", "-q", "origin", "main:refs/heads/side")
    with opened(ground) as (_, remote):
        assert remote.fetch(["side"]) == {"side": ground.tip()}
        ground.git("push", "-q", "origin", ":refs/heads/side")
        ground.git("update-ref", "refs/remotes/origin/side", "HEAD")
        assert remote.fetch(["side", "main"]) == {"side": None, "main": ground.tip()}
    assert "side" not in ground.git("for-each-ref")


@pytest.mark.parametrize(("old", "new"), [("wikimill", "wikimill/consolidate"), ("wikimill/x/y", "wikimill/x")])
def test_a_branch_may_take_the_place_of_a_folder_of_branches(ground: Ground, old: str, new: str) -> None:
    ground.git("push", "-q", str(origin_of(ground).root), f"main:refs/heads/{new}")
    ground.git("update-ref", f"refs/remotes/origin/{old}", "HEAD")
    with opened(ground) as (_, remote):
        assert remote.fetch([new]) == {new: ground.tip()}
    assert old not in ground.git("for-each-ref", "--format=%(refname:lstrip=3)").split()


@pytest.mark.parametrize("name", ["-x", "--upload-pack=touch x", "a b", "a..b", "", "@", "HEAD", "+main", "a:b", "*"])
def test_a_name_that_can_be_no_branch_reaches_no_command(ground: Ground, name: str) -> None:
    with opened(ground) as (_, remote):
        if name == "+main":
            assert remote.fetch([name]) == {name: None}  # git allows it
            return
        for act in (lambda: remote.fetch([name]), lambda: remote.push(name, ground.tip(), expected=None)):
            with pytest.raises(GitError, match="cannot be the name of a branch"):
                act()


def test_a_commit_is_fetched_by_its_id_or_by_a_reference(ground: Ground) -> None:
    ground.git("push", "-q", "origin", "main:refs/heads/side")
    theirs = by_somebody(ground, "side")
    origin = origin_of(ground)
    origin.git("update-ref", "refs/pull/7/head", theirs)
    origin.git("update-ref", "-d", "refs/heads/side")
    with opened(ground) as (repository, remote):
        assert remote.fetch_commit("1" * 40) is False
        assert remote.fetch_commit("refs/pull/8/head") is False
        assert remote.fetch_commit("refs/pull/7/head") is True
        assert repository.commit_message(theirs) == "by Robin\n"
        assert remote.fetch_commit(theirs) is True
        for wrong in ("main", "-x", "HEAD", "refs/../x", "1" * 39, "refs/heads/a:refs/heads/b", "refs/heads/*"):
            with pytest.raises(GitError, match="neither an id nor a reference"):
                remote.fetch_commit(wrong)
    assert "pull" not in ground.git("for-each-ref")


def test_a_commit_that_no_branch_names_is_given_by_its_id_where_the_host_does_that(ground: Ground) -> None:
    theirs = by_somebody(ground, "side")
    origin = origin_of(ground)
    origin.git("update-ref", "-d", "refs/heads/side")
    ground.git("remote", "set-url", "origin", origin.root.as_uri())
    more = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.version", "GIT_CONFIG_VALUE_0": "0"}
    with opened(ground, more=more) as (_, remote):
        assert remote.fetch_commit(theirs) is False
        origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
        assert remote.fetch_commit(theirs) is True


# Shallow clones


@pytest.fixture
def shallow(ground: Ground, tmp_path: Path) -> Ground:
    for number in range(3):
        ground.commit(f"number {number}", **{"a.md": str(number)})
    ground.git("push", "-q", "origin", "main", "main~1:refs/heads/side")
    ground.git("clone", "-q", "--depth=1", origin_of(ground).root.as_uri(), str(tmp_path / "shallow"))
    clone = Ground(tmp_path / "shallow", ground.environment)
    clone.git("config", "user.name", "Dana")
    clone.git("config", "user.email", "dana@example.org")
    return clone


def test_a_shallow_clone_is_completed_once(ground: Ground, shallow: Ground) -> None:
    with opened(shallow) as (repository, remote):
        assert repository.is_shallow is True
        assert repository.merge_base(shallow.tip(), shallow.tip()) == shallow.tip()
        assert remote.fetch(["side"]) == {"side": ground.tip("main~1")}
        remote.unshallow()
        assert (repository.is_shallow, repository.places.shallow) == (False, True)
        assert len(repository.commits_between(None, "HEAD")) == 4
        assert repository.merge_base("HEAD", "refs/remotes/origin/side") == ground.tip("main~1")
        remote.unshallow()
    assert shallow.is_sound()
    # Nothing was fetched but what was followed.
    assert "refs/remotes/origin/side" in shallow.git("for-each-ref")


def test_a_shallow_clone_of_a_branch_that_is_gone_is_completed_from_the_others(ground: Ground, shallow: Ground) -> None:
    ground.git("push", "-q", "origin", "main:refs/heads/kept", ":refs/heads/side")
    origin_of(ground).git("symbolic-ref", "HEAD", "refs/heads/kept")
    ground.git("push", "-q", "origin", ":refs/heads/main")
    with opened(shallow) as (repository, remote):
        remote.unshallow()
        assert not repository.is_shallow


def test_a_shallow_clone_that_cannot_be_completed_names_the_setting(ground: Ground, shallow: Ground) -> None:
    origin = origin_of(ground)
    origin.git("update-ref", "refs/heads/main", ground.tip("main~3"))
    origin.git("update-ref", "refs/heads/side", ground.tip("main~3"))
    origin.git("gc", "-q", "--prune=now")
    with opened(shallow) as (_, remote), pytest.raises(GitError, match=r"shallow.*fetch-depth: 0"):
        remote.unshallow()


def test_a_push_from_a_shallow_clone(ground: Ground, shallow: Ground) -> None:
    base = shallow.tip()
    mine = shallow.commit("mine", **{"b.md": "b"})
    with opened(shallow) as (_, remote):
        remote.push("wikimill/consolidate", mine, expected=None)
        remote.push_forward("main", mine, expected=base)
    assert origin_of(ground).tip("main") == mine
    assert not origin_of(ground).git("fsck", "--connectivity-only").strip()


# Credentials


def credentials(base: str, token: str = TOKEN) -> Credentials:
    return Credentials(f"{base}/", basic(token))


def test_a_token_opens_the_remote_and_is_told_nowhere(ground: Ground) -> None:
    host = new_host(origin_of(ground).root.parent, token=TOKEN)
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        with opened(ground) as (_, remote), pytest.raises(GitError, match="does not let wikimill in") as told:
            remote.heads()
        assert "give a token" in told.value.next_step
        with opened(ground, credentials(base)) as (_, remote):
            assert remote.heads() == {"main": ground.tip()}
            remote.push("x", ground.tip(), expected=None)
        with (
            opened(ground, credentials(base, "wrong-token-0123456789")) as (_, remote),
            pytest.raises(GitError) as told,
        ):
            remote.heads()
    assert "wrong-token" not in str(told.value)
    assert "Basic" not in str(told.value)
    assert {one.authorization for one in host.asked if one.status == 200} == {(basic(TOKEN).partition(": ")[2],)}
    for form in (TOKEN, basic(TOKEN).split()[-1]):
        assert form not in repr(credentials(base))
        assert form not in ground.read(".git/config").decode()


def test_a_header_that_git_is_configured_to_send_is_not_sent_twice(ground: Ground) -> None:
    host = new_host(origin_of(ground).root.parent, token=TOKEN)
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        ground.git("config", f"http.{base}/.extraheader", basic(TOKEN).replace("Authorization", "AUTHORIZATION"))
        with opened(ground, credentials(base)) as (_, remote):
            assert remote.heads() == {"main": ground.tip()}
    assert [one.status for one in host.asked] == [200] * len(host.asked)


def test_a_header_for_other_hosts_or_other_ends_leaves_ours_in(ground: Ground) -> None:
    host = new_host(origin_of(ground).root.parent, token=TOKEN)
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        ground.git("config", "http.https://example.org/.extraheader", basic("other-token"))
        ground.git("config", f"http.{base}/.extraheader", "X-Trace: 1")
        with opened(ground, credentials(base)) as (_, remote):
            assert remote.heads() == {"main": ground.tip()}


def test_configuration_in_the_environment_stays(ground: Ground) -> None:
    host = new_host(origin_of(ground).root.parent, token=TOKEN)
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", "https://example.org/origin.git")
        more = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{base}/.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://example.org/",
        }
        with opened(ground, credentials(base), more) as (_, remote):
            assert remote.heads() == {"main": ground.tip()}
            assert remote.url == "https://example.org/origin.git"


def test_a_token_is_not_carried_to_where_a_host_points(ground: Ground) -> None:
    folder = origin_of(ground).root.parent
    there = new_host(folder)
    with (
        serve_git(folder, host=there) as elsewhere,
        serve_git(folder, host=new_host(folder, redirect=elsewhere)) as base,
    ):
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        with (
            opened(ground, credentials(base)) as (_, remote),
            pytest.raises(GitError, match=r"moved.*git remote set-url"),
        ):
            remote.heads()
    assert there.asked == []


@pytest.mark.skipif(os.name == "nt", reason="the wrapper is a script for sh")
def test_no_process_has_the_token_among_its_arguments(ground: Ground, tmp_path: Path) -> None:
    log = tmp_path / "arguments"
    every = f'cat /proc/*/cmdline 2>/dev/null | tr "\\0" " " >> "{log}"'
    add_hook(tmp_path, "git", f'printf "%s\\n" "$@" >> "{log}"\n{every}\nexec {git_path()} "$@"')
    path = f"{tmp_path / 'hooks'}{os.pathsep}{os.environ['PATH']}"
    host = new_host(origin_of(ground).root.parent, token=TOKEN)
    add_hook(ground.root / ".git", "pre-push", every)
    with serve_git(host.folder, host=host) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        with opened(ground, credentials(base), {"PATH": path}) as (_, remote):
            remote.fetch(["main"])
            remote.push("x", ground.tip(), expected=None)
    written = log.read_text(encoding="utf-8", errors="replace")
    assert "--force-with-lease=refs/heads/x:" in written
    assert "git-remote-http" in written or sys.platform != "linux"
    assert TOKEN not in written
    assert basic(TOKEN).split()[-1] not in written


def git_path() -> str:
    return next(f"{folder}/git" for folder in os.environ["PATH"].split(os.pathsep) if Path(folder, "git").exists())


@pytest.mark.parametrize(
    ("prefix", "header"),
    [
        ("https://h/", "Authorization: Basic x\nX-Evil: 1"),
        ("https://h/", "X-Other: 1"),
        ("https://h/", "Authorization: Basic ü"),
        ("ssh://h/", "Authorization: Basic x"),
        ("", "Authorization: Basic x"),
        ("https://h/\n", "Authorization: Basic x"),
    ],
)
def test_what_is_no_single_header_for_one_host_is_refused(prefix: str, header: str) -> None:
    with pytest.raises(GitError, match="cannot be sent") as told:
        Credentials(prefix, header)
    assert "Basic" not in str(told.value)


def test_a_password_in_the_address_is_told_in_no_error(ground: Ground) -> None:
    port = free_port()
    ground.git("remote", "set-url", "origin", f"http://dana:s3cr3t%2Dword@127.0.0.1:{port}/origin.git")
    with opened(ground) as (_, remote), pytest.raises(GitError, match=r"127\.0\.0\.1 cannot be reached") as told:
        remote.heads()
    assert "s3cr3t" not in str(told.value)
    assert "dana" not in str(told.value)


# What goes wrong


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:{port}/x.git", "127.0.0.1 cannot be reached"),
        ("git://127.0.0.1:{port}/x.git", "127.0.0.1 cannot be reached"),
        ("https://no.such.invalid/x.git", "no.such.invalid cannot be reached"),
        ("ssh://git@127.0.0.1:{port}/x.git", "127.0.0.1 cannot be reached"),
        ("/no/such/repository", "/no/such/repository has no such repository"),
        ("ext::sh -c touch% wikimill-was-here", "not allowed"),
        ("foo::bar", "not allowed"),
    ],
)
def test_a_remote_that_cannot_be_read_is_told(ground: Ground, address: str, said: str) -> None:
    ground.git("remote", "set-url", "origin", address.format(port=free_port()))
    with opened(ground) as (_, remote), pytest.raises(GitError) as told:
        remote.heads()
    assert said in str(told.value)
    assert told.value.next_step
    assert told.value.where.startswith("origin (")
    assert not list(ground.root.glob("wikimill-was-here"))


def test_a_remote_that_is_set_up_in_an_odd_way_is_not_said_to_be_out_of_reach(ground: Ground) -> None:
    ground.git("config", "remote.origin.mirror", "true")
    with opened(ground) as (_, remote), pytest.raises(GitError, match=r"cannot be worked with: .*mirror"):
        remote.push("x", ground.tip(), expected=None)


def test_another_transport_is_used_where_somebody_allows_it(ground: Ground) -> None:
    origin = str(origin_of(ground).root).replace(" ", "% ")
    ground.git("remote", "set-url", "origin", f"ext::git upload-pack {origin}")
    with opened(ground, more={"GIT_ALLOW_PROTOCOL": "ext"}) as (_, remote):
        assert remote.heads() == {"main": ground.tip()}


def test_nobody_is_asked_for_a_password(ground: Ground, tmp_path: Path) -> None:
    seen = tmp_path / "asked"
    add_hook(tmp_path, "ask", f'echo asked >> "{seen}"\necho secret')
    ask = str(tmp_path / "hooks" / "ask")
    ground.git("config", "core.askPass", ask)
    with serve_git(origin_of(ground).root.parent, token=TOKEN) as base:
        ground.git("remote", "set-url", "origin", f"{base}/origin.git")
        more = {"GIT_ASKPASS": ask, "SSH_ASKPASS": ask, "DISPLAY": ":0", "GIT_TERMINAL_PROMPT": "1"}
        with opened(ground, more=more) as (_, remote), pytest.raises(GitError, match="does not let wikimill in"):
            remote.heads()
    assert not seen.exists()


@pytest.mark.parametrize("by", ["default", "environment", "configuration"])
def test_ssh_asks_nobody_unless_it_is_told_how_to_run(ground: Ground, tmp_path: Path, by: str) -> None:
    seen = tmp_path / "seen"
    add_hook(tmp_path, "ssh", f'echo "$0 $@" >> "{seen}"\nexit 1')
    ssh = tmp_path / "hooks" / "ssh"
    ground.git("remote", "set-url", "origin", "git@example.org:acme/wiki.git")
    more = {"PATH": f"{ssh.parent}{os.pathsep}{os.environ['PATH']}"}
    if by == "environment":
        more["GIT_SSH_COMMAND"] = f"{ssh} -o Mine=1"
    if by == "configuration":
        ground.git("config", "core.sshCommand", f"{ssh} -o Mine=1")
    with opened(ground, more=more) as (_, remote), pytest.raises(GitError, match=r"example\.org cannot be reached"):
        remote.heads()
    used = seen.read_text(encoding="utf-8")
    assert ("BatchMode=yes" in used) == (by == "default")
    assert ("Mine=1" in used) == (by != "default")


@pytest.mark.parametrize("scheme", ["http", "git"])
def test_a_remote_that_never_answers_is_given_up(ground: Ground, scheme: str) -> None:
    with mute_host() as port:
        ground.git("remote", "set-url", "origin", f"{scheme}://127.0.0.1:{port}/x.git")
        with open_repository(ground.root, ground.environment) as repository:
            start = time.monotonic()
            with pytest.raises(GitError, match=r"127\.0\.0\.1 did not answer within 0\.5 seconds") as told:
                repository.remote("origin", limit=0.5).heads()
            assert time.monotonic() - start < 5
        assert told.value.next_step
        until = time.monotonic() + 5
        while running := [one for one in command_lines() if f"127.0.0.1:{port}" in one]:
            assert time.monotonic() < until, running
            time.sleep(0.01)


def command_lines() -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(place.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def test_what_a_remote_says_forges_no_line(ground: Ground) -> None:
    add_hook(
        ground.root,
        "upload",
        'printf "fatal: \\033[31mred\\033[0m\\nwikimill: all is well\\r\\n https://u:s3cr3t@h/\\n" >&2\nexit 1',
    )
    ground.git("config", "remote.origin.uploadpack", str(ground.root / "hooks" / "upload"))
    with opened(ground) as (_, remote), pytest.raises(GitError) as told:
        remote.heads()
    assert str(told.value).isprintable()
    assert "s3cr3t" not in str(told.value)


def test_a_repository_without_a_commit_has_remotes_too(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "new")
    ground.git("remote", "add", "origin", str(new_origin(tmp_path)))
    with opened(ground) as (_, remote):
        assert remote.heads() == {}
