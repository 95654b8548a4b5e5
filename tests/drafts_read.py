"""Reads a reply that must be sound as it stands: nothing in it is tolerated, cut or mended."""

from __future__ import annotations

from pipeline.draft import ConsolidatedBatch


def read_batch(text: str) -> ConsolidatedBatch:
    """Read the batch in a reply; one that does not fit, or names a page or the session twice, is a `ValueError`."""
    batch = ConsolidatedBatch.model_validate_json(text)
    paths = [update.path for update in batch.updates if update.path]
    if len(paths) > len(set(paths)) or sum(update.kind == "session" for update in batch.updates) > 1:
        message = f"a page stands twice: {paths}"
        raise ValueError(message)
    return batch
