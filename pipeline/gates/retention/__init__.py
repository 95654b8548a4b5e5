"""The gate that keeps what a replaced section cited and stated; `check` is all that is for callers."""

from pipeline.gates.retention.gate import check

__all__ = ["check"]
