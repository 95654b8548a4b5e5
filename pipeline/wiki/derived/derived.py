"""Owns what follows from a session's pages: the indexes above them and the project's log; knows no page's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.wiki.derived.indexes import render_indexes
from pipeline.wiki.derived.log import NAME, add_entry, describe
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from pipeline.observations.observation import SessionKey
    from pipeline.report import PageOutcome
    from pipeline.wiki.entry import CatalogueEntry


def derive(
    wiki: Mapping[str, bytes],
    catalogue: Mapping[str, CatalogueEntry],
    session: SessionKey,
    outcomes: Sequence[PageOutcome],
    day: date,
) -> dict[str, bytes]:
    """Render the generated files that a session's outcomes change; none without an outcome.

    `catalogue` holds the entries as they are after the session, `wiki` the files as they were before.
    """
    if not outcomes:
        return {}
    log = f"{project_folder(session.workspace, session.project)}/{NAME}"
    entry = describe(outcomes, page=log)
    indexes = render_indexes(tuple(catalogue.values()), [outcome.path for outcome in outcomes], wiki)
    return {**indexes, log: add_entry(wiki.get(log), day, entry)}
