"""The log: newest first, append-only to the byte."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.report import PageOutcome
from pipeline.wiki.derived.log import add_entry, describe

DAY = date(2026, 11, 30)

TABLE = {
    "no log": (None, b"# Update log\n\n## 2026-11-30\n\n* **Update**: new\n"),
    "an empty file": (b"", b"# Update log\n\n## 2026-11-30\n\n* **Update**: new\n"),
    "same day": (
        b"# Update log\n\n## 2026-11-30\n\n* **Update**: old\n",
        b"# Update log\n\n## 2026-11-30\n\n* **Update**: new\n* **Update**: old\n",
    ),
    "same day, no blank line as in the specification": (
        b"# Directory Update Log\n\n## 2026-11-30\n* **Update**: old\n\n## 2026-11-15\n* x\n",
        b"# Directory Update Log\n\n## 2026-11-30\n* **Update**: new\n* **Update**: old\n\n## 2026-11-15\n* x\n",
    ),
    "older days below": (
        b"# Update log\n\n## 2026-11-29\n\n* **Update**: old\n",
        b"# Update log\n\n## 2026-11-30\n\n* **Update**: new\n\n## 2026-11-29\n\n* **Update**: old\n",
    ),
    "a newer day stands already": (
        b"# Update log\n\n## 2026-12-01\n\n* a\n\n## 2026-11-29\n\n* b\n",
        b"# Update log\n\n## 2026-12-01\n\n* a\n\n## 2026-11-30\n\n* **Update**: new\n\n## 2026-11-29\n\n* b\n",
    ),
    "only newer days": (
        b"# Update log\n\n## 2026-12-01\n\n* a\n",
        b"# Update log\n\n## 2026-12-01\n\n* a\n\n## 2026-11-30\n\n* **Update**: new\n",
    ),
    "no line end at the end": (
        b"# Update log\n\n## 2026-12-01\n\n* a",
        b"# Update log\n\n## 2026-12-01\n\n* a\n\n## 2026-11-30\n\n* **Update**: new\n",
    ),
    "a heading alone at the end": (
        b"# Update log\n\n## 2026-11-30",
        b"# Update log\n\n## 2026-11-30\n* **Update**: new\n",
    ),
    "CRLF": (
        b"# Update log\r\n\r\n## 2026-11-30\r\n\r\n* **Update**: old\r\n",
        b"# Update log\r\n\r\n## 2026-11-30\r\n\r\n* **Update**: new\r\n* **Update**: old\r\n",
    ),
    "a person's words and another heading": (
        b"\xef\xbb\xbf# Our log\n\nRead me first.\n\n## Notes\n\nabc\n\n## 2026-11-29\n\n* b\n",
        (
            b"\xef\xbb\xbf# Our log\n\nRead me first.\n\n## Notes\n\nabc\n\n"
            b"## 2026-11-30\n\n* **Update**: new\n\n## 2026-11-29\n\n* b\n"
        ),
    ),
    "a heading in a code fence is none": (
        b"# Log\n\n```\n## 2026-11-30\n```\n\n## 2026-11-29\n\n* b\n",
        b"# Log\n\n```\n## 2026-11-30\n```\n\n## 2026-11-30\n\n* **Update**: new\n\n## 2026-11-29\n\n* b\n",
    ),
    "bytes that are no text": (
        b"# Log\n\n\xff\xfe\n\n## 2026-11-29\n\n* b\n",
        b"# Log\n\n\xff\xfe\n\n## 2026-11-30\n\n* **Update**: new\n\n## 2026-11-29\n\n* b\n",
    ),
    "the entry stands already": (
        b"# Log\n\n## 2026-11-30\n\n* **Update**: new\n* b\n",
        b"# Log\n\n## 2026-11-30\n\n* **Update**: new\n* b\n",
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_an_entry_is_added(case: str) -> None:
    before, after = TABLE[case]
    assert add_entry(before, DAY, "**Update**: new") == after


@pytest.mark.parametrize("case", TABLE)
def test_the_same_entry_twice_changes_nothing(case: str) -> None:
    once = add_entry(TABLE[case][0], DAY, "**Update**: new")
    assert add_entry(once, DAY, "**Update**: new") == once


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["# Log", "## 2026-11-30", "## 2026-11-29", "## 2027-01-01", "* a", "", "```", "x"])),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_what_stands_stays_byte_for_byte(lines: list[str], end: str, closed: bool) -> None:  # noqa: FBT001
    before = (end.join(lines) + (end if closed else "")).encode()
    after = add_entry(before, DAY, "**Update**: new")
    if before.strip():
        places = [place for place in range(len(before) + 1) if after.startswith(before[:place])]
        assert any(after.endswith(before[place:]) for place in places)
    assert after.count(b"* **Update**: new") == 1


def test_days_stay_newest_first() -> None:
    log = None
    for day in (3, 1, 2, 5, 4):
        log = add_entry(log, date(2026, 11, day), f"**Update**: {day}")
    assert log is not None
    assert [line for line in log.split(b"\n") if line.startswith(b"## ")] == [
        f"## 2026-11-0{day}".encode() for day in (5, 4, 3, 2, 1)
    ]


def test_an_entry_is_one_line() -> None:
    assert add_entry(None, DAY, "a\n## 2020-01-01\n* b").endswith(b"* a ## 2020-01-01 * b\n")


def test_an_entry_names_pages_and_counts_the_rest() -> None:
    outcomes = [
        PageOutcome("acme/decisions/use (it).md", "Use *it*", "updated"),
        PageOutcome("acme/decisions/old.md", "Old", "superseded"),
        PageOutcome("acme/rules/x.md", "X", "created"),
        PageOutcome("acme/sessions/first.md", "First [draft]", "created"),
    ]
    assert describe(outcomes, page="acme/log.md", reason="because\nso") == (
        "**Creation**: created [First \\[draft\\]](sessions/first.md); "
        "updated [Use \\*it\\*](decisions/use%20%28it%29.md); superseded [Old](decisions/old.md); 1 more. because so"
    )
    assert describe(outcomes[:2], page="acme/log.md").startswith("**Update**: updated")
