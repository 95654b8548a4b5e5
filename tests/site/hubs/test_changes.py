from __future__ import annotations

from pipeline.site.hubs.logbook import Logged, read_log
from pipeline.site.hubs.logs import newest_entries
from tests.site.hubs.making import html, made
from tests.site.making import facts, revision

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
    assert '<a href="../harbour/log/" data-preview>We moved all of it to v2.</a> <span class="wm-fact">note · harbour</span>' in told
    assert "JWT" not in told
    assert '<a href="../feed.xml" data-preview>' in told


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
