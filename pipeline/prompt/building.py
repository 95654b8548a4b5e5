"""Owns how a request is put together from a template, windows and a context, and that it keeps to its budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.prompt.counting import sent_tokens
from pipeline.prompt.request import Request
from pipeline.prompt.wording import system_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.context import Context
    from pipeline.projection import Projection
    from pipeline.prompt.counting import PromptBudgets


def build_request(
    system: str,
    projection: Projection,
    context: Context,
    *,
    session_page: str = "",
    budgets: PromptBudgets | None = None,
) -> Request:
    """Ask for the one page of a session (`single` mode).

    `system` is the text of the prompt template, its line ends become LF. With `budgets`, a request that exceeds
    them is a `ValueError`: whoever cuts windows keeps them smaller.
    """
    request = Request(system_text(system).strip("\n"), (projection,), context, (session_page,), "single")
    return _held(request, budgets)


def build_batch_request_with_slots(
    system: str,
    projections: Sequence[Projection],
    context: Context,
    *,
    session_pages: Sequence[str] = (),
    budgets: PromptBudgets | None = None,
) -> Request:
    """Ask for up to five updates of any pages for each session (`batch` mode); the context carries the slots.

    `session_pages` goes with `projections`, one by one; left out, no session has a page. See `build_request`.
    """
    pages = tuple(session_pages) or ("",) * len(projections)
    request = Request(system_text(system).strip("\n"), tuple(projections), context, pages)
    return _held(request, budgets)


def _held(request: Request, budgets: PromptBudgets | None) -> Request:
    if budgets is not None and (needed := sent_tokens(request)) > budgets.request:
        message = f"the request takes {needed:,} estimated tokens, and may take {budgets.request:,}"
        raise ValueError(message)
    return request
