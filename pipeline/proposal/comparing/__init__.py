"""Owns what a proposal changes on the wiki's pages, read from the states before and after; knows no host and no git."""

from pipeline.proposal.comparing.compare import compare
from pipeline.proposal.comparing.share import line_stats, share_of_claims
from pipeline.proposal.comparing.values import (
    ChangedLines,
    CitedSource,
    ClaimChange,
    LineStats,
    PageChange,
)

__all__ = [
    "ChangedLines",
    "CitedSource",
    "ClaimChange",
    "LineStats",
    "PageChange",
    "compare",
    "line_stats",
    "share_of_claims",
]
