"""Owns the history of a page as a document: its last versions, who made each, and what each of them changed.

A version is a revision that changed what readers see; what a run wrote again without a change is none. Knows no git.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pipeline.site.addresses import to_page
from pipeline.site.around.nearby import trail_to
from pipeline.site.around.surroundings import session_pages
from pipeline.site.document import Document
from pipeline.site.elements import Html, element, join, link, text
from pipeline.site.frame import Frame
from pipeline.site.history.changed import history_of
from pipeline.site.history.differences import show
from pipeline.site.hubs.names import names_of
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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
_TITLE: Final = 80
_DIGITS: Final = 10
_EXTRACTIVE: Final = "extractive"
_RUN: Final = re.compile(r"consolidate\([^()]{0,300}\):\s*")


def history_documents(inputs: Inputs, library: Library) -> Iterator[Document]:
    """Make the history of every page with two or more versions that a reader can tell apart."""
    return (document for document in map(recounting(inputs, library), library.pages) if document is not None)


def recounting(inputs: Inputs, library: Library) -> Callable[[str], Document | None]:
    """Give what makes the history of a page, by its path; None for a page without versions to tell apart."""
    names = names_of(library)
    sessions = session_pages(library)

    def document(path: str) -> Document | None:
        revisions = inputs.revisions.get(path, ())
        told = list(islice(history_of(revisions), MOST + 1)) if len(revisions) > 1 else []
        if len(told) <= 1:
            return None
        return _document(library.pages[path], told, _Known(names.history(path), inputs.site, library, sessions))

    return document


class _Known(NamedTuple):
    """What is known around a history: where it stands, the site, all pages, and those of sessions."""

    path: str
    site: Site
    library: Library
    sessions: Mapping[tuple[str, str], str]

    def session_page(self, session: str) -> Facts | None:
        """Give the page of a session, which a commit names by its project and id."""
        project, _, session_id = session.rpartition("/")
        path = self.sessions.get((project, session_id), "")
        return self.library.pages[path] if path else None


def _document(facts: Facts, told: Sequence[Told], known: _Known) -> Document:
    path, site = known.path, known.site
    shown = [one for one in told[:MOST] if not one.base]
    # Of a history whose beginning is not known, nobody can tell the number of a version.
    complete = len(told) <= MOST and len(shown) == len(told)
    heads = [_head(one, known, facts, len(told) - number if complete else 0) for number, one in enumerate(shown)]
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
    below_title = join((intro, *parts, end))
    return Document(path, front, "", Frame(title=title, above=trail_to(path, facts, site), below_title=below_title))


def _size(html: Html) -> int:
    return len(html.encode("utf-8", "replace"))


def anchor_of(revision: Revision) -> str:
    """Give the anchor at which a revision stands in its page's history."""
    return f"r-{revision.commit[:_DIGITS]}"


def _head(told: Told, known: _Known, facts: Facts, number: int) -> Html:
    """Tell which version it is and when it was made, what it changed, by whom, and in which commit."""
    revision, site = told.revision, known.site
    when = element("time", f"{revision.at:%Y-%m-%d %H:%M}", datetime=f"{revision.at:%Y-%m-%dT%H:%MZ}")
    version = f"Version {number}, " if number else "Version of "
    what = told.words[:1].upper() + told.words[1:]
    commit = revision.commit[:_DIGITS]
    shown = link(site.host.commit(revision.commit), commit) if site.host else element("code", commit)
    session = known.session_page(revision.session)
    subject = _subject(revision.subject, [facts.title, *([session.title] if session else [])])
    parts = (_who(revision, session, known), subject, join(("Commit ", shown)))
    made = join((element("span", part, class_="wm-fact") for part in parts if part), " ")
    heading = element("h2", version, when, id=anchor_of(revision))
    return join((heading, element("p", element("strong", what)), element("p", made, class_="wm-made")))


def _who(revision: Revision, session: Facts | None, known: _Known) -> Html:
    if not revision.model:
        return text(f"By {one_line(revision.author, _NAME) or 'somebody'}")
    by = "Without a language model" if revision.model == _EXTRACTIVE else f"By {one_line(revision.model, _NAME)}"
    if session is not None:
        told: Html = link(to_page(known.path, session.path, known.site), one_line(session.title, _TITLE))
    else:
        told = text(one_line(revision.session, _NAME))
    return join((f"{by}, from session ", told)) if told else text(by)


def _subject(subject: str, titles: Sequence[str]) -> str:
    """Give what a commit's subject says beyond the session and the titles that stand there already."""
    told = one_line(subject, _SUBJECT)
    run = _RUN.match(told)
    if run is None:
        return told
    # The subject of a run lists the titles of the pages that it changed, and is cut where it is long.
    listed = [title for part in told[run.end() :].split(";") if (title := part.strip())]
    if len(listed) > 1 and listed[-1].endswith("…"):
        listed.pop()
    return "; ".join(title for title in listed if not any(_repeats(title, known) for known in titles))


def _repeats(title: str, known: str) -> bool:
    return title == known or (title.endswith("…") and known.startswith(title.removesuffix("…").rstrip()))


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
