"""Owns what wikimill's texts become on GitLab: titles, marks of drafts, and descriptions that command nothing; pure."""

from __future__ import annotations

import re
from typing import Final

from pipeline.text import one_line

TITLE_LIMIT: Final = 255
"""Characters; GitLab refuses a longer title with 400."""
BODY_LIMIT: Final = 250_000
"""Characters (UTF-16 code units) that wikimill fills. GitLab itself takes 1,048,576, and refuses more with 400.

A quarter of it, because what it makes of it as HTML has a limit too (5 MB), rendering that takes long is given up, and
a proxy before a self-hosted GitLab often takes no more than 1 MB, in bytes, for a whole request.
"""

DRAFT: Final = "Draft: "
_IS_DRAFT: Final = re.compile(r"\s*(?:draft:|\[draft\]|\(draft\)|wip:|\[wip\])", re.IGNORECASE)
_SLASH: Final = re.compile(r"(^|[\r\n])/")


def titled(title: str, *, draft: bool) -> str:
    """Give a title that GitLab takes: one line, not too long; a draft's begins with `Draft: `."""
    prefix = DRAFT if draft and not is_draft(title) else ""
    return f"{prefix}{one_line(title, TITLE_LIMIT - len(prefix))}"


def is_draft(title: str) -> bool:
    """Whether GitLab takes a merge request with this title for a draft, which cannot be merged."""
    return bool(_IS_DRAFT.match(title))


def commanding_nothing(text: str) -> str:
    """Set a blank before each line that begins with a slash, and so perhaps with a quick action, such as `/merge`.

    GitLab carries out such lines of a description or a comment with the rights of the token. It looks for them at the
    very beginning of lines, and only after it has taken out every carriage return.
    """
    return _SLASH.sub(r"\1 /", text)
