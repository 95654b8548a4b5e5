"""Owns what a person wrote into a generated index, so that the next one carries it too.

Text between keep markers stays as it is. Other text that is no list and no heading of level 1 gets keep markers, so
that nothing is lost. Knows no page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipeline.wiki.sections.keep import CLOSE, OPEN, check_keep_markers, keep_blocks

_FRONT = re.compile(r"\A---[ \t]*\n.*?^---[ \t]*\n+", re.DOTALL | re.MULTILINE)
_GENERATED = re.compile(r"#[ \t]|\*[ \t]+\[")


def carry_over(generated: str, old: bytes) -> bytes | None:
    """Put a person's words from the old index into the new one; None when they cannot be told apart.

    What stood above the first list stands above it again, everything else below the last.
    """
    try:
        text = old.decode("utf-8")
    except UnicodeDecodeError:
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if check_keep_markers(text):
        return None
    words = _Words()
    text = _FRONT.sub("", text)
    done = 0
    for block in keep_blocks(text):
        words.sort_out(text[done : block.start])
        words.keep(block.text)
        done = block.end
    words.sort_out(text[done:])
    front = _FRONT.match(generated)
    head = front.group() if front else ""
    parts = "\n\n".join((*words.above, generated.removeprefix(head).strip("\n"), *words.below))
    return f"{head}{parts}\n".replace("\n", newline).encode()


@dataclass(slots=True)
class _Words:
    """A person's words, above and below the lists, as they are found from top to bottom."""

    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    in_list: bool = False

    def keep(self, text: str) -> None:
        (self.below if self.in_list else self.above).append(text)

    def sort_out(self, text: str) -> None:
        """Take up what is not generated; a run of lines between two generated ones is one text."""
        own: list[str] = []
        for line in text.split("\n"):
            if _GENERATED.match(line):
                self._protect(own)
                own = []
                self.in_list = True
            else:
                own.append(line)
        self._protect(own)

    def _protect(self, lines: list[str]) -> None:
        text = "\n".join(lines).strip("\n")
        if text.strip():
            self.keep(f"{OPEN}\n\n{text}\n\n{CLOSE}")
