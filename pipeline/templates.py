"""Owns where prompt templates come from: the wiki repository's own, else those shipped; knows no prompt's content."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from pipeline.errors import ConfigError, StoreError

BATCH = "batch_consolidate_system.md"
"""The system text of the `batch` mode."""
SINGLE = "single_consolidate_system.md"
"""The system text of the `single` mode."""


def read_prompt(folder: Path, name: str) -> str:
    """Read the template `name` from `folder` (the repository's own prompts) or, where none stands, as shipped.

    Line ends become LF, a byte order mark goes. A template that is not UTF-8 or empty is a `ConfigError`.
    """
    path = folder / name
    try:
        raw = path.read_bytes() if path.is_file() else shipped_prompts()[name]
    except OSError as fault:
        raise StoreError(f"cannot be read: {fault.strerror}.", where=path.name) from None
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8.", where=path.name, next_step="Save it as UTF-8.") from None
    if not text.strip():
        raise ConfigError("is empty.", where=path.name, next_step="Delete it to use the shipped prompt.")
    return text


def shipped_prompts() -> dict[str, bytes]:
    """All templates that come with wikimill, by file name: inside an installed package, beside it in a checkout."""
    installed = files("pipeline") / "shipped" / "prompts"
    place = installed if installed.is_dir() else Path(__file__).parents[1] / "prompts"
    found = {entry.name: entry.read_bytes() for entry in place.iterdir() if entry.name.endswith(".md")}
    return dict(sorted(found.items()))
