from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.hubs.ordering import initial, key


def test_names_stand_as_people_look_them_up() -> None:
    names = ["page 10", "Zoë", "page 9", "“Quoted” first", "eagle", "Émile", "page 09", "apple", "Apple"]
    assert sorted(names, key=key) == [
        *("Apple", "apple", "eagle", "Émile", "page 09", "page 9", "page 10", "“Quoted” first", "Zoë"),
    ]


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("session", "S"),
        ("Émile", "E"),
        ("“Quoted”", "Q"),
        ("9 lives", "#"),
        ("…", "#"),
        ("", "#"),
        ("Журнал", "Ж"),
        ("課金の検索", "漢字"),
        ("カタカナ", "かな"),
        ("ひらがな", "かな"),
        ("한국어", "한글"),
        ("سجل", "س"),
    ],
)
def test_the_mark_below_which_a_name_stands(name: str, mark: str) -> None:
    assert initial(name) == mark


def test_a_number_may_have_any_length() -> None:
    long = "9" * 5_000
    assert sorted([f"a{long}", "a10"], key=key) == ["a10", f"a{long}"]


@given(st.lists(st.text(max_size=20), max_size=8))
def test_any_names_have_one_order(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(names, key=key) == sorted(backwards, key=key)
    for name in names:
        assert initial(name)
