"""A remark on a change or a contradiction is put back without a word, as long as what it is about stands."""

from __future__ import annotations

import pytest

from pipeline.context import Context
from pipeline.gates import contradiction, retention
from tests.gates.drafts import batch_of, body_of, window_of
from tests.gates.labelled_pairs import CITED, PATH, page_of

A, B = f"[^{CITED}]", "[^o-bbbbbbbbbb]"
BEFORE = f"**Changed on 2026-11-02:** before, “The gateway listens on port 8080.”{A}{B}"
EARLIER = f"**Changed on 2026-11-01:** before, “The gateway listens on port 7070.”{A}"
OPEN = (
    f"**Contradiction:** “Requests time out after 30 seconds.”{A} stands against "
    f"“Requests time out after 45 seconds.”{B}; nothing says which one holds."
)
LIST = f"- The gateway listens on port 9090.{B}\n  - {BEFORE}\n- It needs no root.{A}\n"
SIDES = f"- Requests time out after 45 seconds.{B}\n  - {OPEN}\n- Requests time out after 30 seconds.{A}\n"
TABLE = f"| what | value |\n|---|---|\n| Port | 9090{B} |\n| Logs | 14 days{A} |\n"
IN_TABLE = f"**Changed on 2026-11-02:** before, “Port: 8080”{A}{B}"

BACK = {
    "below an item": (LIST, f"- The gateway listens on port 9090.{B}\n- It needs no root.{A}\n", LIST),
    "below a sentence in other words": (
        LIST,
        f"- It needs no root.{A}\n- Port 9090 is where the gateway listens.{B}\n",
        f"- It needs no root.{A}\n- Port 9090 is where the gateway listens.{B}\n  - {BEFORE}\n",
    ),
    "two of them": (
        f"The gateway listens on port 9090.{B}\n\n{BEFORE}\n\n{EARLIER}\n",
        f"The gateway listens on port 9090.{B}\n",
        f"The gateway listens on port 9090.{B}\n\n{BEFORE}\n\n{EARLIER}\n",
    ),
    "the second of two": (
        f"- The gateway listens on port 9090.{B}\n  - {BEFORE}\n  - {EARLIER}\n",
        f"- The gateway listens on port 9090.{B}\n  - {BEFORE}\n",
        f"- The gateway listens on port 9090.{B}\n  - {BEFORE}\n  - {EARLIER}\n",
    ),
    "below a table": (f"{TABLE}\n{IN_TABLE}\n", TABLE, f"{TABLE}\n{IN_TABLE}\n"),
    "below the row that it is on": (
        f"{TABLE}\n{IN_TABLE}\n",
        f"- Port: 9090{B}\n- Logs: 14 days{A}\n",
        f"- Port: 9090{B}\n  - {IN_TABLE}\n- Logs: 14 days{A}\n",
    ),
    "a contradiction": (SIDES, SIDES.replace(f"  - {OPEN}\n", ""), SIDES),
    "a contradiction of a sentence in other words": (
        SIDES,
        f"- After 45 s requests time out.{B}\n- Requests time out after 30 seconds.{A}\n",
        f"- After 45 s requests time out.{B}\n  - {OPEN}\n- Requests time out after 30 seconds.{A}\n",
    ),
}
GONE = {
    "in the draft's own words": (
        LIST,
        f"- The gateway listens on port 9090 instead of 8080.{B}{A}\n- It needs no root.{A}\n",
    ),
    "its sentence moved to another section": (
        LIST,
        f"It needs no root.{A}\n\n## Else\n\nThe gateway listens on port 9090.{B}\n\n{BEFORE}\n",
    ),
    "a newer one of the same pair": (
        SIDES,
        (
            f"- Requests time out after 45 seconds.{B}\n"
            f"  - **Changed on 2026-11-03:** before, “Requests time out after 30 seconds.”{A}\n"
        ),
    ),
    "one side is history": (
        SIDES,
        f"- Requests time out after 45 seconds.{B}\n- Requests no longer time out after 30 seconds.[^o1]\n",
    ),
}


@pytest.mark.parametrize("case", BACK)
def test_it_is_put_back_without_a_word(case: str) -> None:
    standing, draft, after = BACK[case]
    shown = Context(pages=(page_of(f"Lead.{A}\n\n## Facts\n\n{standing}"),))
    gated = retention.check(batch_of(f"## Facts\n\n{draft}", path=PATH, title="Page"), window_of("It is so."), shown)
    assert body_of(gated) == f"## Facts\n\n{after}"
    assert gated.findings == ()
    assert retention.check(gated.batch, window_of("It is so."), shown).batch is gated.batch


@pytest.mark.parametrize("case", GONE)
def test_it_goes_with_what_it_is_about(case: str) -> None:
    standing, draft = GONE[case]
    shown = Context(pages=(page_of(f"Lead.{A}\n\n## Facts\n\n{standing}"),))
    batch = batch_of(f"## Facts\n\n{draft}", path=PATH, title="Page")
    gated = retention.check(batch, window_of("It is so."), shown)
    assert gated.batch is batch
    assert gated.findings == ()


def test_it_comes_back_with_its_sentence() -> None:
    shown = Context(pages=(page_of(f"Lead.{A}\n\n## Facts\n\n{LIST}"),))
    draft = f"## Facts\n\n- It needs no root.{A}\n"
    gated = retention.check(batch_of(draft, path=PATH, title="Page"), window_of("It is so."), shown)
    assert body_of(gated) == f"## Facts\n\n{LIST}"
    assert [found.message for found in gated.findings] == [
        f"the draft leaves out “The gateway listens on port 9090.”{B}; it was kept."
    ]


@pytest.mark.parametrize("lead", ["- ", ""])
def test_a_chain_of_changes_keeps_all_of_its_history(lead: str) -> None:
    gap, inner = ("\n", "  - ") if lead else ("\n\n", "")
    shown = page_of(f"About it.{A}\n\n## Facts\n\n{lead}The gateway listens on port 9090.{B}{gap}{inner}{BEFORE}\n")
    window = window_of("We moved the gateway from port 9090 to 9443.")
    draft = f"## Facts\n\n{lead}The gateway listens on port 9443.[^o1]\n"
    marked = contradiction.check(
        batch_of(draft, path=PATH, title="Page", kind="concept"), window, Context(pages=(shown,))
    )
    gated = retention.check(marked.batch, window, Context(pages=(shown,)))
    newer = f"**Changed on 2026-11-29:** before, “The gateway listens on port 9090.”{B}[^o1]"
    assert body_of(gated) == f"{draft}{gap[1:]}{inner}{newer}{gap}{inner}{BEFORE}\n"
    assert [found.rule for found in (*marked.findings, *gated.findings)] == ["value-changed"]
    again = shown.__class__(PATH, shown.text[: shown.text.index("## Facts")] + body_of(gated).replace("[^o1]", B))
    third = f"## Facts\n\n{lead}The gateway listens on port 9443.{B}\n"
    kept = retention.check(batch_of(third, path=PATH, title="Page"), window, Context(pages=(again,)))
    assert body_of(kept) == body_of(gated).replace("[^o1]", B)
    assert kept.findings == ()
