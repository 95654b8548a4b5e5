from __future__ import annotations

from datetime import date

import pytest

from pipeline.site.pages import page_documents
from pipeline.site.values import Inputs, Site
from pipeline.wiki.format.page import Page
from tests.site.making import PATH, facts, library, quoted, revision, source

SITE = Site(today=date(2026, 12, 1))


def test_a_document_holds_the_pages_text_and_checked_front_matter() -> None:
    body = "# Session cookies\n\nText <b>as it is</b>.\n"
    page = facts(
        title="Session\ncookies",
        description="How they are kept.",
        tags=("auth", "a\x00b"),
        language="ja",
        direction="ltr",
        page=Page({"template": "evil.html", "title": "x"}, body),
    )
    (document,) = page_documents(Inputs(SITE, {}), library(page))
    assert document.path == PATH
    assert document.body == body
    assert document.front == {
        "title": "Session cookies",
        "description": "How they are kept.",
        "tags": ["auth", "ab"],
        "lang": "ja",
        "dir": "ltr",
        "okf_type": "Decision",
        "okf_status": "stable",
    }
    assert document.frame.title == "Session\ncookies"


@pytest.mark.parametrize(
    ("told", "front"),
    [
        ({"status": "stable"}, {"okf_status": "stable"}),
        ({"status": "other"}, {"okf_status": "other"}),
        ({"status": "draft"}, {"okf_status": "draft", "status": "draft"}),
        ({"status": "deprecated"}, {"search": {"boost": 0.3}, "okf_status": "deprecated", "status": "deprecated"}),
        ({"superseded_by": "harbour/rules/next.md"}, {"search": {"boost": 0.3}, "okf_status": "stable"}),
    ],
)
def test_only_two_statuses_are_for_the_theme_and_former_pages_rank_low(
    told: dict[str, str], front: dict[str, object]
) -> None:
    page = facts(type="", **told)
    found = next(iter(page_documents(Inputs(SITE, {}), library(page, facts("harbour/rules/next.md")))))
    assert found.front == {"title": "Session cookies", **front}


def test_what_the_notice_says_does_not_stand_in_the_text_as_well() -> None:
    body = "# Old\n\n> Superseded by [Next](../rules/next.md) on 2026-11-30.\n\nText.\n"
    page = facts(superseded_by="harbour/rules/next.md", page=Page({}, body))
    successor = facts("harbour/rules/next.md")
    found = next(iter(page_documents(Inputs(SITE, {}), library(page, successor))))
    assert found.body == "# Old\n\n\nText.\n"
    assert "It was superseded by" in found.frame.below_title
    # Where the successor is gone, the line is all that tells of it.
    (alone,) = page_documents(Inputs(SITE, {}), library(page))
    assert alone.body == body


def test_quotations_revisions_and_history_reach_the_page_that_they_are_about() -> None:
    page = facts(sources=(source(),), cited=("o-3f2a9c1e55",))
    other = facts("harbour/rules/other.md", sources=(source(),), cited=("o-3f2a9c1e55",))
    inputs = Inputs(
        SITE,
        {},
        quoted={(PATH, "o-3f2a9c1e55"): quoted("The whole of it.")},
        revisions={PATH: (revision("b"), revision("a")), other.path: (revision("a"),)},
    )
    found = {document.path: document.frame for document in page_documents(inputs, library(page, other))}
    assert "The whole of it." in found[PATH].notes["o-3f2a9c1e55"]
    assert "The whole of it." not in found[other.path].notes["o-3f2a9c1e55"]
    assert '<a href="../../../history/harbour/decisions/session-cookies/">What changed</a>' in found[PATH].below_title
    assert "What changed" not in found[other.path].below_title


def test_a_page_that_cites_a_session_stands_on_the_page_of_that_session() -> None:
    page = facts(sources=(source(),), cited=("o-3f2a9c1e55",))
    session = facts("harbour/sessions/cookies.md", session_ids=("7f4c21d8",))
    inputs = Inputs(SITE, {}, quoted={(PATH, "o-3f2a9c1e55"): quoted()})
    frames = {document.path: document.frame for document in page_documents(inputs, library(page, session))}
    assert (
        '<h2>Pages from this session</h2><ul class="wm-list"><li><a href="../../decisions/'
        in frames[session.path].below
    )
    assert 'From the session <a href="../../sessions/cookies/">Cookies</a>.' in frames[PATH].sources


def test_no_document_tells_when_the_site_was_built() -> None:
    page = facts(stale_after="2027-06-01")
    first, second = (
        next(iter(page_documents(Inputs(Site(today=today), {}), library(page)))).render()
        for today in (date(2026, 12, 1), date(2027, 5, 31))
    )
    assert first == second
    due = next(iter(page_documents(Inputs(Site(today=date(2027, 6, 1)), {}), library(page)))).render()
    assert due != first
