"""Owns the frame of a page: everything of ours that stands around its text, in order.

Knows no file, no git and no Markdown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.site.around.backlinks import backlinks
from pipeline.site.around.correcting import correcting
from pipeline.site.around.hatnotes import hatnotes, notice
from pipeline.site.around.local_graph import local_graph
from pipeline.site.around.nearby import made_in_session, nearby, other_names, trail
from pipeline.site.around.notes import notes
from pipeline.site.around.sources import from_sessions, other_sources
from pipeline.site.around.surroundings import sessions_of, survey
from pipeline.site.around.trust import trust_header
from pipeline.site.elements import Html, join
from pipeline.site.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Quoted, Revision, Site


def frame_of(  # noqa: PLR0913 - what is known of a page comes from as many places
    facts: Facts,
    library: Library,
    site: Site,
    *,
    quoted: Mapping[str, Quoted],
    revisions: tuple[Revision, ...],
    history: str,
    around: Surroundings | None = None,
) -> Frame:
    """Make the frame of a page.

    `quoted` are the observations behind its footnotes, by label; `revisions` are the newest first; `history` is the
    path of the document that shows them, or empty. Who frames many pages surveys their library once, and hands it in.
    """
    around = around or survey(library)
    sessions = sessions_of(facts, quoted)
    noted = notes(facts, library, site, around, quoted, sessions)
    headed = from_sessions(facts, library, site, around, sessions)
    return Frame(
        title=facts.title,
        above=trail(facts, site),
        below_title=join(
            (
                notice(facts, library, site),
                hatnotes(facts, library, site, around.names.told_apart.get(facts.path, "") if around.names else ""),
                trust_header(facts, site, quoted=quoted, revisions=revisions, history=history),
                other_names(facts, site, around),
            )
        ),
        notes=noted,
        sources=headed if noted else Html(),
        below=join(
            (
                other_sources(facts, site, quoted, noted, Html() if noted else headed),
                made_in_session(facts, library, site, around),
                correcting(facts, library, site, revisions=revisions, history=history),
                backlinks(facts, library, site),
                nearby(facts, library, site, around),
                local_graph(facts, library, site, around),
            )
        ),
    )
