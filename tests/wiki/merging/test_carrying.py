"""A commit carried over to a wiki that moved meanwhile: pages with their front matter, logs, indexes, other files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config import LintSettings
from pipeline.wiki.catalogue import read_catalogue
from pipeline.wiki.derived.indexes import renew_all
from pipeline.wiki.derived.log import add_entry
from pipeline.wiki.format.page import parse_page, trust_tier
from pipeline.wiki.linting.lint import lint
from pipeline.wiki.merging import CarriedOver, carry_over
from tests.wiki.merging.versions import Model, versions

PATH = "acme/decisions/port.md"

PAGE = """---
type: Decision
# asked for by dana
title: Port of the web app
description: It is 8080.
tags: [web, port]
status: stable
generated: { by: wikimill/m1, at: 2026-11-29T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-29T08:00:00Z }
sources:
- id: o-0000000001
  resource: ../../observations/a.jsonl#L1
  title: "2026-11-29 14:03 dana: port"
  author: human:dana
session_id: s1
agent_kind: codex
consolidated: true
owner: dana
---

# Port of the web app

The port is 8080.[^o-0000000001]

## Details

- one[^o-0000000001]
- two[^o-0000000001]

[^o-0000000001]: 2026-11-29 14:03, dana
"""

EVE = """- id: o-0000000002
  resource: ../../observations/a.jsonl#L2
  title: "2026-11-30 14:03 eve: port"
  author: human:eve
"""


def changed(*pairs: tuple[str, str], page: str = PAGE) -> str:
    for old, new in pairs:
        assert old in page
        page = page.replace(old, new)
    return page


AFTER = changed(
    (
        "The port is 8080.[^o-0000000001]",
        """The port is 9090.[^o-0000000002]

**Changed on 2026-11-30:** before, “The port is 8080.”[^o-0000000001][^o-0000000002]""",
    ),
    ("It is 8080.", "It is 9090."),
    ("[web, port]", "[web, port, config]"),
    ("2026-11-29T08", "2026-11-30T08"),
    ("wikimill/m1", "wikimill/m2"),
    ("session_id: s1", "session_id: s2"),
    ("  author: human:dana\n", f"  author: human:dana\n{EVE}"),
    ("14:03, dana\n", "14:03, dana\n[^o-0000000002]: 2026-11-30 14:03, eve\n"),
)


def carried(
    standing: str | None, before: str | None = PAGE, after: str | None = AFTER, path: str = PATH
) -> CarriedOver:
    def raw(text: str | None) -> bytes | None:
        return None if text is None else text.encode()

    wiki = {} if standing is None else {path: standing.encode()}
    done = carry_over({path: (raw(before), raw(after))}, wiki)
    again = {**wiki, **done.files}
    assert not carry_over(
        {path: (raw(before), raw(after))}, {key: one for key, one in again.items() if one is not None}
    ).files
    return done


def page_of(done: CarriedOver, path: str = PATH) -> str:
    raw = done.files[path]
    assert raw is not None
    return raw.decode()


def rules(done: CarriedOver) -> list[str]:
    return [found.rule for found in done.findings]


def test_what_nobody_touched_becomes_what_the_commit_left() -> None:
    assert carried(PAGE) == CarriedOver({PATH: AFTER.encode()}, ())


def test_what_stands_already_is_left_out() -> None:
    assert carried(AFTER) == CarriedOver({}, ())


def test_a_persons_words_elsewhere_stay_and_the_rest_is_the_commits() -> None:
    done = carried(changed(("- two[", "- two of mine["), ("owner: dana", "owner: dana and eve")))
    assert page_of(done) == changed(("- two[", "- two of mine["), ("owner: dana", "owner: dana and eve"), page=AFTER)
    assert rules(done) == []


def test_a_persons_words_about_the_same_stand_and_the_new_ones_come_beside_them() -> None:
    mine = changed(("The port is 8080.", "The port is 8080, on all hosts."), ("It is 8080.", "It is 8080, everywhere."))
    done = carried(mine)
    assert page_of(done) == changed(
        (
            "The port is 9090.[^o-0000000002]",
            "The port is 8080, on all hosts.[^o-0000000001]\n\nThe port is 9090.[^o-0000000002]",
        ),
        ("It is 9090.", "It is 8080, everywhere."),
        page=AFTER,
    )
    beside, front = done.findings
    assert (beside.where, beside.rule, beside.severity) == (f"{PATH}#Port of the web app", "merged-beside", "warning")
    assert "“The port is 8080, on all hosts.” stands; “The port is 9090." in beside.message
    assert (front.where, front.rule) == (f"{PATH}#front-matter", "merged-beside")
    assert "'description'" in front.message


def test_findings_stay_short_and_in_one_line() -> None:
    mine = changed(
        ("The port is 8080.", f"The port is {'very ' * 200}\nopen."), ("## Details", f"## Details {'x' * 300}")
    )
    after = changed(("- two[", f"- two {'and two ' * 200}["), page=AFTER)
    for found in carried(mine, after=after).findings:
        assert "\n" not in str(found)
        assert len(str(found)) < 600


def test_line_ends_marks_and_comments_of_the_file_that_stands_stay() -> None:
    mine = "\ufeff" + changed(("- two[", "- two of mine[")).replace("\n", "\r\n")
    assert page_of(carried(mine)) == "\ufeff" + changed(("- two[", "- two of mine["), page=AFTER).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("tags: [web]", "tags: [web, config]"),
        ("tags: [web, port, mine]", "tags: [web, port, mine, config]"),
        ("tags: [web, port, Config]", "tags: [web, port, Config]"),
        ("tags: web, mine", "tags: [web, mine, config]"),
    ],
)
def test_tags_of_both_sides_are_united(mine: str, theirs: str) -> None:
    done = carried(changed(("tags: [web, port]", mine)))
    assert page_of(done) == changed(("tags: [web, port, config]", theirs), page=AFTER)
    assert rules(done) == []


def test_keys_that_one_side_added_or_took_out_follow_it() -> None:
    after = changed(("owner: dana\n", ""), ("status: stable\n", "aliases: [port number]\nstatus: stable\n"), page=AFTER)
    done = carried(changed(("consolidated: true", "consolidated: true\nreviewers: [eve]")), after=after)
    assert page_of(done) == changed(("consolidated: true\n", "consolidated: true\nreviewers: [eve]\n"), page=after)


def test_sources_of_both_sides_are_united_by_id() -> None:
    other = EVE.replace("o-0000000002", "o-0000000003")
    mine = changed(("session_id: s1", f"{other}session_id: s1"), ("- two[^o-0000000001]", "- two[^o-0000000003]"))
    mine = changed(("14:03, dana\n", "14:03, dana\n[^o-0000000003]: 2026-11-30 14:03, eve\n"), page=mine)
    page = parse_page(PATH, page_of(carried(mine)).encode())
    assert [source.id for source in page.sources] == ["o-0000000001", "o-0000000003", "o-0000000002"]


def test_a_source_that_a_person_took_out_comes_back_only_when_it_is_cited() -> None:
    after = changed(("- two[^o-0000000001]", "- two[^o-0000000001]\n- three[^o-0000000001]"))
    without = changed(("sources:\n", ""), (PAGE[PAGE.index("- id") : PAGE.index("session_id")], ""))
    mine = without.replace("[^o-0000000001]: 2026-11-29 14:03, dana\n", "").replace("[^o-0000000001]", "")
    page = parse_page(PATH, page_of(carried(mine, after=after)).encode())
    assert "- three[^o-0000000001]" in page.body
    assert [source.id for source in page.sources] == ["o-0000000001"]
    assert page.body.endswith("[^o-0000000001]: 2026-11-29 14:03, dana\n")


REVIEWED = changed(
    ("sources:", "- { by: human:dana, at: 2026-11-29T10:00:00Z }\nsources:"),
    ("- two[", "- two of mine["),
)


def test_a_review_goes_when_the_commit_changes_what_it_covered() -> None:
    done = carried(REVIEWED)
    assert trust_tier(parse_page(PATH, page_of(done).encode())) == "machine-confirmed"
    assert rules(done) == ["review-outdated"]


def test_a_review_stays_when_all_that_the_commit_brought_stands_already() -> None:
    mine = changed(("sources:\n", "- { by: human:dana, at: 2026-11-30T10:00:00Z }\nsources:\n"), page=AFTER)
    assert carried(mine) == CarriedOver({}, ())


def test_a_review_that_is_the_commit_is_carried_over() -> None:
    entry = "- { by: human:eve, at: 2026-11-30T10:00:00Z }\n"
    done = carried(REVIEWED, after=changed(("sources:\n", f"{entry}sources:\n")))
    assert page_of(done) == changed(("sources:\n", f"{entry}sources:\n"), page=REVIEWED)


@pytest.mark.parametrize(("at", "by"), [("2026-11-29T20", "wikimill/m2"), ("2026-12-01T08", "wikimill/m9")])
def test_of_two_signatures_the_newer_one_counts(at: str, by: str) -> None:
    mine = changed(("2026-11-29T08", at), ("wikimill/m1", "wikimill/m9"), ("- two[", "- two more["), ("s1", "s9"))
    page = parse_page(PATH, page_of(carried(mine)).encode())
    assert str(page.front["generated"]).startswith(f"{{'by': '{by}'")
    assert page.front["session_id"] == f"s{by[-1]}"
    assert str(page.front["verified"]).count("process:wikimill-gates") == 1


def test_to_a_page_that_a_person_made_their_own_the_commit_only_adds() -> None:
    mine = changed(("wikimill/m1", "human:dana"))
    page = parse_page(PATH, page_of(carried(mine)).encode())
    assert page.front["generated"] == parse_page(PATH, mine.encode()).front["generated"]
    assert page.description == "It is 8080."
    assert page.body.index("The port is 8080.[") < page.body.index("The port is 9090.")


def test_a_locked_page_stays_and_what_it_does_not_take_is_told() -> None:
    done = carried(changed(("owner: dana", "owner: dana\nlocked: true")))
    (found,) = done.findings
    assert (dict(done.files), found.where, found.rule) == ({}, PATH, "page-locked")
    assert "2 statements were left out: “The port is 9090.”" in found.message


def test_a_page_that_a_person_removed_stays_removed() -> None:
    done = carried(None)
    (found,) = done.findings
    assert (dict(done.files), found.where, found.rule) == ({}, PATH, "page-gone")
    assert "2 statements were left out: “The port is 9090.”" in found.message


def test_a_page_that_the_commit_removed_stays_when_a_person_changed_it() -> None:
    assert carried(PAGE, after=None).files == {PATH: None}
    done = carried(changed(("- two[", "- two of mine[")), after=None)
    assert (dict(done.files), rules(done)) == ({}, ["file-kept"])


@pytest.mark.parametrize("side", [0, 1, 2])
def test_a_page_that_nobody_can_read_stays(side: int) -> None:
    sides = [PAGE, AFTER, changed(("- two[", "- two of mine["))]
    sides[side] = sides[side].replace("type: Decision", "type: [Decision")
    done = carried(sides[2], sides[0], sides[1])
    assert (dict(done.files), rules(done)) == ({}, ["page-unreadable"])


def test_a_page_that_both_sides_made_is_the_one_that_stands_with_the_new_facts() -> None:
    mine = "# Port\n\nWe want one port.\n\n## Details\n\n- one\n"
    done = carried(mine, before=None)
    page = parse_page(PATH, page_of(done).encode())
    assert page.body.startswith("# Port\n\nWe want one port.\n\nThe port is 9090.[^o-0000000002]\n")
    assert "- one\n- two[^o-0000000001]\n" in page.body
    assert {source.id for source in page.sources} == {"o-0000000001", "o-0000000002"}
    assert page.front.keys().isdisjoint({"generated", "title", "consolidated"})
    assert set(rules(done)) == {"merged-beside"}


def test_a_new_page_whose_name_some_systems_take_for_another_one_is_added_to_that() -> None:
    standing = {"acme/decisions/Port.md": PAGE.encode()}
    done = carry_over({PATH: (None, AFTER.encode())}, standing)
    assert list(done.files) == ["acme/decisions/Port.md"]
    assert b"The port is 9090." in (done.files["acme/decisions/Port.md"] or b"")


OTHER = "acme/decisions/other.md"
RETIRED = changed(
    ("status: stable", "status: deprecated\nsuperseded_by: other.md"),
    ("# Port of the web app\n", "# Port of the web app\n\n> Superseded by [Other](other.md) on 2026-11-30.\n"),
)


def test_a_page_is_superseded_where_its_successor_stands() -> None:
    mine = changed(("- two[", "- two of mine["))
    change = {PATH: (PAGE.encode(), RETIRED.encode()), OTHER: (None, AFTER.encode())}
    done = carry_over(change, {PATH: mine.encode()})
    assert page_of(done) == changed(("- two[", "- two of mine["), page=RETIRED)
    gone = carry_over({**change, OTHER: (PAGE.encode(), AFTER.encode())}, {PATH: mine.encode()})
    assert dict(gone.files) == {}
    assert sorted(rules(gone)) == ["page-gone", "successor-gone"]


class Watched(Mapping[str, bytes]):
    """A wiki that notes which of its files were read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.read: set[str] = set()

    def __getitem__(self, path: str) -> bytes:
        raw = self.files[path]
        self.read.add(path)
        return raw

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


def test_only_what_changed_is_read() -> None:
    wiki = Watched({PATH: PAGE.encode(), "acme/rules/a.md": b"x", ".ledger/sessions/acme/s.jsonl": b""})
    carry_over({PATH: (PAGE.encode(), AFTER.encode())}, wiki)
    assert wiki.read == {PATH}


def with_indexes(pages: dict[str, str]) -> dict[str, bytes]:
    wiki = {path: text.encode() for path, text in pages.items()}
    return {**wiki, **renew_all(tuple(read_catalogue(wiki)[0].values()), wiki)}


def test_indexes_that_met_are_made_anew_from_all_pages() -> None:
    first, second, third = (changed(("Port of the web app", name)) for name in ("First", "Second", "Third"))
    before = with_indexes({"acme/decisions/first.md": first})
    after = with_indexes({"acme/decisions/first.md": first, "acme/decisions/second.md": second})
    standing = with_indexes({"acme/decisions/first.md": first, "acme/decisions/third.md": third})
    mine = b"<!-- keep -->\n\nWords of mine.\n\n<!-- /keep -->\n\n"
    standing["acme/index.md"] = mine + standing["acme/index.md"]
    change = {path: (before.get(path), raw) for path, raw in after.items() if before.get(path) != raw}
    done = carry_over(change, standing)
    expected = with_indexes(
        {"acme/decisions/first.md": first, "acme/decisions/second.md": second, "acme/decisions/third.md": third}
    )
    expected["acme/index.md"] = mine + expected["acme/index.md"]
    assert {**standing, **done.files} == expected
    assert not carry_over(change, expected).files


def test_indexes_that_nobody_touched_are_the_commits() -> None:
    before = with_indexes({PATH: PAGE})
    after = with_indexes({PATH: AFTER})
    change = {path: (before.get(path), raw) for path, raw in after.items() if before.get(path) != raw}
    assert {**before, **carry_over(change, before).files} == after


def test_an_index_tells_what_a_person_made_of_the_page() -> None:
    before, after = with_indexes({PATH: PAGE}), with_indexes({PATH: AFTER})
    mine = changed(("It is 8080.", "It is mine."))
    standing = {**before, PATH: mine.encode()}
    change = {path: (before.get(path), raw) for path, raw in after.items() if before.get(path) != raw}
    assert b"It is mine." in (carry_over(change, standing).files["acme/decisions/index.md"] or b"")


def test_lines_of_a_log_come_under_their_days_once() -> None:
    path = "acme/log.md"
    before = add_entry(None, date(2026, 11, 29), "**Creation**: one.")
    after = add_entry(
        add_entry(before, date(2026, 11, 29), "**Update**: two."), date(2026, 11, 30), "**Update**: three."
    )
    standing = add_entry(before, date(2026, 12, 1), "**Update**: other.").replace(b"\n", b"\r\n")
    done = carry_over({path: (before, after)}, {path: standing})
    assert (done.files[path] or b"").decode().split("\r\n") == [
        *("# Update log", "", "## 2026-12-01", "", "* **Update**: other.", ""),
        *("## 2026-11-30", "", "* **Update**: three.", ""),
        *("## 2026-11-29", "", "* **Update**: two.", "* **Creation**: one.", ""),
    ]
    assert not carry_over({path: (before, after)}, {path: done.files[path] or b""}).files


@pytest.mark.parametrize(
    ("theirs", "merged"),
    [
        ("# Log\n\nMine.\n", "# Log\n\nMine.\n\n## 2026-11-29\n\n* **Creation**: one.\n"),
        ("", "# Update log\n\n## 2026-11-29\n\n* **Creation**: one.\n"),
        (
            "# Update log\n\n## 2026-11-29\n\n* **Creation**: theirs.\n",
            "# Update log\n\n## 2026-11-29\n\n* **Creation**: one.\n* **Creation**: theirs.\n",
        ),
        ("no heading", "no heading\n\n## 2026-11-29\n\n* **Creation**: one.\n"),
    ],
)
def test_a_log_that_both_sides_made_holds_the_lines_of_both(theirs: str, merged: str) -> None:
    after = add_entry(None, date(2026, 11, 29), "**Creation**: one.").decode()
    done = carried(theirs, before=None, after=after, path="acme/log.md")
    assert page_of(done, "acme/log.md") == merged


@pytest.mark.parametrize("emptied", ["", "Words alone.\n"])
def test_a_log_without_days_brings_no_line(emptied: str) -> None:
    standing = add_entry(None, date(2026, 11, 29), "**Creation**: one.").decode()
    assert carried(standing, before="# Log\n", after=emptied, path="acme/log.md").files == {}


LINES = st.sampled_from(
    [
        *("", "", "# Log", "## 2026-11-29", "## 2026-11-30 ##", "## 2026-13-40", "2026-11-30\n---", "* one", "* two"),
        *("- a[^o-0000000001]", "text[^n]", "[^n]: note", "[^o-0000000001]: source", "    more", "| a |\n|---|\n| b |"),
        *("```", "~~~", "<!-- keep -->", "<!-- /keep -->", "<!--", "-->", "<div>", "---", "title: T", "locked: true"),
        *(
            "type: Index",
            "* [x](x.md)",
            "> q",
            "1. one",
            "\ufeff",
            "\x00",
            "\x0c",
            "===",
            "\\[^n]",
            "generated: {by: m}",
        ),
    ]
)
FILES = st.none() | st.binary(max_size=8) | st.lists(LINES, max_size=14).map(lambda lines: "\n".join(lines).encode())
WHERE = st.sampled_from(
    ["acme/log.md", "log.md", "acme/index.md", "index.md", "acme/decisions/index.md", PATH, "acme/LOG.md", "acme/a.txt"]
)


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(WHERE, st.tuples(FILES, FILES), min_size=1, max_size=3), st.dictionaries(WHERE, FILES, max_size=4)
)
def test_whatever_stands_on_both_sides_is_carried_over(
    changes: dict[str, tuple[bytes | None, bytes | None]], stands: dict[str, bytes | None]
) -> None:
    wiki = {path: raw for path, raw in stands.items() if raw is not None}
    done = carry_over(changes, wiki)
    for path, raw in done.files.items():
        assert raw != wiki.get(path)
    for path in ("acme/log.md", "log.md"):
        before, after = changes.get(path, (None, None))
        if after is None or wiki.get(path) in {before, after}:
            continue
        lines = (done.files.get(path, wiki.get(path)) or b"").split(b"\n")
        assert all(
            line in lines for line in (wiki.get(path) or b"").split(b"\n") if line.strip(b"\x00\x0c \xef\xbb\xbf")
        )


def test_a_line_that_a_person_took_out_of_a_log_stays_out() -> None:
    path = "acme/log.md"
    before = add_entry(None, date(2026, 11, 29), "**Creation**: one.")
    after = add_entry(before, date(2026, 11, 30), "**Update**: two.")
    standing = b"# Update log\n"
    done = carry_over({path: (before, after)}, {path: standing})
    assert done.files[path] == b"# Update log\n\n## 2026-11-30\n\n* **Update**: two.\n"


def test_other_files_are_carried_over_whole_or_not_at_all() -> None:
    change = {
        "acme/a.png": (b"1", b"2"),
        "_prompts/b.md": (b"1", b"2"),
        "acme/c.css": (b"1", None),
        "acme/d": (None, b"2"),
    }
    standing = {"acme/a.png": b"1", "_prompts/b.md": b"3", "acme/c.css": b"1", "acme/d": b"4"}
    done = carry_over(change, standing)
    assert dict(done.files) == {"acme/a.png": b"2", "acme/c.css": None}
    assert [(found.where, found.rule) for found in done.findings] == [
        ("_prompts/b.md", "file-kept"),
        ("acme/d", "file-kept"),
    ]


def page(model: Model, by: str = "wikimill/m1") -> bytes:
    sources = "".join(f"- id: {label}\n  resource: ../../o.jsonl#L1\n  title: {label}\n" for label in model.labels())
    front = f"type: Concept\ntitle: T\ndescription: D.\ngenerated: {{ by: {by} }}\n"
    return f"---\n{front}{f'sources:{chr(10)}{sources}' if sources else ''}---\n\n{model.body()}".encode()


def told(raw: bytes) -> set[str]:
    findings = lint({PATH: raw}, settings=LintSettings(), today=date(2026, 12, 1))
    return {found.rule for found in findings if found.rule not in {"index-missing", "orphan"}}


@settings(max_examples=60, deadline=None)
@given(versions())
def test_a_page_passes_the_lint_as_well_as_its_versions_did(pages: tuple[Model, Model, Model]) -> None:
    before, after, standing = (page(model) for model in pages)
    done = carry_over({PATH: (before, after)}, {PATH: standing})
    raw = done.files.get(PATH, standing)
    assert raw is not None
    assert told(raw) <= told(before) | told(after) | told(standing)
