"""Observations that pages cite are found by file, line and label; also when lines have moved, and without secrets."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from pipeline.config import Settings
from pipeline.observations.inbox.lookup import Citation, look_up
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.observations.redaction.redact import make_redactor
from pipeline.wiki.revision.sources import labels_of, source_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pipeline.observations.observation import Observation

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # it opens nothing


def line(own: str, body: str = "We use cookies.", **fields: str) -> bytes:
    told = {"id": own, "ts": "2026-11-29T08:00:00Z", "session_id": "s1", "body": body, **fields}
    return json.dumps(told).encode() + b"\n"


def cite(file: str, number: int, own: str, size: int = 5) -> Citation:
    return Citation(file, number, source_id(own, size))


def look(root: Path, *citations: Citation) -> Mapping[Citation, Observation]:
    redactor = make_redactor(Settings().redaction)
    return look_up(root, citations, redactor=redactor, default_project="acme")


def test_a_cited_line_is_found(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("a") + line("b", "We use Redis."))
    found = look(tmp_path, cite("day.jsonl", 2, "b"))
    assert [(one.id, one.body, one.place, one.session.project) for one in found.values()] == [
        ("b", "We use Redis.", Place("day.jsonl", 2), "acme")
    ]


def test_a_line_without_an_id_of_its_own_is_found_by_what_it_says(tmp_path: Path) -> None:
    raw = json.dumps({"ts": "2026-11-29T08:00:00Z", "session_id": "s1", "body": "We use cookies."}).encode()
    (tmp_path / "day.jsonl").write_bytes(raw)
    assert look(tmp_path, Citation("day.jsonl", 1, "o-0123456789")) == {}
    (tmp_path / "day.jsonl").write_bytes(line("x") + raw + b"\n")
    own = parse_line(raw, Place("day.jsonl", 2), default_project="acme").id
    assert [one.place.line for one in look(tmp_path, cite("day.jsonl", 1, own)).values()] == [2]


def test_a_line_that_has_moved_is_found_in_its_file_alone(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("c") + line("a") + line("b"))
    (tmp_path / "other.jsonl").write_bytes(line("d"))
    moved, still, elsewhere = cite("day.jsonl", 1, "b"), cite("day.jsonl", 2, "a"), cite("day.jsonl", 1, "d")
    found = look(tmp_path, moved, still, elsewhere)
    assert {one: observation.place.line for one, observation in found.items()} == {moved: 3, still: 2}


def test_labels_of_every_length_are_known(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("a"))
    wanted = [Citation("day.jsonl", 1, label) for label in labels_of("a")]
    assert len({len(one.label) for one in wanted}) == 4
    assert set(look(tmp_path, *wanted)) == set(wanted)
    assert not look(tmp_path, Citation("day.jsonl", 1, wanted[1].label[:-2]))


def test_one_observation_that_is_cited_with_two_lines_answers_both(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("x") + line("a"))
    before, after = cite("day.jsonl", 1, "a"), cite("day.jsonl", 2, "a")
    found = look(tmp_path, before, after, after)
    assert [found[one].place.line for one in (before, after)] == [2, 2]


def test_of_two_lines_with_one_id_the_cited_one_counts(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("a", "first") + line("a", "second"))
    found = look(tmp_path, cite("day.jsonl", 2, "a"))
    assert [one.body for one in found.values()] == ["second"]


def test_packed_files_are_read_and_damaged_ones_as_far_as_they_go(tmp_path: Path) -> None:
    packed = gzip.compress(line("a") + line("b"), mtime=0)
    (tmp_path / "day.jsonl.gz").write_bytes(packed)
    (tmp_path / "torn.jsonl.gz").write_bytes(packed[:-12])
    assert len(look(tmp_path, cite("day.jsonl.gz", 2, "b"), cite("day.jsonl.gz", 9, "a"))) == 2
    assert len(look(tmp_path, cite("torn.jsonl.gz", 1, "a"))) == 1


def test_what_is_not_there_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("a"))
    (tmp_path / "notes.txt").write_bytes(line("a"))
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "out.jsonl").symlink_to(tmp_path.parent / "away.jsonl")
    (tmp_path.parent / "away.jsonl").write_bytes(line("a"))
    files = ["gone.jsonl", "notes.txt", "../away.jsonl", "out.jsonl", "folder.jsonl", "", "\0", "/etc/passwd"]
    assert look(tmp_path, *(cite(file, 1, "a") for file in files)) == {}
    assert look(tmp_path, cite("day.jsonl", 1, "b")) == {}
    assert look(tmp_path / "missing", cite("day.jsonl", 1, "a")) == {}
    assert look(tmp_path) == {}


def test_lines_that_cannot_be_read_hide_no_other(tmp_path: Path) -> None:
    raw = b'{"half": \n\n\xff\xfe\n[1]\n' + line("a") + b"\0\0\0\n" + line("b").rstrip(b"\n")
    (tmp_path / "day.jsonl").write_bytes(raw)
    found = look(tmp_path, cite("day.jsonl", 1, "a"), cite("day.jsonl", 7, "b"), cite("day.jsonl", 4, "c"))
    assert [one.place.line for one in found.values()] == [7, 5]


@pytest.mark.parametrize("file", ["odd.jsonl", "broken.jsonl.gz"])
def test_a_file_that_cannot_be_read_costs_its_own_citations(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_bytes(b"no gzip at all")
    (tmp_path / "day.jsonl").write_bytes(line("a"))
    assert list(look(tmp_path, cite(file, 1, "a"), cite("day.jsonl", 1, "a"))) == [cite("day.jsonl", 1, "a")]


def test_secrets_do_not_come_along(tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_bytes(line("a", f"The token is {SECRET}.", author=SECRET) + line(SECRET, "b"))
    redactor = make_redactor(Settings().redaction)
    label = source_id(redactor.safe_id(SECRET))
    found = look(tmp_path, cite("day.jsonl", 1, "a"), Citation("day.jsonl", 1, label))
    assert len(found) == 2
    assert SECRET not in repr(found)
    assert "[REDACTED:" in found[cite("day.jsonl", 1, "a")].body


def test_a_large_file_is_not_held_and_many_citations_cost_no_more_than_few(tmp_path: Path) -> None:
    body, lines = "x" * 10_000, 2_000
    with (tmp_path / "day.jsonl").open("wb") as file:
        for number in range(lines):
            file.write(line(f"i{number}", body if number % 2 else "short"))
    wanted = [cite("day.jsonl", 1, f"i{number}") for number in range(0, lines, 2)]
    tracemalloc.start()
    try:
        found = look(tmp_path, *wanted)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [found[one].place.line for one in wanted] == list(range(1, lines + 1, 2))
    assert peak < 8_000_000, "the file has more than 10 MB"
