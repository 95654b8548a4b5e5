from __future__ import annotations

import html
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pipeline.site.around import words
from pipeline.site.around.correcting import becomes_of_an_edit, correcting, quick_links
from pipeline.site.hosting import Host
from pipeline.site.library import Library
from pipeline.site.values import Site
from pipeline.wiki.format.page import Page
from tests.site.making import PATH, facts, library, revision

HOST = Host("https://github.com/acme/wiki", "github")


def block(site: Site, *, whole: bool = True, **told: Any) -> str:  # noqa: ANN401 - facts by name
    page = facts(**told)
    known = library(page) if whole else Library({page.path: page}, whole=False)
    return correcting(page, known, site, revisions=(), history="")


def test_a_reader_reports_or_corrects_in_one_click() -> None:
    site = Site(host=HOST, url="https://wiki.example.org/", folder="docs/wiki")
    found = quick_links(facts(title="Session & cookies"), site)
    report, correct = (part.partition('"')[0].replace("&amp;", "&") for part in found.split('<a href="')[1:3])
    assert correct == f"https://github.com/acme/wiki/edit/main/docs/wiki/{PATH}"
    asked = parse_qs(urlsplit(report).query)
    assert asked == {
        "title": ["Wrong on the page: Session & cookies"],
        "body": [
            (
                "Page: https://wiki.example.org/harbour/decisions/session-cookies/\n"
                f"File: docs/wiki/{PATH}\nSection: \nGenerated: 2026-11-29 (gpt-6-luna)\n\n"
                "What is wrong, and how do you know?\n\n"
            )
        ],
    }
    assert found.startswith('<p class="wm-quick"><span class="wm-fact"><a href="')
    assert found.endswith(">Correct this page</a></span></p>")
    assert quick_links(facts(), Site()) == ""


def test_the_rest_stands_below_the_text() -> None:
    assert block(Site(host=HOST)) == (
        '<div class="wm-act" role="group" aria-label="Found something wrong?" data-search-exclude>'
        '<ul><li><a href="../session-cookies.md">View Markdown</a></li>'
        '<li><button type="button" data-wm-copy="../session-cookies.md" hidden>Copy Markdown</button></li></ul>'
        "<p>Your words stay: a later run only adds to a section or changes it when something new was observed about "
        "it. Put <code>&lt;!-- keep --&gt;</code> and <code>&lt;!-- /keep --&gt;</code> around what must never change."
        "</p></div>"
    )
    # A page without a type has no header that the two links could stand in.
    assert "Report a problem</a></li><li><a" in block(Site(host=HOST), type="")


def test_without_a_host_a_reader_is_told_whom_to_tell_and_no_button_is_dead() -> None:
    found = block(Site(), whole=False)
    assert "<ul>" not in found
    assert "<a " not in found
    assert "button" not in found
    assert f"or change the file <code>wiki/{PATH}</code> in its repository. Your words stay: " in found


def test_a_page_that_the_generator_alone_built_has_no_twin_to_take_along() -> None:
    assert "Markdown" not in block(Site(host=HOST), whole=False)


def test_what_changed_is_within_reach_of_who_finds_an_error() -> None:
    page = facts()
    found = correcting(page, library(page), Site(), revisions=(revision(),), history=f"history/{PATH}")
    assert '<li><a href="../../../history/harbour/decisions/session-cookies/">What changed</a></li>' in found


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({}, words.KEPT),
        ({"origin": "extractive"}, words.KEPT),
        ({"origin": "hand"}, words.KEPT_HAND),
        ({"page": Page({"slot": "state"}, "")}, words.KEPT_STATE),
        ({"page": Page({"slot": "invariant"}, "")}, words.KEPT),
        ({"page": Page({"locked": True}, ""), "origin": "hand"}, words.KEPT_LOCKED),
    ],
)
def test_a_reader_is_told_what_becomes_of_a_correction(told: dict[str, Any], says: str) -> None:
    found = html.unescape(becomes_of_an_edit(facts(**told)).replace("<code>", "").replace("</code>", ""))
    assert found == says
