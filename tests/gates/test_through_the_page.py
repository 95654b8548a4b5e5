"""A draft that overwrites values, through both gates and onto the page, and the same again on the changed page."""

from __future__ import annotations

from datetime import UTC, datetime

from pipeline.config import LintSettings
from pipeline.context import Context, ShownPage
from pipeline.draft import ConsolidatedBatch
from pipeline.gates import contradiction, retention
from pipeline.gates.gated import Gated
from pipeline.wiki.linting.lint import lint
from pipeline.wiki.revision.revise import Stamp, revise
from pipeline.wiki.revision.sources import source_id
from tests.gates.drafts import update_of, window_of
from tests.gates.labelled_pairs import CITED, PATH, page_of

STAMP = Stamp("gpt-x", datetime(2026, 11, 30, 8, tzinfo=UTC), "observations", 1)
WINDOW = window_of("We moved the server from port 8080 to 9090. The read timeout is 60 s.")
STANDING = f"""## Setup

- The server listens on port 8080.[^{CITED}]
- The read timeout is 30 s.[^{CITED}]
- Logs are kept for 14 days.[^{CITED}]

[^{CITED}]: 2026-10-05 09:30, dana
"""
DRAFT = "## Setup\n\n- The server listens on port 9090.[^o1]\n- The read timeout is 60 s.[^o1]\n"
NEW = source_id("id-1")
SECTION = f"""## Setup

- The server listens on port 9090.[^{NEW}]
  - **Changed on 2026-11-29:** before, “The server listens on port 8080.”[^{CITED}][^{NEW}]
- The read timeout is 60 s.[^{NEW}]
  - **Contradiction:** “The read timeout is 30 s.”[^{CITED}] stands against “The read timeout is 60 s.”[^{NEW}]; \
nothing says which one holds.
- The read timeout is 30 s.[^{CITED}]
- Logs are kept for 14 days.[^{CITED}]
"""


def land(draft: str, page: ShownPage) -> tuple[bytes, Gated]:
    context = Context(pages=(page,))
    batch = ConsolidatedBatch(updates=(update_of(draft, path=PATH, title="Page", kind="concept"),))
    marked = contradiction.check(batch, WINDOW, context)
    kept = retention.check(marked.batch, WINDOW, context)
    wiki = {PATH: page.text.encode()}
    revision = revise(kept.batch, window=WINDOW, wiki=wiki, shown_paths=[PATH], stamp=STAMP)
    return revision.pages.get(PATH, wiki[PATH]), Gated(kept.batch, marked.findings + kept.findings)


def test_history_and_both_sides_stand_on_the_page() -> None:
    raw, gated = land(DRAFT, page_of(STANDING))
    assert SECTION in raw.decode()
    assert [found.rule for found in gated.findings] == ["value-changed", "value-contradicted", "statement-lost"]
    told = {found.rule for found in lint({PATH: raw}, settings=LintSettings(), today=STAMP.at.date())}
    assert "contradiction-open" in told
    assert not told & {"citation-missing", "footnote-undefined", "footnote-unsourced", "footnote-unused"}


def test_the_same_draft_on_the_changed_page_changes_nothing() -> None:
    raw, _ = land(DRAFT, page_of(STANDING))
    again, _ = land(DRAFT, ShownPage(PATH, raw.decode()))
    assert again.decode().count("**Changed on") == 1
    assert again.decode().count("**Contradiction:**") == 1
    assert sorted(again.decode().splitlines()) == sorted(raw.decode().splitlines())
