"""Owns the door of the offline model: a request in, a reply out, always the same; knows no file and no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.pages import Composer
from pipeline.models.model import Reply

if TYPE_CHECKING:
    from pipeline.prompt import Request


class ExtractiveModel:
    """Drafts pages by choosing sentences of the observations; deterministic, offline, without cost."""

    @property
    def name(self) -> str:
        """What stands in `generated.by`, in commits and in the ledger."""
        return "extractive"

    def complete(self, request: Request) -> Reply:
        """Draft the pages of one window."""
        return Reply(Composer(request).compose().model_dump_json())
