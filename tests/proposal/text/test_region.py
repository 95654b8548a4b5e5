from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.proposal.text.region import (
    BEGIN,
    END,
    bound,
    bound_head,
    ignored,
    ignoring,
    read_standing,
)
from tests.proposal.samples import HEAD, OTHER

OURS = f"{BEGIN}\n{bound(HEAD)}\n\ntext\n\n{END}"
NEW = f"{BEGIN}\n{bound(OTHER)}\n\nnew\n\n{END}"


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("", NEW),
        ("A person's words.\r\n", f"{NEW}\n\nA person's words.\r\n"),
        (OURS, NEW),
        (f"above\r\n\r\n{OURS}\r\n\r\nbelow\r\n", f"above\r\n\r\n{NEW}\r\n\r\nbelow\r\n"),
        (OURS.replace("\n", "\r\n"), NEW),
        (f"{BEGIN}\n\n{END}\ntemplate", f"{NEW}\ntemplate"),
        (f"{BEGIN} no end", f"{NEW}\n\n{BEGIN} no end"),
        (f"no beginning {END}", f"{NEW}\n\nno beginning {END}"),
        (f"{END} turned {BEGIN}", f"{NEW}\n\n{END} turned {BEGIN}"),
        (f"{BEGIN} mine {OURS} below", f"{BEGIN} mine {NEW} below"),
        (f"{OURS} mine {END}", f"{NEW} mine {END}"),
        (f"a {OURS} b {OURS} c", f"a {NEW} b  c"),
        (f"`{BEGIN}{END}` is how it looks {OURS}", f"`{BEGIN}{END}` is how it looks {NEW}"),
        (OURS.replace("<!-- ", "<!--").replace(" -->", "-->"), NEW),
    ],
)
def test_a_persons_words_stay_where_they_are(body: str, after: str) -> None:
    assert read_standing(body).around(NEW) == after
    assert read_standing(after).around(NEW) == after


PARTS = st.lists(
    st.sampled_from([BEGIN, END, OURS, bound(HEAD), "words", "\r\n", "\n", "<!--", "-->", "é", " "]), max_size=10
)


@given(PARTS)
def test_every_word_outside_stays_over_many_rounds(parts: list[str]) -> None:
    body = "".join(parts)
    once = read_standing(body).around(NEW)
    assert read_standing(once).around(NEW) == once
    standing = read_standing(body)
    assert once.count(NEW) == 1
    if standing.region is None:
        assert once.endswith(body)
    outside = body.replace(OURS, "")
    assert once.count("words") == outside.count("words")


@pytest.mark.parametrize(
    "path",
    [
        "acme/decisions/a.md",
        "a--b/c---d.md",
        "x > y.md",
        "größe/重要 x.md",
        "a%20b.md",
        "a-->b.md",
        "e\u0301/\u3000.md",
    ],
)
def test_a_path_survives_the_comment(path: str) -> None:
    mark = ignoring(path)
    assert mark.count("-->") == 1
    assert "--" not in mark[4:-3]
    assert ignored(mark.removeprefix("<!-- wikimill:ignore ").removesuffix(" -->")) == path


def test_a_region_names_its_head() -> None:
    assert bound_head(OURS) == HEAD
    assert bound_head(f"{BEGIN}{END}") == ""
    assert bound_head(OURS.replace(HEAD, "4c1a")) == ""
