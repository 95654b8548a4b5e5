"""`search` through the door."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Say


def lay(wiki: Path) -> None:
    place = wiki / "wiki" / "demo" / "rules" / "zebra.md"
    place.parent.mkdir(parents=True)
    place.write_text("---\ntype: Rule\ntitle: Zebra\ntags: [a]\n---\n\n# Zebra\n\nA zebra \x1b[31mis striped.\n")


def test_hits_with_path_lines_score_and_snippet(wiki: Path, say: Say) -> None:
    lay(wiki)
    said = say("search", "striped zebras")

    assert said.code == 0
    first, snippet, last = said.out.splitlines()
    assert re.fullmatch(r"wiki/demo/rules/zebra\.md:9-9  \d\.\d\d  Zebra \(Rule\)", first)
    assert snippet == "  A zebra is striped."
    assert last == "1 hit in 2 pages."
    assert (wiki / ".wikimill" / "search.sqlite").is_file()


def test_filters_limit_and_json(wiki: Path, say: Say) -> None:
    lay(wiki)
    told = say("search", "zebra", "--project", "demo", "--type", "rule", "--tag", "a", "--status", "stable", "--json")
    (hit,) = told.json()["hits"]  # type: ignore[misc]

    assert (hit["path"], hit["first_line"], hit["title"]) == ("demo/rules/zebra.md", 9, "Zebra")  # type: ignore[has-type]
    for other in (("--project", "x"), ("--type", "decision"), ("--tag", "b"), ("--status", "deprecated")):
        assert say("search", "zebra", *other).out == "0 hits in 2 pages.\n"
    assert say("search", "zebra", "--limit", "0").code == 2


def test_a_wiki_in_which_nothing_fits(wiki: Path, say: Say) -> None:
    said = say("search", "zebra")
    assert (said.code, said.out) == (0, "0 hits in 1 page.\n")


def test_a_run_leaves_the_index_to_the_search_after_it(wiki: Path, say: Say) -> None:
    assert say("run", "--dry-run").code == 0
    assert not (wiki / ".wikimill" / "search.sqlite").exists()
    assert say("run").code == 0
    before = (wiki / ".wikimill" / "search.sqlite").read_bytes()
    assert say("run").code == 0
    assert (wiki / ".wikimill" / "search.sqlite").read_bytes() == before

    said = say("search", "wiki", "--json")
    assert said.code == 0
    assert said.json()["hits"]
