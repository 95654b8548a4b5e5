"""Owns how the tests run as a whole: properties are tried on the same examples everywhere.

A counterexample that only chance finds should not fail somebody's first run: `HYPOTHESIS_PROFILE=explore` looks for
new ones.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True)
settings.register_profile("explore", print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
