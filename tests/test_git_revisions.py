from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.config import RedactionSettings
from pipeline.git import open_repository, revisions
from pipeline.observations.redaction.redact import Redactor, make_redactor
from pipeline.publishing.revisions import read_revisions
from tests.repositories import Ground, empty_ground, new_ground

if TYPE_CHECKING:
    from pipeline.git import PageVersion, Revisions

LINES = [f"- Claim number {number} of this page.\n" for number in range(12)]
PAGE = "".join(LINES)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_ground(tmp_path / "a repository")


@pytest.fixture
def redactor() -> Redactor:
    return make_redactor(RedactionSettings())


def read(ground: Ground, folder: str = "wiki", **told: int | str) -> Revisions:
    with open_repository(ground.root, ground.environment) as opened:
        return opened.revisions(folder, **told)  # type: ignore[arg-type]


def subjects(versions: tuple[PageVersion, ...]) -> list[str]:
    return [one.version.subject for one in versions]


def changed(*at: int, words: str = "Changed") -> str:
    return "".join(f"- {words} {number}.\n" if number in at else line for number, line in enumerate(LINES))


def clone(ground: Ground, *options: str) -> Ground:
    place = ground.root.parent / "clone"
    ground.git("clone", "-q", *options, f"file://{ground.root}", str(place))
    return Ground(place, ground.environment)


# Who wrote what


def test_every_page_has_its_newest_versions_first(ground: Ground) -> None:
    ground.commit("one", **{"wiki/a.md": "1\n", "wiki/b/c.md": "c\n", "wiki/x.txt": "x", "other/a.md": "no\n"})
    ground.commit("two\n\nSession: team/s1\nModel: gpt-6\nObservations: 3", **{"wiki/a.md": "2\n"})
    ground.commit("beside", **{"code.py": "2\n"})
    tip = ground.commit("three", **{"wiki/a.md": "3\n"})
    found = read(ground)
    assert sorted(found.pages) == ["a.md", "b/c.md"]
    assert [(one.version.subject, one.raw, one.path) for one in found.pages["a.md"]] == [
        ("three", b"3\n", "a.md"),
        ("two", b"2\n", "a.md"),
        ("one", b"1\n", "a.md"),
    ]
    newest, second, _ = (one.version for one in found.pages["a.md"])
    assert (newest.commit, newest.author, newest.session, newest.model) == (tip, "Dana", "", "")
    assert (second.session, second.model, second.observations) == ("team/s1", "gpt-6", "3")
    assert newest.at == datetime(2026, 1, 1, tzinfo=UTC)
    assert subjects(found.pages["b/c.md"]) == ["one"]
    assert not any(one.boundary for versions in found.pages.values() for one in versions)
    assert found.renames == ()


def test_a_list_is_cut_and_then_its_last_is_no_beginning(ground: Ground) -> None:
    for number in range(5):
        ground.commit(f"n{number}", **{"wiki/a.md": f"{number}\n"})
    found = read(ground, most=3).pages["a.md"]
    assert [(one.version.subject, one.boundary) for one in found] == [("n4", False), ("n3", False), ("n2", True)]
    assert [one.boundary for one in read(ground, most=5).pages["a.md"]] == [False] * 5


def test_another_branch_can_be_asked_and_none_gives_nothing(tmp_path: Path, ground: Ground) -> None:
    ground.commit("one", **{"wiki/a.md": "1\n"})
    ground.git("switch", "-q", "-c", "side")
    ground.commit("two", **{"wiki/a.md": "2\n"})
    assert subjects(read(ground, branch="main").pages["a.md"]) == ["one"]
    assert subjects(read(ground).pages["a.md"]) == ["two", "one"]
    assert read(ground, branch="absent").pages == {}
    assert read(ground, folder="nowhere").pages == {}
    assert read(empty_ground(tmp_path / "empty")).pages == {}


def test_what_was_deleted_or_made_anew_begins_anew(ground: Ground) -> None:
    ground.commit("one", **{"wiki/a.md": "1\n", "wiki/b.md": "b\n"})
    ground.git("rm", "-q", "wiki/a.md")
    ground.commit("gone")
    ground.commit("again", **{"wiki/a.md": "2\n"})
    ground.git("rm", "-q", "wiki/b.md")
    ground.commit("gone too")
    found = read(ground).pages
    assert list(found) == ["a.md"]
    assert [(one.version.subject, one.boundary) for one in found["a.md"]] == [("again", False)]


def test_a_revert_is_a_version_of_its_own(ground: Ground) -> None:
    ground.commit("one", **{"wiki/a.md": "1\n"})
    ground.commit("two", **{"wiki/a.md": "2\n"})
    ground.git("revert", "--no-edit", "HEAD")
    ground.commit("three", **{"wiki/a.md": "2\n"})
    found = read(ground).pages["a.md"]
    assert subjects(found) == ["three", 'Revert "two"', "two", "one"]
    assert [one.raw for one in found] == [b"2\n", b"1\n", b"2\n", b"1\n"]


# Branches


def test_a_merged_proposal_shows_its_commits_and_those_beside_it_once_each(ground: Ground) -> None:
    ground.commit("base", **{"wiki/a.md": PAGE, "wiki/b.md": "b\n"})
    ground.git("switch", "-q", "-c", "wikimill/proposal")
    ground.commit("consolidate(x/1): a", **{"wiki/a.md": changed(1)})
    ground.commit("consolidate(x/2): a", **{"wiki/a.md": changed(1, 2), "wiki/new.md": "new\n"})
    ground.git("switch", "-q", "main")
    ground.commit("a person edits b", **{"wiki/b.md": "b!\n"})
    ground.git("merge", "-q", "--no-ff", "-m", "Merge the proposal", "wikimill/proposal")
    ground.commit("a person edits a", **{"wiki/a.md": changed(1, 2, 3)})
    found = read(ground).pages
    proposal = ["consolidate(x/2): a", "consolidate(x/1): a"]
    assert subjects(found["a.md"]) == ["a person edits a", *proposal, "base"]
    assert subjects(found["b.md"]) == ["a person edits b", "base"]
    assert subjects(found["new.md"]) == proposal[:1]


def test_a_merge_that_brings_two_texts_together_counts_and_its_own_line_goes_on(ground: Ground) -> None:
    ground.commit("base", **{"wiki/a.md": PAGE})
    ground.git("switch", "-q", "-c", "side")
    ground.commit("consolidate", **{"wiki/a.md": changed(1)})
    ground.git("switch", "-q", "main")
    ground.commit("a person", **{"wiki/a.md": changed(10)})
    ground.git("merge", "-q", "-m", "Merge", "side")
    found = read(ground).pages["a.md"]
    assert subjects(found) == ["Merge", "a person", "base"]
    assert [one.raw.decode() for one in found] == [changed(1, 10), changed(10), PAGE]


def test_what_a_merge_threw_away_is_no_version(ground: Ground) -> None:
    ground.commit("base", **{"wiki/a.md": PAGE})
    ground.git("switch", "-q", "-c", "side")
    ground.commit("lost", **{"wiki/a.md": changed(1)})
    ground.git("switch", "-q", "main")
    ground.commit("kept", **{"wiki/a.md": changed(1, words="Otherwise")})
    ground.git("merge", "-q", "-s", "ours", "-m", "Merge", "side")
    assert subjects(read(ground).pages["a.md"]) == ["kept", "base"]


def test_a_squashed_branch_is_one_version(ground: Ground) -> None:
    ground.commit("base", **{"wiki/a.md": PAGE})
    ground.git("switch", "-q", "-c", "side")
    ground.commit("first", **{"wiki/a.md": changed(1)})
    ground.commit("second", **{"wiki/a.md": changed(1, 2)})
    ground.git("switch", "-q", "main")
    ground.git("merge", "-q", "--squash", "side")
    ground.git("commit", "-q", "-m", "squashed")
    assert subjects(read(ground).pages["a.md"]) == ["squashed", "base"]


def test_an_octopus_and_a_page_that_one_parent_lacks(ground: Ground) -> None:
    ground.commit("base", **{"wiki/z.md": "z\n"})
    for name in ("one", "two"):
        ground.git("switch", "-q", "-c", name, "main")
        ground.commit(f"{name} makes", **{f"wiki/{name}.md": f"{name}\n"})
    ground.git("switch", "-q", "main")
    ground.commit("meanwhile", **{"wiki/z.md": "zz\n"})
    ground.git("merge", "-q", "-m", "Octopus", "one", "two")
    found = read(ground).pages
    assert {page: subjects(versions) for page, versions in found.items()} == {
        "one.md": ["one makes"],
        "two.md": ["two makes"],
        "z.md": ["meanwhile", "base"],
    }


# Moves


def test_a_page_is_followed_through_its_moves_and_these_are_told_oldest_first(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": PAGE})
    ground.commit("edited", **{"wiki/a.md": changed(1)})
    ground.git("mv", "wiki/a.md", "wiki/b.md")
    ground.commit("moved")
    (ground.root / "wiki/deep").mkdir()
    ground.git("mv", "wiki/b.md", "wiki/deep/c.md")
    ground.commit("moved and edited", **{"wiki/deep/c.md": changed(1, 2)})
    found = read(ground)
    assert found.renames == (("a.md", "b.md"), ("b.md", "deep/c.md"))
    assert [(one.version.subject, one.path) for one in found.pages["deep/c.md"]] == [
        ("moved and edited", "deep/c.md"),
        ("edited", "a.md"),
        ("made", "a.md"),
    ]


def test_two_pages_that_change_places(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": PAGE, "wiki/b.md": "something else\n" * 9})
    ground.git("mv", "wiki/a.md", "wiki/t.md")
    ground.git("mv", "wiki/b.md", "wiki/a.md")
    ground.git("mv", "wiki/t.md", "wiki/b.md")
    ground.commit("changed places")
    found = read(ground).pages
    assert found["b.md"][0].raw.decode() == PAGE
    assert {subject for versions in found.values() for subject in subjects(versions)} <= {"made", "changed places"}


def test_what_is_no_page_is_no_move(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.txt": PAGE, "wiki/b.md": changed(1), "elsewhere/c.md": changed(2, 3, 4)})
    ground.git("mv", "wiki/a.txt", "wiki/a.md")
    ground.git("mv", "wiki/b.md", "wiki/b.txt")
    ground.git("mv", "elsewhere/c.md", "wiki/c.md")
    ground.commit("moved")
    found = read(ground)
    assert found.renames == ()
    assert {page: subjects(versions) for page, versions in found.pages.items()} == {
        "a.md": ["moved"],
        "c.md": ["moved"],
    }


def test_a_changed_mode_is_no_version_and_a_link_is_no_page(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": "1\n"})
    (ground.root / "wiki/a.md").chmod(0o755)
    ground.commit("mode")
    (ground.root / "wiki/link.md").symlink_to("a.md")
    ground.commit("link")
    found = read(ground).pages
    assert {page: subjects(versions) for page, versions in found.items()} == {"a.md": ["made"]}
    (ground.root / "wiki/link.md").unlink()
    ground.commit("a file now", **{"wiki/link.md": "text\n"})
    assert subjects(read(ground).pages["link.md"]) == ["a file now"]


# Clones that know a part


def test_the_boundary_of_a_shallow_clone_made_nothing(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": "1\n", "wiki/old.md": "old\n"})
    ground.commit("second", **{"wiki/a.md": "2\n"})
    ground.commit("third", **{"wiki/a.md": "3\n"})
    shallow = clone(ground, "--depth=2")
    found = read(shallow).pages
    assert [(one.raw, one.boundary) for one in found["a.md"]] == [(b"3\n", False), (b"2\n", True)]
    assert [(one.raw, one.boundary) for one in found["old.md"]] == [(b"old\n", True)]


def test_alternates_and_worktrees(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": "1\n"})
    ground.git("worktree", "add", "-q", "-b", "side", str(ground.root.parent / "beside"))
    beside = Ground(ground.root.parent / "beside", ground.environment)
    beside.commit("there", **{"wiki/a.md": "2\n"})
    assert subjects(read(beside).pages["a.md"]) == ["there", "made"]
    assert subjects(read(clone(ground, "--shared")).pages["a.md"]) == ["made"]


def test_a_clone_that_lacks_bytes_is_read_as_far_as_it_goes(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": "1\n"})
    ground.commit("second", **{"wiki/a.md": "2\n"})
    lost = ground.git("rev-parse", "HEAD~1:wiki/a.md").strip()
    (ground.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    found = read(ground).pages["a.md"]
    assert [(one.raw, one.boundary) for one in found] == [(b"2\n", True)]


# Limits and hostile histories


def test_a_list_ends_before_what_is_too_large(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    ground.commit("one", **{"wiki/a.md": "1\n"})
    ground.commit("huge", **{"wiki/a.md": "x" * (revisions.LARGEST_BLOB + 1), "wiki/b.md": "b\n"})
    ground.commit("two", **{"wiki/a.md": "2\n"})
    found = read(ground).pages
    assert [(one.version.subject, one.boundary) for one in found["a.md"]] == [("two", True)]
    monkeypatch.setattr(revisions, "MOST_BYTES", 5)
    ground.commit("three", **{"wiki/b.md": "bb\n"})
    assert {page: len(versions) for page, versions in read(ground).pages.items()} == {"a.md": 1, "b.md": 1}


def test_names_that_are_no_utf_8_are_left_out(ground: Ground) -> None:
    bad = Path(os.fsdecode(os.fsencode(ground.root) + b"/wiki/\xff.md"))
    ground.commit("made", **{'wiki/é "x"\n.md': "1\n"})
    bad.write_bytes(PAGE.encode())
    ground.commit("bad name")
    bad.rename(ground.root / "wiki/good.md")
    ground.commit("mended")
    found = read(ground)
    assert {page: subjects(versions) for page, versions in found.pages.items()} == {
        'é "x"\n.md': ["made"],
        "good.md": ["mended"],
    }
    assert found.renames == ()


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        (":100644 100644 0 0 M", ":100644 100644 0 0 M"),
        ("a\x01b\x1b[31m", "a\x01b\x1b[31m"),
        ("x\n\nSession: a\nSession: b", "x"),
        ("", ""),
        ("café ☕", "café ☕"),
    ],
)
def test_hostile_messages_stay_in_their_field(ground: Ground, message: str, subject: str) -> None:
    ground.commit("made", **{"wiki/a.md": "1\n", "wiki/b.md": "1\n"})
    for name in ("a", "b"):
        ground.write(f"wiki/{name}.md", "2\n")
    ground.git("add", "-A")
    author = "--author=M :100644 <x@example.org>"
    ground.git("commit", "-q", "--allow-empty-message", author, "-F", "-", stdin=message.encode())
    ground.commit("after", **{"wiki/a.md": "3\n"})
    found = read(ground).pages
    assert subjects(found["a.md"]) == ["after", subject, "made"]
    assert subjects(found["b.md"]) == [subject, "made"]
    assert found["b.md"][0].version.author == "M :100644"


def test_dates_beyond_every_calendar(ground: Ground) -> None:
    ground.write("wiki/a.md", "1\n")
    ground.git("add", "-A")
    tree = ground.git("write-tree").strip()
    raw = f"tree {tree}\nparent {ground.tip()}\nauthor D <d@e> 99999999999999999 +0000\n"
    raw += "committer D <d@e> 99999999999999999 +0000\n\nfar away\n"
    made = ground.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw.encode()).strip()
    ground.git("reset", "-q", "--hard", made)
    assert subjects(read(ground).pages["a.md"]) == ["far away"]


def test_the_machine_s_configuration_changes_nothing(ground: Ground) -> None:
    ground.commit("made", **{"wiki/a.md": PAGE})
    ground.git("mv", "wiki/a.md", "wiki/b.md")
    ground.commit("moved", **{"wiki/b.md": changed(1)})
    plain = read(ground)
    told = {"log.showRoot": "false", "diff.renames": "false", "diff.relative": "true", "log.showSignature": "true"}
    told |= {"color.ui": "always", "core.abbrev": "5", "log.diffMerges": "off", "diff.noprefix": "true"}
    for key, value in {**told, "log.date": "relative", "format.pretty": "oneline"}.items():
        ground.git("config", key, value)
    assert read(ground) == plain


def test_many_pages_are_read_at_once(ground: Ground) -> None:
    pages = {f"wiki/p{number}.md": f"page {number}\n" for number in range(300)}
    ground.commit("made", **pages)
    ground.commit("again", **{path: f"{text}more\n" for path, text in pages.items()})
    found = read(ground).pages
    assert len(found) == 300
    assert all(subjects(versions) == ["again", "made"] for versions in found.values())
    assert found["p7.md"][0].raw == b"page 7\nmore\n"


# As the site's values


def test_revisions_come_to_the_site_without_secrets(ground: Ground, redactor: Redactor) -> None:
    secret = "ghp_" + "a1B2" * 9
    ground.commit("made", **{"wiki/t/a.md": f"token {secret}\n", "wiki/t/index.md": "list\n", "wiki/t/c.md": "c\n"})
    tip = ground.commit(f"take out {secret}\n\nSession: x/s\nModel: gpt-6", **{"wiki/t/a.md": "token gone\n"})
    with open_repository(ground.root, ground.environment) as opened:
        pages, renames = read_revisions(opened, "wiki", "", redactor)
    assert renames == ()
    assert sorted(pages) == ["t/a.md", "t/c.md"]
    newest, oldest = pages["t/a.md"]
    assert (newest.commit, newest.model, newest.session, newest.author) == (tip, "gpt-6", "x/s", "Dana")
    assert secret not in newest.subject
    assert newest.subject.startswith("take out [REDACTED:")
    assert oldest.raw.startswith(b"token [REDACTED:")
    assert oldest.subject == "made"


def test_nobody_is_told_to_have_written_what_a_shallow_clone_begins_with(ground: Ground, redactor: Redactor) -> None:
    ground.commit("made", **{"wiki/a.md": "1\n", "wiki/old.md": "old\n"})
    ground.commit("second", **{"wiki/a.md": "2\n"})
    ground.commit("third", **{"wiki/a.md": "3\n"})
    shallow = clone(ground, "--depth=2")
    with open_repository(shallow.root, shallow.environment) as opened:
        pages, _ = read_revisions(opened, "wiki", "", redactor)
    assert list(pages) == ["a.md"]
    newest, base = pages["a.md"]
    assert (newest.subject, newest.author, newest.raw) == ("third", "Dana", b"3\n")
    assert (base.subject, base.author, base.raw) == ("", "", b"2\n")
