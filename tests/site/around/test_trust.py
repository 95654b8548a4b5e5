from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from pipeline.site.around.badges import badges
from pipeline.site.around.changed import difference, edited_by_hand, last_change
from pipeline.site.around.origin import confirmations, how_it_came
from pipeline.site.around.surroundings import survey
from pipeline.site.around.trust import trust_header
from pipeline.site.facts import Facts, Verified
from pipeline.site.hosting import Host
from pipeline.site.values import Site
from tests.site.making import facts, library, quoted, revision, section, source

HOST = Host("https://github.com/acme/wiki", "github")
DAY = "<time>2026-11-29</time>"
FRONT = "---\ngenerated: { by: wikimill/extractive, at: 2026-11-29T08:00:00Z }\n---\n\n"


def header(page: Facts, site: Site | None = None, **told: object) -> str:
    around = library(page)
    usual: dict[str, object] = {"quoted": {}, "revisions": (), "history": ""}
    return trust_header(page, around, site or Site(), survey(around), **{**usual, **told})  # type: ignore[arg-type]


AGENT = source("o-0000000001", author="claude-code/unversioned")
OTHER_AGENT = source("o-0000000002", author="codex/unversioned")
ERIK = source("o-0000000003", author="human:erik")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({}, f"AI-consolidated: drafted by gpt-6-luna, on {DAY}"),
        ({"model": ""}, f"AI-consolidated: drafted by a language model, on {DAY}"),
        ({"origin": "extractive", "model": "extractive"}, f"Collected without a language model, on {DAY}"),
        ({"origin": "hand", "model": "", "generated_on": ""}, "Written by hand"),
        (
            {"sources": (source(), ERIK, AGENT)},
            (
                'AI-consolidated: drafted by gpt-6-luna from <a href="#wm-sources">3 observations</a> by dana, erik '
                f"and 1 agent, on {DAY}"
            ),
        ),
        (
            {"sources": (AGENT, OTHER_AGENT), "session_ids": ("one", "two")},
            (
                'AI-consolidated: drafted by gpt-6-luna from <a href="#wm-sources">2 observations</a> of 2 sessions by '
                f"2 agents, on {DAY}"
            ),
        ),
        (
            {"origin": "hand", "generated_on": "", "sources": (source("rfc", author="", title="RFC 6265"),)},
            'Written by hand from <a href="#wm-sources">1 source</a>',
        ),
        (
            {
                "sources": tuple(
                    source(f"o-000000001{number}", author=f"human:{name}") for number, name in enumerate("abcde")
                )
            },
            (
                'AI-consolidated: drafted by gpt-6-luna from <a href="#wm-sources">5 observations</a> by a, b, c and '
                f"2 others, on {DAY}"
            ),
        ),
        (
            {"sources": (source(author="human:unknown"),)},
            (
                'AI-consolidated: drafted by gpt-6-luna from <a href="#wm-sources">1 observation</a> by a person, on '
                f"{DAY}"
            ),
        ),
    ],
)
def test_a_page_tells_how_it_came_to_be(told: dict[str, Any], says: str) -> None:
    assert how_it_came(facts(**told), {}) == says


def test_sessions_are_those_of_the_page_and_of_the_observations_that_it_cites() -> None:
    page = facts(sources=(source(),), session_ids=("7f4c21d8",))
    assert " of 2 sessions " in how_it_came(page, {"o-3f2a9c1e55": quoted(session_id="other")})
    assert " sessions " not in how_it_came(page, {"o-3f2a9c1e55": quoted()})


@pytest.mark.parametrize(
    ("verified", "says"),
    [
        ((), "No person has confirmed it yet"),
        (
            (Verified("process:wikimill-gates", "2026-11-29"),),
            f"Checked by wikimill&#x27;s gates on {DAY}; no person has confirmed it yet",
        ),
        (
            (Verified("process:link-check", ""),),
            "Checked by the process link-check; no person has confirmed it yet",
        ),
        (
            (Verified("process:wikimill-gates", "2026-11-28"), Verified("human:erik", "2026-11-29")),
            f"Confirmed by erik on {DAY}",
        ),
        (
            (Verified("human:erik", ""), Verified("human:unknown", "2026-11-29")),
            f"Confirmed by erik and a person on {DAY}",
        ),
        (
            tuple(Verified(f"human:{name}", "") for name in "abcde"),
            "Confirmed by a, b, c and 2 others",
        ),
    ],
)
def test_a_page_tells_who_confirmed_it(verified: tuple[Verified, ...], says: str) -> None:
    assert confirmations(verified) == says


def test_badges_say_in_words_what_their_colour_says() -> None:
    page = facts(tier="human-reviewed", unsourced=2, contradicted=1, stale_after="2026-12-01")
    assert badges(page, Site(today=date(2026, 12, 1))) == (
        '<ul class="wm-badges" aria-label="About this page">'
        '<li class="wm-badge wm-badge--type">Decision</li>'
        '<li class="wm-badge wm-badge--stable">Stable</li>'
        '<li class="wm-badge wm-badge--human-reviewed" title="A person has read this page against its sources">'
        "Human-reviewed</li>"
        '<li class="wm-badge wm-badge--contradicted">Contradicted</li>'
        '<li class="wm-badge wm-badge--unsourced">Unsourced statements</li>'
        '<li class="wm-badge wm-badge--due">Review due</li></ul>'
    )


@pytest.mark.parametrize(
    ("today", "hidden"),
    [(date(2026, 12, 1), False), (date(2027, 3, 1), False), (date(2026, 11, 30), True), (None, True)],
)
def test_a_review_is_told_to_be_due_from_its_day_on(today: date | None, *, hidden: bool) -> None:
    found = header(facts(stale_after="2026-12-01"), Site(today=today))
    state = " hidden" if hidden else ""
    assert f'<li class="wm-badge wm-badge--due"{state}>Review due</li>' in found
    due = f'<p class="wm-due"{state}>Review due since <time>2026-12-01</time>.</p></div>'
    assert found.endswith(due)
    assert ("To be reviewed by" in found) == hidden
    assert found.startswith('<div class="wm-origin" data-search-exclude data-stale-after="2026-12-01">')


def test_a_page_that_is_never_due_says_nothing_of_it() -> None:
    found = header(facts())
    assert "wm-due" not in found
    assert "data-stale-after" not in found


def test_a_page_without_a_type_gets_no_header() -> None:
    assert header(facts(type="")) == ""


def test_doubts_are_counted_and_lead_to_the_first_of_them() -> None:
    page = facts(unsourced=1, contradicted=2, sections=(section("Fine"), section("Odd", "It is so. (unsourced)")))
    assert (
        '<span class="wm-fact">2 contradictions are open; <a href="#odd">1 statement has no source</a></span>'
    ) in header(page)
    assert '<span class="wm-fact">3 statements have no source</span>' in header(facts(unsourced=3))


def test_sessions_lead_to_their_pages() -> None:
    page = facts(session_ids=("7f4c21d8",))
    session = facts("harbour/sessions/cookies.md", title="Cookies & co", session_ids=("7f4c21d8",))
    elsewhere = facts("tower/sessions/other.md", session_ids=("7f4c21d8",))
    known = library(page, session, elsewhere)
    found = trust_header(page, known, Site(), survey(known), quoted={}, revisions=(), history="")
    assert 'Session <a href="../../sessions/cookies/">Cookies &amp; co</a>' in found
    own = trust_header(session, known, Site(), survey(known), quoted={}, revisions=(), history="")
    assert "Session <" not in own


def test_sessions_without_a_page_are_named_and_many_are_counted() -> None:
    words = {f"o-{number}": quoted(session_id=f"s{number}") for number in range(5)}
    assert (
        '<span class="wm-fact">Sessions <code>s0</code>, <code>s1</code>, <code>s2</code> and 2 more</span>'
    ) in header(facts(), quoted=words)


def test_what_changed_last_leads_to_the_difference() -> None:
    dana = revision(author="dana", model="", session="", at=datetime(2026, 11, 29, 23, 30, tzinfo=UTC))
    assert last_change((dana,)) == f"Last changed {DAY} by dana"
    assert last_change(()) == ""
    here = "harbour/decisions/x.md"
    site = Site(host=HOST)
    told = difference(here, (dana,), "history/harbour/decisions/x.md", site)
    assert told == '<a href="../../../history/harbour/decisions/x/">What changed</a>'
    commit = f"https://github.com/acme/wiki/commit/{dana.commit}"
    assert difference(here, (dana,), "", site) == f'<a href="{commit}">What changed</a>'
    assert difference(here, (dana,), "", Site()) == ""
    assert difference(here, (), "", site) == ""
    assert f'<span class="wm-fact">Last changed {DAY} by dana: <a href="{commit}">What changed</a></span>' in header(
        facts(), site, revisions=(dana,)
    )


OURS = revision(f"{FRONT}# Page\n\nQuoted.\n")
BY_HAND = {"author": "dana", "model": "", "session": ""}


@pytest.mark.parametrize(
    ("revisions", "found"),
    [
        ((), None),
        ((OURS,), None),
        ((revision(f"{FRONT}# Page\n\nMine.\n", **BY_HAND), OURS), 0),
        # The text did not change: a review, or a key that a person added.
        (
            (
                revision(
                    f"{FRONT.replace('generated', 'tags: [a]' + chr(10) + 'generated')}# Page\n\nQuoted.\n", **BY_HAND
                ),
                OURS,
            ),
            None,
        ),
        # A person merged what a run wrote: `generated` changed with the text.
        ((revision(f"{FRONT.replace('29T', '30T')}# Page\n\nNew.\n", **BY_HAND), OURS), None),
        # A run added to the page afterwards; the person's words are still there.
        ((revision(f"{FRONT}# Page\n\nMine. More.\n"), revision(f"{FRONT}# Page\n\nMine.\n", **BY_HAND), OURS), 1),
        # The first revision that is known may have come in any way.
        ((revision(f"{FRONT}# Page\n\nMine.\n", **BY_HAND),), None),
        # What cannot be read is told nothing of.
        ((revision(b"\xff", **BY_HAND), OURS), None),
    ],
)
def test_a_persons_edit_is_told_from_a_runs_work(revisions: tuple[object, ...], found: int | None) -> None:
    edit = edited_by_hand(revisions)  # type: ignore[arg-type]
    assert edit is (None if found is None else revisions[found])


def test_a_page_of_quotations_says_that_a_person_edited_it() -> None:
    edited = (revision(f"{FRONT}# Page\n\nMine.\n", **BY_HAND), OURS)
    collected = facts(origin="extractive", model="extractive")
    told = f"Edited by dana on {DAY}"
    assert f"{told}, so not every statement is a quotation any more" in header(collected, revisions=edited)
    assert f"{told}</span>" in header(facts(), revisions=edited)
    assert "Edited by" not in header(facts(origin="hand"), revisions=edited)
