from __future__ import annotations

import pytest

from pipeline.models.extractive.rendering import tags_of


@pytest.mark.parametrize(
    ("given", "mentioned", "tags"),
    [
        (["login", "web app"], [], ("login", "web app")),
        (["Login"], ["login_state"], ("Login", "login_state")),
        ([], ["edge.conf", "app/models", "readConfig", "login_state", "git-lfs"], None),
        ([], ["main", "nil", "string", "Session", "JWT"], ()),
        ([], ["3f2a9c1", "60a8cf2e91b04d7c"], ()),
        ([], ["one two three four", "Move It", "a[0] = b"], ()),
        (["same"], ["same"], ("same",)),
        (["Title"], ["title"], ()),
        (["one", "two", "three", "four", "five", "six"], [], ("one", "two", "three", "four", "five")),
    ],
)
def test_what_tags_a_page(given: list[str], mentioned: list[str], tags: tuple[str, ...] | None) -> None:
    assert tags_of(given, mentioned, "title") == (tuple(mentioned) if tags is None else tags)
