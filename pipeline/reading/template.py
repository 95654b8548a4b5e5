"""Owns the site of a new wiki repository: which files it begins with; knows no repository and writes nothing.

The files are those of wikimill's own site, so that there is one source: inside an installed package they stand
below `pipeline/shipped/`, in a checkout beside the package.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

CONFIGURATION = "mkdocs.yml"
THEME = "site"
TAGS_PAGE = "wiki/tags.md"

_NAME = re.compile(r"^site_name: .*$", re.MULTILINE)
_TAGS = """\
---
type: Index
title: Tags
description: Every tag of this wiki and the pages that carry it.
status: stable
locked: true
search: { exclude: true }
---

# Tags

Every tag, and the pages that carry it. The list is made when the site is built.

<!-- material/tags -->
"""


def site_files(site_name: str = "Team wiki") -> Mapping[str, bytes]:
    """Give the files that make a wiki repository's site, by path: `mkdocs.yml`, `site/**` and the tags page."""
    home = _home()
    try:
        configuration = (home / CONFIGURATION).read_bytes().decode()
        theme = dict(_walk(home / THEME, THEME))
    except OSError as fault:
        raise StoreError(
            f"cannot be read: {fault.strerror}.", where=CONFIGURATION, next_step="Install wikimill again."
        ) from None
    named = _NAME.sub(lambda _: f"site_name: {json.dumps(site_name, ensure_ascii=False)}", configuration)
    return {CONFIGURATION: named.encode(), **theme, TAGS_PAGE: _TAGS.encode()}


def _home() -> Traversable:
    installed = files("pipeline") / "shipped"
    return installed if (installed / CONFIGURATION).is_file() else Path(__file__).parents[2]


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{path}/{entry.name}")
        else:
            yield f"{path}/{entry.name}", entry.read_bytes()
