"""Owns what a context is: values alone; knows neither how they are chosen nor how a model reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.wiki.entry import CatalogueEntry


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One page whose whole text a prompt carries; a `locked` one must not be changed, an `invariant` one hardly."""

    path: str
    text: str
    locked: bool = False
    invariant: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The wiki around one window: what people ask of the pipeline, slots, all pages in a line each, some whole."""

    instructions: str = ""
    slots: tuple[ShownPage, ...] = ()
    catalogue: tuple[CatalogueEntry, ...] = ()
    left_out: int = 0
    """Pages that the catalogue had no room for."""
    pages: tuple[ShownPage, ...] = ()
    slots_left_out: tuple[str, ...] = ()
    """Paths of slots that had no room; whoever reads the context for a run has to tell."""

    @property
    def shown(self) -> tuple[ShownPage, ...]:
        """Every page whose text is shown."""
        return (*self.slots, *self.pages)
