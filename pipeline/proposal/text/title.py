"""Owns the title of a proposal: how much it is and of which projects. No untrusted word stands in it.

Projects are named as their folders are, which hold letters, digits and dashes alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.proposal.text.wording import count

if TYPE_CHECKING:
    from pipeline.proposal.account import Account

_MOST: Final = 3
_LONGEST: Final = 40
_FOLDER = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_DEPTH: Final = 2
"""A page stands in a folder for its kind, and that in the project's."""


def title(account: Account) -> str:
    """Say in one line how much there is to review: `wiki: 4 pages from 3 sessions of acme`."""
    pages = count(len(account.pages), "page")
    if account.verified and not account.commits:
        return f"wiki: {count(len(account.verified), 'page')} reviewed by a person"
    told = f"wiki: {pages} from {count(len(account.commits), 'session')}" if account.commits else f"wiki: {pages}"
    projects = sorted({name for page in account.pages if (name := _project(page.path))})
    if projects:
        more = f" and {count(len(projects) - _MOST, 'other project')}" if len(projects) > _MOST else ""
        told = f"{told} of {', '.join(projects[:_MOST])}{more}"
    return f"{told} (partial)" if account.status == "partial" else told


def _project(path: str) -> str:
    """Name the project of a page; nothing for a page that stands elsewhere."""
    folders = path.split("/")[:-_DEPTH]
    name = folders[-1] if folders else ""
    return name if len(name) <= _LONGEST and _FOLDER.fullmatch(name) else ""
