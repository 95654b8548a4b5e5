"""What is news and what lasts, what is a name and what a sentence, what is a chore and what a subject."""

from __future__ import annotations

import pytest

from pipeline.models.extractive.signals import points_at_a_list
from pipeline.models.extractive.subjects import names_its_subject
from pipeline.models.extractive.tongues.all import TONGUES
from pipeline.models.extractive.tongues.ear import ear
from tests.models.extractive.sessions import agent, bullets, draft, noted, page_of, person, session_page

EARS = {tongue.code: ear(tongue) for tongue in TONGUES}


@pytest.mark.parametrize(
    ("text", "fleeting"),
    [
        ("The upload retry is complete.", True),
        ("The branch is ready to merge.", True),
        ("There's a new error in the upload worker.", True),
        ("There is a bug in the upload worker.", True),
        ("The upload branch doesn't exist.", True),
        ("The error suggests that the file has a wrong date.", True),
        ("As expected, the upload stops.", True),
        ("The upload stops when the folder doesn't exist.", False),
        ("The upload worker completes each chunk before the next.", False),
        ("There is one queue for each upload.", False),
        ("The error names the line of the file.", False),
    ],
)
def test_news_is_told_from_what_lasts(text: str, *, fleeting: bool) -> None:
    assert (EARS["en"].fleeting.search(text) is not None) is fleeting


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("User closes the laptop", True),
        ("Cannot be uploaded", True),
        ("for the first we need no retry", True),
        ("Comprehensive test updates for the upload", True),
        ("Clear explanation that the upload is retried", True),
        ("Users upload large files at night", False),
        ("Clear the cache of the upload", False),
        ("For the first upload there is no retry", True),
        ("For large files there is no retry", False),
    ],
)
def test_what_points_outside_of_itself(text: str, *, leans: bool) -> None:
    assert (EARS["en"].dangling.match(text) is not None) is leans


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The fix keeps the old name", False),
        ("The fields are empty", False),
        ("The upload worker keeps the old name", True),
        ("The session list is sorted", True),
        ("Uploads are sorted", True),
    ],
)
def test_an_article_before_a_general_noun_names_nothing(text: str, *, names: bool) -> None:
    assert names_its_subject(text, EARS["en"]) is names


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("3 and I would even consider 4", True),
        ("2, please", True),
        ("1.", True),
        ("3 retries are enough for an upload", False),
        ("raise the limit of uploads to 20", False),
    ],
)
def test_an_answer_by_number_points_at_a_list(text: str, *, points: bool) -> None:
    assert points_at_a_list(text) is points


@pytest.mark.parametrize(
    ("text", "is_rule"),
    [
        ("if there is an error, always exit with code 1", True),
        ("read both names but always write the new one", True),
        ("it always writes the new one", False),
    ],
)
def test_a_rule_may_follow_its_condition(text: str, *, is_rule: bool) -> None:
    assert (EARS["en"].rule.search(text) is not None) is is_rule


def test_a_session_that_somebody_named_is_called_so() -> None:
    said = [
        noted(
            "decision", "We decided to keep uploads in one queue, because order matters.", "Uploads keep their order"
        ),
        noted("rule", "Never start two workers for one upload queue.", "One worker for a queue"),
    ]
    assert session_page(draft(said, session="order-of-the-upload-queue")).title == "Order of the upload queue"


@pytest.mark.parametrize("name", ["7f3a9c1e-5521-4c1a", "fuzzy-purple-walrus", "uploads", "s-1"])
def test_an_id_that_says_nothing_of_the_session_is_no_title(name: str) -> None:
    body = "We decided to keep uploads in one queue, because order matters."
    said = [noted("decision", body, "Uploads keep their order")]
    title = session_page(draft(said, session=name)).title
    assert "walrus" not in title
    assert title.casefold() not in {name, name.replace("-", " ")}


def test_two_findings_about_one_thing_in_other_words_are_told_once() -> None:
    page = session_page(
        draft(
            [
                person("why does the upload stop?"),
                agent(
                    "- The bug is that the `upload_worker` never receives the `retry_limit` of the configuration.\n"
                    "- The issue was that the `upload_worker` never received the `retry_limit`.\n"
                    "- The proxy fails on idle connections, because its timeout is 60 seconds."
                ),
            ]
        )
    )
    assert page.body.count("retry_limit") == 1
    assert "The proxy fails on idle connections" in page.body


def test_what_follows_from_a_decision_is_quoted_with_it() -> None:
    page = page_of(
        draft(
            [
                noted(
                    "decision",
                    "We decided that a worker reads one queue only. So a slow upload delays no other queue.",
                    "One queue for a worker",
                )
            ]
        ),
        "decision",
    )
    assert bullets(page.body, "Decision") == [
        "We decided that a worker reads one queue only. So a slow upload delays no other queue."
    ]


@pytest.mark.parametrize(
    ("last", "heading"),
    [
        ("The worker now waits for the disk.", "Fix"),
        ("Waiting for the disk first keeps the order.", "Fix"),
        ("The queue is lost as well.", "What happens"),
    ],
)
def test_who_notes_a_gotcha_ends_with_what_to_do(last: str, heading: str) -> None:
    body = f"The upload fails when the disk is slow, because the worker does not wait. {last}"
    page = page_of(draft([noted("gotcha", body, "Uploads fail on slow disks")]), "gotcha")
    assert last in bullets(page.body, heading)


def test_a_concept_page_says_what_is_and_not_what_was_or_what_changed() -> None:
    batch = draft(
        [
            person("tell me about the upload"),
            agent(
                "The fix ensures that the upload queue keeps its order.\n\n"
                "The upload queue was only sorted at night.\n\n"
                "The upload queue is NOT set for the second server.\n\n"
                "Upload queue only - check the files of the queue"
            ),
        ]
    )
    assert "concept" not in [update.kind for update in batch.updates]
