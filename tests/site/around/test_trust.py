from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.site.around.badges import badges
from pipeline.site.around.changed import difference, edited_by_hand, last_change
from pipeline.site.around.origin import confirmations, from_what, how
from pipeline.site.around.trust import trust_header
from pipeline.site.facts import Facts, Verified
from pipeline.site.hosting import Host
from pipeline.site.values import Site
from tests.site.making import facts, quoted, revision, section, source

if TYPE_CHECKING:
    from pipeline.wiki.format.page import Source

HOST = Host("https://github.com/acme/wiki", "github")
DAY = "<time>2026-11-29</time>"
FRONT = "---\ngenerated: { by: wikimill/extractive, at: 2026-11-29T08:00:00Z }\n---\n\n"


def header(page: Facts, site: Site | None = None, **told: object) -> str:
    usual: dict[str, object] = {"quoted": {}, "revisions": (), "history": ""}
    return trust_header(page, site or Site(), **{**usual, **told})  # type: ignore[arg-type]


def said(html: str) -> str:
    """The paragraph of a header as a reader sees it."""
    made = html.partition('<p class="wm-made">')[2].partition("</p>")[0]
    return re.sub(r"<[^>]+>", "", made.replace("</span> <span", "</span> · <span"))


AGENT = source("o-0000000001", author="claude-code/unversioned")
OTHER_AGENT = source("o-0000000002", author="codex/unversioned")
ERIK = source("o-0000000003", author="human:erik")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({}, f"AI-consolidated by gpt-6-luna on {DAY}"),
        ({"model": ""}, f"AI-consolidated by a language model on {DAY}"),
        ({"origin": "extractive", "model": "extractive"}, f"collected without a language model on {DAY}"),
        ({"origin": "hand", "model": "", "generated_on": ""}, "written by hand"),
    ],
)
def test_a_page_tells_how_it_was_made(told: dict[str, Any], says: str) -> None:
    page = facts(**told)
    assert how(page.origin, page.model, page.generated_on) == says


LINK = '<a href="#wm-sources">'
ON = "<time>2026-11-12</time>"


@pytest.mark.parametrize(
    ("sources", "says"),
    [
        ((), ""),
        ((source(),), f"from {LINK}1 observation</a> ({ON}) by dana"),
        ((source(), ERIK, AGENT), f"from {LINK}3 observations</a> ({ON}) by dana, erik and claude-code"),
        (
            (AGENT, OTHER_AGENT, source("o-0000000009", author="codex/1.2")),
            f"from {LINK}3 observations</a> ({ON}) by claude-code and codex",
        ),
        (
            (
                source("o-1111111111", title="2026-01-31 07:26 x: y"),
                source("o-2222222222", title="2026-01-19 02:12 x: y"),
            ),
            f"from {LINK}2 observations</a> (<time>2026-01-19</time> to <time>2026-01-31</time>) by dana",
        ),
        ((source("rfc", author="", title="RFC 6265"),), f"from {LINK}1 source</a>"),
        (
            tuple(source(f"o-000000001{number}", author=f"human:{name}") for number, name in enumerate("abcde")),
            f"from {LINK}5 observations</a> ({ON}) by a, b, c and 2 others",
        ),
        ((source(author="human:unknown"),), f"from {LINK}1 observation</a> ({ON}) by a person"),
    ],
)
def test_a_page_tells_what_it_was_made_from(sources: tuple[Source, ...], says: str) -> None:
    assert from_what(facts(sources=sources), {}) == says


def test_the_days_are_those_of_the_observations_where_they_are_at_hand() -> None:
    later = quoted(when=datetime(2026, 11, 20, 23, 59, tzinfo=UTC))
    assert "(<time>2026-11-20</time>)" in from_what(facts(sources=(source(),)), {"o-3f2a9c1e55": later})


@pytest.mark.parametrize(
    ("verified", "says"),
    [
        ((), "not confirmed by a person yet"),
        ((Verified("process:wikimill-gates", "2026-11-29"),), "checked by code, not yet by a person"),
        ((Verified("process:link-check", ""),), "checked by link-check, not yet by a person"),
        (
            (Verified("process:wikimill-gates", "2026-11-28"), Verified("human:erik", "2026-11-29")),
            f"confirmed by erik on {DAY}",
        ),
        (
            (Verified("human:erik", ""), Verified("human:unknown", "2026-11-29")),
            f"confirmed by erik and a person on {DAY}",
        ),
        (
            tuple(Verified(f"human:{name}", "") for name in "abcde"),
            "confirmed by a, b, c and 2 others",
        ),
    ],
)
def test_a_page_tells_who_confirmed_it(verified: tuple[Verified, ...], says: str) -> None:
    assert confirmations(verified) == says


def test_one_short_paragraph_tells_it_all() -> None:
    page = facts(
        origin="extractive",
        model="extractive",
        sources=(source(), AGENT),
        verified=(Verified("process:wikimill-gates", "2026-11-29"),),
        session_ids=("7f4c21d8",),
        unsourced=2,
        contradicted=1,
    )
    found = header(page, revisions=(revision(), revision("# Other\n")), history="history/harbour/decisions/x.md")
    assert said(found) == (
        "From 2 observations (2026-11-12) by dana and claude-code · collected without a language model on 2026-11-29 · "
        "checked by code, not yet by a person · What changed"
    )
    assert found.count("<p") == 1
    assert said(header(facts())) == "AI-consolidated by gpt-6-luna on 2026-11-29 · not confirmed by a person yet"
    by_hand = facts(origin="hand", generated_on="", sources=(source("rfc", author="", title="RFC 6265"),))
    assert said(header(by_hand)) == "From 1 source · written by hand · nobody else has confirmed it yet"


def test_who_finds_an_error_has_both_ways_in_sight() -> None:
    found = header(facts(), Site(host=HOST))
    assert re.findall(r'<p class="wm-quick"><span class="wm-fact"><a href="([^?"]+)[^>]*>([^<]+)', found) == [
        ("https://github.com/acme/wiki/issues/new", "Report a problem")
    ]
    edit = f"https://github.com/acme/wiki/edit/main/wiki/{facts().path}"
    assert found.endswith(f' <span class="wm-fact"><a href="{edit}">Correct this page</a></span></p></div>')
    assert "wm-quick" not in header(facts())


def test_badges_say_in_words_what_their_colour_says() -> None:
    sections = (section("Fine"), section("Odd", "It is so. (unsourced)"), section("So", "Contradiction: “a” stands"))
    page = facts(tier="human-reviewed", unsourced=2, contradicted=1, stale_after="2026-12-01", sections=sections)
    assert badges(page, Site(today=date(2026, 12, 1))) == (
        '<ul class="wm-badges" aria-label="About this page">'
        '<li class="wm-badge wm-badge--type">Decision</li>'
        '<li class="wm-badge wm-badge--stable">Stable</li>'
        '<li class="wm-badge wm-badge--human-reviewed" title="A person has read this page against its sources">'
        "Human-reviewed</li>"
        '<li class="wm-badge wm-badge--contradicted"><a href="#so">Contradicted</a></li>'
        '<li class="wm-badge wm-badge--unsourced"><a href="#odd">2 unsourced statements</a></li>'
        '<li class="wm-badge wm-badge--due">Review due since <time>2026-12-01</time></li></ul>'
    )


def test_a_doubt_whose_place_is_not_known_leads_nowhere() -> None:
    found = badges(facts(unsourced=1, contradicted=3), Site())
    assert (
        '--contradicted">3 contradictions</li><li class="wm-badge wm-badge--unsourced">Unsourced statement</li>'
        in found
    )


@pytest.mark.parametrize(
    ("today", "hidden"),
    [(date(2026, 12, 1), False), (date(2027, 3, 1), False), (date(2026, 11, 30), True), (None, True)],
)
def test_a_review_is_told_to_be_due_from_its_day_on_and_once(today: date | None, *, hidden: bool) -> None:
    found = header(facts(stale_after="2026-12-01"), Site(today=today))
    state = " hidden" if hidden else ""
    assert f'<li class="wm-badge wm-badge--due"{state}>Review due since <time>2026-12-01</time></li>' in found
    assert found.count("2026-12-01</time>") == (2 if hidden else 1)
    assert ("to be reviewed by <time>2026-12-01</time>" in found) == hidden
    assert found.startswith('<div class="wm-origin" data-search-exclude data-stale-after="2026-12-01">')


def test_a_page_that_is_never_due_says_nothing_of_it() -> None:
    found = header(facts())
    assert "wm-due" not in found
    assert "data-stale-after" not in found


def test_a_page_without_a_type_gets_no_header() -> None:
    assert header(facts(type="")) == ""


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"author": "dana", "model": "", "session": ""}, f"last changed {DAY} by dana"),
        # Whoever committed or merged it.
        ({"author": "Seed maintainers"}, ""),
        ({"author": "Seed maintainers", "model": ""}, ""),
        ({"at": datetime(2026, 12, 2, tzinfo=UTC)}, "last changed <time>2026-12-02</time> by wikimill"),
        ({"author": "", "model": "", "session": ""}, ""),
    ],
)
def test_the_last_change_is_told_where_the_day_of_the_page_does_not_tell_it(told: dict[str, Any], says: str) -> None:
    usual = {"at": datetime(2026, 11, 29, 23, 30, tzinfo=UTC)}
    assert last_change((revision(**{**usual, **told}),), "2026-11-29") == says
    assert last_change((), "2026-11-29") == ""


def test_what_changed_leads_to_the_difference_and_the_first_version_to_its_commit() -> None:
    here = "harbour/decisions/x.md"
    site = Site(host=HOST)
    first = revision(commit="1" * 40)
    again = revision(commit="2" * 40)
    base = revision(commit="3" * 40, author="", subject="")
    told = difference(here, (again, first), "history/harbour/decisions/x.md", site)
    assert told == '<a href="../../../history/harbour/decisions/x/">What changed</a>'
    commit = "https://github.com/acme/wiki/commit/"
    for revisions in ((first,), (again, first)):
        assert difference(here, revisions, "", site) == f'<a href="{commit}{"1" * 40}">First version</a>'
    assert difference(here, (again, base), "", site) == f'<a href="{commit}{"2" * 40}">What changed</a>'
    assert difference(here, (first,), "", Site()) == ""
    assert difference(here, (), "", site) == ""


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
    told = "edited by dana on 2026-11-29"
    assert f"{told}, so not every statement is a quotation any more" in said(header(collected, revisions=edited))
    assert "last changed" not in header(collected, revisions=edited)
    assert said(header(facts(), revisions=edited)).endswith(f" · {told}")
    since = (revision(f"{FRONT}# Page\n\nMine. More.\n", at=datetime(2026, 12, 2, tzinfo=UTC)), *edited)
    assert said(header(facts(), revisions=since)).endswith(f" · {told} · last changed 2026-12-02 by wikimill")
    by_hand = header(facts(origin="hand"), revisions=edited)
    assert "edited by" not in by_hand
    assert said(by_hand).endswith(" · last changed 2026-11-29 by dana")
