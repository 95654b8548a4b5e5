from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import Rejected, StoreError, WikimillError
from pipeline.wiki.paths import Names, check_path
from pipeline.wiki.tree import Journal, Step, Tree, digest
from pipeline.wiki.tree.disk import cannot
from pipeline.wiki.tree.journal import parse_journal, render_journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    root = tmp_path / "a wiki"
    root.mkdir()
    return Tree(root, "wiki")


def put(tree: Tree, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        place = tree.home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())


def disk(tree: Tree) -> dict[str, str]:
    return {
        place.relative_to(tree.home).as_posix(): place.read_bytes().decode()
        for place in tree.home.rglob("*")
        if place.is_file()
    }


def stage(tree: Tree, changes: Mapping[str, str | None], note: Mapping[str, str] | None = None) -> Journal:
    raw = {path: None if text is None else text.encode() for path, text in changes.items()}
    return tree.stage(raw, {path: digest(tree.look(path)) for path in changes}, note or {})


def carry_out(tree: Tree, changes: Mapping[str, str | None]) -> tuple[str, ...]:
    journal = stage(tree, changes)
    kept = tree.roll_forward(journal)
    tree.finish(journal)
    return kept


def leftovers(tree: Tree) -> list[str]:
    return sorted(place.name for place in (tree.root / ".wikimill" / "journal").iterdir())


# Reading


def test_the_files_are_listed_and_read(tree: Tree) -> None:
    put(tree, {"b/x.md": "x", "a.md": "a", "日本/é ü.md": "ü", ".ledger/files.jsonl": "{}"})
    files = tree.read()
    assert list(files) == [".ledger/files.jsonl", "a.md", "b/x.md", "日本/é ü.md"]
    assert files["日本/é ü.md"] == "ü".encode()
    assert "b" not in files
    with pytest.raises(KeyError):
        files["none.md"]


def test_what_is_no_plain_file_is_left_out(tree: Tree, tmp_path: Path) -> None:
    put(tree, {"a.md": "a"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret", encoding="utf-8")
    (tree.home / "linked").symlink_to(tmp_path / "outside")
    (tree.home / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (tree.home / ".git").mkdir()
    (tree.home / ".git" / "x").write_text("x", encoding="utf-8")
    os.mkfifo(tree.home / "pipe.md")
    (tree.home / "undecodable").with_name(os.fsdecode(b"\xff.md")).write_text("x", encoding="utf-8")
    assert dict(tree.read()) == {"a.md": b"a"}


def test_a_wiki_that_does_not_exist_is_empty(tree: Tree) -> None:
    assert dict(tree.read()) == {}


def test_a_file_in_place_of_the_wiki_is_told(tree: Tree) -> None:
    tree.home.write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="a file stands where the wiki's folder should be"):
        tree.read()


def test_what_was_read_is_remembered(tree: Tree) -> None:
    put(tree, {"a.md": "a", "b.md": "b"})
    files = tree.read()
    assert files["a.md"] == b"a"
    assert files.seen == {"a.md": digest(b"a")}


# Changing


def test_a_set_of_changes_is_carried_out(tree: Tree) -> None:
    put(tree, {"acme/old.md": "old", "acme/gone/x.md": "x", "stays.md": "s"})
    changes = {"acme/old.md": "new", "acme/gone/x.md": None, "ü/deep/new.md": "n", "never.md": None}
    assert carry_out(tree, changes) == ()
    assert disk(tree) == {"acme/old.md": "new", "stays.md": "s", "ü/deep/new.md": "n"}
    assert not (tree.home / "acme/gone").exists()
    assert leftovers(tree) == []
    assert tree.pending() == ()


def test_the_last_page_may_go_and_the_wiki_stays(tree: Tree) -> None:
    put(tree, {"a/b/c.md": "x"})
    carry_out(tree, {"a/b/c.md": None})
    assert list(tree.home.iterdir()) == []


def test_staging_changes_nothing(tree: Tree) -> None:
    put(tree, {"a.md": "old"})
    journal = stage(tree, {"a.md": "new", "b/c.md": "n"}, {"new": "abc"})
    assert disk(tree) == {"a.md": "old"}
    assert tree.pending() == (journal,)
    assert tree.interrupted()
    assert journal.note == {"new": "abc"}
    tree.finish(journal)
    assert disk(tree) == {"a.md": "old"}
    assert not tree.interrupted()
    assert leftovers(tree) == []


def test_git_does_not_see_what_is_staged(tree: Tree) -> None:
    stage(tree, {"a.md": "new"})
    assert (tree.root / ".wikimill" / ".gitignore").read_bytes() == b"*\n"


def test_carrying_out_twice_is_carrying_out_once(tree: Tree) -> None:
    put(tree, {"a.md": "old", "b.md": "b"})
    journal = stage(tree, {"a.md": "new", "b.md": None, "c.md": "c"})
    assert tree.roll_forward(journal) == tree.roll_forward(journal) == ()
    assert disk(tree) == {"a.md": "new", "c.md": "c"}


@pytest.mark.parametrize(
    ("theirs", "left"),
    [
        ({"a.md": "theirs"}, ("a.md",)),
        ({"gone.md": "theirs"}, ("gone.md",)),
        ({"new.md": "theirs"}, ("new.md",)),
        ({"a.md": "new", "new.md": "n"}, ()),
    ],
)
def test_what_a_person_saved_meanwhile_stays(tree: Tree, theirs: dict[str, str], left: tuple[str, ...]) -> None:
    put(tree, {"a.md": "old", "gone.md": "g"})
    journal = stage(tree, {"a.md": "new", "gone.md": None, "new.md": "n"})
    put(tree, theirs)
    assert tree.roll_forward(journal) == left
    ours = {"a.md": "new", "new.md": "n"}
    assert disk(tree) == {**ours, **theirs}


def test_what_a_person_deleted_meanwhile_stays_away(tree: Tree) -> None:
    put(tree, {"a.md": "old"})
    journal = stage(tree, {"a.md": "new"})
    (tree.home / "a.md").unlink()
    assert tree.roll_forward(journal) == ("a.md",)
    assert disk(tree) == {}


def test_old_bytes_that_a_person_brought_back_stay(tree: Tree) -> None:
    put(tree, {"a.md": "old"})
    journal = stage(tree, {"a.md": "new"})
    tree.roll_forward(journal)
    put(tree, {"a.md": "old"})
    assert tree.roll_forward(journal) == ("a.md",)
    assert disk(tree) == {"a.md": "old"}


def test_permissions_of_a_page_stay(tree: Tree) -> None:
    put(tree, {"a.md": "old"})
    (tree.home / "a.md").chmod(0o640)
    carry_out(tree, {"a.md": "new"})
    assert stat.S_IMODE((tree.home / "a.md").stat().st_mode) == 0o640


def test_a_wiki_on_another_file_system_is_written_too(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def within_one(source: Path, target: Path) -> None:
        if source.parent != target.parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real(source, target)

    put(tree, {"a.md": "old"})
    monkeypatch.setattr("pipeline.wiki.tree.disk.os.replace", within_one)
    assert carry_out(tree, {"a.md": "new", "b/c.md": "c"}) == ()
    assert disk(tree) == {"a.md": "new", "b/c.md": "c"}


def test_a_journal_of_another_folder_goes_where_it_belongs(tree: Tree) -> None:
    journal = stage(tree, {"a.md": "new"})
    other = Tree(tree.root, "pages")
    assert other.pending() == (journal,)
    assert other.roll_forward(journal) == ()
    assert disk(tree) == {"a.md": "new"}
    assert not other.home.exists()


# Interruptions


def test_what_was_never_a_set_of_changes_is_swept_away(tree: Tree) -> None:
    place = tree.root / ".wikimill" / "journal" / "0123"
    place.mkdir(parents=True)
    (place / "0000").write_text("half", encoding="utf-8")
    (place.parent / "stray").write_text("x", encoding="utf-8")
    assert not tree.interrupted()
    assert tree.pending() == ()
    assert not place.exists()


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'{"version": 2}', b'{"version": 1}', b'{"version": 1, "steps": [1]}', b"\xff"]
)
def test_a_journal_that_cannot_be_read_is_told(tree: Tree, raw: bytes) -> None:
    journal = stage(tree, {"a.md": "new"})
    (tree.root / ".wikimill" / "journal" / journal.id / "manifest.json").write_bytes(raw)
    with pytest.raises(StoreError, match=f"(?s){journal.id}: the journal of an interrupted run cannot be read"):
        tree.pending()


def test_a_journal_cannot_lead_outside(tree: Tree, tmp_path: Path) -> None:
    journal = stage(tree, {"a.md": "new"})
    evil = Journal(journal.id, "wiki", (Step("../../evil.md", "", journal.steps[0].after, "0000"),), {})
    assert tree.roll_forward(evil) == ("../../evil.md",)
    assert not (tmp_path / "evil.md").exists()
    with pytest.raises(ValueError, match="leads elsewhere"):
        parse_journal("x", render_journal(Journal("x", "wiki", (Step("a.md", "", "d", "../0000"),), {})))


steps = st.builds(Step, st.text(max_size=20), st.text(max_size=8), st.text(max_size=8), st.sampled_from(["", "0001"]))


@given(st.lists(steps, max_size=4), st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
def test_a_journal_survives_writing_and_reading(some: list[Step], note: dict[str, str]) -> None:
    journal = Journal("id", "wiki/ü", tuple(some), note)
    assert parse_journal("id", render_journal(journal)) == journal


# What is refused, with everything as it was


def test_a_full_disk_is_told_and_nothing_has_changed(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tree, {"a.md": "old"})

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pipeline.wiki.tree.disk.os.fsync", full)
    with pytest.raises(StoreError, match=r"journal.*cannot be written: No space left on device. Free some space"):
        stage(tree, {"a.md": "new"})
    assert disk(tree) == {"a.md": "old"}
    assert leftovers(tree) == []


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root writes everywhere")
def test_a_folder_without_write_permission_is_told(tree: Tree) -> None:
    put(tree, {"a/b.md": "old"})
    (tree.home / "a").chmod(0o555)
    with pytest.raises(StoreError, match="the folder cannot be written"):
        stage(tree, {"a/b.md": "new"})
    assert disk(tree) == {"a/b.md": "old"}


def test_a_file_where_a_folder_must_be_is_told(tree: Tree) -> None:
    put(tree, {"acme": "a file"})
    with pytest.raises(StoreError, match=r"acme: a file stands where a folder is needed. Move it away"):
        stage(tree, {"x.md": "x", "acme/a.md": "new"})
    assert disk(tree) == {"acme": "a file"}


def test_a_file_where_the_state_must_be_is_told(tree: Tree) -> None:
    (tree.root / ".wikimill").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match=r"\.wikimill: cannot be written: File exists"):
        stage(tree, {"x.md": "x"})


def test_a_folder_where_a_page_must_be_is_told(tree: Tree) -> None:
    put(tree, {"a.md/x.md": "x"})
    with pytest.raises(Rejected, match="is a folder, not a page"):
        stage(tree, {"a.md": "new"})


def test_a_symbolic_link_is_never_followed(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.md").write_text("theirs", encoding="utf-8")
    put(tree, {"a.md": "a"})
    (tree.home / "linked").symlink_to(tmp_path / "outside")
    (tree.home / "x.md").symlink_to(tmp_path / "outside" / "x.md")
    with pytest.raises(Rejected, match="a folder of the wiki is a symbolic link"):
        tree.look("linked/x.md")
    with pytest.raises(Rejected, match="is a symbolic link, not a page"):
        tree.look("x.md")
    with pytest.raises(Rejected):
        tree.stage({"linked/y.md": b"y"}, {}, {})
    assert (tmp_path / "outside" / "x.md").read_text(encoding="utf-8") == "theirs"


def test_a_link_that_appears_after_staging_is_not_followed(tree: Tree, tmp_path: Path) -> None:
    put(tree, {"a/x.md": "old"})
    journal = stage(tree, {"a/x.md": "new"})
    (tree.home / "a").rename(tmp_path / "moved")
    (tree.home / "a").symlink_to(tmp_path / "moved")
    assert tree.roll_forward(journal) == ("a/x.md",)
    assert (tmp_path / "moved" / "x.md").read_text(encoding="utf-8") == "old"


def test_a_wiki_that_leads_outside_is_refused(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    tree.home.symlink_to(tmp_path / "outside")
    with pytest.raises(Rejected, match="a symbolic link that leads outside"):
        Tree(tree.root, "wiki")
    (tree.root / "inside").mkdir()
    (tree.root / "pages").symlink_to("inside")
    assert carry_out(Tree(tree.root, "pages"), {"a.md": "a"}) == ()


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../x.md",
        "a/../../x.md",
        "a/./b.md",
        "a//b.md",
        "a/",
        ".",
        "..",
        "C:/x.md",
        "a:stream.md",
        "a\\b.md",
        ".git/config",
        "a/.GIT/x.md",
        ".g\u200cit/x.md",
        "GIT~1/x.md",
        "con.md",
        "a/NUL",
        "aux.txt.md",
        "COM1.md",
        "lpt¹.md",
        "con .md",
        "dot.",
        "space ",
        " space",
        "a/b ./c.md",
        "line\nbreak.md",
        "nul\0.md",
        "esc\x1b.md",
        "what?.md",
        "a*.md",
        '"a".md',
        "a|b.md",
        "<a>.md",
        "\ud800.md",
        "x" * 256,
        "日" * 86,
    ],
)
def test_a_path_that_some_system_cannot_hold_is_refused(tree: Tree, path: str) -> None:
    with pytest.raises(Rejected) as told:
        tree.look(path)
    assert str(told.value).isprintable()


@pytest.mark.parametrize(
    "path",
    [
        "index.md",
        "a/b/c.md",
        ".ledger/sessions/a/b.jsonl",
        "_prompts/x.md",
        "日本/ページ.md",
        "é ü.md",
        ".gitignore",
        "console.md",
        "com10.md",
        "null.md",
        "a.b.c.md",
        "nul-byte.md",
        "x" * 255,
    ],
)
def test_an_ordinary_path_is_fine(path: str) -> None:
    check_path(path)


@given(st.text(max_size=12))
def test_a_path_that_is_not_refused_stays_inside(path: str) -> None:
    try:
        check_path(path)
    except Rejected:
        return
    parts = path.split("/")
    assert ".." not in parts
    assert "" not in parts
    assert ".git" not in parts
    path.encode("utf-8")


@pytest.mark.parametrize(
    ("standing", "path"),
    [
        ("acme/a.md", "acme/A.md"),
        ("acme/a.md", "Acme/b.md"),
        ("acme/straße.md", "acme/strasse.md"),
        ("acme/\u00e9.md", "acme/e\u0301.md"),
        ("acme/a.md/x.md", "acme/a.md"),
        ("acme", "acme/a.md"),
        ("ACME", "acme/a.md"),
    ],
)
def test_a_name_that_clashes_is_refused(standing: str, path: str) -> None:
    names = Names([standing])
    with pytest.raises(Rejected, match="clashes with"):
        names.check(path)
    names.remove(standing)
    names.check(standing)


@pytest.mark.parametrize("path", ["acme/a.md", "acme/b.md", "acme/a/b.md", "acmes/a.md", "Übung/x.md"])
def test_a_name_that_does_not_clash_is_fine(path: str) -> None:
    Names(["acme/a.md", "other/a.md", "Übung/y.md"]).check(path)


def test_a_clash_that_stands_already_may_be_changed() -> None:
    names = Names(["Acme/a.md", "acme/a.md", "x.md", "X.md"])
    for path in ("Acme/a.md", "acme/a.md", "x.md", "X.md", "acme/new.md"):
        names.check(path)
    with pytest.raises(Rejected):
        names.check("ACME/a.md")


def test_every_refusal_is_one_of_ours(tree: Tree) -> None:
    with pytest.raises(WikimillError):
        tree.stage({"../x": b""}, {}, {})
    assert not (tree.root / ".wikimill" / "journal").exists()


@pytest.mark.parametrize(("what", "hint"), [("read", "right to read it"), ("written", "right to write there")])
def test_a_missing_right_is_named_for_what_was_wanted(tmp_path: Path, what: str, hint: str) -> None:
    fault = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "a.md"))
    assert hint in str(cannot(what, tmp_path, fault))
