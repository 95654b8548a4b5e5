"""Owns what a prompt shows of the wiki as it stands; knows nothing of where pages are stored.

Search decides which bodies are read, so that a wiki of ten thousand pages costs the reading of a few; without an
index it goes by the catalogue alone.
"""

from pipeline.context.context import Context, ShownPage
from pipeline.context.fitting import MOST_PAGES
from pipeline.context.gathering import gather
from pipeline.context.instructions import MOST_INSTRUCTIONS
from pipeline.context.rendering import render

__all__ = ["MOST_INSTRUCTIONS", "MOST_PAGES", "Context", "ShownPage", "gather", "render"]
