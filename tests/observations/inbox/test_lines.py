from __future__ import annotations

import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.observations.consumed import EMPTY_DIGEST, FileMark
from pipeline.observations.inbox import lines
from pipeline.observations.inbox.lines import Line, LineReader, Position, decompress


def digest(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=32).hexdigest()


def blocks(raw: bytes, size: int) -> list[bytes]:
    return [raw[start : start + size] for start in range(0, len(raw), size)]


@given(st.binary(max_size=80).map(lambda raw: raw.replace(b"\x01", b"\n").replace(b"\x02", b"\n")), st.integers(1, 90))
def test_lines_are_those_of_the_bytes_whatever_the_blocks(raw: bytes, size: int) -> None:
    reader = LineReader(blocks(raw, size))
    given, starts = [], []
    for line in reader.lines():
        given.append(line.raw + b"\n" * line.ended)
        starts.append(reader.position)
    assert b"".join(given) == raw
    assert [line.count(b"\n") for line in given[:-1]] == [1] * (len(given) - 1)
    before = b""
    for number, (piece, start) in enumerate(zip(given, starts, strict=True)):
        assert start == Position(len(before), number, digest(before))
        before += piece
    assert reader.position == Position(len(raw), len(given), digest(raw))


def test_nothing_was_read_at_first() -> None:
    assert LineReader([]).position == Position(0, 0, EMPTY_DIGEST)


@given(st.integers(0, 8), st.integers(1, 9))
def test_reading_goes_on_where_a_mark_ends(cut: int, size: int) -> None:
    raw = b"aa\nb\n\ncc"
    mark = FileMark("x", cut, raw[:cut].count(b"\n") + (raw[:cut][-1:] not in {b"", b"\n"}), digest(raw[:cut]))
    reader = LineReader(blocks(raw, size))
    assert reader.skip(mark)
    found = list(reader.lines())
    assert b"".join(line.raw + b"\n" * line.ended for line in found) == raw[cut:]
    assert [line.number for line in found] == list(range(1, 5))[4 - len(found) :]
    assert reader.position == Position(8, 4, digest(raw))


def test_what_follows_an_open_line_has_its_number() -> None:
    reader = LineReader([b'{"a":1}\nnext\n'])
    assert reader.skip(FileMark("x", 7, 1, digest(b'{"a":1}')))
    assert list(reader.lines()) == [Line(b"", 1, ended=True), Line(b"next", 2, ended=True)]


@pytest.mark.parametrize("raw", [b"", b"aa", b"ab\n", b"xa\nbb\n"])
def test_other_bytes_than_those_of_the_mark_are_told(raw: bytes) -> None:
    assert not LineReader([raw]).skip(FileMark("x", 3, 1, digest(b"aa\n")))


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_a_line_that_is_too_long_counts_but_is_not_held(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 6)
    raw = b"12345\n" + b"1234567\n" + b"ab\n" + b"x" * 50
    reader = LineReader(blocks(raw, size))
    found = []
    for line in reader.lines():
        found.append(line)
        if not line.ended:
            break
    assert found == [
        Line(b"12345", 1, ended=True),
        Line(b"", 2, ended=True, too_long=True),
        Line(b"ab", 3, ended=True),
        Line(b"", 4, ended=False, too_long=True),
    ]
    assert reader.position == Position(17, 3, digest(raw[:17]))


TEXT = b"".join(b'{"line": %d, "more": "%d"}\n' % (number, number**5) for number in range(2_000))


def unpack(packed: bytes, size: int = 1000) -> tuple[bytes, list[str]]:
    trouble: list[str] = []
    return b"".join(decompress(blocks(packed, size), trouble.append)), trouble


@pytest.mark.parametrize("size", [1, 10, 1000, 10**6])
def test_a_whole_gzip_file_is_unpacked(size: int) -> None:
    assert unpack(gzip.compress(TEXT), size) == (TEXT, [])


@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
def test_members_and_padding_are_unpacked(size: int) -> None:
    packed = gzip.compress(b"one\n") + gzip.compress(b"two\n") + bytes(100) + gzip.compress(b"three\n") + bytes(9)
    assert unpack(packed, size) == (b"one\ntwo\nthree\n", [])


def test_a_large_unpacked_text_comes_in_parts() -> None:
    text = bytes(5_000_000) + b"\n"
    trouble: list[str] = []
    parts = list(decompress([gzip.compress(text)], trouble.append))
    assert trouble == []
    assert b"".join(parts) == text
    assert max(map(len, parts)) <= 1024 * 1024


@given(st.integers(0, len(gzip.compress(TEXT)) - 1))
def test_a_gzip_file_that_was_cut_gives_what_it_has(cut: int) -> None:
    unpacked, trouble = unpack(gzip.compress(TEXT)[:cut])
    assert TEXT.startswith(unpacked)
    assert trouble == (["its compressed bytes end too early"] if cut else [])


@given(st.integers(20, len(gzip.compress(TEXT)) - 20), st.integers(1, 255))
def test_a_gzip_file_that_was_damaged_gives_what_stands_before(place: int, change: int) -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[place] ^= change
    unpacked, trouble = unpack(bytes(packed))
    assert len(trouble) == 1
    assert unpacked[:10] == TEXT[:10] or place < 200


def test_no_gzip_at_all_is_told() -> None:
    assert unpack(b"plain text\n") == (b"", ["its compressed bytes are damaged"])
    assert unpack(gzip.compress(b"one\n") + b"garbage") == (b"one\n", ["its compressed bytes are damaged"])
    assert unpack(b"") == (b"", [])
