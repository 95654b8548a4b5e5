from __future__ import annotations

import pytest

from pipeline.site.hubs.printing import LARGEST
from pipeline.wiki.format.page import Page
from tests.site.hubs.making import html, made
from tests.site.making import facts, source

TOLD = "*Unverified, changed 2026-11-29*"


def printed(*bodies: str) -> str:
    pages = [
        facts(f"a/rules/{number}.md", title=f"Rule {number}", type="Rule", page=Page({}, body))
        for number, body in enumerate(bodies, start=1)
    ]
    document = made(*pages)["print/rule.md"]
    assert document.frame.title == "Rules, for printing"
    return document.body


@pytest.mark.parametrize(
    ("body", "moved"),
    [  # `@` stands for what is told of each page
        ("# One\n\n## Deep\n", "## One\n\n@\n\n### Deep"),
        ("No heading.", "## Rule 1\n\n@\n\nNo heading."),
        ("###### Six", "## Rule 1\n\n@\n\n###### Six"),
        ("One\n===\n\nTwo\n---\n", "## One\n\n@\n\n### Two"),
        ("# A\n\n```\n# no heading\n[a](b.md)\n```\n", "## A\n\n@\n\n```\n# no heading\n[a](b.md)\n```"),
        ("# A\n\n    # code\n", "## A\n\n@\n\n    # code"),
        ("# A\n\nSee [b](../b.md#x) and `[c](c.md)`.", "## A\n\n@\n\nSee [b](../a/b.md#x) and `[c](c.md)`."),
        ("# A\n\nSee [b](<b c.md>).", "## A\n\n@\n\nSee [b](../a/rules/b%20c.md)."),
        ("# A\n\n[w](https://x.org/a) [o](../../../out.md)", "## A\n\n@\n\n[w](https://x.org/a) [o](../../../out.md)"),
        ("# A\n\n```\nopen", "## A\n\n@\n\n```\nopen\n```"),
        ("# A\nright below", "## A\n\n@\n\nright below"),
        ("# A", "## A\n\n@"),
        ("> # Quoted\n\nText.", "## Rule 1\n\n@\n\n> # Quoted\n\nText."),
        ("# A\n\n# B\n\n```\n```", "## A\n\n@\n\n## B\n\n```\n```"),
        ("# A\n\n<!-- open", "## A\n\n@\n\n<!-- open\n-->"),
        ("# A\n\nx[^1] `[^1]`\n\n[^1]: Note", "## A\n\n@\n\nx[^1-1] `[^1]`\n\n[^1-1]: Note"),
        ("# A\n\nx[^o-3f2a9c1e55]\n\n[^o-3f2a9c1e55]: Note", "## A\n\n@\n\nx[^o-3f2a9c1e55]\n\n[^o-3f2a9c1e55]: Note"),
    ],
)
def test_a_text_may_stand_behind_others(body: str, moved: str) -> None:
    assert printed(body) == moved.replace("@", TOLD)


def test_texts_stand_in_the_order_of_their_titles() -> None:
    assert printed("# One\n\na[^1]\n\n[^1]: x", "# Two\n\nb[^1]\n\n[^1]: y") == (
        f"## One\n\n{TOLD}\n\na[^1-1]\n\n[^1-1]: x\n\n## Two\n\n{TOLD}\n\nb[^2-1]\n\n[^2-1]: y"
    )


def test_what_was_superseded_is_not_printed() -> None:
    gone = facts("a/rules/x.md", title="Gone", type="Rule", status="deprecated")
    kept = facts("a/rules/y.md", title="Kept", type="Rule")
    documents = made(gone, kept)
    assert documents["print/rule.md"].body == f"## Kept\n\n{TOLD}\n\nIts text."
    assert '<a href="../../print/rule/">' in html(documents["types/rule.md"])


@pytest.mark.parametrize(("second", "fits"), [(LARGEST // 2, True), (LARGEST // 2 + 1, False)])
def test_too_many_pages_of_a_type_are_not_put_on_one(second: int, *, fits: bool) -> None:
    bodies = ("x" * (LARGEST // 2), "y" * second)
    pages = [
        facts(f"a/rules/{number}.md", title=f"{number}", type="Rule", page=Page({}, body))
        for number, body in enumerate(bodies)
    ]
    documents = made(*pages, facts("a/rules/old.md", type="Rule", status="deprecated", page=Page({}, "z" * LARGEST)))
    assert LARGEST == 100_000
    assert ("print/rule.md" in documents) is fits
    assert ("print/rule/" in html(documents["types/rule.md"])) is fits


def test_a_type_that_is_not_printed_says_why() -> None:
    page = facts("a/rules/x.md", type="Rule", page=Page({}, "x" * (LARGEST + 1)))
    told = html(made(page)["types/rule.md"])
    assert "There is no page of all for printing: it would hold 101 KB, more than 100 KB." in told
    assert "print/" not in told
    kept = html(made(facts("a/rules/x.md", type="Rule"))["types/rule.md"])
    assert "There is no page of all" not in kept


def test_the_head_tells_how_the_pages_were_made_and_each_page_does_not() -> None:
    note = "# A\n\n> Collected without a language model: every statement is a quotation.\n\n- x\n"
    pages = [
        facts("a/rules/x.md", title="A", type="Rule", origin="extractive", page=Page({}, note)),
        facts("a/rules/y.md", title="B", type="Rule", origin="extractive"),
        facts("a/rules/z.md", title="C", type="Rule", origin="hand"),
    ]
    document = made(*pages)["print/rule.md"]
    assert (
        "3 rules on one page, for printing. 2 collected without a language model, in the observations&#x27; own "
        "words, 1 written by hand."
    ) in html(document)
    assert "every statement is a quotation" not in document.body
    assert "1 rule on one page, for printing. Written by hand." in html(made(pages[2])["print/rule.md"])


def test_footnotes_quote_how_their_source_begins_and_name_who_and_when() -> None:
    label = "o-3f2a9c1e55"
    one = source(label, title=f"2026-11-12 09:14 dana: we <decided> {'on it ' * 40}")
    page = facts("a/rules/x.md", type="Rule", sources=(one, source("o-0000000001")), cited=(label, "mine"))
    document = made(page)["print/rule.md"]
    assert set(document.frame.notes) == {label}
    note = document.frame.notes[label]
    assert note.startswith('<p class="wm-source"><q>we &lt;decided&gt; on it')
    assert note.endswith('…</q> <span class="wm-fact">dana</span> <span class="wm-fact">2026-11-12 09:14</span></p>')
    assert len(note) < 240
    assert "*Unverified, seen 2026-11-12*" in document.body
