"""The offline model: it chooses sentences that stand in observations, and composes none."""

from pipeline.models.extractive.model import ExtractiveModel

__all__ = ["ExtractiveModel"]
