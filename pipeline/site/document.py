"""Owns a document of the derived tree: the Markdown that the generator renders, and how its bytes are written.

Its front matter is made by us alone: plain values, every one checked. Knows no page and no hub.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.site.frame import Frame, pack
from pipeline.wiki.format.frontmatter import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.wiki.format.frontmatter import Yaml


@dataclass(frozen=True, slots=True)
class Document:
    """One Markdown file of the derived tree. `body` is Markdown and may be untrusted; `frame` is ours."""

    path: str
    front: Mapping[str, Yaml]
    body: str
    frame: Frame = field(default_factory=Frame)

    def render(self) -> bytes:
        """Write it: front matter, body, and the line with the frame, with line feeds."""
        head = f"---\n{render(self.front)}---\n\n" if self.front else ""
        body = self.body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        return f"{head}{body}\n\n{pack(self.frame)}\n".encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Hub:
    """A page of the navigation: its name there, its document, and under which heading it stands (or none)."""

    title: str
    path: str
    group: str = ""
