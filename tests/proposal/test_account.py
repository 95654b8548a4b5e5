from __future__ import annotations

from pipeline.finding import Finding
from pipeline.proposal.account import read_findings
from tests.proposal.samples import account, offline_account

MESSAGE = """consolidate(acme/7f4c): Moving the gateway

- [detail-ungrounded] decisions/Gateway port#Details: “3.2.1” stands in no source.
- [no finding]
- [claim-unsourced] a.md: the draft gives no source: none at all.
  - [citation-unknown] a.md: x

Session: acme/7f4c
"""


def test_findings_are_read_from_a_commits_message() -> None:
    assert read_findings(MESSAGE) == (
        Finding("decisions/Gateway port#Details", "detail-ungrounded", "warning", "“3.2.1” stands in no source."),
        Finding("a.md", "claim-unsourced", "warning", "the draft gives no source: none at all."),
        Finding("a.md", "citation-unknown", "warning", "x"),
    )
    assert read_findings("- [" + "a" * 100_000 + "] : x" * 10_000) == ()


def test_sums_are_those_of_the_commits() -> None:
    assert account().tokens == 6_331
    assert account().models == ("small-model-2",)
    assert offline_account().tokens == 0
