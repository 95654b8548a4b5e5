"""A report as Markdown: what a terminal tells, in any number of bytes, and harmless."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.observations.observation import SessionKey
from pipeline.report import PageOutcome, Report, SessionOutcome, as_markdown
from pipeline.report.markdown import SMALLEST
from tests.report.reports import FULL, finding, reports

MARKDOWN = MarkdownIt("commonmark").enable("table")
QUIET = replace(FULL, fault=None, proposal=None, findings=(), diff="")


def test_a_report_reads_as_a_page() -> None:
    assert as_markdown(FULL) == (
        "## wikimill run\n"
        "\n"
        "**Ended before its time (GitError): 1 session consolidated; 1 page created, 0 updated; 2 commits on main; "
        "proposal updated.**\n"
        "\n"
        "### Why it ended before its time\n"
        "\n"
        "- GitError: .git: the repository is gone. Bring it back.\n"
        "\n"
        "### What was read\n"
        "\n"
        "- 41 new observations in 4 of 9 files; 6 earlier observations read again; 3 duplicates; 1 conflict; "
        "1 line set aside; 1 unfinished line; 2 times without a zone, read as UTC.\n"
        "- Secrets redacted: 2 x jwt.\n"
        "\n"
        "### Sessions\n"
        "\n"
        "- consolidated acme/s1: 41 observations, 1 page, commit aaaaaaaaaa, 3 windows, 12,000 tokens, "
        "2 replies mended on request\n"
        "  - about: cookies\n"
        "  - created acme/a.md Cookies (5 statements)\n"
        "- 1 other commit: bbbbbbbbbb\n"
        "\n"
        "### Changes\n"
        "\n"
        "```diff\n--- a\n+++ b\n+new\n```\n"
        "\n"
        "### Proposal\n"
        "\n"
        "- Proposal updated: number 12, from wikimill/consolidate into trunk, at cccccccccc, open, main moved "
        "<https://host.example/acme/wiki/pull/12>\n"
        "- 5 sessions not proposed again: a person declined them or took them back in proposal 3.\n"
        "- 1 commit of people on the branch: dddddddddd\n"
        "- 1 page taken out by a reviewer\n"
        "  - acme/b.md\n"
        "- 1 page verified by a person who merged them\n"
        "  - acme/c.md\n"
        "\n"
        "### Findings\n"
        "\n"
        "- **error** broken.jsonl:1: broken was told. Mend broken. (broken)\n"
        "- **warning** conflict.jsonl:1: conflict was told. Mend conflict. (conflict)\n"
        "- **warning** unreadable-line.jsonl:1: unreadable-line was told. Mend unreadable-line. (unreadable-line)\n"
        "- **warning** replies-not-kept.jsonl:1: replies-not-kept was told. Mend replies-not-kept. (replies-not-kept)\n"
        "- **note** unsourced.jsonl:1: unsourced was told. Mend unsourced. (unsourced)\n"
        "\n"
        "### The model\n"
        "\n"
        "- Model gpt: 11 calls; 2 of them again after a fault; 4 replies from memory; 2 replies mended on request; "
        "900 tokens in, 80 out; cost unknown (3 calls without a known cost; 0.2500 for the others); "
        "asked by json&#95;schema.\n"
        "\n"
        "Report 20261130T080000Z: run, wikimill 0.1.0, model gpt, prompt v7, branch main, 57 new lines looked at, "
        "13 calls foreseen, from 2026-11-30 08:00:00 UTC to 2026-11-30 08:01:00 UTC.\n"
    )


def test_a_plan_is_a_table() -> None:
    planned = tuple(SessionOutcome(SessionKey("default", "a|b", f"s{n}"), "planned", 4, 1, 900) for n in (1, 2))
    told = as_markdown(Report("m", "p", sessions=planned, command="plan", planned_calls=2))
    assert (
        "| session | observations | windows | their tokens (estimated) |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| a&#124;b/s1 | 4 | 1 | 900 |\n"
        "| a&#124;b/s2 | 4 | 1 | 900 |\n"
    ) in told
    assert MARKDOWN.render(told).count("<tr>") == 3


@given(reports(), st.integers(SMALLEST, 3_000))
@settings(max_examples=60)
def test_a_report_fits_in_any_limit(report: Report, limit: int) -> None:
    told = as_markdown(report, limit)
    assert len(told.encode()) <= limit
    assert told.endswith("\n")
    whole = as_markdown(report, 10_000_000)
    assert (told == whole) is ("\n**Cut to fit: " not in f"\n{told}")


@given(reports())
@settings(max_examples=40)
def test_nothing_in_a_report_becomes_markup(report: Report) -> None:
    rendered = MARKDOWN.render(as_markdown(report))
    assert "<img" not in rendered
    assert "<a " not in rendered
    assert rendered.count("<h2>") == 1


def test_notes_go_before_pages_and_errors_stay() -> None:
    pages = tuple(PageOutcome(f"acme/p{number}.md", "P", "created") for number in range(20))
    notes = tuple(finding(f"note{number}", "note") for number in range(200))
    session = replace(QUIET.sessions[0], pages=pages)
    told = as_markdown(replace(QUIET, sessions=(session,), findings=(*notes, finding("grave", "error"))), limit=4_000)
    assert "grave was told" in told
    assert all(page.path in told for page in pages)
    shown = sum(f"({one.rule})" in told for one in notes)
    assert 0 < shown < 200
    assert f"**Cut to fit: {201 - shown} lines are left out here; `wikimill report --json` tells them all.**" in told


def test_a_diff_is_cut_last_and_closed() -> None:
    diff = "".join(f"+line {number}\n" for number in range(1_000))
    told = as_markdown(replace(QUIET, diff=diff), limit=5_000)
    assert "+line 0\n" in told
    assert "+line 999\n" not in told
    assert told.count("```") == 2
    left = 1_000 - told.count("+line ")
    assert f"**Cut to fit: {left} lines are left out here" in told


def test_a_limit_has_a_least() -> None:
    with pytest.raises(ValueError, match="1,000 bytes at least"):
        as_markdown(FULL, SMALLEST - 1)
