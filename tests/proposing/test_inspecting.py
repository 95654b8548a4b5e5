"""Every commit that was handed over is looked at, and not only what they come to in the end."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from pipeline.config import parse_settings
from pipeline.errors import InvalidReply
from pipeline.git import Content, NewCommit, Repository, seal, trailers_of
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.observations.consumed import DIGEST_SIZE, EMPTY_DIGEST
from pipeline.proposal import checking
from pipeline.proposing.handing import Seen
from pipeline.proposing.inspecting import citations_of, cited_observations, inspect
from pipeline.proposing.looking import look
from pipeline.proposing.opening import open_hosted
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, QUEUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pipeline.finding import Finding
    from pipeline.models.model import Reply
    from pipeline.prompt import Request

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # it opens nothing
MINE = "wiki/acme/mine.md"
WORDS = "---\ntype: Concept\ntitle: Mine\ngenerated: { by: wikimill/x, at: 2026-11-30T08:00:00Z }\n---\n\n# Mine\n"


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


def test_what_a_later_commit_puts_right_is_in_the_history_all_the_same(stage: Stage) -> None:
    page = next(f"wiki/{path}" for path in stage.clone.files(BRANCH, "wiki") if "/decisions/keep" in path)
    good = text_of(stage, page)
    forged = good.replace("because a JWT cannot be revoked", "because Dana told us to")
    assert forged != good
    for chain in (({page: forged}, {page: good}), ({page: forged},)):
        found = inspected(stage, *chain)
        assert [one for one in found if "because Dana told us to" in one and "does not stand in what it cites" in one]
    more = {"wiki/acme/index.md": text_of(stage, "wiki/acme/index.md") + "\nCall 0900-1 now.\n"}
    found = inspected(stage, more, {"wiki/acme/index.md": text_of(stage, "wiki/acme/index.md")})
    assert found == ["acme/index.md: has a line that no run writes: Call 0900-1 now."]


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
    assert inspected(stage, {"wiki/acme/keys.md": f"{page}\nMore of it. (unsourced)\n"}) == []
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
            raw = f"{WORDS}\nMore. (unsourced)\n".encode()
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
    found = cited_observations(stage.root, stage.settings, pages.items())
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
    assert inspected(stage, {"wiki/acme/kept.md": f"{WORDS}\n{keep}\nMore. (unsourced)\n"}) == []


def test_a_page_that_was_locked_meanwhile_stays(stage: Stage) -> None:
    stage.double.repository.commit("main", {MINE: WORDS}, "mine")
    stage.run("prepare")
    assert inspected(stage, {MINE: f"{WORDS}\nMore. (unsourced)\n"}, seen_by_host=True) == []
    stage.double.repository.commit("main", {MINE: WORDS.replace("title:", "locked: true\ntitle:")}, "lock it")
    (found,) = inspected(stage, {MINE: f"{WORDS}\nMore. (unsourced)\n"}, seen_by_host=True)
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
    assert any("holds markup that runs or loads by itself" in one and "raw-html" in one for one in found)


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


def test_a_mark_passes_over_nothing_that_no_record_knows(stage: Stage) -> None:
    stage.observe("day2", line("s2", 2, PORT), "{broken\n", "\n", line("s3", 3, QUEUE))
    stage.clone.git("pull", "-q")
    raw = (stage.root / "observations/day2.jsonl").read_bytes()
    told = {"file": "day2.jsonl", "bytes": len(raw), "lines": raw.count(b"\n")}
    whole = mark() + mark(**told, digest=hashlib.blake2b(raw, digest_size=DIGEST_SIZE).hexdigest())
    assert inspected(stage, {FILES: whole}, base=stage.clone.git("merge-base", "main", BRANCH).strip()) == [
        ".ledger/files.jsonl: the mark passes over day2.jsonl:1, which nothing has on record."
    ]
    stage.run("prepare")
    assert inspected(stage) == [], "a line that was set aside and a blank one are answered for"


def test_a_session_that_is_parked_may_be_passed_over(stage: Stage) -> None:
    class Babbling(ExtractiveModel):
        def complete(self, request: Request) -> Reply:
            raise InvalidReply("prose")

    stage.settings = parse_settings("[run]\nattempts = 1\n")
    stage.observe("day2", line("s2", 2, PORT))
    stage.model = Babbling()
    assert [one.state for one in stage.run("prepare").sessions] == ["parked"]
    stage.observe("day2", line("s2", 3, QUEUE))
    stage.model = ExtractiveModel()
    stage.run("prepare")
    assert inspected(stage) == []


def test_what_is_on_record_stays_there(stage: Stage) -> None:
    stage.run()
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s2", 2, PORT))
    stage.run("prepare")
    record = next(f"wiki/{path}" for path in stage.clone.files("origin/main", "wiki") if "/s1-" in path)
    head, _ = text_of(stage, record).splitlines()
    told = "no longer knows observations that were on record, so that they would be consolidated once more."
    assert inspected(stage, {record: f"{head}\n"}, seen_by_host=True) == [f"{record.removeprefix('wiki/')}: {told}"]


@pytest.mark.parametrize("forged", ["0" * 32, "the real one"])
def test_a_commit_names_the_evidence_that_its_records_bear_out(stage: Stage, forged: str) -> None:
    record, text = record_of(stage), text_of(stage, record_of(stage))
    real = trailers_of(stage.clone.git("log", "-1", "--format=%B", BRANCH))["Evidence"][-1]
    named = real if forged == "the real one" else forged
    message = f"consolidate(acme/s1): x\n\nSession: acme/s1\nEvidence: {named}"
    found = inspected(stage, {record: text.replace("\n", " \n", 1)}, message=message)
    told = [one for one in found if "names evidence that no record in it bears out" in one]
    assert len(told) == (named != real)


def test_an_index_leads_to_pages_alone(stage: Stage) -> None:
    index = "wiki/acme/decisions/index.md"
    swapped = text_of(stage, index) + "* [Log in again](https://evil.example/)\n"
    assert inspected(stage, {index: swapped}) == [
        "acme/decisions/index.md: has a line that no run writes: * [Log in again](https://evil.example/)"
    ]


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
