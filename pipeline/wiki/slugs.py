"""Owns the names of pages and folders in the wiki; knows nothing of what stands in them.

A name must be possible on every file system and in every address, so it holds letters, digits and single dashes
alone. Letters of every script stay: a title in Japanese keeps its name.
"""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from typing import TYPE_CHECKING

import regex

from pipeline.draft import FOLDERS
from pipeline.text import cut

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 60
"""Unicode characters in a slug."""

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin", "conout", "clock"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
)
_RESERVED = _DEVICES | {"index", "log"}
_ROOT_PAGES = frozenset({"tags"})
# Soft hyphens, variation selectors, joiners and Hangul fillers are letters or marks that nobody sees.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Me}]+")
_APOSTROPHE = regex.compile(r"(?<=[\p{L}\p{N}])['’ʼ](?=\p{L})")
# A mark belongs to the letter before it; without one it would sit on the dash or on the slash.
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*")

_WORD_BOUNDARY = 40
"""A slug that is cut ends with a whole word when that leaves at least so many characters."""


def slugify(text: str) -> str:
    """Make a name from a title: lowercase words of any script, joined by dashes, at most 60 characters.

    A title without a letter or digit becomes `page-<hash>`; a name that Windows or the wiki reserves gets
    `-page`. A name that this function made stays as it is.
    """
    seen = _lower(_INVISIBLE.sub("", text))
    slug = _shorten("-".join(_WORD.findall(_APOSTROPHE.sub("", seen))), LONGEST)
    if not slug:
        return f"page-{_hash(text)}"
    return f"{slug}-page" if slug in _RESERVED else slug


def portable(path: str) -> str:
    """Return a key that two paths share when some file system takes them for the same: NFC, without case."""
    return "/".join(_fold(segment) for segment in path.split("/"))


def page_path(folder: str, title: str, taken: Iterable[str]) -> str:
    """Name a new page in `folder`, so that it collides with none of the paths in `taken`.

    A name that is taken gets a short hash of the title; a title that comes back gets the next one.
    """
    keys = {portable(path) for path in taken}
    slug = slugify(title)
    path = f"{folder}/{slug}.md" if folder else f"{slug}.md"
    attempt = 0
    while portable(path) in keys:
        distinct = _hash(f"{title}\0{attempt}" if attempt else title)
        name = f"{_shorten(slug, LONGEST - len(distinct) - 1)}-{distinct}"
        path = f"{folder}/{name}.md" if folder else f"{name}.md"
        attempt += 1
    return path


def project_folder(workspace: str, project: str) -> str:
    """Name the folder of a project below the wiki's root; the workspace `default` has none of its own.

    A project that bears the name of a folder of pages, such as `decisions`, gets `-project`: in a workspace
    it would otherwise share that folder with a project that bears the workspace's name. So does a folder at
    the root that bears the name of a page there: a site has one address for `tags.md` and `tags/index.md`.
    """
    slug = slugify(project)
    home = f"{slug}-project" if slug in FOLDERS.values() else slug
    folder = home if workspace == "default" else f"{slugify(workspace)}/{home}"
    top, slash, rest = folder.partition("/")
    return f"{top}-project{slash}{rest}" if top in _ROOT_PAGES else folder


def _lower(text: str) -> str:
    """Lowercase in NFC, until nothing changes: a lowercase letter may come apart and compose anew."""
    for _ in range(4):
        lower = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())
        if lower == text:
            break
        text = lower
    return text


def _fold(segment: str) -> str:
    for _ in range(4):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", segment).casefold())
        if folded == segment:
            break
        segment = folded
    return segment


def _shorten(slug: str, limit: int) -> str:
    if len(slug) <= limit:
        return slug
    kept = cut(slug, limit)
    words = kept.rpartition("-")[0]
    whole = slug.startswith("-", len(kept)) or len(words) < min(_WORD_BOUNDARY, limit)
    return (kept if whole else words).strip("-")


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
