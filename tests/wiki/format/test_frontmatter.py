from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Rejected
from pipeline.wiki.format.frontmatter import parse, read, render, rewrite, split

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.wiki.format.frontmatter import Yaml

DESIGN = """\
type: Decision
title: Session cookies instead of JWT
description: The web app keeps login state in signed, HTTP-only cookies.
tags: [auth, web]
status: stable
generated: { by: wikimill/extractive, at: 2026-11-30T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }
sources:
- id: o-3f2a9c1e55
  resource: ../../../observations/acme/2026-11-29.jsonl#L12
  title: "2026-11-29 14:03 user: we decided on cookies"
  author: human:dana
session_id: 7f4c0a11
agent_kind: claude-code
consolidated: true
"""

AMBIGUOUS = [
    *[
        "yes",
        "No",
        "on",
        "OFF",
        "true",
        "null",
        "~",
        "y",
        "010",
        "0x1F",
        "0o17",
        "1_000",
        "1.10",
        "1.",
        ".5",
        "1e3",
        "+1",
    ],
    *["10:30", "10:30:00", "2026-11-30", "2026-11-30T08:00:00Z", "2026-11-30 08:00:00", "=", "<<", ".inf", ".nan", "-"],
    *[
        " x",
        "x ",
        "",
        "#x",
        "x #y",
        "a: b",
        "a:",
        "- a",
        "@x",
        "`x`",
        "!x",
        "&x",
        "*x",
        "%x",
        "? x",
        "|",
        ">",
        "[a",
        "{a",
    ],
    *[
        "'",
        '"',
        "\\",
        "a\nb",
        "a\tb",
        "a\rb",
        "\u2028",
        "\x85",
        "\ufeff",
        "\x00",
        "\uffff",
        "\u202e",
        "---",
        "...",
        "é: ü",
    ],
]
TEXTS = (
    st.text(max_size=30)
    | st.sampled_from(AMBIGUOUS)
    | st.text(st.sampled_from("a1.:-#[]{},'\" é🎉🏴\u200d\n\\"), max_size=12)
)
SAFE = TEXTS.map(lambda text: text.encode("utf-8", "replace").decode())
MOMENTS = st.datetimes() | st.datetimes(
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=2)), timezone(-timedelta(hours=5, minutes=30))]),
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False)
    | SAFE
    | MOMENTS
    | st.dates()
)
KEYS = SAFE.map(lambda text: text[:40])


def values() -> st.SearchStrategy[Yaml]:
    return st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
    )


TEXT_VALUES = st.dictionaries(st.sampled_from(["type", "title", "description", "status", "session_id"]), SAFE)
FRONTS = st.builds(
    lambda texts, tags, rest: {**texts, **tags, **{f"x-{key}": value for key, value in rest.items()}},
    TEXT_VALUES,
    st.fixed_dictionaries({}, optional={"tags": st.lists(SAFE, max_size=3)}),
    st.dictionaries(KEYS, values(), max_size=4),
)


def test_the_form_of_the_design_comes_back_byte_for_byte() -> None:
    front = parse(DESIGN)
    assert render(front) == DESIGN
    assert front["generated"] == {"by": "wikimill/extractive", "at": datetime(2026, 11, 30, 8, tzinfo=UTC)}
    assert front["consolidated"] is True
    assert list(front)[:3] == ["type", "title", "description"]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_text_stays_a_text_for_every_reader(text: str) -> None:
    block = render({"title": text, "x-list": [text], "x-map": {"in": text}, "generated": {"by": text}})
    for loaded in (parse(block), yaml.safe_load(block), yaml.load(block, Loader=yaml.SafeLoader)):
        assert loaded == {"title": text, "x-list": [text], "x-map": {"in": text}, "generated": {"by": text}}
    assert block.count("\n") == 5


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Session cookies", "Session cookies"),
        ("🎉 party 👩‍💻", '"🎉 party 👩‍💻"'),
        ("🎉 party", "🎉 party"),
        ("Größe, 日本語", "Größe, 日本語"),
        ('it\'s "so"', 'it\'s "so"'),
        ("7f4c", "7f4c"),
        ("1e10", '"1e10"'),
        ("../x.jsonl#L12", "../x.jsonl#L12"),
        ("a\u202eb", '"a\\u202eb"'),
        ("x" * 500, "x" * 500),
        (None, "null"),
        (1.0, "1.0"),
        (1e20, "1.0e+20"),
        (float("-inf"), "-.inf"),
        ([], "[]"),
        ({}, "{}"),
        (["a", "b, c", 1], '[a, "b, c", 1]'),
        (date(2026, 11, 30), "2026-11-30"),
        (datetime(2026, 11, 30, 8, 0, tzinfo=UTC), "2026-11-30T08:00:00Z"),
        (datetime(2026, 11, 30, 8, 0, 0, 500, tzinfo=timezone(timedelta(hours=1))), "2026-11-30T08:00:00.000500+01:00"),
    ],
)
def test_values_are_written_plainly(value: Yaml, written: str) -> None:
    assert render({"x": value}) == f"x: {written}\n"


def test_nothing_is_shared_by_anchors() -> None:
    shared: list[Yaml] = ["a"]
    assert render({"one": shared, "two": shared}) == "one: [a]\ntwo: [a]\n"
    assert render({}) == ""


@settings(max_examples=100, deadline=None)
@given(FRONTS)
def test_what_is_written_is_read(front: dict[str, Yaml]) -> None:
    block = render(front)
    again = parse(block)
    assert again == front
    assert [type(value) for value in again.values()] == [type(value) for value in front.values()]
    assert list(again) == list(front)
    assert render(again) == block
    assert rewrite(block, front) == block
    assert block == "" or (block.endswith("\n") and not block.endswith("\n\n"))


@settings(max_examples=60, deadline=None)
@given(front=FRONTS, body=st.text(max_size=40))
def test_through_the_disk(tmp_path_factory: pytest.TempPathFactory, front: dict[str, Yaml], body: str) -> None:
    path: Path = tmp_path_factory.mktemp("page") / "page.md"
    text = f"---\n{render(front)}---\n{body}"
    path.write_bytes(text.encode("utf-8", "replace"))
    cut = split(path.read_bytes())
    assert cut.text.encode() == path.read_bytes()
    assert parse(cut.block) == front


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["---", "----", "...", "a: 1", "text", "\n", "\r\n", "\r", " ", "\ufeff", "é"]), max_size=12
    )
)
def test_a_file_is_the_sum_of_its_parts(pieces: list[str]) -> None:
    raw = "".join(pieces).encode()
    try:
        cut = split(raw)
    except Rejected:
        assert b"a: 1" in raw
        return
    assert ("\ufeff" * cut.bom + cut.text).encode() == raw


@pytest.mark.parametrize(
    ("block", "front", "rules"),
    [
        ("title: 2026\n", {"title": "2026"}, ["front-matter-text"]),
        ("title: yes\ntags: [on, 1.0]\n", {"title": "yes", "tags": ["on", "1.0"]}, ["front-matter-text"] * 3),
        ("x: 1.10\ny: 010\nz: 10:30\n", {"x": "1.10", "y": "010", "z": "10:30"}, ["front-matter-text"] * 3),
        ("x: 2026-13-45\n", {"x": "2026-13-45"}, ["front-matter-text"]),
        ("x: 1.5\ny: -3\nz: no\n", {"x": 1.5, "y": -3, "z": False}, []),
        ("on: 1\n1: 2\n", {"on": 1, "1": 2}, ["front-matter-key"] * 2),
        ("a: 1\nb: 2\na: 3\n", {"a": 3, "b": 2}, ["front-matter-duplicate-key"]),
        ("a:\n\t- x\n\t- y\n", {"a": ["x", "y"]}, ["front-matter-tabs"]),
        ("a: &x [1]\nb: *x\n", {"a": [1], "b": [1]}, []),
        ("# nothing\n", {}, []),
        ("", {}, []),
        ("title:\n", {"title": None}, []),
        ("a: |\r\n  x\r\n  y\r\n", {"a": "x\ny\n"}, []),
    ],
)
def test_mistakes_are_read_and_named(block: str, front: dict[str, Yaml], rules: list[str]) -> None:
    found = read(block, "acme/concepts/x.md")
    assert found is not None
    assert found.front == front
    assert [finding.rule for finding in found.findings] == rules
    assert all(finding.where == "acme/concepts/x.md" for finding in found.findings)


@pytest.mark.parametrize(
    "block",
    [
        "title: Foo: bar\n",
        "a: [1\n",
        "a: !!python/object:os.system x\n",
        "a: !ENV x\n",
        "a: !!binary aGk=\n",
        "<<: {a: 1}\n",
        "? [a]\n: 1\n",
        f"? {'x' * 1_001}\n: 1\n",
        "a: \x00\n",
        "a: " + "[" * 200 + "]" * 200,
        "a: &a [*a]\n",
        "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)),
        "a: " + "x" * 300_000,
    ],
)
def test_what_cannot_be_read_is_refused(block: str) -> None:
    with pytest.raises(Rejected) as caught:
        read(block, "acme/concepts/x.md")
    assert caught.value.where == "acme/concepts/x.md"
    assert caught.value.next_step


def test_a_refusal_names_the_line() -> None:
    with pytest.raises(Rejected, match=r"line 3: mapping values are not allowed"):
        read("type: Concept\ntitle: Foo: bar\n", "x.md")


@pytest.mark.parametrize(
    ("raw", "block", "body"),
    [
        (b"---\ntitle: x\n---\n\n# X\n", "title: x\n", "# X\n"),
        (b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n\r\n# X", "title: x\r\n", "# X"),
        (b"---\rtitle: x\r---\r# X\r", "title: x\r", "# X\r"),
        (b"---\n---\n    code\n", "", "    code\n"),
        (b"\n----\ntitle: x\n----\n", "title: x\n", ""),
        (b"---\ntitle: x\n...\nbody", "title: x\n", "body"),
        (b"---\ntitle: x\n---", "title: x\n", ""),
        (b"# X\n\n---\n\ntext", "", "# X\n\n---\n\ntext"),
        (b"---\nHello\n", "", "---\nHello\n"),
        (b"---", "", "---"),
        (b"", "", ""),
    ],
)
def test_where_front_matter_stands(raw: bytes, block: str, body: str) -> None:
    cut = split(raw)
    assert (cut.block, cut.body) == (block, body)
    assert ("\ufeff" * cut.bom + cut.text).encode() == raw


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"---\ntitle: x\n# never closed\n"])
def test_a_file_that_cannot_be_cut_is_refused(raw: bytes) -> None:
    with pytest.raises(Rejected):
        split(raw, "x.md")


def test_an_untouched_key_keeps_its_lines() -> None:
    old = (
        "# by Dana\ntype:   Decision\ntitle: 'Old'   # short\n\n"
        "# why: see the minutes\nowner: |\n  Dana\n  Sam\ntags:\n  - a\n"
    )
    front = {**parse(old), "title": "New", "status": "stable"}
    assert rewrite(old, {**parse(old), "type": "Rule"}) == old.replace("type:   Decision", "type: Rule")
    assert rewrite(old, front) == (
        "# by Dana\ntype:   Decision\ntitle: New\n\n"
        "# why: see the minutes\nowner: |\n  Dana\n  Sam\ntags:\n  - a\nstatus: stable\n"
    )
    assert rewrite(old, parse(old)) == old
    del front["owner"]
    assert rewrite(old, front) == "# by Dana\ntype:   Decision\ntitle: New\n\ntags:\n  - a\nstatus: stable\n"


@pytest.mark.parametrize("old", ["{a: 1, b: 2}\n", "a: &x 1\nb: *x\n", "a: 1\na: 2\nb: 3\n", "- a\n"])
def test_a_block_that_cannot_be_kept_is_written_anew(old: str) -> None:
    assert parse(rewrite(old, {"a": 5, "b": 6})) == {"a": 5, "b": 6}
