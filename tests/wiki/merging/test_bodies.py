"""The text of a page that both sides changed: what a person said stays, what is new comes, nothing comes back."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.positions import NEWLINE
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.merging.bodies import merge_body
from pipeline.wiki.sections.keep import keep_blocks
from tests.wiki.merging.versions import Maker, Model, versions
from tests.work_done import lines_run

BODY = """# Port

The port is 8080.[^o-0000000001]

## Details

- one[^o-0000000001]
- two[^o-0000000001]
- three

| a | b |
| - | - |
| 1 | 2 |
| 3 | 4 |

```sh
# no heading
run --port 8080
```

## 背景

Words of old.

[^o-0000000001]: 2026-11-29 14:03, dana
"""

SECOND = "[^o-0000000002]: 2026-11-30 14:03, eve\n"


def changed(*pairs: tuple[str, str], body: str = BODY) -> str:
    for old, new in pairs:
        assert old in body
        body = body.replace(old, new, 1)
    return body


REWORDED = changed(
    ("- two[^o-0000000001]\n", "- two again[^o-0000000002]\n  - **Changed:** before, “two”[^o-0000000001]\n"),
    ("dana\n", f"dana\n{SECOND}"),
)

MERGED = {
    "another section": (
        REWORDED,
        changed(("Words of old.", "Words of mine.")),
        changed(("Words of old.", "Words of mine."), body=REWORDED),
    ),
    "another item of the same list": (
        REWORDED,
        changed(("- one[", "- one of mine[")),
        changed(("- one[", "- one of mine["), body=REWORDED),
    ),
    "the same statement: a person's stands, the other comes behind it": (
        REWORDED,
        changed(("- two[", "- two of mine[")),
        changed(
            ("- two again", "- two of mine[^o-0000000001]\n- two again"),
            body=REWORDED,
        ),
    ),
    "a statement that a person took out stays out, what replaced it comes": (
        REWORDED,
        changed(("- two[^o-0000000001]\n", "")),
        REWORDED,
    ),
    "both changed it alike": (REWORDED, REWORDED, REWORDED),
    "a section that a person took out comes back with what is new alone": (
        changed(("- three\n", "- three\n- four\n")),
        BODY[: BODY.index("## Details")] + BODY[BODY.index("## 背景") :],
        BODY[: BODY.index("## Details")] + "## Details\n\n- four\n\n" + BODY[BODY.index("## 背景") :],
    ),
    "a section under another heading": (
        changed(("- three\n", "- three\n- four\n")),
        changed(("## Details", "## Particulars")),
        changed(("## Details", "## Particulars"), ("- three\n", "- three\n- four\n")),
    ),
    "a section that a person moved": (
        changed(("Words of old.", "Words of new.")),
        changed(
            ("## 背景\n\nWords of old.\n\n", ""),
            ("## Details", "## 背景\n\nWords of old.\n\n## Details"),
        ),
        changed(
            ("## 背景\n\nWords of old.\n\n", ""),
            ("## Details", "## 背景\n\nWords of new.\n\n## Details"),
        ),
    ),
    "a row for a table": (
        changed(("| 3 | 4 |\n", "| 3 | 4 |\n| 5 | 6 |\n")),
        changed(("| 1 | 2 |", "| 1 | 7 |")),
        changed(("| 1 | 2 |", "| 1 | 7 |"), ("| 3 | 4 |\n", "| 3 | 4 |\n| 5 | 6 |\n")),
    ),
    "a row whose table a person took out brings the table's head": (
        changed(("| 3 | 4 |\n", "| 3 | 4 |\n| 5 | 6 |\n")),
        changed(("| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n\n", "")),
        changed(("| 1 | 2 |\n| 3 | 4 |\n", "| 5 | 6 |\n")),
    ),
    "code": (
        changed(("run --port 8080", "run --port 9090")),
        changed(("- one[", "- one of mine[")),
        changed(("run --port 8080", "run --port 9090"), ("- one[", "- one of mine[")),
    ),
    "both at the end of one list": (
        changed(("- three\n", "- three\n- four\n")),
        changed(("- three\n", "- three\n- mine\n\nA paragraph of mine.\n")),
        changed(("- three\n", "- three\n- mine\n- four\n\nA paragraph of mine.\n")),
    ),
    "another mark of items": (
        changed(("- three\n", "- three\n- four\n")),
        changed(("- one", "* one"), ("- two", "* two"), ("- three", "* three of mine")),
        changed(("- one", "* one"), ("- two", "* two"), ("- three\n", "* three of mine\n* four\n")),
    ),
    "a new section stands behind what it stood behind": (
        changed(("## 背景", "## New\n\nNews.\n\n## 背景")),
        changed(("- three\n", "- three\n- mine\n\n### Mine\n\nDeeper.\n")),
        changed(("- three\n", "- three\n- mine\n\n### Mine\n\nDeeper.\n"), ("## 背景", "## New\n\nNews.\n\n## 背景")),
    ),
    "a section that the commit took out goes": (
        changed(("## 背景\n\nWords of old.\n\n", "")),
        changed(("- one[", "- one of mine[")),
        changed(("## 背景\n\nWords of old.\n\n", ""), ("- one[", "- one of mine[")),
    ),
    "a section that the commit took out stays when a person changed it": (
        changed(("## 背景\n\nWords of old.\n\n", "")),
        changed(("Words of old.", "Words of mine.")),
        changed(("Words of old.", "Words of mine.")),
    ),
    "a keep block stays, what is new stands behind it": (
        changed(("- three\n", "- three and more\n")),
        changed(("- one", "<!-- keep -->\n- one"), ("- three\n", "- three\n\n<!-- /keep -->\n")),
        changed(("- one", "<!-- keep -->\n- one"), ("- three\n", "- three\n\n<!-- /keep -->\n\n- three and more\n")),
    ),
    "both added what is the same": (
        changed(("Words of old.\n", "Words of old.\n\nMore.\n")),
        changed(("- three\n", "- three\n\nMore.\n")),
        changed(("- three\n", "- three\n\nMore.\n")),
    ),
    "a person's definition stays, though the commit cites it no more": (
        changed(("three\n", "three again\n")),
        changed(("three\n", "three[^mine]\n"), ("dana\n", "dana\n[^mine]: My note\n")),
        changed(
            ("three\n", "three[^mine]\n- three again\n"),
            ("dana\n", "dana\n[^mine]: My note\n"),
        ),
    ),
    "a footnote that nothing cites any more loses its definition, one that a person cites keeps it": (
        changed(("[^o-0000000001]\n\n## D", "[^o-0000000002]\n\n## D"), ("dana\n", f"dana\n{SECOND}")),
        changed(("- one[^o-0000000001]\n- two[^o-0000000001]\n", "- two[^o-0000000001]\n")),
        changed(
            ("[^o-0000000001]\n\n## D", "[^o-0000000002]\n\n## D"),
            ("- one[^o-0000000001]\n", ""),
            ("dana\n", f"dana\n{SECOND}"),
        ),
    ),
    "a contradiction beside a statement that a person changed": (
        changed(("- one[^o-0000000001]\n", "- one[^o-0000000001]\n  - **Contradiction:** “one”[^o-0000000001]\n")),
        changed(("- one[", "- one of mine[")),
        changed(
            ("- one[^o-0000000001]\n", "- one of mine[^o-0000000001]\n  - **Contradiction:** “one”[^o-0000000001]\n")
        ),
    ),
}


@pytest.mark.parametrize("name", MERGED)
def test_what_comes_of_two_changes(name: str) -> None:
    after, standing, expected = MERGED[name]
    merged = merge_body(BODY, after, standing)
    assert merged.text == expected
    assert merged.lost == ()
    assert merge_body(BODY, after, merged.text).text == expected


@pytest.mark.parametrize("name", MERGED)
def test_line_ends_are_those_of_what_stands(name: str) -> None:
    after, standing, expected = MERGED[name]
    crlf = standing.replace("\n", "\r\n")
    assert merge_body(BODY, after, crlf).text == expected.replace("\n", "\r\n")


def test_a_missing_last_line_end_stays_missing() -> None:
    before, after, standing = "# T\n\nOne.\n", "# T\n\nOne.\n\nTwo.\n", "# T\n\nMine.\n\nOne."
    assert merge_body(before, after, standing).text == "# T\n\nMine.\n\nOne.\n\nTwo."


def test_under_headings_that_stand_twice_texts_find_their_own() -> None:
    before = "# T\n\n## Log\n\n- a\n\n## Log\n\n- b\n"
    after = "# T\n\n## Log\n\n- a\n\n## Log\n\n- b\n- c\n"
    standing = "# T\n\n## Log\n\n- x\n\n## Log\n\n- a\n\n## Log\n\n- b\n"
    assert merge_body(before, after, standing).text == standing + "- c\n"


def test_what_met_is_told_with_both_texts() -> None:
    merged = merge_body(BODY, REWORDED, changed(("- two[", "- two of mine[")))
    (meeting,) = merged.meetings
    assert meeting.heading == "Details"
    assert meeting.stands == "- two of mine[^o-0000000001]"
    assert meeting.added.startswith("- two again[^o-0000000002]")


def test_what_met_nothing_is_not_told() -> None:
    assert merge_body(BODY, REWORDED, changed(("Words of old.", "Words of mine."))).meetings == ()


def test_to_a_persons_page_the_commit_only_adds() -> None:
    merged = merge_body(BODY, REWORDED, BODY, additive=True)
    assert "- two[^o-0000000001]\n" in merged.text
    assert "- two again[^o-0000000002]\n" in merged.text


def said(body: str) -> set[str]:
    return {plain(one.bare) for one in read_blocks(NEWLINE.sub("\n", body)).statements}


def texts(body: str) -> set[str]:
    return {one.text for one in read_blocks(body.replace("\r\n", "\n")).statements}


@settings(max_examples=150, deadline=None)
@given(versions())
def test_nothing_is_lost_and_nothing_comes_back(pages: tuple[Model, Model, Model]) -> None:
    before, after, standing = (model.body() for model in pages)
    merged = merge_body(before, after, standing)
    assert merged.lost == ()
    were, came, stood, result = said(before), said(after), said(standing), said(merged.text)
    assert came - were <= result, "what the commit added is there"
    assert result.isdisjoint(were - stood), "what a person took out stays out"
    assert result <= came | stood, "nothing is made up"
    touched = texts(before) - texts(after)
    assert texts(standing) - touched <= texts(merged.text), "what the commit did not touch stands byte for byte"
    kept = [block.text for block in keep_blocks(standing)]
    assert [block.text for block in keep_blocks(merged.text)] == kept


@settings(max_examples=150, deadline=None)
@given(versions())
def test_footnotes_stay_sound(pages: tuple[Model, Model, Model]) -> None:
    blocks = read_blocks(merge_body(*(model.body() for model in pages)).text)
    defined = [entry.label for entry in blocks.definitions]
    assert len(defined) == len(set(defined))
    assert {mark.label for mark in blocks.marks} == set(defined)


@settings(max_examples=150, deadline=None)
@given(versions())
def test_twice_is_once(pages: tuple[Model, Model, Model]) -> None:
    for model in pages:
        headings = [part.heading for part in model.parts]
        assume(len(headings) == len(set(headings)))
    before, after, standing = (model.body() for model in pages)
    once = merge_body(before, after, standing).text
    assert merge_body(before, after, once).text == once


@st.composite
def apart(draw: st.DrawFn) -> tuple[str, str, str]:
    """Give a page, and two changes of it in sections that do not touch."""
    maker = Maker(draw)
    parts = [maker.part("Was", name, 2 if number else 1) for number, name in enumerate(["T", "A", "B", "C", "D"])]
    first = maker.edited(Model(parts[1:3]), "Commit", draw(st.integers(1, 3)))
    assume(len(first.parts) == 2)
    second = maker.edited(Model(parts[3:]), "Commit", draw(st.integers(1, 3)))
    assume(len(second.parts) == 2)
    headings = [part.heading for part in (*first.parts, *second.parts)]
    assume(len(headings) == len(set(headings)))
    one = Model([parts[0], *first.parts, *parts[3:]])
    other = Model([*parts[:3], *second.parts])
    return Model(parts).body(), one.body(), other.body()


@settings(max_examples=100, deadline=None)
@given(apart())
def test_changes_that_do_not_meet_come_to_the_same_in_either_order(pages: tuple[str, str, str]) -> None:
    before, one, other = pages
    first, second = merge_body(before, one, other), merge_body(before, other, one)
    notes = first.text.index("[^o-") if "[^o-" in first.text else len(first.text)
    assert sorted(first.text.splitlines()) == sorted(second.text.splitlines())
    assert first.text[:notes] == second.text[:notes]
    assert first.meetings == second.meetings == ()


@settings(max_examples=100, deadline=None)
@given(*[st.text(alphabet="#-*`<>!|[^o]:1. \n\r\tab<!-- keep -->", max_size=60)] * 3)
def test_any_text_is_borne(before: str, after: str, standing: str) -> None:
    merged = merge_body(before, after, standing)
    assert merged.lost or said(after) - said(before) <= said(merged.text)


def test_a_large_page_takes_work_in_proportion() -> None:
    def page(count: int, word: str, every: int) -> str:
        items = (
            f"- The value of part {one} is {one * 7} {word if one % every == 0 else 'here'}.\n" for one in range(count)
        )
        return "# T\n\n" + "".join(f"## Part {n}\n\n{item}\n" if n % 9 == 0 else item for n, item in enumerate(items))

    def work(count: int) -> int:
        standing, base, mine = page(count, "here", 1), page(count, "now", 3), page(count, "mine", 2)
        return lines_run(lambda: merge_body(standing, base, mine))

    assert work(600) < 4 * work(150) * 1.25
    assert merge_body(page(150, "here", 1), page(150, "now", 3), page(150, "mine", 2)).lost == ()
