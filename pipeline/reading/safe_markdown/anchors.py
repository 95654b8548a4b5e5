"""Owns the name by which configurations know the rule for anchors; the rule itself is the site's."""

from __future__ import annotations

from pipeline.site.anchors import anchor

__all__ = ["anchor"]
