from __future__ import annotations

import pytest

from pipeline.site.hubs.logbook import Logged, read_log
from pipeline.site.hubs.logs import newest_entries
from tests.site.hubs.making import html, made
from tests.site.making import facts, revision, source

PAGE = facts(title="Session cookies", changed_on="2026-11-29")
PATH = PAGE.path
LOG = f"""# Update log

## 2026-11-29

* **Update**: updated [Session cookies](decisions/{PATH.rpartition("/")[2]}); superseded [JWT](decisions/jwt.md).

## 2026-11-20

* **Creation**: created [Session cookies](decisions/{PATH.rpartition("/")[2]}), [Gone](decisions/gone.md).
* We moved *all* of it to `v2`.

```
## 2026-11-19
* created [x](decisions/jwt.md)
```
"""


def test_what_a_log_tells() -> None:
    assert read_log("harbour/log.md", LOG.encode(), 10) == [
        Logged("2026-11-29", PATH, "updated"),
        Logged("2026-11-29", "harbour/decisions/jwt.md", "superseded"),
        Logged("2026-11-20", PATH, "created"),
        Logged("2026-11-20", "harbour/decisions/gone.md", "created"),
        Logged("2026-11-20", "", "", "We moved all of it to v2."),
    ]
    assert len(read_log("harbour/log.md", LOG.encode(), 3)) == 3
    assert read_log("log.md", b"\xff\xfe\n## 2026-13-01\n* x\n", 3) == []


def test_changes_day_by_day() -> None:
    documents = made(PAGE, files={"harbour/log.md": LOG}, moved={"harbour/decisions/gone.md": PATH})
    told = html(documents["changes.md"])
    assert (
        '<h2>2026-11-29</h2><ul class="wm-list">'
        '<li><a href="../harbour/decisions/session-cookies/" data-preview>Session cookies</a> '
        '<span class="wm-fact">updated · decision · harbour</span></li></ul><h2>2026-11-20</h2>'
    ) in told
    assert "created · decision · harbour" in told
    words = '<a href="../harbour/log/" data-preview>We moved all of it to v2.</a>'
    assert f'{words} <span class="wm-fact">note · harbour</span>' in told
    assert "JWT" not in told
    assert '<a href="../feed.xml">' in told


def test_without_a_log_the_pages_tell_their_days() -> None:
    gone = facts("a/decisions/old.md", title="Old", status="deprecated", changed_on="2026-11-30")
    told = html(made(PAGE, gone, facts("a/decisions/dayless.md", changed_on=""))["changes.md"])
    assert '<span class="wm-fact">changed · decision · harbour</span>' in told
    assert '<span class="wm-fact">superseded · decision · a</span>' in told
    assert "dayless" not in told


def test_what_the_history_adds() -> None:
    by_hand = revision(subject="Fix the <port>", author="Dana")
    told = html(made(PAGE, revisions={PATH: (by_hand, revision())})["changes.md"])
    assert '<span class="wm-said">Fix the &lt;port&gt;</span>' in told
    assert '<a href="../history/harbour/decisions/session-cookies/" class="wm-fact">what changed</a>' in told
    told = html(made(PAGE, revisions={PATH: (revision(),)})["changes.md"])
    assert "created · decision" in told
    assert "what changed" not in told
    assert "consolidate(" not in told


def test_sessions_of_a_day_are_folded() -> None:
    sessions = [
        facts(f"harbour/sessions/{number:03}.md", title=f"Session {number:03}", sources=(source(title=title),))
        for number, title in enumerate(f"2026-01-{1 + day % 28:02} 08:00 dana: x" for day in range(124))
    ]
    documents = made(PAGE, *sessions)
    told = html(documents["changes.md"])
    assert "changes/2.md" not in documents
    assert "updated" not in told
    fold = told.partition("<li><details><summary>and 124 sessions</summary>")[2].partition("</details></li>")[0]
    assert fold.startswith('<ul class="wm-list"><li><a href="../harbour/sessions/027/" data-preview>Session 027</a> ')
    assert '<span class="wm-fact">seen 2026-01-28</span>' in fold
    assert fold.endswith('<p><a href="../types/session/">All sessions</a></p>')
    assert "Session cookies" not in fold
    alone = html(made(sessions[0], sessions[1])["changes.md"])
    assert "<summary>2 sessions</summary>" in alone
    assert "All sessions" not in alone
    assert "<details" not in html(made(PAGE, sessions[0])["changes.md"])


def test_the_changes_of_a_day_go_by_their_newest_observation() -> None:
    pages = [
        facts(f"a/gotchas/{name}.md", title=name, sources=(source(title=f"{day} 08:00 dana: x"),))
        for name, day in (("Aa", "2026-01-02"), ("Bb", "2026-01-20"), ("Cc", "2026-01-11"))
    ]
    told = html(made(*pages)["changes.md"])
    assert told.index("Bb") < told.index("Cc") < told.index("Aa")


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        (
            "* **Creation**: created [A](sessions/a.md), [B](rules/b.md); 2 more.",
            "* **Creation**: created [A](sessions/a.md), [B](rules/b.md); [2 more](<sessions/a.md>).",
        ),
        ("* created [A](<a b.md>); 1 more. x", "* created [A](<a b.md>); [1 more](<a b.md>). x"),
        ("* 2 of them; 3 more.", "* 2 of them; 3 more."),
        ("* a; 2 more. [A](a.md)", "* a; 2 more. [A](a.md)"),
        ("text [A](a.md); 2 more.", "text [A](a.md); 2 more."),
    ],
)
def test_what_a_log_only_counts_is_linked(entry: str, shown: str) -> None:
    pages = [facts(f"harbour/{path}.md", project="harbour") for path in ("sessions/a", "rules/b", "a", "a b")]
    document = made(*pages, files={"harbour/log.md": f"# Log\n\n{entry}\n"})["harbour/log.md"]
    assert document.body == f"# Log\n\n{shown}"


def test_the_newest_entries_of_a_log() -> None:
    entries = "".join(f"* entry {number}\n" for number in range(100))
    text, left = newest_entries(f"# Update log\n\n## 2026-11-30\n\n{entries}")
    assert (text.count("* entry"), left) == (60, 40)
    assert newest_entries("# Update log\n") == ("# Update log\n", 0)
    long = f"* {'x' * 9_000}\n"
    text, left = newest_entries(long * 4)
    assert (text.count("* x"), left) == (2, 2)


def test_a_log_is_never_cut_within_code() -> None:
    code = "```\n" + "* no entry\n" * 200 + "```\n"
    text, left = newest_entries("* a\n" * 59 + f"* b\n\n{code}\n* c\n* d\n")
    assert text.endswith("```")
    assert left == 2


def test_the_document_of_a_log() -> None:
    log = "# Update log\r\n\r\n## 2026-11-30\r\n\r\n" + "* an entry\r\n" * 61
    document = made(PAGE, files={"harbour/log.md": log})["harbour/log.md"]
    assert document.body.startswith("# Update log\n\n## 2026-11-30\n\n* an entry\n")
    assert document.frame.below == (
        '<p class="wm-fact">1 older entry: <a href="../log.md">the whole log as Markdown</a> · '
        '<a href="../../changes/">all recent changes</a></p>'
    )
    short = made(PAGE, files={"log.md": "# Log\n"})["log.md"]
    assert (short.body, short.frame.below, short.frame.below_title) == ("# Log", "", "")
