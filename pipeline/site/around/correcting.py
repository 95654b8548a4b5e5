"""Owns how a reader corrects or reports a page, what becomes of the correction, and how to take the text along.

It stands in the same place on every page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import address, to_place
from pipeline.site.around import words
from pipeline.site.around.changed import difference
from pipeline.site.elements import Html, element, join, link
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Revision, Site

_TITLE: Final = 120
"""Unicode characters."""


def correcting(facts: Facts, library: Library, site: Site, *, revisions: Sequence[Revision], history: str) -> Html:
    """Make the block: what can be done with the page as a list, and a sentence on what becomes of an edit."""
    file = f"{site.folder}/{facts.path}" if site.folder else facts.path
    actions: list[Html] = []
    if site.host:
        actions.append(link(_report(facts, site, file), words.REPORT))
        actions.append(link(site.host.edited(file), words.CORRECT))
    actions.append(difference(facts.path, revisions, history, site))
    if library.whole:
        # Only a site that wikimill built has the files that these two lead to.
        twin = to_place(facts.path, facts.path, site)
        actions.append(link(twin, words.VIEW))
        # It needs a script, which shows it.
        actions.append(element("button", words.COPY, type="button", data_wm_copy=twin, hidden=True))
    where = "" if site.host else join((f"{words.WITHOUT_HOST} ", element("code", file), f" {words.IN_REPOSITORY} "))
    return element(
        "div",
        element("ul", *(element("li", action) for action in actions if action)) if any(actions) else "",
        element("p", where, becomes_of_an_edit(facts)),
        class_="wm-act",
        role="group",
        aria_label=words.CORRECTING,
        data_search_exclude=True,
    )


def becomes_of_an_edit(facts: Facts) -> str:
    """Tell whether and how a person's edit survives the next run."""
    if facts.page.locked:
        return words.KEPT_LOCKED
    if facts.origin == "hand":
        return words.KEPT_HAND
    return words.KEPT_STATE if facts.page.slot == "state" else words.KEPT


def _report(facts: Facts, site: Site, file: str) -> str:
    title = one_line(facts.title, _TITLE)
    page = address(facts.path, site)
    by = f" ({one_line(facts.model, _TITLE)})" if facts.model else ""
    told = (
        (words.REPORT_PAGE, page),
        (words.REPORT_FILE, file),
        (words.REPORT_SECTION, ""),
        (words.REPORT_GENERATED, f"{facts.generated_on}{by}"),
    )
    lines = "\n".join(f"{name}: {value}" for name, value in told)
    return (
        site.host.report_on(page, f"{words.REPORT_TITLE}: {title}", f"{lines}\n\n{words.REPORT_WRONG}\n\n")
        if site.host
        else ""
    )
