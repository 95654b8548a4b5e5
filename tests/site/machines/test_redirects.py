"""Redirects: what stands at the former address of a page, which moves are refused, and what scripts are told."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from pipeline.site.library_reading import read_library
from pipeline.site.machines.redirects import Redirects, redirects
from tests.site.machines.wiki import FILES, SITE, inputs_of, json_of, machines_of, page

COOKIES = "harbour/decisions/cookies.md"


class Elements(HTMLParser):
    """The elements of a page, with their attributes, and its text."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def one(self, tag: str, **told: str) -> dict[str, str | None]:
        (found,) = [has for name, has in self.all if name == tag and told.items() <= has.items()]
        return found


def test_a_stub_leads_on_with_and_without_scripts() -> None:
    stub = Elements(machines_of(inputs_of(moved={"harbour/old.md": COOKIES})).files["harbour/old/index.html"])
    to = "../decisions/cookies/"
    assert stub.one("meta", **{"http-equiv": "refresh"})["content"] == f"0; url={to}"
    assert stub.one("script") == {"src": "../../assets/wikimill-redirect.js", "data-to": to}
    assert stub.one("link")["href"] == "https://wiki.example.org/harbour/harbour/decisions/cookies/"
    assert stub.one("link")["rel"] == "canonical"
    assert stub.one("meta", name="robots")["content"] == "noindex"
    assert stub.one("a")["href"] == to
    policy = stub.one("meta", **{"http-equiv": "Content-Security-Policy"})["content"]
    assert policy == "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'"
    assert "This page has moved: Cookies." in stub.text
    names = [name for name, _ in stub.all]
    assert names.index("script") < [has.get("http-equiv") for _, has in stub.all].index("refresh")


def test_scripts_are_told_where_pages_went() -> None:
    told = json_of(inputs_of(moved={"harbour/old.md": COOKIES, "日本/x.md": COOKIES}), "kb/redirects.json")
    assert told == {
        "schema": "1",
        "generated": "2026-11-30",
        "redirects": {"harbour/old/": "harbour/decisions/cookies/", "日本/x/": "harbour/decisions/cookies/"},
    }
    assert json_of(inputs_of({"a b%.md": page("X")}, moved={"c d.md": "a b%.md"}), "kb/redirects.json")[
        "redirects"
    ] == {"c d/": "a%20b%25/"}


def test_without_directory_addresses_the_stub_is_a_file() -> None:
    offline = inputs_of(site=replace(SITE, url="", directory_urls=False), moved={"harbour/old.md": COOKIES})
    machines = machines_of(offline)
    stub = Elements(machines.files["harbour/old.html"])
    assert stub.one("a")["href"] == "decisions/cookies.html"
    assert stub.one("script")["src"] == "../assets/wikimill-redirect.js"
    assert stub.one("link")["href"] == "decisions/cookies.html"
    assert json_of(offline, "kb/redirects.json")["redirects"] == {"harbour/old.html": "harbour/decisions/cookies.html"}


def test_an_index_that_moved_leads_on() -> None:
    files = machines_of(inputs_of(moved={"port/index.md": "harbour/index.md", "port/log.md": "harbour/log.md"})).files
    assert Elements(files["port/index.html"]).one("a")["href"] == "../harbour/"
    assert Elements(files["port/log/index.html"]).one("a")["href"] == "../../harbour/log/"


def test_chains_lead_to_their_end() -> None:
    moved = {"a.md": "b.md", "b.md": "c.md", "c.md": COOKIES}
    told = json_of(inputs_of(moved=moved), "kb/redirects.json")
    assert told["redirects"] == dict.fromkeys(["a/", "b/", "c/"], "harbour/decisions/cookies/")


@pytest.mark.parametrize(
    ("moved", "rules"),
    [
        ({"a.md": "b.md", "b.md": "a.md"}, ["redirect-circle", "redirect-circle"]),
        ({"a.md": "a.md"}, ["redirect-circle"]),
        ({"harbour/decisions/jwt.md": COOKIES}, ["redirect-in-use"]),
        ({"search.md": COOKIES}, ["redirect-in-use"]),
        ({"harbour.md": COOKIES}, ["redirect-in-use"]),
        ({"a.md": "gone.md"}, ["redirect-nowhere"]),
        ({"a.md": "harbour/plan.png"}, ["redirect-nowhere"]),
        ({"../a.md": COOKIES}, ["redirect-name"]),
        ({"/a.md": COOKIES}, ["redirect-name"]),
        ({"a\\b.md": COOKIES}, ["redirect-name"]),
        ({"a//b.md": COOKIES}, ["redirect-name"]),
        ({"a\n.md": COOKIES}, ["redirect-name"]),
        ({".git/x.md": COOKIES}, ["redirect-name"]),
        ({".ledger/x.md": COOKIES}, ["redirect-name"]),
        ({"a.png": COOKIES}, ["redirect-name"]),
        ({"": COOKIES}, ["redirect-name"]),
    ],
)
def test_moves_that_mislead_are_refused(moved: dict[str, str], rules: list[str]) -> None:
    machines = machines_of(inputs_of(moved=moved), "search.md")
    assert [one.rule for one in machines.findings] == rules
    assert all("\n" not in str(one) and ".ledger/moved.jsonl" in one.next_step for one in machines.findings)
    assert not [path for path in machines.files if path.endswith(".html")]
    assert json.loads(machines.files["kb/redirects.json"])["redirects"] == {}


@pytest.mark.parametrize(
    "old",
    [
        "HARBOUR/decisions/Cookies.md",  # on some systems this is the file of the page itself
        "kb/index.json.md",  # a folder in the place of a file
        "harbour/decisions/cookies.md.md",
        "images/plan.png.md",
    ],
)
def test_no_stub_takes_the_place_of_a_file(old: str) -> None:
    machines = machines_of(inputs_of(moved={old: COOKIES}, others=frozenset({"images/plan.png"})))
    told = [one.rule for one in machines.findings]
    assert told == ([] if old.casefold() == COOKIES else ["redirect-in-use"])
    assert not [path for path in machines.files if path.endswith(".html")]


def test_two_former_names_that_are_one_somewhere_get_one_stub() -> None:
    files = machines_of(inputs_of(moved={"a.md": COOKIES, "A.md": COOKIES})).files
    assert [path for path in files if path.endswith(".html")] == ["A/index.html"]


def test_titles_and_paths_stay_text() -> None:
    title = "\"'><script>alert(1)</script>"
    files = {"x'\"&.md": page("'" + title.replace("'", "''") + "'")}
    made = of(files, {"o'&;.md": "x'\"&.md"})
    (path,) = [path for path in made.files if path.endswith(".html")]
    stub = Elements(made.files[path])
    assert [name for name, _ in stub.all].count("script") == 1
    assert title in stub.text
    assert stub.one("meta", **{"http-equiv": "refresh"})["content"] == "0; url=../x%27%22%26/"


def of(files: dict[str, bytes], moved: dict[str, str]) -> Redirects:
    return redirects(inputs_of(files, moved=moved), read_library(files), files, ())


def test_nothing_moved_gives_an_empty_list() -> None:
    assert of(FILES, {}).files == {
        "kb/redirects.json": b'{"schema":"1","generated":"2026-11-30","redirects":{}}\n',
    }
