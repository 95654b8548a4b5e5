"""Owns which folder the site generator publishes, as its configuration says; knows no page and starts no generator."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import yaml

from pipeline.errors import ConfigError
from pipeline.reading.template import CONFIGURATION

if TYPE_CHECKING:
    from pathlib import Path

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BY_DEFAULT = "docs"
_TEXT = "tag:yaml.org,2002:str"


def check_published(root: Path, pages: str) -> None:
    """Refuse a configuration that publishes another folder than that of the pages: the site would lack them all."""
    published = _published(root)
    if published is not None and PurePosixPath(published) != PurePosixPath(pages):
        tags = f", and move {published}/tags.md along" if (root / published / "tags.md").is_file() else ""
        raise ConfigError(
            f"'docs_dir' is '{published}', but the pages stand in '{pages}' (wiki.pages in wikimill.toml).",
            where=CONFIGURATION,
            next_step=f"Write `docs_dir: {pages}` there{tags}.",
        )


def _published(root: Path) -> str | None:
    """Give the folder, or None where the configuration cannot be read or leaves it to something else."""
    try:
        # Composed, not loaded: the tags of the generator's own (`!ENV`) mean something to it alone.
        top = yaml.compose((root / CONFIGURATION).read_bytes(), _LOADER)
    except (OSError, yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(top, yaml.MappingNode):
        return None
    values = {key.value: value for key, value in top.value if isinstance(key, yaml.ScalarNode)}
    if "docs_dir" not in values:
        return None if "INHERIT" in values else _BY_DEFAULT
    value = values["docs_dir"]
    return value.value if isinstance(value, yaml.ScalarNode) and value.tag == _TEXT else None
