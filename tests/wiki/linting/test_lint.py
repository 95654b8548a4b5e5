"""The rules of the wiki: what each finds, and what it leaves alone."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config import LintSettings
from pipeline.wiki.derived.indexes import render_indexes
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.linting.lint import lint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Finding

TODAY = date(2026, 12, 1)
PATH = "acme/decisions/cookies.md"

FRONT = """type: Decision
title: Cookies
description: State is in cookies.
tags: [auth]
generated: { by: wikimill/extractive, at: 2026-11-30T08:00:00Z }
sources:
- id: o-3f2a9c1e55
  resource: ../../../observations/acme/2026-11-29.jsonl#L1
  title: "2026-11-29 14:03 dana: State is in cookies."
"""
BODY = """# Cookies

State is in cookies.[^o-3f2a9c1e55]

## Why not tokens?

The reasons:

- They cannot be revoked.[^o-3f2a9c1e55]

> Superseded by [x](cookies.md#why-not-tokens) on 2026-11-30.

_Collected without a language model; every line is a quotation._

[^o-3f2a9c1e55]: 2026-11-29 14:03, dana
"""
PAGE = f"---\n{FRONT}---\n\n{BODY}"


def wiki_of(pages: Mapping[str, str], **more: str) -> dict[str, bytes]:
    """Pages with the indexes and the log that belong to them."""
    wiki = {path: text.encode() for path, text in pages.items()}
    listed = []
    for path, raw in wiki.items():
        if path.endswith(".md") and not path.endswith(("index.md", "log.md")):
            try:
                listed.append(catalogue_entry(path, parse_page(path, raw)))
            except Exception:  # noqa: BLE001  # such pages are what some tests are about
                continue
    wiki |= render_indexes(listed, [entry.path for entry in listed], {})
    wiki.setdefault("acme/log.md", b"# Update log\n\n## 2026-11-30\n\n* **Creation**: created\n")
    return wiki | {path: text.encode() for path, text in more.items()}


def found(wiki: Mapping[str, bytes], limits: LintSettings | None = None) -> tuple[Finding, ...]:
    return lint(wiki, settings=limits or LintSettings(), today=TODAY)


def told(wiki: Mapping[str, bytes]) -> set[tuple[str, str, str]]:
    return {(finding.where, finding.rule, finding.severity) for finding in found(wiki)}


def test_a_wiki_that_is_in_order_has_no_findings() -> None:
    assert found(wiki_of({PATH: PAGE})) == ()
    assert found({}) == ()


def page(front: str = FRONT, body: str = BODY) -> str:
    return f"---\n{front}---\n\n{body}"


PAGES: dict[str, tuple[str, set[tuple[str, str, str]]]] = {
    "no front matter": (
        BODY,
        {(f"{PATH}:1", "front-matter-missing", "error"), (f"{PATH}:3", "footnote-unsourced", "warning")},
    ),
    "a person's own footnotes": (
        page(FRONT.replace("wikimill/extractive", "human:dana"), "# Cookies\n\nMine.[^1]\n\n[^1]: Mine too.\n"),
        set(),
    ),
    "front matter that cannot be read": (
        page(FRONT.replace("title: Cookies", "title: [")),
        {(PATH, "page-unreadable", "error")},
    ),
    "no type": (page(FRONT.replace("type: Decision\n", "")), {(PATH, "type-missing", "error")}),
    "text that reads like settings": (
        "Note: this is text\n\nMore.\n",
        {(f"{PATH}:1", "front-matter-missing", "error"), (f"{PATH}:1", "text-as-metadata", "error")},
    ),
    "an unsafe title": (
        page(FRONT.replace("title: Cookies", 'title: "<b>Cookies"')),
        {(f"{PATH}#front-matter", "title-unsafe", "error")},
    ),
    "an unsafe description": (
        page(FRONT.replace("description: State", 'description: "Q&A" # State')),
        {(f"{PATH}#front-matter", "description-unsafe", "error")},
    ),
    "an unsafe tag": (page(FRONT.replace("[auth]", "['a\"b']")), {(f"{PATH}#front-matter", "tag-unsafe", "error")}),
    "no title and no description": (
        page(FRONT.replace("title: Cookies\ndescription: State is in cookies.\n", "")),
        {(f"{PATH}#front-matter", "title-missing", "note"), (f"{PATH}#front-matter", "description-missing", "note")},
    ),
    "a template": (page(f"{FRONT}template: evil.html\n"), {(f"{PATH}#front-matter", "key-disallowed", "error")}),
    "an icon": (page(f"{FRONT}icon: no/such\n"), {(f"{PATH}#front-matter", "key-disallowed", "error")}),
    "hide that is no list": (page(f"{FRONT}hide: 1\n"), {(f"{PATH}#front-matter", "key-disallowed", "error")}),
    "hide": (page(f"{FRONT}hide: [toc]\n"), set()),
    "an unknown status": (page(f"{FRONT}status: done\n"), {(f"{PATH}#front-matter", "status-unknown", "warning")}),
    "a successor that is not there": (
        page(f"{FRONT}superseded_by: none.md\n"),
        {(f"{PATH}#front-matter", "link-broken", "warning")},
    ),
    "a source without a resource": (
        page(f"{FRONT}- id: x\n  title: A book\n"),
        {(f"{PATH}#sources", "source-unlocated", "error")},
    ),
    "a source twice": (
        page(f"{FRONT}- id: o-3f2a9c1e55\n  resource: x.md\n"),
        {(f"{PATH}#sources", "source-twice", "warning")},
    ),
    "a broken link": (
        page(body=BODY.replace("State is in", "[State](none.md) is in")),
        {(f"{PATH}:15", "link-broken", "warning")},
    ),
    "a broken link from the root": (
        page(body=BODY.replace("State is in", "[State](/acme/none.md) is in")),
        {(f"{PATH}:15", "link-broken", "warning")},
    ),
    "links that hold": (
        page(
            body=BODY.replace(
                "State is in",
                "[a](../index.md) [b](/acme/decisions/cookies.md) [c](#why-not-tokens) [d](../../acme/) "
                "[e](https://example.org/none.md) [f](mailto:a@example.org) `[g](none.md)` ![h](../../pic.png)",
            )
        ),
        set(),
    ),
    "a link out of the wiki": (
        page(body=BODY.replace("State is in", "[State](../../../README.md) is in")),
        {(f"{PATH}:15", "link-outside", "warning")},
    ),
    "a broken anchor": (
        page(body=BODY.replace("State is in", "[State](#nowhere) is in")),
        {(f"{PATH}:15", "anchor-broken", "warning")},
    ),
    "a footnote without a definition": (
        page(body=BODY.replace("[^o-3f2a9c1e55]: 2026-11-29 14:03, dana\n", "")),
        {(f"{PATH}:15", "footnote-undefined", "warning")},
    ),
    "a footnote without a source": (
        page(body=f"{BODY}[^n]: x\n".replace("They cannot be revoked.[^o-3f2a9c1e55]", "They cannot be revoked.[^n]")),
        {(f"{PATH}:21", "footnote-unsourced", "warning")},
    ),
    "a definition that nothing cites": (
        page(body=f"{BODY}[^o-1111111111]: x\n"),
        {(f"{PATH}:28", "footnote-unused", "note")},
    ),
    "a claim without a source": (
        page(body=BODY.replace("They cannot be revoked.[^o-3f2a9c1e55]", "They cannot be *revoked*. (unsourced)")),
        {(f"{PATH}:21", "citation-missing", "warning")},
    ),
    "a claim in a keep block": (
        page(body=BODY.replace("> Superseded", "<!-- keep -->\n\nMine.\n\n<!-- /keep -->\n\n> Superseded")),
        set(),
    ),
    "a claim on a person's page": (
        page(FRONT.replace("wikimill/extractive", "human:dana"), BODY.replace("The reasons:", "Because.")),
        set(),
    ),
    "a keep block without an end": (
        page(body=BODY.replace("The reasons:", "The reasons:\n\n<!-- keep -->")),
        {(f"{PATH}#Why not tokens?", "keep-unclosed", "warning")},
    ),
    "stale by its own word": (page(f"{FRONT}stale_after: 2026-12-01\n"), {(PATH, "stale", "warning")}),
    "not stale yet": (page(f"{FRONT}stale_after: 2026-12-02\n"), set()),
    "untouched for long": (page(FRONT.replace("2026-11-30T", "2025-11-30T")), {(PATH, "stale", "note")}),
    "old and reviewed by a date": (
        page(f"{FRONT.replace('2026-11-30T', '2025-11-30T')}stale_after: 2027-01-01\n"),
        set(),
    ),
    "old and superseded": (page(f"{FRONT.replace('2026-11-30T', '2025-11-30T')}status: deprecated\n"), set()),
    "too long": (page(body=f"{BODY}\n```\n{'x' * 16_000}\n```\n"), {(PATH, "oversized", "note")}),
    "a byte order mark": (f"\ufeff{PAGE}", {(PATH, "byte-order-mark", "note")}),
}


@pytest.mark.parametrize("case", PAGES)
def test_pages_are_held_to_the_rules(case: str) -> None:
    text, expected = PAGES[case]
    assert told(wiki_of({PATH: text}, **{"pic.png": "x"})) == expected


def test_every_finding_says_what_to_do() -> None:
    for text, _ in PAGES.values():
        for finding in found(wiki_of({PATH: text})):
            assert finding.message
            assert "\n" not in str(finding)
            assert finding.next_step or finding.rule == "byte-order-mark"


def test_observations_that_are_gone_are_named() -> None:
    asked = []

    def exists(file: str, line: int) -> bool:
        asked.append((file, line))
        return False

    findings = lint(wiki_of({PATH: PAGE}), settings=LintSettings(), today=TODAY, observation_exists=exists)
    assert asked == [("observations/acme/2026-11-29.jsonl", 1)]
    assert [(one.where, one.rule, one.severity) for one in findings] == [
        (f"{PATH}#sources", "observation-missing", "error")
    ]
    assert "line 1 of observations/acme/2026-11-29.jsonl" in findings[0].message


def test_secrets_are_named_by_kind_only() -> None:
    page_text = PAGE.replace("State is", "The key hunter2 is")
    findings = lint(
        wiki_of({PATH: page_text}),
        settings=LintSettings(),
        today=TODAY,
        finds=lambda text: ("password",) if "hunter2" in text else (),
    )
    assert {one.rule for one in findings} == {"secret-in-page"}
    assert PATH in {one.where for one in findings}
    assert "hunter2" not in str(findings)


def test_pages_that_nothing_leads_to_are_orphans() -> None:
    assert {finding.rule for finding in found({PATH: PAGE.encode()})} == {"orphan", "index-missing"}


def test_titles_stand_once_in_a_project() -> None:
    twin = "acme/concepts/jar.md"
    same = page(FRONT.replace("title: Cookies", "title: COOKIES"), BODY.replace("cookies.md", "jar.md"))
    assert told(wiki_of({PATH: PAGE, twin: same})) == {(PATH, "title-duplicate", "warning")}
    gone = same.replace("tags:", "status: deprecated\ntags:")
    assert told(wiki_of({PATH: PAGE, twin: gone})) == set()
    elsewhere = wiki_of({PATH: PAGE, "lab/decisions/cookies.md": PAGE})
    assert told(elsewhere | {"lab/log.md": b"# Log\n"}) == set()


def test_indexes_fit_their_pages() -> None:
    wiki = wiki_of({PATH: PAGE})
    assert told(wiki | {"acme/index.md": b"# acme\n\n* [Log](log.md)\n\n* [Old](decisions/index.md)\n"}) == {
        ("acme/index.md", "index-outdated", "warning")
    }
    del wiki["acme/decisions/index.md"]
    assert {rule for _, rule, _ in told(wiki)} == {"index-missing", "link-broken"}


RESERVED = {
    "an index with front matter": ("acme/index.md", "---\ntitle: x\n---\n\n", "reserved-front-matter"),
    "an index that is no text": ("acme/index.md", "\udcff", "page-unreadable"),
    "an index without a list": ("acme/notes/index.md", "Words.\n", "index-form"),
    "a log with front matter": ("acme/log.md", "---\ntitle: x\n---\n\n# Log\n", "reserved-front-matter"),
    "a heading that is no date": ("acme/log.md", "# Log\n\n## Yesterday\n\n* x\n", "log-date"),
    "a date that does not exist": ("acme/log.md", "# Log\n\n## 2026-02-30\n\n* x\n", "log-date"),
    "days in the wrong order": ("acme/log.md", "# Log\n\n## 2026-11-01\n\n* x\n\n## 2026-11-02\n", "log-order"),
}


@pytest.mark.parametrize("case", RESERVED)
def test_reserved_files_have_their_form(case: str) -> None:
    path, text, rule = RESERVED[case]
    wiki = wiki_of({PATH: PAGE})
    old = wiki.get(path, b"").decode() if rule == "reserved-front-matter" and path.endswith("index.md") else ""
    rules = {found_rule for _, found_rule, _ in told(wiki | {path: (text + old).encode(errors="surrogateescape")})}
    assert rule in rules
    assert rules <= {rule, "index-outdated"}


def test_names_fit_every_system() -> None:
    wiki = wiki_of({PATH: PAGE})
    wiki |= {"acme/con.png": b"", "acme/a:b.png": b"", "Acme/x.png": b"", "acme/X.png": b"", "acme/u\u0308.png": b""}
    assert told(wiki) == {
        ("acme/con.png", "path-not-portable", "error"),
        ("acme/a:b.png", "path-not-portable", "error"),
        ("acme/X.png", "path-clash", "error"),
        ("acme/u\u0308.png", "path-not-portable", "warning"),
    }


def test_what_is_not_published_is_not_looked_at() -> None:
    wiki = wiki_of({PATH: PAGE})
    wiki |= {
        "_prompts/consolidation.md": b"x: y",
        ".ledger/files.jsonl": b"{",
        "acme/_drafts/x.md": b"",
        ".x/con.md": b"",
    }
    assert told(wiki) == set()


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Why not tokens?", "why-not-tokens"),
        ("`make` & *run*", "make-run"),
        ("`make` & *run*", "make--run"),
        ("Über Größe", "uber-groe"),
        ("Über Größe", "über-größe"),
        ("認証の流れ", "認証の流れ"),
        ("Any {#own-name}", "own-name"),
        ("snake_case name", "snake_case-name"),
    ],
)
def test_anchors_are_those_that_sites_and_git_hosts_make(heading: str, anchor: str) -> None:
    body = BODY.replace("State is in", f"[State](#{anchor}) is in").replace(
        "> Superseded", f"## {heading}\n\n> Superseded"
    )
    assert told(wiki_of({PATH: page(body=body)})) == set()


def test_findings_come_sorted_and_equal_for_equal_wikis() -> None:
    wiki = wiki_of({PATH: page(body=BODY.replace("State", "[x](y.md) [z](#z)")), "acme/rules/z.md": "x"})
    findings = found(wiki)
    assert findings == found(dict(reversed(wiki.items())))
    assert len(findings) == len(set(findings)) == 3


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["a.md", "acme/index.md", "acme/log.md", "acme/rules/x.md"]), st.binary()))
def test_no_file_stops_it(wiki: dict[str, bytes]) -> None:
    assert isinstance(found(wiki), tuple)
