"""Owns how a line of Markdown is shown where versions are compared: without the marks that a page shows as looks.

Linear in the length of the text. Knows no HTML and no page.
"""

from __future__ import annotations

import re
from typing import Final

_HEADING: Final = re.compile(r"#{1,6}[ \t]+(?P<words>.*?)(?:[ \t]+#+)?[ \t]*\Z", re.DOTALL)
_ITEM: Final = re.compile(r"(?P<lead>[ \t]*)[-*+][ \t]+(?:\[[ xX]\][ \t]+)?")
_STRONG: Final = re.compile(r"\*\*(?P<words>[^\s*](?:[^*\n]{0,400}[^\s*])?)\*\*")
_CODE: Final = re.compile(r"(?<!`)`(?P<words>[^`\n]{1,400})`(?!`)")
_BULLET: Final = "• "


def is_heading(line: str) -> bool:
    """Whether a line, which is no code, is a heading."""
    return _HEADING.match(line) is not None


def readable(line: str) -> str:
    """Give a line, which is no code, as a reader of the page sees it, in plain text.

    A heading and a list item lose their marks, the item for a bullet; words in bold and code between single backticks
    lose theirs. Everything else stays, the addresses of links among it: a change there is to be seen.
    """
    found = _HEADING.match(line)
    if found:
        line = found["words"]
    else:
        line = _ITEM.sub(lambda item: f"{item['lead']}{_BULLET}", line, count=1) if _ITEM.match(line) else line
    return _CODE.sub(r"\g<words>", _STRONG.sub(r"\g<words>", line))
