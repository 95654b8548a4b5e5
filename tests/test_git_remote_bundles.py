from __future__ import annotations

import hashlib
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import GitError, StoreError
from pipeline.git import open_repository
from pipeline.git.bundles import HANDED
from tests.git_server import new_clone, origin_of
from tests.repositories import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.git import Repository


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_clone(tmp_path)


@pytest.fixture
def other(ground: Ground, tmp_path: Path) -> Ground:
    """Give a second clone, in which the commits are to arrive."""
    ground.git("clone", "-q", str(origin_of(ground).root), str(tmp_path / "other"))
    return Ground(tmp_path / "other", ground.environment)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "handed over" / "commits.bundle"


@contextmanager
def opened(ground: Ground) -> Iterator[Repository]:
    with open_repository(ground.root, ground.environment) as repository:
        yield repository


def handed_over(ground: Ground, place: Path, **files: str) -> str:
    base = ground.tip()
    head = ground.commit("session", **(files or {"wiki/a.md": "a\n"}))
    with opened(ground) as repository:
        repository.write_bundle(place, base=base, head=head)
    return head


def refusal(ground: Ground, place: Path, *, limit: int = 10_000_000) -> str:
    refs = ground.git("for-each-ref")
    with opened(ground) as repository, pytest.raises(GitError) as told:
        repository.read_bundle(place, limit=limit)
    assert ground.git("for-each-ref") == refs
    assert str(told.value).isprintable()
    return str(told.value)


def test_commits_arrive_in_another_clone(ground: Ground, other: Ground, place: Path) -> None:
    base = ground.tip()
    ground.commit("one", **{"wiki/ü b.md": "one\n"})
    head = ground.commit("two", **{"wiki/c.md": "two\n"})
    with opened(ground) as repository:
        repository.write_bundle(place, base=base, head=head)
    assert "wikimill" not in ground.git("for-each-ref")
    before = other.tip()
    for _ in range(2):
        with opened(other) as repository:
            assert repository.read_bundle(place) == head
            assert [one.message for one in repository.commits_between(base, head)] == ["one\n", "two\n"]
    assert other.tip(HANDED) == head
    assert (other.tip(), other.status()) == (before, [])
    assert other.files(head) == {"ü b.md": b"one\n", "c.md": b"two\n"}
    assert other.is_sound()


def test_a_merge_arrives_too(ground: Ground, other: Ground, place: Path) -> None:
    base = ground.tip()
    ground.git("switch", "-q", "-c", "side")
    ground.commit("side", a="a")
    ground.git("switch", "-q", "main")
    ground.commit("main", b="b")
    ground.git("merge", "-q", "-m", "merge", "side")
    with opened(ground) as repository:
        repository.write_bundle(place, base=base, head="main")
    with opened(other) as repository:
        assert repository.read_bundle(place) == ground.tip()
    assert other.is_sound()


def test_a_shallow_clone_reads_one_as_well(ground: Ground, place: Path, tmp_path: Path) -> None:
    ground.commit("more")
    ground.git("push", "-q", "origin", "main")
    ground.git("clone", "-q", "--depth=1", origin_of(ground).root.as_uri(), str(tmp_path / "shallow"))
    head = handed_over(ground, place)
    with opened(Ground(tmp_path / "shallow", ground.environment)) as repository:
        assert repository.read_bundle(place) == head


def test_nothing_is_handed_over_where_nothing_was_made(ground: Ground, place: Path) -> None:
    tip = ground.tip()
    with opened(ground) as repository:
        with pytest.raises(GitError, match="nothing to hand over"):
            repository.write_bundle(place, base=tip, head="main")
        alone = ground.git("commit-tree", "HEAD^{tree}", "-m", "alone").strip()
        with pytest.raises(GitError, match="does not go on from"):
            repository.write_bundle(place, base=tip, head=alone)
        with pytest.raises(GitError, match="there is no commit"):
            repository.write_bundle(place, base="--all", head=tip)
    assert not place.exists()
    assert "wikimill" not in ground.git("for-each-ref")


def test_what_it_was_made_for_must_be_there(ground: Ground, other: Ground, place: Path) -> None:
    base = ground.commit("not pushed")
    handed_over(ground, place)
    said = refusal(other, place)
    assert f"needs the commit {base[:12]}, which is not here" in said
    assert "Fetch the branch" in said


def test_a_file_that_is_none_is_told(other: Ground, place: Path, tmp_path: Path) -> None:
    assert "it is no file" in refusal(other, place)
    assert "it is no file" in refusal(other, tmp_path)
    place.parent.mkdir()
    (tmp_path / "real").write_bytes(b"# v2 git bundle\n")
    place.symlink_to(tmp_path / "real")
    assert "it is no file" in refusal(other, place)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"gitdir: /etc\n",
        b"# v2 git bundle\n",
        b"# v9 git bundle\n\n",
        b"\0" * 100,
        b"# v2 git bundle\n" + b"-" + b"1" * 70_000,
    ],
)
def test_what_is_no_bundle_is_refused(other: Ground, place: Path, raw: bytes) -> None:
    place.parent.mkdir()
    place.write_bytes(raw)
    assert "it is no bundle of git" in refusal(other, place)


def test_a_file_that_is_too_large_is_refused(ground: Ground, other: Ground, place: Path) -> None:
    handed_over(ground, place)
    size = place.stat().st_size
    assert f"it has more than {size - 1} bytes" in refusal(other, place, limit=size - 1)
    with opened(other) as repository:
        assert repository.read_bundle(place, limit=size)


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(ground: Ground, other: Ground, place: Path) -> None:
    handed_over(ground, place, **{"wiki/a.md": "a" * 3_000_000})
    assert place.stat().st_size < 50_000
    assert "unpacks to more than 1000000 bytes" in refusal(other, place, limit=1_000_000)


def test_other_references_are_refused(ground: Ground, other: Ground, place: Path) -> None:
    base = ground.tip()
    place.parent.mkdir()
    ground.commit("more")
    ground.git("update-ref", HANDED, "HEAD")
    for names in (["main"], [HANDED, "main"], ["HEAD"]):
        ground.git("bundle", "create", "-q", str(place), *names, f"^{base}")
        assert f"holds something else than {HANDED}" in refusal(other, place)
    if "v3" in ground.git("bundle", "create", "-h", fails=True) + "v3":
        ground.git("bundle", "create", "-q", "--version=3", str(place), HANDED, f"^{base}")
        with opened(other) as repository:
            assert repository.read_bundle(place) == ground.tip()


def test_a_cut_or_changed_file_is_refused(ground: Ground, other: Ground, place: Path) -> None:
    handed_over(ground, place)
    raw = place.read_bytes()
    for spoilt in (raw[:-5], raw[:-30] + b"x" * 30, raw[: raw.index(b"PACK")], raw.replace(b"PACK", b"KCAP")):
        place.write_bytes(spoilt)
        assert "is not taken" in refusal(other, place)


def test_a_commit_that_is_not_in_it_is_refused(ground: Ground, other: Ground, place: Path) -> None:
    head = handed_over(ground, place)
    place.write_bytes(place.read_bytes().replace(head.encode(), b"1" * 40))
    assert "not complete" in refusal(other, place)


def test_a_bundle_without_what_it_needs_is_refused(ground: Ground, other: Ground, place: Path) -> None:
    """Leave one file's object out of the pack."""
    base = ground.tip()
    head = ground.commit("session", **{"wiki/a.md": "a\n"})
    kept = [head, ground.git("rev-parse", "HEAD^{tree}").strip(), ground.git("rev-parse", "HEAD:wiki").strip()]
    write(place, base, head, [(kind_of(ground, name), raw_of(ground, name)) for name in kept])
    assert "is not taken" in refusal(other, place)


@pytest.mark.parametrize("name", [b".git", b"..", b"a/b"])
def test_malformed_objects_are_refused(ground: Ground, other: Ground, place: Path, name: bytes) -> None:
    base = ground.tip()
    blob = b"x"
    blob_id = hashlib.sha1(b"blob 1\0x").digest()
    tree = b"100644 " + name + b"\0" + blob_id
    tree_id = hashlib.sha1(b"tree %d\0" % len(tree) + tree).hexdigest()
    commit = f"tree {tree_id}\nparent {base}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\n\nm\n".encode()
    head = hashlib.sha1(b"commit %d\0" % len(commit) + commit).hexdigest()
    write(place, base, head, [(1, commit), (2, tree), (3, blob)])
    assert "is not taken" in refusal(other, place)


def test_a_place_that_cannot_be_written_is_told(ground: Ground, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    base = ground.tip()
    head = ground.commit("session")
    with opened(ground) as repository, pytest.raises((StoreError, GitError)):
        repository.write_bundle(tmp_path / "file" / "x.bundle", base=base, head=head)
    assert "wikimill" not in ground.git("for-each-ref")


# A bundle made by hand

KINDS = {"commit": 1, "tree": 2, "blob": 3}


def kind_of(ground: Ground, name: str) -> int:
    return KINDS[ground.git("cat-file", "-t", name).strip()]


def raw_of(ground: Ground, name: str) -> bytes:
    kind = ground.git("cat-file", "-t", name).strip()
    return ground.git("cat-file", kind, name).encode("utf-8", "surrogateescape")


def write(place: Path, base: str, head: str, objects: list[tuple[int, bytes]]) -> None:
    pack = b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big")
    for kind, raw in objects:
        size, rest = len(raw) & 15, len(raw) >> 4
        head_byte = [(128 if rest else 0) | kind << 4 | size]
        while rest:
            head_byte.append((128 if rest >> 7 else 0) | rest & 127)
            rest >>= 7
        pack += bytes(head_byte) + zlib.compress(raw)
    place.parent.mkdir(parents=True, exist_ok=True)
    header = f"# v2 git bundle\n-{base} m\n{head} {HANDED}\n\n".encode()
    place.write_bytes(header + pack + hashlib.sha1(pack).digest())
