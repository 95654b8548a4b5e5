"""Owns what is cleaned in the tree, before it is HTML: others read it too, for contents, links and footnotes.

Knows no page, no front matter and no frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.reading.safe_markdown.markup import is_readable, is_remote
from pipeline.site.anchors import is_safe_id

if TYPE_CHECKING:
    from collections.abc import Collection
    from xml.etree import ElementTree as ET

_OURS: Final = ("data-toc-label", "data-preview", "data-search-exclude")
"""Attributes that only we set, later."""
_BETWEEN_NOTES: Final = frozenset({"footnote-ref", "footnote-backref"})


def clean_tree(root: ET.Element) -> None:
    """Clean ids, addresses, images and footnotes."""
    notes = _notes(root)
    places: set[str] = set()
    within: list[tuple[ET.Element, ET.Element]] = []
    for parent in root.iter():
        if parent.attrib:
            _clean_attributes(parent, notes)
            places.add(parent.attrib.get("id", ""))
        within += ((parent, child) for child in parent if child.tag in {"a", "img"})
    for parent, child in within:
        if child.tag == "img" and is_remote(child.get("src", "")):
            _show_as_text(child) if parent.tag == "a" else _make_link(child)
        elif child.get("class") in _BETWEEN_NOTES and child.get("href", "")[1:] not in places:
            _cut_off(parent, child)


def _notes(root: ET.Element) -> set[ET.Element]:
    """Find the items of the footnotes; nothing that a page says of them stays but their id."""
    found = set()
    for division in root.iter("div"):
        if division.get("class") == "footnote":
            for item in (item for listed in division.findall("ol") for item in listed):
                item.attrib = {name: value for name, value in item.attrib.items() if name == "id"}
                found.add(item)
    return found


def _clean_attributes(element: ET.Element, notes: Collection[ET.Element]) -> None:
    attributes = element.attrib
    for name in _OURS:
        if name in attributes:
            del attributes[name]
    place = attributes.get("id")
    if place is not None and not (is_safe_id(place) and _is_own(element, place, notes)):
        del attributes["id"]
    for name in ("href", "src"):
        if name in attributes and not is_readable(attributes[name]):
            attributes[name] = "#"


def _is_own(element: ET.Element, place: str, notes: Collection[ET.Element]) -> bool:
    """Whether an id is no footnote's, or stands on one."""
    if not place.startswith(("fn:", "fnref")):
        return True
    return element in notes or (element.tag == "sup" and place.startswith("fnref"))


def _make_link(image: ET.Element) -> None:
    """Turn an image from elsewhere, which would tell its host who reads the page, into a link to it."""
    address = image.get("src", "")
    _show_as_text(image)
    image.tag = "a"
    image.set("href", address)


def _show_as_text(image: ET.Element) -> None:
    text, tail = image.get("alt") or image.get("src", ""), image.tail
    image.clear()
    image.tag, image.text, image.tail = "span", text, tail


def _cut_off(parent: ET.Element, child: ET.Element) -> None:
    """Make text of a mark whose footnote cannot be named; remove the way back from one that nothing refers to."""
    if child.get("class") == "footnote-ref":
        child.tag, child.attrib = "span", {}
        return
    position = list(parent).index(child)
    if child.tail and position:
        parent[position - 1].tail = (parent[position - 1].tail or "") + child.tail
    elif child.tail:
        parent.text = (parent.text or "") + child.tail
    parent.remove(child)
