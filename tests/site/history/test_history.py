from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.site.history.changed import compare
from pipeline.site.history.differences import show
from pipeline.site.history.history import MOST, anchor_of, history_documents
from pipeline.site.history.states import read_state
from pipeline.site.hosting import read_host
from pipeline.site.values import Inputs, Revision, Site
from tests.site.making import PATH, facts, library, revision

if TYPE_CHECKING:
    from pipeline.site.document import Document

AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
SAME = '<p class="wm-same">'
HEAD = '<p class="wm-same wm-head">'
HOST = read_host("https://github.com/acme/wiki")
OURS = {"a", "code", "del", "details", "div", "h2", "ins", "p", "span", "strong", "summary", "time"}
ATTRIBUTES = {"class", "datetime", "href", "id"}


class Seen(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def versions(*texts: str, **told: str) -> tuple[Revision, ...]:
    """Revisions of a page, the oldest text first; the newest comes first as it does from git."""
    made = (
        revision(text, commit=f"{number:040x}"[::-1], at=AT + timedelta(days=number), **told)
        for number, text in enumerate(texts)
    )
    return tuple(made)[::-1]


def document(*texts: str, title: str = "Session cookies", hosted: str = "yes", **told: str) -> Document | None:
    inputs = Inputs(Site(host=HOST if hosted else None), {}, revisions={PATH: versions(*texts, **told)})
    found = list(history_documents(inputs, library(facts(PATH, title=title))))
    return found[0] if found else None


def html_of(*texts: str, **told: str) -> str:
    found = document(*texts, **told)
    assert found is not None
    return found.frame.below_title


def differences(before: str, after: str, limit: int = 10_000) -> str:
    return show(compare(read_state(before.encode()), read_state(after.encode())), limit).html


@pytest.mark.parametrize(
    ("before", "after", "html"),
    [
        ("Same.", "Same.", ""),
        (
            "The cache lives an hour.",
            "The cache lives a day.",
            "<p>The cache lives <del>an hour</del><ins>a day</ins>.</p>",
        ),
        (
            "# T\n\n## Part\n\n- a b\n- c d\n",
            "# T\n\n## Part\n\n- a b\n- c d\n- e <f>\n",
            f"{HEAD}Part</p>{SAME}⋯</p>{SAME}• c d</p><p><ins>• e &lt;f&gt;</ins></p>",
        ),
        (
            "- gone\n- stays\n- also",
            "- stays\n- also\n- new",
            '<p><del>• gone</del></p><p class="wm-same">• also</p><p><ins>• new</ins></p>',
        ),
        (
            "---\ntitle: A b\ntags: [x]\n---\n\nText.",
            "---\ntitle: A c\ntags: [x, y]\n---\n\nText.",
            "<p>Title: A <del>b</del><ins>c</ins></p><p>Tags: x<ins>, y</ins></p>",
        ),
    ],
)
def test_a_difference(before: str, after: str, html: str) -> None:
    assert differences(before, after) == (f'<div class="wm-diff">{html}</div>' if html else "")


def test_a_history_tells_who_changed_what_the_newest_first() -> None:
    head = "---\ntype: Decision\ntitle: Session cookies\n{}---\n\n# Session cookies\n\n"
    first = head.format("") + "- Cookies live an hour.\n"
    second = head.format("generated: { by: x, at: 2026-11-02 }\n") + "- Cookies live a day.\n- They are signed.\n"
    third = (
        head.format("verified:\n- { by: human:dana, at: 2026-11-03 }\n") + "- Cookies live a day.\n- They are signed.\n"
    )
    found = document(first, second, third)
    assert found is not None
    assert found.path == f"history/{PATH}"
    assert found.body == ""
    assert found.front == {"title": "History of Session cookies", "search": {"exclude": True}, "hide": ["toc"]}
    assert found.frame.title == "History of Session cookies"
    html = found.frame.below_title
    newest = versions(first, second, third)[1]
    assert anchor_of(newest) == "r-1000000000"
    assert re.findall(r'<h2 id="([^"]+)">([^<]+)<time datetime="([^"]+)">([^<]+)</time></h2>', html) == [
        ("r-1000000000", "Version 2, ", "2026-11-02T09:00Z", "2026-11-02 09:00"),
        ("r-0000000000", "Version 1, ", "2026-11-01T09:00Z", "2026-11-01 09:00"),
    ]
    assert re.findall('<a href="([^"]+)">([^<]+)', found.frame.above) == [
        ("../../../../", "Home"),
        ("../../../../harbour/", "harbour"),
        ("../../../../harbour/decisions/", "Decisions"),
        ("../../../../harbour/decisions/session-cookies/", "Session cookies"),
    ]
    assert re.findall("<strong>(.*?)</strong>", html) == [
        "1 claim added, 1 changed, confirmed by dana",
        "New page with 1 claim",
    ]
    assert "By gpt-6-luna, from session 7f4c21d8" in html
    assert f'href="https://github.com/acme/wiki/commit/{newest.commit}"' in html
    assert "<p>• Cookies live <del>an hour</del><ins>a day</ins>.</p><p><ins>• They are signed.</ins></p>" in html
    assert '<a href="../../../../harbour/decisions/session-cookies/">Session cookies</a>' in html
    assert "<details>" not in html
    assert "Earlier versions" not in html


def test_a_person_and_the_offline_model_are_told_apart() -> None:
    assert "By Dana</span>" in html_of("a", "b", author="Dana", model="", session="")
    assert "By somebody</span>" in html_of("a", "b", author="", model="", session="")
    assert "Without a language model, from session 7f4c21d8</span>" in html_of("a", "b", model="extractive")


RUN = "consolidate(harbour/7f4c21d8): "


@pytest.mark.parametrize(
    ("subject", "says"),
    [
        (f"{RUN}Cookies & co", ""),
        (f"{RUN}Cookies & co; Session cook…", ""),
        (f"{RUN}Cookies & co; Tokens; Ho…", "Tokens"),
        (f"{RUN}Cooki…", ""),
        (f"{RUN}Something el…", "Something el…"),
        ("consolidate(acme/gateway/7f): Tokens <b>", "Tokens &lt;b&gt;"),
        ("Reword the cookies (consolidate)", "Reword the cookies (consolidate)"),
        ("consolidate(", "consolidate("),
        ("", ""),
    ],
)
def test_a_session_is_told_once_by_its_title_and_a_subject_by_what_it_adds(subject: str, says: str) -> None:
    page = facts(PATH, title="Session cookies")
    session = facts("harbour/sessions/cookies.md", title="Cookies & co", session_ids=("7f4c21d8",))
    revisions = versions("a", "b", session="harbour/7f4c21d8", subject=subject)
    (found,) = history_documents(Inputs(Site(), {}, revisions={PATH: revisions}), library(page, session))
    link = '<a href="../../../../harbour/sessions/cookies/">Cookies &amp; co</a>'
    middle = f' <span class="wm-fact">{says}</span> ' if says else " "
    assert (
        f'<p class="wm-made"><span class="wm-fact">By gpt-6-luna, from session {link}</span>{middle}'
        '<span class="wm-fact">Commit '
    ) in found.frame.below_title


def test_without_its_beginning_a_history_numbers_no_version() -> None:
    html = html_of(*(f"Text number {number}." for number in range(11)))
    assert html.count('">Version of <time ') == MOST
    assert "Version 1" not in html


NOTES = "\n\n[^o-1]: 2026-01-29 15:40, claude-code\n"
NEW = "[^o-2]: 2026-01-31 07:26, noor\n"
ADDED = '<p class="wm-fact">source added: <time>2026-01-31</time>, noor</p>'


@pytest.mark.parametrize(
    ("before", "after", "html"),
    [
        # A claim with a source of its own.
        (
            f"- a b.[^o-1]{NOTES}",
            f"- a b.[^o-1]\n- c d.[^o-2]{NOTES}{NEW}",
            f"{SAME}• a b.</p><p><ins>• c d.</ins></p>{ADDED}",
        ),
        # One that cites what the page knew already.
        (f"- a b.[^o-1]{NOTES}", f"- a b.[^o-1]\n- c d.[^o-1]{NOTES}", f"{SAME}• a b.</p><p><ins>• c d.</ins></p>"),
        # A claim that was given a source more, and one that lost it.
        (f"- a b.[^o-1]{NOTES}", f"- a b.[^o-1][^o-2]{NOTES}{NEW}", f"{SAME}• a b.</p>{ADDED}"),
        (
            f"- a b.[^o-1][^o-2]{NOTES}{NEW}",
            f"- a b.[^o-1]{NOTES}",
            f"{SAME}• a b.</p>{ADDED.replace('added', 'removed')}",
        ),
        # Two claims with the same new source: it is told once.
        (
            f"- a b.[^o-1]{NOTES}",
            f"- a b.[^o-1]\n- c d.[^o-2]\n- e f.[^o-2]{NOTES}{NEW}",
            f"{SAME}• a b.</p><p><ins>• c d.</ins></p>{ADDED}<p><ins>• e f.</ins></p>",
        ),
        # What a person wrote into a footnote.
        (
            "a b.[^n]\n\n[^n]: RFC <1>, page 2\n",
            "a b.[^n]\n\n[^n]: RFC <1>, page 3\n",
            '<p class="wm-fact">source changed: RFC &lt;1&gt;, page <del>2</del><ins>3</ins></p>',
        ),
        ("a b.", "a b.\n\n[^n]: RFC <1>\n", '<p class="wm-fact">source added: RFC &lt;1&gt;</p>'),
        # What no footnote defines is no mark, and code is code.
        ("- [ ] deploy one", "- [x] deploy one", "<p>• <del>☐</del><ins>☑</ins> deploy one</p>"),
        ("x `a` one", "x a two", "<p>x <del>`</del>a<del>` one</del><ins> two</ins></p>"),
        ("Powers `2**3**4` one", "Powers `2**3**4` two", "<p>Powers 2**3**4 <del>one</del><ins>two</ins></p>"),
        ("the set `[^ab]`", "the set `[^ac]`", "<p>the set <del>[^ab]</del><ins>[^ac]</ins></p>"),
        (
            f"```\nx[^o-1]\n```\n\na[^o-1]{NOTES}",
            f"```\ny[^o-1]\n```\n\na[^o-1]{NOTES}",
            f"{SAME}```</p><p><del>x[^o-1]</del></p><p><ins>y[^o-1]</ins></p>",
        ),
    ],
)
def test_sources_are_told_in_words_and_not_by_their_marks(before: str, after: str, html: str) -> None:
    assert differences(before, after) == f'<div class="wm-diff">{html}</div>'


def test_older_differences_fold_away() -> None:
    html = html_of("one", "one two", "one two three")
    assert html.index("wm-diff") < html.index("<details><summary>What changed</summary>")
    assert html.count("wm-diff") == 2
    assert html.count("<details>") == 1


@pytest.mark.parametrize("texts", [(), ("a",), ("a", "a"), ("a\n", "a  \r\n"), ("---\ngenerated: x\n---\na", "a")])
def test_without_two_versions_there_is_no_history(texts: tuple[str, ...]) -> None:
    assert document(*texts) is None


def test_the_last_ten_versions_are_shown_and_the_eleventh_is_what_the_tenth_arose_from() -> None:
    html = html_of(*(f"Text number {number}." for number in range(11)))
    assert html.count("<h2") == MOST
    assert "Text number <del>0</del><ins>1</ins>." in html
    assert "New page" not in html
    assert "The last 10 versions of " in html
    assert html.endswith("<p>Earlier versions are not shown here.</p>")
    assert html_of(*(f"Text number {number}." for number in range(10))).count("<h2") == 10
    assert "Earlier versions" not in html_of(*(f"Text number {number}." for number in range(10)))


def test_nobody_is_told_for_what_the_known_history_begins_with() -> None:
    newest, base = versions("one", "two")
    base = revision(base.raw, commit=base.commit, author="", subject="", model="", session="")
    (found,) = history_documents(Inputs(Site(), {}, revisions={PATH: (newest, base)}), library(facts(PATH)))
    html = found.frame.below_title
    assert html.count("<h2") == 1
    assert "<p><del>one</del></p><p><ins>two</ins></p>" in html
    assert "The last version of " in html
    assert html.endswith("<p>Earlier versions are not shown here.</p>")


def test_without_a_host_the_commit_is_named() -> None:
    found = document("a", "b", hosted="")
    assert found is not None
    assert "Commit <code>1000000000</code>" in found.frame.below_title
    assert found.frame.below_title.count("<a ") == 1


def test_a_page_called_history_keeps_its_place() -> None:
    inputs = Inputs(Site(), {}, revisions={PATH: versions("a", "b")})
    known = library(facts(PATH), facts("history/x.md"))
    assert [one.path for one in history_documents(inputs, known)] == [f"history-1/{PATH}"]


# Sizes


def test_a_large_change_is_cut_and_counted() -> None:
    before = "\n".join(f"- claim {number} of the old page" for number in range(900))
    after = "\n".join(f"- statement {number}, altogether new" for number in range(900))
    html = html_of(before, after)
    assert len(html.encode()) <= 16 * 1024
    shown = html.count("<del>") + html.count("<ins>")
    assert f"… and {1800 - shown:,} more changed lines: <a href=" in html


def test_a_page_of_a_million_characters_and_many_versions_stays_small_and_quick() -> None:
    texts = ["\n\n".join(f"Paragraph {number} of version {one}. " * 9 for number in range(4_000)) for one in range(3)]
    assert len(texts[0]) > 900_000
    start = time.process_time()
    html = html_of(*texts)
    html_of("x" * 1_000_000, "y" * 1_000_000)
    html_of("a " * 500_000, "b " * 500_000)
    html_of("- a\n" * 60_000, "- b\n" * 60_000)
    assert time.process_time() - start < 10
    assert len(html.encode()) <= 16 * 1024
    assert "changed lines: " in html


def test_ten_large_changes_share_the_room() -> None:
    html = html_of(
        *(
            "\n".join(f"- {word} {number} in version {one}" for number in range(200) for word in ("a", "b"))
            for one in range(11)
        )
    )
    assert len(html.encode()) <= 16 * 1024
    assert html.count("<h2") == MOST
    assert html.count("changed lines: ") == MOST


def test_hostile_names_leave_room() -> None:
    long = "&\"<'" * 500
    html = html_of(*("x" * number for number in range(1, 12)), author=long, model=long, session=long, subject=long)
    assert len(html.encode()) <= 16 * 1024
    assert 1 <= html.count("<h2") < MOST


# Hostile content

HOSTILE = st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</ins></div><img src=x onerror=alert(1)>",
        "<!-- -->",
        "&lt;b&gt;",
        "[x](javascript:alert(1))",
        "\u202e\u2028\x00\x1b[31m",
        "\ud800",
        "--><svg onload=alert(1)>",
        "```\n<b>\n```",
        "{: onclick=alert(1) }",
        "'\" onmouseover=alert(1) x=",
        "# <h1>",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(HOSTILE, max_size=4).map("\n\n".join), min_size=2, max_size=4, unique=True), HOSTILE)
def test_hostile_content_adds_no_tag_and_no_attribute(texts: list[str], name: str) -> None:
    pages = [f"---\ntitle: {text[:9]!r}\n---\n{text}".encode("utf-8", "replace").decode() for text in texts]
    told = {"author": name, "model": "", "session": name, "subject": name, "title": name}
    found = document(*pages, **told)
    if found is None:
        return
    seen = Seen(found.frame.below_title)
    assert seen.tags <= OURS
    assert seen.attributes <= ATTRIBUTES
    assert found.render().count(b"<!--wikimill-frame ") == 1
    assert found == document(*pages, **told)


@given(
    st.lists(st.sampled_from(["- a b", "- b c", "text of it", "# Head", "", "> q", "| r |", "```"]), max_size=9),
    st.data(),
)
def test_all_that_differs_is_shown_when_there_is_room(before: list[str], data: st.DataObject) -> None:
    after = data.draw(st.permutations([*before, "- new thing", "## Other"]))
    html = differences("\n".join(before), "\n".join(after), 1_000_000)
    gone, new = ("".join(re.findall(f"<{tag}>(.*?)</{tag}>", html)) for tag in ("del", "ins"))
    if not gone:
        assert "new thing" in new
        assert "Other" in new
    assert Seen(html).tags <= {"div", "p", "del", "ins"}
