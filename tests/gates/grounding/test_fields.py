"""What is left of a title, and the page that comes of one of which nothing is left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipeline.context import Context
from pipeline.gates.grounding.check import check
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.revise import Stamp, revise
from tests.gates.drafts import batch_of, window_of

WINDOW = window_of("Ravi asked for a smaller login limit.")
STAMP = Stamp("gpt-x", datetime(2026, 11, 30, 8, tzinfo=UTC), "observations", 1)
BODY = "Ravi asked for a smaller login limit.[^o1]\n"

TITLES = {
    "Login limit of 600 MB": "Login limit",
    "Limit of 600 MB for login": "Limit for login",
    "Login limit (v3.4.5)": "Login limit",
    "v3.4.5: login limit": "login limit",
    "Limit by 600 MB to 700 MB": "Limit",
    "2027-01-01": "",
    "On 2027-01-01": "",
    "To the 600 MB": "",
    "v3.4.5 - 2027-01-01": "",
    "Login limit": "Login limit",
}


@pytest.mark.parametrize("title", TITLES)
def test_what_is_left_of_a_title(title: str) -> None:
    gated = check(batch_of(BODY, title=title), WINDOW, Context())
    (update,) = gated.batch.updates
    assert (update.title, update.body) == (TITLES[title], BODY)
    assert len(gated.findings) == (title != TITLES[title])
    assert check(gated.batch, WINDOW, Context()).batch == gated.batch


@pytest.mark.parametrize(("title", "gone"), [("Login limit of 600 MB", "600 MB"), ("On 2027-01-01", "On 2027-01-01")])
def test_a_finding_tells_what_went(title: str, gone: str) -> None:
    (found,) = check(batch_of(BODY, title=title), WINDOW, Context()).findings
    detail = gone.removeprefix("On ")
    assert found.message == f"“{detail}” stands nowhere in what was shown; “{gone}” was taken out of the title."


@pytest.mark.parametrize(
    ("title", "path", "named"),
    [
        (
            "2027-01-01",
            "acme/decisions/ravi-asked-for-a-smaller-login-limit.md",
            "Ravi asked for a smaller login limit.",
        ),
        ("Limit of 600 MB for login", "acme/decisions/limit-for-login.md", "Limit for login"),
    ],
)
def test_the_page_has_a_sound_title_and_path(title: str, path: str, named: str) -> None:
    gated = check(batch_of(BODY, title=title), WINDOW, Context())
    revision = revise(gated.batch, window=WINDOW, wiki={}, shown_paths=[], stamp=STAMP)
    assert [name for name in revision.pages if "/decisions/" in name] == [path]
    page = parse_page(path, revision.pages[path])
    assert page.title == named
    assert page.body.startswith(f"\n# {named}\n") or page.body.startswith(f"# {named}\n")
