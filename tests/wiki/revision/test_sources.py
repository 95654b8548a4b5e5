"""What stands for an observation on a page."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

import pytest

from pipeline.projection import Shown
from pipeline.wiki.revision.sources import (
    Footnotes,
    Standing,
    actor,
    definition,
    definition_of,
    describe,
    entries,
    is_handle,
    is_label,
    located,
    newest_time,
    resource,
    source_id,
)
from tests.gates.drafts import observation_of

if TYPE_CHECKING:
    from pipeline.wiki.format.frontmatter import Yaml

DANA = observation_of(1, "We use cookies.")
PAGE = "acme/decisions/cookies.md"


def test_a_label_is_made_from_the_id_alone() -> None:
    assert source_id("id-1") == f"o-{blake2b(b'id-1', digest_size=5).hexdigest()}"
    assert len(source_id("id-1", 8)) == 18
    assert is_label(source_id("id-1"))
    assert is_label(source_id("\ud800"))


@pytest.mark.parametrize(
    ("label", "handle", "standing"),
    [("o1", True, False), ("o120", True, False), ("o0", False, False), ("o-3f2a9c1e55", False, True)]
    + [(other, False, False) for other in ("", "1", "o", "o1a", "o-3f2a", "o-3F2A9C1E55", "note", "o1\n")],
)
def test_handles_and_labels_are_told_apart(label: str, handle: bool, standing: bool) -> None:  # noqa: FBT001
    assert (is_handle(label), is_label(label)) == (handle, standing)


def test_an_entry_tells_when_who_and_what() -> None:
    shown = Shown("o1", DANA, "Title\nWe use\n\tcookies, because " + "w " * 60, 0)
    assert describe(shown, "o-3f2a9c1e55", PAGE, folder="observations", depth=1) == {
        "id": "o-3f2a9c1e55",
        "resource": "../../../observations/acme/2026-11-29.jsonl#L1",
        "title": f"2026-11-29 14:03 dana: Title We use cookies, because{' w' * 25}…",
        "author": "human:dana",
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("## The Bug\n\n**When a Claude** session\nruns", "The Bug When a Claude session runs"),
        ("Found:\n\n- `Detect()` in `a/b.go`\n* it", "Found: Detect() in a/b.go it"),
        ("> said\n\n```python\nx = 2 ** 3 ** 4\n```", "said x = 2 ** 3 ** 4"),
        ("__init__ takes **kwargs, #1 and a -b", "__init__ takes **kwargs, #1 and a -b"),
        ("```\n```", "``` ```"),
        ("**", "**"),
    ],
)
def test_a_title_is_told_without_marks(text: str, told: str) -> None:
    entry = describe(Shown("o1", DANA, text, 0), "o-1", PAGE, folder="observations", depth=1)
    assert entry["title"] == f"2026-11-29 14:03 dana: {told}"


@pytest.mark.parametrize(
    ("role", "author", "agent", "named", "told"),
    [
        ("user", "dana", "claude-code", "human:dana", "dana"),
        ("user", "", "claude-code", "human:unknown", "user"),
        ("assistant", "", "claude-code", "claude-code/unversioned", "assistant"),
        ("assistant", "bot", "my agent/2", "my-agent-2/unversioned", "bot"),
        ("tool", "", "", "unknown/unversioned", "tool"),
        ("user", "d\nana <x>", "", "human:d ana <x>", "d ana &lt;x>"),
    ],
)
def test_people_and_agents_are_named(role: str, author: str, agent: str, named: str, told: str) -> None:
    observation = replace(DANA, role=role, author=author, agent_kind=agent)  # type: ignore[arg-type]
    assert actor(observation) == named
    assert definition(observation) == f"2026-11-29 14:03, {told}"


@pytest.mark.parametrize(
    ("page", "folder", "depth", "file", "path"),
    [
        ("acme/rules/x.md", "observations", 1, "a.jsonl", "../../../observations/a.jsonl#L1"),
        ("ws/acme/rules/x.md", "data/obs", 2, "b/a.jsonl.gz", "../../../../../data/obs/b/a.jsonl.gz#L1"),
        ("x.md", "observations", 0, "a.jsonl", "observations/a.jsonl#L1"),
        ("acme/rules/x.md", "observations", 1, "a b#1%.jsonl", "../../../observations/a%20b%231%25.jsonl#L1"),
        ("acme/rules/x.md", "observations", 1, "ü.jsonl", "../../../observations/ü.jsonl#L1"),
    ],
)
def test_a_resource_leads_to_the_line_and_is_read_back(
    page: str, folder: str, depth: int, file: str, path: str
) -> None:
    observation = replace(DANA, place=replace(DANA.place, file=file))
    assert resource(page, observation, folder=folder, depth=depth) == path
    assert located(page, path) == (f"{folder}/{file}", 1)


@pytest.mark.parametrize(
    "address", ["https://example.org/x.jsonl#L1", "../observations/a.jsonl", "all of it", "x#L0", ""]
)
def test_other_resources_name_no_observation(address: str) -> None:
    assert located(PAGE, address) is None


def test_a_definition_is_made_again_from_an_entry() -> None:
    entry = describe(Shown("o1", DANA, DANA.body, 0), "o-1", PAGE, folder="observations", depth=1)
    assert definition_of(entry) == definition(DANA) == "2026-11-29 14:03, dana"
    assert definition_of({"id": "x", "title": "A *book*"}) == "A *book*"
    assert definition_of({"id": "x", "resource": "https://example.org"}) == "https&#58;//example.org".replace(
        "&#58;", ":"
    )


def test_the_newest_time_is_that_of_the_newest_source() -> None:
    front: dict[str, Yaml] = {
        "sources": [{"title": "2026-11-28 10:00 a: x"}, {"title": "2026-11-29 09:00 b: y"}, {"title": "A book"}]
    }
    assert newest_time({**front, "generated": {"by": "x", "at": "2027-01-01"}}) == "2026-11-29 09:00"
    assert newest_time({"generated": {"by": "x", "at": "2027-01-01T08:00:00Z"}}) == "2027-01-01"
    assert newest_time({"sources": "none"}) == ""
    assert entries({"sources": {"id": "x"}}) == [{"id": "x"}]


def notes(**standing: dict[str, str]) -> Footnotes:
    shown = {
        f"o{number}": Shown(f"o{number}", observation_of(number, f"t{number}"), f"t{number}", 0) for number in (1, 2)
    }
    elsewhere = {
        "o-3333333333": Standing("acme/rules/deep/x.md", {"id": "o-3333333333", "resource": "../../../../o/a#L3"})
    }
    known = {f"o-{label[1:]}": entry for label, entry in standing.items()}
    return Footnotes(PAGE, "observations", 1, shown, known, elsewhere)


def test_labels_of_a_draft_become_labels_of_the_page() -> None:
    footnotes = notes(o4444444444={"id": "o-4444444444"})
    one, two = source_id("id-1"), source_id("id-2")
    marks = [
        footnotes.mark(label) for label in ("o2", "o1", "o2", "o-4444444444", "o-3333333333", "o9", "o-5555555555", "n")
    ]
    assert marks == [f"[^{two}]", f"[^{one}]", f"[^{two}]", "[^o-4444444444]", "[^o-3333333333]", "", "", "\\[^n]"]
    assert list(footnotes.added) == [two, one, "o-3333333333"]
    assert footnotes.added["o-3333333333"]["resource"] == "../../../o/a#L3"
    assert footnotes.unknown == ["o9", "o-5555555555"]
    assert footnotes.observations == {"id-1", "id-2"}


def test_a_persons_label_stays_where_the_page_defines_it() -> None:
    footnotes = replace(notes(), own={"mine", "o1", "o7", "o-5555555555"})
    marks = [footnotes.mark(label) for label in ("mine", "o7", "other", "o1", "o-5555555555")]
    assert marks == ["[^mine]", "[^o7]", "\\[^other]", f"[^{source_id('id-1')}]", ""]
    assert footnotes.unknown == ["o-5555555555"]


def test_a_label_that_stands_for_another_observation_is_lengthened() -> None:
    taken = source_id("id-1")
    footnotes = notes(
        **{f"o{taken[2:]}": {"id": taken, "resource": "../../../observations/else.jsonl#L9", "title": "x"}}
    )
    assert footnotes.mark("o1") == f"[^{source_id('id-1', 8)}]"
    same = notes(**{f"o{taken[2:]}": {"id": taken, "title": "2026-11-29 14:03 dana: t1", "author": "human:dana"}})
    assert same.mark("o1") == f"[^{taken}]"
    assert same.added == {}
