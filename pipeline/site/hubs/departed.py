"""Owns links of logs and indexes to pages that went: only their words stay. Knows no HTML.

A log tells what was, and an index is renewed by the next run; neither is for people to mend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.site.hubs.logbook import is_log
from pipeline.wiki.derived.indexes import is_index
from pipeline.wiki.markdown.links import links, resolve
from pipeline.wiki.markdown.unlinking import unlink

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.site.hubs.names import Names
    from pipeline.site.values import Inputs


def without_departed(words: str, path: str, inputs: Inputs, pages: Collection[str], names: Names) -> str:
    """Give the words of the document at `path` without links to pages that the site does not have."""
    targets = {target.path for link in links(words) if (target := resolve(path, link.address)) and not target.outside}
    named = {target for target in targets if target.endswith(".md")}
    return unlink(words, path, {target for target in named if not _stands(target, inputs, pages, names)})


def _stands(path: str, inputs: Inputs, pages: Collection[str], names: Names) -> bool:
    """Whether the site has something at the place of a Markdown file: a page, a hub, or the way to where it went."""
    if path in pages or path in inputs.moved:
        return True
    if path.partition("/")[0].removesuffix(".md") in names.tops.values():
        return True
    if is_log(path):
        return path in inputs.files
    folder = path.rpartition("/")[0]
    is_made = not folder or path in inputs.files or any(page.startswith(f"{folder}/") for page in pages)
    return is_index(path) and is_made
