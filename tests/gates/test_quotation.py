"""A draft that only quotes says nothing that its sources do not hold."""

from __future__ import annotations

import pytest

from pipeline.context import Context, ShownPage
from pipeline.gates.quotation import check
from tests.gates.drafts import batch_of, body_of, window_of

TEXTS = (
    "We use *signed* cookies, see [the docs](https://example.org).\nIt was `O(n)` before.",
    "- run `make`\n- it fails with <b>42</b>\n\n```\nif a_b: x()\n```\nDone _now_. Then rest.",
    "a ` tick\n\n> It was said\n> by all\n\n1. see [the guide](x.md) ` now\nsee note [^1] there",
)
PAGE = ShownPage(
    "acme/decisions/old.md",
    "---\ntype: Decision\n---\n\n# Old\n\n- We use JWT.[^o-3f2a9c1e55]\n- A[^o-3f2a9c1e55] and B.\n",
)

TABLE = {
    "word by word": ("- We use signed cookies\n", None),
    "with its marks": ("- We use *signed* cookies[^o1]\n", None),
    "across a line break": ("- It was `O(n)` before.[^o1]\n", None),
    "HTML as text": ("- it fails with &lt;b&gt;42&lt;/b&gt;[^o2]\n", None),
    "a middle left out": ("- We use signed … the docs[^o1]\n", None),
    "cut at the end": ("- We use signed cook…[^o1]\n", None),
    "the wrong order": ("- the docs … We use signed[^o1]\n- run `make`[^o2]\n", "- run `make`[^o2]\n"),
    "another word": ("- We use JWT[^o1]\n- run `make`[^o2]\n", "- run `make`[^o2]\n"),
    "another observation": ("- run `make`[^o1]\n\n- run `make`[^o2]\n", "- run `make`[^o2]\n"),
    "either of two": ("- run `make`[^o1][^o2]\n", None),
    "what stands on a page": ("- We use JWT.[^o-3f2a9c1e55]\n", None),
    "what stands on a page with a mark within": ("- A[^o-3f2a9c1e55] and B.[^o-3f2a9c1e55]\n", None),
    "a footnote of the observation's own": ("- see note \\[^1\\] there[^o3]\n", None),
    "what stands on no page": (
        "- We use XML.[^o-3f2a9c1e55]\n\nRun it:\n\n- run `make`[^o2]\n",
        "Run it:\n\n- run `make`[^o2]\n",
    ),
    "a heading goes with its last statement": (
        "## One\n\n- never said[^o1]\n\n## Two\n\n- run `make`[^o2]\n",
        "## Two\n\n- run `make`[^o2]\n",
    ),
    "headings above headings": (
        "## One\n\n### Deep\n\n- never said[^o1]\n\n## Two\n\n- run `make`[^o2]\n\n### Three\n\nnever[^o1]\n",
        "## Two\n\n- run `make`[^o2]\n\n",
    ),
    "over the lines of a quotation": ("- It was said by all[^o3]\n", None),
    "next to marks that do not pair up": ("- see the guide[^o3]\n", None),
    "an item that holds a true one": (
        "- never said[^o1]\n  - run `make`[^o2]\n",
        "- \n  - run `make`[^o2]\n",
    ),
    "the note of the offline model": (
        "> Collected without a language model: 2 lines.[^o1]\n\n- run `make`[^o2]\n",
        None,
    ),
    "a claim without a source is another gate's": ("- never said (unsourced)\n- run `make`[^o2]\n", None),
}


@pytest.mark.parametrize("case", TABLE)
def test_statements_stand_in_what_they_cite(case: str) -> None:
    before, after = TABLE[case]
    gated = check(batch_of(before), window_of(*TEXTS), Context(pages=(PAGE,)))
    assert body_of(gated) == (before if after is None else after)
    assert bool(gated.findings) == (after is not None)
    assert {found.rule for found in gated.findings} <= {"quotation-missing"}


def test_an_update_without_a_true_statement_goes() -> None:
    gated = check(batch_of("_Collected without a language model._\n\n- no[^o1]\n"), window_of(*TEXTS), Context())
    assert gated.batch.updates == ()
    assert gated.batch.rationale == "why"
    assert [found.rule for found in gated.findings] == ["quotation-missing"]
