"""Stands in for the generators: what they hand to Markdown extensions, and how they are started."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING

import markdown
import pytest
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from pipeline.site.anchors import anchor

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from xml.etree import ElementTree as ET

SAFE = "pipeline.reading.safe_markdown"
OTHERS = [
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "sane_lists",
    "tables",
    "toc",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.magiclink",
    "pymdownx.superfences",
    "pymdownx.tabbed",
    "pymdownx.tasklist",
    "pymdownx.tilde",
]
CONFIGURATION: Mapping[str, object] = {"site_name": "Harbour wiki", "docs_dir": "/x/wiki", "use_directory_urls": True}
ENGINES = ("mkdocs", "properdocs", "zensical")


class _Relpath(Treeprocessor):
    """What MkDocs and ProperDocs register."""

    file: object
    files: object
    config: object

    def run(self, root: ET.Element) -> None:
        del root


class _Context(Preprocessor):
    """What Zensical registers."""

    page: object
    config: object

    def run(self, lines: list[str]) -> list[str]:
        return lines


def rendered(
    path: str,
    text: str,
    front: dict[str, object] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    configuration: Mapping[str, object] | None = None,
    zensical: bool = False,
) -> str:
    """Render a page as a generator would, with what it hands to extensions; `front` is changed as it would be."""
    md = markdown.Markdown(
        extensions=[*OTHERS, SAFE],
        extension_configs={
            "tables": {"use_align_attribute": True},
            "toc": {"permalink": True, "slugify": anchor},
            "pymdownx.tabbed": {"alternate_style": True},
            SAFE: dict(options or {}),
        },
    )
    meta = {} if front is None else front
    config = {**CONFIGURATION, **(configuration or {})}
    if zensical:
        context = _Context(md)
        context.page, context.config = SimpleNamespace(path=path, meta=meta), config
        md.preprocessors.register(context, "rendering_context", 0)
    else:
        relative = _Relpath(md)
        page = SimpleNamespace(meta=meta)
        relative.file, relative.config = SimpleNamespace(src_uri=path, page=page, name="x"), config
        relative.files = SimpleNamespace(get_file_from_path=lambda _: True)
        md.treeprocessors.register(relative, "relpath", 0)
    return md.convert(text)


def build(engine: str, root: Path, *, strict: bool = True, **variables: str) -> Path:
    """Build a wiki repository as somebody would who has only cloned it; give the folder of the site."""
    if find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    kept = {key: value for key, value in os.environ.items() if key not in {"SITE_URL", "REPO_URL", "WIKI_BRANCH"}}
    quiet = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "NO_COLOR": "1"}
    command = [sys.executable, "-m", engine, "build", "-f", str(root / "mkdocs.yml"), *(["--strict"] if strict else [])]
    done = subprocess.run(
        command, cwd=root, env={**kept, **quiet, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return root / ".build" / "site"
