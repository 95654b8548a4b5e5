"""Forty pages, built by three generators, with wikimill and without: nothing is missing, and nothing leads nowhere.

The sites are read as files here, by means that share no code with the product.
"""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin
from xml.etree import ElementTree as ET

import frontmatter
import jsonschema  # type: ignore[import-untyped]  # its stubs are a package of their own
import pytest
from vault2okf import validate_bundle

from tests.gate.builds import ADDRESS, ENGINES, Built, Sites, clone, generator_build, wikimill_build
from tests.gate.checker import address_of, dead_links, file_at, html_files, seen
from tests.gate.fixture import MOVED, NOW, REPOSITORY, label
from tests.gate.pages import SAID, pages
from tests.wiki.test_okf import OUTSIDE_THE_BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LARGEST = 30 * 1024
"""Bytes of HTML that a page may have."""
BEFORE_THE_REVIEW = datetime(2026, 8, 31, 23, 59, tzinfo=UTC)
AFTER_THE_REVIEW = datetime(2026, 9, 1, 0, 1, tzinfo=UTC)
"""The review of one page is due on the first of September."""

MEANT = {"OKF050", "OKF031"}
"""What the wiki means to hold: pages whose review is due, and a page of tags that no page links to."""


@pytest.fixture(scope="module", params=ENGINES)
def derived(request: pytest.FixtureRequest, sites: Sites) -> Built:
    return sites.derived(request.param)


@pytest.fixture(scope="module", params=ENGINES)
def plain(request: pytest.FixtureRequest, sites: Sites) -> Built:
    return sites.plain(request.param)


def published(root: Path) -> dict[str, bytes]:
    """Give the files of the wiki that a site shows, by path: the page of tags is made anew by wikimill."""
    found = {path.relative_to(root / "wiki").as_posix(): path for path in (root / "wiki").rglob("*") if path.is_file()}
    hidden = re.compile(r"(?:^|/)[._]|^tags\.md$")
    return {path: place.read_bytes() for path, place in found.items() if not hidden.search(path)}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def at_home(site: Path, path: str) -> Path:
    """Give the HTML of a page of the wiki."""
    folder = path.removesuffix(".md").removesuffix("index").rstrip("/")
    return site / folder / "index.html"


# The builds


def test_wikimill_builds_strictly_and_has_nothing_to_say(derived: Built) -> None:
    assert derived.code == 0, derived.said
    assert re.fullmatch(r"Built \d+ pages in \.build/site: all rendered\.\n", derived.said)


def test_a_generator_alone_builds_a_fresh_clone_strictly_and_without_a_warning(plain: Built) -> None:
    assert plain.code == 0, plain.said
    assert "warning" not in plain.said.lower(), plain.said
    assert "error" not in plain.said.lower(), plain.said


@pytest.mark.parametrize(
    "engine",
    [
        "mkdocs",
        "properdocs",
        pytest.param(
            "zensical", marks=pytest.mark.xfail(reason="it checks links before any extension can make text of them")
        ),
    ],
)
def test_a_log_may_name_a_page_that_went(sites: Sites, engine: str, tmp_path: Path) -> None:
    clone(sites.plain("mkdocs").root, tmp_path / "clone")
    with (tmp_path / "clone/wiki/pier/log.md").open("a", encoding="utf-8") as log:
        log.write("* **Creation**: created [a page that went](concepts/gone.md).\n")
    code, said = generator_build(tmp_path / "clone", engine)
    assert code == 0, said


def test_every_page_of_the_wiki_is_there(derived: Built) -> None:
    assert len(pages()) == 40
    missing = [
        path for path in published(derived.root) if path.endswith(".md") and not at_home(derived.site, path).is_file()
    ]
    assert missing == []
    for path, page in pages().items():
        assert page.title in seen(at_home(derived.site, path)).text, path


def test_a_generator_alone_shows_every_page(plain: Built) -> None:
    for path, page in pages().items():
        assert page.title in seen(at_home(plain.site, path)).text, path


def test_all_generators_make_the_same_pages_and_files(sites: Sites) -> None:
    """Beside what the theme brings; what is no page has the same bytes."""
    paths, others = [], []
    for engine in ENGINES:
        files = contents(sites.derived(engine).site)
        ours = {path: raw for path, raw in files.items() if not re.match(r"assets/(?!wikimill)", path)}
        paths.append(sorted(ours))
        others.append({path: raw for path, raw in ours.items() if not path.endswith(".html")})
    assert paths[0] == paths[1] == paths[2]
    assert others[0] == others[1] == others[2]


def test_all_generators_say_the_same(sites: Sites) -> None:
    """The text between the header and the footer, without white space."""
    for path in ("tidemark/decisions/session-cookies.md", "tidemark/procedures/log-in.md", "tidemark/index.md"):
        told = {}
        for engine in ENGINES:
            text = at_home(sites.derived(engine).site, path).read_text(encoding="utf-8")
            article = text.partition("<article")[2].partition("</article>")[0]
            told[engine] = re.sub(r"\s+", "", re.sub("<[^>]*>", "", article))
        assert len(told["mkdocs"]) > 400
        assert told["mkdocs"] == told["properdocs"] == told["zensical"], path


# What leads somewhere


def test_the_checker_sees_what_is_dead(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.html").write_text("<h1 id='x'>X</h1><a href='../#y'></a><img src='no.png'>", encoding="utf-8")
    live = "<a id='y' href='a/#x'></a><a href='/a/'></a><a href='https://elsewhere.example/'></a>"
    dead = "<a href='a/#no'></a><a href='b/'></a><script src='no.js'></script><div data-find='find/'></div>"
    (tmp_path / "index.html").write_text(live + dead, encoding="utf-8")
    count, found = dead_links(tmp_path)
    assert count == 8
    assert [said for _, said in found] == ["no.png", "a/#no", "b/", "no.js", "find/"]


def test_every_link_anchor_and_asset_is_there(derived: Built) -> None:
    count, dead = dead_links(derived.site)
    assert dead == []
    assert count > 4_000


def test_every_link_anchor_and_asset_of_a_plain_build_is_there(plain: Built) -> None:
    count, dead = dead_links(plain.site)
    assert dead == []
    assert count > 1_500


def test_ids_stand_once_on_a_page(derived: Built) -> None:
    for file in html_files(derived.site):
        ids = seen(file).ids
        assert len(ids) == len(set(ids)), (file, [one for one in ids if ids.count(one) > 1])


def test_every_footnote_leads_to_its_source_and_back(derived: Built) -> None:
    checked = 0
    for path in pages():
        twin = (derived.site / path).read_text(encoding="utf-8")
        sources = {str(source["id"]) for source in frontmatter.loads(twin).metadata.get("sources", ())}  # type: ignore[attr-defined]
        cited = re.findall(r"(?<!^)\[\^([^\]\s]+)\](?!:)", twin, re.MULTILINE)
        page = seen(at_home(derived.site, path))
        links = [found.get("href", "") for tag, found in page.elements if tag == "a"]
        for key in set(cited):
            assert f"fn:{key}" in page.ids, (path, key)
            assert links.count(f"#fn:{key}") == cited.count(key), (path, key)
            assert sum(link.startswith("#fnref") and link.endswith(f":{key}") for link in links) == cited.count(key)
            checked += 1
        cited_sources = {found["id"].removeprefix("fn:") for found in page.having("wm-cited")}
        assert cited_sources == sources & set(cited), path
    assert checked > 40


def test_footnotes_hold_the_words_of_the_observations(derived: Built) -> None:
    text = at_home(derived.site, "tidemark/decisions/session-cookies.md").read_text(encoding="utf-8")
    item = text.split(f'<li id="fn:{label("cookies")}"', 1)[1].split("</li>", 1)[0]
    words = " ".join(re.sub("<[^>]*>", "", item).split())
    for said in ("We decided on signed, HTTP-only cookies for the login.", "Revoking a JWT needs a denylist", "dana"):
        assert said in words
    assert f'href="{REPOSITORY}/blob/main/observations/tidemark/2026-04.jsonl#L1"' in item
    arabic = at_home(derived.site, "tidemark/concepts/tide-level.md").read_text(encoding="utf-8")
    assert SAID["ar"].words in arabic.split('class="wm-quote"', 1)[1].split("</blockquote>", 1)[0]


def test_former_addresses_lead_to_the_present_ones(derived: Built) -> None:
    told = json.loads((derived.site / "kb/redirects.json").read_text(encoding="utf-8"))["redirects"]
    assert told == MOVED
    for old, new in told.items():
        stub = seen(derived.site / old / "index.html")
        goals = {urljoin(ADDRESS + old, found["href"]) for tag, found in stub.elements if tag in {"a", "link"}}
        refresh = [found["content"] for tag, found in stub.elements if found.get("http-equiv") == "refresh"]
        assert goals == {ADDRESS + new}
        assert [urljoin(ADDRESS + old, one.partition("url=")[2]) for one in refresh] == [ADDRESS + new]
        assert file_at(derived.site, ADDRESS + new)


# How large it is


def test_no_page_is_too_large(derived: Built) -> None:
    sizes = {file.relative_to(derived.site).as_posix(): file.stat().st_size for file in html_files(derived.site)}
    assert len(sizes) > 80
    assert {path: size for path, size in sizes.items() if size > LARGEST and not path.startswith("print/")} == {}


# What machines read


def test_the_markdown_of_every_page_is_published_byte_for_byte(derived: Built) -> None:
    site = contents(derived.site)
    markdown = {path: raw for path, raw in published(derived.root).items() if path.endswith(".md")}
    assert len(markdown) > 50
    assert {path: site.get(path) for path in markdown} == markdown
    assert {path for path in site if path.endswith(".md")} == set(markdown)


def test_the_wiki_and_the_site_are_bundles_that_another_validator_accepts(derived: Built) -> None:
    for bundle in (derived.site, derived.root / "wiki"):
        report = validate_bundle(bundle)
        assert (report.okf_version, report.errors) == ("0.2", 0), report.diagnostics
        assert report.concepts >= 40
        assert {one.code for one in report.diagnostics} <= {*OUTSIDE_THE_BUNDLE, *MEANT}, report.diagnostics


def test_every_page_names_its_markdown(derived: Built) -> None:
    for path in pages():
        file = at_home(derived.site, path)
        alternate = [
            found for tag, found in seen(file).elements if tag == "link" and "markdown" in found.get("rel", "")
        ]
        assert [found["type"] for found in alternate] == ["text/markdown"], path
        assert (
            file_at(derived.site, urljoin(address_of(derived.site, file), alternate[0]["href"])) == derived.site / path
        )


def test_feeds_are_well_formed_and_lead_to_pages(derived: Built) -> None:
    feeds = [derived.site / "feed.xml", *sorted((derived.site / "feeds").glob("*.xml"))]
    assert len(feeds) == 1 + len({page.type for page in pages().values()})
    for file in feeds:
        root = ET.fromstring(file.read_bytes())
        assert root.tag == f"{ATOM}feed"
        entries = root.findall(f"{ATOM}entry")
        ids = [entry.findtext(f"{ATOM}id") for entry in entries]
        assert len(set(ids)) == len(ids) > 0, file
        for item in (root, *entries):
            for name in ("id", "title", "updated"):
                assert item.findtext(f"{ATOM}{name}"), (file, name)
            assert re.fullmatch(r"2026-0[45]-\d\dT\d\d:\d\d:\d\dZ", item.findtext(f"{ATOM}updated") or "")
            for link in item.findall(f"{ATOM}link"):
                goal = urljoin(f"{ADDRESS}{file.relative_to(derived.site).as_posix()}", link.get("href", ""))
                assert goal.startswith(REPOSITORY) or file_at(derived.site, goal), (file, goal)
    assert len(ET.fromstring(feeds[0].read_bytes()).findall(f"{ATOM}entry")) == 40


def test_the_sitemap_lists_every_page_and_nothing_else(derived: Built) -> None:
    told = [one.text for one in ET.fromstring((derived.site / "sitemap.xml").read_bytes()).iter(f"{MAP}loc")]
    stubs = {f"{ADDRESS}{old}" for old in MOVED}
    pages_there = {quote(address_of(derived.site, file), safe=":/") for file in html_files(derived.site)}
    assert sorted(told) == sorted(pages_there - stubs - {f"{ADDRESS}404.html"})  # type: ignore[type-var]


def test_json_fits_its_schemas_and_leads_to_pages(derived: Built) -> None:
    told = {}
    for name in ("index", "graph", "redirects"):
        schema = json.loads((derived.site / f"kb/schema/{name}.json").read_text(encoding="utf-8"))
        told[name] = json.loads((derived.site / f"kb/{name}.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(told[name], schema, jsonschema.Draft202012Validator)
    assert {page["path"] for page in told["index"]["pages"]} == set(pages())
    for page in (*told["index"]["pages"], *told["graph"]["nodes"]):
        assert file_at(derived.site, urljoin(ADDRESS, page["url"])) == at_home(derived.site, page["path"])
    edges = [
        (told["graph"]["nodes"][one]["path"], told["graph"]["nodes"][two]["path"])
        for one, two in told["graph"]["edges"]
    ]
    named = {frozenset(edge) for edge in edges}
    assert frozenset({"tidemark/gotchas/gauge-clock.md", "pier/gotchas/clock.md"}) in named
    tiers = {page["path"]: page["tier"] for page in told["index"]["pages"]}
    assert {path for path, tier in tiers.items() if tier == "human-reviewed"} == {
        path for path, page in pages().items() if any(by.startswith("human:") for by in page.verified)
    }


def test_what_a_language_model_is_given_leads_to_files(derived: Built) -> None:
    told = (derived.site / "llms.txt").read_text(encoding="utf-8")
    links = [urljoin(f"{ADDRESS}llms.txt", link) for link in re.findall(r"\]\(([^)\s]+)\)", told)]
    assert [link for link in links if not file_at(derived.site, link)] == []
    listed = {link.removeprefix(ADDRESS) for link in links if link.endswith(".md")}
    current = {path for path, page in pages().items() if page.status != "deprecated"}
    assert listed - {"index.md"} == current
    full = (derived.site / "llms-full.txt").read_text(encoding="utf-8")
    assert all(page.title in full for path, page in pages().items() if path in current)
    assert len(full.encode()) < 2_000_000


# When it was built


def test_nothing_tells_when_it_was_built(derived: Built) -> None:
    days = {NOW, datetime.now(UTC)}
    forms = ("%Y-%m-%d", "%Y%m%d", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y")
    traces = [f"{day:{form}}".encode() for day in days for form in forms]
    site = contents(derived.site)
    assert [(path, trace) for path, raw in site.items() for trace in traces if trace in raw] == []


@pytest.mark.parametrize("engine", ["mkdocs", "zensical"])
def test_a_later_build_renders_nothing_until_a_review_is_due(sites: Sites, engine: str, tmp_path: Path) -> None:
    """In a copy, which others do not look at."""
    root = tmp_path / "copy"
    shutil.copytree(sites.derived(engine).root, root)
    before = contents(root / ".build/site")
    code, said = wikimill_build(root, engine, at=BEFORE_THE_REVIEW)
    # What is remembered names the folder: a copy is rendered anew, and gives the same bytes.
    assert (code, contents(root / ".build/site") == before) == (0, True)
    code, said = wikimill_build(root, engine, at=NOW)
    assert ": 0 rendered, " in said
    assert contents(root / ".build/site") == before

    code, said = wikimill_build(root, engine, at=AFTER_THE_REVIEW)
    after = contents(root / ".build/site")
    assert code == 0, said
    changed = {path for path in after if after[path] != before.get(path)}
    assert "tidemark/procedures/release/index.html" in changed
    assert set(after) == set(before)
    assert len(changed) < 15, sorted(changed)


def test_another_clone_gives_the_same_bytes(sites: Sites, tmp_path: Path) -> None:
    first = sites.derived("mkdocs")
    clone(first.root, tmp_path / "clone")
    code, said = wikimill_build(tmp_path / "clone", "mkdocs")
    assert code == 0, said
    assert contents(tmp_path / "clone/.build/site") == contents(first.site)
