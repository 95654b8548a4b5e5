"""What a draft says otherwise than what stands is marked: as a change with its history, or as a contradiction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.context import Context, ShownPage
from pipeline.draft import ConsolidatedBatch
from pipeline.gates import contradiction
from pipeline.gates.citations import check as check_citations
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import is_claim
from tests.gates.drafts import batch_of, body_of, update_of, window_of
from tests.gates.labelled_pairs import CITED, PATH, page_of, window_at

if TYPE_CHECKING:
    from pipeline.projection import Projection

MOVED = window_of("We moved the server from port 8080 to 9090.", "The server listens on port 9090.")
OLD = f"The server listens on port 8080.[^{CITED}]"
CHANGED = f"**Changed on 2026-11-29:** before, “The server listens on port 8080.”[^{CITED}][^o1]"
AGAINST = (
    f"**Contradiction:** “The server listens on port 8080.”[^{CITED}] stands against "
    "“The server listens on port 9090.”[^o2]; nothing says which one holds."
)

# What stands, what the draft says, and what comes out of it.
TABLE = {
    "a change in a paragraph": (
        f"## Setup\n\n{OLD}\n",
        "## Setup\n\nThe server listens on port 9090.[^o1]\n",
        f"## Setup\n\nThe server listens on port 9090.[^o1]\n\n{CHANGED}\n",
    ),
    "a change in a list": (
        f"## Setup\n\n- {OLD}\n",
        "## Setup\n\n- The server listens on port 9090.[^o1]\n- It is big.[^o1]\n",
        f"## Setup\n\n- The server listens on port 9090.[^o1]\n  - {CHANGED}\n- It is big.[^o1]\n",
    ),
    "a change in a numbered list": (
        f"## Setup\n\n1. {OLD}\n",
        "## Setup\n\n1. The server listens on port 9090.[^o1]\n   and more.\n",
        f"## Setup\n\n1. The server listens on port 9090.[^o1]\n   and more.\n   - {CHANGED}\n",
    ),
    "a contradiction in a paragraph": (
        f"## Setup\n\n{OLD}\n",
        "## Setup\n\nThe server listens on port 9090.[^o2]\n\nMore.[^o2]\n",
        f"## Setup\n\nThe server listens on port 9090.[^o2]\n\n{OLD}\n\n{AGAINST}\n\nMore.[^o2]\n",
    ),
    "a contradiction in a list": (
        f"## Setup\n\n- {OLD}\n",
        "## Setup\n\n- The server listens on port 9090.[^o2]\n  - as always[^o2]\n",
        f"## Setup\n\n- The server listens on port 9090.[^o2]\n  - {AGAINST}\n  - as always[^o2]\n- {OLD}\n",
    ),
    "both stand in the draft": (
        f"## Setup\n\n- {OLD}\n",
        f"## Setup\n\n- {OLD}\n- The server listens on port 9090.[^o2]\n",
        f"## Setup\n\n- {OLD}\n- The server listens on port 9090.[^o2]\n  - {AGAINST}\n",
    ),
    "another section of the page": (
        f"## Setup\n\n{OLD}\n",
        "## Ports\n\nThe server listens on port 9090.[^o2]\n",
        "## Ports\n\nThe server listens on port 9090.[^o2]\n",  # a server and a port say too little of what is meant
    ),
    "staging and production": (
        f"## Staging\n\nThe billing API listens on port 8080.[^{CITED}]\n",
        "## Production\n\nThe billing API listens on port 9090.[^o2]\n",
        "## Production\n\nThe billing API listens on port 9090.[^o2]\n",
    ),
    "items below different items": (
        f"## Setup\n\n- api\n  - port 8080[^{CITED}]\n- admin\n  - port 9090[^{CITED}]\n",
        f"## Setup\n\n- api\n  - port 8080[^{CITED}]\n- admin\n  - port 9091[^o2]\n",
        (
            f"## Setup\n\n- api\n  - port 8080[^{CITED}]\n- admin\n  - port 9091[^o2]\n"
            f"    - **Contradiction:** “port 9090”[^{CITED}] stands against “port "
            f"9091”[^o2]; nothing says which one holds.\n"
            f"  - port 9090[^{CITED}]\n"
        ),
    ),
    "a row of a table": (
        f"## Setup\n\n| what | port |\n|---|---|\n| server | 8080[^{CITED}] |\n",
        "## Setup\n\n| what | port |\n|---|---|\n| server | 9090[^o2] |\n",
        (
            f"## Setup\n\n| what | port |\n|---|---|\n| server | 9090[^o2] |\n| server | 8080[^{CITED}] |\n\n"
            f"**Contradiction:** “server: 8080”[^{CITED}] stands against “server: "
            f"9090”[^o2]; nothing says which one holds.\n"
        ),
    ),
    "history that a page tells already": (
        f"## Setup\n\nThe server listens on port 9090.[^{CITED}]\n\n{CHANGED.replace('[^o1]', '')}\n",
        f"## Setup\n\nThe server listens on port 9090.[^{CITED}]\n\n{CHANGED.replace('[^o1]', '')}\n",
        f"## Setup\n\nThe server listens on port 9090.[^{CITED}]\n\n{CHANGED.replace('[^o1]', '')}\n",
    ),
}


def run(standing: str, draft: str, window: Projection = MOVED) -> str:
    return body_of(contradiction.check(batch_of(draft, path=PATH, title="Page"), window, context(standing)))


def context(standing: str) -> Context:
    return Context(pages=(page_of(standing),))


@pytest.mark.parametrize("case", TABLE)
def test_what_a_draft_says_otherwise_is_marked(case: str) -> None:
    standing, draft, after = TABLE[case]
    assert run(standing, draft) == after


@pytest.mark.parametrize("case", TABLE)
def test_a_second_run_marks_nothing_twice(case: str) -> None:
    standing, _, after = TABLE[case]
    assert run(standing, after) == after


@pytest.mark.parametrize("case", TABLE)
def test_remarks_are_claims_with_a_source(case: str) -> None:
    standing, _, after = TABLE[case]
    batch = batch_of(after, path=PATH, title="Page")
    gated = check_citations(batch, MOVED, context(standing))
    assert gated.batch == batch
    bold = [one for one in read_blocks(after).statements if one.text.startswith("**C")]
    assert all(is_claim(one) and one.labels for one in bold)


def test_findings_name_the_section_and_both_texts() -> None:
    draft = "## Setup\n\nThe server listens on port 9090.[^o1]\n"
    (changed,) = contradiction.check(batch_of(draft, path=PATH), MOVED, context(f"## Setup\n\n{OLD}\n")).findings
    assert (changed.where, changed.rule, changed.severity) == (f"{PATH}#Setup", "value-changed", "note")
    draft = draft.replace("[^o1]", "[^o2]")
    (open_one,) = contradiction.check(batch_of(draft, path=PATH), MOVED, context(f"## Setup\n\n{OLD}\n")).findings
    assert (open_one.where, open_one.rule, open_one.severity) == (f"{PATH}#Setup", "value-contradicted", "warning")
    assert "“The server listens on port 9090.”" in open_one.message
    assert "“The server listens on port 8080.” of 2026-10-05" in open_one.message
    assert open_one.next_step == "Decide which one holds, and take the line out."


def test_older_evidence_contradicts() -> None:
    window = window_at("We moved the server from port 8080 to 9090.", "2026-10-04 10:00")
    assert "**Contradiction:**" in run(
        f"## Setup\n\n{OLD}\n", "## Setup\n\nThe server listens on port 9090.[^o1]\n", window
    )


OPS = page_of(
    f"## Setup\n\nThe billing server listens on port 8080.[^{CITED}]\n", path="acme/concepts/ops.md", title="Ops"
)


def test_another_page_is_linked() -> None:
    batch = batch_of("The billing server listens on port 9090.[^o2]\n", kind="session", title="Today")
    gated = contradiction.check(batch, MOVED, Context(pages=(OPS,)))
    assert (
        f"“The billing server listens on port 8080.” ([Ops](../concepts/ops.md))[^{CITED}] stands against"
        in body_of(gated)
    )
    assert "on acme/concepts/ops.md" in gated.findings[0].message


def test_a_pair_is_marked_once_and_on_its_own_page() -> None:
    session = update_of("The billing server listens on port 9090.[^o2]\n", kind="session", title="Today")
    page = update_of("## Setup\n\nThe billing server listens on port 9090.[^o2]\n", path=OPS.path, title="Ops")
    gated = contradiction.check(ConsolidatedBatch(updates=(session, page)), MOVED, Context(pages=(OPS,)))
    first, second = gated.batch.updates
    assert first == session
    assert "**Contradiction:**" in second.body
    assert len(gated.findings) == 1


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("acme/sessions/yesterday.md", ""),
        ("acme/concepts/page.md", "status: deprecated\n"),
        ("acme/slots/now.md", "slot: state\n"),
    ],
)
def test_what_is_only_a_record_contradicts_nothing(path: str, more: str) -> None:
    page = page_of(f"## Setup\n\n{OLD}\n", path=path, more=more)
    batch = batch_of("The server listens on port 9090.[^o2]\n", kind="session", title="Today")
    assert contradiction.check(batch, MOVED, Context(pages=(page,))).batch is batch


def test_a_locked_page_and_an_invariant_slot_still_stand_against_a_draft() -> None:
    text = page_of(
        f"The billing server listens on port 8080.[^{CITED}]\n", path="acme/slots/x.md", more="slot: invariant\n"
    )
    for shown in (Context(slots=(text,)), Context(pages=(ShownPage(text.path, text.text, locked=True),))):
        batch = batch_of("The billing server listens on port 9090.[^o2]\n", kind="concept", title="Else")
        assert [one.rule for one in contradiction.check(batch, MOVED, shown).findings] == ["value-contradicted"]


def test_a_statement_of_a_person_is_quoted_without_a_source() -> None:
    after = run("## Setup\n\nThe server listens on port 8080.\n", "## Setup\n\nThe server listens on port 9090.[^o1]\n")
    assert after.endswith("**Changed on 2026-11-29:** before, “The server listens on port 8080.”[^o1]\n")


BITS = (
    *(
        "- ",
        "1. ",
        "> ",
        "## A\n\n",
        "# T\n\n",
        "port 8080",
        "port 9090",
        "The limit is 5 s. ",
        "was 5 s, now 6 s",
        "\n",
    ),
    *(
        f"[^{CITED}]",
        "[^o1]",
        "[^o2]",
        "\n\n",
        "    ",
        "```\n",
        "<!-- keep -->",
        "| a | b |\n|---|---|\n| c | 7 |\n",
        "*",
        "`",
    ),
    *(
        "instead of ",
        "“q”",
        " (unsourced)",
        AGAINST,
        "。",
        "不",
        "[x](y.md)",
        "\\",
        "&lt;",
        "; ",
        "\r\n",
        "not ",
        "Redis",
        "MySQL",
    ),
)
MARKDOWN = st.lists(st.sampled_from(BITS) | st.text(max_size=6), max_size=25).map("".join)


@given(standing=MARKDOWN, draft=MARKDOWN.filter(str.strip))
@settings(max_examples=60, deadline=None)
def test_any_markdown_passes_and_a_second_run_changes_nothing(standing: str, draft: str) -> None:
    once = contradiction.check(batch_of(draft, path=PATH), MOVED, context(standing))
    assert contradiction.check(once.batch, MOVED, context(standing)).batch == once.batch


@given(standing=MARKDOWN.filter(str.strip))
@settings(max_examples=60, deadline=None)
def test_what_is_repeated_passes_as_it_is(standing: str) -> None:
    batch = batch_of(standing, path=PATH)
    gated = contradiction.check(batch, MOVED, context(standing))
    assert gated.batch is batch
    assert gated.findings == ()
