"""A wiki of many made-up pages of about 2 KB, the same for everybody; not collected by pytest."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WORDS = [
    "gateway",
    "deploy",
    "token",
    "cache",
    "index",
    "retry",
    "budget",
    "branch",
    "merge",
    "worker",
    "queue",
    "schema",
    "ledger",
    "session",
    "review",
    "rollback",
    "timeout",
    "cursor",
    "shard",
    "replica",
    "secret",
    "policy",
    "release",
    "window",
    "latency",
    "payload",
    "tenant",
    "router",
    "cluster",
    "metric",
    "probe",
]
_KINDS = (("decisions", "Decision"), ("gotchas", "Gotcha"), ("concepts", "Concept"), ("procedures", "Procedure"))
_DAY = "2026-11-{:02d}"
_SOURCES = 3
_CLAIMS = 5
_LINKS = 4


def write_pages(folder: Path, count: int, *, projects: int = 5) -> list[str]:
    """Write `count` pages below `folder`, with indexes above them, and give their paths."""
    chance = random.Random(count)
    paths = [
        f"project-{number % projects}/{_KINDS[number % len(_KINDS)][0]}/page-{number:05d}.md" for number in range(count)
    ]
    for number, path in enumerate(paths):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_page(number, path, paths, chance).encode())
    for path, text in _indexes(paths):
        (folder / path).write_bytes(text.encode())
    return paths


def _sentence(chance: random.Random) -> str:
    words = " ".join(chance.choices(_WORDS, k=13)).capitalize()
    name, version = (
        f"{chance.choice(_WORDS)}_{chance.choice(_WORDS)}",
        f"{chance.randint(0, 9)}.{chance.randint(0, 20)}",
    )
    return f"{words} `{name}` {version}."


def _page(number: int, path: str, paths: list[str], chance: random.Random) -> str:
    labels = [f"o-{chance.randrange(16**10):010x}" for _ in range(_SOURCES)]
    day = _DAY.format(number % 28 + 1)
    sources = "".join(
        f"- id: {label}\n  resource: ../../../observations/{day}.jsonl#L{chance.randint(1, 900)}\n"
        f'  title: "{day} 10:00 assistant: {_sentence(chance)}"\n  author: coding-agent/unversioned\n'
        for label in labels
    )
    claims = "".join(f"- {_sentence(chance)}[^{label}]\n" for label in chance.choices(labels, k=_CLAIMS))
    links = "".join(
        f"- See [page {other[-8:-3]}](../../{other}): {_sentence(chance)}\n" for other in chance.sample(paths, _LINKS)
    )
    notes = "".join(f"[^{label}]: {day} 10:00, assistant\n" for label in labels)
    return f"""---
type: {_KINDS[number % len(_KINDS)][1]}
title: Page {number} {chance.choice(_WORDS)} {chance.choice(_WORDS)}
description: {_sentence(chance)}
tags: [{chance.choice(_WORDS)}, {chance.choice(_WORDS)}]
status: stable
generated: {{ by: wikimill/extractive, at: {day}T19:45:44Z }}
verified:
- {{ by: process:wikimill-gates, at: {day}T19:45:44Z }}
sources:
{sources}session_id: session-{number % 50}
consolidated: true
---

# {path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()}

> Collected without a language model: every statement is a quotation.

## What happens

{claims}
## More

{links}
{notes}"""


def _indexes(paths: list[str]) -> Iterator[tuple[str, str]]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    projects = sorted({folder.partition("/")[0] for folder in folders})
    yield "index.md", "# Home\n\n" + "".join(f"* [{project}]({project}/index.md)\n" for project in projects)
    for project in projects:
        own = [folder for folder in folders if folder.startswith(f"{project}/")]
        listed = "".join(f"* [{one.rpartition('/')[2]}]({one.rpartition('/')[2]}/index.md)\n" for one in own)
        yield f"{project}/index.md", f"# {project}\n\n{listed}"
    for folder, pages in folders.items():
        listed = "".join(f"* [{page}]({page.rpartition('/')[2]})\n" for page in pages)
        yield f"{folder}/index.md", f"# {folder}\n\n{listed}"
