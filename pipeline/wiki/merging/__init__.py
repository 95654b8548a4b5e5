"""Owns how what one commit of wikimill changed in the wiki is carried over to another state of the wiki.

The main branch may have moved since the commit was made: a person edited pages there, or another proposal was merged.
What stands is then brought together with what the commit brought, file by file, and nothing is decided for a person:
their words stay, new facts come beside them, and a finding tells of it. Pure: files come in as bytes and go out as
bytes. Knows no git, no host and no clock.
"""

from pipeline.wiki.merging.carrying import CarriedOver, carry_over
from pipeline.wiki.merging.pages import GONE, UNREADABLE
from pipeline.wiki.merging.records import holds_evidence
from pipeline.wiki.merging.telling import BESIDE

__all__ = ["BESIDE", "GONE", "UNREADABLE", "CarriedOver", "carry_over", "holds_evidence"]
