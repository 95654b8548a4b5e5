"""Owns how a reader corrects or reports a page, what becomes of the correction, and how to take the text along.

The two links that a reader who finds an error needs stand in sight, behind the page's trust header; the rest stands in
the same place below the text of every page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import address, to_place
from pipeline.site.around import words
from pipeline.site.around.changed import difference
from pipeline.site.around.told import fact
from pipeline.site.elements import Html, element, join, link
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Revision, Site

_TITLE: Final = 120
"""Unicode characters."""
_MARKERS: Final = re.compile(r"(<!-- /?keep -->)")


def quick_links(facts: Facts, site: Site) -> Html:
    """Link to where a page is reported and corrected; nothing where no host is known."""
    links = _links(facts, site)
    return element("p", join(map(fact, links), " "), class_="wm-quick") if links else Html()


def correcting(facts: Facts, library: Library, site: Site, *, revisions: Sequence[Revision], history: str) -> Html:
    """Make the block: what else can be done with the page as a list, and a sentence on what becomes of an edit."""
    # A page without a type has no header that the links could stand behind.
    actions: list[Html] = [] if facts.type else _links(facts, site)
    actions.append(difference(facts.path, revisions, history, site))
    if library.whole:
        # Only a site that wikimill built has the files that these two lead to.
        twin = to_place(facts.path, facts.path, site)
        actions.append(link(twin, words.VIEW))
        # It needs a script, which shows it.
        actions.append(element("button", words.COPY, type="button", data_wm_copy=twin, hidden=True))
    file = element("code", _file(facts, site))
    where = "" if site.host else join((f"{words.WITHOUT_HOST} ", file, f" {words.IN_REPOSITORY} "))
    return element(
        "div",
        element("ul", *(element("li", action) for action in actions if action)) if any(actions) else "",
        element("p", where, becomes_of_an_edit(facts)),
        class_="wm-act",
        role="group",
        aria_label=words.CORRECTING,
        data_search_exclude=True,
    )


def becomes_of_an_edit(facts: Facts) -> Html:
    """Tell whether and how a person's edit survives the next run."""
    if facts.page.locked:
        says = words.KEPT_LOCKED
    elif facts.origin == "hand":
        says = words.KEPT_HAND
    else:
        says = words.KEPT_STATE if facts.page.slot == "state" else words.KEPT
    return join(element("code", part) if number % 2 else part for number, part in enumerate(_MARKERS.split(says)))


def _links(facts: Facts, site: Site) -> list[Html]:
    if not site.host:
        return []
    file = _file(facts, site)
    return [link(_report(facts, site, file), words.REPORT), link(site.host.edited(file), words.CORRECT)]


def _file(facts: Facts, site: Site) -> str:
    return f"{site.folder}/{facts.path}" if site.folder else facts.path


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
