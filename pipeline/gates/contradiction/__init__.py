"""The gate that marks changes and contradictions; `check` is all that is for callers."""

from pipeline.gates.contradiction.gate import check

__all__ = ["check"]
