"""Owns the steps that a page's Markdown goes through to become safe HTML with its frame; knows no theme.

Raw HTML is shown as the text that it is, comments vanish, images from elsewhere become links, and what all other
extensions made of the page is reduced to what `markup` allows. Only then is put around it what is ours. Front matter,
which no sanitiser of HTML sees, is made safe where the generator keeps it for the page being rendered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from pipeline.reading.safe_markdown.alone import frame_alone
from pipeline.reading.safe_markdown.departed import leave_departed
from pipeline.reading.safe_markdown.framing import ends_with_notes, put_around
from pipeline.reading.safe_markdown.front import escape, make_safe, read_front
from pipeline.reading.safe_markdown.linking import make_final, mark_previews, move_all
from pipeline.reading.safe_markdown.lists import widen
from pipeline.reading.safe_markdown.markup import clean
from pipeline.reading.safe_markdown.rendering import OPTIONS, rendering_of, site_of
from pipeline.reading.safe_markdown.tree import clean_tree
from pipeline.reading.safe_markdown.unsearched import pass_over
from pipeline.site.elements import Html
from pipeline.site.facts_reading import direction_of, language_of
from pipeline.site.frame import Frame, unpack
from pipeline.site.values import Site

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree import ElementTree as ET

    from markdown import Markdown

    from pipeline.reading.safe_markdown.rendering import Rendering

_COMMENT = r"<!--(?!-?>)(?:.|\n)*?-->"
_COMMENT_BLOCK = re.compile(rf"^ {{0,3}}{_COMMENT}[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"(?:^|\n)(?P<level>#{1,6})(?P<header>(?:[ \t](?:\\.|[^\\])*?)?)#*[ \t]*(?:\n|$)")
_UNSAFE_NAME = re.compile(r"[<>&\"]")

_FIRST = 10_000
_BEFORE_FENCES = 26
_AFTER_FENCES = 24
_WHERE_HTML_STOOD = 90
_BEFORE_CONTENTS = 6
_BEFORE_LINKS = 0
"""Behind the step that takes away escapes, which has the same rank and was registered before; the generators' own
steps on links are registered later."""
_LAST = -1_000


@dataclass(slots=True)
class _Work:
    """What is known of the page at hand; `notes_last` is told once its tree is done, which its last step then uses."""

    derived: bool
    rendering: Rendering | None = None
    site: Site = field(default_factory=Site)
    frame: Frame = field(default_factory=Frame)
    language: str = ""
    direction: str = ""
    notes_last: bool | None = None


class SafeMarkdown(Extension):
    """Registers the steps; `reset` runs after every extension has registered its own."""

    def __init__(self, **settings: object) -> None:
        self.config = {name: [default, told] for name, (default, told) in OPTIONS.items()}
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Python-Markdown's name
        """Add the steps to a Markdown instance."""
        self.md = md
        md.registerExtension(self)
        options = self.getConfigs()
        work = _Work(derived=options["derived"] is True)
        md.preprocessors.register(_Begin(md, work, options), "wikimill_begin", _FIRST)
        md.preprocessors.register(_Lists(md), "wikimill_lists", _BEFORE_FENCES)
        md.preprocessors.register(_CommentBlocks(md), "wikimill_comments", _AFTER_FENCES)
        md.inlinePatterns.register(_Comment(_COMMENT, md), "wikimill_comment", _WHERE_HTML_STOOD)
        md.treeprocessors.register(_Step(md, clean_tree), "wikimill_tree", _BEFORE_CONTENTS)
        md.treeprocessors.register(_Links(md, work), "wikimill_links", _BEFORE_LINKS)
        md.treeprocessors.register(_Done(md, work), "wikimill_done", _LAST)
        md.postprocessors.register(_SafeHtml(md, work), "wikimill_html", _LAST)

    def reset(self) -> None:
        """Take out what passes raw HTML through, whoever put it in; let `#word` be text, as Git hosts do."""
        for registry, name in (
            (self.md.preprocessors, "html_block"),
            (self.md.inlinePatterns, "html"),
            (self.md.parser.blockprocessors, "markdown_block"),
        ):
            if name in registry:
                registry.deregister(name)
        if "hashheader" in self.md.parser.blockprocessors:
            setattr(self.md.parser.blockprocessors["hashheader"], "RE", _HEADING)  # noqa: B010 - typed as its base


class _Begin(Preprocessor):
    """Takes a derived document's frame, or makes that of a page of the wiki; makes the front matter safe."""

    def __init__(self, md: Markdown, work: _Work, options: dict[str, object]) -> None:
        super().__init__(md)
        self._work = work
        self._options = options

    def run(self, lines: list[str]) -> list[str]:
        work = self._work
        work.rendering = rendering = rendering_of(self.md)
        work.frame, work.notes_last = Frame(), None
        work.language = work.direction = ""
        if work.derived:
            while lines and not lines[-1].strip():
                lines = lines[:-1]
            work.frame = (unpack(lines[-1]) if lines else None) or Frame()
            lines = lines[:-1]
        if rendering is not None:
            self._read(rendering, lines)
            _name_safely(rendering)
            make_safe(rendering.page.meta)
        return lines

    def _read(self, rendering: Rendering, lines: list[str]) -> None:
        work = self._work
        work.site = site_of(self._options, rendering.configuration)
        front = read_front(rendering.page.meta)
        work.language, work.direction = language_of(front), direction_of(front)
        if not work.derived:
            work.frame = frame_alone(rendering.path, front, "\n".join(lines), work.site)
        if rendering.moves_links:
            work.frame = _for_moved_links(work.frame, rendering.path, work.site)


def _for_moved_links(frame: Frame, here: str, site: Site) -> Frame:
    def written(html: Html) -> Html:
        return Html(move_all(html, here, site))

    notes = {label: written(note) for label, note in frame.notes.items()}
    return replace(
        frame,
        above=written(frame.above),
        below_title=written(frame.below_title),
        notes=notes,
        sources=written(frame.sources),
        below=written(frame.below),
    )


def _name_safely(rendering: Rendering) -> None:
    """Without a title a page is called after its file, and a section of the navigation after its folder."""
    page = rendering.page
    name = rendering.path.rpartition("/")[2].removesuffix(".md")
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
        text = "\n".join(lines)
        return _COMMENT_BLOCK.sub("", text).split("\n") if "<!--" in text else lines


class _Comment(InlineProcessor):
    """Takes out a comment inside a line."""

    def handleMatch(self, found: re.Match[str], _text: str) -> tuple[str, int, int]:  # type: ignore[override]  # noqa: N802 - as above
        return "", found.start(0), found.end(0)


class _Step(Treeprocessor):
    """A step on the tree that needs nothing else."""

    def __init__(self, md: Markdown, step: Callable[[ET.Element], None]) -> None:
        super().__init__(md)
        self._step = step

    def run(self, root: ET.Element) -> None:
        self._step(root)


class _Links(Treeprocessor):
    """Sees to links, and to what a search passes over where the theme's own search reads the page."""

    def __init__(self, md: Markdown, work: _Work) -> None:
        super().__init__(md)
        self._work = work

    def run(self, root: ET.Element) -> None:
        work, rendering = self._work, self._work.rendering
        here = rendering.path if rendering is not None else ""
        if not work.derived:
            mark_previews(root, here)
            pass_over(root, here)
            leave_departed(root, self.md)
        elif rendering is not None:
            make_final(root, here, work.site, moves_links=rendering.moves_links)


class _Done(Treeprocessor):
    """Notes what the finished tree looks like, and that what comes next is the whole page and no heading of it."""

    def __init__(self, md: Markdown, work: _Work) -> None:
        super().__init__(md)
        self._work = work

    def run(self, root: ET.Element) -> None:
        self._work.notes_last = ends_with_notes(root)


class _SafeHtml(Postprocessor):
    """The last word on the page's HTML. The table of contents asks for each heading as well, which gets no frame."""

    def __init__(self, md: Markdown, work: _Work) -> None:
        super().__init__(md)
        self._work = work

    def run(self, text: str) -> str:
        work, notes_last = self._work, self._work.notes_last
        if notes_last is None:
            return clean(text) if "<" in text else text
        work.notes_last = None
        return put_around(clean(text), work.frame, work.language, work.direction, notes_last=notes_last)


def makeExtension(**settings: object) -> SafeMarkdown:  # noqa: N802 - Python-Markdown's name
    """Build the extension, as Python-Markdown asks for it."""
    return SafeMarkdown(**settings)
