"""Owns every word of ours that stands around a page's text: a translation is this one file. Knows no HTML."""

from __future__ import annotations

from typing import Final

ABOUT: Final = "About this page"
STATUSES: Final = {"stable": "Stable", "draft": "Draft", "deprecated": "Deprecated"}
TIERS: Final = {
    "human-reviewed": ("Human-reviewed", "A person has read this page against its sources"),
    "machine-confirmed": ("Machine-confirmed", "Checked against its sources by code; no person has confirmed it yet"),
    "unverified": ("Unverified", "Nobody and nothing has checked this page yet"),
}
UNSOURCED: Final = "Unsourced statement"
CONTRADICTED: Final = "Contradicted"
DUE: Final = "Review due since"

DRAFTED: Final = "AI-consolidated by"
DRAFTED_BY_SOMEONE: Final = "AI-consolidated by a language model"
COLLECTED: Final = "collected without a language model"
WRITTEN: Final = "written by hand"
FROM: Final = "from"
TO: Final = "to"
BY: Final = "by"
ON: Final = "on"
AND: Final = "and"
A_PERSON: Final = "a person"
WIKIMILL: Final = "wikimill"
CONFIRMED: Final = "confirmed by"
CHECKED: Final = "checked by code, not yet by a person"
CHECKED_BY: Final = "checked by"
NOT_YET: Final = "not yet by a person"
NOT_CONFIRMED: Final = "not confirmed by a person yet"
NOT_BY_ANOTHER: Final = "nobody else has confirmed it yet"
LAST_CHANGE: Final = "last changed"
WHAT_CHANGED: Final = "What changed"
FIRST_VERSION: Final = "First version"
EDITED: Final = "edited by"
EDITED_QUOTES: Final = "so not every statement is a quotation any more"
REVIEW_BY: Final = "to be reviewed by"

SESSION: Final = "session"
FROM_SESSION: Final = "From the session"
FROM_SESSIONS: Final = "From the sessions"
MADE_IN_IT: Final = "Pages from this session"
SOURCES: Final = "Sources"
MORE_OF_IT: Final = "More of it"
THE_SAME: Final = "The same words"
ALSO_THERE: Final = "also"
IN_OTHER_WORDS: Final = "in other words"
NOT_FOUND: Final = "not found among the observations"
NOT_CITED: Final = "Read, but not cited"
LINKED_FROM: Final = "Linked from"
ALSO: Final = "Also known as"
TAGS: Final = "Tags:"
HOME: Final = "Home"
TRAIL: Final = "Where this page stands"
GRAPH: Final = "Pages one step away"
LINKS_HERE: Final = "Links here"
LINKED_HERE: Final = "This page links to"

NOT_CURRENT: Final = "This page is no longer current."
SUPERSEDED: Final = "It was superseded by"
NO_SUCCESSOR: Final = "Nothing has taken its place."
FOR_HISTORY: Final = "It is kept for its history."
NOTICE: Final = "Deprecated page"
REPLACES: Final = "Replaces"
NOT_TO_BE_CONFUSED: Final = "Not to be confused with"
ALL_CALLED_SO: Final = "All pages of this name"

CORRECTING: Final = "Found something wrong?"
REPORT: Final = "Report a problem"
CORRECT: Final = "Correct this page"
COPY: Final = "Copy Markdown"
VIEW: Final = "View Markdown"
WITHOUT_HOST: Final = "To report or correct something, tell those who keep this wiki, or change the file"
IN_REPOSITORY: Final = "in its repository."
KEPT_LOCKED: Final = "This page is locked: no run changes it, so a correction stays as you write it."
KEPT_HAND: Final = "Runs only add to a page that a person wrote, so the words of a correction stay."
KEPT_STATE: Final = (
    "This page is rewritten as the project goes on: put what must stay between <!-- keep --> and <!-- /keep -->."
)
KEPT: Final = (
    "Your words stay: a later run only adds to a section or changes it when something new was observed about it. "
    "Put <!-- keep --> and <!-- /keep --> around what must never change."
)

REPORT_TITLE: Final = "Wrong on the page"
REPORT_PAGE: Final = "Page"
REPORT_FILE: Final = "File"
REPORT_SECTION: Final = "Section"
REPORT_GENERATED: Final = "Generated"
REPORT_WRONG: Final = "What is wrong, and how do you know?"


def observations(number: int) -> str:
    """Count observations."""
    return _counted(number, "observation", "observations")


def sources(number: int) -> str:
    """Count sources that are not all observations."""
    return _counted(number, "source", "sources")


def others(number: int) -> str:
    """Count the people or pages that are not named."""
    return _counted(number, "other", "others")


def more(number: int) -> str:
    """Count the entries of a list that are not shown."""
    return f"{number:,} more"


def left_out(number: int) -> str:
    """Count the entries that a list leaves out altogether."""
    return f"and {number:,} more that are not listed here"


def unsourced(number: int) -> str:
    """Count statements without a source."""
    return UNSOURCED if number == 1 else f"{number:,} unsourced statements"


def contradicted(number: int) -> str:
    """Count contradictions that are open."""
    return CONTRADICTED if number == 1 else f"{number:,} contradictions"


def line_of(file: str, line: int) -> str:
    """Name a line of a file."""
    return f"{file}, line {line}" if line else file


def agent(name: str) -> str:
    """Name an agent."""
    return f"{name} (agent)"


def more_of(kind: str) -> str:
    """Head the list of other pages of a kind."""
    return f"More {kind} in this project"


def all_of(kind: str) -> str:
    """Name the list of all pages of a kind."""
    return f"All {kind}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
