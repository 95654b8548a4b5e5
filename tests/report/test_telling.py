"""Nothing is told in one form and missing in another."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from pipeline.cli.output import Speaker
from pipeline.cli.telling import tell_run
from pipeline.finding import Finding
from pipeline.report import PageOutcome, Report, as_json, as_markdown
from pipeline.spending import Spent
from tests.report.reports import FULL, VALUES, variations


def on_terminal(report: Report) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=10_000, markup=False, highlight=False)
    tell_run(Speaker(out=console, err=console), report)
    return stream.getvalue()


FORMS = {"json": lambda report: str(as_json(report)), "markdown": as_markdown, "terminal": on_terminal}


def test_a_variation_exists_of_each_field_of_each_value() -> None:
    varied = {name.rpartition("/")[2].partition("=")[0].removesuffix(" beside it") for name, _ in variations(FULL)}
    expected = {f"{kind.__name__}.{name}" for kind in VALUES for name in kind.__dataclass_fields__}
    # A value inside is varied field by field, and beside that taken away as a whole where it may be missing.
    whole = {"Report.intake", "Report.spent", "SessionOutcome.session"}
    assert expected - whole <= {name.replace("[]", "") for name in varied}


@pytest.mark.parametrize("form", FORMS)
def test_whatever_differs_is_told_differently(form: str) -> None:
    told = FORMS[form](FULL)
    alike = [name for name, report in variations(FULL) if FORMS[form](report) == told]
    assert alike == []


NOT_IN_A_PLAN = {
    *("commit", "reason", "model", "repairs", "provisional", "pages", "Report.dry_run"),
    *("PageOutcome.path", "PageOutcome.title", "PageOutcome.change", "PageOutcome.statements"),
}
"""What a session has none of before it is worked on, so that a plan has no columns for it; and no plan writes."""


@pytest.mark.parametrize("form", ["markdown", "terminal"])
@pytest.mark.parametrize("base", ["run", "dry run", "plan"])
def test_whatever_differs_in_another_kind_of_report_is_told_differently(form: str, base: str) -> None:
    planned = (replace(FULL.sessions[0], state="planned"),) if base == "plan" else FULL.sessions
    report = replace(
        FULL, fault=None, dry_run=base != "run", command="plan" if base == "plan" else "run", sessions=planned
    )
    told = FORMS[form](report)
    alike = [name for name, other in variations(report) if FORMS[form](other) == told]
    assert [name for name in alike if not (base == "plan" and _field(name) in NOT_IN_A_PLAN)] == []


def _field(name: str) -> str:
    plain = name.rpartition("/")[2].partition("=")[0].removesuffix(" beside it").removesuffix("[]")
    return plain.removeprefix("SessionOutcome.")


@pytest.mark.parametrize("form", ["markdown", "terminal"])
@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (Spent(calls=2, known_cost=0.5), "cost 0.5000"),
        (Spent(calls=2, unpriced_calls=2), "cost unknown (2 calls without a known cost)"),
        (
            Spent(calls=2, unpriced_calls=1, known_cost=0.5),
            "cost unknown (1 call without a known cost; 0.5000 for the others)",
        ),
    ],
)
def test_an_unknown_price_is_unknown(form: str, spent: Spent, told: str) -> None:
    assert told in FORMS[form](replace(FULL, spent=spent))


def test_a_terminal_shows_twenty_notes_and_the_other_forms_all() -> None:
    notes = tuple(Finding("a.md", f"rule{number:02}", "note", "told.") for number in range(30))
    report = Report("m", "p", findings=notes)
    shown = {form: [one.rule for one in notes if one.rule in FORMS[form](report)] for form in FORMS}
    assert {form: len(rules) for form, rules in shown.items()} == {"json": 30, "markdown": 30, "terminal": 20}
    assert "... and 10 more notes; --json tells all." in on_terminal(report)


def test_a_terminal_leaves_out_the_pages_of_a_large_run_and_says_so() -> None:
    pages = tuple(PageOutcome(f"acme/p{number:02}.md", "P", "created") for number in range(41))
    report = replace(FULL, sessions=(replace(FULL.sessions[0], pages=pages, reason=""),))
    assert "p07.md" not in on_terminal(report)
    assert "pages and the like; --json tells all." in on_terminal(report)
    assert all(page.path in as_markdown(report) for page in pages)
