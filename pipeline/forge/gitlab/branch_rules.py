"""Owns what protected branches of a GitLab mean for a push: wildcards, roles, rewriting; pure.

Where several rules name a branch, the most permissive one holds, for pushing and for rewriting alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.forge.gitlab.answers import fields, is_true, items, number, text
from pipeline.forge.gitlab.obstacles import role_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.forge.gitlab.answers import Fields
    from pipeline.forge.gitlab.seeing import Seen
    from pipeline.observations.observation import Json

_SETTING = "Settings > Repository > Protected branches"


def branch_findings(rules: Sequence[Json], branch: str, seen: Seen, *, here: str, rewrites: bool) -> Iterator[Finding]:
    """Tell what protection forbids: pushing to a branch at all, or, with `rewrites`, replacing what stands there."""
    role, user = seen.role, number(seen.token, "user_id")
    matching = [rule for rule in map(fields, rules) if matches(text(rule, "name"), branch)]
    if not matching:
        return
    named = f"{here} {branch}"
    if not any(_may_push(rule, role, user) for rule in matching):
        told = f"The branch is protected, and {role_name(role)} may not push to it."
        step = f"{_SETTING}: let the role of the token push, or take the branch out of the rule."
        yield Finding(named, "branch-protected", "error", told, step)
    if rewrites and not any(is_true(rule, "allow_force_push") for rule in matching):
        told = "The branch is protected against being rewritten and removed, which a proposal's branch has to be."
        step = f"{_SETTING}: switch on Allowed to force push for it, or take it out of the rule."
        yield Finding(named, "force-push-forbidden", "error", told, step)
    if not rewrites and any(is_true(rule, "code_owner_approval_required") for rule in matching):
        told = "Code owners have to approve what they own: a push that changes it is refused."
        yield Finding(named, "code-owners", "warning", told, f"{_SETTING} > Code owner approval.")


def matches(pattern: str, branch: str) -> bool:
    """Whether a rule names a branch; `*` stands for any characters, also `/`. Linear in both lengths."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == branch
    last = rest.pop()
    if len(branch) < len(first) + len(last) or not branch.startswith(first) or not branch.endswith(last):
        return False
    at, end = len(first), len(branch) - len(last)
    for part in rest:
        at = branch.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


def _may_push(rule: Fields, role: int | None, user: int) -> bool:
    """Whether a rule lets this role or user push; what cannot be known counts as allowed."""
    for level in map(fields, items(rule, "push_access_levels")):
        if number(level, "deploy_key_id"):
            continue
        if number(level, "group_id"):
            return True
        if number(level, "user_id"):
            if number(level, "user_id") == user or not user:
                return True
            continue
        needed = number(level, "access_level")
        if needed and (role is None or role >= needed):
            return True
    return False
