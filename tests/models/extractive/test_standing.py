"""Pages that stand already are reused, and what stands on them stays byte for byte."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.models.extractive.standing import sections_of
from tests.models.extractive.sessions import StandingText, agent, draft, noted, person, session_page

OLD = (
    "- The ledger is a  *text* file; it merges well in git.[^o-3f2a9c1e55]\n"
    "- It is sorted.[^o-3f2a9c1e55][^o-0a1b2c3d4e]"
)
LEDGER = StandingText(
    "acme/decisions/the-ledger-is-text.md",
    "Decision",
    "The ledger is text",
    f"> Collected without a language model: every statement is a quotation.\n\n## Decision\n\n{OLD}\n\n## Why\n\n"
    "A person wrote this paragraph.\n\n"
    "[^o-3f2a9c1e55]: 2026-01-01 09:00, dana\n[^o-0a1b2c3d4e]: 2026-01-01 09:01, dana\n",
)
NEWS = [noted("decision", "The ledger gets one file for each session of the project.", "The ledger is text")]


def test_a_definition_goes_with_all_its_lines() -> None:
    text = "## Notes\n\nSee[^n]\n\n[^n]: mine\ngoes on[^n]\n\n    and on\n\n- item\n\n```\n[^n]: code\n```\n"
    (section,) = sections_of(text)
    assert section.text == "See[^n]\n\n\n- item\n\n```\n[^n]: code\n```"


def test_a_standing_page_gets_only_the_section_that_gains_something() -> None:
    update = next(update for update in draft(NEWS, pages=[LEDGER]).updates if update.kind == "decision")
    assert update.path == LEDGER.path
    assert update.title == LEDGER.title
    assert update.body == (f"## Decision\n\n{OLD}\n- The ledger gets one file for each session of the project.[^o1]\n")


@pytest.mark.parametrize("title", ["A text ledger", "The ledger is text now", "the LEDGER is text"])
def test_another_wording_of_the_title_is_the_same_subject(title: str) -> None:
    page = replace(LEDGER, title=title)
    update = next(update for update in draft(NEWS, pages=[page]).updates if update.kind == "decision")
    assert update.path == page.path


def test_an_alias_is_the_same_subject() -> None:
    page = replace(LEDGER, title="Bookkeeping", aliases=("The ledger is text",))
    assert draft(NEWS, pages=[page]).updates[1].path == page.path


def test_another_subject_gets_a_page_of_its_own() -> None:
    page = replace(LEDGER, title="Signed cookies", path="acme/decisions/signed-cookies.md")
    assert [update.path for update in draft(NEWS, pages=[page]).updates] == ["", ""]


@pytest.mark.parametrize(
    "page",
    [replace(LEDGER, path="other/decisions/the-ledger-is-text.md"), replace(LEDGER, status="deprecated")],
)
def test_pages_of_other_projects_and_deprecated_ones_are_not_reused(page: StandingText) -> None:
    assert all(update.path == "" for update in draft(NEWS, pages=[page]).updates)


def test_what_stands_is_not_said_again() -> None:
    said = [noted("decision", "The ledger is a text file; it merges well in git.", "The ledger is text")]
    assert [update.kind for update in draft(said, pages=[LEDGER]).updates] == ["session"]


def test_a_locked_page_is_left_alone_and_gets_no_twin() -> None:
    assert [update.kind for update in draft(NEWS, pages=[replace(LEDGER, locked=True)]).updates] == ["session"]


def test_a_page_whose_text_was_not_shown_gets_the_new_statements_alone() -> None:
    update = draft(NEWS, pages=[replace(LEDGER, shown=False)]).updates[1]
    assert (update.path, update.body) == (
        LEDGER.path,
        "## Decision\n\n- The ledger gets one file for each session of the project.[^o1]\n",
    )


def test_a_newer_value_stands_before_the_older_one() -> None:
    page = StandingText(
        "acme/decisions/upload-timeout.md",
        "Decision",
        "Upload timeout",
        "## Decision\n\n- Guests may upload.[^o-1111111111]\n"
        "- The upload timeout is 30 seconds for guests.[^o-2222222222]\n",
    )
    said = [noted("decision", "The upload timeout is 60 seconds for guests.", "Upload timeout")]
    assert draft(said, pages=[page]).updates[1].body == (
        "## Decision\n\n- Guests may upload.[^o-1111111111]\n"
        "- The upload timeout is 60 seconds for guests.[^o1]\n"
        "- The upload timeout is 30 seconds for guests.[^o-2222222222]\n"
    )


def test_a_procedure_goes_on_counting() -> None:
    page = StandingText(
        "acme/procedures/release-the-service.md",
        "Procedure",
        "Release the service",
        "## Steps\n\n1. Run the checks of the service[^o-1111111111]\n",
    )
    said = [
        noted("procedure", "1. Tag the commit with its version\n2. Push the tag to the server", "Release the service")
    ]
    assert draft(said, pages=[page]).updates[1].body == (
        "## Steps\n\n1. Run the checks of the service[^o-1111111111]\n"
        "2. Tag the commit with its version[^o1]\n3. Push the tag to the server[^o1]\n"
    )


def test_a_standing_session_page_is_extended() -> None:
    own = StandingText(
        "acme/sessions/login.md",
        "Session",
        "Login",
        "## Asked\n\n- please move the login to cookies[^o-1111111111]\n\n"
        "## Done\n\n- Moved the login.[^o-2222222222]\n",
    )
    said = [
        person("please move the login to cookies"),
        person("please add a retry to the upload"),
        agent("Added a retry to the upload command of the shop."),
    ]
    page = session_page(draft(said, pages=[own], session_page=own.path))
    assert (page.path, page.title) == (own.path, "Login")
    assert page.body == (
        "## Asked\n\n- please move the login to cookies[^o-1111111111]\n- please add a retry to the upload[^o2]\n\n"
        "## Outcome\n\n- Added a retry to the upload command of the shop.[^o3]\n"
    )


def test_a_session_page_that_gains_nothing_is_repeated_as_it_stands() -> None:
    own = StandingText("acme/sessions/login.md", "Session", "Login", "## Asked\n\n- move it[^o-1111111111]\n")
    (update,) = draft([person("yes"), agent("Let me look.")], pages=[own], session_page=own.path).updates
    assert (update.path, update.body) == (own.path, "## Asked\n\n- move it[^o-1111111111]\n")


def test_a_page_that_an_update_cannot_hold_is_left_alone() -> None:
    page = replace(LEDGER, body="## Decision\n\n" + "- x[^o-1111111111]\n" * 4_000)
    assert [update.kind for update in draft(NEWS, pages=[page]).updates] == ["session"]


def test_a_title_that_is_too_long_for_an_update_is_cut() -> None:
    page = replace(LEDGER, title="The ledger is text " * 20, aliases=("The ledger is text",))
    update = draft(NEWS, pages=[page]).updates[1]
    assert (update.path, len(update.title)) == (page.path, 200)


def test_a_title_that_another_page_has_is_not_taken_again() -> None:
    said = [person("please add a retry to the upload"), agent("Added it.")]
    first = session_page(draft(said))
    taken = StandingText("acme/sessions/x.md", "Session", first.title, "## Asked\n\n- x\n")
    second = session_page(draft(said, pages=[taken], session="s-2"))
    assert (first.title, second.title) == ("Add a retry to the upload", "Add a retry to the upload (2026-01-05)")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\ntitle: x\n---\n\n# T\n\nlead\n\n## A\n\none\n\n## B\n\ntwo\n", [("A", "one"), ("B", "two")]),
        ("## A\n\n```\n## no heading\n```\n", [("A", "```\n## no heading\n```")]),
        ("## A\n\n### sub\n\ntext\n\n# Other\n\nlost\n", [("A", "### sub\n\ntext")]),
        ("## A\n\n- x[^o-1]\n\n[^o-1]: source\n", [("A", "- x[^o-1]")]),
        ("## A ##\n\nx", [("A", "x")]),
        ("no section", []),
    ],
)
def test_a_page_is_taken_apart_by_position(text: str, found: list[tuple[str, str]]) -> None:
    assert [(section.heading, section.text) for section in sections_of(text)] == found
