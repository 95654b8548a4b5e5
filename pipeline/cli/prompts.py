"""Owns how a prompt is shown to a person or a machine: as a model would see it, with the sizes of its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from pipeline import context as wiki_context
from pipeline import projection as window
from pipeline.prompt import render
from pipeline.text import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.cli.output import Speaker
    from pipeline.prompt import Request


class Size(TypedDict):
    """How much a part is; `entries` counts pages, lines of the catalogue, or observations."""

    part: str
    entries: int
    characters: int
    tokens: int


class Prompt(TypedDict):
    """One window."""

    session: str
    window: str
    sizes: list[Size]
    text: str


def prompts_of(shown: Mapping[str, tuple[Request, ...]]) -> list[Prompt]:
    """List the prompts of some sessions."""
    return [
        Prompt(
            session=session,
            window=f"{request.projection.number} of {request.projection.of}",
            sizes=_sizes(request),
            text=render(request),
        )
        for session, requests in shown.items()
        for request in requests
    ]


def tell_prompts(speaker: Speaker, prompts: list[Prompt]) -> None:
    """Tell the sizes and the whole text of each prompt."""
    for prompt in prompts:
        speaker.say(f"{prompt['session']}, window {prompt['window']}", style="bold")
        rows = [
            [size["part"], *(f"{size[key]:,}" for key in ("entries", "characters", "tokens"))]
            for size in prompt["sizes"]
        ]
        speaker.table(["part", "entries", "characters", "estimated tokens"], rows, numbers=(1, 2, 3))
        speaker.say()
        for line in prompt["text"].split("\n"):
            speaker.say(line)


def _sizes(request: Request) -> list[Size]:
    context = request.context
    parts = {
        "system text": (1, request.system),
        "instructions": (int(bool(context.instructions)), context.instructions),
        "slots": (len(context.slots), wiki_context.render(wiki_context.Context(slots=context.slots))),
        "catalogue": (len(context.catalogue), wiki_context.render(wiki_context.Context(catalogue=context.catalogue))),
        "pages": (len(context.pages), wiki_context.render(wiki_context.Context(pages=context.pages))),
        "observations": (len(request.projection.shown), window.render(request.projection)),
        "whole prompt": (1, render(request)),
    }
    return [
        Size(part=part, entries=entries, characters=len(text), tokens=estimate_tokens(text))
        for part, (entries, text) in parts.items()
    ]
