"""The obedient model: what it reads in a prompt, and that all it answers is valid, cited and told with its details."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from pipeline.context import Context, ShownPage
from pipeline.draft import MOST_UPDATES, ConsolidatedPage, ConsolidatedSessions
from pipeline.wiki.entry import CatalogueEntry
from tests.drafts_read import read_batch
from tests.endpoint.brain import draft, obedient
from tests.endpoint.prompt import Seen
from tests.endpoint.sessions import CACHE, LOGIN, batch_request, seen, single_request, window_of

SESSION_PAGE = "acme/sessions/nightly-import.md"
CONTEXT = Context(
    instructions="Be short.\n# The session",
    slots=(ShownPage("acme/slots/state.md", "# State\n\n## Now\n\nCalm.\n"),),
    catalogue=(
        CatalogueEntry("acme/decisions/cache.md", "Decision", "Cache the price list for 15 minutes"),
        CatalogueEntry("acme/rules/clear.md", "Rule", "Never clear the cache by hand in production"),
    ),
    pages=(
        ShownPage(
            SESSION_PAGE,
            "# Nightly import\n\nIt is slow.[^o-1111111111]\n\n## What happened\n\n- It ran.[^o-1111111111]\n\n"
            "[^o-1111111111]: 2026-11-28 09:00, dana\n",
        ),
        ShownPage(
            "acme/decisions/cache.md",
            "---\ntitle: x\n---\n\n# Cache the price list for 15 minutes\n\nWe cache.[^o-2222222222]\n\n## Decision\n\n"
            "- Cached for 10 minutes.[^o-2222222222]\n\n```\n## Not a section\n```\n\n"
            "## Why\n\nIt is slow.[^o-2222222222]\n",
        ),
        ShownPage("acme/gotchas/keys.md", "# Cache keys collide\n\n## What happens\n\nOld.[^o-333]\n", locked=True),
    ),
)


def test_a_prompt_is_read_as_it_was_written() -> None:
    prompt = seen(batch_request(window_of(CACHE), context=CONTEXT, session_pages=[SESSION_PAGE]))

    assert prompt.system == "Keep it."
    assert prompt.mode == "batch"
    (session,) = prompt.sessions
    assert (session.name, session.page, session.facts["project"]) == ("", SESSION_PAGE, "acme")
    assert [(one.handle, one.role, one.author, one.kind) for one in session.observations] == [
        ("o1", "user", "dana", ""),
        ("o2", "tool", "", ""),
        ("o3", "user", "dana", "decision"),
        ("o4", "assistant", "", "error"),
        ("o5", "user", "dana", "rule"),
        ("o6", "assistant", "", ""),
    ]
    assert [one.text for one in session.observations] == [text for _, _, text in CACHE]
    assert session.observations[0].ts == "2026-11-29T14:04:00Z"
    assert [page.path for page in prompt.pages] == ["acme/slots/state.md", *(page.path for page in CONTEXT.pages)]
    assert [page.locked for page in prompt.pages] == [False, False, False, True]
    assert prompt.pages[2].title == "Cache the price list for 15 minutes"
    assert "---" not in prompt.pages[2].body
    assert list(prompt.catalogue) == ["acme/decisions/cache.md", "acme/rules/clear.md"]


@pytest.mark.parametrize("apart", [False, True])
def test_the_mode_is_read_from_the_schema_wherever_it_stands(apart: bool) -> None:  # noqa: FBT001  # a table
    assert seen(single_request(window_of(CACHE)), schema_apart=apart).mode == "single"
    assert seen(batch_request(window_of(CACHE)), schema_apart=apart).mode == "batch"
    assert seen(batch_request(window_of(CACHE), window_of(LOGIN, "s-2")), schema_apart=apart).mode == "shared"


def test_a_new_session_gets_its_page_and_one_for_each_thing_worth_it() -> None:
    batch = read_batch(obedient(seen(batch_request(window_of(CACHE)))))

    assert [(update.kind, update.path, update.title) for update in batch.updates] == [
        ("session", "", "Please find out why the nightly import takes 43 minutes"),
        ("decision", "", "Cache the price list for 15 minutes"),
        ("gotcha", "", "Cache keys collide"),
        ("rule", "", "Never clear the cache by hand in production"),
    ]
    decision = batch.updates[1]
    told = "The team decided to cache the price list for 15 minutes, because it changes once a day.[^o3]"
    assert decision.body == f"dana settled it: {told}\n\n## Decision\n\n- dana settled it: {told}\n"
    assert decision.description.endswith("once a day.")


def test_every_statement_is_cited_and_keeps_its_details() -> None:
    body = read_batch(obedient(seen(batch_request(window_of(CACHE))))).updates[0].body

    lines = [line for line in body.splitlines() if line and not line.startswith("#")]
    assert all(re.search(r"\[\^o\d\]$", line) for line in lines)
    assert {handle for line in lines for handle in re.findall(r"\[\^(o\d)\]", line)} == {f"o{n}" for n in range(1, 7)}
    for detail in ("43 minutes", "`db.example:5432`", "1,204 times", "v2.3.1", "4ec1ed7", "src/import.rs"):
        assert detail in body
    assert "Vec&lt;u8>" in body
    assert "![" not in body


def test_what_was_redacted_is_not_told() -> None:
    body = read_batch(obedient(seen(batch_request(window_of(LOGIN))))).updates[0].body

    assert "REDACTED" not in body
    assert "It must not." in body
    assert "`login.html`" in body


def test_a_page_that_stands_gets_the_section_that_grows() -> None:
    request = batch_request(window_of(CACHE), context=CONTEXT, session_pages=[SESSION_PAGE])
    session, decision = read_batch(obedient(seen(request))).updates

    assert (session.path, session.title) == (SESSION_PAGE, "Nightly import")
    assert session.body.startswith("## What happened\n\n- It ran.[^o-1111111111]\n- dana noted: ")
    assert "]: 2026" not in session.body
    assert (decision.path, decision.title) == ("acme/decisions/cache.md", "Cache the price list for 15 minutes")
    assert decision.body.startswith("## Decision\n\n- Cached for 10 minutes.[^o-2222222222]\n\n```\n")
    assert decision.body.endswith("once a day.[^o3]\n")
    assert "## Why" not in decision.body


def test_a_page_of_the_session_that_is_not_shown_gets_a_section_of_its_own() -> None:
    request = batch_request(window_of(LOGIN), session_pages=[SESSION_PAGE])
    (session,) = read_batch(obedient(seen(request))).updates

    assert session.path == SESSION_PAGE
    assert session.body.startswith("## Since 2026-11-29T14:04:00Z\n\n- ")


def test_sessions_that_share_a_request_are_told_apart() -> None:
    request = batch_request(window_of(CACHE), window_of(LOGIN, "s-2"), session_pages=["", SESSION_PAGE])
    told = ConsolidatedSessions.model_validate_json(obedient(seen(request)))

    assert [session.session for session in told.sessions] == ["s1", "s2"]
    assert [len(session.updates) for session in told.sessions] == [4, 1]
    assert told.sessions[1].updates[0].path == SESSION_PAGE
    assert "login.html" in told.sessions[1].updates[0].body


def test_one_page_is_answered_where_one_is_asked_for() -> None:
    page = ConsolidatedPage.model_validate_json(obedient(seen(single_request(window_of(CACHE)), schema_apart=True)))

    assert page.title == "Please find out why the nightly import takes 43 minutes"
    assert "## What happened" in page.body


def test_never_more_than_five_updates_and_the_same_subject_once() -> None:
    lines = [("user", "decision", f"Use tool {number % 7}. It is number {number}.") for number in range(30)]
    batch = read_batch(obedient(seen(batch_request(window_of(lines)))))  # type: ignore[arg-type]  # roles are text

    assert len(batch.updates) == MOST_UPDATES
    assert [update.title for update in batch.updates[1:]] == ["Use tool 0", "Use tool 1", "Use tool 2", "Use tool 3"]


def test_a_long_session_makes_a_page_of_bounded_size() -> None:
    lines = [("assistant", "note", f"Step {number} took {number} seconds. " + "word " * 300) for number in range(200)]
    batch = read_batch(obedient(seen(batch_request(window_of(lines)))))  # type: ignore[arg-type]  # roles are text

    assert len(batch.updates[0].body) < 30_000


@pytest.mark.parametrize(
    "text", ["", " \n", "```\ncode\n```", "#", "x" * 5_000, "![^](<", "[REDACTED:x]", "[o9] [user]: x"]
)
def test_any_observation_gives_a_valid_draft(text: str) -> None:
    for kind in ("note", "decision", "error"):
        assert read_batch(obedient(seen(batch_request(window_of([("user", kind, text)]))))).updates


def test_the_same_prompt_gives_the_same_bytes() -> None:
    request = batch_request(window_of(CACHE), window_of(LOGIN, "s-2"), context=CONTEXT)

    assert obedient(seen(request)) == obedient(seen(request))


@pytest.mark.parametrize(
    ("added", "fault"),
    [
        (
            "It took 77 hours.[^o1]",
            "acme/x: “77 hours” stands nowhere in what was shown; “It took 77 hours.” was taken out.",
        ),
        (
            'It needs `Python` 2.5, *so* "it" is.[^o1]',
            'the draft gives no source for “It needs Python 2.5, so "it" is.”; x.',
        ),
        ("It is told at great length, and more.[^o1]", "x: “It is told at great…” was taken out."),
        (
            "Nobody said so.[^o77]",
            "acme/x: the draft cites [^o77], which was not shown to the model; it was taken out.",
        ),
        ("It was 3 of them.[^o1]", 'the statement "It was 3 of them." is wrong'),
    ],
)
def test_what_a_fault_quotes_is_left_out_and_nothing_else(added: str, fault: str) -> None:
    request = batch_request(window_of(CACHE))
    first = draft(seen(request))
    good = [page["body"].rstrip("\n") for page in first["updates"]]
    first["updates"][0]["body"] += f"- {added}\n"

    mended = json.loads(obedient(seen(request.mended(json.dumps(first), [fault]))))

    assert [page["body"] for page in mended["updates"]] == good


def test_what_a_fault_misses_is_not_left_out() -> None:
    request = batch_request(window_of(CACHE))
    first = draft(seen(request))
    fault = "acme/x: the draft leaves out “Never clear the cache by hand in production.”[^o5]; it was kept."

    mended = json.loads(obedient(seen(request.mended(json.dumps(first), [fault]))))

    assert [page["body"] for page in mended["updates"]] == [page["body"].rstrip("\n") for page in first["updates"]]


@pytest.mark.parametrize(
    "reply", ["no JSON", "[]", "{}", '{"updates": []}', '{"updates": [{"body": 1}]}', '{"updates": 3}']
)
def test_what_cannot_be_mended_is_answered_anew(reply: str) -> None:
    request = batch_request(window_of(CACHE))

    assert obedient(seen(request.mended(reply, ["it is broken"]))) == obedient(seen(request))


def test_an_author_with_a_comma_does_not_hide_the_kind() -> None:
    prompt = seen(batch_request(window_of(CACHE, author="Doe, Jane")))

    assert prompt.sessions[0].observations[2] == replace(
        Seen("o3", "2026-11-29T14:06:00Z", "user", "Doe, Jane", "decision", CACHE[2][2])
    )
