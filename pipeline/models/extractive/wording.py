"""Owns how a piece of Markdown reads as text; knows nothing of what it says.

Unlike `plain`, which only compares, it keeps what belongs to a name: `files_touched` stays `files_touched`.
"""

from __future__ import annotations

from functools import lru_cache

from pipeline.wiki.inline import read_inline


@lru_cache(maxsize=16_384)
def readable(text: str) -> str:
    """The text of one piece of running Markdown, in one line, without marks of emphasis and code."""
    atoms = read_inline(text)
    parts: list[str] = []
    for number, atom in enumerate(atoms):
        if atom.kind != "run":
            parts.append(atom.value)
            continue
        before = parts[-1][-1:] if parts else ""
        after = atoms[number + 1].value[:1] if number + 1 < len(atoms) else ""
        if atom.value[0] == "_" and (before.isalnum() or before == "_") and (after.isalnum() or after == "_"):
            parts.append(atom.value)
        elif atom.value == "*" and after in {".", "/"} and not before.isalnum():
            parts.append(atom.value)
    return " ".join("".join(parts).split())
