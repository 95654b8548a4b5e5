from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.finding import Finding
from pipeline.proposal.account import (
    Account,
    ForeignCommit,
    LookedAt,
    Quotation,
    SessionCommit,
    Suppressed,
    Undone,
    Verified,
    Waiting,
)
from pipeline.proposal.comparing import CitedSource, ClaimChange, PageChange
from pipeline.proposal.proposal import HostName
from pipeline.proposal.text import is_cut, render, render_whole, title
from pipeline.proposal.text.claims import excerpt
from pipeline.proposal.text.region import BEGIN, END, bound, read_standing
from pipeline.proposal.text.wording import size
from pipeline.spending import Spent
from tests.proposal.samples import HEAD, account, offline_account
from tests.proposal.text.payloads import CLOSES, LINKED, TEXTS, inline

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT = 65_536
EMPTY = Account("complete", "", "main", "wikimill/consolidate", HEAD)


def text_of(told: Account, *, standing: str = "", limit: int = LIMIT, host: HostName = "github") -> str:
    return render(told, standing_body=standing, limit=limit, host=host)


def order(text: str, parts: Sequence[str]) -> None:
    place = 0
    for part in parts:
        found = text.find(part, place)
        assert found >= 0, part
        place = found + len(part)


def test_the_parts_stand_in_the_order_in_which_a_reviewer_needs_them() -> None:
    order(
        text_of(account()),
        [
            BEGIN,
            bound(HEAD),
            "**Partial**: 1 session failed and 1 was left",
            "**4 pages** from 2 sessions: 2 new, 1 changed, 1 superseded. Claims: 6 added, 1 changed, 0 removed;",
            "1 open contradiction; 1 could not be verified.",
            "written by a language model (`small-model-2`)",
            "**Checks:**",
            "**Changed since your last review (dana, 2026-11-29 14:03 UTC):**",
            "### Pages",
            "| Page | Type | Change | Claims | Sources |",
            "acme/decisions/gateway-port.md` | Decision | **changed**; a person's review of it lapses |",
            " `+2` `~1` | 2 |",
            "| Session | new | `+1` | 1 |",
            "### Claims and what they rest on",
            "<details>",
            "  - Before: The gateway listens on port 8080.",
            "  - After: The gateway listens on port 9090.",
            ": “… Then we moved the gateway to 9090 because",
            "Thanks `@lee` for the review!",
            "  - `acme.jsonl:2`, dana, 2026-11-27 14:03 UTC, word for word",
            "</details>",
            "### Contradicted (1)",
            "“The pool held 5 connections.” stands against “The pool held 50 connections.”",
            "### Could not verify (1)",
            "The change was rolled out by `@ops` (fixes `#12`).",
            "### Taken out by the checks (1)",
            "(`detail-ungrounded`)",
            "### Not in this proposal",
            "`acme/93b0` failed; the next run tries it again: the model's reply was cut off twice",
            "1 line of observations could not be read",
            "2 sessions were declined or taken back before (#11, #14)",
            "### Model and cost",
            "6,331 tokens",
            "3 calls, 1 of them again after a fault, 15,020 tokens in, 1,311 out, cost unknown (3 calls",
            "### What you can do",
            "- [ ] **Rebase**",
            "- [ ] Ignore `acme/decisions/gateway-port.md`",
            "- [ ] Ignore `acme/sessions/",
            "[full report](<https://github.com/acme/wiki/actions/runs/123>)",
            END,
        ],
    )


def test_hosts_have_their_own_words() -> None:
    text = text_of(replace(account(), previous=14), host="gitlab")
    assert "Merge** this merge request" in text
    assert "It follows !14, which was closed" in text
    assert "(!11, !14)" in text
    assert "pull request" not in text


def test_the_offline_collector_is_named_and_no_model() -> None:
    text = text_of(offline_account())
    assert "collected by the offline collector `extractive`, which quotes observations and writes no" in text
    assert "**No person has reviewed them.**" in text
    assert "language model (" not in text
    assert "model `extractive`, no tokens, for no language model was asked" in text


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (None, "Last run: calls, tokens and cost unknown"),
        (Spent(), "Last run: 0 calls, 0 tokens in, 0 out, cost 0.0000"),
        (Spent(calls=2, cache_hits=1, known_cost=0.5), "2 calls, 1 reply from memory, 0 tokens in, 0 out, cost 0.5000"),
        (
            Spent(calls=3, known_cost=0.5, unpriced_calls=1),
            "cost unknown (1 call without a known cost; 0.5000 for the others)",
        ),
    ],
)
def test_an_unknown_cost_is_not_zero(spent: Spent | None, told: str) -> None:
    assert told in text_of(replace(account(), spent=spent))


def test_a_persons_commits_hold_everything_and_recreating_names_what_it_discards() -> None:
    text = text_of(
        replace(
            account(),
            foreign=(ForeignCommit("f" * 40, "@lee", "Say it better #3"), ForeignCommit("e" * 40, "lee", "And again")),
            waiting=Waiting(1, 12),
        )
    )
    assert "**Hands off:** 2 commits on this branch are not wikimill's" in text
    assert "Meanwhile 1 session with 12 new observations waits." in text
    assert (
        "- [ ] **Recreate** this anew, which discards 2 commits by lee "
        "(`ffffffffff` Say it better `#3`; `eeeeeeeeee` And again)" in text
    )
    assert "**Rebase**" not in text
    assert "- [ ] Ignore" not in text
    assert "**Recreate** this" not in text_of(account())


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (None, "**What changed since your last review (dana, 2026-11-29 14:03 UTC) cannot be told:**"),
        ((), "**Nothing changed since your last review (dana, 2026-11-29 14:03 UTC).**"),
        (("acme/a.md",), "- `acme/a.md`"),
    ],
)
def test_what_changed_since_a_review(changed: tuple[str, ...] | None, told: str) -> None:
    review = LookedAt("dana", datetime(2026, 11, 29, 14, 3, tzinfo=UTC), changed)
    text = text_of(replace(EMPTY, review=review))
    assert told in text
    assert "No person has reviewed" not in text


def test_declined_and_verified_pages_are_listed() -> None:
    text = text_of(replace(EMPTY, declined=("acme/a.md",), verified=(Verified("acme/b.md", "@dana"),)))
    assert "1 page that a reviewer declined here:\n  - `acme/a.md`" in text
    assert "because a person merged them before; their words do not change:\n\n- `acme/b.md` (dana)" in text


def test_many_pages_that_only_say_who_stands_for_them_are_folded_away() -> None:
    text = text_of(replace(EMPTY, verified=tuple(Verified(f"acme/{number}.md", "dana") for number in range(6))))
    order(text, ["their words do not change:\n\n<details>\n<summary>6 pages</summary>\n\n- `acme/0.md`", "</details>"])
    assert text.count("<details>") == text.count("</details>")


def test_an_edit_beside_new_facts_is_told() -> None:
    conflict = Finding("acme/a.md#Details", "merged-beside", "warning", "a person's edit stands; 2 claims were added.")
    order(text_of(replace(EMPTY, conflicts=(conflict,))), ["### Beside a person's edit (1)", "`acme/a.md#Details`"])


def test_a_claim_whose_source_cannot_be_found_is_not_called_contradicted() -> None:
    page = PageChange(
        "a.md",
        "A",
        "Concept",
        "new",
        added=1,
        claims=(ClaimChange("added", "", "", "It is so.", (CitedSource("o-9"),)),),
    )
    text = text_of(replace(EMPTY, pages=(page,)))
    order(
        text,
        [
            "Source `o-9`: a source of which nothing is known",
            "### Could not verify (1)",
            "It is so. (its source could not",
        ],
    )
    assert "### Contradicted" not in text


def test_findings_of_commits_are_told_once() -> None:
    whole = Finding("a.md#B", "secret-redacted", "warning", "the draft held 1 x token; it was redacted.", "Revoke it.")
    cut = Finding("a.md#B", "secret-redacted", "warning", "the draft held 1 x token; it was redacted.")
    commit = SessionCommit("acme/1", "x", "m", 1, 1, (cut,))
    text = text_of(replace(EMPTY, commits=(commit,), findings=(whole,)))
    assert text.count("the draft held") == 1
    assert "### Taken out by the checks (1)" in text


def test_an_address_that_is_none_is_no_link() -> None:
    text = text_of(replace(account(), run_report_url="javascript:alert(1)"))
    assert "javascript:" not in text


@pytest.mark.parametrize(
    ("text", "claim", "shown"),
    [
        ("short", "x", "short"),
        (
            "Nothing here. " * 40 + "The port is 9090 now. " + "Nothing there. " * 40,
            "The port is 9090.",
            "… The port is 9090 now.",
        ),
        ("The port is 9090. " + "Nothing there. " * 40, "The port is 9090.", "The port is 9090. Nothing"),
        ("word " * 400, "port", "word word"),
    ],
)
def test_the_part_that_supports_a_claim_is_shown(text: str, claim: str, shown: str) -> None:
    found = excerpt(text, claim, 200)
    assert found.startswith(shown)


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (account(), "wiki: 4 pages from 2 sessions of acme (partial)"),
        (EMPTY, "wiki: 0 pages"),
        (replace(EMPTY, pages=(PageChange("team/größe/concepts/a.md", "", "", "new"),)), "wiki: 1 page of größe"),
        (replace(EMPTY, pages=(PageChange("#12 @x/concepts/a.md", "", "", "new"),)), "wiki: 1 page"),
        (
            replace(EMPTY, pages=tuple(PageChange(f"p{n}/concepts/a.md", "", "", "new") for n in range(5))),
            "wiki: 5 pages of p0, p1, p2 and 2 other projects",
        ),
    ],
)
def test_the_title_is_short_and_holds_no_untrusted_word(told: Account, line: str) -> None:
    assert title(told) == line


class Balanced(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def is_sound(text: str, told: Account) -> None:
    """A text is whole: marks, status, counts, the main box; no element is open."""
    standing = read_standing(text)
    assert standing.region is not None
    region = standing.region
    assert region.startswith(f"{BEGIN}\n{bound(told.head)}\n")
    assert region.count(BEGIN) == region.count(END) == 1
    status = {"complete": "**Complete**", "partial": "**Partial**", "blocked": "**Blocked**"}[told.status]
    assert status in region
    assert f"{len(told.pages):,} page" in region
    assert "- [ ] **Re" in region
    assert not re.search(r"^\s*[-*+] \[x\]", region, re.IGNORECASE | re.MULTILINE)
    code = False
    for line in region.split("\n"):
        assert not line.startswith(("/", "```", "~~~", "    "))
        if line in {"<details>", "</details>"}:
            assert code == (line == "</details>")
            code = line == "<details>"
        elif line.startswith("<summary>"):
            assert Balanced(line).open == []
    assert not code


WORD = st.one_of(TEXTS, st.sampled_from(["The port is 8080.", "x" * 900, "@dana " * 50]))
PATHS = st.sampled_from([*(f"acme/concepts/page-{n}.md" for n in range(30)), "a/@x #1/b|c.md", "s/sessions/--x.md"])
SOURCES = st.builds(CitedSource, st.sampled_from(["o-1", "o-2", "@o"]), WORD, WORD, WORD)
CLAIMS = st.builds(
    ClaimChange,
    st.sampled_from(["added", "changed", "removed"]),
    WORD,
    WORD,
    WORD,
    st.lists(SOURCES, max_size=2).map(tuple),
)
PAGES = st.builds(
    PageChange,
    PATHS,
    WORD,
    WORD,
    st.sampled_from(["new", "changed", "superseded", "removed"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.lists(CLAIMS, max_size=4).map(tuple),
    st.lists(WORD, max_size=2).map(tuple),
    st.lists(WORD, max_size=2).map(tuple),
)
FINDINGS = st.lists(
    st.builds(
        Finding,
        WORD,
        st.sampled_from(["detail-ungrounded", "value-contradicted", "claim-unsourced", "page-locked", "@x"]),
        st.just("warning"),
        WORD,
        WORD,
    ),
    max_size=4,
).map(tuple)
ACCOUNTS = st.builds(
    Account,
    status=st.sampled_from(["complete", "partial", "blocked"]),
    reason=WORD,
    base=st.just("main"),
    branch=st.just("wikimill/consolidate"),
    head=st.just(HEAD),
    pages=st.lists(PAGES, max_size=12).map(tuple),
    quotations=st.dictionaries(st.sampled_from(["o-1", "@o"]), st.builds(Quotation, WORD, WORD, WORD, WORD)),
    commits=st.lists(
        st.builds(SessionCommit, WORD, WORD, WORD, st.integers(0, 9), st.integers(0, 9), FINDINGS), max_size=3
    ).map(tuple),
    findings=FINDINGS,
    undone=st.lists(st.builds(Undone, WORD, st.sampled_from(["failed", "parked", "left"]), WORD), max_size=3).map(
        tuple
    ),
    set_aside=FINDINGS,
    conflicts=FINDINGS,
    suppressed=st.builds(Suppressed, st.integers(0, 3), st.just((3, 4))),
    declined=st.lists(PATHS, max_size=3).map(tuple),
    verified=st.lists(st.builds(Verified, PATHS, WORD), max_size=2).map(tuple),
    foreign=st.lists(st.builds(ForeignCommit, st.just(HEAD), WORD, WORD), max_size=2).map(tuple),
    review=st.none()
    | st.builds(LookedAt, WORD, st.just(datetime(2026, 1, 1, tzinfo=UTC)), st.none() | st.just(("a.md",))),
)


@given(
    ACCOUNTS,
    st.integers(2_500, 40_000),
    st.sampled_from(get_args(HostName)),
    st.sampled_from(["", "Word.\r\n", "é\n\n# T"]),
)
@settings(max_examples=25, deadline=None)
def test_every_account_fits_and_stays_whole(told: Account, limit: int, host: HostName, standing: str) -> None:
    text = text_of(told, standing=standing, limit=limit, host=host)
    is_sound(text, told)
    assert size(text, host) <= limit
    assert text.endswith(standing)
    assert text_of(told, standing=text, limit=limit, host=host) == text


@given(ACCOUNTS)
@settings(max_examples=20, deadline=None)
def test_no_text_of_an_account_acts(told: Account) -> None:
    # Numbers of proposals, the head in the region's comment and the paths of boxes are wikimill's own.
    told = replace(told, suppressed=Suppressed(), head="")
    text = text_of(told)
    kinds, texts = inline("\n".join(line.partition(" <!-- wikimill:")[0] for line in text.split("\n")))
    assert "link_open" not in kinds
    assert "image" not in kinds
    for each in texts:
        assert not LINKED.search(each), each
    assert not CLOSES.search(text)


def many(number: int) -> Account:
    claims = tuple(
        ClaimChange("added", "S", "", f"claim {n} " + "w " * 40, (CitedSource("o-1", "t"),)) for n in range(3)
    )
    pages = tuple(
        PageChange(f"acme/f{n % 7}/p{n:05}.md", f"Page {n}", "Concept", "new", added=3, sources=1, claims=claims)
        for n in range(number)
    )
    return replace(account(), pages=pages)


@pytest.mark.parametrize(
    ("number", "shown", "cut"),
    [
        (
            20,
            [
                "| Page | Type |",
                "Source `o-1`: t (its words could not be looked up)",
                "- [ ] Ignore `acme/f5/p00019.md`",
            ],
            "",
        ),
        (
            150,
            ["| Page | Type |", "<summary>", "- [ ] Ignore `acme/f2/p00149.md`"],
            "**Cut**, because the host allows no longer text: ",
        ),
        (
            500,
            ["| Folder | Pages |", "| `acme/f0` | 72 | 72 new | `+216` |", "- [ ] Ignore `acme/f2/p00499.md`"],
            "rows of single pages",
        ),
        (5_000, ["| Folder | Pages |", "**5,000 pages**", "without a box: revert a session's commit"], "some boxes"),
    ],
)
def test_the_least_important_is_cut_first(number: int, shown: list[str], cut: str) -> None:
    told = many(number)
    text = text_of(told)
    is_sound(text, told)
    assert size(text, "github") <= LIMIT
    for part in shown:
        assert part in text
    assert (cut in text) if cut else ("**Cut**" not in text)
    if cut:
        assert "[full report](<https://github.com/acme/wiki/actions/runs/123>) has it whole." in text


def test_a_persons_long_text_leaves_the_shortest_region() -> None:
    standing = "é" * 64_000
    text = text_of(account(), standing=standing)
    is_sound(text, account())
    assert text.endswith(standing)
    assert size(text, "github") <= LIMIT


def test_surrogate_pairs_count_twice_on_github() -> None:
    standing = "🎉" * 30_000
    assert size(text_of(many(200), standing=standing), "github") <= LIMIT


def test_ten_megabytes_take_no_longer_than_reading_them() -> None:
    claim = "The value is 5. " * 6_000
    pages = tuple(
        PageChange(
            f"a/c/p{n}.md",
            claim,
            claim,
            "new",
            added=1,
            claims=(ClaimChange("added", claim, "", claim),),
            unsourced=(claim,),
        )
        for n in range(100)
    )
    told = replace(account(), pages=pages, quotations={"o-1": Quotation(claim, claim, claim, claim)})
    began = time.process_time()
    is_sound(text_of(told), told)
    assert time.process_time() - began < 20


_STATUS: tuple[Literal["complete", "partial", "blocked"], ...] = ("complete", "partial", "blocked")


@pytest.mark.parametrize("status", _STATUS)
def test_an_empty_proposal_has_a_text(status: Literal["complete", "partial", "blocked"]) -> None:
    told = replace(EMPTY, status=status, reason="There is nothing to propose.")
    is_sound(text_of(told), told)


def test_a_quotation_leads_to_its_line_and_cannot_pass_for_another() -> None:
    said = "Backups are dropped.” (dana, 2026-01-07 14:35 UTC, `observations/a.jsonl:15`); also “backups are dropped"
    forged = Quotation(said, "mallory", "2026-01-09 10:00", "observations/b.jsonl:3", "https://host.test/b#L3")
    told = replace(account(), quotations=dict.fromkeys(account().quotations, forged))
    (line, *_) = [one for one in text_of(told).splitlines() if "Backups are dropped" in one]
    by = "[`observations/b.jsonl:3`](<https://host.test/b#L3>), mallory, 2026-01-09 10:00 UTC"
    assert line.startswith(f"  - {by}: “Backups are dropped.’")
    assert (line.count("“"), line.count("”"), line[-1], line.count("`observations/")) == (1, 1, "”", 1)


def test_what_is_cut_stands_whole_in_the_report_and_the_note_says_what_it_is() -> None:
    pages = tuple(
        replace(
            page,
            path=f"acme/decisions/p{number:03}.md",
            claims=tuple(
                ClaimChange("added", "", "", f"Claim {number} {one} {'of many words ' * 9}") for one in range(20)
            ),
            added=20,
        )
        for number in range(60)
        for page in account().pages[:1]
    )
    told = replace(account(), pages=pages)
    text = text_of(told)
    assert is_cut(text)
    assert not is_cut(text_of(account()))
    shown = sum(f"Claim {number} 0 " in text for number in range(60))
    assert 0 < shown < 60
    assert f"the claims of {60 - shown} pages, all but 8 of those of each other page, and all quotations" in text
    whole = render_whole(told, "github")
    assert all(f"Claim {number} {one} " in whole for number in range(60) for one in range(20))
    assert "**Cut**" not in whole
    assert "- [ ]" not in whole, "boxes have no meaning there"
    assert "wikimill:begin" not in whole


def test_numbers_in_the_status_are_those_of_the_lists() -> None:
    doubled = (
        Finding("acme/sessions/The gateway", "claim-unsourced", "warning", "the draft gives no source for “x”."),
        Finding("acme/sessions/The gateway", "value-contradicted", "warning", "“x” stands against “y”."),
        Finding("acme/a.md", "detail-ungrounded", "warning", "“See https://a.example/x [now].” was taken out."),
    )
    by_commit = Finding("acme/a.md", "detail-ungrounded", "warning", "“See a.example/x (now).” was taken out.")
    commits = (replace(account().commits[0], findings=(by_commit,)), *account().commits[1:])
    text = text_of(replace(account(), findings=(*account().findings, *doubled), commits=commits))
    assert "1 open contradiction; 1 could not be verified." in text
    assert "### Contradicted (1)" in text
    assert "### Could not verify (1)" in text
    assert "### Taken out by the checks (2)" in text


def test_a_host_counts_in_its_own_units() -> None:
    text = "a\u00e9\U0001f600"
    assert (size(text, "github"), size(text, "gitlab")) == (4, 3)
    told = replace(account(), reason="\U0001f600" * 40)
    limit = len(text_of(told)) + 10
    assert len(text_of(told, limit=limit).encode("utf-16-le")) // 2 <= limit


def test_the_report_of_the_last_run_is_folded_at_the_end() -> None:
    read = "3 new observations in 1 of 1 file; 2 times without a zone, read as UTC."
    order(
        text_of(replace(account(), run=(read, "by @lee"))),
        [
            "### Model and cost",
            "<summary>The last run, as its report tells it</summary>",
            f"- {read}",
            "- by `@lee`",
            "### What you can do",
        ],
    )
