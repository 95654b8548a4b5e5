"""Measures how long the histories of many pages take: `python -m tests.benchmarks.site_history [pages]`."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta

from pipeline.site.history.history import history_documents
from pipeline.site.values import Inputs, Revision, Site
from tests.site.making import facts, library

AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
HEAD = """---
type: Decision
title: Decision {number}
description: How the service number {number} keeps its sessions, and why.
status: stable
tags: [sessions, storage]
generated: {{ by: wikimill/gpt-6-luna, at: {at} }}
verified:
- {{ by: process:wikimill-gates, at: {at} }}
sources:
- id: o-463fbfadb3
  resource: ../../../observations/2026-11-30.jsonl#L148
  title: "2026-11-30 18:36 founder: A merge counts as a review of what was merged"
  author: human:founder
---

# Decision {number}

## Decision

"""
LINES = [
    f"- The service keeps {what} in the store of session {place}, for {place} minutes and no longer.[^o-463fbfadb3]"
    for place, what in enumerate(("cookies", "tokens", "names", "a copy of the cart", "locks", "nothing", "times") * 2)
]


def page(number: int, version: int) -> bytes:
    """Write a page of 2 KB; every version changes a claim, adds one, and is generated anew."""
    lines = list(LINES)
    for done in range(1, version + 1):
        lines[number * done % len(LINES)] = (
            f"- Since release {done}.{number} service {number} keeps {done} cookies.[^o-1]"
        )
    lines += [f"- Claim {number} of version {version} says something new.[^o-2]"] * bool(version)
    head = HEAD.format(number=number, at=f"2026-11-{version + 1:02}T10:00:00Z")
    return (head + "\n".join(lines) + "\n\n[^o-463fbfadb3]: 2026-11-30 18:36, founder\n").encode()


def main(pages: int) -> None:
    paths = [f"team/decisions/decision-{number}.md" for number in range(pages)]
    known = library(*(facts(path) for path in paths))
    revisions = {
        path: tuple(
            Revision(
                f"{number:037x}{version:03}", AT + timedelta(days=version), "wikimill", "gpt-6-luna", "s", "m", raw
            )
            for version in (2, 1, 0)
            for raw in (page(number, version),)
        )
        for number, path in enumerate(paths)
    }
    inputs = Inputs(Site(), {}, revisions=revisions)
    start = time.process_time()
    sizes = [len(document.render()) for document in history_documents(inputs, known)]
    taken = time.process_time() - start
    print(f"{len(sizes):,} histories of 3 versions: {taken:.2f} s, {sum(sizes) / len(sizes):,.0f} bytes each")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
