"""What was read of a page comes back as the same value."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.facts import Facts
from pipeline.site.facts_reading import read_facts
from pipeline.site.facts_stored import restored, stored
from pipeline.site.library_reading import read_page
from pipeline.wiki.format.page import Page, Source

PAGE = """\
---
type: Decision
title: "Ключ: \\"x\\""
tags: [a, 2, on]
generated: { by: wikimill/some-model, at: 2026-11-30T10:00:00+02:00 }
verified:
  - { by: human:ann, at: 2026-12-01 }
stale_after: 2027-01-01
supersedes: [old.md, [1.5, true, null, .inf]]
sources:
  - id: o-1
    resource: ../observations/2026-11-10.jsonl#L1
---

# Head {#own}

One claim.[^o-1] See [there](b/c.md#x).

[^o-1]: Told
""".encode()


def facts(raw: bytes) -> Facts:
    found = read_page(("a/b.md", raw))
    assert isinstance(found, Facts)
    return found


def test_what_was_read_comes_back_with_the_same_types() -> None:
    read = facts(PAGE)
    line = stored(read)
    back = restored(line)

    assert back == read
    assert repr(back) == repr(read)
    assert back.page.front["stale_after"] == date(2027, 1, 1)
    assert back.sources == (Source("o-1", "../observations/2026-11-10.jsonl#L1", "", ""),)
    assert back.page.origin is None
    assert b"\n" not in line
    assert line.isascii()


TIMES = st.datetimes().map(lambda time: time.replace(fold=0))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.dates() | TIMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.text())
def test_any_front_matter_and_body_come_back(front: dict[str, object], body: str) -> None:
    read = read_facts("x.md", Page(front, body))  # type: ignore[arg-type]  # the values are those of YAML

    assert repr(restored(stored(read))) == repr(read)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"null",
        b"1",
        b'"Facts"',
        b"[]",
        b"{}",
        b'["Facts"]',
        b'["Facts",1]',
        b'["os.system","x"]',
        b'[["Facts"]]',
        b'["m","a"]',
        b'["day"]',
        b'["day","no"]',
        b'["Section","a","b",1,"c"]',
        b"[" * 5_000,
        b"\xff",
    ],
)
def test_anything_else_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"^"):
        restored(line)
