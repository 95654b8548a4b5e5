from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.wiki.markdown.positions import read_source
from pipeline.wiki.sections.changes import read_changes
from pipeline.wiki.sections.outline import heading_key
from pipeline.wiki.sections.sections import (
    check_keep_markers,
    cited,
    definitions,
    keep_blocks,
    outline,
    upsert,
    with_definitions,
)

PAGE = """\
# Cookies

The lead.

## Decision

We use cookies.[^o-1]

### Details

More.

## History

- once
- twice

[^o-1]: 2026-11-29 14:03, dana
[^note]: a person's
    note
"""

LINES = [
    *[
        "# Title",
        "## One",
        "## Two",
        "### Sub",
        "## one ##",
        "  ## Two",
        "Three\n---",
        "Title\n===",
        "#",
        "###### Deep",
    ],
    *[
        "text",
        "more  ",
        "",
        "",
        "",
        " ",
        "- item",
        "  - inner",
        "> # quoted",
        "1. # in a list",
        "    # code",
        "```",
        "~~~",
        "    ## Two",
    ],
    *["<!-- keep -->", "<!-- /keep -->", "a <!-- keep -->b<!-- /keep --> c", "<!--", "-->", "<div>", "`<!-- keep -->`"],
    *[
        "<!-- keep -->\nmine\n<!-- /keep -->",
        "<!-- keep -->\n## Two\nmine\n<!-- /keep -->",
        "- <!-- keep -->",
        "## K <!-- keep -->",
    ],
    *[
        "[^o-1]: src",
        "[^x]: https://e.org",
        "[^y]: two\nlines",
        "    indented",
        "cite[^o-1] and[^x]",
        "[^o-1]: \n---",
        "[a]: b",
    ],
]
NEWLINES = st.sampled_from(["\n", "\n", "\r\n", "\r"])
BODIES = st.builds(
    lambda lines, newline, end: newline.join("\n".join(lines).split("\n")) + end * newline,
    st.lists(st.sampled_from(LINES), max_size=14),
    NEWLINES,
    st.integers(0, 2),
)
REMOVED = st.lists(st.sampled_from(["One", "## Two", "### Sub", "three", "Title", "nothing", "", "K"]), max_size=2)


@settings(max_examples=100, deadline=None)
@given(BODIES)
def test_the_outline_covers_the_body(body: str) -> None:
    sections = outline(body)
    assert "".join(section.text for section in sections) == body
    assert all(body[section.start : section.end] == section.text for section in sections)
    assert all(section.text for section in sections)


def test_what_is_a_heading() -> None:
    body = (
        "lead\n\n# Title\n\n```\n# code\n```\n\n<!--\n# comment\n-->\n\n> # quoted\n\n- # item\n\n"
        "Setext *one*\n---\n\n## Two ##\ntext\n\n[^x]: note\n"
    )
    assert [(section.kind, section.level, section.heading) for section in outline(body)] == [
        ("lead", 0, ""),
        ("section", 1, "Title"),
        ("section", 2, "Setext *one*"),
        ("section", 2, "Two"),
        ("footnotes", 0, ""),
    ]


@pytest.mark.parametrize(
    ("changes", "removed", "before", "after"),
    [
        ("## Decision\nWe use JWT.[^o-2]\n", [], "We use cookies.[^o-1]", "We use JWT.[^o-2]"),
        ("## decision ##\n\nNew.", [], "We use cookies.[^o-1]", "New."),
        ("### Details\nNew.", [], "More.", "New."),
        ("## Details\nNew.", [], "More.", "New."),
        ("New lead.\n\n## History\n- once\n- twice\n", [], "The lead.", "New lead."),
        ("# Cookies\n\nNew lead.\n", [], "The lead.", "New lead."),
        ("# Other title\n\n## History\n- thrice", [], "- once\n- twice", "- thrice"),
        ("## New\nText.", [], "- twice\n\n", "- twice\n\n## New\n\nText.\n\n"),
        ("## Decision\n### More\nText.", [], "More.\n\n", "More.\n\n### More\n\nText.\n\n"),
        ("", ["History"], "## History\n\n- once\n- twice\n\n", ""),
        ("", ["## Decision"], "## Decision\n\nWe use cookies.[^o-1]\n\n### Details\n\nMore.\n\n", ""),
        ("", ["### Details"], "### Details\n\nMore.\n\n", ""),
        ("", ["# Details", "Cookies", "Nowhere"], "", ""),
        ("", [], "", ""),
        ("## Decision\n\nWe use cookies.[^o-1]", [], "", ""),
        ("## Decision", [], "", ""),
    ],
)
def test_only_what_is_named_changes(changes: str, removed: list[str], before: str, after: str) -> None:
    assert PAGE.count(before) == 1 or not before
    expected = PAGE.replace(before, after) if before else PAGE
    assert upsert(PAGE, changes, removed).body == expected
    windows = upsert(PAGE.replace("\n", "\r\n"), changes, removed).body
    assert windows == expected.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("body", "changes", "removed", "after"),
    [
        ("", "Lead.\n\n## A\nText.", [], "Lead.\n\n## A\n\nText.\n"),
        ("# T", "## A\nText.", [], "# T\n\n## A\n\nText.\n"),
        ("# T\n\nLead", "New.", [], "# T\n\nNew.\n"),
        ("# T\n## A\nold\n## B\nkeep  \n\n\n## C", "## A\nnew", [], "# T\n## A\nnew\n\n## B\nkeep  \n\n\n## C"),
        ("T\n=\n\nA\n-\nold\n", "## A\nnew", [], "T\n=\n\nA\n-\nnew\n"),
        ("## A\nold", "## B\nnew", [], "## A\nold\n\n## B\n\nnew\n"),
        ("## A\nold\n\n## B\nold\n", "", ["B"], "## A\nold\n"),
        ("## A\nold\n## B\nb\n\nC\n-\n", "", ["B"], "## A\nold\n\nC\n-\n"),
        ("# T\n\n```\nopen", "## A\nnew", [], "# T\n\n```\nopen\n```\n\n## A\n\nnew\n"),
        ("## A\nold\n\n## B\nb\n", "## A\n```\nopen\n", [], "## A\n```\nopen\n```\n\n## B\nb\n"),
        ("## A\nold\n\n## B\nb\n", "## A\n<pre>\nopen\n", [], "## A\n<pre>\nopen\n</pre>\n\n## B\nb\n"),
        ("## A\nold\n\n## B\nb\n", "## A\n<!-- open\n", [], "## A\n<!-- open\n-->\n\n## B\nb\n"),
        ("## A\nold\n\n  ## B\nb\n", "## A\n- item\n", [], "## A\n- item\n\n<!-- -->\n\n  ## B\nb\n"),
        ("## A\na\n\n## A\na\n", "## A\nnew", ["A"], "## A\nnew\n\n## A\na\n"),
        ("## A\na\n\n## A\na\n", "", ["A"], "## A\na\n\n## A\na\n"),
        ("## A\na[^x]\n\n[^x]: mine\n\n## B\nb\n", "## A\nnew", [], "## A\nnew\n\n## B\nb\n\n[^x]: mine\n"),
        (
            "## A\na\n\n[^x]: mine",
            "## A\nnew[^x][^y]\n\n[^x]: other\n[^y]: new",
            [],
            "## A\nnew[^x][^y]\n\n[^x]: mine\n[^y]: new\n",
        ),
        ("# A\na\n\n# B\nb\n", "# B\nnew", [], "# A\na\n\n# B\nnew\n"),
        ("###### X\na\n", "## X\nnew\n### Y\ny", [], "###### X\na\n\n## X\n\nnew\n\n### Y\n\ny\n"),
    ],
)
def test_pages_of_all_kinds(body: str, changes: str, removed: list[str], after: str) -> None:
    once = upsert(body, changes, removed).body
    assert once == after
    assert upsert(once, changes, removed).body == after


@pytest.mark.parametrize(
    ("body", "changes", "removed", "after"),
    [
        (
            "## A\nold\n\n<!-- keep -->\nmine  \n<!-- /keep -->\n\n## B\nb\n",
            "## A\nnew",
            [],
            "## A\nnew\n\n<!-- keep -->\nmine  \n<!-- /keep -->\n\n## B\nb\n",
        ),
        (
            "## A\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\nold\n",
            "## A\nnew",
            [],
            "## A\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\nnew\n",
        ),
        (
            "## A\none\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\nold\n",
            "## A\none\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\nnew\n",
            [],
            "## A\none\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\nnew\n",
        ),
        (
            "## A\nold <!-- keep -->mine<!-- /keep --> x\n",
            "## A\nnew",
            [],
            "## A\nnew\n\n<!-- keep -->mine<!-- /keep -->\n",
        ),
        (
            "## A\nold\n\n### S\n<!-- keep -->\nmine\n<!-- /keep -->\n\n### R\nr\n\n## B\nb\n",
            "",
            ["A"],
            "## A\n\n### S\n<!-- keep -->\nmine\n<!-- /keep -->\n\n## B\nb\n",
        ),
        (
            "# T\n\n## A\na\n\n<!-- keep -->\n## Mine\nx\n<!-- /keep -->\n",
            "## Mine\ny",
            [],
            "# T\n\n## A\na\n\n<!-- keep -->\n## Mine\nx\n<!-- /keep -->\n\n## Mine\n\ny\n",
        ),
        (
            "## A\nold\n\n<!-- keep -->\nmine\n\n## B\nb\n",
            "## A\nnew",
            [],
            "## A\nnew\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\n## B\nb\n",
        ),
        ("## A\nold\n\n<!-- keep -->\nmine\n", "## A\nold", [], "## A\nold\n\n<!-- keep -->\nmine\n"),
        (
            "# T\nlead\n<!-- keep -->\nmine\n",
            "## A\nnew",
            [],
            "# T\nlead\n<!-- keep -->\nmine\n<!-- /keep -->\n\n## A\n\nnew\n",
        ),
        ("## A\nold\n", "## A\n<!-- keep -->new<!-- ke<!-- keep -->ep -->\n", [], "## A\nnew\n"),
        ("## A\n```\n<!-- keep -->\n```\n", "## A\nnew", [], "## A\nnew\n"),
    ],
)
def test_what_a_person_keeps_stays(body: str, changes: str, removed: list[str], after: str) -> None:
    once = upsert(body, changes, removed).body
    assert once == after
    assert upsert(once, changes, removed).body == after


@settings(max_examples=150, deadline=None)
@given(BODIES, BODIES, REMOVED)
def test_the_same_change_twice_does_no_more_than_once(body: str, changes: str, removed: list[str]) -> None:
    once = upsert(body, changes, removed).body
    assert upsert(once, changes, removed).body == once


@settings(max_examples=150, deadline=None)
@given(BODIES, BODIES, REMOVED)
def test_what_is_not_named_stays_byte_for_byte(body: str, changes: str, removed: list[str]) -> None:
    after = upsert(body, changes, removed).body
    readings = (read_changes(changes, blocks, frozenset(), body) for blocks in (keep_blocks(body), ()))
    named = {change.key for reading in readings for change in reading.sections}
    named |= {heading_key(heading.strip("# ")) for heading in removed}
    position = 0
    gone = 0
    for section in outline(body):
        inside = section.level > gone > 0
        if section.kind == "section" and not inside:
            gone = section.level if heading_key(section.heading) in named else 0
        if section.kind == "section" and not inside and not gone and section.level > 1 and not section.kept:
            assert section.text.rstrip() in after[position:]
            position = after.index(section.text.rstrip(), position)


@settings(max_examples=150, deadline=None)
@given(BODIES, BODIES, REMOVED)
def test_nothing_kept_or_defined_is_lost_and_nothing_new_is_locked(body: str, changes: str, removed: list[str]) -> None:
    after = upsert(body, changes, removed).body
    blocks = keep_blocks(after)
    for block in keep_blocks(body):
        assert any(block.text in other.text for other in blocks)
    assert len(blocks) <= len(keep_blocks(body))
    defined = {entry.label for entry in definitions(after)}
    assert {entry.label for entry in definitions(body)} <= defined


def test_findings_name_what_was_not_done() -> None:
    body = "# T\n\n## A\n<!-- keep -->x<!-- /keep -->\nold\n\n## B\n\n## B\n<!-- keep -->\n\n## C\n<!-- /keep -->\n"
    changes = "# T\n\n## A\nnew <!-- keep -->\n\n## B\nb\n\n## B\nc\n"
    found = upsert(body, changes, ["T", "Gone", "A", "B"]).findings
    assert {(finding.where, finding.rule) for finding in found} == {
        ("B", "heading-twice"),
        ("B", "heading-twice-in-draft"),
        ("T", "title-kept"),
        ("Gone", "section-not-found"),
        ("A", "section-kept"),
        ("B", "section-kept"),
        ("A", "keep-carried"),
        ("", "keep-marker-removed"),
    }
    assert all(finding.severity in {"note", "warning"} for finding in found)


MARKED = (
    *("# T", "## A", "### B", "", "", "text", "<!-- keep -->", "<!-- keep -->", "<!-- /keep -->", "[^n]: note"),
    *("## K <!-- keep -->", "Four\n---", "```"),
)


def test_markers_that_do_not_pair_up_are_named() -> None:
    body = "<!-- /keep -->\n\n## A\n<!-- keep -->\n<!-- KEEP -->\n<!--/keep-->\n\n## B\n`<!-- keep -->`\n"
    assert [(finding.where, finding.rule) for finding in check_keep_markers(body)] == [
        ("", "keep-unopened"),
        ("A", "keep-unclosed"),
        ("A", "keep-nested"),
    ]
    assert [block.text for block in keep_blocks(body)] == ["<!-- keep -->\n<!-- KEEP -->\n<!--/keep-->"]
    assert check_keep_markers("fine <!-- keep -->x<!-- /keep -->") == ()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(MARKED), max_size=16).map("\n".join))
def test_a_block_without_an_end_reaches_to_the_end_of_its_section(body: str) -> None:
    blocks = keep_blocks(body)
    assert all(block.text == body[block.start : block.end] for block in blocks)
    assert all(one.end <= other.start for one, other in itertools.pairwise(blocks))
    closed = [(one.start, one.end) for one in blocks if one.closed]
    headings = [one for one in read_source(body).headings if not any(start < one.start < end for start, end in closed)]
    for block in blocks:
        inside = [one for one in headings if block.start < one.start < block.end]
        above = [one.level for one in headings if one.start <= block.start][-1:]
        if not block.closed and block.text.count("keep -->") == 1:
            level = above[0] if above else 6
            assert all(one.level > level for one in inside)
            after = next((one for one in headings if one.start >= block.end), None)
            assert after is None or after.level <= level or body[block.end : after.start].strip()


@pytest.mark.parametrize(
    "text",
    [
        "<!-- keep -->\n\n" * 20_000,
        "# a <!-- keep -->\n\n" * 15_000,
        "<!-- keep -->x<!-- /keep -->\n# a\n" * 8_000,
        "# a\n\n[^a]: b\n\n" * 15_000,
        "<b>\n[^a]\n\n[^a]: b\n\n" * 12_000,
        "<!-- x --> [^a]\n\n" * 15_000,
    ],
    ids=range(6),
)
def test_long_texts_take_no_long_time(text: str) -> None:
    read_source(text)
    started = time.monotonic()
    keep_blocks(text)
    check_keep_markers(text)
    definitions(text)
    cited(text)
    assert time.monotonic() - started < 5


def test_footnotes_are_read_by_position() -> None:
    body = (
        "a[^b] `[^code]` \\[^escaped] c[^b][^x y]\n\n```\n[^fence]: no\n```\n\n<!--\n[^comment]: no\n-->\n\n"
        "[^b]: first[^deep]\nlazy\n\n    more\n\n    ```\n    code\n    ```\n\n[^c]: https://e.org\n[^d]: d\n\ntext\n"
    )
    assert cited(body) == ("b", "x y", "deep")
    assert [(entry.label, body[entry.start : entry.end]) for entry in definitions(body)] == [
        ("b", "[^b]: first[^deep]\nlazy\n\n    more\n\n    ```\n    code\n    ```\n"),
        ("c", "[^c]: https://e.org\n"),
        ("d", "[^d]: d\n"),
    ]


@pytest.mark.parametrize(
    ("body", "wanted", "after"),
    [
        ("a[^o-1]", {"o-1": "now"}, "a[^o-1]\n\n[^o-1]: now\n"),
        ("a[^o-1]\n\n[^o-1]: old\n", {"o-1": "now"}, "a[^o-1]\n\n[^o-1]: old\n"),
        ("a[^o-1]\n\n[^o-1]: old", {"o-1": "x", "o-2": "new\nline"}, "a[^o-1]\n\n[^o-1]: old\n[^o-2]: new line\n"),
        ("a\n\n[^o-1]: old\n[^note]: mine\n", {}, "a\n\n[^note]: mine\n"),
        ("a\n\n<!-- keep -->\n[^o-1]: old\n<!-- /keep -->\n", {}, "a\n\n<!-- keep -->\n[^o-1]: old\n<!-- /keep -->\n"),
        ("a\r\n", {"o-2": "b"}, "a\r\n\r\n[^o-2]: b\r\n"),
        ("```\nopen", {"o-2": "b"}, "```\nopen\n```\n\n[^o-2]: b\n"),
        ("", {"o-2": "b"}, "[^o-2]: b\n"),
        ("a  \n\n\n", {}, "a  \n\n\n"),
    ],
)
def test_definitions_are_added_and_dropped(body: str, wanted: dict[str, str], after: str) -> None:
    assert with_definitions(body, wanted) == after
    assert with_definitions(after, wanted) == after


@settings(max_examples=80, deadline=None)
@given(BODIES, st.dictionaries(st.sampled_from(["o-1", "o-2", "x", "z"]), st.sampled_from(["one", "two"])))
def test_every_wanted_label_is_defined(body: str, wanted: dict[str, str]) -> None:
    after = with_definitions(body, wanted)
    assert set(wanted) <= {entry.label for entry in definitions(after)}
    assert with_definitions(after, wanted) == after
    if not wanted and "[^o-" not in body:
        assert after == body
