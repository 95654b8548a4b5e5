"""Every footnote names something that was shown, and every claim has one or says so."""

from __future__ import annotations

import pytest

from pipeline.context import Context, ShownPage
from pipeline.gates.citations import check
from tests.gates.drafts import batch_of, body_of, window_of

WINDOW = window_of("We use cookies.", "Then it failed.")
PAGE = ShownPage(
    "acme/decisions/cookies.md",
    "---\ntype: Decision\nsources:\n- id: o-3f2a9c1e55\n---\n\n# Cookies\n\nOld words by a person.\n",
)
CONTEXT = Context(pages=(PAGE,))

TABLE = {
    "cited": ("We use cookies.[^o1]\n", "We use cookies.[^o1]\n", []),
    "cites what stands on a page": ("Old.[^o-3f2a9c1e55]\n", "Old.[^o-3f2a9c1e55]\n", []),
    "cites what was not shown": (
        "- a[^o9]\n- b[^o1][^o-aaaaaaaaaa]\n",
        "- a (unsourced)\n- b[^o1]\n",
        ["citation-unknown", "citation-unknown", "claim-unsourced"],
    ),
    "cites nothing": (
        "Lead[^o1].\n\n## Why\n\nBecause.\n\n1. step\n",
        "Lead[^o1].\n\n## Why\n\nBecause. (unsourced)\n\n1. step (unsourced)\n",
        ["claim-unsourced", "claim-unsourced"],
    ),
    "no claims": (
        "The steps:\n\n- run[^o1]\n\n**Steps**\n\n- [Page](x.md)\n\nSee also [A](a.md), [B](b.md).\n\n---\n",
        "The steps:\n\n- run[^o1]\n\n**Steps**\n\n- [Page](x.md)\n\nSee also [A](a.md), [B](b.md).\n\n---\n",
        [],
    ),
    "the note of the offline model": (
        "_Collected without a language model._\n\n> Collected without a language model: each line is a quotation.\n",
        "_Collected without a language model._\n\n> Collected without a language model: each line is a quotation.\n",
        [],
    ),
    "what stands already needs no new source": ("Old words by a person.\n", "Old words by a person.\n", []),
    "marked already": ("It works. (unsourced)\n", "It works. (unsourced)\n", []),
    "code is no claim": ("Run it[^o1]:\n\n```\nmake [^o9]\n```\n", "Run it[^o1]:\n\n```\nmake [^o9]\n```\n", []),
    "a row of a table": (
        "| a | b |\n|---|---|\n| c | d |\n| e | f[^o2] |\n",
        "| a | b |\n|---|---|\n| c | d (unsourced) |\n| e | f[^o2] |\n",
        ["claim-unsourced"],
    ),
    "answers that there is nothing": (
        "Lead[^o1].\n\n## Open\n\nNothing.\n\n## Why\n\nNo reason was given.\n\n## Questions\n\n- None so far.\n",
        (
            "Lead[^o1].\n\n## Open\n\nNothing.\n\n## Why\n\nNo reason was given. (unsourced)\n\n"
            "## Questions\n\n- None so far.\n"
        ),
        ["claim-unsourced"],
    ),
    "labels of a nested list": ("1. Net\n   - TLS.[^o1]\n2. Other\n   - none\n", None, []),
    "a label whose source was not shown": (
        "1. Net[^o9]\n   - TLS.[^o1]\n",
        "1. Net\n   - TLS.[^o1]\n",
        ["citation-unknown"],
    ),
    "one sentence around a block of code": (
        "The migration stops with\n\n```\nError\n```\n\nas soon as one more is opened.[^o2]\n",
        None,
        [],
    ),
    "its source was not shown": (
        "It stops with\n\n```\nError\n```\n\nas soon as it starts.[^o9]\n",
        "It stops with (unsourced)\n\n```\nError\n```\n\nas soon as it starts. (unsourced)\n",
        ["citation-unknown", "claim-unsourced", "claim-unsourced"],
    ),
    "other footnotes are no citations": ("Text.[^1]\n", "Text.[^1] (unsourced)\n", ["claim-unsourced"]),
}


@pytest.mark.parametrize("case", TABLE)
def test_footnotes_are_held_to_what_was_shown(case: str) -> None:
    before, after, rules = TABLE[case]
    gated = check(batch_of(before, path=PAGE.path), WINDOW, CONTEXT)
    assert body_of(gated) == (before if after is None else after)
    assert sorted(found.rule for found in gated.findings) == rules


@pytest.mark.parametrize("case", TABLE)
def test_a_second_pass_changes_nothing(case: str) -> None:
    once = check(batch_of(TABLE[case][0], path=PAGE.path), WINDOW, CONTEXT)
    assert check(once.batch, WINDOW, CONTEXT).batch == once.batch


def test_a_finding_names_the_page_and_quotes_the_claim() -> None:
    (found,) = check(batch_of("It *never*\nfails.\n"), WINDOW, CONTEXT).findings
    assert found.where == "decisions/Cookies"
    assert "“It never fails.”" in found.message
