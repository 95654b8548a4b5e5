"""Pages that a reader would merge are told, and pages that merely share a subject are not."""

from __future__ import annotations

import pytest

from pipeline.wiki.entry import CatalogueEntry
from pipeline.wiki.linting.likeness import check_likeness

ONE = "acme/decisions/one.md"
TWO = "acme/decisions/two.md"


def pairs(*pages: tuple[str, str, str], status: str = "stable") -> list[tuple[str, str]]:
    """Give where a finding is and which page it names, for pages of a path, a title and a body."""
    known = {
        path: (CatalogueEntry(path, path.split("/")[1].rstrip("s").title(), title, status=status), body)
        for path, title, body in pages
    }
    return [(one.where, one.message.split(" of ")[1].split(" says")[0]) for one in check_likeness(known)]


@pytest.mark.parametrize(
    ("title", "other", "alike"),
    [
        ("Session cookies instead of JWT", "JWT instead of session cookies", True),
        ("sessionCookies", "session_cookies", True),
        ("The retry policy", "The retry policies", False),
        ("Session cookies", "Session tokens", False),
        ("Cache of builds", "Cache of the tests", False),
        ("署名鍵の交換手順", "署名鍵の交換手順書", True),
        ("", "", False),
        ("Session cookies", "session  COOKIES", False),  # equal titles have a rule of their own
    ],
)
def test_titles(title: str, other: str, *, alike: bool) -> None:
    assert pairs((ONE, title, ""), (TWO, other, "")) == ([(TWO, ONE)] if alike else [])


LINES = "# T\n\n> Note.\n\n- Cookies are signed.[^o-1]\n- They end after an hour.[^o-2]\n- Nobody reads them.\n"


def test_texts() -> None:
    longer = LINES.replace("[^o-2]", "[^o-9]") + "- One line more.\n\n[^o-9]: 2026, dana\n"

    assert pairs((ONE, "Alpha", LINES), (TWO, "Beta", longer)) == [(TWO, ONE)]
    assert pairs((ONE, "Alpha", LINES), (TWO, "Beta", "- Cookies are signed.\n- All else differs.\n- Really.\n")) == []
    assert pairs((ONE, "Alpha", "- One line.\n"), (TWO, "Beta", "- One line.\n")) == [], "one line is no text"


def test_sessions_projects_and_deprecated_pages_may_resemble_each_other() -> None:
    assert pairs((ONE, "Alpha one", LINES), ("lab/decisions/two.md", "One alpha", LINES)) == []
    assert pairs(("acme/sessions/a.md", "Alpha one", LINES), ("acme/sessions/b.md", "One alpha", LINES)) == []
    assert pairs((ONE, "Alpha one", LINES), (TWO, "One alpha", LINES), status="deprecated") == []
