"""Owns the redirects: what stands at the former address of a page that moved, and `kb/redirects.json`.

At each former address stands a small page that leads on at once: by a script that keeps the part of the address
behind `#` (assets/wikimill-redirect.js, which reads `data-to`), without scripts by `http-equiv="refresh"`, and where
neither works by its link. It holds no script of its own, forbids any other by its Content-Security-Policy, names the
new address as canonical and asks search engines to leave it out.

kb/redirects.json: {"schema": "1", "generated": "<day of the newest change>", "redirects": {"old/place/":
"new/place/"}}, both from the site's top; the old one is not encoded, of the new one only what an address cannot hold.

Chains lead to their end at once. Refused, with a finding: a circle, an address in use again, a page that is not
there, and a name that no page may have. Knows no git and no ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.site.addresses import address, file_of, place_of, to_page, to_place
from pipeline.site.elements import Html, element
from pipeline.site.machines.index_json import SCHEMA, newest_change
from pipeline.site.machines.written import json_bytes
from pipeline.site.moved import LEDGER, ends_of
from pipeline.wiki.markdown.links import encode
from pipeline.wiki.paths import check_path
from pipeline.wiki.slugs import portable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.site.library import Library
    from pipeline.site.values import Inputs, Site

SCRIPT: Final = "assets/wikimill-redirect.js"
REDIRECTS: Final = "kb/redirects.json"

_POLICY: Final = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'"
_MEND: Final = f"Change or remove its line in {LEDGER}."


@dataclass(frozen=True, slots=True)
class Redirects:
    """The files of the redirects, by path, and the moves that were refused."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]


def redirects(inputs: Inputs, library: Library, documents: Collection[str], taken: Collection[str]) -> Redirects:
    """Make the redirects; `documents` are the paths of all documents of the site, `taken` those of its other files."""
    site = inputs.site
    places = _Places(site, documents, taken)
    files: dict[str, bytes] = {}
    leads: dict[str, str] = {}
    findings: list[Finding] = []
    for old, new in sorted(ends_of(inputs.moved, documents).items()):
        problem = _problem(old, new, documents, places)
        if problem:
            findings.append(_finding(old, *problem))
        elif not places.take(old):
            # Where its name differs by case alone, it is the page itself that stands there.
            if portable(places.file(old)) != portable(places.file(new)):
                findings.append(_finding(old, "redirect-in-use", "a file of the site stands at its former address"))
        else:
            known = library.pages.get(new)
            files[places.file(old)] = _stub(old, new, known.title if known else new, site)
            leads[place_of(old, directory_urls=site.directory_urls)] = encode(
                place_of(new, directory_urls=site.directory_urls)
            )
    files[REDIRECTS] = json_bytes({"schema": SCHEMA, "generated": newest_change(library), "redirects": {**leads}})
    return Redirects(files, tuple(findings))


class _Places:
    """The files of the site, so that no stub takes the place of one, or of a folder that one stands in.

    Names that differ only by case or normal form count as one: on some systems they are.
    """

    def __init__(self, site: Site, documents: Collection[str], taken: Collection[str]) -> None:
        self._site = site
        self._pages = {portable(self.file(path)) for path in documents}
        self._files = self._pages | {portable(path) for path in taken}

    def file(self, path: str) -> str:
        """Give the file that stands at a page's address."""
        return file_of(path, directory_urls=self._site.directory_urls)

    def holds(self, path: str) -> bool:
        """Whether another page of the site has this very address now."""
        return portable(self.file(path)) in self._pages

    def take(self, path: str) -> bool:
        """Take the place of a stub, if it is free."""
        key = portable(self.file(path))
        folders = key.split("/")[:-1]
        above = {"/".join(folders[:depth]) for depth in range(1, len(folders) + 1)}
        if key in self._files or above & self._files:
            return False
        self._files.add(key)
        return True


def _problem(old: str, new: str, documents: Collection[str], places: _Places) -> tuple[str, str] | None:
    """Tell why a move is refused: the rule and the reason; None when it is not."""
    if not _is_page(old):
        return "redirect-name", "its former path is none that a page can have"
    if old in documents:
        return "redirect-in-use", "its former address is in use again, so nothing leads on from there"
    if not new:
        return "redirect-circle", "the moves lead back to where they began"
    if new not in documents:
        return "redirect-nowhere", f"no page stands at {new[:120]!a}"
    if places.holds(old) and portable(places.file(old)) != portable(places.file(new)):
        return "redirect-in-use", "another page of the site stands at its former address"
    return None


def _is_page(path: str) -> bool:
    try:
        check_path(path)
    except Rejected:
        return False
    return path.endswith(".md") and not any(part.startswith(".") for part in path.split("/"))


def _finding(old: str, rule: str, why: str) -> Finding:
    return Finding(ascii(old)[1:-1][:200], rule, "warning", f"the move of this page is left out: {why}.", _MEND)


def _stub(old: str, new: str, title: str, site: Site) -> bytes:
    """Write the page at a former address."""
    to = to_page(old, new, site)
    head = (
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("title", f"{title} has moved"),
        element("script", Html(), src=to_place(old, SCRIPT, site), data_to=to),
        element("meta", http_equiv="refresh", content=f"0; url={to}"),
        element("link", rel="canonical", href=address(new, site) if site.url else to),
        element("meta", name="robots", content="noindex"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
    )
    body = element("p", "This page has moved: ", element("a", title, href=to), ".")
    whole = element("html", *("\n", element("head", *head), "\n", element("body", body), "\n"), lang=site.language)
    return f"<!doctype html>\n{whole}\n".encode("utf-8", "replace")
