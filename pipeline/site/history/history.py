"""Owns the history of a page as a document: its last versions, who made each, and what each of them changed.

A version is a revision that changed what readers see; what a run wrote again without a change is none. Knows no git.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.document import Document
from pipeline.site.elements import Html, element, join, link
from pipeline.site.frame import Frame
from pipeline.site.history.changed import history_of
from pipeline.site.history.differences import show
from pipeline.site.hubs.names import names_of
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.history.changed import Told
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs, Revision, Site
    from pipeline.wiki.format.frontmatter import Yaml

MOST: Final = 10
"""Versions of a page that are shown."""
ROOM: Final = 15_500
"""Bytes of a document's HTML; the differences get what is left beside the rest."""

_LARGEST: Final = 6_000
"""Bytes of the HTML of one difference."""
_HEADS: Final = 10_000
"""Bytes of what stands above the differences; of a history whose names are all too long, less is shown."""
_REST: Final = 300
"""Bytes of what stands around a difference, such as the line that tells what is left out."""
_NAME: Final = 60
"""Unicode characters."""
_SUBJECT: Final = 160
_DIGITS: Final = 10
_EXTRACTIVE: Final = "extractive"


def history_documents(inputs: Inputs, library: Library) -> Iterator[Document]:
    """Make the history of every page with two or more versions that a reader can tell apart."""
    return (document for document in map(recounting(inputs, library), library.pages) if document is not None)


def recounting(inputs: Inputs, library: Library) -> Callable[[str], Document | None]:
    """Give what makes the history of a page, by its path; None for a page without versions to tell apart."""
    names = names_of(library)

    def document(path: str) -> Document | None:
        revisions = inputs.revisions.get(path, ())
        told = list(islice(history_of(revisions), MOST + 1)) if len(revisions) > 1 else []
        return _document(names.history(path), library.pages[path], told, inputs.site) if len(told) > 1 else None

    return document


def _document(path: str, facts: Facts, told: Sequence[Told], site: Site) -> Document:
    shown = [one for one in told[:MOST] if not one.base]
    heads = [_head(one, site) for one in shown]
    while sum(map(_size, heads)) > _HEADS:
        heads.pop()
    shown = shown[: len(heads)]
    earlier = len(told) > len(shown)
    title = f"History of {one_line(facts.title, _SUBJECT)}"
    room = ROOM - sum(map(_size, heads)) - _REST * len(heads)
    parts: list[Html] = []
    for number, (one, head) in enumerate(zip(shown, heads, strict=True)):
        difference = _difference(one, max(min(room, _LARGEST), 0), site, newest=number == 0)
        room = max(room - _size(difference), 0)
        parts += (head, difference)
    back = link(to_page(path, facts.path, site), one_line(facts.title, _SUBJECT))
    versions = f"The last {len(shown)} versions of " if len(shown) > 1 else "The last version of "
    intro = element("p", versions, back, ", the newest first. Only what a reader can see counts as a change.")
    end = element("p", "Earlier versions are not shown here.") if earlier else Html()
    front: dict[str, Yaml] = {"title": title, "search": {"exclude": True}, "hide": ["toc"]}
    return Document(path, front, "", Frame(title=title, below_title=join((intro, *parts, end))))


def _size(html: Html) -> int:
    return len(html.encode("utf-8", "replace"))


def anchor_of(revision: Revision) -> str:
    """Give the anchor at which a revision stands in its page's history."""
    return f"r-{revision.commit[:_DIGITS]}"


def _head(told: Told, site: Site) -> Html:
    """Tell when a version was made, what it changed, by whom, and in which commit."""
    revision = told.revision
    when = element("time", f"{revision.at:%Y-%m-%d %H:%M} UTC", datetime=f"{revision.at:%Y-%m-%dT%H:%MZ}")
    what = told.words[:1].upper() + told.words[1:]
    commit = revision.commit[:_DIGITS]
    shown = link(site.host.commit(revision.commit), commit) if site.host else element("code", commit)
    facts = (_who(revision), one_line(revision.subject, _SUBJECT), join(("Commit ", shown)))
    made = join((element("span", fact, class_="wm-fact") for fact in facts if fact), " ")
    heading = element("h2", when, id=anchor_of(revision))
    return join((heading, element("p", element("strong", what)), element("p", made, class_="wm-made")))


def _who(revision: Revision) -> str:
    session = one_line(revision.session, _NAME)
    if not revision.model:
        return f"By {one_line(revision.author, _NAME) or 'somebody'}"
    by = "Without a language model" if revision.model == _EXTRACTIVE else f"By {one_line(revision.model, _NAME)}"
    return f"{by}, from session {session}" if session else by


def _difference(told: Told, room: int, site: Site, *, newest: bool) -> Html:
    """Show what changed, as far as there is room; that of an older version is folded away."""
    if told.change.before is None:
        return Html()
    shown = show(told.change, room)
    rest = Html()
    if shown.left_out:
        more = f"{shown.left_out:,} {'more ' if shown.html else ''}changed line{'' if shown.left_out == 1 else 's'}"
        where = link(site.host.commit(told.revision.commit), "see the commit") if site.host else "see the commit"
        rest = element("p", f"… and {more}: " if shown.html else f"{more}: ", where, class_="wm-fact")
    if newest or not shown.html:
        return join((shown.html, rest))
    return element("details", element("summary", "What changed"), shown.html, rest)
