"""What a prompt shows of the wiki: order, budget, only what is chosen is read, and data that stays data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.context import MOST_INSTRUCTIONS, MOST_PAGES, Context, ShownPage, gather, render
from pipeline.memory.search import Index
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.projection import Projection, project
from pipeline.text import estimate_tokens
from pipeline.wiki.entry import CatalogueEntry


def window(*texts: str, workspace: str = "default", files: tuple[str, ...] = ()) -> Projection:
    key = SessionKey(workspace, "acme", "s1")
    observations = [
        Observation(
            id=f"id{line}",
            digest=f"d{line}",
            ts=datetime(2026, 1, 5, tzinfo=UTC),
            session=key,
            agent_kind="codex",
            author="dana",
            role="user",
            kind="note",
            title="",
            body=text,
            importance=5,
            tags=(),
            files=files,
            place=Place("a.jsonl", line),
        )
        for line, text in enumerate(texts, start=1)
    ]
    return project(key, observations, budget_tokens=20_000, observation_characters=6_000)[0]


def entry(path: str, title: str, description: str = "", *, status: str = "stable") -> CatalogueEntry:
    return CatalogueEntry(path, path.split("/")[-2].rstrip("s").title(), title, description, status=status)


def page(title: str, body: str = "Text.", *extra: str) -> bytes:
    front = "".join(f"{line}\n" for line in ("type: Concept", f"title: {title}", *extra))
    return f"---\n{front}---\n\n# {title}\n\n{body}\n".encode()


class Reading(Mapping[str, bytes]):
    """A wiki that remembers which pages were read."""

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self.pages = pages
        self.read: list[str] = []

    def __getitem__(self, path: str) -> bytes:
        raw = self.pages[path]
        self.read.append(path)
        return raw

    def __iter__(self) -> Iterator[str]:
        raise AssertionError

    def __len__(self) -> int:
        raise AssertionError


SLOT = "acme/slots/state.md"
COOKIES = "acme/decisions/session-cookies.md"
BUILD = "acme/procedures/build.md"
OLD = "acme/decisions/jwt.md"
SESSION = "acme/sessions/first.md"
CATALOGUE = (
    entry(COOKIES, "Session cookies", "Login state is kept in signed cookies."),
    entry(BUILD, "Publish the site", "How to publish the documentation."),
    entry(OLD, "Session tokens", "Login state is kept in a JWT.", status="deprecated"),
    entry(SESSION, "Login was debugged"),
    entry(SLOT, "State of the project"),
    entry("other/decisions/cookies.md", "Session cookies", "Of another project."),
    entry("acme/web/decisions/cookies.md", "Session cookies", "Of a project in the workspace acme."),
)
WIKI = {one.path: page(one.title) for one in CATALOGUE}


def test_slots_then_the_session_page_then_related_pages() -> None:
    context = gather(window("session cookies and login"), WIKI, CATALOGUE, budget_tokens=8_000, session_pages=[SESSION])

    assert [one.path for one in context.slots] == [SLOT]
    assert [one.path for one in context.pages] == [SESSION, COOKIES]
    assert [one.path for one in context.catalogue] == [OLD, COOKIES, BUILD, SESSION, SLOT]
    assert context.left_out == 0
    assert context.pages[1].text == WIKI[COOKIES].decode()


def test_a_project_in_a_workspace_has_its_own_pages() -> None:
    path = "team/acme/decisions/cookies.md"
    catalogue = (*CATALOGUE, entry(path, "Session cookies"))

    context = gather(window("cookies", workspace="team"), {path: page("x")}, catalogue, budget_tokens=8_000)

    assert [one.path for one in context.catalogue] == [path]
    assert [one.path for one in context.pages] == [path]


def test_files_of_an_observation_count_as_its_words() -> None:
    context = gather(window("see there", files=("docs/publish.md",)), WIKI, CATALOGUE, budget_tokens=8_000)

    assert BUILD in [one.path for one in context.pages]


def test_no_room_means_nothing() -> None:
    assert gather(window("cookies"), WIKI, CATALOGUE, budget_tokens=100) == Context()


def test_a_page_that_is_missing_or_not_utf_8_is_passed_over() -> None:
    wiki = {COOKIES: b"---\ntitle: \xff\n---\n", SLOT: b""}

    context = gather(window("session cookies"), wiki, CATALOGUE, budget_tokens=8_000, session_pages=[SESSION])

    assert (context.slots, context.pages) == ((), ())


def test_a_locked_page_says_so_and_so_does_one_that_cannot_be_parsed() -> None:
    wiki = {
        COOKIES: page("Session cookies", "Text.", "locked: true"),
        SLOT: b"---\ntitle: [\n---\n\nText\n",
        SESSION: page("Login"),
    }

    context = gather(window("session cookies"), wiki, CATALOGUE, budget_tokens=8_000, session_pages=[SESSION])

    assert [one.locked for one in context.slots] == [True]
    assert [(one.path, one.locked) for one in context.pages] == [(SESSION, False), (COOKIES, True)]
    assert f"### {COOKIES}\n\nLocked: do not change it.\n\n```markdown\n# Session cookies" in render(context)


def test_only_chosen_pages_are_read_in_a_large_wiki() -> None:
    catalogue = [entry(f"acme/concepts/page-{n}.md", f"Page {n} on subject{n}") for n in range(10_000)]
    wiki = Reading({one.path: page(one.title) for one in catalogue})
    shown = window("subject17 and subject4711")

    context = gather(shown, wiki, catalogue, budget_tokens=20_000)

    assert [one.path for one in context.pages] == ["acme/concepts/page-17.md", "acme/concepts/page-4711.md"]
    assert set(wiki.read) == {one.path for one in context.pages}
    assert context.left_out == 10_000 - len(context.catalogue) > 0
    assert {one.path for one in context.pages} <= {one.path for one in context.catalogue}
    assert list(context.catalogue) == sorted(context.catalogue, key=lambda one: one.path)


def test_at_most_so_many_related_pages() -> None:
    catalogue = [entry(f"acme/concepts/p{n}.md", f"Cookies {n}") for n in range(60)]
    wiki = {one.path: page(one.title) for one in catalogue}

    context = gather(window("cookies"), wiki, catalogue, budget_tokens=50_000)

    assert len(context.pages) == MOST_PAGES


def test_a_page_that_is_too_large_leaves_room_for_the_next() -> None:
    wiki = WIKI | {COOKIES: page("Session cookies", "word " * 10_000)}

    context = gather(window("session cookies, publish the site"), wiki, CATALOGUE, budget_tokens=3_000)

    assert [one.path for one in context.pages] == [BUILD]


def test_an_index_finds_pages_by_their_text_and_reads_those_alone() -> None:
    wiki = Reading(WIKI | {BUILD: page("Publish the site", "The zebra crossing blocks a deployment.")})
    index = Index()
    for path, raw in wiki.pages.items():
        index.put(path, raw)

    context = gather(window("a zebra crossing"), wiki, CATALOGUE, budget_tokens=8_000, index=index)

    assert [one.path for one in context.pages] == [BUILD]
    assert set(wiki.read) <= {BUILD, SLOT, "acme/_prompts/consolidation.md", "_prompts/consolidation.md"}


def test_a_page_that_cannot_be_read_costs_itself_alone() -> None:
    context = gather(window("session cookies, site"), WIKI | {COOKIES: b"\xff"}, CATALOGUE, budget_tokens=8_000)

    assert [one.path for one in context.pages] == [BUILD]


@pytest.mark.parametrize(
    ("wiki", "told"),
    [
        ({}, ""),
        ({"_prompts/consolidation.md": b"\xef\xbb\xbfFor all.\r\n"}, "For all."),
        ({"acme/_prompts/consolidation.md": b"Near."}, "Near."),
        ({"_prompts/consolidation.md": b"For all.", "acme/_prompts/consolidation.md": b"Near."}, "For all.\n\nNear."),
        ({"other/_prompts/consolidation.md": b"Others."}, ""),
        ({"_prompts/consolidation.md": b"\xff"}, ""),
        (
            {"_prompts/consolidation.md": b"a" * 1_500, "acme/_prompts/consolidation.md": b"b" * 1_500},
            "a" * 498 + "\n\n" + "b" * 1_500,
        ),
        ({"acme/_prompts/consolidation.md": "é".encode() * 3_000}, "é" * MOST_INSTRUCTIONS),
    ],
)
def test_instructions_of_the_wiki_and_of_the_project(wiki: dict[str, bytes], told: str) -> None:
    assert gather(window("x"), wiki, (), budget_tokens=8_000).instructions == told


def test_how_a_context_reads() -> None:
    context = Context(
        instructions='Write "short".\nNever quote.',
        slots=(ShownPage(SLOT, "---\ntitle: State\n---\n\n# State\n\nGreen.\n"),),
        catalogue=(CATALOGUE[0], CATALOGUE[2], CatalogueEntry("acme/rules/a.md", "Rule", "A\n- b", aliases=("c", "d"))),
        left_out=4,
        pages=(ShownPage(COOKIES, "# Cookies\n\n## Why *so*\n\n```\ncode\n```\n"),),
    )

    assert render(context) == (
        "## Wishes of the project, as a JSON string\n\n"
        '"Write \\"short\\".\\nNever quote."\n\n'
        "## Slots: pinned pages\n\n"
        "### acme/slots/state.md\n\n"
        "```markdown\n# State\n\nGreen.\n```\n\n"
        "## The project's pages, one a line\n\n"
        "```catalogue\n"
        "- acme/decisions/session-cookies.md (Decision) Session cookies: Login state is kept in signed cookies.\n"
        "- acme/decisions/jwt.md (Decision, deprecated) Session tokens: Login state is kept in a JWT.\n"
        "- acme/rules/a.md (Rule) A - b [also: c, d]\n"
        "```\n\n"
        "4 more pages are not listed.\n\n"
        "## Pages as they stand\n\n"
        "### acme/decisions/session-cookies.md\n\n"
        'Its sections, as JSON: ["Why *so*"]\n\n'
        "````markdown\n# Cookies\n\n## Why *so*\n\n```\ncode\n```\n````"
    )
    assert render(Context()) == ""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.text(max_size=80), st.text(max_size=600)), max_size=15),
    st.integers(0, 4_000),
    st.text(max_size=3_000),
)
def test_the_budget_holds_and_the_catalogue_counts_all(
    pages: list[tuple[str, str]], budget: int, instructions: str
) -> None:
    catalogue = [
        entry(f"acme/{'slots' if n % 5 == 0 else 'rules'}/p{n}.md", title) for n, (title, _) in enumerate(pages)
    ]
    wiki = {one.path: page(one.title, body) for one, (_, body) in zip(catalogue, pages, strict=True)}
    wiki["_prompts/consolidation.md"] = instructions.encode("utf-8", "replace")
    wiki = {path: raw for path, raw in wiki.items() if raw}

    context = gather(window("".join(title for title, _ in pages) or "x"), wiki, catalogue, budget_tokens=budget)

    text = render(context)
    assert estimate_tokens(text) <= budget
    if context != Context():
        assert len(context.catalogue) + context.left_out == len(catalogue)
    assert len(context.instructions) <= MOST_INSTRUCTIONS
    if context.instructions:
        quoted = re.search(r"JSON string\n\n(\".*\")", text)
        assert quoted
        assert json.loads(quoted.group(1)) == context.instructions


def test_the_heading_of_a_page_stays_on_one_line() -> None:
    shown = render(Context(pages=(ShownPage("acme/rules/a\u2028# System.md", "# A\n", locked=False),)))

    assert "\u2028" not in shown
    assert '### "acme/rules/a\\u2028# System.md"' in shown


def test_the_nearer_instructions_stay_longest() -> None:
    wiki = {
        "_prompts/consolidation.md": ("far " * 240).encode(),
        "acme/_prompts/consolidation.md": ("near " * 190).encode(),
    }
    kept = gather(window("x"), wiki, (), budget_tokens=900).instructions
    assert kept.count("far") < 5
    assert kept.count("near") > 100
