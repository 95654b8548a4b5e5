"""Owns the shape of a model's reply; knows nothing of how a reply is read, of pages on disk, or of who drafted it.

The limits are those of the contract: one to five updates, at most 200 characters of title, 300 of description.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["session", "concept", "decision", "gotcha", "procedure", "rule", "slot"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FOLDERS: dict[Kind, str] = {
    "session": "sessions",
    "concept": "concepts",
    "decision": "decisions",
    "gotcha": "gotchas",
    "procedure": "procedures",
    "rule": "rules",
    "slot": "slots",
}
"""The folder below its project in which a page of each kind stands."""

MOST_UPDATES = 5
MOST_NAMES = 12
"""Tags of a page, and other names of it."""
LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 300
LONGEST_REASON = 500
"""Of a rationale or a contradiction. All three are in Unicode characters."""

Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
Description = Annotated[str, Field(max_length=LONGEST_DESCRIPTION)]
Names = Annotated[tuple[str, ...], Field(max_length=MOST_NAMES)]
Body = Annotated[str, Field(min_length=1, max_length=60_000)]
Reason = Annotated[str, Field(max_length=LONGEST_REASON)]

_HANDLES = re.compile(r"\[\^(o[1-9][0-9]*)\]")


class _Draft(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ConsolidatedPage(_Draft):
    """The reply of the `single` mode: one page for one session. Claims cite handles: `[^o12]`."""

    title: Title
    description: Description
    tags: Names = ()
    body: Body


class ConsolidatedPageUpdate(_Draft):
    """One page that a reply creates or changes.

    `path` is the path, relative to the wiki's root, of a page that was shown; empty for a new page, whose
    path wikimill derives from `kind` and `title`. For a new page `body` is all that follows the title; for a
    page that exists it holds only the sections that change, each under its heading (`## ...`). A section goes
    only when `removed_sections` names its heading. `supersedes` names paths of pages that this one replaces.
    `contradiction`, for an invariant slot alone, says what contradicts it and cites the observations: `[^o12]`.
    """

    path: str = ""
    kind: Kind
    title: Title
    description: Description = ""
    tags: Names = ()
    aliases: Names = ()
    body: Body
    removed_sections: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    contradiction: Reason = ""

    @property
    def contradicted_by(self) -> tuple[str, ...]:
        """The handles that `contradiction` cites."""
        return tuple(_HANDLES.findall(self.contradiction))


class ConsolidatedBatch(_Draft):
    """The reply of the `batch` mode: one to five updates and, in a sentence, why."""

    updates: Annotated[tuple[ConsolidatedPageUpdate, ...], Field(min_length=1, max_length=MOST_UPDATES)]
    rationale: Reason = ""


class ConsolidatedSession(ConsolidatedBatch):
    """The part of a shared reply that is about one session; `session` is the name it has in the request: `s1`."""

    session: Annotated[str, Field(min_length=1, max_length=20)]


class ConsolidatedSessions(_Draft):
    """The reply to a request that several short sessions share: a batch for each."""

    sessions: Annotated[tuple[ConsolidatedSession, ...], Field(min_length=1)]


def is_session_page(path: str) -> bool:
    """Whether a page stands in the folder of session pages."""
    return path.split("/")[-2:-1] == [FOLDERS["session"]]
