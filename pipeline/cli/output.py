"""Owns how a command speaks: lines and tables for people, JSON for machines; knows no command and no effect.

Text from observations and pages is untrusted: it reaches a terminal without control characters, on one line, and the
log of a job without a line that the job's runner would take for a command.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pipeline.finding import Finding

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan", "ok": "green"}

MOST_NOTES = 20
"""So many notes are told to a person; the others are counted and stand in the JSON."""

COLUMNS_APART = "  "

NO_WIDTH = 10_000
"""A file or a pipe has no width: nothing is folded there."""

_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


_IGNORED = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
"""Characters without a sign of their own; some comparisons of texts pass over them."""
_COMMAND = re.compile(rf"^([\s{_IGNORED}]*:)(?=[{_IGNORED}]*:)", re.MULTILINE)
_OLDER_COMMAND = re.compile(rf"(#[{_IGNORED}]*#[{_IGNORED}]*(?:vso|teamcity)?)\[", re.IGNORECASE)


def printable(text: str) -> str:
    """Make one line that changes neither the terminal nor the order of its own characters, and commands nothing."""
    return for_log(_cleaned(text))


def for_log(text: str) -> str:
    """Part what a runner of jobs takes for its commands: `::` where a line begins, `##[` and its like anywhere."""
    return _OLDER_COMMAND.sub(r"\1 [", _COMMAND.sub(r"\1 ", text))


def _cleaned(text: str) -> str:
    return _SURROGATES.sub("\ufffd", _UNSAFE.sub("", _BREAKS.sub(" ", text)))


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says things on standard output and, what is not the result itself, on standard error."""

    as_json: bool = False
    in_ci: bool = False
    out: Console = field(default_factory=lambda: _console(stderr=False))
    err: Console = field(default_factory=lambda: _console(stderr=True))

    def say(self, text: str = "", *, style: str = "") -> None:
        """Say one line of the result."""
        self.out.print(Text(printable(text), style=style), soft_wrap=True)

    def whisper(self, text: str) -> None:
        """Say one line about the work itself, on standard error."""
        self.err.print(Text(printable(text)), soft_wrap=True)

    def give(self, value: Mapping[str, object]) -> None:
        """Give the result to a machine. Plain ASCII: no encoding and no terminal can be hurt, and no log commands."""
        told = json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)
        # Outside of texts JSON has no such characters. No line begins with a colon.
        sys.stdout.write(_OLDER_COMMAND.sub(r"\1\\u005b", told) + "\n")
        sys.stdout.flush()

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> None:
        """Say a table; the columns in `numbers` are aligned to the right.

        Where the terminal is too narrow for it, each row is a line of its own, which the terminal folds: columns of
        a few characters could not be read, and nothing could be copied from them.
        """
        widths = [max(cell_len(printable(row[place])) for row in (heads, *rows)) for place in range(len(heads))]
        if sum(widths) + len(COLUMNS_APART) * (len(widths) - 1) > self.out.width:
            for row in rows:
                told = (f"{heads[at]}: {cell}" if at in numbers else cell for at, cell in enumerate(row))
                self.say(COLUMNS_APART.join(told))
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for place, head in enumerate(heads):
            table.add_column(head, justify="right" if place in numbers else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self.out.print(table)

    def findings(self, findings: Sequence[Finding]) -> None:
        """Say findings, each on its line: all errors and warnings, and the first notes."""
        notes = 0
        for finding in findings:
            if finding.severity == "note":
                notes += 1
                if notes > MOST_NOTES:
                    continue
            line = Text()
            line.append(f"{finding.severity}", style=COLOURS[finding.severity])
            told = f"{finding.message} {finding.next_step}" if finding.next_step else finding.message
            line.append(printable(f" {finding.where}: {told} [{finding.rule}]"))
            self.out.print(line, soft_wrap=True)
        if notes > MOST_NOTES:
            self.say(f"... and {notes - MOST_NOTES} more notes; --json tells all.")

    def diff(self, diff: str) -> None:
        """Say a unified diff, coloured where there are colours; a file gets it with its tabs, to be applied."""
        for line in diff.removesuffix("\n").split("\n"):
            safe = for_log("\t".join(_cleaned(part) for part in line.split("\t")))
            if self.out.is_terminal:
                self.out.print(Text(safe, style=_diff_style(line)), soft_wrap=True)
            else:
                self.out.file.write(safe + "\n")

    @contextmanager
    def progress(self, noun: str) -> Iterator[Callable[[int, int, str], None]]:
        """Show how far a long work is: a bar on a terminal, some quiet lines elsewhere, nothing for machines."""
        if self.as_json:
            yield lambda _done, _total, _now: None
        elif self.err.is_terminal and not self.in_ci:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            with Progress(*columns, console=self.err, transient=True) as bar:
                task = bar.add_task(noun, total=None)
                yield lambda done, total, _now: bar.update(task, completed=done, total=total)
        else:
            yield _Milestones(self, noun).tell


@dataclass(slots=True)
class _Milestones:
    """Tells each tenth of a work once."""

    speaker: Speaker
    noun: str
    told: int = -1

    def tell(self, done: int, total: int, _now: str) -> None:
        tenth = 10 * done // total if total else 10
        if tenth > self.told and done:
            self.told = tenth
            self.speaker.whisper(f"{self.noun} {done}/{total}")


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = NO_WIDTH
    return console


def _diff_style(line: str) -> str:
    if line.startswith(("+++", "---")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
