"""What the site knows of one page."""

from __future__ import annotations

import time

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.site.anchors import anchor
from pipeline.site.facts import Facts, Verified
from pipeline.site.facts_reading import read_facts
from pipeline.site.passages import LONGEST_SENTENCE, words_of
from pipeline.wiki.format.page import parse_page
from tests.reading.payloads import hostile_pages

FRONT = """\
---
type: Decision
title: "Session cookies:  not JWT"
description: Why
tags: [auth, web, auth]
aliases: [Login cookies]
status: stable
generated: { by: wikimill/gpt-6, at: 2026-11-30T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }
- { by: "human:dana", at: 2026-12-01 }
stale_after: 2027-06-01
sources:
- id: o-1
  resource: ../../../observations/a.jsonl#L3
  title: "2026-11-12 09:14 dana: we decided on cookies"
  author: human:dana
session_id: s-1
agent_kind: codex
superseded_by: ../rules/new%20one.md#part
lang: ja
dir: rtl
---
"""


def facts(body: str, front: str = FRONT, path: str = "acme/gateway/decisions/cookies.md") -> Facts:
    return read_facts(path, parse_page(path, f"{front}\n{body}".encode()))


def test_front_matter_becomes_facts() -> None:
    found = facts("# Heading\n\nText.[^o-1]\n\n[^o-1]: 2026, dana")

    assert (found.title, found.type, found.description) == ("Session cookies: not JWT", "Decision", "Why")
    assert (found.tags, found.aliases, found.status) == (("auth", "web"), ("Login cookies",), "stable")
    assert (found.tier, found.origin, found.model) == ("human-reviewed", "model", "gpt-6")
    assert (found.generated_on, found.changed_on, found.stale_after) == ("2026-11-30", "2026-11-30", "2027-06-01")
    assert found.verified == (Verified("process:wikimill-gates", "2026-11-30"), Verified("human:dana", "2026-12-01"))
    assert (found.session_ids, found.agent_kind) == (("s-1",), "codex")
    assert (found.project, found.folder, found.kind) == ("acme/gateway", "acme/gateway/decisions", "decisions")
    assert found.superseded_by == "acme/gateway/rules/new one.md"
    assert (found.language, found.direction) == ("ja", "rtl")
    assert (found.cited, found.claims, found.unsourced, found.contradicted) == (("o-1",), 1, 0, 0)


@pytest.mark.parametrize(
    ("path", "home"),
    [
        ("a.md", ("", "", "")),
        ("acme/a.md", ("acme", "acme", "")),
        ("acme/guides/a.md", ("acme", "acme/guides", "")),
        ("acme/decisions/a.md", ("acme", "acme/decisions", "decisions")),
        ("acme/x/decisions/deep/a.md", ("acme/x", "acme/x/decisions/deep", "decisions")),
        ("decisions/a.md", ("decisions", "decisions", "")),
        ("decisions/rules/a.md", ("decisions", "decisions/rules", "rules")),
    ],
)
def test_where_a_page_is_at_home(path: str, home: tuple[str, str, str]) -> None:
    found = facts("text", "", path)

    assert (found.project, found.folder, found.kind) == home


@pytest.mark.parametrize(
    ("front", "body", "title"),
    [
        ("---\ntitle: Told\n---\n", "# Heading", "Told"),
        ("---\ntype: X\n---\n", "## Two\n\n# The `code_name` of *it*", "The code_name of it"),
        ("", "text", "a small page"),
        ("---\ntitle: [a]\n---\n", "text", "a small page"),
    ],
)
def test_a_title_is_found(front: str, body: str, title: str) -> None:
    assert facts(body, front, "x/a-small-page.md").title == title


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("generated: { by: wikimill/extractive }", ("extractive", "extractive", "")),
        ("generated: { by: someone, at: 2026-01-02 }", ("model", "someone", "2026-01-02")),
        ("generated: yes", ("hand", "", "")),
        ("type: X", ("hand", "", "")),
    ],
)
def test_how_a_page_came_to_be(lines: str, expected: tuple[str, str, str]) -> None:
    found = facts("", f"---\n{lines}\n---\n")

    assert (found.origin, found.model, found.generated_on) == expected


@pytest.mark.parametrize("value", ["x.md", "[x.md, y.md]", "./x.md", "/acme/gateway/decisions/x.md"])
def test_a_successor_is_a_path_of_the_wiki(value: str) -> None:
    assert facts("", f"---\nsuperseded_by: {value}\n---\n").superseded_by == "acme/gateway/decisions/x.md"


@pytest.mark.parametrize(
    "value", ["'javascript:x'", "https://a.example/x.md", "../../../../x.md", "{a: b}", "' '", "7"]
)
def test_what_leads_out_of_the_wiki_is_no_successor(value: str) -> None:
    assert facts("", f"---\nsuperseded_by: {value}\n---\n").superseded_by in {"", "acme/gateway/decisions/7"}


@pytest.mark.parametrize(("key", "value"), [("lang", "'a\"><b>'"), ("lang", "[en]"), ("dir", "up"), ("dir", "true")])
def test_odd_languages_are_none(key: str, value: str) -> None:
    found = facts("", f"---\n{key}: {value}\n---\n")

    assert (found.language, found.direction) == ("", "")


def test_sections_hold_plain_words() -> None:
    body = """\
Before.

# One _two_ `three_four`

<!-- keep -->
First **bold** with [a link](../x.md "title") and `code_name`.[^o-1] 5 * 3 &amp; \\*so\\*
<!-- /keep -->

| a | b |
|---|---|
| snake_case_name | ![plan](p.png) |

```python
value = some_call(1)
```

## Again {#own}

!!! note "Not in spring"
    In spring the hour is missing.

> quoted
> more

- [x] done
1. first

[ref]: https://e.example

[^o-1]: 2026, dana
    more of it
"""
    found = facts(body).sections

    assert [(one.title, one.anchor, one.level) for one in found] == [
        ("", "", 0),
        ("One two three_four", "one-two-three_four", 1),
        ("Again", "own", 2),
    ]
    assert found[0].text == "Before."
    assert found[1].text == (
        "First bold with a link and code_name. 5 * 3 & *so* a b snake_case_name plan value = some_call(1)"
    )
    assert found[2].text == "Not in spring In spring the hour is missing. quoted more done first"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a __init__ b", "a init b"),
        ("session_cookie_ttl", "session_cookie_ttl"),
        ("a _private name", "a _private name"),
        ("**bold**: `x_y`", "bold: x_y"),
        ("日本語の**強調**。", "日本語の強調。"),
        ("a\x00b\u202ec", "abc"),
    ],
)
def test_words_stay_as_they_are_written(text: str, words: str) -> None:
    assert words_of(text) == words


SITE = ["attr_list", "footnotes", "sane_lists", "tables", "toc", "pymdownx.magiclink", "pymdownx.superfences"]


def ids_on_the_site(body: str) -> list[str]:
    md = markdown.Markdown(
        extensions=[*SITE, "pymdownx.tilde", "pipeline.reading.safe_markdown"],
        extension_configs={"toc": {"slugify": anchor}, "pymdownx.tilde": {"subscript": False}},
    )
    md.convert(body)
    found: list[str] = []

    def walk(tokens: list[dict[str, object]]) -> None:
        for token in tokens:
            found.append(str(token["id"]))
            walk(token["children"])  # type: ignore[arg-type]

    walk(md.toc_tokens)  # type: ignore[attr-defined]
    return found


HEADINGS = [
    "What helps",
    "Über uns",
    "What's `new_name` in v1.2?",
    "Q&A: a/b",
    "session_cookie_ttl",
    "A - B",
    "単位と表示",
    "Same",
    "Same",
    "Same",
    "Same_1",
    "!!!",
    "???",
    "Named {#own}",
    "Named {: #same }",
    "Hidden {: #wm-sources }",
    "Bold **word** and _word_",
    "A [link](x.md) here",
    "A [link](https://e.example/a_b) here",
    "Cited[^o-1]",
    "Raw <b>html</b>",
    "Escaped \\*star\\* \\<x\\>",
    "`__init__` and __main__",
    "Closed ##",
    "C++ & C#",
    "&lt;T&gt;",
    "~~old~~ new",
    "A <!-- hidden --> word",
]


def test_anchors_are_the_ids_of_the_site() -> None:
    body = "\n\n".join(f"## {heading}\n\ntext" for heading in HEADINGS) + "\n\nSetext\n------\n\n[^o-1]: x\n"

    assert [one.anchor for one in facts(body).sections] == ids_on_the_site(body)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*HEADINGS, "same", "Same_2", "x {#same}", "x {#same_1}"]), max_size=8))
def test_anchors_of_any_headings_are_the_ids_of_the_site(headings: list[str]) -> None:
    body = "\n\n".join(f"### {heading}" for heading in headings) + "\n\n[^o-1]: x\n"

    assert [one.anchor for one in facts(body).sections] == ids_on_the_site(body)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("First one. See [the rule](../rules/r.md) for v1.2 of it.[^o-1] Third.", "See the rule for v1.2 of it."),
        ("- [the rule](../rules/r.md)", "the rule"),
        ("- [x] a task: [the rule](../rules/r.md)", "a task: the rule"),
        ("| a | [the rule](../rules/r.md) |\n|---|---|\n| b | c |", "a | the rule"),
        ("## With [the rule](../rules/r.md)", "With the rule"),
        ("見る。[規則](../rules/r.md)を参照。終わり。", "規則を参照。"),
        ("[rule]\n\n[rule]: ../rules/r.md", "rule"),
        ("A ![plan](../rules/r.md) b", "A plan b"),
        ("`code` and [`some_name`](../rules/r.md), done", "code and some_name, done"),
    ],
)
def test_a_link_is_told_with_its_sentence(body: str, sentence: str) -> None:
    found = facts(body).links

    assert [(one.target, one.sentence) for one in found] == [("acme/gateway/rules/r.md", sentence)]


def test_a_long_sentence_is_cut_around_its_link() -> None:
    body = f"{'word ' * 100}[the rule](../rules/r.md#a%20b) {'more ' * 100}"
    (found,) = facts(body).links

    assert found.anchor == "a b"
    assert len(found.sentence) <= LONGEST_SENTENCE
    assert found.sentence.startswith("…word ")
    assert " the rule more " in found.sentence
    assert found.sentence.endswith("…")


@pytest.mark.parametrize(
    "body",
    [
        "[out](../../../../x.md)",
        "[web](https://e.example/x.md)",
        "[mail](mailto:a@e.example)",
        "[here](#part)",
        "[itself](cookies.md)",
        "`[code](x.md)`",
        "<!-- [hidden](x.md) -->",
        "```\n[code](x.md)\n```",
    ],
)
def test_what_is_no_link_to_another_file(body: str) -> None:
    assert facts(body).links == ()


def test_claims_are_counted() -> None:
    body = """\
> Collected without a language model: every statement is a quotation.

- Sourced.[^o-1]
- Not sourced. (unsourced)
- Neither said nor sourced.

**Contradiction:** “a”[^o-1] stands against “b”[^o-2]; nothing says which one holds.

<!-- keep -->
A person's word.
<!-- /keep -->

[^o-1]: x
[^o-2]: y
"""
    by_hand = facts(body, "---\ntype: X\n---\n")

    assert (facts(body).claims, facts(body).unsourced, facts(body).contradicted) == (5, 2, 1)
    assert (by_hand.unsourced, by_hand.contradicted) == (1, 1)


@pytest.mark.parametrize("name", hostile_pages())
def test_nothing_is_raised_for_hostile_pages(name: str) -> None:
    found = read_facts(name, parse_page(name, hostile_pages()[name].encode()))

    assert found.path == name
    assert found.status in {"stable", "draft", "deprecated", "other"}


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab .!\n\r\t<>-*_`[](){}#|^:&;\\~=é日\x00\u2028", max_size=120))
def test_no_text_stops_it(text: str) -> None:
    found = read_facts("p/x.md", parse_page("p/x.md", b"---\ntype: X\n---\n\n" + text.encode()))

    assert all(len(link.sentence) <= LONGEST_SENTENCE for link in found.links)
    assert "\x00" not in "".join(section.text + section.title for section in found.sections)


@pytest.mark.parametrize(
    "text",
    [
        "[a](b.md) " * 20_000,
        "<!-- " * 40_000,
        "`" * 100_000 + " ``" * 20_000,
        "# a\n" * 20_000,
        "# x {" + " " * 100_000 + "}",
        "!!! " + " " * 200_000,
        "_a " * 60_000,
        "| " * 100_000,
    ],
)
def test_long_text_takes_linear_time(text: str) -> None:
    begin = time.process_time()
    read_facts("p/x.md", parse_page("p/x.md", text.encode()))

    assert time.process_time() - begin < 6
