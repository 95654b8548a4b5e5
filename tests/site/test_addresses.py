"""Where pages stand on the site, as the generators put them."""

from __future__ import annotations

import pytest

from pipeline.site.addresses import file_of, place_of


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("index.md", ""),
        ("README.md", ""),
        ("a/index.md", "a/"),
        ("a/README.md", "a/"),
        ("a/readme.md", "a/readme/"),
        ("a/Readme.md", "a/Readme/"),
        ("a/Index.md", "a/Index/"),
        ("a/b.md", "a/b/"),
        ("a/b.c.md", "a/b.c/"),
    ],
)
def test_only_two_names_stand_for_their_folder(path: str, place: str) -> None:
    assert place_of(path) == place
    assert file_of(path) == f"{place}index.html"
