"""A draft becomes pages: whole pages before and after, and what must not change."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.context import Context, ShownPage
from pipeline.draft import ConsolidatedBatch
from pipeline.gates.all import run_gates
from pipeline.observations.observation import SessionKey
from pipeline.report import PageOutcome
from pipeline.wiki.entry import CatalogueEntry
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.revise import Revision, Stamp, revise
from pipeline.wiki.sections.sections import outline
from tests.gates.drafts import SESSION, update_of, window_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.draft import ConsolidatedPageUpdate
    from pipeline.projection import Projection

STAMP = Stamp("test-model", datetime(2026, 11, 30, 8, 0, 0, 123, tzinfo=UTC), "observations", 1)
WINDOW = window_of("We use cookies.", "It failed.", "We use tokens.")
ONE, TWO, THREE = "o-cacfc809f0", "o-5c5db365f3", "o-9b130733de"
PATH = "acme/decisions/cookies.md"

PAGE = """---
type: Decision
title: Cookies
description: The app keeps its state in cookies.
tags: [auth]
owner: dana # ask first
status: stable
generated: { by: wikimill/other-model, at: 2026-11-01T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-01T08:00:00Z }
sources:
- id: o-1111111111
  resource: ../../../observations/acme/2026-10-31.jsonl#L7
  title: "2026-10-31 10:00 eve: cookies then"
  author: human:eve
session_id: s-0
agent_kind: codex
consolidated: true
---

# Cookies

State is in cookies.[^o-1111111111]

## Why

- Tokens cannot be revoked.[^o-1111111111]

## Notes

A   person's  words.\x20\x20

[^o-1111111111]: 2026-10-31 10:00, eve
"""


def run(
    *updates: ConsolidatedPageUpdate,
    wiki: Mapping[str, str] | None = None,
    shown: Collection[str] = (),
    window: Projection = WINDOW,
    stamp: Stamp = STAMP,
) -> Revision:
    files = {path: text.encode() for path, text in (wiki or {}).items()}
    return revise(ConsolidatedBatch(updates=updates), window=window, wiki=files, shown_paths=shown, stamp=stamp)


def rules(revision: Revision) -> list[str]:
    return [found.rule for found in revision.findings]


NEW = """---
type: Gotcha
title: Rate limit‹er› and C++
description: It failed.
tags: [http, cpp]
aliases: [Throttle]
status: stable
generated: { by: wikimill/test-model, at: 2026-11-30T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }
sources:
- id: o-5c5db365f3
  resource: ../../../observations/acme/2026-11-29.jsonl#L2
  title: "2026-11-29 14:04 dana: It failed."
  author: human:dana
- id: o-cacfc809f0
  resource: ../../../observations/acme/2026-11-29.jsonl#L1
  title: "2026-11-29 14:03 dana: We use cookies."
  author: human:dana
session_id: s-1
agent_kind: claude-code
consolidated: true
---

# Rate limit‹er› and C++

It failed.[^o-5c5db365f3]

## Why

- We use cookies.[^o-cacfc809f0][^o-5c5db365f3]
- See \\[^1].

\\[^1]: a note

[^o-5c5db365f3]: 2026-11-29 14:04, dana
[^o-cacfc809f0]: 2026-11-29 14:03, dana
"""


def test_a_new_page_is_written_whole() -> None:
    update = update_of(
        "# Rate limiter\n\nIt failed.[^o2]\n\n# Why\n\n- We use cookies.[^o1][^o2]\n- See [^1].\n\n"
        "[^o1]: what the draft says of it\n[^1]: a note\n",
        kind="gotcha",
        title="Rate limit<er> and C++",
        tags=["http", "C++", "HTTP"],
        aliases=["Throttle", "rate limit‹er› and c++"],
    )
    revision = run(update)
    assert {path: raw.decode() for path, raw in revision.pages.items()} == {"acme/gotchas/rate-limit-er-and-c.md": NEW}
    assert revision.outcomes == (
        PageOutcome("acme/gotchas/rate-limit-er-and-c.md", "Rate limit‹er› and C++", "created", 2),
    )
    assert revision.findings == ()


UPDATED = """---
type: Decision
title: Signed cookies
description: Cookies are signed.
tags: [auth, web]
aliases: [Cookies]
owner: dana # ask first
status: stable
generated: { by: wikimill/test-model, at: 2026-11-30T08:00:00Z }
verified:
- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }
sources:
- id: o-1111111111
  resource: ../../../observations/acme/2026-10-31.jsonl#L7
  title: "2026-10-31 10:00 eve: cookies then"
  author: human:eve
- id: o-cacfc809f0
  resource: ../../../observations/acme/2026-11-29.jsonl#L1
  title: "2026-11-29 14:03 dana: We use cookies."
  author: human:dana
session_id: s-1
agent_kind: claude-code
consolidated: true
---

# Signed cookies

State is in cookies.[^o-1111111111]

## Why

- Tokens cannot be revoked.[^o-1111111111]
- They are signed.[^o-cacfc809f0]

## Notes

A   person's  words.\x20\x20

[^o-1111111111]: 2026-10-31 10:00, eve
[^o-cacfc809f0]: 2026-11-29 14:03, dana
"""


def test_a_page_that_was_shown_changes_where_the_draft_says_so() -> None:
    update = update_of(
        "## Why\n\n- Tokens cannot be revoked.[^o-1111111111]\n- They are signed.[^o1]\n",
        path=PATH,
        title="Signed cookies",
        description="Cookies are signed.",
        tags=["web", "Auth"],
    )
    revision = run(update, wiki={PATH: PAGE}, shown=[PATH])
    assert revision.pages[PATH].decode() == UPDATED
    assert revision.outcomes == (PageOutcome(PATH, "Signed cookies", "updated", 3),)
    assert revision.findings == ()


def test_the_same_draft_again_is_no_change() -> None:
    update = update_of(
        "## Why\n\n- Tokens cannot be revoked.[^o-1111111111]\n- They are signed.[^o1]\n",
        path=PATH,
        title="Signed cookies",
        description="Cookies are signed.",
        tags=["web"],
    )
    later = Stamp("other", datetime(2027, 1, 1, tzinfo=UTC), "observations", 1)
    revision = run(update, wiki={PATH: UPDATED}, shown=[PATH], stamp=later)
    assert revision == Revision({}, (), ())


def test_a_source_that_is_no_longer_cited_stays_in_the_front_matter() -> None:
    update = update_of("State is in tokens.[^o3]\n\n## Why\n\n- Because.[^o3]\n", path=PATH)
    page = run(update, wiki={PATH: PAGE}, shown=[PATH]).pages[PATH].decode()
    assert "- id: o-1111111111\n" in page
    assert "[^o-1111111111]" not in page
    assert page.endswith(f"words.  \n\n[^{THREE}]: 2026-11-29 14:05, dana\n")


def test_a_page_that_was_not_shown_is_only_added_to() -> None:
    update = update_of(
        "New lead.[^o1]\n\n## Why\n\n- Tokens cannot be revoked.[^o2]\n- They are signed.[^o1]\n\n"
        "## More\n\nText.[^o3]\n",
        path=PATH,
        title="Another title",
        description="Another description.",
        tags=["web"],
        removed_sections=["Notes"],
    )
    page = run(update, wiki={PATH: PAGE}).pages[PATH].decode()
    body = page.partition("\n---\n\n")[2]
    assert body == (
        f"# Cookies\n\nState is in cookies.[^o-1111111111]\n\nNew lead.[^{ONE}]\n\n"
        f"## Why\n\n- Tokens cannot be revoked.[^o-1111111111]\n- They are signed.[^{ONE}]\n\n"
        f"## Notes\n\nA   person's  words.  \n\n## More\n\nText.[^{THREE}]\n\n"
        f"[^o-1111111111]: 2026-10-31 10:00, eve\n"
        f"[^{ONE}]: 2026-11-29 14:03, dana\n[^{THREE}]: 2026-11-29 14:05, dana\n"
    )
    assert "title: Cookies\ndescription: The app keeps its state in cookies.\ntags: [auth, web]\n" in page
    assert TWO not in page


@pytest.mark.parametrize("title", ["Cookies", "COOKIES", "cookies!", " Cookies "])
def test_a_new_page_of_a_subject_that_stands_is_added_to_it(title: str) -> None:
    revision = run(update_of("- Also.[^o1]\n", title=title), wiki={PATH: PAGE})
    assert list(revision.pages) == [PATH]
    assert b"- Also." in revision.pages[PATH]
    assert b"title: Cookies\n" in revision.pages[PATH]
    assert revision.outcomes[0].change == "updated"


def test_a_subject_is_found_by_its_aliases_and_by_a_changed_title() -> None:
    renamed = PAGE.replace("title: Cookies", "title: Login state\naliases: [Session jar]")
    for title in ("Login state", "Session Jar", "Cookies"):
        assert list(run(update_of("- a[^o1]\n", title=title), wiki={PATH: renamed}).pages) == [PATH]


class Closed(dict[str, bytes]):
    """Files of which only the names may be looked at."""

    def __getitem__(self, key: str) -> bytes:
        raise AssertionError(key)

    def get(self, key: str, default: object = None) -> bytes:
        raise AssertionError(key)


def test_a_catalogue_spares_reading_the_pages() -> None:
    entry = CatalogueEntry("acme/decisions/x.md", "Decision", "X")
    revision = revise(
        ConsolidatedBatch(updates=(update_of("- a[^o1]\n"),)),
        window=WINDOW,
        wiki=Closed({entry.path: b""}),
        shown_paths=(),
        stamp=STAMP,
        catalogue={entry.path: entry},
    )
    assert list(revision.pages) == [PATH]


@pytest.mark.parametrize(
    ("title", "file"),
    [("C build", "c-build.md"), ("C++ build", None), ("c BUILD", "c-build.md")],
)
def test_titles_that_differ_in_a_sign_are_two_subjects(title: str, file: str | None) -> None:
    standing = {"acme/decisions/c-build.md": PAGE.replace("title: Cookies", "title: C build")}
    (path,) = run(update_of("- a[^o1]\n", title=title), wiki=standing).pages
    if file:
        assert path == f"acme/decisions/{file}"
    else:
        assert path.startswith("acme/decisions/c-build-")


def test_a_superseded_page_is_no_home_for_news() -> None:
    old = PAGE.replace("status: stable", "status: deprecated")
    (path,) = run(update_of("- a[^o1]\n"), wiki={PATH: old}).pages
    assert path.startswith("acme/decisions/cookies-")


def test_two_updates_of_one_subject_make_one_page() -> None:
    revision = run(update_of("One.[^o1]\n"), update_of("Two.[^o2]\n"), update_of("Three.[^o3]\n", kind="concept"))
    assert sorted(revision.pages) == ["acme/concepts/cookies.md", PATH]
    assert b"One.[^" in revision.pages[PATH]
    assert b"Two.[^" in revision.pages[PATH]
    assert [(one.path, one.change, one.statements) for one in revision.outcomes] == [
        (PATH, "created", 2),
        ("acme/concepts/cookies.md", "created", 1),
    ]


def test_each_session_has_its_own_page_and_keeps_it() -> None:
    first = run(update_of("Asked.[^o1]\n", kind="session", title="Fix the login"))
    (path,) = first.pages
    assert path == "acme/sessions/fix-the-login.md"
    standing = {path: first.pages[path].decode()}
    again = run(update_of("Done.[^o2]\n", kind="session", title="Fix the login"), wiki=standing)
    assert list(again.pages) == [path]
    other = window_of("x", session=SessionKey("default", "acme", "s-2"))
    (second,) = run(update_of("Done.[^o1]\n", kind="session", title="Fix the login"), wiki=standing, window=other).pages
    assert second.startswith("acme/sessions/fix-the-login-")
    later = window_of("x", number=2, of=2)
    assert list(run(update_of("End.[^o1]\n", kind="session", title="Else"), wiki=standing, window=later).pages) == [
        path
    ]


REFUSED = {
    "page-locked": ({PATH: PAGE.replace("owner:", "locked: true\nowner:")}, PATH),
    "page-unreadable": ({PATH: PAGE.replace("title: Cookies", "title: a: b: [")}, PATH),
    "path-unknown": ({}, PATH),
    "path-outside-project": ({"other/decisions/cookies.md": PAGE}, "other/decisions/cookies.md"),
    "path-unsafe": ({}, "acme/../other/decisions/cookies.md"),
    "path-reserved": ({"acme/index.md": "# acme\n"}, "acme/index.md"),
    "path-other-session": ({"acme/sessions/x.md": PAGE}, "acme/sessions/x.md"),
}


@pytest.mark.parametrize("rule", REFUSED)
def test_an_update_that_cannot_be_carried_out_costs_only_itself(rule: str) -> None:
    wiki, path = REFUSED[rule]
    revision = run(update_of("- a[^o1]\n", path=path), update_of("- b[^o2]\n", title="Other"), wiki=wiki, shown=[path])
    assert list(revision.pages) == ["acme/decisions/other.md"]
    assert rules(revision) == [rule]
    assert revision.findings[0].where == path
    assert revision.findings[0].message


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("C:\\x.md", "path-unsafe"),
        ("acme/decisions/con.md", "path-unsafe"),
        ("acme/decisions/.hidden.md", "path-reserved"),
        ("_prompts/consolidation.md", "path-reserved"),
        (".ledger/files.jsonl", "path-reserved"),
        ("acme/log.md", "path-reserved"),
        ("acme/web/decisions/x.md", "path-outside-project"),
        ("acmes/decisions/x.md", "path-outside-project"),
        ("index", "path-reserved"),
    ],
)
def test_unsafe_and_foreign_paths_are_refused(path: str, rule: str) -> None:
    wiki = {"acme/web/decisions/x.md": PAGE, "acmes/decisions/x.md": PAGE}
    revision = run(update_of("- a[^o1]\n", path=path), wiki=wiki)
    assert (dict(revision.pages), rules(revision)) == ({}, [rule])


@pytest.mark.parametrize(
    "path", ["/acme/decisions/cookies.md", "./acme/decisions/cookies", "Acme/Decisions/COOKIES.MD"]
)
def test_a_path_is_found_in_other_spellings(path: str) -> None:
    assert list(run(update_of("- a[^o1]\n", path=path), wiki={PATH: PAGE}).pages) == [PATH]


def test_a_label_that_was_not_shown_is_taken_out_and_told() -> None:
    revision = run(update_of("a[^o9] b[^o-2222222222] c[^o1]\n"))
    assert f"\n\na b c[^{ONE}]\n\n" in revision.pages[PATH].decode()
    assert rules(revision) == ["citation-unknown", "citation-unknown"]
    assert "[^o9]" in revision.findings[0].message


def test_a_statement_may_come_from_another_page_that_was_shown() -> None:
    other = "acme/concepts/state.md"
    standing = PAGE.replace("../../../obs", "../../../x/../obs")
    revision = run(update_of("Moved.[^o-1111111111]\n", title="New"), wiki={other: standing}, shown=[other])
    page = revision.pages["acme/decisions/new.md"].decode()
    assert "  resource: ../../../observations/acme/2026-10-31.jsonl#L7\n" in page
    assert page.endswith("Moved.[^o-1111111111]\n\n[^o-1111111111]: 2026-10-31 10:00, eve\n")
    assert rules(revision) == []


def test_a_name_cites_nothing() -> None:
    page = run(update_of("a[^o1]\n", title="Cookies[^o1]", description="Said.[^o2]")).pages[PATH].decode()
    assert "title: Cookies\ndescription: Said.\n" in page
    assert page.count("- id:") == 1


def test_a_title_without_words_gets_those_of_the_page() -> None:
    wiki = {"acme/decisions/index.md": "# Decisions in acme\n", "acme/decisions/log.md": "# Log\n"}
    (path,) = run(update_of("- We use *cookies*.[^o1]\n", title="```"), wiki=wiki).pages
    assert path == "acme/decisions/we-use-cookies.md"
    (other,) = run(update_of("```\nx\n```\n", title="<!>[^o1]", kind="session"), wiki=wiki).pages
    assert other == "acme/sessions/session-s-1.md"


@pytest.mark.parametrize("title", ["Index", "Log", "Decisions in acme"])
def test_a_reserved_file_is_no_page_of_any_subject(title: str) -> None:
    wiki = {"acme/decisions/index.md": "# Decisions in acme\n", "acme/decisions/log.md": "---\ntitle: Log\n---\n"}
    (path,) = run(update_of("- a[^o1]\n", title=title), wiki=wiki).pages
    assert path not in wiki


def test_labels_that_collide_are_told_apart() -> None:
    standing = PAGE.replace("o-1111111111", ONE)
    page = run(update_of("## New\n\n- x[^o1]\n", path=PATH), wiki={PATH: standing}, shown=[PATH]).pages[PATH].decode()
    ids = [entry.id for entry in parse_page(PATH, page.encode()).sources]
    assert ids[0] == ONE
    assert len(ids) == 2
    assert len(ids[1]) == 2 + 16
    assert f"- x[^{ids[1]}]" in page


def test_an_observation_that_is_cited_already_keeps_its_source() -> None:
    first = run(update_of("A.[^o1]\n")).pages[PATH].decode()
    again = run(update_of("B.[^o1]\n"), wiki={PATH: first}).pages[PATH].decode()
    assert again.count("- id:") == 1
    assert again.endswith(f"A.[^{ONE}]\n\nB.[^{ONE}]\n\n[^{ONE}]: 2026-11-29 14:03, dana\n")


def test_a_review_is_outdated_when_the_page_changes() -> None:
    reviewed = PAGE.replace(
        "sources:", "- { by: human:eve, at: 2026-11-02 }\n- { by: process:nightly, at: 2026-11-03 }\nsources:"
    )
    revision = run(update_of("## Why\n\n- New.[^o1]\n", path=PATH), wiki={PATH: reviewed}, shown=[PATH])
    page = parse_page(PATH, revision.pages[PATH])
    verified = page.front["verified"]
    assert isinstance(verified, list)
    assert [entry["by"] for entry in verified if isinstance(entry, dict)] == [
        "process:nightly",
        "process:wikimill-gates",
    ]
    assert [(found.rule, found.severity) for found in revision.findings] == [("review-outdated", "note")]
    assert "human:eve" in revision.findings[0].message
    same = run(update_of("## Notes\n\nA   person's  words.\n", path=PATH), wiki={PATH: reviewed}, shown=[PATH])
    assert same.pages == {} or b"human:eve" not in same.pages[PATH]


PERSONS = """---
type: Decision
title: Cookies
generated: { by: human:eve, at: 2026-11-01T08:00:00Z }
verified:
- { by: human:eve, at: 2026-11-01 }
---

# Cookies

Mine.

## Why

- My reason.
"""


@pytest.mark.parametrize("generated", ["human", "nobody", "no front matter"])
def test_a_persons_page_never_loses_a_word(generated: str) -> None:
    before = {
        "human": PERSONS,
        "nobody": PERSONS.replace("generated: { by: human:eve, at: 2026-11-01T08:00:00Z }\n", ""),
        "no front matter": PERSONS.partition("---\n\n")[2],
    }[generated]
    update = update_of(
        "Yours.[^o1]\n\n## Why\n\n- Your reason.[^o2]\n", path=PATH, title="Yours", removed_sections=["Why"]
    )
    revision = run(update, wiki={PATH: before}, shown=[PATH])
    page = revision.pages[PATH].decode()
    assert page.partition("---\n\n")[2] == (
        f"# Cookies\n\nMine.\n\nYours.[^{ONE}]\n\n## Why\n\n- My reason.\n- Your reason.[^{TWO}]\n\n"
        f"[^{ONE}]: 2026-11-29 14:03, dana\n[^{TWO}]: 2026-11-29 14:04, dana\n"
    )
    assert "wikimill" not in page
    assert ("human:eve, at: 2026-11-01T08" in page) == (generated == "human")
    assert "type: Decision" in page
    assert run(update, wiki={PATH: page}, shown=[PATH]).pages == {}


def test_keep_blocks_stay_and_a_draft_makes_none() -> None:
    kept = PAGE.replace("- Tokens", "<!-- keep -->\nMine.\n<!-- /keep -->\n\n- Tokens")
    update = update_of("## Why\n\n- Only this.[^o1]\n\n<!-- keep -->\n\nForever.[^o2]\n\n<!-- /keep -->\n", path=PATH)
    page = run(update, wiki={PATH: kept}, shown=[PATH]).pages[PATH].decode()
    assert page.count("<!-- keep -->") == page.count("<!-- /keep -->") == 1
    assert "<!-- keep -->\nMine.\n<!-- /keep -->\n" in page
    new = run(update_of("<!-- keep -->\n\nForever.[^o1]\n\n<!-- /keep -->\n")).pages[PATH].decode()
    assert "keep" not in new
    added = run(update_of("<!-- keep -->\n\nForever.[^o1]\n\n<!-- /keep -->\n"), wiki={PATH: PAGE}).pages[PATH].decode()
    assert "keep" not in added.partition("---\n\n")[2]


def test_a_draft_that_repeats_a_keep_block_leaves_it_where_it_stands() -> None:
    kept = PAGE.replace("A   person's  words.\x20\x20", "<!-- keep -->\nMine &lt;b>, no source.\n<!-- /keep -->")
    body = "## Notes\n\n- New.[^o1]\n\n<!-- keep -->\nMine &lt;b>, no source.\n<!-- /keep -->\n\n- Newer.[^o2]\n"
    shown = ShownPage(PATH, kept)
    gated = run_gates(
        ConsolidatedBatch(updates=(update_of(body, path=PATH),)),
        WINDOW,
        Context(pages=(shown,)),
        scrub=lambda text: (text, {}),
        quotes=False,
    )
    assert gated.findings == ()
    page = run(*gated.batch.updates, wiki={PATH: kept}, shown=[PATH]).pages[PATH].decode()
    assert body.replace("[^o1]", f"[^{ONE}]").replace("[^o2]", f"[^{TWO}]") in page


@pytest.mark.parametrize("shown", [True, False])
def test_a_persons_footnote_stays_a_footnote(shown: bool) -> None:  # noqa: FBT001
    own = PAGE.replace(
        "words.\x20\x20\n", "words.\n\n[^mine]: My note\ngoes on\n\nSee[^mine] and so[^o7].\n\n[^o7]: Seven\n"
    )
    body = (
        "## Notes\n\nA   person's  words.\n\nSee[^mine] and so[^o7].\n\nNew.[^o1] Not[^other].\n\n"
        "[^mine]: told anew\n[^other]: theirs\n"
    )
    revision = run(update_of(body, path=PATH), wiki={PATH: own}, shown=[PATH] if shown else [])
    page = revision.pages[PATH].decode()
    assert page.count("See[^mine] and so[^o7].") == 1
    assert page.count("[^mine]: My note\ngoes on\n") == 1
    assert page.count("[^o7]: Seven\n") == 1
    assert f"New.[^{ONE}] Not\\[^other]." in page
    assert "told anew" not in page
    assert revision.findings == ()
    assert run(update_of(body, path=PATH), wiki={PATH: page}, shown=[PATH] if shown else []).pages == {}


SLOT = """---
type: Slot
title: Rules
slot: invariant
generated: { by: wikimill/other-model, at: 2026-11-01T08:00:00Z }
---

# Rules

Never force-push.
"""


def test_an_invariant_slot_changes_only_by_what_contradicts_it() -> None:
    path = "acme/slots/rules.md"
    body = "Always force-push.[^o1]\n"
    for contradiction in ("", "Dana says so.", "Dana says so.[^o9]"):
        update = update_of(body, path=path, kind="slot", contradiction=contradiction)
        refused = run(update, wiki={path: SLOT}, shown=[path])
        assert (dict(refused.pages), rules(refused)) == ({}, ["slot-invariant"])
    update = update_of(body, path=path, kind="slot", contradiction="[^o1]: force-push always.")
    assert b"Never" not in run(update, wiki={path: SLOT}, shown=[path]).pages[path]
    state = SLOT.replace("invariant", "state")
    assert path in run(update_of(body, path=path, kind="slot"), wiki={path: state}, shown=[path]).pages


def test_a_new_slot_is_a_state() -> None:
    page = run(update_of("Going on.[^o1]\n", kind="slot", title="Now")).pages["acme/slots/now.md"].decode()
    assert "type: Slot\n" in page
    assert "status: stable\nslot: state\ngenerated:" in page


OLD = PAGE.replace("title: Cookies", "title: Old [way]").replace("# Cookies", "# Old way")


def test_a_superseded_page_keeps_its_words() -> None:
    old = "acme/concepts/old.md"
    revision = run(update_of("Tokens it is.[^o3]\n", title="Use tokens", supersedes=[old]), wiki={old: OLD, PATH: PAGE})
    new = "acme/decisions/use-tokens.md"
    assert revision.pages[old].decode() == OLD.replace(
        "status: stable\n", "status: deprecated\nsuperseded_by: ../decisions/use-tokens.md\n"
    ).replace("# Old way\n", "# Old way\n\n> Superseded by [Use tokens](../decisions/use-tokens.md) on 2026-11-30.\n")
    page = revision.pages[new].decode()
    assert "status: stable\nsupersedes: [../concepts/old.md]\ngenerated:" in page
    assert page.endswith(
        f"Tokens it is.[^{THREE}]\n\nSupersedes [Old \\[way\\]](../concepts/old.md).\n\n"
        f"[^{THREE}]: 2026-11-29 14:05, dana\n"
    )
    assert [(one.path, one.change) for one in revision.outcomes] == [(new, "created"), (old, "superseded")]
    standing = {path: raw.decode() for path, raw in revision.pages.items()}
    again = run(update_of("Tokens it is.[^o3]\n", title="Use tokens", supersedes=[old]), wiki=standing)
    assert again == Revision({}, (), ())


@pytest.mark.parametrize(
    ("supersedes", "wiki", "rule"),
    [
        (PATH, {}, "supersedes-itself"),
        ("acme/rules/none.md", {}, "path-unknown"),
        ("other/rules/x.md", {"other/rules/x.md": OLD}, "path-outside-project"),
        ("acme/rules/x.md", {"acme/rules/x.md": OLD.replace("owner:", "locked: true\nowner:")}, "page-locked"),
        (
            "acme/rules/x.md",
            {"acme/rules/x.md": OLD.replace("owner:", "superseded_by: y.md\nowner:")},
            "superseded-already",
        ),
        ("acme/rules/x.md", {"acme/rules/x.md": "---\ntitle: [\n---\n"}, "page-unreadable"),
    ],
)
def test_what_cannot_be_superseded_is_told(supersedes: str, wiki: Mapping[str, str], rule: str) -> None:
    revision = run(update_of("a[^o1]\n", supersedes=[supersedes]), wiki=wiki)
    assert list(revision.pages) == [PATH]
    assert rules(revision) == [rule]


def test_line_ends_byte_order_mark_and_unknown_keys_stay() -> None:
    before = "\ufeff" + PAGE.replace("\n", "\r\n")
    page = run(update_of("## Why\n\n- New.[^o1]\n", path=PATH), wiki={PATH: before}, shown=[PATH]).pages[PATH].decode()
    assert page.startswith("\ufeff---\r\ntype: Decision\r\n")
    assert page.count("\n") == page.count("\r\n")
    assert "owner: dana # ask first\r\n" in page


def test_a_workspace_stands_above_its_projects() -> None:
    window = window_of("x", session=SessionKey("Lab Süd", "Web App", "s-9"))
    (path,) = run(update_of("a[^o1]\n"), window=window).pages
    assert path == "lab-süd/web-app/decisions/cookies.md"
    stamp = Stamp("m", STAMP.at, "data/observations", 2)
    page = run(update_of("a[^o1]\n"), window=window, stamp=stamp).pages[path].decode()
    assert "resource: ../../../../../data/observations/acme/2026-11-29.jsonl#L1\n" in page


SECTION = st.sampled_from(["Why", "Notes", "More", "why"])
TEXT = st.sampled_from(
    ["- a[^o1]", "- b", "text[^o2]", "```\n# x\n```", "1. one[^o3]\n2. two", "> q", "| a |\n|---|\n| b |"]
)
DRAFT = st.lists(st.tuples(SECTION, TEXT), min_size=1, max_size=4).map(
    lambda parts: "\n\n".join(f"## {name}\n\n{text}" for name, text in parts) + "\n"
)


@settings(max_examples=60, deadline=None)
@given(DRAFT)
def test_other_sections_stay_byte_for_byte(body: str) -> None:
    revision = run(update_of(body, path=PATH), wiki={PATH: PAGE}, shown=[PATH])
    after = parse_page(PATH, revision.pages.get(PATH, PAGE.encode())).body
    named = {line[3:].casefold() for line in body.splitlines() if line.startswith("## ")}
    sections = {part.heading: part.text for part in outline(after)}
    for part in outline(parse_page(PATH, PAGE.encode()).body):
        if part.kind == "section" and part.heading.casefold() not in named:
            assert sections[part.heading] == part.text


@settings(max_examples=60, deadline=None)
@given(DRAFT, st.booleans())
def test_the_same_draft_twice_is_no_change(body: str, shown: bool) -> None:  # noqa: FBT001
    paths = [PATH] if shown else []
    once = run(update_of(body, path=PATH), wiki={PATH: PAGE}, shown=paths).pages.get(PATH, PAGE.encode()).decode()
    assert run(update_of(body, path=PATH), wiki={PATH: once}, shown=paths).pages == {}


@settings(max_examples=60, deadline=None)
@given(DRAFT)
def test_a_persons_lines_all_stay_in_order(body: str) -> None:
    page = (
        run(update_of(body, path=PATH), wiki={PATH: PERSONS}, shown=[PATH]).pages.get(PATH, PERSONS.encode()).decode()
    )
    lines = iter(page.splitlines())
    assert all(line in lines for line in PERSONS.partition("---\n\n")[2].splitlines() if line)


def test_the_wiki_that_comes_in_is_not_touched() -> None:
    wiki = {PATH: PAGE.encode()}
    revise(
        ConsolidatedBatch(updates=(update_of("x[^o1]\n", path=PATH),)),
        window=WINDOW,
        wiki=wiki,
        shown_paths=[PATH],
        stamp=STAMP,
    )
    assert wiki == {PATH: PAGE.encode()}
    assert SESSION.session_id == "s-1"
