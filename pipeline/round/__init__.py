"""Owns one round over the sessions that have news, from laying them out in waves to telling what became of each.

Knows nothing of how the wiki, the observations or the model were opened.
"""

from pipeline.round.opened import Chosen, Opened
from pipeline.round.planning import foresee, show
from pipeline.round.round import Progress, Round

__all__ = ["Chosen", "Opened", "Progress", "Round", "foresee", "show"]
