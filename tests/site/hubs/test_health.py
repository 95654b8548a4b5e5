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
    page = facts(PATH, **{"sources": (source("o-1"),), **told})
    index = {"harbour/gotchas/index.md": "* [The limit](limit.md)\n"}
    assert set(counts(page, files=index)) == subjects


def test_orphans_are_neither_linked_nor_listed() -> None:
    page = facts(PATH, sources=(source(),))
    assert set(counts(page)) == {"orphans"}
    other = facts("harbour/gotchas/other.md", sources=(source(),), links=(link_to(PATH),), tier="human-reviewed")
    found = counts(page, other, files={"index.md": "See [this](harbour/gotchas/other.md)."})
    assert found == {"not-confirmed": 1}


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
    assert "Nothing to do for: review due, contradicted, " in told


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


def test_types_that_are_too_large_to_print() -> None:
    page = facts(PATH, page=facts().page.__class__({}, "x" * 300_001))
    documents = made(page)
    assert "print/gotcha.md" not in documents
    assert '<section id="too-large-to-print">' in html(documents["health.md"])
    assert "for printing" not in html(documents["types/gotcha.md"])
