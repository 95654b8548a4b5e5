"""The feeds and the sitemap: well-formed whatever the pages hold, the same for the same pages, and dated by them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.machines.feeds import FEED, MOST, feed_of, feeds
from pipeline.site.machines.sitemap import sitemap
from pipeline.site.values import Inputs
from tests.site.machines.wiki import FILES, SITE, inputs_of, machines_of, page
from tests.site.making import facts, library, revision, source

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def entries(feed: bytes) -> list[ET.Element]:
    return ET.fromstring(feed).findall(f"{ATOM}entry")


def told(element: ET.Element, name: str) -> str:
    found = element.find(f"{ATOM}{name}")
    assert found is not None
    return found.text or ""


def links(element: ET.Element) -> dict[tuple[str, str], str]:
    return {(one.get("rel", ""), one.get("type", "")): one.get("href", "") for one in element.findall(f"{ATOM}link")}


def test_the_newest_changes_come_first() -> None:
    files = machines_of(inputs_of()).files
    root = ET.fromstring(files[FEED])
    assert (told(root, "title"), told(root, "subtitle")) == ("Harbour wiki", "What the team knows.")
    assert told(root, "id") == "tag:wiki.example.org,2026:feed.xml"
    assert told(root, "updated") == "2026-11-30T14:03:00Z"
    assert links(root) == {
        ("self", "application/atom+xml"): "https://wiki.example.org/harbour/feed.xml",
        ("alternate", "text/html"): "https://wiki.example.org/harbour/",
    }
    assert [told(one, "title") for one in entries(files[FEED])] == ["The clock drifts", "Cookies", "JWT"]
    cookies = entries(files[FEED])[1]
    assert told(cookies, "id") == "tag:wiki.example.org,2026:pages/harbour/decisions/cookies.md"
    assert told(cookies, "updated") == "2026-11-29T14:03:00Z"
    assert links(cookies) == {
        ("alternate", "text/html"): "https://wiki.example.org/harbour/harbour/decisions/cookies/",
        ("alternate", "text/markdown"): "https://wiki.example.org/harbour/harbour/decisions/cookies.md",
    }
    assert [one.get("term") for one in cookies.findall(f"{ATOM}category")] == ["Decision", "login", "cookies"]
    assert told(cookies, "summary") == "About Cookies. Reviewed by a person."
    assert "no longer current" in told(entries(files[FEED])[2], "summary")


def test_each_type_has_a_feed() -> None:
    files = machines_of(inputs_of()).files
    assert [path for path in files if path.startswith("feeds/")] == ["feeds/decision.xml", "feeds/gotcha.xml"]
    assert [told(one, "title") for one in entries(files[feed_of("Decision")])] == ["Cookies", "JWT"]
    assert told(ET.fromstring(files[feed_of("Gotcha")]), "title") == "Harbour wiki: gotchas"


def test_a_feed_is_short() -> None:
    pages = [facts(f"a/decisions/n{number:03}.md", changed_on=f"2026-10-{number % 28 + 1:02}") for number in range(90)]
    found = entries(feeds(Inputs(SITE, {}), library(*pages))[FEED])
    assert len(found) == MOST
    times = [told(one, "updated") for one in found]
    assert times == sorted(times, reverse=True)
    assert times[0] == "2026-10-28T00:00:00Z"


def test_a_page_without_a_date_is_no_change() -> None:
    made = feeds(Inputs(SITE, {}), library(facts(changed_on=""), facts("b/decisions/c.md", changed_on="soon")))
    assert entries(made[FEED]) == []
    assert told(ET.fromstring(made[FEED]), "updated") == "1970-01-01T00:00:00Z"


def test_what_changed_is_told_where_it_is_known() -> None:
    path = "harbour/decisions/cookies.md"
    old = revision(FILES[path].replace(b"See [the trap]", b"Mind [the trap]"), at=datetime(2026, 11, 28, tzinfo=UTC))
    inputs = inputs_of(revisions={path: (revision(FILES[path]), old)})
    assert told(entries(machines_of(inputs).files[FEED])[1], "summary") == (
        "1 claim changed. About Cookies. Reviewed by a person."
    )


def test_a_summary_keeps_the_case_of_identifiers_and_says_nothing_of_what_nobody_did() -> None:
    one = facts(description="checkpoints_count is kept in metadata.json")
    (entry,) = entries(feeds(Inputs(SITE, {}), library(one))[FEED])
    assert told(entry, "summary") == "checkpoints_count is kept in metadata.json."


def test_a_persons_later_edit_counts_as_a_change() -> None:
    path = "harbour/decisions/cookies.md"
    at = datetime(2026, 12, 2, 8, 30, 5, tzinfo=UTC)
    edit = revision(FILES[path].replace(b"Instead of", b"No more"), author="Dana", model="", session="", at=at)
    found = entries(machines_of(inputs_of(revisions={path: (edit, revision(FILES[path]))})).files[FEED])
    assert (told(found[0], "title"), told(found[0], "updated")) == ("Cookies", "2026-12-02T08:30:05Z")


def test_changes_of_one_moment_go_by_what_was_observed_last() -> None:
    pages = [
        facts(f"a/gotchas/{name}.md", title=name, sources=(source(title=f"{day} 08:00 dana: x"),))
        for name, day in (("Aa", "2026-01-02"), ("Bb", "2026-01-20"), ("Cc", "2026-01-11"))
    ]
    found = entries(feeds(Inputs(SITE, {}), library(*pages))[FEED])
    assert [told(one, "title") for one in found] == ["Bb", "Cc", "Aa"]


def test_nothing_but_content_changes_a_feed() -> None:
    made = machines_of(inputs_of()).files
    other_day = inputs_of(site=replace(SITE, today=date(2027, 7, 1)))
    again = machines_of(other_day).files
    assert {path: raw for path, raw in again.items() if path.endswith((".xml", ".json", ".txt"))} == {
        path: raw for path, raw in made.items() if path.endswith((".xml", ".json", ".txt"))
    }


def test_without_an_address_feeds_link_relatively() -> None:
    files = machines_of(inputs_of(site=replace(SITE, url=""))).files
    assert links(entries(files[FEED])[0])["alternate", "text/html"] == "harbour/gotchas/clock/"
    assert links(entries(files["feeds/gotcha.xml"])[0])["alternate", "text/html"] == "../harbour/gotchas/clock/"
    assert told(ET.fromstring(files[FEED]), "id") == "tag:wikimill,2026:feed.xml"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Wiki.Example.org:8443/x/", "wiki.example.org"),
        ("http://dana:secret@wiki.example.org/", "wiki.example.org"),
        ("/x/", "wikimill"),
    ],
)
def test_ids_name_the_host(url: str, host: str) -> None:
    made = feeds(Inputs(replace(SITE, url=url), {}), library(facts()))
    assert told(ET.fromstring(made[FEED]), "id") == f"tag:{host},2026:feed.xml"


ANY = st.text(st.characters() | st.sampled_from("<>&\"'\x00\x0b\ud800\ufffe\uffff\u2028\u202e]"), max_size=20)


@given(ANY, ANY, ANY, ANY)
def test_feeds_are_well_formed_whatever_a_page_holds(title: str, kind: str, about: str, tag: str) -> None:
    one = facts(title=title, type=kind, description=about, tags=(tag,))
    made = feeds(Inputs(replace(SITE, name=title, description=about), {}), library(one))
    for feed in made.values():
        assert len(entries(feed)) == 1


@given(st.text(max_size=30))
def test_times_are_right_whatever_the_front_matter_says(at: str) -> None:
    page_at = facts(changed_on="2026-11-29")
    page_at = replace(page_at, page=replace(page_at.page, front={"generated": {"by": "x", "at": at}}))
    (entry,) = entries(feeds(Inputs(SITE, {}), library(page_at))[FEED])
    assert told(entry, "updated").startswith("2026-11-29T")


def test_the_sitemap_lists_every_document() -> None:
    raw = machines_of(inputs_of(), "search.md", "history/harbour/decisions/cookies.md").files["sitemap.xml"]
    found = {
        (one.findtext(f"{MAP}loc", ""), one.findtext(f"{MAP}lastmod", ""))
        for one in ET.fromstring(raw).findall(f"{MAP}url")
    }
    top = SITE.url
    assert found == {
        (top, ""),
        (f"{top}harbour/", ""),
        (f"{top}harbour/log/", ""),
        (f"{top}harbour/decisions/cookies/", "2026-11-29"),
        (f"{top}harbour/decisions/jwt/", "2026-10-02"),
        (f"{top}harbour/gotchas/clock/", "2026-11-30"),
        (f"{top}search/", ""),
        (f"{top}history/harbour/decisions/cookies/", ""),
    }


def test_a_sitemap_without_an_address_is_empty_and_names_are_escaped() -> None:
    assert list(ET.fromstring(sitemap(replace(SITE, url=""), library(), ["a.md"]))) == []
    odd = sitemap(SITE, library(), ["a&b<'\".md"])
    assert ET.fromstring(odd).findtext(f"{MAP}url/{MAP}loc") == f"{SITE.url}a%26b%3C%27%22/"


def test_a_page_of_an_unknown_type_has_a_feed_of_its_own() -> None:
    files = machines_of(inputs_of({"a.md": page("A", kind="''")})).files
    assert feed_of("") in files
