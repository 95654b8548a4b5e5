"""Owns the way from one document of a long list to the others, and the trail that leads to a hub from the top.

Knows no entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.hubs.rows import Way

_NEAR: Final = 2
"""Documents before and after this one that are named by their number."""


def paging(paths: Sequence[str], number: int, way: Way) -> Html:
    """Lead to the documents before and after the one with a number (from 1), to the first and to the last."""
    last = len(paths)
    if last < 2:  # noqa: PLR2004 - one document needs no paging
        return Html()
    named = sorted({1, last, *range(max(1, number - _NEAR), min(last, number + _NEAR) + 1)})
    parts: list[Html] = []
    if number > 1:
        parts.append(link(way.page(paths[number - 2]), "Previous", rel="prev"))
    for before, one in zip([0, *named], named, strict=False):
        if one - before > 1:
            parts.append(element("span", "…"))
        parts.append(_numbered(one, way.page(paths[one - 1]), here=one == number))
    if number < last:
        parts.append(link(way.page(paths[number]), "Next", rel="next"))
    return element("nav", join(parts, " "), class_="wm-pages", aria_label="Pages of this list")


def trail(steps: Sequence[tuple[str, str]], way: Way) -> Html:
    """Lead back to the hubs above, each a title and a path; the home page comes first and need not be given."""
    whole = [("Home", "index.md"), *steps]
    listed = join(element("li", link(way.page(path), title)) for title, path in whole)
    return element("nav", element("ol", listed), class_="wm-trail", aria_label="Where this page stands")


def _numbered(number: int, address: str, *, here: bool) -> Html:
    if here:
        return element("span", str(number), aria_current="page")
    return link(address, str(number), aria_label=f"Page {number}")
