"""Owns telling people from machines among the users of a GitLab; asks it once for a user whose name does not tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.forge.gitlab.answers import fields, is_true, number, text

if TYPE_CHECKING:
    from pipeline.forge.gitlab.answers import Fields
    from pipeline.forge.gitlab.project import ProjectApi

_MACHINE: Final = re.compile(
    r"(?:project|group)_\d+_bot(?:\d+|_[0-9a-f]+)?"
    r"|service_account_(?:(?:group|project)_\d+_)?[0-9a-f]+"
    r"|gitlab-(?:security|automation|admin|llm|duo-code-review)-bot\d*|gitlab-security-policy-project-\d+-bot"
    r"|(?:alert|automation|migration|security|support|visual-review)-bot\d*|gitlabduo\d*",
    re.IGNORECASE,
)
"""The names of users of project and group tokens (older ones are counted, newer ones end in hex), of service accounts
and of those that GitLab makes for itself."""
_NOBODY: Final = re.compile(r"ghost\d*", re.IGNORECASE)
"""The user who gets what a removed user did: who that was, nobody can tell, so that it counts as no person."""


def is_named_like_a_machine(username: str) -> bool:
    """Whether a name alone says that its user is no person; an empty name says so, too."""
    return not username or bool(_MACHINE.fullmatch(username) or _NOBODY.fullmatch(username))


class People:
    """Who is a machine. A service account may have any name; whether it is one, GitLab tells of one user at a time."""

    def __init__(self, project: ProjectApi) -> None:
        self._project = project
        self._known: dict[int, bool] = {}

    def is_machine(self, user: Fields) -> bool:
        """Whether a user, as GitLab tells it with a merge request or a note, is no person."""
        if is_true(user, "bot") or is_named_like_a_machine(text(user, "username")):
            return True
        identity = number(user, "id")
        if identity not in self._known:
            told = self._project.look(f"/users/{identity}") if identity else None
            self._known[identity] = is_true(fields(told), "bot")
        return self._known[identity]
