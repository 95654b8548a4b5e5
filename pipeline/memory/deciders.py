"""Owns ready-made deciders: one that goes by shared words, and one that asks a model through a function of yours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pipeline.memory.curate import Decision
from pipeline.relevance import rank, terms, weigh
from pipeline.text import fenced, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.memory.curate import Decider
    from pipeline.memory.ground import Document, Grounded

_LINE: Final = 160
_MOST_LINES: Final = 8
_TASK: Final = (
    "Choose the documents that bear on the intent, and write a brief of at most {limit} characters on what they say "
    'about it. Answer with one JSON object and nothing else: {{"brief": "...", "paths": ["/memories/..."]}}. Only '
    "paths that are shown above are allowed."
)


def lexical(grounded: Grounded, intent: str) -> Decision:
    """Choose the documents that share telling words with the intent, without a model; the brief quotes one line each.

    When none shares a word, no document is chosen and the brief says so.
    """
    wanted = terms(intent)
    pages = {document.path: weigh((), (), f"{document.path}\n{document.text}") for document in grounded.documents}
    chosen = rank(wanted, pages, ())
    if not chosen:
        return Decision("No document shares a word with the intent.")
    documents = {document.path: document for document in grounded.documents}
    lines = [f"- {_best_line(documents[path], set(wanted))}" for path in chosen[:_MOST_LINES]]
    return Decision("\n".join(lines), chosen)


def asking(ask: Callable[[str], str], limit: int = 2_000) -> Decider:
    """Make a decider that asks a model: `ask` takes a prompt and gives the model's answer.

    An answer that is no such JSON object raises, which `curate` turns into `callback_failed`.
    """

    def decide(grounded: Grounded, intent: str) -> Decision:
        task = _TASK.format(limit=limit)
        answer = ask(f"{grounded.prompt}\n\n## Intent\n\n{fenced(intent, 'intent')}\n\n## Task\n\n{task}")
        return _read(answer)

    return decide


def _read(answer: str) -> Decision:
    """Take the outermost JSON object of an answer, whatever a model wrote around it."""
    start, end = answer.find("{"), answer.rfind("}")
    told: object = json.loads(answer[start : end + 1]) if 0 <= start < end else None
    if not isinstance(told, dict):
        raise ValueError("the answer holds no JSON object")  # noqa: TRY004  # the value is wrong, not its type
    brief, paths = told.get("brief"), told.get("paths", [])
    if not isinstance(brief, str) or not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise ValueError("'brief' must be a text and 'paths' a list of texts")
    return Decision(brief, tuple(paths))


def _best_line(document: Document, wanted: set[str]) -> str:
    lines = [line for line in document.text.splitlines() if line.strip()] or [document.path]
    return one_line(max(lines, key=lambda line: len(wanted & set(terms(line)))), _LINE)
