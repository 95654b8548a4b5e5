"""Pages of their own: decisions, gotchas, rules, concepts, procedures, explained questions."""

from __future__ import annotations

import re

import pytest

from tests.models.extractive.sessions import agent, bullets, draft, noted, page_of, person


def test_a_decision_has_its_reason_and_what_followed() -> None:
    page = page_of(
        draft(
            [
                person(
                    "Let's keep the upload queue in memory instead of a database. The queue never grows "
                    "beyond ten files because uploads are small."
                ),
                agent("Moved the upload queue from the database to memory.\n\nAll tests pass."),
                person("please rename the login page to start page"),
                agent("Renamed the login page to start page in `menu.py`."),
            ]
        ),
        "decision",
    )
    assert page.title == "Keep the upload queue in memory instead of a database"
    assert bullets(page.body, "Decision") == ["Let's keep the upload queue in memory instead of a database."]
    assert bullets(page.body, "Why") == ["The queue never grows beyond ten files because uploads are small."]
    assert bullets(page.body, "Consequences") == ["Moved the upload queue from the database to memory."]


def test_a_plain_request_is_no_decision() -> None:
    batch = draft([person("can you add a retry to the upload?"), agent("Added a retry to the upload.")])
    assert [update.kind for update in batch.updates] == ["session"]


def test_a_gotcha_has_what_happens_its_cause_and_its_fix() -> None:
    page = page_of(
        draft(
            [
                person("uploads of large files stop, why?"),
                agent(
                    "## Problem\n\nUploads of large files stop after one minute.\n\n## Root cause\n\n"
                    "The proxy closes the connection because its idle timeout is 60 seconds.\n\n## Fix\n\n"
                    "- Raised the idle timeout of the proxy in `edge.conf`"
                ),
            ]
        ),
        "gotcha",
    )
    assert page.title == "Uploads of large files stop after one minute"
    assert bullets(page.body, "What happens") == ["Uploads of large files stop after one minute."]
    assert bullets(page.body, "Cause") == ["The proxy closes the connection because its idle timeout is 60 seconds."]
    assert bullets(page.body, "Fix") == ["Raised the idle timeout of the proxy in `edge.conf`"]


@pytest.mark.parametrize(
    "text",
    [
        "The upload is failing right now because I'm still editing it. Let me fix that.",
        "Perhaps the proxy fails because the header is missing.",
        "Option 1 fails because the header is missing.",
    ],
)
def test_progress_and_guesses_are_no_gotchas(text: str) -> None:
    batch = draft([person("look at the upload please"), agent(text)])
    assert "gotcha" not in [update.kind for update in batch.updates]


def test_a_rule_in_a_persons_words() -> None:
    page = page_of(
        draft(
            [
                person("Never log the upload token, it can be replayed for a day."),
                agent("Removed the upload token from the log of `upload.py`."),
            ]
        ),
        "rule",
    )
    assert page.title == "Never log the upload token"
    assert bullets(page.body, "Rule") == ["Never log the upload token, it can be replayed for a day."]


def test_a_concept_needs_a_definition_or_several_statements() -> None:
    page = page_of(
        draft(
            [
                person("tell me about the design"),
                agent(
                    "The shadow store is a folder beside the database that holds each upload until it was checked. "
                    "The shadow store keeps a file for seven days. The nightly cleaner empties the "
                    "shadow store on the main server."
                ),
            ]
        ),
        "concept",
    )
    assert page.title == "Shadow store"
    assert bullets(page.body, "What it is") == [
        "The shadow store is a folder beside the database that holds each upload until it was checked."
    ]
    assert bullets(page.body, "Details") == [
        "The shadow store keeps a file for seven days.",
        "The nightly cleaner empties the shadow store on the main server.",
    ]


def test_a_passing_state_is_no_concept() -> None:
    batch = draft(
        [
            person("tell me about the upload"),
            agent("The shadow store is being cleaned up right now. The shadow store is currently empty on my machine."),
        ]
    )
    assert "concept" not in [update.kind for update in batch.updates]


def test_commands_with_a_purpose_are_a_procedure() -> None:
    page = page_of(
        draft(
            [
                person("how can I profile the upload?"),
                agent(
                    "The trace of the upload worker shows where it waits for the disk.\n\n"
                    "You can now profile the upload worker with:\n\n```bash\nTRACE=1 ./upload big.bin\n"
                    "go tool trace trace.out  # opens a browser\n```"
                ),
            ]
        ),
        "procedure",
    )
    assert page.title == "Profile the upload worker"
    assert bullets(page.body, "Purpose") == ["The trace of the upload worker shows where it waits for the disk."]
    assert re.findall(r"^\d\. .*$", page.body, re.MULTILINE) == [
        "1. `TRACE=1 ./upload big.bin`[^o2]",
        "2. `go tool trace trace.out`[^o2]",
    ]


def test_two_bare_commands_are_no_procedure() -> None:
    batch = draft(
        [
            person("how can I profile the upload?"),
            agent(
                "You can now profile the upload worker with:\n\n```bash\nTRACE=1 ./upload big.bin\ngo tool trace x\n```"
            ),
        ]
    )
    assert "procedure" not in [update.kind for update in batch.updates]


def test_steps_under_a_heading_that_says_so_are_a_procedure() -> None:
    page = page_of(
        draft(
            [
                person("write down how we release"),
                agent(
                    "## How to release the upload service\n\n1. Run `make check` on the main branch\n"
                    "2. Tag the commit with the version\n3. Push the tag to the server"
                ),
            ]
        ),
        "procedure",
    )
    assert page.title == "Release the upload service"
    assert bullets(page.body, "Steps") == [
        "Run `make check` on the main branch",
        "Tag the commit with the version",
        "Push the tag to the server",
    ]


def test_a_list_of_changes_is_no_procedure() -> None:
    batch = draft(
        [
            person("clean up the upload"),
            agent("## Changes\n\n1. Removed the retry\n2. Added a queue\n3. Renamed the worker"),
        ]
    )
    assert "procedure" not in [update.kind for update in batch.updates]


def test_an_answered_question_gets_a_page() -> None:
    page = page_of(
        draft(
            [
                person("why is the upload slow at night?"),
                agent(
                    "At night the upload is slow because backups of the server share the disk.\n\n"
                    "Every backup of the server reads all files of the shop.\n\n"
                    "Backups of the shop end before six in the morning."
                ),
            ]
        ),
        "concept",
    )
    assert page.title == "Why is the upload slow at night?"
    assert bullets(page.body, "Answer")[0] == (
        "At night the upload is slow because backups of the server share the disk."
    )


def test_explicit_kinds_always_win() -> None:
    batch = draft(
        [
            noted("decision", "Text merges well in git. A database does not.", "The ledger is text"),
            noted(
                "gotcha",
                "A plain build wipes the site folder.\n\nBecause it is the default folder.",
                "A build wipes the site",
            ),
            noted("rule", "Pages are read and written as bytes.", "Pages are bytes"),
            noted("procedure", "1. Look at the plan\n2. Start the run\n3. Push", "Consolidate by hand"),
        ]
    )
    assert [(update.kind, update.title) for update in batch.updates[1:]] == [
        ("decision", "The ledger is text"),
        ("procedure", "Consolidate by hand"),
        ("gotcha", "A build wipes the site"),
        ("rule", "Pages are bytes"),
    ] or {update.kind for update in batch.updates[1:]} == {"decision", "gotcha", "rule", "procedure"}
    gotcha = page_of(batch, "gotcha")
    assert bullets(gotcha.body, "What happens") == ["A plain build wipes the site folder."]
    assert bullets(gotcha.body, "Cause") == ["Because it is the default folder."]
    assert bullets(page_of(batch, "procedure").body, "Steps") == ["Look at the plan", "Start the run", "Push"]


def test_high_importance_counts_as_an_explicit_kind() -> None:
    batch = draft(
        [
            person("hello"),
            agent("Let me look."),
            noted("note", "The upload fails for guests because the proxy drops the header.", importance=9),
        ]
    )
    assert "gotcha" in [update.kind for update in batch.updates]


def test_the_newest_word_stands_first_where_two_differ() -> None:
    page = page_of(
        draft(
            [
                noted("decision", "The upload timeout is 30 seconds for all guests.", "Upload timeout"),
                noted("decision", "The upload timeout is 60 seconds for all guests.", "Upload timeout"),
            ]
        ),
        "decision",
    )
    assert bullets(page.body, "Decision") == [
        "The upload timeout is 60 seconds for all guests.",
        "The upload timeout is 30 seconds for all guests.",
    ]


def test_no_two_pages_of_a_batch_are_about_one_thing() -> None:
    said = [
        person("look at the upload"),
        agent(
            "**Root cause:** The proxy drops the upload header because the rule is missing.\n\n"
            "**Cause:** The proxy drops the upload header because the forwarding rule is missing.\n\n"
            "**Fix:** Added the forwarding rule for the upload header to the proxy."
        ),
    ]
    assert len([update for update in draft(said).updates if update.kind == "gotcha"]) == 1
