"""Owns how the history of the pages comes to the site: read from git, scrubbed of secrets, as the site's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.site.values import Revision
from pipeline.wiki.catalogue import is_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.git import PageVersion, Repository
    from pipeline.observations.redaction.redact import Redactor


def read_revisions(
    repository: Repository, folder: str, branch: str, redactor: Redactor
) -> tuple[Mapping[str, tuple[Revision, ...]], tuple[tuple[str, str], ...]]:
    """Give the newest revisions of every page below a folder, the newest first, and all moves, the oldest first.

    Where the history that is known here begins in the middle (a shallow clone, a long history), the last revision of
    a page has neither author nor subject: it is only what the one before it in the list arose from. A page that has no
    other revision is left out.
    """
    found = repository.revisions(folder, branch=branch, wanted=is_page)
    scrub = _Scrub(redactor)
    pages = {page: tuple(scrub.revisions(versions)) for page, versions in found.pages.items()}
    return {page: revisions for page, revisions in pages.items() if revisions}, found.renames


class _Scrub:
    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def revisions(self, versions: Sequence[PageVersion]) -> Iterator[Revision]:
        if versions[0].boundary:
            return
        # Of a page with one version nobody asks how it was written: it stands so in the wiki.
        kept = len(versions) > 1
        yield from (self._revision(version, kept=kept) for version in versions)

    def _revision(self, version: PageVersion, *, kept: bool) -> Revision:
        told = version.version
        raw = self._raw(version.raw) if kept else b""
        if version.boundary:
            return Revision(told.commit, told.at, "", "", "", "", raw)
        author, model, session, subject = map(self._text, (told.author, told.model, told.session, told.subject))
        return Revision(told.commit, told.at, author, model, session, subject, raw)

    def _text(self, text: str) -> str:
        return self._redactor.scrub(text).text

    def _raw(self, raw: bytes) -> bytes:
        text = raw.decode("utf-8", "surrogateescape")
        scrubbed = self._redactor.scrub(text)
        return scrubbed.text.encode("utf-8", "surrogateescape") if scrubbed.counts else raw
