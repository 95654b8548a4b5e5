from __future__ import annotations

import pytest

from pipeline.site.hubs.printing import LARGEST
from pipeline.wiki.format.page import Page
from tests.site.hubs.making import html, made
from tests.site.making import facts


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
    [
        ("# One\n\n## Deep\n", "## One\n\n### Deep"),
        ("No heading.", "## Rule 1\n\nNo heading."),
        ("###### Six", "## Rule 1\n\n###### Six"),
        ("One\n===\n\nTwo\n---\n", "## One\n\n### Two"),
        ("# A\n\n```\n# no heading\n[a](b.md)\n```\n", "## A\n\n```\n# no heading\n[a](b.md)\n```"),
        ("# A\n\n    # code\n", "## A\n\n    # code"),
        ("# A\n\nSee [b](../b.md#x) and `[c](c.md)`.", "## A\n\nSee [b](../a/b.md#x) and `[c](c.md)`."),
        ("# A\n\nSee [b](<b c.md>).", "## A\n\nSee [b](../a/rules/b%20c.md)."),
        ("# A\n\n[w](https://x.org/a) [o](../../../out.md)", "## A\n\n[w](https://x.org/a) [o](../../../out.md)"),
        ("# A\n\n```\nopen", "## A\n\n```\nopen\n```"),
        ("# A\n\n<!-- open", "## A\n\n<!-- open\n-->"),
        ("# A\n\nx[^1] `[^1]`\n\n[^1]: Note", "## A\n\nx[^1-1] `[^1]`\n\n[^1-1]: Note"),
        ("# A\n\nx[^o-3f2a9c1e55]\n\n[^o-3f2a9c1e55]: Note", "## A\n\nx[^o-3f2a9c1e55]\n\n[^o-3f2a9c1e55]: Note"),
    ],
)
def test_a_text_may_stand_behind_others(body: str, moved: str) -> None:
    assert printed(body) == moved


def test_texts_stand_in_the_order_of_their_titles() -> None:
    assert printed("# One\n\na[^1]\n\n[^1]: x", "# Two\n\nb[^1]\n\n[^1]: y") == (
        "## One\n\na[^1-1]\n\n[^1-1]: x\n\n## Two\n\nb[^2-1]\n\n[^2-1]: y"
    )


def test_what_was_superseded_is_not_printed() -> None:
    gone = facts("a/rules/x.md", title="Gone", type="Rule", status="deprecated")
    kept = facts("a/rules/y.md", title="Kept", type="Rule")
    documents = made(gone, kept)
    assert documents["print/rule.md"].body == "## Kept\n\nIts text."
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
