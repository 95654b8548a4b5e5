"""What was handed over is refused where a run would not have written it; what people did before is no reason to."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.config import LintSettings, Settings
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal import checking
from pipeline.proposal.checking import Handed, check_changed, check_files, check_links, check_secrets
from pipeline.proposal.derived import check_derived
from pipeline.proposal.protected import Review, check_protected
from pipeline.report import PageOutcome
from pipeline.wiki.derived.listing import entry, literal
from pipeline.wiki.derived.log import add_entry, describe

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.finding import Finding

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # it opens nothing
OTHER = "ghp_zyxwvutsrqponmlkjihgfedcba9876543210"
PAGE, SECOND = "acme/decisions/cookies.md", "acme/decisions/redis.md"
A, B = "o-aaaaaaaaaa", "o-bbbbbbbbbb"
FINDS = make_redactor(Settings().redaction).finds


def handed(path: str, raw: bytes | None = b"x", mode: str = "100644", before: str = "") -> Handed:
    return Handed(path, "" if raw is None else mode, None if raw is None else len(raw), before)


@pytest.mark.parametrize(
    "one",
    [
        handed("wiki/index.md"),
        handed("wiki/acme/decisions/a.md"),
        handed("wiki/acme/決定/決定 一.md"),
        handed("wiki/.ledger/files.jsonl"),
        handed("wiki/.ledger/sessions/acme/s1-0a1b2c3d.jsonl"),
        handed("wiki/acme/decisions/a.md", mode="100755", before="100755"),
        handed("wiki/acme/decisions/a.md", mode="100644", before="100755"),
        handed("wiki/acme/decisions/a.md", b"x" * checking.MOST_FILE_BYTES),
        handed("wiki/.ledger/files.jsonl", b"x" * (checking.MOST_FILE_BYTES + 1)),
    ],
    ids=lambda one: f"{one.path} {one.mode}",
)
def test_what_a_run_writes_passes(one: Handed) -> None:
    assert check_files([one], "wiki") == ()


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (handed(".github/workflows/a.yml"), "outside of wiki/"),
        (handed("wikimill.toml"), "outside of wiki/"),
        (handed("wiki"), "outside of wiki/"),
        (handed("wikis/a.md"), "outside of wiki/"),
        (handed("Wiki/a.md"), "outside of wiki/"),
        (handed("observations/a.jsonl", None), "outside of wiki/"),
        (handed("wiki/../a.md"), "hidden"),
        (handed("wiki//a.md"), "lead down"),
        (handed("wiki/acme/a.md", None), "a run deletes no file"),
        (handed("wiki/index.md", None), "a run deletes no file"),
        (handed("wiki/.ledger/files.jsonl", None), "a run deletes no file"),
        (handed("wiki/acme/a.md", mode="120000"), "mode 120000"),
        (handed("wiki/acme/a.md", mode="160000", raw=b""), "mode 160000"),
        (handed("wiki/acme/a.md", mode="100755"), "mode 100755"),
        (handed("wiki/acme/a.md", mode="100755", before="100644"), "mode 100755"),
        (handed("wiki/acme/a.md", mode="120000", before="120000"), "mode 120000"),
        (handed("wiki/acme/run.sh"), "neither a page"),
        (handed("wiki/acme/page.MD"), "neither a page"),
        (handed("wiki/acme/page.jsonl"), "neither a page"),
        (handed("wiki/.ledger/page.md"), "neither a page"),
        (handed("wiki/.ledger/a.json"), "neither a page"),
        (handed("wiki/acme/_prompts/a.md"), "instruction to the model"),
        (handed("wiki/acme/_prompts/a.md", None), "a run deletes no file"),
        (handed("wiki/.obsidian/a.md"), "hidden"),
        (handed("wiki/.LEDGER/a.md"), "hidden"),
        (handed("wiki/acme/.ledger/a.md"), "hidden"),
        (handed("wiki/.ledger/.git/a.jsonl"), "hidden"),
        (handed("wiki/.ledger/../../a.jsonl"), "hidden"),
        (handed("wiki/.ledger/con.jsonl"), "device of Windows"),
        (handed("wiki/.ledger/a\n.jsonl"), "control character"),
        (handed("wiki/.ledger/a\udcff.jsonl"), "control character"),
        (handed("wiki/git~1/a.md"), "belongs to git"),
        (handed("wiki/a:b.md"), "Windows does not allow"),
        (handed("wiki/acme/a.md", b"x" * (checking.MOST_FILE_BYTES + 1)), "4,194,305 bytes long"),
    ],
    ids=lambda one: one if isinstance(one, str) else f"{one.path!a} {one.mode}",
)
def test_what_a_run_does_not_write_is_refused(one: Handed, told: str) -> None:
    (found,) = check_files([one], "wiki")
    assert (found.rule, found.severity) == ("handed-over", "error")
    assert told in found.message
    assert found.where.isascii()
    assert found.where.isprintable()


def test_the_whole_may_be_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_BYTES", 10)
    assert check_files([handed("wiki/a.md", b"12345"), handed("wiki/b.md", b"12345")], "wiki") == ()
    (found,) = check_files([handed("wiki/a.md", b"12345"), handed("wiki/b.md", b"123456")], "wiki")
    assert "2 files of 11 bytes" in found.message
    monkeypatch.setattr(checking, "MOST_FILES", 1)
    assert len(check_files([handed("wiki/a.md"), handed("wiki/b.md")], "wiki")) == 1


def test_a_wiki_may_lie_deeper() -> None:
    assert check_files([handed("docs/wiki/a.md")], "docs/wiki") == ()
    assert len(check_files([handed("docs/a.md"), handed("wiki/a.md")], "docs/wiki")) == 2


@given(st.text(st.characters(), max_size=30))
def test_whatever_the_path_nothing_gets_out(path: str) -> None:
    for found in check_files([handed(f"wiki/{path}")], "wiki"):
        assert found.where.isascii()
        return
    assert path.endswith((".md", ".jsonl"))
    assert not {"", ".", "..", ".git"} & set(path.split("/"))


@pytest.mark.parametrize(
    ("text", "before", "refused"),
    [
        (f"The token is {SECRET}.\n", "", True),
        ("The token is [REDACTED:github-token].\n", "", False),
        (f"a\nThe token is {SECRET}.\nb\n", f"The token is {SECRET}.\n", False),
        (f"The token is {SECRET}.\nAnd {OTHER}.\n", f"The token is {SECRET}.\n", True),
        (f"The token was {OTHER}.\n", f"The token is {SECRET}.\n", True),
        ("password = hunter2-and-more-9\n", "password\n", True),
        (f"Page: acme/{SECRET}.md 0011\n", f"acme/{SECRET}.md\n", False),
        (f'{{"page": "acme/{SECRET}.md", "n": 2}}\n', f'{{"page": "acme/{SECRET}.md", "n": 1}}\n', False),
        (f"The token is {SECRET} or {OTHER}.\n", f"It was {SECRET} then.\n", True),
    ],
)
def test_a_new_secret_is_refused_and_one_that_a_person_published_is_not(
    text: str, before: str, *, refused: bool
) -> None:
    found = check_secrets([("wiki/a.md", text, before), ("wiki/b.md", "Words.\n", "")], FINDS)
    assert [one.where for one in found] == ["wiki/a.md"] * refused
    assert not any(secret in str(one) for one in found for secret in (SECRET, OTHER))


def page(*lines: str, by: str = "wikimill/gpt", sources: Mapping[str, str] | None = None, more: str = "") -> bytes:
    up = "../../../observations/day.jsonl"
    told = "".join(
        f'- id: {label}\n  resource: {place or up + "#L1"}\n  title: "2026-11-29 08:00 dana: t"\n  author: human:dana\n'
        for label, place in (sources or {}).items()
    )
    front = (
        f"type: Decision\ntitle: Page\ndescription: A page.\ngenerated: {{ by: '{by}', at: 2026-11-29T08:00:00Z }}\n"
    )
    listed = f"sources:\n{told}" if told else ""
    notes = "".join(f"[^{label}]: 2026-11-29 08:00, dana\n" for label in sources or {})
    body = "\n\n".join(lines)
    return f"---\n{front}{more}{listed}---\n\n# Page\n\n{body}\n\n{notes}".encode()


def observation(body: str, title: str = "") -> Observation:
    return Observation(
        id="a",
        digest="d",
        ts=datetime(2026, 11, 29, 8, 0, tzinfo=UTC),
        session=SessionKey("default", "acme", "s1"),
        agent_kind="",
        author="dana",
        role="user",
        kind="note",
        title=title,
        body=body,
        importance=5,
        tags=(),
        files=(),
        place=Place("day.jsonl", 1),
    )


KNOWN = {
    A: observation("We keep login state in signed cookies, because a JWT cannot be revoked.\nNobody objected."),
    B: observation("One queue per tenant.", title="Queues"),
}


def check(
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    *,
    known: Mapping[str, Observation] | None = None,
    reviews: Collection[tuple[str, datetime]] = (),
    published: Mapping[str, bytes] | None = None,
) -> tuple[Finding, ...]:
    there = KNOWN if known is None else known
    changed = [path for path in {*before, *after} if before.get(path) != after.get(path)]
    linked = check_links(
        before,
        after,
        published or {},
        settings=LintSettings(),
        today=date(2026, 11, 30),
        observation_exists=lambda file, line: file == "observations/day.jsonl" and line < 9,
    )
    rest = check_changed(
        before,
        after,
        changed,
        cited=lambda file, line, label: there.get(label) if (file, line < 9) == ("day.jsonl", True) else None,
        observations="observations",
        reviews=lambda: [Review(MINE, by, at) for by, at in reviews],
        published=published or {},
    )
    return tuple(dict.fromkeys((*linked, *rest)))


def messages(found: tuple[Finding, ...]) -> list[str]:
    return [f"{one.where}: {one.message}" for one in found]


def test_a_page_that_cites_what_was_observed_passes() -> None:
    assert check({}, {PAGE: page(f"We keep it in cookies.[^{A}]", sources={A: ""})}) == ()
    assert check({PAGE: page(f"Words.[^{A}]", sources={A: ""})}, {}) == ()


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("", "none in observations/day.jsonl has that id"),
        ("../../../observations/other.jsonl#L1", "none in observations/other.jsonl has that id"),
        ("../../../code/day.jsonl#L1", "does not lead into observations/"),
        ("https://example.org/a#L1", "does not lead into observations/"),
        ("../../../observations/day.jsonl", "does not lead into observations/"),
    ],
)
def test_an_invented_citation_is_refused(place: str, told: str) -> None:
    label = "o-0123456789"
    found = messages(check({}, {PAGE: page(f"It is so.[^{label}]", sources={label: place})}))
    assert any(one.startswith(f"{PAGE}#sources: the source {label} names no") and told in one for one in found)


def test_a_citation_that_stood_before_may_go_on_though_its_observation_is_gone() -> None:
    gone, sources = "o-0123456789", {"o-0123456789": "", A: ""}
    before = {PAGE: page(f"Old.[^{gone}]", sources={gone: ""})}
    assert check(before, {PAGE: page(f"Old.[^{gone}]", f"New.[^{A}]", sources=sources)}) == ()
    elsewhere = before | {SECOND: page(f"Old as well.[^{gone}]", sources={gone: ""}).replace(b"Page", b"Other")}
    assert check(before, elsewhere) == (), "a page may cite what another one cites"
    assert check({}, before) != ()
    assert check({}, before, published=before) == (), "it stands in the proposal, and was looked at then"


def test_sources_of_people_are_theirs() -> None:
    told = {"rfc": "https://example.org/rfc", "note-1": "../../notes.txt"}
    before = {PAGE: page("See the RFC.[^rfc]", sources=told, by="human:dana")}
    more = page("See the RFC.[^rfc]", f"New.[^{A}]", sources={**told, A: ""}, by="human:dana")
    assert check(before, {PAGE: more}) == ()


def test_pages_without_front_matter_and_pages_by_people_are_no_reason_to_refuse() -> None:
    before = {PAGE: b"# Mine\n\nNothing but [a link](nowhere.md).\n", "acme/_prompts/a.md": b"\xff"}
    after = before | {SECOND: page(f"New.[^{A}]", sources={A: ""})}
    assert check(before, after) == ()
    mine = page("Nobody told me this.", by="human:dana")
    assert (
        check({PAGE: mine}, {PAGE: page("Nobody told me this.", f"New.[^{A}]", by="human:dana", sources={A: ""})}) == ()
    )


def test_standing_mistakes_are_no_reason_to_refuse_and_new_ones_are() -> None:
    wrong = page(f"Words.[^{A}]", sources={A: "''"})
    assert any("has no resource" in one for one in messages(check({}, {PAGE: wrong})))
    moved = page("More before it. (unsourced)", f"Words.[^{A}]", sources={A: "''"})
    assert check({PAGE: wrong}, {PAGE: moved}) == ()
    other = {PAGE: wrong, SECOND: wrong.replace(b"Page", b"Other")}
    assert all(one.startswith(SECOND) for one in messages(check({PAGE: wrong}, other)))


def test_a_page_that_cannot_be_read_is_refused_unless_it_stood_so() -> None:
    broken = b"---\ntype: [\n---\n\n# Page\n"
    assert f"{PAGE}: cannot be read as a page." in messages(check({}, {PAGE: broken}))
    assert check({PAGE: broken}, {PAGE: broken, SECOND: page(f"New.[^{A}]", sources={A: ""})}) == ()
    mended = {PAGE: page(f"New.[^{A}]", sources={A: ""})}
    assert check({PAGE: broken}, mended) == ()


QUOTES = "wikimill/extractive"


@pytest.mark.parametrize(
    "statement",
    [
        f"We keep login state in signed cookies, because a JWT cannot be revoked.[^{A}]",
        f"We keep login state … because a JWT cannot be revoked.[^{A}]",
        f"We keep login state in signed cookies…[^{A}]",
        f"… a JWT cannot be revoked. … objected.[^{A}]",
        f"revoked. Nobody objected.[^{A}]",
        f"Queues[^{B}]",
        f"One queue per tenant.[^{A}][^{B}]",
        "See [the other page](redis.md).",
        "A line that cites nothing. (unsourced)",
    ],
)
def test_a_quotation_passes_also_when_it_is_cut(statement: str) -> None:
    sources = {A: "", B: ""}
    assert not [one for one in check({}, {PAGE: page(statement, by=QUOTES, sources=sources)}) if one.where == PAGE]


@pytest.mark.parametrize(
    "statement",
    [
        f"We keep login state in clear text.[^{A}]",
        f"a JWT cannot be revoked … signed cookies[^{A}]",
        f"One queue per tenant.[^{A}]",
        f"We keep login state in signed cookies. We also dropped the firewall.[^{A}]",
        f"- We keep login state in[^{A}]\n- plain text[^{A}]",
    ],
)
def test_words_that_do_not_stand_there_are_refused(statement: str) -> None:
    found = messages(check({}, {PAGE: page(statement, by=QUOTES, sources={A: "", B: ""})}))
    assert any("does not stand in what it cites" in one for one in found)
    assert not check({}, {PAGE: page(statement, sources={A: "", B: ""})}), "a model writes in its own words"


def test_a_quotation_that_stood_before_may_go_on() -> None:
    old, new = f"Changed since by a person.[^{A}]", f"Nobody objected.[^{A}]"
    before = {PAGE: page(old, by=QUOTES, sources={A: ""})}
    assert check(before, {PAGE: page(old, new, by=QUOTES, sources={A: ""})}) == ()


def test_many_quotations_of_a_long_observation_take_a_moment() -> None:
    lines = [f"The service number {number} listens on its own port." for number in range(400)]
    known = {A: observation("\n".join(lines) * 5)}
    after = {PAGE: page(*(f"{line}[^{A}]" for line in lines), by=QUOTES, sources={A: ""})}
    began = time.process_time()
    assert not [one for one in check({}, after, known=known) if one.severity == "error"]
    assert time.process_time() - began < 10


MINE = "acme/concepts/mine.md"
KEEP = "<!-- keep -->\nMy own words.\n<!-- /keep -->"


def mine(body: str = "", front: str = "") -> bytes:
    return f"---\ntype: Concept\ntitle: Mine\ndescription: My own.\n{front}---\n\n# Mine\n\n{body}\n".encode()


def of_mine(found: tuple[Finding, ...]) -> list[str]:
    """Give what is told of the page besides who wrote it and what it rests on, of which other tests tell."""
    told = [one.message for one in found if one.where == MINE and one.rule == "handed-over"]
    return [one for one in told if "has no source" not in one and "who wrote it" not in one]


def test_a_locked_page_does_not_change_and_its_lock_does_not_go() -> None:
    for locked in ("locked: true\n", "locked: yes\n", "locked: 'True'\n"):
        before = {MINE: mine("Words.", locked)}
        for after in (mine("Others.", locked), mine("Words.")):
            assert of_mine(check(before, {MINE: after})) == ["changes, though it is locked."]
    assert of_mine(check({MINE: mine("Words.")}, {MINE: mine("Words.", "locked: true\n")})) == []
    assert of_mine(check({MINE: mine("Words.", "locked: false\n")}, {MINE: mine("Others.")})) == []


@pytest.mark.parametrize(
    ("before", "after", "holds"),
    [
        (KEEP, f"New.\n\n{KEEP}\n\nMore.", True),
        (KEEP, KEEP.replace("\n", "\r\n"), True),
        (f"{KEEP}\n\n{KEEP}", f"{KEEP}\n\nMore.\n\n{KEEP}", True),
        ("<!-- keep -->\nTo the end.", "<!-- keep -->\nTo the end.\n<!-- /keep -->\n\nMore.", True),
        ("`<!-- keep -->` protects.", "Nothing protects.", True),
        (KEEP, "Nothing.", False),
        (KEEP, KEEP.replace("own", "other"), False),
        (KEEP, "My own words.", False),
        (f"{KEEP}\n\n{KEEP}", KEEP, False),
        ("<!-- keep -->\nTo the end.", "<!-- keep -->\nTo the middle.", False),
    ],
)
@pytest.mark.parametrize("path", [MINE, "acme/index.md"])
def test_what_stands_between_keep_markers_stays_whole(path: str, before: str, after: str, *, holds: bool) -> None:
    found = check({path: mine(before)}, {path: mine(after)})
    told = [one for one in found if "keep block does not stand whole" in one.message]
    assert [one.where for one in told] == [path] * (not holds)


BY, AT = "human:dana", datetime(2026, 11, 29, 8, 0, tzinfo=UTC)
ENTRY = "- { by: human:dana, at: 2026-11-29T08:00:00Z }\n"
GATES = "- { by: process:wikimill-gates, at: 2026-11-30T08:00:00Z }\n"


def verified(*entries: str) -> dict[str, bytes]:
    return {MINE: mine("Words.", f"verified:\n{''.join(entries)}" if entries else "")}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (ENTRY, ""),
        (GATES, ""),
        (ENTRY.replace("dana", "erin"), "names a review that nobody gave: human:erin 2026-11-29T08:00:00+00:00"),
        (ENTRY.replace("08:00:00", "08:00:01"), "names a review that nobody gave"),
        (ENTRY.replace(", at: 2026-11-29T08:00:00Z", ""), "names a review that nobody gave"),
        (ENTRY.replace(" }", ", note: approved }"), "names a review that nobody gave"),
        (ENTRY.replace("human", "Human"), "names a review that nobody gave"),
        ("- human:dana\n", "names a review that nobody gave"),
        (ENTRY.replace("2026-11-29T08:00:00Z", "'2026-11-29T09:00:00+01:00'"), "is not what was reviewed"),
    ],
)
def test_only_whoever_merged_has_reviewed(entry: str, told: str) -> None:
    given = [(BY, AT)]
    found = of_mine(check(verified(), verified(entry), reviews=given))
    assert [told in one for one in found] == [True] * bool(told)
    assert bool(of_mine(check(verified(), verified(entry)))) == (entry != GATES), "nobody merged anything"
    assert of_mine(check(verified(entry), verified(entry, GATES))) == [], "it stood before"
    assert of_mine(check(verified(), verified(entry), published=verified(entry))) == [], "it stands in the proposal"
    changed = {MINE: verified(entry)[MINE].replace(b"Words.", b"Other words.")}
    assert bool(of_mine(check(verified(), changed, reviews=given))) == (entry != GATES), "other words were not reviewed"
    new = of_mine(check({}, verified(entry), reviews=given))
    assert bool(new) == (entry != GATES), "what did not stand there was not reviewed"


def test_a_review_of_one_page_is_none_of_another() -> None:
    other = MINE.replace("mine", "other")
    before = {path: verified()[MINE] for path in (MINE, other)}
    after = {path: verified(ENTRY)[MINE] for path in (MINE, other)}
    found = [one for one in check(before, after, reviews=[(BY, AT)]) if "review" in one.message]
    assert [one.where for one in found] == [other]


def test_reviews_may_change_places_and_go() -> None:
    other = ENTRY.replace("dana", "erin")
    before = verified(ENTRY, GATES, other)
    assert of_mine(check(before, verified(other, ENTRY))) == []
    assert of_mine(check(before, verified())) == []
    assert of_mine(check(verified(ENTRY), {MINE: mine("Words.", "verified: { by: human:erin }\n")})) != []


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        "See <img src=https://evil.example/x.png>.",
        "![x](https://evil.example/p.png)",
        "![x][p]\n\n[p]: https://evil.example/p.png",
        "[x](javascript:alert(1))",
        "Words.{: onclick=alert(1) }",
        "--8<-- '/etc/passwd'",
        "<!-- a comment -->",
    ],
)
@pytest.mark.parametrize("path", [MINE, "index.md", "acme/index.md", "acme/log.md"])
def test_markup_that_runs_or_loads_is_refused_unless_a_person_has_some(path: str, body: str) -> None:
    def told(before: Mapping[str, bytes], text: str) -> list[str]:
        return [one.where for one in check(before, {path: mine(text)}) if "runs or loads" in one.message]

    assert told({}, body) == [path]
    assert told({path: mine("Words.")}, body) == [path]
    assert told({path: mine(body)}, f"{body}\n\nMore.") == []


@pytest.mark.parametrize("body", [KEEP, "- A list.\n\n<!-- -->\n\n  ## Text", "`<script>`", "[a](b.md) &lt;b>"])
def test_markup_that_a_run_writes_passes(body: str) -> None:
    assert of_mine(check({}, {MINE: mine(body)})) == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_generated_lists_hold_no_markup_whatever_a_page_is_called(title: str, description: str) -> None:
    line = entry("acme/index.md", "acme/concepts/a.md", title, description)
    log = add_entry(
        None, date(2026, 11, 30), describe([PageOutcome("acme/a.md", title, "created")], page="acme/log.md")
    )
    for path, raw in (
        ("acme/index.md", f"# {literal(' '.join(title.split()))}\n\n{line}\n".encode()),
        ("acme/log.md", log),
    ):
        assert list(check_protected(path, (None, raw, None), tuple)) == []
        assert list(check_derived(path, {path: raw, "acme/concepts/a.md": b"", "acme/a.md": b""}, {}, {})) == []
