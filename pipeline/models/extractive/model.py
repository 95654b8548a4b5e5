"""Owns the door of the offline model: a request in, a reply out, always the same; knows no file and no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.pages import Composer
from pipeline.models.model import Reply
from pipeline.spending import Spent

if TYPE_CHECKING:
    from pipeline.finding import Finding
    from pipeline.prompt import Request


class ExtractiveModel:
    """Drafts pages by choosing sentences of the observations; deterministic, offline, without cost."""

    @property
    def name(self) -> str:
        """What stands in `generated.by`, in commits and in the ledger."""
        return "extractive"

    @property
    def quotes(self) -> bool:
        """It quotes, word by word."""
        return True

    @property
    def workers(self) -> int:
        """It waits for nothing, so that one is enough."""
        return 1

    @property
    def tokens_ratio(self) -> float:
        """It counts no tokens."""
        return 1.0

    @property
    def spent(self) -> Spent:
        """It costs nothing."""
        return Spent()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """It has nothing to tell beside its reply."""
        return ()

    def forget(self, request: Request) -> None:
        """Do nothing: no reply is remembered here."""

    def complete(self, request: Request) -> Reply:
        """Draft the pages of one window."""
        return Reply(Composer(request).compose().model_dump_json())
