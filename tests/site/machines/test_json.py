"""kb/index.json, kb/graph.json and their schemas: what they hold, that it is stable, and that it fits its schema."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import jsonschema  # type: ignore[import-untyped]  # its stubs are a package of their own
import pytest

from pipeline.site.machines.graph_json import MOST_PAGES
from pipeline.site.machines.layout import SIDE, layout
from tests.site.machines.wiki import FILES, SITE, inputs_of, json_of, machines_of, page

if TYPE_CHECKING:
    from pipeline.site.values import Inputs

NAMES = ("index", "graph", "redirects")

HOSTILE = {
    "a.md": page('"\\u0007 <script>\\u2028 \\U0001F600"', kind='"<b>"', on="", more="aliases: ['\"', 1]\n"),
    "b.md": b"Text only, [a](a.md).\n",
    "50% off #1.md": page("Odd"),
}


def large() -> Inputs:
    count = MOST_PAGES + 1
    files = {
        f"p{number % 7}/{('decisions', 'gotchas')[number % 2]}/n{number}.md": page(
            f"N {number}",
            f"[next](../../p{(number + 1) % 7}/{('gotchas', 'decisions')[number % 2]}/n{number + 1}.md)\n",
            kind=("Decision", "Gotcha")[number % 2],
        )
        for number in range(count)
    }
    return inputs_of(files | {"p1/index.md": b"# Pages\n"})


WIKIS = {
    "small": inputs_of(moved={"harbour/old.md": "harbour/decisions/cookies.md"}),
    "empty": inputs_of({}),
    "hostile": inputs_of(HOSTILE),
    "large": large(),
    "offline": inputs_of(site=replace(SITE, url="", directory_urls=False)),
}


@pytest.mark.parametrize("wiki", WIKIS)
def test_files_fit_their_schemas(wiki: str) -> None:
    files = machines_of(WIKIS[wiki], "types/decision.md").files
    for name in NAMES:
        schema = json.loads(files[f"kb/schema/{name}.json"])
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(json.loads(files[f"kb/{name}.json"]), schema, jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("index", {"schema": "1", "generated": "", "pages": [{"path": "a.md"}]}),
        ("index", {"schema": "2", "generated": "", "pages": []}),
        ("graph", {"schema": "1", "generated": "", "view": "pages", "nodes": [], "edges": [[1]]}),
        ("redirects", {"schema": "1", "generated": "yesterday", "redirects": {}}),
    ],
)
def test_schemas_refuse_what_does_not_fit(name: str, wrong: object) -> None:
    schema = json.loads(machines_of(WIKIS["empty"]).files[f"kb/schema/{name}.json"])
    assert not jsonschema.Draft202012Validator(schema).is_valid(wrong)


def test_the_index_tells_every_page() -> None:
    told = json_of(inputs_of(), "kb/index.json")
    assert (told["schema"], told["generated"]) == ("1", "2026-11-30")
    assert [one["path"] for one in told["pages"]] == sorted(path for path in FILES if path.count("/") == 2)
    assert told["pages"][0] == {
        "path": "harbour/decisions/cookies.md",
        "url": "harbour/decisions/cookies/",
        "title": "Cookies",
        "type": "Decision",
        "project": "harbour",
        "kind": "decisions",
        "tags": ["login", "cookies"],
        "aliases": ["Session cookies"],
        "description": "About Cookies.",
        "status": "stable",
        "tier": "human-reviewed",
        "changed": "2026-11-29",
        "sources": 1,
        "due": "2027-06-01",
        "unsourced": told["pages"][0]["unsourced"],
        "contradicted": 0,
    }
    assert told["pages"][1]["status"] == "deprecated"


def test_addresses_lead_from_the_top() -> None:
    told = json_of(inputs_of(HOSTILE), "kb/index.json")
    assert [one["url"] for one in told["pages"]] == ["50%25%20off%20%231/", "a/", "b/"]
    offline = json_of(WIKIS["offline"], "kb/index.json")
    assert offline["pages"][0]["url"] == "harbour/decisions/cookies.html"


def test_equal_pages_give_equal_bytes_on_any_day_and_in_any_order() -> None:
    backwards = inputs_of(dict(reversed(FILES.items())))
    assert dict(machines_of(backwards).files) == dict(machines_of(inputs_of()).files)


def test_the_graph_tells_who_is_linked() -> None:
    told = json_of(inputs_of(), "kb/graph.json")
    assert told["view"] == "pages"
    nodes = {one["path"]: one for one in told["nodes"]}
    assert {path: one["links"] for path, one in nodes.items()} == {
        "harbour/decisions/cookies.md": 2,
        "harbour/decisions/jwt.md": 1,
        "harbour/gotchas/clock.md": 1,
    }
    drawn = {tuple(sorted(told["nodes"][end]["title"] for end in edge)) for edge in told["edges"]}
    assert drawn == {("Cookies", "JWT"), ("Cookies", "The clock drifts")}
    assert nodes["harbour/gotchas/clock.md"]["url"] == "harbour/gotchas/clock/"


def test_pages_without_a_tie_are_not_drawn_and_a_session_is_tied_to_its_pages() -> None:
    head = "session_id: 7f4c21d8\n"
    files = {
        "harbour/sessions/one.md": page("One", kind="Session", more=head),
        "harbour/gotchas/learnt.md": page("Learnt", kind="Gotcha", more=head),
        "harbour/gotchas/alone.md": page("Alone", kind="Gotcha"),
        "pier/gotchas/elsewhere.md": page("Elsewhere", kind="Gotcha", more=head),
    }
    told = json_of(inputs_of(files), "kb/graph.json")
    assert [(one["title"], one["type"], one["links"]) for one in told["nodes"]] == [
        ("Learnt", "Gotcha", 1),
        ("One", "Session", 1),
    ]
    assert told["edges"] == [[0, 1]]


def test_where_no_page_is_tied_all_are_told() -> None:
    told = json_of(inputs_of({path: FILES[path] for path in ("harbour/gotchas/clock.md",)}), "kb/graph.json")
    assert ([one["title"] for one in told["nodes"]], told["edges"]) == (["The clock drifts"], [])


def test_a_large_wiki_is_drawn_by_projects_and_types() -> None:
    told = json.loads(machines_of(WIKIS["large"], "types/decision.md").files["kb/graph.json"])
    assert told["view"] == "hubs"
    types = [one for one in told["nodes"] if one["type"] == "Type"]
    projects = {one["title"]: one for one in told["nodes"] if one["type"] == "Project"}
    assert [(one["title"], one["path"], one["url"], one["links"]) for one in types] == [
        ("Decision", "types/decision.md", "types/decision/", 501),
        ("Gotcha", "", "", 500),
    ]
    assert len(projects) == 7
    assert (projects["p1"]["path"], projects["p2"]["path"]) == ("p1/index.md", "")
    assert sum(one["links"] for one in projects.values()) == MOST_PAGES + 1
    assert len(told["edges"]) == 7 * 2 + 7  # each project with both types, and with the next one


def test_nodes_have_room_and_stay_on_the_map() -> None:
    groups = [number // 20 for number in range(200)]
    edges = [(number, number // 2) for number in range(1, 200)]
    places = layout(groups, edges)
    assert places == layout(groups, edges)
    assert len(set(places)) == 200
    assert {bound for place in places for bound in place} >= {0, SIDE}
    assert all(0 <= x <= SIDE and 0 <= y <= SIDE for x, y in places)

    def far(one: int, other: int) -> float:
        return abs(complex(*places[one]) - complex(*places[other]))

    linked = sum(far(one, other) for one, other in edges) / len(edges)
    any_two = sum(far(one, (one * 7 + 3) % 200) for one in range(200)) / 200
    assert linked < any_two / 2


@pytest.mark.parametrize(("groups", "places"), [([], []), ([0], [(500, 500)])])
def test_few_nodes_have_places(groups: list[int], places: list[tuple[int, int]]) -> None:
    assert layout(groups, []) == places


def test_nodes_on_one_spot_part() -> None:
    assert len(set(layout([0, 1, 2], [(0, 1), (1, 2), (0, 2)]))) == 3
