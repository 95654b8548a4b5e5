from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import Rejected
from pipeline.wiki.entry import CatalogueEntry
from pipeline.wiki.format.page import (
    Page,
    Source,
    catalogue_entry,
    parse_page,
    render_page,
    safe_description,
    safe_tag,
    safe_tags,
    safe_title,
    trust_tier,
)
from pipeline.wiki.format.safe import is_safe_tag, is_safe_text

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.wiki.format.frontmatter import Yaml

AT = datetime(2026, 11, 30, 8, tzinfo=UTC)
FRONT: dict[str, Yaml] = {
    "type": "Decision",
    "title": "Session cookies instead of JWT",
    "tags": ["auth", "web"],
    "generated": {"by": "wikimill/extractive", "at": AT},
    "verified": [{"by": "process:wikimill-gates", "at": AT}],
    "sources": [
        {"id": "o-3f", "resource": "../x.jsonl#L12", "title": "2026-11-29 14:03 user: yes", "author": "human:dana"}
    ],
}
TEXT = """\
---
type: Decision
title: Session cookies instead of JWT
tags: [auth, web]
generated: { by: wikimill/extractive, at: 2026-11-30T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }
sources:
- id: o-3f
  resource: ../x.jsonl#L12
  title: "2026-11-29 14:03 user: yes"
  author: human:dana
---

# Session cookies

Text.[^o-3f]

[^o-3f]: 2026-11-29 14:03, user
"""
BODY = "# Session cookies\n\nText.[^o-3f]\n\n[^o-3f]: 2026-11-29 14:03, user"


def test_a_new_page_is_rendered_and_read_back() -> None:
    assert render_page(Page(FRONT, f"\n\n{BODY}\n\n\n")).decode() == TEXT
    page = parse_page("acme/decisions/session-cookies.md", TEXT.encode())
    assert page == Page(FRONT, f"{BODY}\n")
    assert page.findings == ()
    assert page.title == "Session cookies instead of JWT"
    assert page.sources == (Source("o-3f", "../x.jsonl#L12", "2026-11-29 14:03 user: yes", "human:dana"),)
    assert catalogue_entry("acme/decisions/session-cookies.md", page) == CatalogueEntry(
        "acme/decisions/session-cookies.md",
        "Decision",
        "Session cookies instead of JWT",
        "",
        (),
        ("auth", "web"),
        "stable",
        "2026-11-29 14:03",
    )


PIECES = [
    "---",
    "title: x",
    "tags: [a]",
    "  - a",
    "# H",
    "text",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\ufeff",
    "...",
    "é🎉",
    "\t",
    "a: 'b'",
]


@settings(max_examples=100, deadline=None)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=14))
def test_an_unchanged_page_comes_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    path: Path = tmp_path_factory.mktemp("wiki") / "page.md"
    path.write_bytes("".join(pieces).encode())
    try:
        page = parse_page("x.md", path.read_bytes())
    except Rejected as fault:
        assert fault.where == "x.md"  # noqa: PT017  # an honest refusal is a right answer too
        return
    assert render_page(page) == path.read_bytes()
    assert parse_page("x.md", render_page(page)) == page


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            b"---\r\n# Dana's\r\ntitle:  'Old'\r\nowner: sam  # call first\r\n---\r\n\r\nText\r\nmore",
            b"---\r\n# Dana's\r\ntitle: New\r\nowner: sam  # call first\r\n---\r\n\r\nText\r\nmore",
        ),
        (b"\xef\xbb\xbf---\ntitle: Old\n---\nText  \n\n\n", b"\xef\xbb\xbf---\ntitle: New\n---\nText  \n\n\n"),
        (b"\n----\ntitle: Old\n...\n\n\nText", b"---\ntitle: New\n---\n\n\nText"),
        (b"Text", b"---\ntitle: New\n---\n\nText"),
        (b"---\nText\n\n---\n", b"---\ntitle: New\n---\n\n---\nText\n\n---\n"),
    ],
)
def test_a_changed_key_leaves_all_else_alone(before: bytes, after: bytes) -> None:
    page = parse_page("x.md", before)
    changed = replace(page, front={**page.front, "title": "New"})
    assert render_page(changed) == after
    assert parse_page("x.md", after) == changed


def test_a_changed_body_leaves_the_front_matter_alone() -> None:
    page = parse_page("x.md", b"---\ntitle:   'Old'\n---\n\nText")
    assert render_page(replace(page, body="New text\n")) == b"---\ntitle:   'Old'\n---\n\nNew text\n"


@pytest.mark.parametrize(
    ("raw", "rules"),
    [
        (b"text", ["front-matter-missing"]),
        (b"---\n- a\n---\ntext", ["front-matter-missing"]),
        (b"\xef\xbb\xbf---\ntype: A\n---\n", ["byte-order-mark"]),
        (b"----\ntype: A\n----\n", ["front-matter-fence"]),
        (b"---\ntype: A\n...\n", ["front-matter-fence"]),
        (b"---\ntags: a, b\nverified: { by: human:dana }\n---\n", ["front-matter-form"] * 2),
        (b"---\ntitle: [a]\nsources: [a]\n---\n", ["front-matter-form"] * 2),
        (b"---\ntitle: 1.10\non: 1\n---\n", ["front-matter-text", "front-matter-key"]),
    ],
)
def test_mistakes_are_named(raw: bytes, rules: list[str]) -> None:
    assert sorted(finding.rule for finding in parse_page("x.md", raw).findings) == sorted(rules)


@pytest.mark.parametrize("raw", [b"---\ntitle: a: b\n---\n", b"---\ntitle: a\ntext", b"\xff"])
def test_a_page_that_cannot_be_read_is_refused_by_name(raw: bytes) -> None:
    with pytest.raises(Rejected) as caught:
        parse_page("acme/concepts/x.md", raw)
    assert caught.value.where == "acme/concepts/x.md"


def test_a_page_that_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(Rejected):
        render_page(Page({"title": "x" * 300_000}, "text"))


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (b"---\ntitle: ' A\n  title '\n---\n# H\n", "A title"),
        (b"---\ntitle: 2026\n---\n", "2026"),
        (b"```\n# no\n```\n\n# The `H` *one*\n", "The H one"),
        (b"text", "session cookies"),
    ],
)
def test_a_title_is_found(raw: bytes, title: str) -> None:
    assert parse_page("acme/decisions/session-cookies.md", raw).title == title


@pytest.mark.parametrize(
    ("front", "name", "value"),
    [
        ("tags: a, b", "tags", ("a", "b")),
        ("tags: [on, 1.0]", "tags", ("on", "1.0")),
        ("aliases: x", "aliases", ("x",)),
        ("locked: true", "locked", True),
        ("locked: 'yes'", "locked", True),
        ("locked: no", "locked", False),
        ("x: 1", "locked", False),
        ("status: deprecated", "status", "deprecated"),
        ("x: 1", "status", "stable"),
        ("slot: invariant", "slot", "invariant"),
        ("slot: nonsense", "slot", None),
        ("sources: [1, {id: a}]", "sources", (Source("a", "", "", ""),)),
        ("sources: {id: a, title: 5}", "sources", (Source("a", "", "5", ""),)),
        ("type: [a]", "type", ""),
        ("description: |\n  a\n  b", "description", "a b"),
    ],
)
def test_what_a_page_tells(front: str, name: str, value: object) -> None:
    assert getattr(parse_page("x.md", f"---\n{front}\n---\n".encode()), name) == value


@pytest.mark.parametrize(
    ("verified", "tier"),
    [
        ("[]", "unverified"),
        ("[{ by: process:gates }]", "machine-confirmed"),
        ("[{ by: process:gates }, { by: human:dana }]", "human-reviewed"),
        ("{ by: human:dana }", "human-reviewed"),
        ("[{ by: someone }, nonsense]", "unverified"),
    ],
)
def test_the_trust_tier_is_derived(verified: str, tier: str) -> None:
    assert trust_tier(parse_page("x.md", f"---\nverified: {verified}\n---\n".encode())) == tier


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("Use `foo` instead of <bar>", "Use foo instead of ‹bar›"),
        ('He said "no" & left', "He said “no” and left"),
        ("Müller & Söhne, AT&T", "Müller ＆ Söhne, AT＆T"),
        ("a -> b, x <= y", "a → b, x ≤ y"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "‹script›alert(1)‹/script›"),
        ('" onload="x', "” onload=”x"),
        ("two\nlines\u202e \x00end", "two lines end"),
        ("日本語 🎉", "日本語 🎉"),
        ("`", ""),
    ],
)
def test_a_title_is_harmless_and_reads_the_same(text: str, safe: str) -> None:
    assert safe_title(text) == safe


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text(st.sampled_from("<>&\"`'-= ;lgtamp#x3c\n\u202e\x02é"), max_size=40))
def test_no_title_description_or_tag_means_anything_in_html(text: str) -> None:
    for make in (safe_title, safe_description):
        safe = make(text)
        assert is_safe_text(safe)
        assert make(safe) == safe
    tag = safe_tag(text)
    assert tag is None or (is_safe_tag(tag) and safe_tag(tag) == tag)
    assert tag is None or regex.fullmatch(r"[\w .:/-]{1,60}", tag)


def test_a_long_title_is_cut() -> None:
    assert safe_title("word " * 60) == "word " * 39 + "word…"
    assert len(safe_description("x" * 400)) == 300


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("auth", "auth"),
        ("#Web API", "Web API"),
        ("C++", "cpp"),
        ("c#", "csharp"),
        ("R&D", "R and D"),
        ('a<b>"c', "a-b-c"),
        ("हिन्दी", "हिन्दी"),
        ("team/infra:v1.2", "team/infra:v1.2"),
        ("🎉", None),
        ("", None),
        ("x" * 99, "x" * 60),
    ],
)
def test_a_tag_is_made_safe(text: str, tag: str | None) -> None:
    assert safe_tag(text) == tag


def test_tags_are_told_once() -> None:
    assert safe_tags(["Web", "🎉", "web", "auth", "#auth"]) == ("Web", "auth")
