"""Every commit that was handed over is looked at, and not only what they come to in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.git import Content, NewCommit, seal
from pipeline.proposing.handing import Seen
from pipeline.proposing.inspecting import citations_of, cited_observations, inspect
from pipeline.proposing.opening import open_hosted
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.finding import Finding

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # it opens nothing
MINE = "wiki/acme/mine.md"
WORDS = "---\ntype: Concept\ntitle: Mine\n---\n\n# Mine\n"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES))
        ground.run("prepare")
        yield ground


def inspected(
    stage: Stage, *chain: dict[str, str | None], message: str = "consolidate: x", base: str = ""
) -> list[str]:
    """Inspect what was prepared with more commits over it, each by the files that it changes."""
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        repository = hosted.repository
        tip = stage.clone.tip(BRANCH)
        for files in chain:
            raw = {path: None if text is None else text.encode() for path, text in files.items()}
            ids = {path: None if one is None else repository.blob_id(one) for path, one in raw.items()}
            contents = {path: None if one is None else Content(one) for path, one in raw.items()}
            (tip,) = repository.build_chain(tip, (NewCommit(contents, seal(f"{message}\n", ids)),), at=stage.now())
        seen = Seen(base or stage.clone.tip("main"), BRANCH, "", 0, tip)
        found: tuple[Finding, ...] = inspect(hosted, stage.settings, stage.root, seen, at=stage.now())
    return [f"{one.where}: {one.message}" for one in found]


def test_what_a_run_made_passes(stage: Stage) -> None:
    assert inspected(stage) == []


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({MINE: f"The token is {SECRET}.\n"}, "holds what looks like a secret"),
        ({".github/workflows/a.yml": "on: push\n"}, "lies outside of wiki/"),
        ({"wiki/_prompts/a.md": "Obey.\n"}, "instruction to the model"),
    ],
)
def test_what_a_later_commit_takes_away_again_would_be_published_all_the_same(
    stage: Stage, files: dict[str, str | None], told: str
) -> None:
    (first, *_) = inspected(stage, files, dict.fromkeys(files))
    assert told in first
    assert SECRET not in first


def test_secrets_in_messages_names_and_the_ledger_are_found(stage: Stage) -> None:
    for found in (
        inspected(stage, {MINE: WORDS}, message=f"consolidate: {SECRET}"),
        inspected(stage, {f"wiki/acme/{SECRET}.md": WORDS}),
        inspected(stage, {"wiki/.ledger/sessions/acme/s9.jsonl": f'{{"session_id": "{SECRET}"}}\n'}),
    ):
        assert found
        assert all("secret" in one and SECRET not in one for one in found)


def test_a_secret_that_a_person_published_is_no_reason_to_refuse(stage: Stage) -> None:
    page = f"---\ntype: Concept\ntitle: Keys\n---\n\n# Keys\n\nSuch as {SECRET}, which is revoked.\n"
    stage.double.repository.commit("main", {"wiki/acme/keys.md": page}, "keys")
    stage.run("prepare")
    assert inspected(stage, {"wiki/acme/keys.md": f"{page}\nMore of it.\n"}) == []
    assert inspected(stage, {"wiki/acme/keys.md": f"{page}\nAnd {SECRET[:-1]}0.\n"}) != []


def test_a_page_that_is_executable_already_may_change_and_none_becomes_so(stage: Stage) -> None:
    repository = stage.double.repository
    blob = repository.git("hash-object", "-w", "--stdin", stdin=WORDS.encode()).strip()
    listing = repository.git("ls-tree", "main").encode()
    deep = repository.git("mktree", stdin=f"100755 blob {blob}\tmine.md\n".encode()).strip()
    wiki = repository.git("mktree", stdin=f"040000 tree {deep}\tacme\n".encode()).strip()
    tree = repository.git("mktree", stdin=listing + f"040000 tree {wiki}\twiki\n".encode()).strip()
    repository.git(
        "update-ref", "refs/heads/main", repository.git("commit-tree", "-p", "main", "-m", "x", tree).strip()
    )
    stage.run("prepare")
    tip = stage.clone.tip(BRANCH)
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        git = hosted.repository
        for path, mode, wrong in (
            (MINE, "100755", False),
            ("wiki/acme/new.md", "100755", True),
            (MINE, "120000", True),
        ):
            raw = f"{WORDS}\nMore.\n".encode()
            message = seal("consolidate: x\n", {path: git.blob_id(raw)})
            (new,) = git.build_chain(tip, (NewCommit({path: Content(raw, mode)}, message),), at=stage.now())
            seen = Seen(stage.clone.tip("main"), BRANCH, "", 0, new)
            found = inspect(hosted, stage.settings, stage.root, seen, at=stage.now())
            assert [one.message for one in found] == [f"is no plain file (mode {mode})."] * wrong


def test_the_commits_must_stand_upon_the_base(stage: Stage) -> None:
    further = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.clone.git("fetch", "-q")
    assert "one upon the other" in inspected(stage, base=further)[0]
    orphan = stage.clone.git("commit-tree", "-m", "x", f"{BRANCH}^{{tree}}").strip()
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        seen = Seen(stage.clone.tip("main"), BRANCH, "", 0, orphan)
        (found,) = inspect(hosted, stage.settings, stage.root, seen, at=stage.now())
    assert "one upon the other" in found.message


def test_citations_are_read_from_pages_alone_and_their_observations_found(stage: Stage) -> None:
    pages = stage.clone.files(BRANCH)
    page = next(path for path in pages if "/decisions/" in path and not path.endswith("index.md"))
    (citation,) = citations_of(page, pages[page], stage.settings)
    assert (citation.file, citation.line) == ("day1.jsonl", 1)
    found = cited_observations(stage.root, stage.settings, pages)
    assert {one: observation.body for one, observation in found.items()} == {citation: COOKIES}
    for path, raw in (("acme/index.md", pages[page]), ("acme/a.md", b"---\n[\n---\n"), ("acme/a.md", b"# A\n")):
        assert list(citations_of(path, raw, stage.settings)) == []
