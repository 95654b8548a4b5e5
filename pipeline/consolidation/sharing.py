"""Owns which sessions may share a request: short ones of one project, as many as a reply has room for.

The fixed part of a prompt is as large as several short sessions; shared, it is paid once. Knows no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.prompt import FURTHER_SESSION_TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.consolidation.desk import Desk
    from pipeline.consolidation.drafting import Sitting

SHORT: Final = 1_200
"""Most estimated tokens of a session that shares a request: some 3,000 characters of English."""
TOGETHER: Final = 9_000
"""Most estimated tokens of all sessions that share one."""
REPLY: Final = 3_000
"""Tokens that the reply about one short session takes at most, as a rule; the response budget bounds how many share."""


def may_share(desk: Desk, group: Sequence[Sitting], one: Sitting) -> bool:
    """Whether a session may share the request of `group`."""
    everyone = (*group, one)
    if desk.mode == "single" or desk.model.quotes or len(everyone) > desk.sessions_per_request:
        return False
    if len({(each.session.workspace, each.session.project) for each in everyone}) > 1:
        return False
    if any(len(each.windows) != 1 or each.windows[0].tokens > SHORT for each in everyone):
        return False
    tokens = sum(each.windows[0].tokens for each in everyone)
    room = desk.free // 2 - FURTHER_SESSION_TOKENS * len(group)
    return tokens <= min(TOGETHER, room) and len(everyone) * REPLY <= desk.budget.response
