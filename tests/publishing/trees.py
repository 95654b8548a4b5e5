"""Derived trees and configurations small enough to see through, for tests of the build itself."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.publishing.making import Made, Order, make_site
from pipeline.site.derive import Derived
from pipeline.site.values import Site

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pipeline.reading.generator import GeneratorName

ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in {"SITE_URL", "REPO_URL", "WIKI_BRANCH"}}

CONFIGURATION = b"""\
site_name: !ENV [NAME_OF_SITE, Harbour]
docs_dir: docs
theme: { name: material, font: false, custom_dir: theme, language: en }
plugins: []
not_in_nav: '*'
validation: { links: { not_found: ignore, unrecognized_links: ignore }, nav: { not_found: ignore } }
markdown_extensions: [ { toc: { permalink: true } } ]
hooks: [hook.py]
"""

BASE: Mapping[str, str] = {
    "index.md": "# Home\n\nSee <a href='a/one/'>one</a>.\n",
    "a/one.md": "# One\n\nTo <a href='../two/#part'>two</a>.\n",
    "a/two.md": "# Two\n\n## Part\n\nText.\n",
    "a/index.md": "# A\n",
    "über/grün.md": "# Grün\n\n潮位の表示\n",
}
FILES: Mapping[str, bytes] = {
    "kb/index.json": b"{}",
    "a/one.md": b"# One\n",
    "old/index.html": b"<!doctype html><title>x</title><a href='../a/one/'>Moved</a>",
}


def site_root(root: Path) -> Path:
    """Write what a configuration names."""
    for path, text in {"theme/assets/own.css": "p { margin: 0 }\n", "hook.py": "", "wiki/pic.txt": "picture"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root


def tree(
    documents: Mapping[str, str] = BASE, files: Mapping[str, bytes] = FILES, others: frozenset[str] = frozenset()
) -> Derived:
    raw = {path: text.encode() for path, text in documents.items()}
    return Derived(dict(sorted(raw.items())), files, others, (), ())


def order(root: Path, *, generator: GeneratorName = "mkdocs", **changes: object) -> Order:
    configuration = CONFIGURATION.replace(b"custom_dir: theme", f"custom_dir: '{(root / 'theme').as_posix()}'".encode())
    configuration = configuration.replace(b"hook.py", f"'{(root / 'hook.py').as_posix()}'".encode())
    if generator == "zensical":
        configuration = configuration.replace(b"hooks:", b"#")
    made = Order(
        root,
        root / ".build/site",
        root / ".wikimill/site",
        configuration,
        ENVIRONMENT,
        apart=("wiki", ".build", ".wikimill"),
        generator=generator,
        processors=2,
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # a test names the fields


def make(root: Path, derived: Derived, site: Site | None = None, **changes: object) -> Made:
    placed = order(root, **changes)  # type: ignore[arg-type]  # as above
    return make_site(derived, site or Site(), placed, lambda path: (root / "wiki" / path).read_bytes())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
