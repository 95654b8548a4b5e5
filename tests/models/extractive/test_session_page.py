"""The session's page: what was asked, done, decided and learned, how it ended, what is open."""

from __future__ import annotations

import re

from pipeline.models.extractive.session import read_session
from pipeline.models.extractive.session_page import MOST, session_sections
from tests.models.extractive.sessions import agent, all_bullets, bullets, draft, noted, person, session_page, windows

LOGIN = [
    person("Hi! Can you please move the login to signed cookies?"),
    agent("Let me look at the proxy configuration first."),
    agent("Now I'll change the handler:"),
    agent(
        "Done. Moved the login to signed cookies.\n\n## Changes\n\n- Added `HttpOnly` to the `sid` cookie\n"
        "- Removed the token from `login.py`\n\n## Cause\n\n"
        "The session was lost because the proxy drops the `Authorization` header.\n\nAll tests pass."
    ),
    person("yes, continue"),
    agent("The upload page is next. Let me check."),
    person("Use signed cookies instead of tokens everywhere, because a token cannot be revoked."),
    agent(
        "Replaced the token in the upload page with the `sid` cookie.\n\n## Next steps\n\n"
        "- The mobile app still sends the old token"
    ),
]


def test_a_session_is_told_in_order() -> None:
    page = session_page(draft(LOGIN))
    assert re.findall(r"^## (.*)$", page.body, re.MULTILINE) == [
        "Asked",
        "Done",
        "Outcome",
        "Decided",
        "Learned",
        "Open",
    ]
    assert bullets(page.body, "Asked") == ["Can you please move the login to signed cookies?"]
    assert bullets(page.body, "Done") == [
        "Moved the login to signed cookies.",
        "Added `HttpOnly` to the `sid` cookie",
        "Removed the token from `login.py`",
    ]
    assert bullets(page.body, "Outcome") == ["Replaced the token in the upload page with the `sid` cookie."]
    assert bullets(page.body, "Decided") == [
        "Use signed cookies instead of tokens everywhere, because a token cannot be revoked."
    ]
    assert bullets(page.body, "Learned") == ["The session was lost because the proxy drops the `Authorization` header."]
    assert bullets(page.body, "Open") == ["The mobile app still sends the old token"]


def test_progress_greetings_and_acknowledgements_are_no_knowledge() -> None:
    body = session_page(draft(LOGIN)).body
    assert not re.search(r"Let me|Now I'll|Hi!|yes, continue|Done\.", body)


def test_the_page_says_that_no_language_model_made_it_once() -> None:
    body = session_page(draft(LOGIN)).body
    assert body.startswith("> Collected without a language model: every statement is a quotation.\n")
    assert body.count("Collected without") == 1


def test_the_title_is_what_the_session_was_about() -> None:
    assert session_page(draft(LOGIN)).title == "Move the login to signed cookies"


def test_the_description_says_more_than_the_title() -> None:
    page = session_page(draft(LOGIN))
    assert page.description == "Replaced the token in the upload page with the sid cookie."


def test_what_was_asked_twice_stands_once_with_both_citations() -> None:
    body = session_page(
        draft(
            [
                person("please add a retry to the upload command"),
                person("Please add a retry to the upload command."),
                agent("Added a retry to the upload command."),
            ]
        )
    ).body
    assert "- please add a retry to the upload command[^o1][^o2]\n" in body


def test_a_screen_that_shows_an_earlier_request_is_not_a_new_one() -> None:
    ask = "Group the invoices by customer in the overview, newest customer first."
    page = session_page(
        draft(
            [
                person(ask),
                agent("Added a grouping by customer to `overview.py`."),
                person(f"v open bills [4 entries] v * {ask} [NEW]"),
                person("> v open bills [4 entries] v * Group the invoices by customer in the overview, newest cust…"),
            ]
        )
    )
    assert bullets(page.body, "Asked") == [ask]


def test_a_thought_or_half_a_sentence_is_no_decision() -> None:
    page = session_page(
        draft(
            [
                person("How about showing the total instead of the sum of each invoice in the overview."),
                person("In theory we should only support one currency instead of three in the first release."),
                person("We don't support a second currency instead of the euro for the first release (e"),
                person("We keep the euro instead of a second currency, because no customer pays in dollars."),
            ]
        )
    )
    assert bullets(page.body, "Decided") == [
        "We keep the euro instead of a second currency, because no customer pays in dollars."
    ]


def test_near_duplicates_are_folded_with_both_citations() -> None:
    body = session_page(
        draft(
            [
                person("add a retry"),
                agent("Added a retry to the upload command."),
                person("is the retry in the upload command tested?"),
                agent("Added a retry to the upload command\n\nAdded a test for the upload retry."),
            ]
        )
    ).body
    assert re.search(r"^- Added a retry to the upload command.?\[\^o\d\]\[\^o\d\]$", body, re.MULTILINE)


def test_a_pasted_plan_is_asked_by_its_heading() -> None:
    plan = "Implement the following plan:\n\n# Plan: Retries for large uploads\n\n" + "Some more text here. " * 40
    assert bullets(session_page(draft([person(plan), agent("Added the retries of the plan.")])).body, "Asked") == [
        "Plan: Retries for large uploads"
    ]


def test_a_pasted_log_is_shortened_to_the_sentence_that_asks() -> None:
    text = "Why does the upload command stop here?\n\n" + "\n".join(
        f"2026-01-05 09:0{n}:11 ERROR step {n}" for n in range(9)
    )
    assert bullets(session_page(draft([person(text), agent("The proxy drops it.")])).body, "Asked") == [
        "Why does the upload command stop here?"
    ]


def test_hook_messages_commands_and_reminders_are_not_asked() -> None:
    body = session_page(
        draft(
            [
                person("Operation stopped by hook: you have another active session with uncommitted changes."),
                person("<command-name>/review</command-name>"),
                person("/review:all"),
                person("<system-reminder>be brief</system-reminder>\nplease rename the upload command"),
                agent("Renamed the upload command."),
            ]
        )
    ).body
    assert bullets(body, "Asked") == ["please rename the upload command"]


def test_sections_are_bounded() -> None:
    said = []
    for number in range(60):
        said += [
            person(f"please add the check for part {number} of machine {number}-{number}"),
            agent(f"Added the check for `part_{number}` of machine {number}."),
        ]
    body = session_page(draft(said)).body
    for heading in ("Asked", "Done", "Outcome"):
        assert 0 < len(bullets(body, heading)) <= MOST


def test_only_the_last_window_tells_how_it_ended() -> None:
    first, *_, last = windows(LOGIN * 6, budget=900)
    assert (first.number, last.number) == (1, last.of)
    assert "Outcome" not in [section.heading for section in session_sections(read_session(first))]
    assert "Outcome" in [section.heading for section in session_sections(read_session(last))]


def test_an_observations_own_title_stands_for_it() -> None:
    body = session_page(
        draft(
            [
                noted("decision", "We looked at three others. Text merges well in git.", "The ledger is text"),
                noted(
                    "gotcha", "The build wipes the folder because it is the default.", "A plain build wipes the site"
                ),
                noted("concept", "A window is the part of a session that fits.", "Window"),
                noted("todo", "Measure the intake again with larger files."),
            ]
        )
    ).body
    assert bullets(body, "Decided") == ["The ledger is text"]
    assert bullets(body, "Learned") == ["A plain build wipes the site", "A window is the part of a session that fits."]
    assert bullets(body, "Open") == ["Measure the intake again with larger files."]


def test_sentences_of_one_observation_stay_in_their_order() -> None:
    first = "Under a narrow locale a path with an umlaut raised `UnicodeEncodeError`."
    second = "The command begins again in UTF-8 mode when it finds such a locale."
    page = session_page(draft([noted("gotcha", f"{first} {second}")]))
    assert [text for text, _ in all_bullets(page.body)] == [first, second]
