"""Owns links of generated pages to pages that went: they become text, so that a page can go without breaking a build.

A log tells what was, and an index is renewed by the next run; neither is for people to mend. A link that a person
wrote into another page stays, and the generator warns of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from pipeline.wiki.markdown.links import resolve

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from markdown import Markdown

GENERATED = frozenset({"index.md", "log.md"})


class _File(Protocol):
    src_uri: str


class _Files(Protocol):
    def get_file_from_path(self, path: str) -> object: ...


class _Relpath(Protocol):
    file: _File
    files: _Files


def leave_departed(root: ET.Element, md: Markdown) -> None:
    """Turn each such link of the page being rendered into text, where MkDocs or ProperDocs renders it.

    Another generator's links stay as they are.
    """
    if "relpath" not in md.treeprocessors:
        return
    relative = cast("_Relpath", md.treeprocessors["relpath"])
    here = relative.file.src_uri
    if here.rpartition("/")[2] not in GENERATED:
        return
    for element in root.iter("a"):
        target = resolve(here, element.get("href", ""))
        if target and target.path.endswith(".md") and relative.files.get_file_from_path(target.path) is None:
            element.tag, element.attrib = "span", {}
