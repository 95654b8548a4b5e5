"""Owns what all hubs look things up in: the pages in the order of their titles, their entries, the names of hubs.

It is made once for a site. Knows no hub.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.site.days import observed_at
from pipeline.site.document import Document
from pipeline.site.elements import Html, join
from pipeline.site.frame import Frame
from pipeline.site.hubs.departed import without_departed
from pipeline.site.hubs.freshness import fresh, newest
from pipeline.site.hubs.names import HOME, Names, names_of, type_names, type_slug
from pipeline.site.hubs.ordering import key
from pipeline.site.hubs.paging import paging, trail
from pipeline.site.hubs.rows import Row, Way, leaves, listed, render, row_of
from pipeline.site.hubs.shelving import LONGEST_TYPE
from pipeline.site.hubs.ties import orphans
from pipeline.site.hubs.wording import uncapital
from pipeline.text import one_line
from pipeline.wiki.format.safe import safe_description, safe_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs, Quoted, Site
    from pipeline.wiki.format.frontmatter import Yaml

_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Shelf:
    """The pages as the hubs list them: `order` is that of their titles, `rows` their entries by path.

    `kinds` are the pages of each type by the type's slug, `called` how the type is written; both are in the order of
    the slugs.
    """

    inputs: Inputs
    library: Library
    names: Names
    order: tuple[str, ...]
    rows: Mapping[str, Row]
    kinds: Mapping[str, tuple[Facts, ...]]
    called: Mapping[str, str]
    changed: Mapping[str, str]
    """The day (ISO) on which each page changed last, by path, or nothing."""
    seen: Mapping[str, str]
    """The time of the newest observation that each page rests on, by path, or nothing."""
    orphans: frozenset[str]
    """The pages that no other page leads to."""

    @property
    def site(self) -> Site:
        """The site."""
        return self.inputs.site

    @property
    def pages(self) -> Iterator[Facts]:
        """All pages, in the order of their titles."""
        return (self.library.pages[path] for path in self.order)

    def slug(self, facts: Facts) -> str:
        """Give the slug of a page's type, by which `kinds` and `called` go."""
        return type_slug(facts.type)

    def links_to(self, path: str) -> int:
        """Count the places that link to a page."""
        return len(self.library.backlinks.get(path, ()))

    def newest(self, pages: Iterable[Facts]) -> list[Facts]:
        """Put pages in the order of the days of their change, then of their newest observation, the newest first."""
        return sorted(pages, key=lambda facts: self.moment(facts.path), reverse=True)

    def moment(self, path: str) -> tuple[str, str]:
        """Tell by what pages are put in the order of their change: the day, then the newest observation."""
        return self.changed[path], self.seen[path]

    def latest(self, pages: Iterable[Facts]) -> list[Facts]:
        """Put pages in the order of the days that lists tell: of their newest observation, else of their change."""
        return sorted(pages, key=lambda facts: self.seen[facts.path] or self.changed[facts.path], reverse=True)

    def day_told(self, facts: Facts) -> str:
        """Tell the day of a page's newest observation, else that of its change, else nothing."""
        return fresh(self.seen[facts.path], self.changed[facts.path])

    def newest_told(self, pages: Iterable[Facts]) -> str:
        """Tell the same of the newest of some pages."""
        return fresh(*self._newest(pages))

    def both_told(self, pages: Iterable[Facts]) -> list[str]:
        """Tell the days of the newest observation and of the newest change of some pages, those that are known."""
        return newest(*self._newest(pages))

    def _newest(self, pages: Iterable[Facts]) -> tuple[str, str]:
        paths = [facts.path for facts in pages]
        seen = max((self.seen[path] for path in paths), default="")
        return seen, max((self.changed[path] for path in paths), default="")

    def entry(self, facts: Facts, *where: str, group: str = "", brief: bool = False) -> Row:
        """Make the entry of a page as lists of pages have it: where it belongs, its day, and how far to trust it."""
        standing = self.standing(facts)
        doubt = "" if standing == facts.tier else standing
        return listed(self.rows[facts.path], *where, self.day_told(facts), doubt, facts.tier, group=group, brief=brief)

    def kind(self, facts: Facts) -> str:
        """Name a page's type as within a sentence."""
        return self.noun(self.slug(facts))

    def noun(self, slug: str) -> str:
        """Name a type as within a sentence, by its slug; shortened where it is long."""
        return one_line(uncapital(self.called[slug]), LONGEST_TYPE)

    def standing(self, facts: Facts) -> str:
        """Say in a word or two what a reader should know before opening a page; nothing of most pages."""
        if facts.status == "deprecated" or facts.superseded_by:
            return "superseded"
        if facts.contradicted:
            return "contradicted"
        if facts.is_due(self.site.today):
            return "review due"
        if facts.status == "draft":
            return "draft"
        return "human-reviewed" if facts.tier == "human-reviewed" else ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that goes over one or more documents.

    `path` names the documents by their number, `steps` are the hubs above, as titles and paths. `head` stands above
    the entries of the first document, `tail` below those of the last.
    """

    title: str
    rows: Sequence[Row]
    path: Callable[[int], str]
    description: str = ""
    steps: Sequence[tuple[str, str]] = ()
    head: Callable[[Way], Html] | None = None
    tail: Callable[[Way], Html] | None = None
    words: str = ""


def shelf_of(inputs: Inputs, library: Library) -> Shelf:
    """Put the pages in order."""
    pages = library.pages
    order = tuple(sorted(pages, key=lambda path: (key(pages[path].title), path)))
    kinds: dict[str, list[Facts]] = {}
    for path in order:
        kinds.setdefault(type_slug(pages[path].type), []).append(pages[path])
    quoted: dict[str, list[Quoted]] = {}
    for (path, _), one in inputs.quoted.items():
        quoted.setdefault(path, []).append(one)
    return Shelf(
        inputs=inputs,
        library=library,
        names=names_of(library),
        order=order,
        rows={path: row_of(facts, inputs.site) for path, facts in pages.items()},
        kinds={slug: tuple(kinds[slug]) for slug in sorted(kinds)},
        called=type_names(facts.type for facts in pages.values()),
        changed={path: facts.changed_on for path, facts in pages.items()},
        seen={path: observed_at(facts, quoted.get(path, ())) for path, facts in pages.items()},
        orphans=orphans(library),
    )


def live(pages: Iterable[Facts]) -> list[Facts]:
    """Leave out the pages that another one took the place of."""
    return [facts for facts in pages if facts.status != "deprecated" and not facts.superseded_by]


def hub(  # noqa: PLR0913 - what a document of ours consists of
    shelf: Shelf,
    path: str,
    title: str,
    html: Html,
    *,
    description: str = "",
    steps: Sequence[tuple[str, str]] = (),
    words: str = "",
) -> Document:
    """Make the document of a hub; `words` are a person's own, in Markdown, and introduce what is listed.

    Of their links to pages that the site does not have only the words stay.
    """
    name = one_line(title, _LONGEST_TITLE)
    above = trail(steps, Way(path, shelf.site)) if path != HOME else Html()
    frame = Frame(name, above, below=html) if words else Frame(name, above, html)
    body = without_departed(words, path, shelf.inputs, shelf.library.pages, shelf.names)
    return Document(path, _front(name, description), body, frame)


def documents(shelf: Shelf, listing: Listing) -> Iterator[Document]:
    """Make the documents of a list."""
    cut = leaves(listing.rows)
    paths = [listing.path(number) for number in range(1, len(cut) + 1)]
    for number, (path, rows) in enumerate(zip(paths, cut, strict=True), start=1):
        way = Way(path, shelf.site)
        parts = (
            listing.head(way) if listing.head and number == 1 else "",
            render(rows, way),
            listing.tail(way) if listing.tail and number == len(cut) else "",
            paging(paths, number, way),
        )
        yield hub(
            shelf,
            path,
            listing.title if number == 1 else f"{one_line(listing.title, _LONGEST_TITLE - 20)}, page {number}",
            join(parts),
            description=listing.description,
            steps=listing.steps,
            words=listing.words if number == 1 else "",
        )


def _front(title: str, description: str) -> dict[str, Yaml]:
    """Make the front matter of a hub; search engines of themes leave it out, since it repeats what pages say."""
    told = safe_description(description)
    return {
        "title": safe_title(title) or "Page",
        **({"description": told} if told else {}),
        "search": {"exclude": True},
        "hide": ["toc"],
    }
