"""Indexes and logs that are handed over hold links to pages and words; anything else is refused."""

from __future__ import annotations

from datetime import date

import pytest

from pipeline.proposal.derived import check_derived
from pipeline.report import PageOutcome
from pipeline.wiki.catalogue import read_catalogue
from pipeline.wiki.derived.indexes import renew_all
from pipeline.wiki.derived.log import add_entry, describe
from tests.proposal.test_checking import page

INDEX, LOG, PAGE = "acme/decisions/index.md", "acme/log.md", "acme/decisions/a [1].md"
PAGES = {PAGE: page("Words."), "acme/sessions/s1.md": page("Said.")}
MADE = {**PAGES, **renew_all(tuple(read_catalogue(PAGES)[0].values()), PAGES)}


def logged(log: bytes | None = None, title: str = "A `title` [x](y)", day: int = 30) -> bytes:
    told = describe([PageOutcome(PAGE, title, "created")], page=LOG, reason="because *we* say <so>")
    return add_entry(log, date(2026, 11, day), told)


def refused(path: str, raw: bytes, before: bytes | None = None, published: bytes | None = None) -> list[str]:
    states = ({path: one} if one is not None else {} for one in (before, published))
    return [one.message for one in check_derived(path, {**MADE, path: raw}, *states)]


def test_what_a_run_writes_passes() -> None:
    assert {path for path in MADE if path.endswith("index.md")} > {"index.md", INDEX}
    for path, raw in MADE.items():
        assert refused(path, raw) == [], path
    first = logged()
    assert refused(LOG, first) == []
    assert refused(LOG, logged(first, "Second", 29), before=first) == []
    assert refused(LOG, first.replace(b"\n", b"\r\n")) == []


@pytest.mark.parametrize(
    "line",
    [
        "* [Reset your password](https://evil.example/)",
        "* [Reset your password](//evil.example/)",
        "* [Mail](mailto:a@evil.example)",
        "* [Gone](gone.md) - words",
        "* [Out](../../../index.md)",
        "* [A](a%20%5B1%5D.md) - read [this](https://evil.example/)",
        "* [A](a%20%5B1%5D.md) - <b>bold</b>",
        "* [A](a%20%5B1%5D.md)![x](a.png)",
        "Call 0900-123456 now.",
        "<https://evil.example/>",
        "# Read [this](https://evil.example/)",
        "[x]: https://evil.example/",
    ],
)
@pytest.mark.parametrize("path", [INDEX, LOG])
def test_whatever_else_is_put_there_is_refused_unless_it_stood_there(path: str, line: str) -> None:
    made = MADE.get(path) or logged()
    forged = made + f"{line}\n".encode()
    assert ["has a line that no run writes" in one for one in refused(path, forged)] == [True]
    assert refused(path, forged, before=forged) == []
    assert refused(path, forged, published=forged) == []


def test_a_log_only_grows() -> None:
    first = logged()
    both = logged(first, "Second")
    assert ["lost a line" in one for one in refused(LOG, first, before=both)] == [True]
    unlinked = both.replace(b"[Second](decisions/a%20%5B1%5D.md)", b"Second")
    assert unlinked != both
    assert refused(LOG, unlinked, before=both) == [], "links to a page that was declined go"


def test_other_files_are_not_looked_at() -> None:
    assert refused(PAGE, b"<b>Words.</b>") == []
