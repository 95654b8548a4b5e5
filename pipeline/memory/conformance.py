"""Owns what every memory must do, as tests: subclass `Conformance` in a test of yours and give it your adapter.

    class TestMyMemory(Conformance):
        def make(self, files: Mapping[str, str]) -> Memory:
            return MyMemory(files)

`make` gets the files that stand at first, by their paths below `/memories`. An adapter that cannot be written says
`writable = False`. pytest collects the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pipeline.memory.failure import Failure
from pipeline.memory.port import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.memory.port import Memory

REFUSED = (
    *("", "a.md", "memories/a.md", "/", "/a.md", "/memoriesx/a.md", "/other/../memories/a.md"),
    *("/memories/..", "/memories/../a.md", "/memories/a/../b.md", "/memories/a.md\0", "/memories/\0/a.md"),
    *("\\memories\\a.md", "/memories\\a.md", "/memories/a\\b.md", "C:/memories/a.md", "C:\\memories", "//?/C:/a.md"),
    *("/memories/con.md", "/memories/a:b.md", "/memories/a ", "/memories/a.", "/memories/.git/config"),
    *("/memories/a\nb.md", "/memories/" + "a" * 300 + ".md", "/memories/" + "a/" * 600 + "b.md"),
)
"""Paths that name no place in a memory."""

FILES = {
    "b.md": "Bé 👩‍👩‍👧\r\nlast line without an end",
    "a.md": "",
    "a/c.md": "C",
    "a/b/d.md": "D",
    ".hidden.md": "hidden",
    "日本/語.md": "語",
}


class Conformance:
    """The promises of `pipeline.memory.port`, one a test."""

    writable: ClassVar[bool] = True

    def make(self, files: Mapping[str, str]) -> Memory:
        """Give a fresh memory that holds `files` and nothing else."""
        raise NotImplementedError

    def test_lists_are_sorted_and_show_no_hidden_name(self) -> None:
        memory = self.make(FILES)
        expected = [("a", True), ("a.md", False), ("b.md", False), ("日本", True)]
        _same(memory.list("/memories"), tuple(Entry(f"/memories/{name}", folder) for name, folder in expected))
        _same(memory.list("/memories/a"), (Entry("/memories/a/b", folder=True), Entry("/memories/a/c.md")))

    def test_the_root_always_stands(self) -> None:
        _same(self.make({}).list("/memories"), ())

    def test_what_does_not_stand_is_none(self) -> None:
        memory = self.make(FILES)
        for folder in ("/memories/none", "/memories/a.md", "/memories/b.md/c"):
            _same(memory.list(folder), None)
        for path in ("/memories/none.md", "/memories/a", "/memories/a.md/b.md", "/memories"):
            _same(memory.read(path), None)

    def test_texts_come_back_as_they_are(self) -> None:
        memory = self.make(FILES)
        for path, text in FILES.items():
            _same(memory.read(f"/memories/{path}"), text)

    def test_paths_are_normalised(self) -> None:
        memory = self.make(FILES)
        _same(memory.read("/memories//a/./c.md"), "C")
        _same(memory.list("//memories/./a/b/"), (Entry("/memories/a/b/d.md"),))

    def test_refused_paths_are_failures(self) -> None:
        memory = self.make(FILES)
        for path in REFUSED:
            _fails(memory.list(path), "read_failed", path)
            _fails(memory.read(path), "read_failed", path)
            _fails(memory.write(path, "x"), "write_failed", path)
            _fails(memory.write_if(path, "x", None), "write_failed", path)

    def test_writing(self) -> None:
        memory = self.make(FILES)
        if not self.writable:
            _fails(memory.write("/memories/b.md", "x"), "write_failed", "/memories/b.md")
            _fails(memory.write_if("/memories/n.md", "x", None), "write_failed", "/memories/n.md")
            _same(memory.read("/memories/b.md"), FILES["b.md"])
            return
        for path, text in (("/memories/b.md", "new"), ("/memories/x/y/z.md", "a\r\nb\rc\n"), ("/memories/a.md", "é")):
            _same(memory.write(path, text), None)
            _same(memory.read(path), text)
        _same(memory.list("/memories/x/y"), (Entry("/memories/x/y/z.md"),))

    def test_what_cannot_be_written_stays_as_it_is(self) -> None:
        memory = self.make(FILES)
        for path, text in (("/memories", "x"), ("/memories/a", "x"), ("/memories/b.md/c.md", "x")):
            _fails(memory.write(path, text), "write_failed", path)
        _fails(memory.write("/memories/b.md", "half \ud83d"), "write_failed", "/memories/b.md")
        _same(memory.read("/memories/b.md"), FILES["b.md"])

    def test_writing_on_a_condition(self) -> None:
        if not self.writable:
            return
        memory = self.make(FILES)
        path = "/memories/new.md"
        _same(memory.write_if(path, "1", None), None)
        _fails(memory.write_if(path, "2", None), "conflict", path)
        _fails(memory.write_if(path, "2", "0"), "conflict", path)
        _same(memory.read(path), "1")
        _same(memory.write_if(path, "2", "1"), None)
        _fails(memory.write_if(path, None, "1"), "conflict", path)
        _same(memory.write_if(path, None, "2"), None)
        _same(memory.read(path), None)
        _same(memory.write_if(path, None, None), None)
        _fails(memory.write_if("/memories/none.md", "x", "y"), "conflict", "/memories/none.md")


def _same(got: object, expected: object) -> None:
    if got != expected:
        raise AssertionError(f"got {got!r}, expected {expected!r}")


def _fails(got: object, code: str, path: str) -> None:
    if not isinstance(got, Failure) or got.code != code:
        raise AssertionError(f"got {got!r} for {path!r}, expected a failure with the code {code}")
    printable = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in path)[:100]
    if printable not in got.message:
        raise AssertionError(f"{got.message!r} does not name {path!r}")
