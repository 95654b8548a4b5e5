from __future__ import annotations

from datetime import date
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.site.around.frame_of import frame_of
from pipeline.site.facts import Verified
from pipeline.site.frame import Frame, pack, unpack
from pipeline.site.hosting import Host
from pipeline.site.library import Library
from pipeline.site.values import Quoted, Revision, Site
from pipeline.wiki.format.page import Page
from tests.site.making import facts, library, link_to, quoted, revision, section, source

SITE = Site(
    host=Host("https://github.com/acme/wiki", "github"), url="https://wiki.example.org/", today=date(2026, 12, 1)
)
LABEL = "o-3f2a9c1e55"


class Outline(HTMLParser):
    """The tags of a text with the names of their attributes, and where they lead; fails where they do not pair."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.leads: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.leads += [value or "" for name, value in attrs if name in {"href", "data-wm-copy"}]
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


def parts(frame: Frame) -> str:
    return "".join((frame.above, frame.below_title, frame.sources, *frame.notes.values(), frame.below))


def framed(words: str) -> Frame:
    """The frame of a page on which every text that somebody else writes is the same."""
    page = facts(
        title=words,
        type=words or "x",
        tags=(f"t{words}",),
        aliases=(words,),
        status="other",
        page=Page({"status": words}, f"{words}\n\n[^{LABEL}]: x\n"),
        model=words,
        verified=(Verified(f"human:{words}", "2026-11-29"), Verified(f"process:{words}", "")),
        stale_after="2026-12-01",
        sources=(
            source(title=f"2026-11-12 09:14 {words}: {words}", author=f"human:{words}"),
            source("o-0000000001", title=words, author=words, resource=f"x:{words}"),
            source("o-0000000002", title=words, author=words, resource=f"https://example.org/{words}"),
            source("o-0000000003", title=words, author=words),
        ),
        session_ids=(f"s{words}",),
        agent_kind=words,
        links=(link_to("harbour/decisions/b.md"), link_to("harbour/decisions/c.md"), link_to("harbour/decisions/d.md")),
        sections=(section(words, "(unsourced)", anchor=f"a{words}"),),
        cited=(LABEL, "o-0000000001", "o-0000000002"),
        supported={LABEL: (words, "known words"), "o-0000000002": ("Else.",)},
        unsourced=1,
        contradicted=1,
    )
    others = [
        facts(
            f"harbour/decisions/{name}.md",
            title=words,
            type=words or "x",
            tags=page.tags,
            links=(link_to(page.path, f"s{words}"),),
            superseded_by=page.path if name == "b" else "",
        )
        for name in "bcd"
    ]
    known = library(page, *others, namesakes={page.path: ("harbour/decisions/c.md",)})
    history = (revision("# A\n\nx\n", author=words, model="", session="", subject=words), revision("# A\n"))
    own = quoted(f"w{words} known words.", who=words, session_id=words, agent_kind=words, file=f"observations/{words}")
    long = quoted(f"# {words}\n\n{'And so on. ' * 90}{words}")
    return frame_of(
        page,
        known,
        SITE,
        quoted={LABEL: own, "o-0000000001": own, "o-0000000002": long},
        revisions=history,
        history="",
    )


NASTY = st.lists(
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            '" onmouseover="alert(1)',
            "' onfocus='alert(1)",
            "javascript:alert(1)",
            "-->",
            "<!--",
            "]]>",
            "&lt;b&gt;",
            "&#x3c;b>",
            "</div></section>",
            "\u202e",
            "\x00",
            "\n\n",
            "\ud83c",
            "`",
            "a b",
            "//evil.example",
            "../../..",
            "%3Cb%3E",
        ]
    )
    | st.text(max_size=20),
    max_size=4,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(NASTY)
def test_no_text_of_others_adds_a_tag_or_an_attribute_or_leads_elsewhere(words: str) -> None:
    found = Outline(parts(framed(words)))
    tame = {
        *((tag, names) for tag, names in Outline(parts(framed("tame words"))).tags),
        *((tag, names) for tag, names in Outline(parts(framed(""))).tags),
    }
    assert set(found.tags) <= tame
    for address in found.leads:
        assert address.startswith(("https://", "../", "./", "#")), address


@settings(max_examples=30, deadline=None)
@given(NASTY)
def test_a_frame_travels_as_one_line(words: str) -> None:
    frame = framed(words)
    line = pack(frame)
    assert len(line.splitlines()) == 1
    assert unpack(line) == frame


def usual(**told: object) -> tuple[Frame, Library]:
    """A page as a run usually leaves it: five sources with two lines each, three tags, some neighbours."""
    labels = tuple(f"o-{number:010x}" for number in range(5))
    page = facts(
        title="Session cookies instead of JWT",
        origin="extractive",
        model="extractive",
        tier="machine-confirmed",
        verified=(Verified("process:wikimill-gates", "2026-11-29"),),
        tags=("auth", "web", "security"),
        sources=tuple(source(label) for label in labels),
        session_ids=("7f4c21d8",),
        cited=labels,
        links=(link_to("harbour/decisions/d1.md"), link_to("harbour/decisions/d2.md")),
        supported={
            label: (f"Rule {number} holds for every cookie that we set.",) for number, label in enumerate(labels)
        },
    )
    title = "A decision with a title of some forty letters"
    others = [facts(f"harbour/decisions/d{number}.md", title=title) for number in range(6)]
    linking = facts("harbour/rules/r.md", title="A rule", links=(link_to(page.path, "As decided " * 8),))
    known = library(page, linking, *others)
    before, after = ("We decided on signed cookies, since a JWT cannot be revoked. " * 9 for _ in "ab")
    words = {
        label: quoted(f"{before}Rule {number} holds for every **cookie** that we set. {after}")
        for number, label in enumerate(labels)
    }
    return frame_of(page, known, SITE, quoted=words, revisions=(revision(),), history=""), known


def test_the_frame_of_a_usual_page_is_small() -> None:
    frame, _ = usual()
    assert len(f"{frame.above}{frame.below_title}{frame.below}".encode()) < 6_000
    assert all("</details>" in note for note in frame.notes.values())
    assert len("".join(frame.notes.values()).encode()) < 7_000


def test_the_parts_stand_in_the_same_order_on_every_page() -> None:
    frame = framed("words")
    below = [frame.below.index(mark) for mark in ("wm-other", "wm-act", "wm-links", "wm-nearby", "wm-graph")]
    assert below == sorted(below)
    top = [frame.below_title.index(mark) for mark in ("wm-hatnote", "wm-origin", "wm-also")]
    assert top == sorted(top)
    assert frame.title == "words"


def test_however_much_there_is_a_frame_ends() -> None:
    many = range(2_000)
    page = facts(
        tags=tuple(f"tag {number}" for number in many),
        aliases=tuple(f"name {number}" for number in many),
        sources=tuple(source(f"o-{number:010x}") for number in many),
        session_ids=tuple(f"s{number}" for number in many),
        verified=tuple(Verified(f"human:p{number}", "") for number in many),
        links=tuple(link_to(f"harbour/rules/r{number}.md") for number in many),
    )
    others = [facts(f"harbour/rules/r{number}.md", links=(link_to(page.path, "x" * 900),)) for number in many]
    known = library(page, *others, namesakes={page.path: tuple(one.path for one in others)})
    told: dict[str, Quoted] = {}
    revisions: tuple[Revision, ...] = ()
    frame = frame_of(page, known, SITE, quoted=told, revisions=revisions, history="")
    assert len(parts(frame).encode()) < 45_000


def test_of_a_page_alone_nothing_is_said_that_needs_the_others() -> None:
    page = facts(tags=("auth",), sources=(source(),), cited=(LABEL,), links=(link_to("harbour/rules/a.md"),) * 5)
    frame = frame_of(page, Library({page.path: page}, whole=False), SITE, quoted={}, revisions=(), history="")
    assert frame.above.startswith('<nav class="wm-trail"')
    assert "wm-origin" in frame.below_title
    assert list(frame.notes) == [LABEL]
    for part in ("wm-links", "wm-nearby", "wm-graph", "data-wm-copy"):
        assert part not in frame.below
    assert "wm-act" in frame.below
