from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipeline.finding import Finding
from pipeline.observations.observation import SessionKey
from pipeline.site.hubs.concerns import concerns
from pipeline.wiki.ledger import Attempt, SessionRecord
from tests.site.hubs.making import html, made, shelf
from tests.site.making import facts, link_to, source

PATH = "harbour/gotchas/limit.md"


def counts(*pages: object, **told: object) -> dict[str, int]:
    found = concerns(shelf(*pages, **told))  # type: ignore[arg-type]
    return {concern.subject: concern.count for concern in found if concern.count}


@pytest.mark.parametrize(
    ("told", "subjects"),
    [
        ({"stale_after": "2026-11-30"}, {"review-due"}),
        ({"stale_after": "2026-12-01"}, set()),
        ({"contradicted": 2}, {"contradicted"}),
        ({"unsourced": 1}, {"unsourced"}),
        ({"sources": ()}, {"missing-sources"}),
        ({"sources": (), "origin": "hand"}, set()),
        ({"sources": (), "model": "human:dana"}, set()),
        ({"cited": ("o-1", "o-2")}, {"missing-sources"}),
        ({"status": "deprecated"}, {"no-successor"}),
        ({"status": "deprecated", "superseded_by": PATH, "contradicted": 1, "unsourced": 1}, set()),
    ],
)
def test_which_page_gives_cause(told: dict[str, object], subjects: set[str]) -> None:
    page = facts(PATH, **{"sources": (source("o-1"),), "tier": "human-reviewed", **told})
    other = facts("harbour/gotchas/a.md", origin="hand", links=(link_to(PATH),), tier="human-reviewed")
    assert set(counts(page, other)) - {"orphans"} == subjects


def test_an_orphan_is_a_page_that_no_other_page_links_to() -> None:
    page = facts(PATH, sources=(source(),), tier="human-reviewed")
    index = {"harbour/gotchas/index.md": "* [The limit](limit.md)\n"}
    assert counts(page, files=index) == {"orphans": 1}
    linking = facts("harbour/gotchas/other.md", origin="hand", links=(link_to(PATH),), tier="human-reviewed")
    documents = made(page, linking)
    section = html(documents["health.md"]).partition('<section id="orphans">')[2]
    assert ("Other" in section, "Limit" in section) == (True, False)
    itself = facts(PATH, origin="hand", links=(link_to(PATH),), tier="human-reviewed")
    assert counts(itself) == {"orphans": 1}


@pytest.mark.parametrize(
    ("page", "session", "alone"),
    [("harbour", "s1", 0), ("harbour", "s2", 2), ("pier", "s1", 2)],
)
def test_a_session_and_what_was_learnt_in_it_are_tied(page: str, session: str, alone: int) -> None:
    pages = [
        facts(f"{page}/gotchas/limit.md", origin="hand", session_ids=("s1",), tier="human-reviewed"),
        facts("harbour/sessions/a.md", origin="hand", session_ids=(session,), tier="human-reviewed"),
    ]
    assert counts(*pages) == ({"orphans": alone} if alone else {})


def test_what_no_person_confirmed_begins_with_what_is_linked_most_and_ends_with_sessions() -> None:
    pages = [
        facts("a/rules/old.md", title="Old", type="Rule", changed_on="2026-11-01"),
        facts("a/rules/new.md", title="New", type="Rule", changed_on="2026-11-20"),
        facts("a/rules/linked.md", title="Linked", type="Rule", changed_on="2026-10-01"),
        facts("a/sessions/s.md", title="Session", links=(link_to("a/rules/linked.md"),)),
        facts("a/rules/read.md", title="Read", type="Rule", tier="human-reviewed"),
        facts("a/rules/gone.md", title="Gone", type="Rule", status="deprecated"),
    ]
    (found,) = (one for one in concerns(shelf(*pages)) if one.subject == "not-confirmed")
    assert [row.title for row in found.rows] == ["Linked", "New", "Old", "Session"]
    assert "rule · linked from 1 page · changed 2026-10-01 · unverified" in found.rows[0].facts


def test_sessions_and_findings() -> None:
    key = SessionKey("default", "harbour", "<s1>")
    parked = SessionRecord(key, "parked", attempts=(Attempt(datetime(2026, 11, 28, tzinfo=UTC), "no <reply>"),))
    documents = made(
        sessions=(SessionRecord(key, "done"), parked),
        findings=(Finding(f"{PATH}#a", "dead-link", "warning", "the link to 'x.md' leads nowhere.", "Mend it."),),
    )
    told = html(documents["health.md"])
    assert (
        '<li>harbour/&lt;s1&gt; <span class="wm-said">no &lt;reply&gt;</span> '
        '<span class="wm-fact">parked · 2026-11-28 · 1 attempt</span></li>'
    ) in told
    assert "<code>wikimill run --retry-parked</code>" in told
    assert "the link to &#x27;x.md&#x27; leads nowhere. Mend it." in told


def test_numbers_and_what_gives_no_cause() -> None:
    pages = [
        facts(f"a/rules/{number}.md", type="Rule", tier=tier) for number, tier in enumerate(("human-reviewed",) * 2)
    ]
    told = html(made(*pages)["health.md"])
    assert "<div><dt>Pages</dt><dd>2</dd></div><div><dt>Human-reviewed</dt><dd>2</dd></div>" in told
    assert told.endswith('<p class="wm-fact">No other finding.</p>')
    assert '<p class="wm-fact">No finding.</p>' in html(made()["health.md"])
    assert "superseded" not in told


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        (1, "1 more is superseded, and kept for its history."),
        (2, "2 more are superseded, and kept for their history."),
    ],
)
def test_pages_are_those_of_all_tiers_together(gone: int, words: str) -> None:
    pages = [facts(f"a/rules/{number}.md", type="Rule", status="deprecated") for number in range(gone)]
    told = html(made(facts("a/rules/x.md", type="Rule"), *pages)["health.md"])
    assert "<dt>Pages</dt><dd>1</dd>" in told
    assert "<dt>Unverified</dt><dd>1</dd>" in told
    assert words in told


def test_what_has_no_room_has_a_document_of_its_own() -> None:
    pages = [facts(f"a/rules/{number}.md", title=f"Rule {number}", unsourced=number + 1) for number in range(70)]
    documents = made(*pages)
    told = html(documents["health.md"])
    section = told.partition('<section id="unsourced">')[2].partition("</section>")[0]
    assert "Rule 69" in section
    assert section.count("<li>") == 5
    assert '<a href="unsourced/">65 more</a>' in section
    whole = html(documents["health/unsourced.md"])
    assert whole.count("wm-fact") >= 60
    assert "These are the first 60 of 70 pages." in whole
    assert "<code>" not in whole or "Name a source" in whole


def test_what_is_too_large_to_print_is_no_matter_for_a_person() -> None:
    page = facts(PATH, page=facts().page.__class__({}, "x" * 300_001))
    documents = made(page)
    assert "print/gotcha.md" not in documents
    assert "print" not in html(documents["health.md"]).casefold()
