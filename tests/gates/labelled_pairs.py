"""The labelled sets of the gates on contradictions and on retention, read, and what each gate says of a case.

`contradictions*.jsonl`: a standing sentence with its date, a new one with what was observed and when, what is expected
(`change`, `contradiction`, `none`), and the kind of value. `retention.jsonl`: a standing section, the same section in a
draft, and whether something was lost. `held_out` marks the third that nobody looked at while the gates were tuned, and
`"second"` pairs that were written afterwards by somebody who had not seen the gate.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.context import Context, ShownPage
from pipeline.gates import contradiction, retention
from pipeline.projection import Projection, Shown
from tests.gates.drafts import SESSION, batch_of, observation_of, window_of

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "labelled"
PATH = "acme/concepts/page.md"
CITED = "o-aaaaaaaaaa"


@dataclass(frozen=True, slots=True)
class Pair:
    kind: str
    language: str
    expected: str
    old: str
    old_at: str
    new: str
    observation: str
    new_at: str
    held_out: bool | Literal["second"]
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    expected: str
    standing: str
    draft: str
    lost: str
    held_out: bool


def pairs() -> tuple[Pair, ...]:
    return tuple(
        Pair(**json.loads(line)) for path in sorted(FOLDER.glob("contradictions*.jsonl")) for line in lines(path)
    )


def sections() -> tuple[Section, ...]:
    return tuple(Section(**json.loads(line)) for line in lines(FOLDER / "retention.jsonl"))


def lines(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


def page_of(
    body: str, *, at: str = "2026-10-05 09:30", path: str = PATH, title: str = "Page", more: str = ""
) -> ShownPage:
    sources = "".join(
        f'- {{id: {label}, resource: a, title: "{at} dana: It is so."}}\n' for label in (CITED, "o-bbbbbbbbbb")
    )
    signed = "generated: {by: wikimill/x, at: 2026-11-01T08:00:00Z}\n"
    front = f"type: Concept\ntitle: {title}\n{more}{signed}sources:\n{sources}"
    return ShownPage(path, f"---\n{front}---\n\n# {title}\n\n{body}")


def window_at(text: str, at: str) -> Projection:
    observation = replace(observation_of(1, text), ts=datetime.strptime(at, "%Y-%m-%d %H:%M").replace(tzinfo=UTC))
    return Projection(SESSION, 1, 1, (Shown("o1", observation, text, 0),), 100)


def told(pair: Pair) -> str:
    """Give what the gate says of a pair: `change`, `contradiction` or `none`."""
    window = window_at(pair.observation, pair.new_at)
    old, new = f"## Section\n\n{pair.old}[^{CITED}]\n", f"## Section\n\n{pair.new}[^o1]\n"
    if pair.elsewhere:
        page = page_of(old, at=pair.old_at, path="acme/concepts/other.md", title="Other")
        gated = contradiction.check(batch_of(new, title="Page", kind="concept"), window, Context(pages=(page,)))
    else:
        page = page_of(old, at=pair.old_at)
        gated = contradiction.check(batch_of(new, path=PATH, title="Page"), window, Context(pages=(page,)))
    rules = {found.rule for found in gated.findings}
    return "change" if "value-changed" in rules else "contradiction" if rules else "none"


def is_right(section: Section) -> bool:
    """Whether the gate finds what a draft loses, and nothing else."""
    page = page_of(f"## Section\n\n{section.standing}")
    batch = batch_of(f"## Section\n\n{section.draft}", path=PATH, title="Page")
    gated = retention.check(batch, window_of("It is so."), Context(pages=(page,)))
    lost = [found.message.replace("`", "") for found in gated.findings if found.rule == "statement-lost"]
    return any(section.lost in message for message in lost) if section.expected == "lost" else not lost
