"""Numbers that are written and read back."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.search.packing import pack_numbers, unpack_numbers


@given(st.lists(st.integers(0, 2**40)))
def test_reads_what_was_written(numbers: list[int]) -> None:
    packed = pack_numbers(numbers)

    assert unpack_numbers(packed) == numbers
    assert json.dumps(packed) == f'"{packed}"'


def test_small_numbers_take_one_sign() -> None:
    assert pack_numbers([0, 1, 31, 32, 1023, 1024]) == "01VW1_VWW1"
