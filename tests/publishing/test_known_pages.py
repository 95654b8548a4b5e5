"""A build reads those pages alone that changed, and believes nothing that it did not write itself."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from pipeline.finding import Finding
from pipeline.publishing.known_pages import KnownPages
from pipeline.reading.remembered import stamp_of
from pipeline.site.each import OneByOne
from pipeline.site.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from pipeline.site.each import Item, Result

ONE = ("a/one.md", b"---\ntype: Concept\ntitle: One\n---\n\nText.\n")
TWO = ("a/two.md", b"---\ntype: Concept\ntitle: Two\n---\n\nText.\n")


@dataclass(slots=True)
class Counting(OneByOne):
    """Does everything here, and tells what it was asked to do."""

    asked: list[object] = field(default_factory=list)

    def on(self, items: Sequence[Item], work: Callable[[Item], Result]) -> Iterable[Result]:
        self.asked += items
        return map(work, items)


def read(folder: Path, *files: tuple[str, bytes], name: str = "site.pages") -> tuple[list[str], list[object]]:
    """Read pages; give their titles, or what was found wrong, and those that were read anew."""
    each = Counting()
    found = KnownPages(folder, name, each).read(files)
    return [one.title if isinstance(one, Facts) else one.rule for one in found], each.asked


def memory(folder: Path) -> Path:
    (place,) = (path for path in folder.iterdir() if path.name.startswith("site.pages"))
    return place


def test_what_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    assert read(tmp_path, ONE, TWO) == (["One", "Two"], [ONE, TWO])
    assert read(tmp_path, TWO, ONE) == (["Two", "One"], [])


def test_a_changed_page_alone_is_read(tmp_path: Path) -> None:
    read(tmp_path, ONE, TWO)
    changed = (TWO[0], TWO[1].replace(b"Two", b"Three"))

    assert read(tmp_path, ONE, changed) == (["One", "Three"], [changed])
    assert read(tmp_path, ONE, changed) == (["One", "Three"], [])


def test_the_same_bytes_at_another_path_are_another_page(tmp_path: Path) -> None:
    read(tmp_path, ONE)
    moved = ("b/gotchas/one.md", ONE[1])

    assert read(tmp_path, moved) == (["One"], [moved])


def test_a_page_that_went_is_forgotten(tmp_path: Path) -> None:
    read(tmp_path, ONE, TWO)
    read(tmp_path, ONE)

    assert read(tmp_path, ONE, TWO)[1] == [TWO]


def test_what_is_wrong_is_told_every_time(tmp_path: Path) -> None:
    broken = ("x.md", b"---\na: [\n---\n")
    odd = ("y.md", b"---\ntitle: Y\ntags: one\n---\n")
    for _ in range(2):
        known = KnownPages(tmp_path, "site.pages")
        found = known.read([broken, odd])

        assert isinstance(found[0], Finding)
        assert isinstance(found[1], Facts)
        assert [one.where for one in known.broken] == ["x.md", "y.md"]


def test_builds_of_two_sites_remember_apart(tmp_path: Path) -> None:
    read(tmp_path, ONE)
    read(tmp_path, TWO, name="site-offline.pages")

    assert read(tmp_path, ONE)[1] == []
    assert read(tmp_path, TWO, name="site-offline.pages")[1] == []


def test_a_memory_that_came_with_a_copy_is_not_believed(tmp_path: Path) -> None:
    home, clone = tmp_path / "home", tmp_path / "clone"
    read(home, ONE)
    clone.mkdir()
    shutil.copyfile(memory(home), clone / memory(home).name)

    assert read(clone, ONE)[1] == [ONE]
    assert read(clone, ONE)[1] == []


def _garbled(raw: bytes) -> bytes:
    return raw[:-1] + bytes([raw[-1] ^ 1])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: b"",
        lambda raw: b"\xff\x00",
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw.replace(b'["Facts"', b'["Page"'),
        lambda raw: b"0" * 32 + raw[32:],
        _garbled,
    ],
)
def test_a_spoilt_memory_is_as_if_there_were_none(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    read(tmp_path, ONE)
    place = memory(tmp_path)
    place.write_bytes(spoil(place.read_bytes()))
    place.rename(tmp_path / f"site.pages-{stamp_of(place)}")

    assert read(tmp_path, ONE) == (["One"], [ONE])


def test_a_folder_that_cannot_be_written_costs_time_alone(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")

    assert read(file, ONE) == (["One"], [ONE])
    assert read(file / "below", ONE) == (["One"], [ONE])


def test_what_is_never_remembered_makes_nobody_write_the_memory_again(tmp_path: Path) -> None:
    large = ("large.md", ONE[1] + b"word " * 100_000)
    odd = ("odd.md", b"---\ntitle: Y\ntags: one\n---\n")
    read(tmp_path, ONE, large, odd)
    before = memory(tmp_path).name

    assert read(tmp_path, ONE, large, odd)[1] == [large, odd]
    assert memory(tmp_path).name == before


def test_one_memory_is_kept(tmp_path: Path) -> None:
    for number in range(3):
        read(tmp_path, (f"{number}.md", ONE[1]))

    assert len(list(tmp_path.iterdir())) == 1
