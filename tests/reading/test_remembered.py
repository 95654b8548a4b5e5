"""What is remembered of a build: it comes back as it was, counts only while nothing changed, and never breaks one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.finding import Finding
from pipeline.reading.remembered import (
    Kept,
    Manifest,
    environment_digest,
    read_manifest,
    stamp_of,
    write_manifest,
)
from pipeline.site.looking import Looked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHOLE = Manifest(
    "e1",
    "/somewhere/site",
    {"a/index.html": Kept("d1", "12-3"), "404.html": Kept("", "13-4"), "\u00fc.json": Kept("d2", "14-5")},
    {
        "a/index.html": Looked(
            frozenset({"one", "gr\u00fcn"}),
            ("b/", "b/#one"),
            (Finding("a/index.html", "site-size", "note", "is large.", "Split it."),),
        ),
        "404.html": Looked(frozenset(), ("b/",)),
    },
)


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "inner/site.json"
    write_manifest(place, WHOLE)
    assert read_manifest(place) == WHOLE
    assert [entry.name for entry in place.parent.iterdir()] == ["site.json"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:-20],
        lambda raw: b"",
        lambda raw: b"[]",
        lambda raw: b"null",
        lambda raw: b'{"version": 1}',
        lambda raw: b"2" + raw[1:],
        lambda raw: raw.replace(b'"targets":["b/","b/#one"]', b'"targets":[]'),
        lambda raw: raw.replace(b'"d1"', b'"d2"'),
        lambda raw: raw.partition(b"\n")[2],
        lambda raw: b"\xff\xfe" + raw,
        lambda raw: b"[" * 100_000,
    ],
)
def test_what_is_damaged_is_as_if_there_were_nothing(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    place = tmp_path / "site.json"
    write_manifest(place, WHOLE)
    before = place.read_bytes()
    place.write_bytes(damage(before))
    assert place.read_bytes() != before
    assert read_manifest(place) is None


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    write_manifest(tmp_path / "file/site.json", WHOLE)
    assert read_manifest(tmp_path / "file/site.json") is None


def test_a_stamp_tells_a_change_and_no_file_has_none(tmp_path: Path) -> None:
    file = tmp_path / "x"
    assert stamp_of(file) == ""
    file.write_bytes(b"one")
    first = stamp_of(file)
    file.write_bytes(b"three")
    assert stamp_of(file) != first


def test_the_environment_is_all_that_pages_depend_on(tmp_path: Path) -> None:
    for path in ("theme/a.css", "hooks/one.py", "base.yml", "wiki/x.md", "includes/x.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"x")
    configuration = b"""\
INHERIT: base.yml
docs_dir: wiki
theme: { custom_dir: theme, name: !ENV [THEME, material] }
hooks: [hooks/one.py]
markdown_extensions: [ { snippets: { base_path: includes } } ]
extra: { outside: /etc, long: 'a\\nb', all: '*' }
"""
    variables = {"THEME": "material", "OTHER": "x"}

    def told(configuration: bytes = configuration, **changed: str) -> str:
        return environment_digest(configuration, tmp_path, environment={**variables, **changed}, apart=("wiki",))

    before = told()
    assert told() == before
    assert told(OTHER="y") == before
    (tmp_path / "wiki/x.md").write_bytes(b"y")
    (tmp_path / "unnamed").write_bytes(b"y")
    assert told() == before
    seen = {before, told(THEME="other"), told(configuration + b"# one more line\n")}
    for path in ("theme/a.css", "theme/new.html", "hooks/one.py", "base.yml", "includes/x.txt"):
        (tmp_path / path).write_bytes(b"changed")
        seen.add(told())
    (tmp_path / "theme/new.html").rename(tmp_path / "theme/newer.html")
    seen.add(told())
    assert len(seen) == 9
    assert told(b"a: [") != told(b"a: ]")
    assert json.dumps(before)
