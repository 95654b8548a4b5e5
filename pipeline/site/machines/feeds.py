"""Owns the feeds (Atom, RFC 4287): `feed.xml` with the newest changes of all pages, `feeds/<type>.xml` with one type's.

An entry's id is a `tag:` URI made of the site's host and the page's path, so that a page that changes stays one entry.
Its time is that of the page's last change in content as its front matter tells it, or of a person's later edit; never
that of the build or of a file: a page that is written again with the same content does not come up.
Knows no HTML.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pipeline.site.days import observed_at
from pipeline.site.history.changed import history_of
from pipeline.site.hubs.names import type_names, type_slug
from pipeline.site.hubs.wording import plural, uncapital
from pipeline.site.machines.index_json import file_url, url_of
from pipeline.site.machines.written import Xml, day, one_line, tag
from pipeline.text import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs, Revision, Site
    from pipeline.wiki.format.frontmatter import Yaml

FEED: Final = "feed.xml"
MOST: Final = 50
"""Entries of a feed."""

_LONGEST: Final = 500
"""Characters of a summary."""
_SINCE: Final = "2026"
"""The year from which on the ids hold; an id never changes, so neither does this."""
_ENDED: Final = re.compile(r"[.!?…。！？؟][\"'”’»)\]]?\Z")
_NO_CHANGE: Final = "1970-01-01T00:00:00Z"
_HOST: Final = re.compile(r"https?://(?:[^/?#@]*@)?([A-Za-z0-9.-]+)")


def feed_of(kind: str) -> str:
    """Give the path of the feed of a type of pages."""
    return f"feeds/{type_slug(kind)}.xml"


def feeds(inputs: Inputs, library: Library) -> dict[str, bytes]:
    """Write all feeds."""
    site = inputs.site
    times = {path: _changed(facts) for path, facts in library.pages.items()}
    dated = [facts for facts in library.pages.values() if times[facts.path]]
    newest = sorted(dated, key=lambda facts: (times[facts.path], observed_at(facts)), reverse=True)
    by_type: dict[str, list[Facts]] = {}
    for facts in newest:
        by_type.setdefault(type_slug(facts.type), []).append(facts)
    files = {FEED: _feed(FEED, site.name, newest[:MOST], times, inputs)}
    for slug, name in type_names(facts.type for facts in library.pages.values()).items():
        path = feed_of(name)
        files[path] = _feed(
            path, f"{site.name}: {plural(uncapital(name))}", by_type.get(slug, ())[:MOST], times, inputs
        )
    return files


def _feed(path: str, title: str, pages: Sequence[Facts], times: Mapping[str, str], inputs: Inputs) -> bytes:
    site = inputs.site
    lines = [
        tag("title", title),
        *([tag("subtitle", site.description)] if site.description else []),
        tag("id", _identity(site, path)),
        tag("updated", max((times[facts.path] for facts in pages), default=_NO_CHANGE)),
        tag("link", rel="self", type="application/atom+xml", href=f"{_top(path, site)}{path}"),
        tag("link", rel="alternate", type="text/html", href=_top(path, site) or "./"),
        tag("author", tag("name", site.name or "wikimill")),
        tag("generator", "wikimill"),
        *(_entry(facts, path, times[facts.path], inputs) for facts in pages),
    ]
    return _document(lines)


def _document(lines: Iterable[Xml]) -> bytes:
    inner = "".join(f"{line}\n" for line in lines)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
    return f"{head}{inner}</feed>\n".encode()


def _entry(facts: Facts, feed: str, at: str, inputs: Inputs) -> Xml:
    site = inputs.site
    top = _top(feed, site)
    return tag(
        "entry",
        tag("title", facts.title or facts.path),
        tag("id", _identity(site, f"pages/{facts.path}")),
        tag("updated", at),
        tag("link", rel="alternate", type="text/html", href=f"{top}{url_of(facts.path, site)}"),
        tag("link", rel="alternate", type="text/markdown", href=f"{top}{file_url(facts.path, site)}"),
        *([tag("category", term=facts.type)] if facts.type else []),
        *(tag("category", term=name) for name in facts.tags[:20]),
        tag("summary", _summary(facts, inputs.revisions.get(facts.path, ()))),
    )


def _summary(facts: Facts, revisions: Sequence[Revision]) -> str:
    """Say what changed last, where the history tells it, what the page is about, and how far to trust it."""
    newest = next(history_of(revisions), None)
    changed = one_line(newest.words) if newest and not newest.base else ""
    told = [_sentence(changed[:1].upper() + changed[1:]), _sentence(one_line(facts.description))]
    if facts.superseded_by or facts.status == "deprecated":
        told.append("This page is no longer current.")
    if facts.contradicted:
        told.append("A statement on it is contradicted.")
    if facts.tier == "human-reviewed":
        told.append("Reviewed by a person.")
    return cut(" ".join(filter(None, told)), _LONGEST)


def _sentence(words: str) -> str:
    """End words with a full stop; they begin as they are written, since they may begin with an identifier."""
    return f"{words}{'' if not words or _ENDED.search(words) else '.'}"


def _changed(facts: Facts) -> str:
    """Give the moment of a page's last change, to the second where it is known, else the day's start, else nothing."""
    if facts.edited_at:
        return facts.edited_at
    on = day(facts.changed_on)
    if not on:
        return ""
    generated = facts.page.front.get("generated")
    at = generated.get("at") if isinstance(generated, dict) else None
    moment = _moment(at)
    return moment if moment.startswith(on) else f"{on}T00:00:00Z"


def _moment(at: Yaml) -> str:
    """Write a moment of a page's front matter in UTC, or nothing."""
    try:
        read = datetime.fromisoformat(at) if isinstance(at, str) else at
        if not isinstance(read, datetime):
            return ""
        return f"{read.astimezone(UTC) if read.tzinfo else read:%Y-%m-%dT%H:%M:%SZ}"
    except (ValueError, OverflowError):
        return ""


def _identity(site: Site, name: str) -> str:
    host = _HOST.match(site.url)
    return f"tag:{host.group(1).lower() if host else 'wikimill'},{_SINCE}:{file_url(name, site)}"


def _top(feed: str, site: Site) -> str:
    """Give the address of the site's top: the whole one if it is known, else the one from the feed."""
    return site.url or "../" * feed.count("/")
