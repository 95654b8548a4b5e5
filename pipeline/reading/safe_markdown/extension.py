"""Owns the steps that a page's Markdown goes through to become safe HTML; knows neither wiki nor theme.

Raw HTML is shown as the text that it is, comments vanish, images from elsewhere become links, and what all other
extensions made of the page is reduced to what `markup` allows. Front matter, which no sanitiser of HTML sees, is
made safe where the generator keeps it for the page being rendered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, cast

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from pipeline.reading.safe_markdown.departed import Departed
from pipeline.reading.safe_markdown.front import escape, make_safe
from pipeline.reading.safe_markdown.lists import widen
from pipeline.reading.safe_markdown.markup import clean, is_readable, is_remote, is_safe_id
from pipeline.reading.safe_markdown.unsearched import Unsearched

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping
    from xml.etree import ElementTree as ET

    from markdown import Markdown

_COMMENT = r"<!--(?!-?>)(?:.|\n)*?-->"
_COMMENT_BLOCK = re.compile(rf"^ {{0,3}}{_COMMENT}[ \t]*$", re.MULTILINE)
_UNSAFE_NAME = re.compile(r"[<>&\"]")

TITLE_ENDS = "<!--wikimill:title-->"

_BEFORE_FENCES = 26
_AFTER_FENCES = 24
_WHERE_HTML_STOOD = 90
_BEFORE_CONTENTS = 6
_BEFORE_LINKS = 1
_LAST = -1_000


class _Page(Protocol):
    """What the generators' pages have in common."""

    meta: MutableMapping[str, object]


class SafeMarkdown(Extension):
    """Registers the steps; `reset` runs after every extension has registered its own."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Python-Markdown's name
        """Add the steps to a Markdown instance."""
        self.md = md
        md.registerExtension(self)
        md.preprocessors.register(_FrontMatter(md), "wikimill_front_matter", _LAST)
        md.preprocessors.register(_Lists(md), "wikimill_lists", _BEFORE_FENCES)
        md.preprocessors.register(_CommentBlocks(md), "wikimill_comments", _AFTER_FENCES)
        md.inlinePatterns.register(_Comment(_COMMENT, md), "wikimill_comment", _WHERE_HTML_STOOD)
        md.treeprocessors.register(_SafeTree(md), "wikimill_tree", _BEFORE_CONTENTS)
        md.treeprocessors.register(Unsearched(md), "wikimill_unsearched", _BEFORE_LINKS)
        md.treeprocessors.register(Departed(md), "wikimill_departed", _BEFORE_LINKS)
        md.postprocessors.register(_SafeHtml(md), "wikimill_html", _LAST)

    def reset(self) -> None:
        """Take out what passes raw HTML through, whoever put it in."""
        for registry, name in (
            (self.md.preprocessors, "html_block"),
            (self.md.inlinePatterns, "html"),
            (self.md.parser.blockprocessors, "markdown_block"),
        ):
            if name in registry:
                registry.deregister(name)


class _FrontMatter(Preprocessor):
    """Makes the front matter of the page that is being rendered safe; the text passes unchanged."""

    def run(self, lines: list[str]) -> list[str]:
        for page in _pages(self.md):
            _name_safely(page)
            make_safe(page.meta)
        return lines


def _pages(md: Markdown) -> Iterator[_Page]:
    """Find the page being rendered, where MkDocs and ProperDocs (the first) or Zensical (the second) keep it."""
    if "relpath" in md.treeprocessors:
        yield cast("_Page", getattr(md.treeprocessors["relpath"], "file").page)  # noqa: B009 - typed as its base
    if "rendering_context" in md.preprocessors:
        yield cast("_Page", getattr(md.preprocessors["rendering_context"], "page"))  # noqa: B009 - as above


def _name_safely(page: _Page) -> None:
    """Without a title a page is called after its file, and a section of the navigation after its folder."""
    name = getattr(getattr(page, "file", None), "name", "")
    if _UNSAFE_NAME.search(name):
        page.meta.setdefault("title", name)
    for section in getattr(page, "ancestors", ()):
        section.title = escape(section.title)


class _Lists(Preprocessor):
    """Lets lists be read as Git hosts read them."""

    def run(self, lines: list[str]) -> list[str]:
        return widen(lines)


class _CommentBlocks(Preprocessor):
    """Takes out comments that fill whole lines, such as the marks around what a person wants to keep."""

    def run(self, lines: list[str]) -> list[str]:
        return _COMMENT_BLOCK.sub("", "\n".join(lines)).split("\n")


class _Comment(InlineProcessor):
    """Takes out a comment inside a line."""

    def handleMatch(self, found: re.Match[str], _text: str) -> tuple[str, int, int]:  # type: ignore[override]  # noqa: N802 - as above
        return "", found.start(0), found.end(0)


class _SafeTree(Treeprocessor):
    """Cleans what others read from the tree before it is HTML: the table of contents, the generator's link check."""

    def run(self, root: ET.Element) -> None:
        for element in root.iter():
            _clean_attributes(element)
        places = {element.get("id", "") for element in root.iter()}
        for parent in list(root.iter()):
            for child in list(parent):
                leads_nowhere = child.get("href", "")[1:] not in places
                if child.tag == "img" and is_remote(child.get("src", "")):
                    _show_as_text(child) if parent.tag == "a" else _make_link(child)
                elif child.get("class") == "footnote-backref" and leads_nowhere:
                    _take_out(parent, child)
                elif child.get("class") == "footnote-ref" and leads_nowhere:
                    child.tag, child.attrib = "span", {}


def _clean_attributes(element: ET.Element) -> None:
    element.attrib.pop("data-toc-label", None)
    if "id" in element.attrib and not is_safe_id(element.attrib["id"]):
        del element.attrib["id"]
    for name in ("href", "src"):
        if name in element.attrib and not is_readable(element.attrib[name]):
            element.attrib[name] = "#"


def _make_link(image: ET.Element) -> None:
    """Turn an image from elsewhere, which would tell its host who reads the page, into a link to it."""
    address = image.get("src", "")
    _show_as_text(image)
    image.tag = "a"
    image.set("href", address)


def _show_as_text(image: ET.Element) -> None:
    text, tail = image.get("alt") or image.get("src", ""), image.tail
    image.clear()
    image.tag, image.text, image.tail = "span", text, tail


def _take_out(parent: ET.Element, child: ET.Element) -> None:
    """Remove the way back from a footnote that nothing refers to."""
    position = list(parent).index(child)
    if child.tail and position:
        parent[position - 1].tail = (parent[position - 1].tail or "") + child.tail
    elif child.tail:
        parent.text = (parent.text or "") + child.tail
    parent.remove(child)


class _SafeHtml(Postprocessor):
    """The last word on the page's HTML; marks where the title ends, for the template that says more below it."""

    def run(self, text: str) -> str:
        return clean(text).replace("</h1>", "</h1>" + TITLE_ENDS, 1)


def makeExtension(**settings: object) -> SafeMarkdown:  # noqa: N802 - Python-Markdown's name
    """Build the extension, as Python-Markdown asks for it."""
    return SafeMarkdown(**settings)
