"""Search over a wiki: an index of its pages, and ranked hits with their lines; the stored index is another's room."""

from pipeline.memory.search.index import Filters, Hit, Index, key_of, search

__all__ = ["Filters", "Hit", "Index", "key_of", "search"]
