"""Pages and accounts as a week of a small team makes them, for the tests of proposals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.proposal.account import (
    Account,
    LookedAt,
    Quotation,
    SessionCommit,
    Suppressed,
    Undone,
)
from pipeline.proposal.comparing import compare
from pipeline.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD = "4c1a9f0e7b2d4c1a9f0e7b2d4c1a9f0e7b2d4c1a"
OTHER = "0123456789abcdef0123456789abcdef01234567"

Cited = tuple[str, str]
"""The label of a source and what its title says."""


def page(
    title: str, body: str, sources: Sequence[Cited] = (), *, kind: str = "Decision", more: str = "", end: str = "\n"
) -> bytes:
    """Write a page as the pipeline does."""
    listed = "".join(
        f"- id: {label}\n  resource: ../../../observations/acme.jsonl#L{number}\n"
        f'  title: "{told}"\n  author: human:dana\n'
        for number, (label, told) in enumerate(sources, 1)
    )
    front = f"---\ntype: {kind}\ntitle: {title}\n{more}" + (f"sources:\n{listed}" if listed else "") + "---\n\n"
    notes = "".join(f"[^{label}]: {told[:16]}, dana\n" for label, told in sources)
    text = f"{front}# {title}\n\n{body.strip()}\n" + (f"\n{notes}" if notes else "")
    return text.replace("\n", end).encode()


A = ("o-aaaaaaaaaa", "2026-11-24 09:12 dana: the gateway listens on 8080 for now")
B = ("o-bbbbbbbbbb", "2026-11-27 14:03 dana: we moved the gateway to 9090 because the proxy needs 8080")
C = ("o-cccccccccc", "2026-11-27 14:20 dana: the pool was too small under load")

BEFORE = {
    "acme/decisions/gateway-port.md": page(
        "Gateway port",
        f"The gateway listens on port 8080.[^{A[0]}]\n\n"
        f"## Details\n\n- Health checks use the path `/healthz`.[^{A[0]}]",
        [A],
        more="verified:\n- { by: human:dana, at: 2026-11-25T08:00:00Z }\n",
    ),
    "acme/decisions/old-proxy.md": page("Old proxy", f"We run nginx in front of the gateway.[^{A[0]}]", [A]),
}
AFTER = {
    "acme/decisions/gateway-port.md": page(
        "Gateway port",
        f"The gateway listens on port 9090.[^{B[0]}]\n\n"
        f"**Changed on 2026-11-27:** before, “The gateway listens on port 8080.”[^{A[0]}][^{B[0]}]\n\n"
        f"## Details\n\n- Health checks use the path `/healthz`.[^{A[0]}]\n"
        f"- The proxy needs 8080 for itself.[^{B[0]}]\n"
        "- The change was rolled out by @ops (fixes #12). (unsourced)",
        [A, B],
        more="verified:\n- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }\n",
    ),
    "acme/decisions/old-proxy.md": page(
        "Old proxy",
        f"> Superseded by [Gateway port](gateway-port.md).\n\nWe run nginx in front of the gateway.[^{A[0]}]",
        [A],
        more="status: deprecated\n",
    ),
    "acme/gotchas/pool-exhausted.md": page(
        "Connection pool runs dry under load",
        f"## Cause\n\nThe pool held 5 connections.[^{C[0]}]\n\n"
        f"**Contradiction:** “The pool held 5 connections.”[^{C[0]}] stands against "
        f"“The pool held 50 connections.”[^{B[0]}]; nothing says which one holds.\n\n"
        f"## Fix\n\n1. Set `pool_size = 20`.[^{C[0]}]\n2. Restart the workers.[^{C[0]}]",
        [C, B],
        kind="Gotcha",
    ),
    "acme/sessions/2026-11-27-moving-the-gateway.md": page(
        "Moving the gateway", f"## Summary\n\n- We moved the gateway to 9090.[^{B[0]}]", [B], kind="Session"
    ),
}

QUOTATIONS = {
    A[0]: Quotation("the gateway listens on 8080 for now", "dana", "2026-11-24 09:12", "acme.jsonl:1"),
    B[0]: Quotation(
        "Long day. First the certificates, which have nothing to do with this, took all morning to renew. "
        "Then we moved the gateway to 9090 because the proxy needs 8080 for itself. Thanks @lee for the review! "
        "Afterwards I looked into the flaky test on CI, which turned out to be a timeout of two seconds that is simply "
        "too short on the small runners; raised it to ten. Nothing else today.",
        "dana",
        "2026-11-27 14:03",
        "acme.jsonl:2",
    ),
    C[0]: Quotation(
        "The pool held 5 connections. Set `pool_size = 20`. Restart the workers.",
        "lee",
        "2026-11-27 14:20",
        "acme.jsonl:3",
    ),
}


def account() -> Account:
    """Make the account of an open proposal of three sessions."""
    return Account(
        status="partial",
        reason="1 session failed and 1 was left for the next run, because the cap on calls was reached.",
        base="main",
        branch="wikimill/consolidate",
        head=HEAD,
        pages=compare(BEFORE, AFTER, AFTER),
        quotations=QUOTATIONS,
        commits=(
            SessionCommit("acme/7f4c", "Moving the gateway", "small-model-2", 4_211, 3),
            SessionCommit("acme/81aa", "Connection pool runs dry", "small-model-2", 2_120, 1),
        ),
        findings=(
            Finding(
                "gotchas/Connection pool runs dry under load#Fix",
                "detail-ungrounded",
                "warning",
                "“Driver 3.2.1 is needed.” names 3.2.1, which stands in no source; the sentence was taken out.",
                "Add it by hand if it is true.",
            ),
            Finding(
                "acme/decisions/gateway-port.md", "review-outdated", "note", "the review by human:dana was taken off."
            ),
        ),
        undone=(
            Undone("acme/93b0", "failed", "the model's reply was cut off twice"),
            Undone("acme/93b1", "left", "the cap of 3 calls was reached"),
        ),
        set_aside=(Finding("acme.jsonl:17", "not-json", "warning", "the line is no JSON object"),),
        suppressed=Suppressed(2, (11, 14)),
        spent=Spent(calls=3, retries=1, input_tokens=15_020, output_tokens=1_311, unpriced_calls=3),
        review=LookedAt("@dana", datetime(2026, 11, 29, 14, 3, tzinfo=UTC), ("acme/decisions/gateway-port.md",)),
        run_report_url="https://github.com/acme/wiki/actions/runs/123",
        ci_note="Checks wait for a click on *Approve and run*, since this was opened with the token of GitHub Actions.",
    )


def offline_account() -> Account:
    """Make the account of the same pages, collected without a language model."""
    commits = tuple(replace(commit, model="extractive", tokens=0) for commit in account().commits)
    return replace(account(), commits=commits, spent=Spent(), status="complete", reason="", review=None)
