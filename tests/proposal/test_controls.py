from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.proposal.controls import Controls, read_controls
from pipeline.proposal.text import render
from pipeline.proposal.text.region import BEGIN, END, REBASE, RECREATE, bound, ignoring
from tests.proposal.samples import HEAD, OTHER, account

PAGES = ("acme/a--b.md", "acme/gotchas/重要.md")


def body(*lines: str, head: str = HEAD, end: str = "\n") -> str:
    return end.join((BEGIN, bound(head), "", *lines, "", END))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f"- [x] **Rebase** {REBASE}", Controls(rebase=True)),
        (f"- [X] **Rebase** {REBASE}", Controls(rebase=True)),
        (f"* [x] Rebase {REBASE} ", Controls(rebase=True)),
        (f"   + [ x ] Rebase {REBASE}", Controls(rebase=True)),
        (f"- [x] Recreate, which discards {RECREATE}", Controls(recreate=True)),
        (f"- [x] Ignore `x` {ignoring(PAGES[0])}", Controls(ignored=PAGES[:1])),
        (f"- [x] Ignore `x` {ignoring(PAGES[1])}", Controls(ignored=PAGES[1:])),
        (f"- [ ] **Rebase** {REBASE}", Controls()),
        (f"[x] {REBASE}", Controls()),
        (f"- [x]{REBASE}", Controls()),
        ("- [x] **Rebase**", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore ../../.git/config -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore /etc/passwd -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore acme/../b.md -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore acme%2F..%2Fb.md -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore acme/index.md -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore .ledger/x.md -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore acme/x.py -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore a%00b.md -->", Controls()),
        ("- [x] Ignore <!-- wikimill:ignore a%FFb.md -->", Controls(ignored=("a\ufffdb.md",))),
    ],
)
def test_a_tick_is_read(line: str, found: Controls) -> None:
    assert read_controls(body(line), HEAD) == found
    assert read_controls(f"words\r\n{body(line, end=chr(13) + chr(10))}\r\n", HEAD) == found


def test_a_tick_belongs_to_one_state_of_the_proposal() -> None:
    ticked = body(f"- [x] {REBASE}", f"- [x] {ignoring(PAGES[0])}")
    assert read_controls(ticked, HEAD) == Controls(rebase=True, ignored=PAGES[:1])
    assert read_controls(ticked, OTHER) == Controls(stale=True)
    assert read_controls(ticked, "") == Controls(stale=True)
    assert read_controls(body(f"- [ ] {REBASE}"), OTHER) == Controls()


def test_boxes_outside_the_region_are_a_persons_own() -> None:
    assert read_controls(f"- [x] {REBASE}\n\n{body()}\n\n- [x] {RECREATE}", HEAD) == Controls()
    assert read_controls(f"- [x] {REBASE}", HEAD) == Controls()


def test_what_is_rendered_can_be_ticked_and_comes_back_empty() -> None:
    told = account()
    text = render(told, standing_body="", limit=65_536, host="github")
    assert read_controls(text, HEAD) == Controls()
    ticked = text.replace("- [ ]", "- [x]")
    found = read_controls(ticked, HEAD)
    assert found == Controls(rebase=True, ignored=tuple(page.path for page in told.pages))
    assert render(told, standing_body=ticked, limit=65_536, host="github") == text


@given(st.text(alphabet=st.sampled_from("- [x]<!wikml:ignorebas >\r\n.d/"), max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    found = read_controls(body(text), HEAD)
    assert not found.stale


def test_a_long_text_is_read_in_time() -> None:
    assert read_controls(body(*["- [x] " + "a" * 3_000] * 300, "- [x] <!-- " * 20_000), HEAD) == Controls()
