"""Every commit that was handed over is looked at, and not only what they come to in the end."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from pipeline.git import Content, NewCommit, Repository, seal
from pipeline.observations.consumed import DIGEST_SIZE, EMPTY_DIGEST
from pipeline.proposal import checking
from pipeline.proposing.handing import Seen
from pipeline.proposing.inspecting import citations_of, cited_observations, inspect
from pipeline.proposing.looking import look
from pipeline.proposing.opening import open_hosted
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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
    stage: Stage,
    *chain: Mapping[str, str | None],
    message: str = "consolidate: x",
    base: str = "",
    head: str = "",
    seen_by_host: bool = False,
) -> list[str]:
    """Inspect what was prepared with more commits over it, each by the files that it changes.

    `head` is what the proposal's branch holds by now; `seen_by_host` asks the host which merges there were.
    """
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        repository = hosted.repository
        tip = stage.clone.tip(BRANCH)
        for files in chain:
            raw = {path: None if text is None else text.encode() for path, text in files.items()}
            ids = {path: None if one is None else repository.blob_id(one) for path, one in raw.items()}
            contents = {path: None if one is None else Content(one) for path, one in raw.items()}
            (tip,) = repository.build_chain(tip, (NewCommit(contents, seal(f"{message}\n", ids)),), at=stage.now())
        seen = Seen(base or stage.clone.tip("main"), BRANCH, head, 0, tip)
        standing = look(hosted) if seen_by_host else None
        found: tuple[Finding, ...] = inspect(
            hosted, stage.settings, stage.root, seen, at=stage.now(), standing=standing
        )
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
    (first, *_) = inspected(stage, files, dict.fromkeys(files, WORDS))
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


FILES = "wiki/.ledger/files.jsonl"


def record_of(stage: Stage) -> str:
    return next(f"wiki/{path}" for path in stage.clone.files(BRANCH, "wiki") if path.startswith(".ledger/sessions/"))


def text_of(stage: Stage, path: str) -> str:
    return stage.clone.files(BRANCH, "wiki")[path.removeprefix("wiki/")].decode()


def test_nothing_goes(stage: Stage) -> None:
    for path in ("wiki/index.md", FILES, record_of(stage)):
        assert inspected(stage, {path: None}) == [f"{path}: goes: a run deletes no file."]
    assert inspected(stage, {MINE: WORDS}, {MINE: None}) == [f"{MINE}: goes: a run deletes no file."]


def test_what_a_person_protects_stays(stage: Stage) -> None:
    keep = "<!-- keep -->\nMy words.\n<!-- /keep -->\n"
    locked, kept = WORDS.replace("title:", "locked: true\ntitle:"), f"{WORDS}\n{keep}"
    stage.double.repository.commit("main", {MINE: locked, "wiki/acme/kept.md": kept}, "mine")
    stage.run("prepare")
    assert inspected(stage, {MINE: WORDS}) == ["acme/mine.md: changes, though it is locked."]
    assert "keep block does not stand whole" in inspected(stage, {"wiki/acme/kept.md": WORDS})[0]
    assert inspected(stage, {"wiki/acme/kept.md": f"{WORDS}\n{keep}\nMore.\n"}) == []


def test_a_page_that_was_locked_meanwhile_stays(stage: Stage) -> None:
    stage.double.repository.commit("main", {MINE: WORDS}, "mine")
    stage.run("prepare")
    assert inspected(stage, {MINE: f"{WORDS}\nMore.\n"}, seen_by_host=True) == []
    stage.double.repository.commit("main", {MINE: WORDS.replace("title:", "locked: true\ntitle:")}, "lock it")
    (found,) = inspected(stage, {MINE: f"{WORDS}\nMore.\n"}, seen_by_host=True)
    assert found == "acme/mine.md: changes, though it is locked."


def test_a_review_is_that_of_a_merge_on_the_host(stage: Stage) -> None:
    stage.run()
    stage.double.merge(1, "squash", by="dana")
    stage.run("prepare")
    assert inspected(stage, seen_by_host=True) == []
    assert any("names a review that nobody gave" in one for one in inspected(stage)), "nobody asked the host"
    entry = WORDS.replace("---\n\n", "verified:\n- { by: human:dana, at: 2026-01-01T00:00:00Z }\n---\n\n")
    (found,) = inspected(stage, {MINE: entry}, seen_by_host=True)
    assert found.startswith("acme/mine.md: names a review that nobody gave: human:dana")


@pytest.mark.parametrize("path", ["wiki/index.md", "wiki/acme/log.md", MINE])
def test_markup_that_runs_is_found_in_pages_indexes_and_logs(stage: Stage, path: str) -> None:
    found = inspected(stage, {path: f"{WORDS}\n<img src=https://evil.example/x.png>\n"})
    assert any("holds markup that runs or loads by itself (raw-html)" in one for one in found)


def mark(**told: object) -> str:
    raw = line("s1", 1, COOKIES).encode()
    digest = hashlib.blake2b(raw, digest_size=DIGEST_SIZE).hexdigest()
    return json.dumps({"file": "day1.jsonl", "bytes": len(raw), "lines": 1, "digest": digest, **told}) + "\n"


def test_a_mark_covers_what_it_says_of_the_file_at_hand(stage: Stage) -> None:
    assert text_of(stage, FILES) == json.dumps(json.loads(mark()), sort_keys=True) + "\n"
    wrong: tuple[dict[str, object], ...] = (
        {"bytes": 10**30},
        {"bytes": 1},
        {"bytes": 0},
        {"lines": 2},
        {"digest": "a" * 64},
        {"file": "day2.jsonl"},
        {"file": "../wikimill.toml"},
    )
    for told in wrong:
        (found,) = inspected(stage, {FILES: mark(**told)})
        assert "does not fit that file" in found


def test_a_mark_that_was_pushed_was_looked_at_then(stage: Stage) -> None:
    stage.run()
    stage.clone.git("rm", "-q", "observations/day1.jsonl")
    published = stage.clone.tip(BRANCH)
    assert any("does not fit that file" in one for one in inspected(stage))
    assert not any("does not fit" in one or "does not stand" in one for one in inspected(stage, head=published))


def test_marks_of_packed_files_of_none_and_of_nothing_fit(stage: Stage) -> None:
    raw = line("s1", 1, COOKIES)
    (stage.root / "observations/packed.jsonl.gz").write_bytes(gzip.compress(raw.encode() + b"\n\nrest"))
    gone = mark(file="gone.jsonl", bytes=0, lines=0, digest=EMPTY_DIGEST)
    assert inspected(stage, {FILES: gone + mark(file="packed.jsonl.gz")}) == []
    assert inspected(stage, {FILES: ""}) == []
    assert len(inspected(stage, {FILES: mark(file="packed.jsonl.gz", bytes=3)})) == 1


def test_a_record_knows_only_what_was_observed(stage: Stage) -> None:
    record = record_of(stage)
    head, known = text_of(stage, record).splitlines()
    one = json.loads(known)
    for told, holds in (
        ({}, True),
        ({"line": 7}, True),
        ({"id": "another"}, False),
        ({"file": "day2.jsonl"}, False),
        ({"file": "../../etc/passwd"}, False),
    ):
        found = inspected(stage, {record: f"{head}\n{json.dumps({**one, **told})}\n"})
        expected = (
            f"{record.removeprefix('wiki/')}: holds an observation that does not stand in the file that it names."
        )
        assert found == [expected] * (not holds)
    assert "cannot be read as a ledger" in inspected(stage, {record: "garbage\n"})[0]


def test_an_id_that_holds_a_secret_is_known_without_it(stage: Stage) -> None:
    stage.observe("day2", line("s2", 2, COOKIES, id=f"id-{SECRET}"), line("s2", 3, f"The port is 8080, not {SECRET}."))
    stage.run("prepare")
    assert inspected(stage) == []


def test_messages_are_looked_at(stage: Stage) -> None:
    (found,) = inspected(stage, {MINE: WORDS}, message="closes #1")
    assert "a line that no run writes: closes #1" in found
    (found,) = inspected(stage, {MINE: WORDS}, message="x\n\nCo-authored-by: L <l@example.org>")
    assert "Co-authored-by" in found


def test_nothing_is_read_that_is_too_large(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_FILE_BYTES", 100_000)
    large = {f"wiki/acme/{number}.md": "x" * 100_001 for number in range(3)}
    read: list[str] = []
    real = Repository.read_objects

    def noting(self: Repository, ids: Sequence[str]) -> list[bytes]:
        read.extend(ids)
        return real(self, ids)

    monkeypatch.setattr(Repository, "read_objects", noting)
    found = inspected(stage, large)
    assert [one.partition(": ")[2] for one in found] == ["is 100,001 bytes long."] * 3
    assert read == []
