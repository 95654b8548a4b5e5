from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.proposal.comparing import (
    CitedSource,
    ClaimChange,
    PageChange,
    compare,
    line_stats,
)
from tests.proposal.samples import AFTER, BEFORE, A, B, page

Told = list[tuple[str, str, str]]


def told(before: str, after: str) -> Told:
    """Compare two bodies; labels `a` and `b` are sources."""
    change = one(before, after)
    assert (change.added, change.changed, change.removed) == tuple(
        sum(claim.kind == kind for claim in change.claims) for kind in ("added", "changed", "removed")
    )
    return [(claim.kind, claim.before, claim.after) for claim in change.claims]


def one(before: str, after: str) -> PageChange:
    sources = [A, B]

    def body(text: str) -> str:
        return text.replace("[a]", f"[^{A[0]}]").replace("[b]", f"[^{B[0]}]")

    (change,) = compare(
        {"x.md": page("X", body(before), sources)}, {"x.md": page("X", body(after) + "\n\n<!-- -->", sources)}, ["x.md"]
    )
    return change


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("The port is 8080.[a]", "The port is 9090.[b]", [("changed", "The port is 8080.", "The port is 9090.")]),
        ("The port is 8080.[a]", "The port is 8080.[a][b]", [("changed", "The port is 8080.", "The port is 8080.")]),
        ("The port is 8080.[a][b]", "The port is 8080.[b][a]", []),
        ("The port is 8080.[a]", "**The port** is `8080`.[a]", []),
        ("The port\nis 8080.[a]", "The port is\n8080.[a]", []),
        ("One is so.[a]\n\nTwo is so.[a]", "Two is so.[a]\n\nOne is so.[a]", []),
        ("## A\n\nOne is so.[a]\n\n## B\n\nTwo.[a]", "## A\n\nTwo.[a]\n\n## B\n\nOne is so.[a]", []),
        (
            "",
            "- We use cookies.[a]\n- Tokens expire.[b]",
            [("added", "", "We use cookies."), ("added", "", "Tokens expire.")],
        ),
        ("- We use cookies.[a]", "", [("removed", "We use cookies.", "")]),
        (
            "- The cache holds 5 entries.[a]\n- Workers restart nightly.[a]",
            "- Workers restart weekly.[b]\n- The cache holds 9 entries.[b]",
            [
                ("changed", "Workers restart nightly.", "Workers restart weekly."),
                ("changed", "The cache holds 5 entries.", "The cache holds 9 entries."),
            ],
        ),
        (
            "## Old name\n\nThe cache of the worker holds 5 entries.[a]",
            "## New name\n\nThe cache of the worker holds 9 entries.[a]",
            [("changed", "The cache of the worker holds 5 entries.", "The cache of the worker holds 9 entries.")],
        ),
        (
            "| Name | Port |\n|---|---|\n| web | 80 |[a]",
            "| Name | Port |\n|---|---|\n| web | 81 |[a]",
            [("changed", "web | 80", "web | 81")],
        ),
        ("端口是八零八零。[a]", "端口是九零九零。[b]", [("changed", "端口是八零八零。", "端口是九零九零。")]),
        ("Fixed ports:", "Fixed ports here:", []),
        ("None so far.", "Nothing yet.", []),
        ("", "```\nThe port is 80.\n```", []),
    ],
)
def test_claims_that_change(before: str, after: str, changes: Told) -> None:
    assert told(before, after) == changes


def test_unlike_claims_of_a_busy_section_are_no_pair() -> None:
    before = "- Login uses cookies.[a]\n- Logs go to disk.[a]"
    after = "- Backups run at night.[b]\n- Logs go to disk.[a]\n- Deploys need a tag.[b]"
    assert [change[0] for change in told(before, after)] == ["added", "added", "removed"]


def test_a_change_names_its_section_and_its_sources() -> None:
    change = one(
        "## Details\n\nThe port is 8080.[a]", "## Details\n\nThe port is 9090.[b] It is TCP.[c]".replace("[c]", "")
    )
    assert change.claims == (
        ClaimChange(
            "changed",
            "Details",
            "The port is 8080.",
            "The port is 9090. It is TCP.",
            (CitedSource(B[0], B[1], "../../../observations/acme.jsonl#L2", "human:dana"),),
        ),
    )


def test_a_source_that_the_page_does_not_list_keeps_its_label() -> None:
    (change,) = compare({}, {"x.md": b"# X\n\nIt is so.[^o-1]\n\n[^o-1]: somebody\n"}, ["x.md"])
    assert change.claims[0].sources == (CitedSource("o-1"),)
    assert change.sources == 1


def test_remarks_are_no_claims() -> None:
    gateway, proxy, pool, session = compare(BEFORE, AFTER, AFTER)
    assert [change.path for change in (gateway, proxy, pool, session)] == sorted(AFTER)
    assert (gateway.change, proxy.change, pool.change, session.change) == ("changed", "superseded", "new", "new")
    assert (gateway.added, gateway.changed, gateway.removed) == (2, 1, 0)
    assert gateway.unsourced == ("The change was rolled out by @ops (fixes #12).",)
    assert (gateway.trust_before, gateway.trust_after) == ("human-reviewed", "machine-confirmed")
    assert gateway.contradictions == ()
    assert (proxy.added, proxy.changed, proxy.removed) == (0, 0, 0)
    assert [claim.after for claim in pool.claims] == [
        "The pool held 5 connections.",
        "Set `pool_size = 20`.",
        "Restart the workers.",
    ]
    assert len(pool.contradictions) == 1
    assert pool.contradictions[0].startswith("**Contradiction:** “The pool held 5 connections.” stands against")
    assert (pool.trust_before, pool.trust_after) == (None, "unverified")
    assert (pool.title, pool.type, pool.sources) == ("Connection pool runs dry under load", "Gotcha", 2)


def test_a_standing_contradiction_is_not_new() -> None:
    standing = "**Contradiction:** “A.”[a] stands against “B.”[b]; nothing says which one holds."
    change = one(f"{standing}", f"{standing}\n\nIt is so. (unsourced)")
    assert change.contradictions == ()
    assert change.unsourced == ("It is so.",)


def test_a_page_that_is_gone_tells_what_it_said() -> None:
    (change,) = compare(BEFORE, {}, ["acme/decisions/gateway-port.md"])
    assert (change.change, change.title, change.removed, change.trust_after) == ("removed", "Gateway port", 2, None)
    assert change.claims[0].sources[0].title == A[1]
    assert (change.lines_added, change.lines_removed) == (0, BEFORE["acme/decisions/gateway-port.md"].count(b"\n"))


def test_files_that_are_no_pages_and_equal_ones_are_left_out() -> None:
    files = {"acme/index.md": b"x", "acme/log.md": b"x", ".ledger/a.md": b"x", "acme/a.txt": b"x", "acme/a.md": b"x"}
    changed = dict.fromkeys(files, b"y")
    assert [one.path for one in compare(files, changed, files)] == ["acme/a.md"]
    assert compare(files, files, files) == ()


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"---\ntitle: [\n---\nIt is so.\n", b"---\ntitle: x\n", b"\xef\xbb\xbf---\n---\n# T\n"]
)
def test_any_bytes_can_be_compared(raw: bytes) -> None:
    (change,) = compare({"a/b.md": raw}, {"a/b.md": page("T", "It is so.[^o-1]")}, ["a/b.md"])
    assert change.title == "T"
    (change,) = compare({"a/b.md": page("T", "It is so.[^o-1]")}, {"a/b.md": raw}, ["a/b.md"])
    assert change.title


@given(
    st.lists(st.sampled_from(["It is so.[^o-1]", "It is not so.[^o-2]", "## A", "- x holds 5", "", "```", "| a | b |"]))
)
@settings(max_examples=60, deadline=None)
def test_nothing_is_told_of_what_stays(lines: list[str]) -> None:
    body = "\n".join(lines)
    (change,) = compare({"a.md": page("T", body)}, {"a.md": page("T", body, more="x: 1\n")}, ["a.md"])
    assert (change.claims, change.unsourced, change.contradictions) == ((), (), ())
    assert (change.lines_added, change.lines_removed, change.lines.front, change.lines.body) == (1, 0, 1, 0)


def test_lines_are_summed_up() -> None:
    stats = line_stats(compare(BEFORE, AFTER, AFTER))
    assert stats.pages == 4
    assert stats.most == max(AFTER[path].count(b"\n") for path in AFTER if path not in BEFORE)
    assert 0.8 < stats.share <= 1
    assert line_stats(()).share == 1
