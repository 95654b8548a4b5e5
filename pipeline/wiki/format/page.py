"""Owns a page as a value: its front matter, its body, and all that is needed to write it back byte for byte.

Knows nothing of where pages are stored and of what the pipeline writes into them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.entry import CatalogueEntry
from pipeline.wiki.format.frontmatter import read, render, rewrite, split
from pipeline.wiki.format.safe import safe_description, safe_tag, safe_tags, safe_title
from pipeline.wiki.format.yaml_values import LARGEST
from pipeline.wiki.markdown.positions import read_source
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.revision.sources import newest_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Severity
    from pipeline.wiki.format.frontmatter import Split, Yaml

__all__ = [
    "Origin",
    "Page",
    "Source",
    "TrustTier",
    "catalogue_entry",
    "parse_page",
    "render_page",
    "safe_description",
    "safe_tag",
    "safe_tags",
    "safe_title",
    "trust_tier",
]

TrustTier = Literal["unverified", "machine-confirmed", "human-reviewed"]
Slot = Literal["state", "invariant"]

_TRUE = frozenset({"true", "yes", "on", "1"})
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_FENCE = "---"


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of `sources`; what it does not tell is empty."""

    id: str
    resource: str
    title: str
    author: str


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a page was read from: its path below the wiki's root, its parts, and its front matter."""

    path: str
    parts: Split
    front: Mapping[str, Yaml]


@dataclass(frozen=True, slots=True)
class Page:
    """A page. Change it with `dataclasses.replace`, so that it remembers the file that it came from.

    `body` is all that follows the front matter and the blank lines after it. Two pages with the same front
    matter and body are equal, wherever they came from.
    """

    front: Mapping[str, Yaml]
    body: str
    origin: Origin | None = field(default=None, compare=False, repr=False)
    findings: tuple[Finding, ...] = field(default=(), compare=False, repr=False)
    """What was wrong with the file, though it could be read."""

    @property
    def title(self) -> str:
        """The title: that of the front matter, else the heading of level 1, else the file's name."""
        told = " ".join(_text(self.front.get("title")).split())
        return told or self._heading() or self._name()

    @property
    def type(self) -> str:
        """The type, such as `Decision`; empty when the page tells none."""
        return _text(self.front.get("type"))

    @property
    def description(self) -> str:
        """The description in one line, or nothing."""
        return " ".join(_text(self.front.get("description")).split())

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags; `tags: a, b` counts as two."""
        return _texts(self.front.get("tags"))

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of the page's subject."""
        return _texts(self.front.get("aliases"))

    @property
    def status(self) -> str:
        """The status; a page that tells none is `stable`."""
        return _text(self.front.get("status")) or "stable"

    @property
    def locked(self) -> bool:
        """Whether the pipeline must leave the page as it is."""
        value = self.front.get("locked")
        return value is True or str(value).strip().lower() in _TRUE

    @property
    def slot(self) -> Slot | None:
        """How a pinned page may change; None for every other page."""
        value = self.front.get("slot")
        return "state" if value == "state" else "invariant" if value == "invariant" else None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The entries of `sources` that are mappings, in order."""
        listed = self.front.get("sources")
        entries = listed if isinstance(listed, list) else [listed]
        return tuple(
            Source(*(_text(entry.get(key)) for key in ("id", "resource", "title", "author")))
            for entry in entries
            if isinstance(entry, dict)
        )

    def _heading(self) -> str:
        headings = read_source(self.body).headings
        return next((plain(heading.text) for heading in headings if heading.level == 1), "")

    def _name(self) -> str:
        path = self.origin.path if self.origin else ""
        return path.rpartition("/")[2].removesuffix(".md").replace("-", " ")


def parse_page(path: str, raw: bytes) -> Page:
    """Read a page; raises `Rejected`, with the path, when its front matter cannot be read.

    What a person wrote a little wrong is read all the same and stands in `findings`.
    """
    parts = split(raw, path)
    parsed = read(parts.block, path) if parts.has_front else None
    if parts.has_front and parsed is None:
        # Text between two rules, or a list: it belongs to the body.
        parts = _without_front(parts)
    front = parsed.front if parsed is not None else {}
    findings = (*_told_by_file(path, parts), *(parsed.findings if parsed else ()), *_told_by_keys(path, front))
    return Page(front, parts.body, Origin(path, parts, front), findings)


def render_page(page: Page) -> bytes:
    """Write a page: byte for byte where nothing changed.

    Keys of the front matter that did not change keep their lines, comments included; line breaks follow the file.
    A new page has line feeds and ends with one.
    """
    origin = page.origin
    if origin is None:
        body = page.body.lstrip("\r\n").rstrip("\r\n")
        head = _head(render(page.front), "\n", "\n")
        return _encode(f"{head}{body}\n" if body else head, page)
    parts = origin.parts
    bom = "\ufeff" if parts.bom else ""
    if render(page.front) == render(origin.front):
        return _encode(f"{bom}{parts.head}{page.body}")
    gap = parts.gap if parts.has_front else parts.newline
    return _encode(f"{bom}{_head(rewrite(parts.block, page.front), parts.newline, gap)}{page.body}", page)


def trust_tier(page: Page) -> TrustTier:
    """Tell how far a page was verified: by a person, by a process only, or not at all."""
    verified = page.front.get("verified")
    entries = verified if isinstance(verified, list) else [verified]
    by = [_text(entry.get("by")) for entry in entries if isinstance(entry, dict)]
    if any(who.startswith("human:") for who in by):
        return "human-reviewed"
    return "machine-confirmed" if any(who.startswith("process:") for who in by) else "unverified"


def catalogue_entry(path: str, page: Page) -> CatalogueEntry:
    """Bring a page into one line of the catalogue."""
    return CatalogueEntry(
        path=path,
        type=page.type,
        title=page.title,
        description=page.description,
        aliases=page.aliases,
        tags=page.tags,
        status=page.status,
        date=newest_time(page.front),
    )


def _head(block: str, newline: str, gap: str) -> str:
    if not block:
        return ""
    lines = f"{_FENCE}\n{block}{_FENCE}\n".replace("\n", newline)
    return f"{lines}{gap}"


def _encode(text: str, new: Page | None = None) -> bytes:
    """Encode a file; new front matter must not be larger than what could be read again."""
    if new is not None and len(render(new.front)) > LARGEST:
        where = new.origin.path if new.origin else new.title
        raise Rejected(f"its front matter would have more than {LARGEST:,} characters.", where=where)
    return _SURROGATE.sub("\ufffd", text).encode()


def _without_front(parts: Split) -> Split:
    return type(parts)("", "", "", "", parts.text, parts.newline, parts.bom)


def _told_by_file(path: str, parts: Split) -> tuple[Finding, ...]:
    told: list[tuple[str, Severity, str]] = []
    if parts.bom:
        told.append(
            (
                "byte-order-mark",
                "note",
                "the file begins with a byte order mark; some readers then miss its front matter.",
            )
        )
    if not parts.has_front:
        told.append(("front-matter-missing", "warning", "the page has no front matter."))
    elif {line.strip() for line in (parts.opening, parts.closing)} != {_FENCE} or parts.opening[0] != "-":
        message = "front matter begins on the first line and stands between lines of exactly three dashes."
        told.append(("front-matter-fence", "warning", message))
    return tuple(Finding(path, rule, severity, message) for rule, severity, message in told)


def _told_by_keys(path: str, front: Mapping[str, Yaml]) -> tuple[Finding, ...]:
    forms: dict[str, str] = {}
    for key, value in front.items():
        if value is None:
            continue
        if key in {"title", "description", "type"} and not isinstance(value, str):
            forms[key] = "a text"
        elif key in {"tags", "aliases"} and not isinstance(value, list):
            forms[key] = "a list, such as [a, b]"
        elif key in {"sources", "verified"} and not (
            isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        ):
            forms[key] = "a list of entries with keys"
    return tuple(
        Finding(path, "front-matter-form", "warning", f"'{key}' should be {form}.") for key, form in forms.items()
    )


def _text(value: Yaml) -> str:
    """Return what a scalar says; nothing for a list or a mapping."""
    if value is None or isinstance(value, list | dict):
        return ""
    return value.strip() if isinstance(value, str) else str(value)


def _texts(value: Yaml) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    entries = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_text, entries) if text)
