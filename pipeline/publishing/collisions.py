"""Owns which of two that would stand at one place of the site does. Knows no disk and no HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.site.addresses import file_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.site.derive import Derived
    from pipeline.site.values import Site


def below_files(derived: Derived, site: Site) -> dict[str, Finding]:
    """Find documents and files that would need a folder where the site has a file: a page in a folder `feed.xml`."""
    ours = {path.casefold(): path for path in (*derived.files, "404.html") if not path.endswith(".md")}
    blocked = {}
    for path in (*derived.documents, *derived.files):
        file = file_of(path, directory_urls=site.directory_urls) if path in derived.documents else path
        above = file.casefold().rpartition("/")[0]
        while above and above not in ours:
            above = above.rpartition("/")[0]
        if above:
            told = (
                f"cannot be published: the site has a file '{ours[above]}' where a folder would have to stand for it."
            )
            blocked[path] = Finding(path, "site-name", "error", told, "Rename the page, or the folder that it is in.")
    return blocked


def by_file(documents: Iterable[str], site: Site) -> tuple[dict[str, str], list[Finding]]:
    """Tell which document makes each page; of two that would make the same one, the index does."""
    paths: dict[str, str] = {}
    doubled = []
    for path in sorted(documents, key=lambda path: (not path.endswith("index.md"), path)):
        file = file_of(path, directory_urls=site.directory_urls)
        if file in paths:
            told = f"is not published: '{paths[file]}' stands at the same address."
            doubled.append(Finding(path, "site-name", "warning", told, "Rename it."))
        else:
            paths[file] = path
    return dict(sorted(paths.items())), doubled
