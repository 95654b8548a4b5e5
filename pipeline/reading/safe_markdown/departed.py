"""Owns links of generated pages to pages that went: they become text, so that a page can go without breaking a build.

A log tells what was, and an index is renewed by the next run; neither is for people to mend. A link that a person
wrote into another page stays, and the generator warns of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from markdown.treeprocessors import Treeprocessor

from pipeline.wiki.markdown.links import resolve

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

GENERATED = frozenset({"index.md", "log.md"})


class _File(Protocol):
    src_uri: str


class _Files(Protocol):
    def get_file_from_path(self, path: str) -> object: ...


class Departed(Treeprocessor):
    """Looks pages up where MkDocs and ProperDocs keep them; another generator's links stay as they are."""

    def run(self, root: ET.Element) -> None:
        """Turn each such link of the page being rendered into text."""
        if "relpath" not in self.md.treeprocessors:
            return
        relative = self.md.treeprocessors["relpath"]
        here = cast("_File", getattr(relative, "file")).src_uri  # noqa: B009 - typed as its base
        files = cast("_Files", getattr(relative, "files"))  # noqa: B009 - as above
        if here.rpartition("/")[2] not in GENERATED:
            return
        for element in root.iter("a"):
            target = resolve(here, element.get("href", ""))
            if target and target.path.endswith(".md") and files.get_file_from_path(target.path) is None:
                element.tag, element.attrib = "span", {}
