"""Where pages went: git's renames in the order of time, and what a person wrote into the ledger."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.moved import ends_of, moved_findings, moved_with, read_moved

A, B, C, D = "a.md", "b.md", "x/c.md", "x/d.md"


@pytest.mark.parametrize(
    ("renames", "explicit", "present", "moved"),
    [
        ([], {}, [A], {}),
        ([(A, B)], {}, [B], {A: B}),
        ([(A, B), (B, C)], {}, [C], {A: C, B: C}),
        ([(A, B), (B, A)], {}, [A], {B: A}),  # renamed back
        ([(A, B)], {}, [A, B], {}),  # the former path is in use again
        ([(A, B)], {}, [C], {}),  # the page is gone
        ([(A, B), (B, C), (D, B)], {}, [B, C], {A: C, D: B}),  # a name used twice: each page goes its own way
        ([(A, B), (A, C)], {}, [B, C], {A: C}),  # the later page of that name counts
        ([(A, C), (B, C)], {}, [C], {A: C, B: C}),  # two pages became one
        ([(A, C), (B, C), (C, D)], {}, [D], {A: D, B: D, C: D}),
        ([(A, A)], {}, [A], {}),
        ([], {A: B}, [B], {A: B}),
        ([(B, C)], {A: B}, [C], {A: C, B: C}),  # the list, then git
        ([(A, B)], {B: C}, [C], {A: C, B: C}),  # git, then the list
        ([(A, B)], {A: C}, [B, C], {A: C}),  # the list counts more
        ([], {A: B, B: C}, [C], {A: C, B: C}),
        ([], {A: B, B: A}, [C], {A: B, B: A}),  # a circle stays as it is written, for somebody to be told
        ([], {A: B}, [A, B], {A: B}),  # so does an address in use again
        ([], {A: B}, [], {A: B}),  # and a page that is not there
    ],
)
def test_moves_lead_to_where_a_page_is(
    renames: list[tuple[str, str]], explicit: dict[str, str], present: list[str], moved: dict[str, str]
) -> None:
    assert moved_with(renames, explicit, present) == moved


PATHS = st.sampled_from([A, B, C, D, "e.md"])


@given(st.lists(st.tuples(PATHS, PATHS), max_size=8), st.sets(PATHS))
def test_renames_lead_from_what_is_gone_to_what_is_there(renames: list[tuple[str, str]], present: set[str]) -> None:
    moved = moved_with(renames, {}, present)
    assert not set(moved) & present
    assert set(moved.values()) <= present


@given(st.dictionaries(PATHS, PATHS), st.sets(PATHS))
def test_leads_end_at_a_page_or_nowhere(leads: dict[str, str], present: set[str]) -> None:
    for old, end in ends_of(leads, present).items():
        path, steps = leads[old], 1
        while path not in present and path in leads and steps < 10:
            path, steps = leads[path], steps + 1
        assert end == ("" if steps == 10 or path == old else path)


@given(st.lists(st.tuples(PATHS, PATHS), max_size=6), st.dictionaries(PATHS, PATHS), st.sets(PATHS))
def test_joining_is_done_once(renames: list[tuple[str, str]], explicit: dict[str, str], present: set[str]) -> None:
    moved = moved_with(renames, explicit, present)
    assert set(explicit) <= set(moved)
    good = {old: new for old, new in moved.items() if new in present and old not in present}
    assert moved_with([], good, present) == good


def test_the_list_is_read_line_by_line() -> None:
    raw = (
        b'\xef\xbb\xbf{"from": "a.md", "to": "b.md"}\r\n'
        b"\n"
        b'{"from": "c.md"}\n'
        b"not json\n"
        b"<<<<<<< ours\n"
        b'{"from": "a.md", "to": "d.md", "why": "renamed by hand"}\n'
        b'{"from": "", "to": "b.md"}\n'
        b'["a.md", "b.md"]\n'
    )
    assert read_moved(raw) == {"a.md": "d.md"}
    assert [(one.rule, one.where) for one in moved_findings(raw)] == [
        ("ledger-broken-line", ".ledger/moved.jsonl:3"),
        ("ledger-broken-line", ".ledger/moved.jsonl:4"),
        ("ledger-merge-mark", ".ledger/moved.jsonl:5"),
        ("moved-double-line", ".ledger/moved.jsonl:6"),
        ("ledger-broken-line", ".ledger/moved.jsonl:7"),
        ("ledger-broken-line", ".ledger/moved.jsonl:8"),
    ]
    assert read_moved(b"") == {}
    assert moved_findings(b"") == ()


def test_long_histories_take_linear_time() -> None:
    many = 20_000
    names = [f"p{number}.md" for number in range(many)]
    chain = list(pairwise(names))
    started = perf_counter()
    assert set(moved_with(chain, {}, {names[-1]}).values()) == {names[-1]}
    assert moved_with([], dict(chain), {names[-1]})[names[0]] == names[-1]
    assert set(moved_with([(name, "one.md") for name in names], {}, {"one.md"}).values()) == {"one.md"}
    assert perf_counter() - started < 2
