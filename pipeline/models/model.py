"""Owns the one Protocol that every model fulfils, and the values that go in and come out; knows no model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pipeline.prompt import Request  # noqa: TC001  # part of this module's face


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the model counted them; the offline model counts none."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: the text (JSON of a draft), and what it cost."""

    text: str
    usage: Usage = Usage()


class Model(Protocol):
    """Drafts pages. `name` stands in pages (`generated.by: wikimill/<name>`), commits and the ledger."""

    @property
    def name(self) -> str:
        """The name that pages, commits and the ledger give."""
        ...

    def complete(self, request: Request) -> Reply:
        """Answer one request; raises `ModelError`."""
        ...
