"""Owns which pages the site generator would publish without their front matter, silently; knows no generator's code.

Such a page would lose its title, its tags and the account of where it comes from, or the first lines of its text.
"""

from __future__ import annotations

import re

import yaml

from pipeline.finding import Finding

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BLOCK = re.compile(r"-{3}[ \t]*\n(?P<yaml>.*?\n)?(?:\.{3}|-{3})[ \t]*(?:\n|\Z)", re.DOTALL)
_TAKEN_FOR_METADATA = re.compile(r" {0,3}[A-Za-z0-9_-]+:(?:\s|\Z)")
_NEXT = "Mend the lines between the two `---`; `wikimill lint` says more."


def unreadable(path: str, raw: bytes) -> Finding | None:
    """Say what is wrong with the begin of the page at `path`, or None."""
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as fault:
        return _finding(path, f"is not UTF-8 (byte {fault.start})", "Save it as UTF-8.")
    if not text.startswith("---"):
        if _TAKEN_FOR_METADATA.match(text):
            return _finding(
                path, "begins with a line that is taken for metadata", "Begin with a heading or with `---`."
            )
        return None
    block = _BLOCK.match(text)
    if block is None:
        return _finding(path, "has front matter without an end, or more than three dashes")
    return _unreadable_block(path, block["yaml"] or "")


def _unreadable_block(path: str, block: str) -> Finding | None:
    try:
        front = yaml.load(block, _LOADER)  # noqa: S506 - the loader is the safe one
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        mark = getattr(fault, "problem_mark", None)
        place = f" in line {mark.line + 2}" if mark else ""
        return _finding(path, f"has front matter that is no YAML{place}: {getattr(fault, 'problem', None) or fault}")
    if front is None:
        return None
    if not isinstance(front, dict):
        return _finding(path, "has front matter that holds no keys")
    tags = front.get("tags")
    if tags is not None and not (isinstance(tags, list) and all(isinstance(tag, str | int | float) for tag in tags)):
        return _finding(path, "has `tags` that are no list of words", "Write them as `tags: [one, two]`.")
    return None


def _finding(path: str, message: str, next_step: str = _NEXT) -> Finding:
    return Finding(path, "unreadable-front-matter", "error", " ".join(f"{message}.".split()), next_step)
