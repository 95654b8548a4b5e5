"""Owns how a piece of Markdown reads as text; knows nothing of what it says.

Unlike `plain`, which only compares, it keeps what belongs to a name: `files_touched` stays `files_touched`.
"""

from __future__ import annotations

from functools import lru_cache

from pipeline.wiki.markdown.inline import read_inline


@lru_cache(maxsize=16_384)
def readable(text: str) -> str:
    """Read one piece of running Markdown as text in one line, without marks of emphasis and code."""
    atoms = read_inline(text)
    parts: list[str] = []
    for number, atom in enumerate(atoms):
        if atom.kind != "run":
            parts.append(atom.value)
            continue
        before = parts[-1][-1:] if parts else ""
        after = atoms[number + 1].value[:1] if number + 1 < len(atoms) else ""
        in_name = atom.value[0] == "_" and _of_name(before) and _of_name(after)
        is_wildcard = atom.value == "*" and after in {".", "/"} and not before.isalnum()
        if in_name or is_wildcard:
            parts.append(atom.value)
    return " ".join("".join(parts).split())


def _of_name(character: str) -> bool:
    return character.isalnum() or character == "_"
