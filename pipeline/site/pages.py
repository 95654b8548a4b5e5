"""Owns the derived document of each page: its text as it is, our front matter, and what stands around it."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from pipeline.site.around.frame_of import frame_of
from pipeline.site.around.hatnotes import successor_of, without_notice
from pipeline.site.around.surroundings import survey
from pipeline.site.document import Document
from pipeline.site.history.changed import has_history
from pipeline.text import one_line
from pipeline.wiki.markdown.claims import COLLECTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs, Quoted
    from pipeline.wiki.format.frontmatter import Yaml

_FORMER: Final = 0.3
"""How much a page that was superseded counts in the theme's search, against 1 for any other."""
_NOTE: Final = re.compile(rf"^> {COLLECTED}: every statement is a quotation\.\r?\n(?:\r?\n|\Z)", re.MULTILINE)
_TITLE: Final = 300
"""Unicode characters; and so on below."""
_DESCRIPTION: Final = 600
_TAG: Final = 60
_MOST_TAGS: Final = 30


def page_documents(inputs: Inputs, library: Library) -> Iterator[Document]:
    """Make the documents of all pages of a library, in the order of their paths."""
    return map(framing(inputs, library), library.pages)


def framing(inputs: Inputs, library: Library) -> Callable[[str], Document]:
    """Give what makes the document of a page, by its path; each page by itself."""
    around = survey(library, inputs.quoted)
    quoted: defaultdict[str, dict[str, Quoted]] = defaultdict(dict)
    for (path, label), one in inputs.quoted.items():
        quoted[path][label] = one

    def document(path: str) -> Document:
        facts = library.pages[path]
        revisions = inputs.revisions.get(path, ())
        frame = frame_of(
            facts,
            library,
            inputs.site,
            quoted=quoted.get(path, {}),
            revisions=revisions,
            history=around.names.history(path) if around.names and has_history(revisions) else "",
            around=around,
        )
        successor = successor_of(facts, library)
        body = without_notice(facts.page.body) if successor else facts.page.body
        # What the offline model notes on its pages, the header says as well, and it knows of edits by people.
        body = _NOTE.sub("", body, count=1) if facts.origin == "extractive" else body
        return Document(path, _front(facts, is_former=bool(successor) or facts.status == "deprecated"), body, frame)

    return document


def _front(facts: Facts, *, is_former: bool) -> dict[str, Yaml]:
    """Make the front matter that the generator gets: nothing of the page's own but what is checked here."""
    front: dict[str, Yaml] = {"title": one_line(facts.title, _TITLE)}
    if facts.description:
        front["description"] = one_line(facts.description, _DESCRIPTION)
    if facts.tags:
        front["tags"] = [one_line(tag, _TAG) for tag in facts.tags[:_MOST_TAGS]]
    if facts.language:
        front["lang"] = facts.language
    if facts.direction:
        front["dir"] = facts.direction
    if is_former:
        front["search"] = {"boost": _FORMER}
    if facts.type:
        front["okf_type"] = one_line(facts.type, _TAG)
    if facts.path.rpartition("/")[2] == "README.md":
        # It stands at its folder's address, which does not tell what its file is called.
        front["okf_readme"] = True
    front["okf_status"] = facts.status
    if facts.status in {"draft", "deprecated"}:
        # The theme takes every other status for the name of an icon.
        front["status"] = facts.status
    return front
