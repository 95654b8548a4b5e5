"""Benchmark of a month of scheduled runs, with everything that people do to proposals; not collected by pytest.

    python -m tests.benchmarks.month FOLDER [--model extractive|openai] [--days N] [--examples N]

Plays thirty runs over the observation files of FOLDER, each file on the day that its name says, against a host and an
obedient model on this machine, and prints each day: what people did; sessions new, consolidated, suppressed, waiting;
calls; the proposal; pages and changed lines of the day's sessions; the share of changed lines of the bodies that carry
a claim. Then what the month came to: that every observation is consolidated once or reported, that no call was paid
twice and no edit is lost, and how large the changes are. Exits with 1 when an aim is missed.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.proposal.comparing import line_stats
from pipeline.proposal.comparing.alignment import differing
from pipeline.proposal.comparing.claims import compare_claims
from pipeline.proposal.comparing.reading import read_state
from pipeline.proposal.comparing.share import _carrying, _filled
from pipeline.wiki.markdown.blocks import read_blocks
from tests.proposing.month import Month, Row, a_month
from tests.proposing.month_days import count_lines, of_folder
from tests.proposing.month_holding import Watch
from tests.proposing.month_people import THIRTY, play

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.proposal.comparing import PageChange

AIM = 0.8
HEAD = "day  new cons supp wait  calls code  proposal         pushed  pages  lines  most  share  what people did"


def show(row: Row) -> str:
    stats = line_stats(row.pages)
    proposal = f"#{row.number} {row.action}" if row.number else row.action or "-"
    share = f"{stats.share:.2f}" if row.pages else "-"
    return (
        f"{row.day:3}  {len(row.states):3} {row.count('consolidated'):4} {row.count('suppressed'):4} "
        f"{row.count('waiting'):4}  {row.calls:5} {row.code:4}  {proposal:15}  {'yes' if row.pushed else 'no':6}  "
        f"{stats.pages:5}  {stats.median:5.0f}  {stats.most:4}  {share:>5}  {'; '.join(row.did)}"
    )


def show_lines(what: str, pages: Sequence[PageChange]) -> None:
    stats = line_stats(pages)
    print(
        f"{what:15} {stats.pages:5} pages  {stats.median:5.1f} lines in the median, {stats.most} at most; "
        f"of the bodies {stats.body:6,} lines, {stats.carrying:6,} with a claim: {stats.share:.3f}; "
        f"front matter: {stats.sources:,} lines of sources, {stats.front:,} others"
    )


def carrying_none(before: bytes, after: bytes) -> Iterator[tuple[str, str]]:
    """Give the changed lines of a page's body that carry no claim, each with what kind of line it is."""
    old, new = read_state("", before), read_state("", after)
    compared = compare_claims(old, new)
    gone, fresh = differing(old.lines, new.lines)
    told = [
        {one.number for one in (*compared.removed, *(pair[0] for pair in compared.changed))},
        {one.number for one in (*compared.added, *(pair[1] for pair in compared.changed))},
    ]
    for sign, state, lines, numbers in (("-", old, gone, told[0]), ("+", new, fresh, told[1])):
        carried = _carrying(state, numbers)
        for number in _filled(state.lines, lines):
            if number not in carried:
                yield sign + _kind(state.lines[number]), state.lines[number]


def _kind(line: str) -> str:
    if line.startswith("#"):
        return "heading"
    if line.startswith("[^"):
        return "footnote definition"
    blocks = read_blocks(line)
    return "item" if line.lstrip().startswith(("- ", "* ")) else "text" if blocks.statements else "other"


def show_what_pulls_down(examples: Iterable[tuple[str, bytes, bytes]], most: int) -> None:
    every = list(examples)
    counts = Counter(kind for _, before, after in every for kind, _ in carrying_none(before, after))
    print(f"\n{len(every)} changes of pages carry a claim in less than {AIM:.0%} of their changed lines.")
    print("changed lines without a claim: " + ", ".join(f"{number} {kind}" for kind, number in counts.most_common()))
    for path, before, after in every[:most]:
        print(f"\n  {path}")
        for kind, line in list(carrying_none(before, after))[:12]:
            print(f"    {kind:22} {line[:150]}")
        old, new = (raw.decode("utf-8", "replace").splitlines() for raw in (before, after))
        for line in list(difflib.unified_diff(old, new, lineterm="", n=0))[2:40]:
            print(f"      {line[:150]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", choices=("extractive", "openai"), default="openai")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--examples", type=int, default=3, help="changes of pages to show that carry few claims")
    asked = parser.parse_args()
    days = of_folder(asked.folder, asked.days)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as place, a_month(Path(place), days, asked.model) as month:
        watch = Watch(month)
        print(HEAD)
        for _ in days:
            play(month, THIRTY)
            found = watch.look()
            print(show(month.row), flush=True)
            for fault in found:
                print(f"     BROKEN {fault}")
        return summed_up(month, watch, count_lines(days), time.perf_counter() - began, asked.examples)


def summed_up(month: Month, watch: Watch, lines: int, seconds: float, examples: int) -> int:
    faults = watch.account()
    for fault in faults:
        print(f"BROKEN {fault}")
    pages = [page for row in month.rows for page in row.pages]
    print(f"\n{len(month.rows)} runs in {seconds:.0f} s, {sum(row.calls for row in month.rows)} calls", end="; ")
    print(f"{sum(row.retaken for row in month.rows)} more of a second runner at the same time")
    print(f"{lines} lines observed: {len(watch.consolidated)} observations consolidated, {watch.reported} reported")
    print(f"{len(month.double.pulls)} proposals, {len(month.kept)} sentences of people; unmergeable: {watch.conflicts}")
    print(f"{len(watch.alike())} findings of pages that are alike")
    show_lines("all", pages)
    show_lines("new pages", [page for page in pages if page.change == "new"])
    changed = [page for page in pages if page.change != "new"]
    show_lines("changed pages", changed)
    show_what_pulls_down(watch.examples, examples)
    aims = {
        "what must hold held after each day": not watch.faults,
        "everything is consolidated once or reported, and nothing paid twice": not faults,
        f"more than {AIM:.0%} of the changed lines carry a claim": line_stats(pages).share > AIM,
        f"more than {AIM:.0%} of those of pages that stood": line_stats(changed).share > AIM,
    }
    for aim, met in aims.items():
        print(f"{'met   ' if met else 'MISSED'} {aim}")
    return 0 if all(aims.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
