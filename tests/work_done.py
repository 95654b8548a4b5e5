"""Work counted in lines of Python that ran, which is the same on every machine and however busy it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from _typeshed import TraceFunction


def lines_run(work: Callable[[], object]) -> int:
    """Run `work` and give the number of lines of Python that it took, those of all that it called included.

    What runs in C, such as a regular expression or a sort, counts as the line that called it.
    """
    count = 0

    def trace(_frame: FrameType, event: str, _value: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(former)
    return count
