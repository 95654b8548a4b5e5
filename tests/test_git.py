from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.errors import BranchMoved, GitError, WikimillError
from pipeline.git import Consolidation, Content, NewCommit, Repository, open_repository, render_message
from pipeline.git.message import SUBJECT_LIMIT, quiet
from pipeline.observations.observation import SessionKey
from tests.repositories import AT, Ground, empty_ground, new_ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSE = Path(__file__).resolve().parents[1]


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_ground(tmp_path / "a repository, with spaces")


@pytest.fixture
def repository(ground: Ground) -> Iterator[Repository]:
    with open_repository(ground.root, ground.environment) as opened:
        yield opened


def build(repository: Repository, changes: dict[str, str | None], message: str = "m", *, branch: str = "main") -> str:
    contents = {path: None if text is None else Content(text.encode()) for path, text in changes.items()}
    return repository.build(repository.tip(branch), contents, message=message, at=AT)


def complaint(folder: Path, environment: dict[str, str]) -> str:
    with pytest.raises(GitError) as told:
        open_repository(folder, environment)
    return str(told.value)


# Opening


def test_a_repository_is_found_from_a_folder_below_it(ground: Ground) -> None:
    ground.write("docs/deep/x", "x")
    with open_repository(ground.root / "docs" / "deep", ground.environment) as opened:
        assert opened.places.top.resolve() == ground.root.resolve()
        assert opened.places.prefix == "docs/deep/"
        assert not opened.places.shallow
        assert opened.places.common_dir == (ground.root / ".git").resolve()


def test_a_folder_without_a_repository_is_told_and_no_git_offered(tmp_path: Path) -> None:
    said = complaint(tmp_path, quiet_environment(tmp_path / "home"))
    assert "is not in a git repository" in said
    assert "--no-git" in said


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    assert "not in a git repository" in complaint(tmp_path / "none", quiet_environment(tmp_path / "home"))


def test_a_repository_of_another_user_names_the_mend(ground: Ground) -> None:
    said = complaint(ground.root, {**ground.environment, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert "another user" in said
    assert f"git config --global --add safe.directory {ground.root}" in said.replace("'", "")


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "bare", "--bare")
    assert "without a work tree" in complaint(ground.root, ground.environment)


def test_the_git_folder_itself_is_refused(ground: Ground) -> None:
    assert "without a work tree" in complaint(ground.root / ".git", ground.environment)


def test_without_git_on_the_path_the_error_says_so(ground: Ground) -> None:
    said = complaint(ground.root, {**ground.environment, "PATH": str(ground.root)})
    assert "git is not installed" in said
    assert "--no-git" in said


def test_without_git_the_library_is_not_blamed(ground: Ground) -> None:
    code = (
        "from pathlib import Path\nfrom pipeline.errors import GitError\nfrom pipeline.git import open_repository\n"
        "try:\n    open_repository(Path('.'))\nexcept GitError as fault:\n    print(fault)\n"
    )
    environment = {**ground.environment, "PATH": str(ground.root), "PYTHONPATH": str(HOUSE)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ground.root, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("git is not installed"), done.stderr


def test_what_a_hook_says_about_the_place_is_not_believed(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_ground(tmp_path / "other")
    for name, value in {
        "GIT_DIR": other.root / ".git",
        "GIT_INDEX_FILE": other.root / ".git" / "index",
        "GIT_WORK_TREE": other.root,
        "GIT_PREFIX": "x/",
    }.items():
        monkeypatch.setenv(name, str(value))
    for environment in (None, dict(os.environ)):
        with open_repository(ground.root, environment) as opened:
            assert opened.places.top.resolve() == ground.root.resolve()
            assert opened.tip("main") == ground.tip()
            assert opened.changed_under(".") == ()


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell which file may be executed")
def test_a_hook_that_refuses_is_told_with_what_to_do(ground: Ground, repository: Repository) -> None:
    tip = ground.tip()
    hook = ground.root / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(b"#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(GitError, match=r"a hook of the repository.*take it out of the hooks' folder"):
        repository.move("main", build(repository, {"page.md": "x"}), tip, reason="test")
    hook.unlink()
    assert ground.tip() == tip


# What stands


def test_head_and_branch(ground: Ground, repository: Repository) -> None:
    head = repository.head()
    assert (head.branch, head.commit) == ("main", ground.tip())
    assert repository.branch() == "main"
    assert repository.tip("main") == ground.tip()
    assert repository.tip("none") is None


def test_a_detached_head_is_told_with_what_to_do(ground: Ground, repository: Repository) -> None:
    ground.git("checkout", "-q", "--detach")
    with pytest.raises(GitError, match=r"detached HEAD.*git switch NAME.*wiki\.branch"):
        repository.branch()


def test_before_the_first_commit_there_is_a_branch_and_no_commit(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "new")
    with open_repository(ground.root, ground.environment) as repository:
        assert (repository.head().branch, repository.head().commit) == ("main", None)
        looked_up = repository.look_up("main")
        assert (looked_up.tip, looked_up.checked_out) == (None, True)
        assert dict(repository.snapshot(None, "wiki")) == {}


def test_a_branch_knows_its_work_tree(ground: Ground, repository: Repository, tmp_path: Path) -> None:
    ground.git("worktree", "add", "-q", "-b", "wiki/überblick", str(tmp_path / "linked tree"))
    here, there = repository.look_up("main"), repository.look_up("wiki/überblick")
    assert (here.tip, here.checked_out, here.elsewhere) == (ground.tip(), True, "")
    assert (there.tip, there.checked_out) == (ground.tip(), False)
    assert there.elsewhere.endswith("linked tree")
    assert repository.look_up("wiki").tip is None
    with open_repository(tmp_path / "linked tree", ground.environment) as linked:
        assert linked.look_up("wiki/überblick").checked_out
        assert linked.look_up("main").elsewhere.endswith("with spaces")
        assert linked.places.common_dir == repository.places.common_dir
        assert linked.places.git_dir != repository.places.git_dir


@pytest.mark.parametrize(
    ("given_name", "name"), [("main", "main"), ("refs/heads/wiki/x", "wiki/x"), ("ветка/日本", "ветка/日本")]
)
def test_a_branch_may_be_called_so(repository: Repository, given_name: str, name: str) -> None:
    assert repository.check_name(given_name) == name


@pytest.mark.parametrize(
    "name", ["-x", "@", "HEAD", "a..b", "a b", "@{-1}", "x.lock", "a~1", "a:b", "refs/heads/", "/a"]
)
def test_a_branch_must_not_be_called_so(repository: Repository, name: str) -> None:
    with pytest.raises(GitError, match="cannot be the name of a branch"):
        repository.check_name(name)


def test_uncommitted_work_is_seen_in_every_form(ground: Ground, repository: Repository) -> None:
    ground.write(".gitignore", "*.tmp\n")
    for name in ("edited", "staged", "deleted", "removed", "same"):
        ground.write(f"wiki/{name}.md", name)
    ground.commit()
    ground.write("wiki/edited.md", "other")
    ground.write("wiki/staged.md", "other")
    ground.git("add", "wiki/staged.md")
    (ground.root / "wiki/deleted.md").unlink()
    ground.git("rm", "-q", "wiki/removed.md")
    ground.write("wiki/new über.md", "new")
    ground.write("wiki/ignored.tmp", "x")
    ground.write("outside.md", "x")
    ground.write("wiki2/x.md", "x")
    assert repository.changed_under("wiki") == (
        "wiki/deleted.md",
        "wiki/edited.md",
        "wiki/new über.md",
        "wiki/removed.md",
        "wiki/staged.md",
    )


def test_what_is_half_done_is_named(ground: Ground, repository: Repository) -> None:
    assert repository.under_way() == ""
    ground.git("switch", "-q", "-c", "side")
    ground.commit(**{"code.py": "side"})
    ground.git("switch", "-q", "main")
    ground.commit(**{"code.py": "main"})
    ground.git("merge", "-q", "side", fails=True)
    assert repository.under_way() == "merge"


def test_the_address_of_a_remote(ground: Ground, repository: Repository) -> None:
    assert repository.remote_url() == ""
    ground.git("remote", "add", "origin", "https://example.org/a.git")
    assert repository.remote_url() == "https://example.org/a.git"
    assert repository.remote_url("none") == ""


# Snapshots


def test_a_snapshot_gives_the_bytes_of_plain_files(ground: Ground, repository: Repository) -> None:
    files = {"a.md": b"a\r\nb\n", "ü/日本 x.md": "ü".encode(), "empty": b"", "nul": b"\0\n\0", "no newline": b"x"}
    for path, raw in files.items():
        ground.write(f"wiki/{path}", raw)
    (ground.root / "wiki/link.md").symlink_to("a.md")
    ground.commit(**{"wiki-other.md": "x"})
    snapshot = repository.snapshot(ground.tip(), "wiki")
    assert dict(snapshot.items()) == files
    assert {path: snapshot[path] for path in snapshot} == files
    assert len(snapshot) == len(files)
    assert "link.md" in snapshot.entries
    assert "link.md" not in snapshot
    with pytest.raises(KeyError):
        snapshot["none"]


def test_a_snapshot_reads_thousands_of_files_and_large_ones(ground: Ground, repository: Repository) -> None:
    files = {f"wiki/{number:04}.md": f"page {number}\n" * (number % 7) for number in range(500)}
    files["wiki/large.bin"] = "0123456789" * 300_000
    commit = build(repository, dict(files))
    snapshot = repository.snapshot(commit, "wiki")
    assert {f"wiki/{path}": raw.decode() for path, raw in snapshot.items()} == files


def test_a_folder_that_is_no_folder_in_the_branch_is_told(ground: Ground, repository: Repository) -> None:
    (ground.root / "wiki").symlink_to("elsewhere")
    ground.commit()
    with pytest.raises(GitError, match="wiki is no folder in the branch"):
        repository.snapshot(ground.tip(), "wiki")


def test_sizes_are_told_before_anything_is_read(ground: Ground, repository: Repository) -> None:
    texts = ["", "x", "é\n" * 70_000]
    ground.commit(**{f"pages/{number}.md": text for number, text in enumerate(texts)})
    entries = repository.snapshot(ground.tip(), "pages").entries
    ids = [entries[f"{number}.md"].id for number in (2, 0, 1, 2)]
    assert repository.sizes(ids) == [210_000, 0, 1, 210_000]
    assert repository.sizes([]) == []
    with pytest.raises(GitError, match="missing from the repository"):
        repository.sizes([*ids, "1" * len(ids[0])])


def test_a_lost_object_is_told(ground: Ground, repository: Repository) -> None:
    ground.commit(**{"wiki/a.md": "some text"})
    lost = ground.git("rev-parse", "HEAD:wiki/a.md").strip()
    (ground.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    snapshot = repository.snapshot(ground.tip(), "wiki")
    with pytest.raises(GitError, match=f"{lost} is missing"):
        snapshot["a.md"]


# Commits


def test_a_commit_is_built_without_touching_anything(ground: Ground, repository: Repository) -> None:
    ground.write("staged.py", "x")
    ground.git("add", "staged.py")
    ground.write("code.py", "print(2)\n")
    before, tip, index = ground.status(), ground.tip(), ground.read(".git/index")
    commit = build(repository, {"wiki/ü/a b.md": "page\n", "code.py": None}, "subject\n\nSession: s\n")
    assert (ground.status(), ground.tip(), ground.read(".git/index")) == (before, tip, index)
    assert ground.git("for-each-ref").count("\n") == 1
    assert ground.files(commit) == {"ü/a b.md": b"page\n"}
    assert ground.git("ls-tree", "--name-only", commit).split() == ["wiki"]
    form = "%an <%ae> %aI|%cn <%ce> %cI|%P|%B"
    assert ground.git("show", "-s", f"--format={form}", commit).strip().split("|") == [
        "Dana <dana@example.org> 2026-11-30T08:00:00+00:00",
        "Dana <dana@example.org> 2026-11-30T08:00:00+00:00",
        tip,
        "subject\n\nSession: s",
    ]
    assert ground.is_sound()


@pytest.mark.parametrize(
    "name",
    [
        '"quoted".md',
        "back\\slash.md",
        "-dash.md",
        "line\nbreak.md",
        "tab\t.md",
        " space .md",
        "é.md",
        "日本.md",
        ":(top).md",
    ],
)
def test_a_path_arrives_byte_for_byte(ground: Ground, repository: Repository, name: str) -> None:
    commit = build(repository, {f"wiki/{name}": "x"})
    assert ground.git("ls-tree", "-r", "-z", "--name-only", commit, "--", "wiki/") == f"wiki/{name}\0"
    assert dict(repository.snapshot(commit, "wiki")) == {name: b"x"}


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=300), message=st.text(max_size=100))
def test_bytes_and_message_arrive_whatever_they_are(
    ground: Ground, repository: Repository, raw: bytes, message: str
) -> None:
    told = message.replace("\0", "") or "m"
    commit = repository.build(ground.tip(), {"wiki/x": Content(raw)}, message=told, at=AT)
    assert repository.snapshot(commit, "wiki")["x"] == raw
    assert repository.blob_id(raw) == ground.git("rev-parse", f"{commit}:wiki/x").strip()


def test_a_mode_stays(ground: Ground, repository: Repository) -> None:
    commit = repository.build(ground.tip(), {"wiki/x": Content(b"x", "100755")}, message="m", at=AT)
    assert ground.git("ls-tree", commit, "--", "wiki/x").startswith("100755 blob")


def test_a_chain_is_the_commits_of_building_one_by_one(ground: Ground, repository: Repository) -> None:
    chain = [
        NewCommit({"wiki/a.md": Content(b"a"), "wiki/b.md": Content(b"get-mark :1\ndone\n")}, "one"),
        NewCommit({"wiki/a.md": None}, "two\n\nfrom nowhere\n"),
        NewCommit({}, "three"),
        NewCommit({"wiki/a.md/deeper.md": Content(b"a")}, "four"),
    ]
    commits = repository.build_chain(ground.tip(), chain, at=AT)
    alone: list[str] = []
    for one in chain:
        parent = alone[-1] if alone else ground.tip()
        alone.append(repository.build(parent, one.changes, message=one.message, at=AT))
    assert list(commits) == alone
    assert dict(repository.snapshot(commits[-1], "wiki")) == {"a.md/deeper.md": b"a", "b.md": b"get-mark :1\ndone\n"}
    assert "wikimill" not in ground.git("for-each-ref")
    assert ground.is_sound()


def test_a_chain_that_cannot_be_made_leaves_the_branch(ground: Ground, repository: Repository) -> None:
    before = ground.tip()
    with pytest.raises(GitError, match="The branch is as it was"):
        repository.build_chain("1" * 40, [NewCommit({}, "one"), NewCommit({}, "two")], at=AT)
    assert ground.tip() == before


def test_the_first_commit_has_no_parent(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "new")
    with open_repository(ground.root, ground.environment) as repository:
        commit = build(repository, {"wiki/a.md": "a"})
        repository.move("main", commit, None, reason="first")
        assert ground.git("rev-list", "main").split() == [commit]


def test_without_a_configured_person_wikimill_signs(tmp_path: Path) -> None:
    ground = new_ground(tmp_path / "anonymous")
    ground.git("config", "--unset", "user.email")
    with open_repository(ground.root, ground.environment) as repository:
        commit = build(repository, {"x": "x"})
    assert (
        ground.git("show", "-s", "--format=%an %ae %cn %ce", commit).split() == ["wikimill", "wikimill@localhost"] * 2
    )


def test_the_environment_names_people_before_the_configuration(ground: Ground) -> None:
    named = {"GIT_AUTHOR_NAME": "Ci\n", "GIT_AUTHOR_EMAIL": "ci@example.org", "GIT_COMMITTER_NAME": "Bot"}
    with open_repository(ground.root, {**ground.environment, **named}) as repository:
        commit = build(repository, {"x": "x"})
    said = ground.git("show", "-s", "--format=%an %ae %cn %ce", commit).split()
    assert said == ["Ci", "ci@example.org", "Bot", "dana@example.org"]


def test_author_and_committer_may_differ_and_cannot_break_the_commit(tmp_path: Path) -> None:
    ground = new_ground(tmp_path / "two")
    ground.git("config", "author.name", "A <evil> \n B")
    ground.git("config", "committer.email", "bot@example.org")
    with open_repository(ground.root, ground.environment) as repository:
        commit = build(repository, {"x": "x"})
    assert ground.git("show", "-s", "--format=%an|%ae|%cn|%ce", commit).strip() == (
        "A  evil    B|dana@example.org|Dana|bot@example.org"
    )
    assert ground.is_sound()


def test_a_moment_in_another_zone_is_told_in_utc(ground: Ground, repository: Repository) -> None:
    at = datetime.fromisoformat("2026-11-30T09:30:00+05:30")
    commit = repository.build(ground.tip(), {"x": Content(b"x")}, message="m", at=at)
    assert ground.git("show", "-s", "--format=%cI", commit).strip() == "2026-11-30T04:00:00+00:00"


# Branches move by compare-and-swap


def test_a_branch_moves_only_from_where_it_was(ground: Ground, repository: Repository) -> None:
    old = ground.tip()
    ours = build(repository, {"wiki/a.md": "ours"})
    theirs = ground.commit("a person was faster")
    with pytest.raises(BranchMoved, match="nothing was overwritten"):
        repository.move("main", ours, old, reason="ours")
    assert ground.tip("main") == theirs


def test_a_branch_that_somebody_made_meanwhile_is_not_overwritten(ground: Ground, repository: Repository) -> None:
    ours = build(repository, {"wiki/a.md": "ours"})
    ground.git("branch", "wiki/pages")
    with pytest.raises(BranchMoved):
        repository.move("wiki/pages", ours, None, reason="ours")
    assert ground.tip("wiki/pages") == ground.tip("main")


def test_a_branch_is_made_and_its_log_names_the_reason(ground: Ground, repository: Repository) -> None:
    ours = build(repository, {"wiki/a.md": "ours"})
    repository.move("wiki/日本", ours, None, reason="consolidate(a/b): because")
    assert ground.tip("wiki/日本") == ours
    assert "consolidate(a/b): because" in ground.git("reflog", "show", "wiki/日本")


def test_a_name_that_stands_in_the_way_is_told(ground: Ground, repository: Repository) -> None:
    ours = build(repository, {"wiki/a.md": "ours"})
    ground.git("branch", "wiki")
    with pytest.raises(GitError, match="'refs/heads/wiki' exists"):
        repository.move("wiki/pages", ours, None, reason="ours")


def test_a_lock_that_was_left_behind_on_the_branch_is_named(ground: Ground, repository: Repository) -> None:
    ours = build(repository, {"wiki/a.md": "ours"})
    ground.write(".git/refs/heads/main.lock", "")
    with pytest.raises(GitError, match=r"main\.lock: another git command"):
        repository.move("main", ours, ground.tip(), reason="ours")


def test_objects_that_cannot_be_written_are_an_error(ground: Ground, repository: Repository) -> None:
    objects = ground.root / ".git" / "objects"
    objects.rename(ground.root / ".git" / "kept")
    objects.write_bytes(b"")
    with pytest.raises(WikimillError):
        build(repository, {"wiki/a.md": "ours"})


# The kinds of repositories


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)], ids=["sha1", "sha256"])
def test_both_kinds_of_object_names(tmp_path: Path, options: tuple[str, ...]) -> None:
    ground = new_ground(tmp_path / "kind", *options)
    with open_repository(ground.root, ground.environment) as repository:
        commit = build(repository, {"wiki/a.md": "a"})
        repository.move("main", commit, ground.tip(), reason="m")
        assert repository.blob_id(b"a") == ground.git("rev-parse", "HEAD:wiki/a.md").strip()
        assert len(commit) == len(repository.places.zero)
    assert ground.is_sound()


def test_a_shallow_clone(ground: Ground, tmp_path: Path) -> None:
    ground.commit("second", **{"wiki/a.md": "a"})
    ground.git("clone", "-q", "--depth=1", ground.root.as_uri(), str(tmp_path / "shallow"))
    clone = Ground(tmp_path / "shallow", ground.environment)
    with open_repository(clone.root, clone.environment) as repository:
        assert repository.places.shallow
        commit = build(repository, {"wiki/b.md": "b"})
        repository.move("main", commit, clone.tip(), reason="m")
        assert dict(repository.snapshot(commit, "wiki")) == {"a.md": b"a", "b.md": b"b"}
    assert clone.is_sound()


# History


def test_the_history_of_a_page_tells_sessions_and_people(ground: Ground, repository: Repository) -> None:
    told = Consolidation(SessionKey("default", "acme", "s-1"), "cookies", 3, 2, "extractive", "4f2a9c1e5566", 120)
    commit = build(repository, {"wiki/a.md": "one"}, render_message(told))
    repository.move("main", commit, ground.tip(), reason="m")
    ground.git("reset", "-q", "--hard")
    ground.commit("fix a typo", **{"wiki/a.md": "two"})
    ground.commit("something else", **{"wiki/b.md": "x"})
    person, pipeline = repository.history("wiki/a.md")
    assert (person.subject, person.session, person.author, person.model) == ("fix a typo", "", "Dana", "")
    assert (pipeline.commit, pipeline.at, pipeline.subject) == (commit, AT, "consolidate(acme/s-1): cookies")
    assert (pipeline.session, pipeline.observations, pipeline.model) == ("acme/s-1", "3", "extractive")
    assert repository.history("wiki/none.md") == ()
    assert repository.history("wiki/a.md", branch="none") == ()


# Messages


def message(rationale: str, *, session: str = "s-1", project: str = "acme", model: str = "extractive") -> str:
    return render_message(
        Consolidation(SessionKey("default", project, session), rationale, 3, 2, model, "4f2a9c1e5566", 120)
    )


def test_a_message_has_a_subject_and_trailers() -> None:
    assert message("Cookies replace tokens.") == (
        "consolidate(acme/s-1): Cookies replace tokens.\n\n"
        "Session: acme/s-1\nObservations: 3\nPages: 2\nModel: extractive\nPrompt: 4f2a9c1e5566\nTokens: 120\n"
    )


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("two\nlines\r\nand\ttabs", "two lines and tabs"),
        ("end\n\nSession: forged", "end Session: forged"),
        ("a\u2028b\x00c\x1b[31md\u202ee", "a b c (31md e"),
        ("[skip ci] done", "(skip ci) done"),
        ("***NO_CI***", "*NO_CI*"),
        ("fixes #12 and closes GH-3, !4", "fixes no. 12 and closes GH 3, ! 4"),
        ("closes https://github.com/a/b/issues/1", "closes github.com/a/b/issues/1"),
        ("@dana said so, mail dana@example.org", "dana said so, mail dana@example.org"),
        ("fixes #@1, !@1, GH-@2", "fixes no. 1, ! 1, GH 2"),
        ("see @@dana, -@dana, .@dana and +@dana", "see dana, -dana, .dana and +dana"),
        ("to a@@dana, é@dana and _@dana", "to a@dana, é@ dana and _@ dana"),
        ("closes hthttps://tps://github.com/a/b/issues/1", "closes hthttps: //tps://github.com/a/b/issues/1"),
        ("HTTP://https://github.com/a", "github.com/a"),
        ("fixes acme/wiki#12 and gl-7, rough-1", "fixes acme/wiki no. 12 and gl 7, rough-1"),
        ("[@skip ci] **https://*NO_CI***", "(skip ci) *NO_CI*"),
        ("--force", "force"),
        ("  ", ""),
        ("日本語の説明 é 👩‍💻", "日本語の説明 é 👩‍💻"),
        ("f(a, b) at 50 % #tag", "f(a, b) at 50 % #tag"),
    ],
)
def test_a_text_becomes_quiet(text: str, seen: str) -> None:
    assert quiet(text) == seen


COMMANDS = re.compile(
    r"""(?:^|[^A-Za-z0-9])@+[\w.] | [#!]\d | (?<![A-Za-z0-9_])g[hl]-\d | https?:// | [\[\]] | \*\*
        | (?:fix|close|resolve)[esd]*:?\s+(?:[\w/-]*\#\d|gh-\d|https?:)""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
PIECES = st.sampled_from(
    [
        *("@", "#", "!", "-", ".", "+", "1", "dana", "GH-", "gl-", "http", "https://", "s://", "://", ":", "//", "/"),
        *("[", "]", "skip ci", "*", "**", "NO_CI", "fixes ", "closes: ", "acme/wiki", "é", "_", " ", "\n", "\u200d"),
        *("\u200b", "\0", "\u2028", "\ud800", "\u0661"),
    ]
)


@given(st.text() | st.lists(PIECES, max_size=25).map("".join))
def test_no_text_becomes_a_command_of_a_host(text: str) -> None:
    seen = quiet(text)
    assert COMMANDS.search(seen) is None
    assert quiet(seen) == seen
    told = message(text, session=text or "s", project=text or "p", model=text)
    assert COMMANDS.search(told) is None
    key = SessionKey("default", "acme", "s")
    remarked = render_message(Consolidation(key, "x", 1, 1, "m", "p", 1, remarks=(text, f"[some-rule] x: {text}")))
    assert COMMANDS.search(remarked.replace("- [some-rule] ", "- ")) is None


def test_a_megabyte_becomes_quiet_at_once() -> None:
    for piece in ("@", "@a", "#", "#1", "http", "https://", "ht\ttp://", "*", "GH-", "[", "!", "a@@"):
        started = time.monotonic()
        quiet(piece * (1_000_000 // len(piece)))
        assert time.monotonic() - started < 5


@given(rationale=st.text(), session=st.text(min_size=1), project=st.text(min_size=1), model=st.text())
def test_no_text_can_add_a_line_to_a_message(rationale: str, session: str, project: str, model: str) -> None:
    subject, blank, *trailers = message(rationale, session=session, project=project, model=model).split("\n")
    assert subject.startswith("consolidate(")
    assert len(subject) <= SUBJECT_LIMIT
    assert blank == ""
    assert [line.partition(":")[0] for line in trailers] == [
        "Session",
        "Observations",
        "Pages",
        "Model",
        "Prompt",
        "Tokens",
        "",
    ]
    assert subject.isprintable() or "\u200c" in subject or "\u200d" in subject


def test_git_reads_the_trailers_that_were_meant(ground: Ground) -> None:
    text = message("x\n\nSession: forged\nModel: forged", session="s\nModel: forged", model="m\nTokens: 0")
    read = ground.git("interpret-trailers", "--parse", stdin=text.encode())
    assert read.splitlines() == [
        "Session: acme/s Model: forged",
        "Observations: 3",
        "Pages: 2",
        "Model: m Tokens: 0",
        "Prompt: 4f2a9c1e5566",
        "Tokens: 120",
    ]


def test_a_long_subject_is_cut_between_letters() -> None:
    subject = message("e\u0301" * 200, session="0" * 36).partition("\n")[0]
    assert len(subject) <= SUBJECT_LIMIT
    assert subject.endswith("e\u0301…")
