"""Owns the only way in for observations: files that only grow, read once, line by line.

Knows no page, no model and no ledger: it is told what earlier runs consumed, and tells what is consumed now.
"""

from pipeline.observations.inbox.news import News, PendingSession
from pipeline.observations.inbox.reading import read_news

__all__ = ["News", "PendingSession", "read_news"]
