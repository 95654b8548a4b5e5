"""What a section cited and stated is still there when a draft has replaced it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.context import Context, ShownPage
from pipeline.draft import ConsolidatedBatch
from pipeline.gates import retention
from pipeline.gates.contradiction.sentences import read_all
from pipeline.gates.retention.kept import citations
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.drafting import below_title
from pipeline.wiki.sections.sections import upsert
from tests.gates.drafts import batch_of, body_of, update_of, window_of
from tests.gates.labelled_pairs import CITED, PATH, page_of

A = f"[^{CITED}]"
WINDOW = window_of("New things happen.", "It moved.")
STANDING = f"""## Setup

- The server listens on port 8080.{A}
- Logs are kept for `14` days.{A}
  They are written to `/var/log/app`.

## Data

The database is PostgreSQL.{A} It runs on two nodes.{A}

| what | port |
|---|---|
| api | 80{A} |
| admin | 90{A} |

> Nobody restarts it by hand.{A}

## Notes

A person wrote that the lamp is green.

1. Keys rotate every `90` days.{A}
"""

TABLE = {
    "an item goes": (
        "## Setup\n\n* New things happen.[^o1]\n",
        (
            f"## Setup\n\n* New things happen.[^o1]\n* The server listens on port 8080.{A}\n"
            f"* Logs are kept for `14` days.{A}\n  They are written to `/var/log/app`.\n"
        ),
        2 + 1,
    ),
    "a sentence of a paragraph goes": (
        (
            "## Data\n\nPostgreSQL is the database.[^o-aaaaaaaaaa]\n\n> Nobody restarts it by hand.[^o-aaaaaaaaaa]\n\n"
            "| what | port |\n|---|---|\n| api | 80[^o-aaaaaaaaaa] |\n"
        ),
        (
            f"## Data\n\nPostgreSQL is the database.{A}\n\n> Nobody restarts it by hand.{A}\n\n"
            f"| what | port |\n|---|---|\n| api | 80{A} |\n| admin | 90{A} |\n\nIt runs on two nodes.{A}\n"
        ),
        2,
    ),
    "a table and a quotation go": (
        (
            f"## Data\n\nThe database is PostgreSQL.{A} It runs on two nodes.{A}\n\n## Setup\n\n"
            f"- The server listens on port 8080.{A}\n- Logs: `14` days, in `/var/log/app`.{A}\n"
        ),
        (
            f"## Data\n\nThe database is PostgreSQL.{A} It runs on two nodes.{A}\n\n"
            f"| what | port |\n|---|---|\n| api | 80{A} |\n| admin | 90{A} |\n\n> "
            f"Nobody restarts it by hand.{A}\n\n## Setup\n\n"
            f"- The server listens on port 8080.{A}\n- Logs: `14` days, in `/var/log/app`.{A}\n"
        ),
        3,
    ),
    "what a person wrote goes": (
        f"## Notes\n\n1. Keys rotate every `90` days.{A}\n",
        f"## Notes\n\n1. Keys rotate every `90` days.{A}\n\nA person wrote that the lamp is green.\n",
        1,
    ),
    "a step goes": (
        "## Notes\n\nThe lamp is green, as a person wrote.\n",
        f"## Notes\n\nThe lamp is green, as a person wrote.\n\n1. Keys rotate every `90` days.{A}\n",
        1,
    ),
    "moved to another section": (
        f"## Notes\n\nA person wrote that the lamp is green.\n\n## Keys\n\n- Keys rotate every `90` days.{A}\n",
        None,
        0,
    ),
    "named as superseded": (
        "## Notes\n\nA person wrote that the lamp is green.\n\nKeys no longer rotate every `90` days.[^o2]\n",
        None,
        0,
    ),
    "quoted as history": (
        (
            "## Notes\n\nA person wrote that the lamp is green.\n\nKeys rotate every `30` days.[^o2]\n\n"
            f"**Changed on 2026-11-29:** before, “Keys rotate every `90` days.”{A}[^o2]\n"
        ),
        None,
        0,
    ),
    "a new section": ("## Else\n\nNew things happen.[^o1]\n", None, 0),
}


def context(standing: str = STANDING, **more: str) -> Context:
    return Context(pages=(page_of(standing, **more),))


@pytest.mark.parametrize("case", TABLE)
def test_what_a_draft_leaves_out_comes_back(case: str) -> None:
    draft, after, lost = TABLE[case]
    batch = batch_of(draft, path=PATH, title="Page")
    gated = retention.check(batch, WINDOW, context())
    assert body_of(gated) == (draft if after is None else after)
    assert [found.rule for found in gated.findings] == ["statement-lost"] * lost
    assert (gated.batch is batch) == (after is None)


@pytest.mark.parametrize("case", TABLE)
def test_a_second_run_finds_nothing(case: str) -> None:
    once = retention.check(batch_of(TABLE[case][0], path=PATH, title="Page"), WINDOW, context())
    again = retention.check(once.batch, WINDOW, context())
    assert again.batch is once.batch
    assert again.findings == ()


def test_a_finding_quotes_the_statement_with_its_source() -> None:
    draft = "## Notes\n\nA person wrote that the lamp is green.\n"
    (found,) = retention.check(batch_of(draft, path=PATH), WINDOW, context()).findings
    assert (found.where, found.severity) == (f"{PATH}#Notes", "warning")
    assert found.message == f"the draft leaves out “Keys rotate every `90` days.”{A}; it was kept."


def test_a_forgotten_source_is_put_back() -> None:
    draft = "## Notes\n\nA person wrote that the lamp is green.\n\n1. Keys rotate every `90` days.\n"
    gated = retention.check(batch_of(draft, path=PATH), WINDOW, context())
    assert body_of(gated) == draft.replace("days.\n", f"days.{A}\n")
    assert [found.rule for found in gated.findings] == ["citation-restored"]


def test_a_section_that_holds_statements_is_not_removed() -> None:
    update = update_of("## Setup\n\nNew[^o1].\n", path=PATH, removed_sections=["Notes", "Data", "Else"])
    page = page_of(f"{STANDING}\n## Else\n\nOld and unsourced. (unsourced)\n")
    gated = retention.check(ConsolidatedBatch(updates=(update,)), WINDOW, Context(pages=(page,)))
    assert gated.batch.updates[0].removed_sections == ("Else",)
    assert {found.where for found in gated.findings} == {f"{PATH}#{name}" for name in ("Setup", "Data", "Notes")}


def test_a_section_may_go_when_another_page_takes_its_statements() -> None:
    update = update_of("## Setup\n\nNew[^o1].\n", path=PATH, removed_sections=["Notes"])
    other = update_of(f"The lamp is green, as a person wrote.\n\nKeys rotate every `90` days.{A}\n", title="Keys")
    page = page_of(STANDING[STANDING.index("## Notes") :])
    batch = ConsolidatedBatch(updates=(update, other))
    assert retention.check(batch, WINDOW, Context(pages=(page,))).batch is batch


@pytest.mark.parametrize(
    "shown",
    [
        context(more="slot: state\n"),
        context(more="locked: true\n"),
        Context(pages=(ShownPage(PATH, page_of(STANDING).text.replace("by: wikimill/x", "by: human:dana")),)),
        Context(),
    ],
)
def test_what_is_rewritten_freely_or_only_added_to_is_left_alone(shown: Context) -> None:
    batch = batch_of("## Setup\n\nNew[^o1].\n", path=PATH)
    assert retention.check(batch, WINDOW, shown).batch is batch


NESTED = f"Lead.{A}\n\n## Top\n\nX is so.{A}\n\n### Sub\n\nX is so.{A}\n\n### Other\n\nY is so.{A}\n"


def test_subsections_of_a_section_that_stays_come_back_once() -> None:
    update = update_of("## Mail\n\nNew[^o1].\n", path=PATH, removed_sections=["Top"])
    shown = page_of(NESTED)
    gated = retention.check(ConsolidatedBatch(updates=(update,)), WINDOW, Context(pages=(shown,)))
    (left,) = gated.batch.updates
    assert (left.removed_sections, left.body) == ((), update.body)
    assert [found.rule for found in gated.findings] == ["statement-lost"] * 3
    page = parse_page(shown.path, shown.text.encode())
    assert upsert(page.body, left.body, left.removed_sections).body == f"{page.body}\n## Mail\n\nNew[^o1].\n"


def test_a_subsection_comes_back_below_the_section_that_the_draft_makes_anew() -> None:
    update = update_of(
        f"## Top\n\nX is so.{A}\n\n### New\n\nNew.[^o1]\n\n## Mail\n\nNew.[^o1]\n",
        path=PATH,
        removed_sections=["Other"],
    )
    body = NESTED.replace("### Other", "#### Other")
    gated = retention.check(ConsolidatedBatch(updates=(update,)), WINDOW, Context(pages=(page_of(body),)))
    assert gated.batch.updates[0].removed_sections == ()
    assert gated.batch.updates[0].body == update.body


def test_a_superseded_page_keeps_its_own_words() -> None:
    update = update_of("## Setup\n\nNew[^o1].\n", path=PATH)
    other = update_of("Else.[^o1]\n", title="Else", supersedes=[PATH])
    batch = ConsolidatedBatch(updates=(update, other))
    assert retention.check(batch, WINDOW, context()).batch is batch


def test_text_above_the_first_heading_comes_back_there() -> None:
    gated = retention.check(
        batch_of("New.[^o1]\n\n## Else\n\nMore.[^o1]\n", path=PATH),
        WINDOW,
        context(f"Keys rotate.{A}\n\n## Else\n\nx\n"),
    )
    assert body_of(gated) == f"New.[^o1]\n\nKeys rotate.{A}\n\n## Else\n\nMore.[^o1]\n\nx\n"


@pytest.mark.parametrize(
    ("standing", "draft"),
    [
        (
            "Never deploy on Fridays, because nobody is there on Saturday to roll back.",
            "No deployments on Fridays or before holidays: on the day after, nobody could roll them back.",
        ),
        ("The scripts validate every upload.", "Validation of each upload is done by scripts."),
        ("Die Skripte prüfen jede Sicherung.", "Die Prüfung jeder Sicherung erledigen Skripte."),
    ],
)
def test_words_made_of_one_another_say_the_same(standing: str, draft: str) -> None:
    batch = batch_of(f"## Facts\n\n- {draft}{A}[^o1]\n", path=PATH, title="Page")
    assert retention.check(batch, WINDOW, context(f"## Facts\n\n- {standing}{A}\n")).batch is batch


@pytest.mark.parametrize(
    ("standing", "draft"),
    [
        ("Never deploy on Fridays.", "Deployments on Fridays are fine."),
        ("The scripts validate every upload.", "The validators are old."),
    ],
)
def test_words_made_of_one_another_do_not_hide_a_loss(standing: str, draft: str) -> None:
    batch = batch_of(f"## Facts\n\n- {draft}{A}[^o1]\n", path=PATH, title="Page")
    gated = retention.check(batch, WINDOW, context(f"## Facts\n\n- {standing}{A}\n"))
    assert [found.rule for found in gated.findings] == ["statement-lost"]


def test_a_label_and_an_answer_that_there_is_nothing_may_go() -> None:
    around = f"It stops with\n\n```\nx\n```\n\nas soon as it starts.{A}\n"
    page = page_of(f"Lead.{A}\n\n## Facts\n\n1. Other\n   - none\n\nNothing so far.\n\n{around}")
    batch = batch_of(f"## Facts\n\nIt stops as soon as it starts.{A}\n", path=PATH, title="Page")
    assert retention.check(batch, WINDOW, Context(pages=(page,))).batch is batch


def test_a_source_is_not_put_into_code() -> None:
    batch = batch_of("`1. x` works\n", path=PATH, title="Page")
    gated = retention.check(batch, WINDOW, context(f"`1. x` works{A}\n"))
    assert body_of(gated) == f"`1. x` works{A}\n"


BITS = (
    *(
        "- ",
        "1. ",
        "> ",
        "## Setup\n\n",
        "## Data\n\n",
        "### B\n\n",
        "port 8080",
        "The limit is 5 s. ",
        "\n",
        "\n\n",
        "    ",
    ),
    *(
        A,
        "[^o1]",
        "[^o-bbbbbbbbbb]",
        "```\n",
        "<!-- keep -->",
        "| what | port |\n|---|---|\n| c | 7 |\n",
        "*",
        "`",
        "“q”",
    ),
    *(
        "Dana writes.",
        " (unsourced)",
        "。",
        "不",
        "[x](y.md)",
        "\\",
        "&lt;",
        "; ",
        "\r\n",
        "not ",
        "Redis",
        "[^o1]: x\n",
    ),
)
MARKDOWN = st.lists(st.sampled_from(BITS) | st.text(max_size=6), max_size=25).map("".join)


@given(standing=MARKDOWN, draft=MARKDOWN.filter(str.strip), removed=st.sampled_from([[], ["Setup"]]))
@settings(max_examples=80, deadline=None)
def test_nothing_that_is_cited_goes_unnoticed(standing: str, draft: str, removed: list[str]) -> None:
    shown = page_of(standing)
    page = parse_page(shown.path, shown.text.encode())
    batch = ConsolidatedBatch(updates=(update_of(draft, path=PATH, removed_sections=removed),))
    gated = retention.check(batch, WINDOW, Context(pages=(shown,)))
    (update,) = gated.batch.updates
    after = upsert(page.body, below_title(update.body), update.removed_sections).body
    left = read_all(after)
    cited = frozenset(label for one in left for label in citations(one))
    for one in read_all(page.body):
        known = any(other.words == one.words for other in left)
        told = any(found.rule == "statement-lost" for found in gated.findings)
        assert known or told or citations(one) & cited or not citations(one)
    again = retention.check(gated.batch, WINDOW, Context(pages=(shown,)))
    assert again.batch == gated.batch


@given(standing=MARKDOWN.filter(str.strip))
@settings(max_examples=60, deadline=None)
def test_what_is_repeated_passes_as_it_is(standing: str) -> None:
    shown = page_of(standing)
    body = parse_page(shown.path, shown.text.encode()).body
    batch = batch_of(body, path=PATH)
    gated = retention.check(batch, WINDOW, Context(pages=(shown,)))
    assert gated.findings == ()
    assert gated.batch is batch
