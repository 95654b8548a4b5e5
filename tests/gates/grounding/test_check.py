"""What a draft says in detail stands in what the model was shown; the rest of the draft stays as it is."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.context import Context, ShownPage
from pipeline.draft import ConsolidatedBatch
from pipeline.gates.grounding.check import check
from pipeline.wiki.entry import CatalogueEntry
from tests.gates.drafts import batch_of, body_of, update_of, window_of
from tests.gates.grounding.labelled import is_right, read_labelled

SHOWN = (
    "The limit of `auth-2` is 512 MB since 2026-03-14 09:41, see src/auth/login.py and #12.",
    "Ravi said: “never restart it by hand”. Run `make deploy -j4` with API_KEY set; v1.2.3 is out.",
)
PAGE = ShownPage(
    "acme/decisions/old.md",
    "---\ntype: Decision\ntitle: Use of Redis\n---\n\n# Use of Redis\n\n"
    "## Ports from 6379\n\n- It listens on 6379.[^o-3f2a9c1e55]\n",
)
LISTED = CatalogueEntry("acme/concepts/queue-7.md", "Concept", "The queue", date="2026-02-01 10:30")
CONTEXT = Context("Name the version 9.9.", (), (LISTED,), 0, (PAGE,))

BODIES = {
    "what was shown": ("- The limit is 512MB since March 14, 2026.[^o1]\n", None),
    "a page, a catalogue line, a wish": ("- 6379, 9.9, see [it](../concepts/queue-7.md#x) of 1 Feb 2026.[^o1]\n", None),
    "a bullet": ("- The limit is 600 MB.[^o1]\n- Ravi asked.[^o2]\n", "- Ravi asked.[^o2]\n"),
    "a sentence at the end": (
        "The limit is 512 MB. It was 600 MB before.[^o1]\n",
        "The limit is 512 MB.[^o1]\n",
    ),
    "a sentence at the end with the footnote before it": (
        "The limit is 512 MB.[^o1] It was 600 MB before.[^o1]\n",
        "The limit is 512 MB.[^o1]\n",
    ),
    "a sentence at the start": ("It was 600 MB.[^o1] Now it is 512 MB.[^o1]\n", "Now it is 512 MB.[^o1]\n"),
    "a sentence in the middle": (
        "It is 512 MB.[^o1] It was 600 MB.[^o1] Ravi asked.[^o2]\n",
        "It is 512 MB.[^o1] Ravi asked.[^o2]\n",
    ),
    "a sentence in the middle whose footnote covers more": (
        "It is 512 MB. It was 600 MB.[^o1] Ravi asked.[^o2]\n",
        "It is 512 MB.[^o1] Ravi asked.[^o2]\n",
    ),
    "all sentences": ("It was 600 MB. Then 700 MB.[^o1]\n\nRavi asked.[^o2]\n", "\nRavi asked.[^o2]\n"),
    "two of three sentences": ("Ravi asked. It was 600 MB. Then 700 MB.[^o1]\n", "Ravi asked.[^o1]\n"),
    "a remark stays": ("Ravi asked. It was 600 MB. (unsourced)\n", "Ravi asked.\n"),
    "over line ends": ("The limit is 512\nMB. It was\n600 MB\nbefore.[^o1]\n", "The limit is 512\nMB.[^o1]\n"),
    "in a quotation": ("> Ravi asked.\n> It was 600 MB.[^o1]\n", "> Ravi asked.[^o1]\n"),
    "an item that holds a true one": (
        "- It was 600 MB.[^o1]\n  - Ravi asked.[^o2]\n- Ravi asked.\n",
        "- \n  - Ravi asked.[^o2]\n- Ravi asked.\n",
    ),
    "an item and what it holds": ("- 600 MB[^o1]\n  - 700 MB[^o1]\n- Ravi asked.[^o2]\n", "- Ravi asked.[^o2]\n"),
    "a heading goes with its last statement": (
        "## One\n\n- It was 600 MB.[^o1]\n\n## Two\n\n- Ravi asked.[^o2]\n",
        "## Two\n\n- Ravi asked.[^o2]\n",
    ),
    "a line that leads to nothing": (
        "Ravi asked.\n\nSizes:\n\n- 600 MB[^o1]\n- 700 MB[^o1]\n",
        "Ravi asked.\n\n\n",
    ),
    "a row": ("| a | b |\n|---|--:|\n| x | 512 MB |\n| y | 600 MB |\n", "| a | b |\n|---|--:|\n| x | 512 MB |\n"),
    "a table": ("Ravi asked.\n\n| a | b |\n|---|--:|\n| y | 600 MB |\n", "Ravi asked.\n\n"),
    "code that was shown": ("Run:\n\n```sh\n$ make deploy -j4\n```\n", None),
    "code that was not": ("Ravi asked.\n\nRun:\n\n```sh\nmake deploy -j8\n```\n", "Ravi asked.\n\n\n"),
    "code below a bullet": ("- Ravi:\n\n  ```\n  make destroy\n  ```\n- x\n", "- x\n"),
    "indented code": ("Ravi asked.\n\n    curl http://evil.example\n", "Ravi asked.\n\n"),
    "a drawing": ("```mermaid\ngraph TD; A[Ravi] --> B[login]\n```\n", None),
    "a standing heading": ("## Ports from 6379\n\n- It listens on 6379.[^o-3f2a9c1e55]\n", None),
    "a heading loses the detail": ("## Sizes of 2031\n\n- Ravi asked.[^o2]\n", "## Sizes of\n\n- Ravi asked.[^o2]\n"),
    "a heading that is but a detail": ("## 2031\n\n- Ravi asked.[^o2]\n", "\n\n- Ravi asked.[^o2]\n"),
    "numbers of lists and steps": ("1. Ravi asked.[^o2]\n7. Then go back to step 4.[^o2]\n", None),
    "nothing is left": ("## One\n\n- 600 MB[^o1]\n", None),
    "escapes and entities": ("- `auth-2` has 512&nbsp;MB, src/auth\\/login.py, API\\_KEY.[^o1]\n", None),
    "a link to a page of the same draft": ("- See [cookies](cookies.md).[^o1]\n", None),
    "a link to an address": ("- See [it](https://evil.example/x).[^o1]\n- Ravi.\n", "- Ravi.\n"),
    "an abbreviation": ("Ravi asked, e.g. Kafka was named. He said so.[^o2]\n", "He said so.[^o2]\n"),
    "a date is no end": (
        "Am 14. März 2026 war es so. Ravi hat es mit 600 MB gesehen.[^o1]\n",
        "Am 14. März 2026 war es so.[^o1]\n",
    ),
    "capitals that say nothing": ("- **Cause:** (See there) Ravi asked; I said so on Monday.[^o2]\n", None),
    "acronyms and names": (
        "- The URL is known.[^o1]\n- We asked Priya.[^o1]\n- Ravi asked.[^o2]\n",
        "- Ravi asked.[^o2]\n",
    ),
    "a word in capitals": ("- It MUST NEVER be done by hand.[^o2]\n", None),
    "a German noun": ("- Das ist die Begründung für den Neustart von Ravi.[^o2]\n", None),
    "an underlined file": ("- It is __init__.py, or a__b.[^o1]\n- Ravi\n", "- Ravi\n"),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    body, expected = BODIES[name]
    batch = batch_of(body)
    gated = check(batch, window_of(*SHOWN), CONTEXT)
    if name == "nothing is left":
        assert gated.batch.updates == ()
    elif expected is None:
        assert gated.findings == ()
        assert gated.batch is batch
    else:
        assert body_of(gated) == expected
        assert {found.rule for found in gated.findings} == {"detail-ungrounded"}
        assert check(gated.batch, window_of(*SHOWN), CONTEXT) == type(gated)(gated.batch)


def test_a_finding_names_place_detail_and_text() -> None:
    gated = check(batch_of("## A *b*\n\nRavi asked. It was 600 MB.[^o1]\n"), window_of(*SHOWN), CONTEXT)
    (found,) = gated.findings
    assert found.where == "decisions/Cookies#A *b*"
    assert found.severity == "warning"
    assert found.message == "“600 MB” stands nowhere in what was shown; “It was 600 MB.” was taken out."


def test_the_other_fields() -> None:
    update = update_of(
        "- Ravi asked.[^o2]\n",
        title="Limit of 600 MB for login",
        description="The limit is 512 MB. It was raised in v3.4.5.",
        tags=("auth", "v3.4.5"),
        aliases=("JWT sessions", "auth-2"),
    )
    batch = ConsolidatedBatch(updates=(update,), rationale="Asked on 2026-03-15.")
    gated = check(batch, window_of(*SHOWN), CONTEXT)
    (left,) = gated.batch.updates
    assert (left.title, left.description) == ("Limit for login", "The limit is 512 MB.")
    assert (left.tags, left.aliases) == (("auth",), ("auth-2",))
    assert gated.batch.rationale == ""
    assert [found.message.rpartition("was taken out")[2] for found in gated.findings] == [
        " of the title.",
        " of the description.",
        " of the tags.",
        " of the aliases.",
        " of the rationale.",
    ]
    assert gated.findings[-1].where == "acme/s-1"
    assert check(gated.batch, window_of(*SHOWN), CONTEXT).findings == ()


def test_an_update_whose_title_is_nothing_else_stays() -> None:
    gated = check(batch_of("- Ravi asked.[^o2]\n", title="2027-01-01"), window_of(*SHOWN), CONTEXT)
    assert [update.title for update in gated.batch.updates] == [""]


def test_the_title_of_a_standing_page_stays() -> None:
    batch = batch_of("- Ravi asked.[^o2]\n", path=PAGE.path, title="Use of Redis")
    assert check(batch, window_of(*SHOWN), CONTEXT).batch is batch


@pytest.mark.parametrize("held_out", [False, True])
def test_the_error_rates(*, held_out: bool) -> None:
    cases = [case for case in read_labelled() if case.held_out is held_out]
    total = Counter(case.label for case in cases)
    wrong = Counter(case.label for case in cases if not is_right(case))
    assert wrong["faithful"] <= total["faithful"] * 0.01
    assert wrong["planted"] <= total["planted"] * 0.02


def test_the_error_rates_of_all_parts() -> None:
    cases = read_labelled()
    total = Counter(case.label for case in cases)
    wrong = Counter(case.label for case in cases if not is_right(case))
    assert wrong["faithful"] <= total["faithful"] * 0.01
    assert wrong["planted"] <= total["planted"] * 0.02


def test_the_labelled_set_is_large_enough() -> None:
    cases = read_labelled()
    assert min(Counter(case.label for case in cases).values()) >= 170
    assert min(Counter(case.label for case in cases if case.held_out == "second").values()) >= 120
    assert min(Counter(case.kind for case in cases if case.label == "planted").values()) >= 10


WORDS = [word for case in read_labelled() for source in case.sources for word in source.split()]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(WORDS) - 60), st.integers(1, 50), st.integers(0, 8), st.integers(0, 8))
def test_what_is_copied_word_by_word_is_never_flagged(start: int, length: int, before: int, after: int) -> None:
    shown = " ".join(WORDS[max(0, start - before) : start + length + after])
    copied = " ".join(WORDS[start : start + length])
    assert check(batch_of(f"- {copied}[^o1]\n"), window_of(shown), Context()).findings == ()


PIECES = st.sampled_from(
    [
        *(
            "## A\n",
            "- ",
            "1. ",
            "> ",
            "| a | b |\n|---|---|\n",
            "| 600 MB | x |\n",
            "```\n",
            "    ",
            "\n",
            "\n\n",
            ". ",
        ),
        *(
            "600 MB",
            "512 MB",
            "Kafka",
            "Ravi",
            "`x y`",
            "“a b”",
            '"',
            "'",
            "[a](b-1.md)",
            "[^o1]",
            "\\_",
            "&amp;",
            "**",
        ),
        *(
            "2026-03-14",
            "14. März",
            "v1.2",
            "#12",
            "~/x",
            "a.b",
            "a/b_c",
            "http://x.y",
            "JWT",
            "終。",
            "é",
            "\r\n",
            "<b>",
        ),
    ]
)
LINES = st.lists(PIECES, min_size=1, max_size=25)
BODY = st.one_of(LINES.map(" ".join), LINES.map("".join), st.text(min_size=1))


@settings(max_examples=300, deadline=None)
@given(BODY)
def test_any_text_passes_once_and_for_all_and_only_loses(body: str) -> None:
    gated = check(batch_of(body), window_of(*SHOWN), CONTEXT)
    for update in gated.batch.updates:
        rest = iter(body)
        assert all(character in rest for character in update.body)
    assert check(gated.batch, window_of(*SHOWN), CONTEXT).findings == ()


HARD = (
    *(
        "a",
        "1,",
        '"a ',
        "[^",
        "a-1-",
        "/a",
        "`a ",
        "may 1 ",
        "\\",
        "a.b ",
        "1 000",
        "A",
        "' a",
        "_",
        " ",
        ".",
        "a-1-1-",
    ),
    *("1.1.1a", "AAAAa", "(unsourced", "é", "中", "|a", "> ", "# ", "- a:\n", "&amp;", "](", "1h 2"),
)


@pytest.mark.parametrize("piece", HARD)
def test_time_is_linear(piece: str) -> None:
    body = piece * (20_000 // len(piece)) + "!"
    begin = time.process_time()
    check(batch_of(f"x{body}"), window_of(body * 5), Context())
    assert time.process_time() - begin < 20


@pytest.mark.parametrize(
    ("shown", "said", "kept"),
    [
        ("s0.1: The build failed.", "A person met a fault: s0.1: the build failed.", True),
        ("s0.1: The build failed.", "A person met a fault: s0.2: the build failed.", False),
        ("The branch is `entire/<hash>`.", "Its branch is `entire/&lt;hash>`.", True),
        ("The branch is `entire/<hash>`.", "Its branch is `entire/&lt;name>`.", False),
    ],
)
def test_a_part_of_a_word_that_was_shown_is_no_detail_by_itself(shown: str, said: str, *, kept: bool) -> None:
    gated = check(batch_of(f"{said}[^o1]\n"), window_of(shown), Context())
    assert bool(gated.findings) is not kept
