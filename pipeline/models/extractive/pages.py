"""Owns turning sections and topics into updates of pages: new ones whole, standing ones by the sections that change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.draft import MOST_UPDATES, ConsolidatedBatch, ConsolidatedPageUpdate
from pipeline.models.extractive.knowledge import topics
from pipeline.models.extractive.page_parts import Section
from pipeline.models.extractive.session import read_session
from pipeline.models.extractive.sessionpage import MOST, sections, titles
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import contradicts, same, same_title
from pipeline.models.extractive.standing import StandingWiki
from pipeline.models.extractive.subjects import tag_of
from pipeline.text import cut, one_line
from pipeline.wiki.claims import COLLECTED
from pipeline.wiki.markdown import plain, quote_inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.extractive.page_parts import Bullet, Topic
    from pipeline.models.extractive.session import Session
    from pipeline.models.extractive.standing import StandingPage, StandingSection
    from pipeline.prompt import Request

NOTE = f"> {COLLECTED}: every statement is a quotation."
_LONGEST_DESCRIPTION = 160
_MOST_TAGS = 5
_MUCH_WORSE = 0.6
_ITS_OWN = 1.7
"""What a topic must weigh to stand beside a session's page that would have the same title."""
_TAG = re.compile(r"[\w .:/-]{1,60}")


class Composer:
    """Composes the batch for one request."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._wiki = StandingWiki(request)
        self._session = read_session(request.projection)
        said = {voice.handle: plain(shown.text) for voice, shown in zip(self._session.voices, request.projection.shown, strict=True)}
        self._said = said

    def compose(self) -> ConsolidatedBatch:
        """The session's page and the strongest subjects, at most five pages."""
        found = topics(self._session, self._wiki.concepts())
        named = titles(self._session)
        own = "" if self._wiki.session_page or not named else named[0][1]
        found = [topic for topic in found if topic.strength >= _ITS_OWN or not own or not same_title(topic.title, own)]
        updates: list[ConsolidatedPageUpdate] = []
        paths: set[str] = set()
        for topic in found:
            if len(updates) == MOST_UPDATES - 1:
                break
            update = self._topic_page(topic)
            if update is None or (update.path and update.path in paths):
                continue
            updates.append(update)
            paths.add(update.path)
        page = self._session_page([update.title for update in updates])
        every = (page, *updates) if page else tuple(updates) or (self._nothing_new(),)
        return ConsolidatedBatch(updates=every, rationale=_rationale(every))

    def _topic_page(self, topic: Topic) -> ConsolidatedPageUpdate | None:
        page = self._wiki.about(topic)
        held = [self._true(section) for section in topic.sections]
        parts = [section for section in held if section.bullets]
        if not parts:
            return None
        if page is not None:
            return self._extended(page, parts, topic.tags)
        lead = parts[0].bullets[0]
        return ConsolidatedPageUpdate(
            kind=topic.kind,
            title=topic.title,
            description=_description(topic.title, parts),
            tags=_tags((*topic.tags, *identifiers(lead.raw)), topic.title),
            aliases=topic.aliases[:3],
            body=_body(parts),
        )

    def _session_page(self, taken: Sequence[str]) -> ConsolidatedPageUpdate | None:
        held = [self._true(section) for section in sections(self._session)]
        parts = [section for section in held if section.bullets]
        page = self._wiki.session_page
        if page is not None:
            return self._extended(page, parts, ())
        title = self._session_title(taken)
        tags = [tag for voice in self._session.voices if not voice.noise for tag in voice.observation.tags]
        if not parts:
            return ConsolidatedPageUpdate(kind="session", title=title, tags=_tags(tags, title), body=self._facts())
        strong = sorted(parts, key=lambda section: _ORDER.index(section.heading))
        return ConsolidatedPageUpdate(
            kind="session",
            title=title,
            description=_description(title, strong),
            tags=_tags((*tags, *_named(parts)), title),
            body=_body(parts),
        )

    def _nothing_new(self) -> ConsolidatedPageUpdate:
        """The smallest update of the session's page: a section as it stands, or the bare facts of this window."""
        page = self._wiki.session_page
        path, title = (page.path, page.title) if page else ("", self._session_title(()))
        body = self._facts()
        if page and page.sections:
            body = "## {}\n\n{}\n".format(page.sections[0].heading, page.sections[0].text)
        description = page.description if page else ""
        return ConsolidatedPageUpdate(path=path, kind="session", title=title or "Session", description=description, body=body)

    def _session_title(self, taken: Sequence[str]) -> str:
        """The best title that no other page has; a dated one where all are taken."""
        held = [*taken, *self._wiki.titles]
        found = titles(self._session)
        for score, title in found[:12]:
            if score < found[0][0] - _MUCH_WORSE:
                break
            if not any(same_title(title, other) for other in held):
                return title
        day = self._request.projection.shown[0].observation.ts.date().isoformat() if self._request.projection.shown else ""
        if found:
            best = found[0][1]
            dated = f"{best} ({day})"
            return dated if dated not in held else f"{best} ({self._request.projection.session.session_id[:8]})"
        plain_title = f"Session of {day}"
        return plain_title if plain_title not in held else f"{plain_title} ({self._request.projection.session.session_id[:8]})"

    def _facts(self) -> str:
        """What can be said of a session in which nothing is quotable."""
        shown = self._request.projection.shown
        people = sorted({one.observation.author for one in shown if one.observation.role == "user" and one.observation.author})
        first, last = shown[0].observation.ts, shown[-1].observation.ts
        count = f"{len(shown)} observation{'s' if len(shown) != 1 else ''}"
        by = f" with {', '.join(people)}" if people else ""
        line = f"Holds {count}{by}, {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC, and no statement to quote."
        cited = "".join(f"[^{one.handle}]" for one in (shown[0], *shown[-1:]) ) if len(shown) > 1 else f"[^{shown[0].handle}]"
        return f"{NOTE}\n\n## Outcome\n\n{line}{cited}\n"

    def _true(self, section: Section) -> Section:
        """The section without bullets that do not stand, word by word, in what they cite."""
        kept = tuple(bullet for bullet in section.bullets if self._stands(bullet))
        return Section(section.heading, kept, section.numbered)

    def _stands(self, bullet: Bullet) -> bool:
        words = plain(quote_inline(bullet.raw))
        return bool(words) and any(words in self._said.get(handle, "") for handle in bullet.handles)

    def _extended(self, page: StandingPage, parts: Iterable[Section], tags: tuple[str, ...]) -> ConsolidatedPageUpdate | None:
        """The sections of a standing page that gain something, whole; None when it says everything already."""
        if page.locked:
            return None
        changed = []
        for section in parts:
            standing = page.section(section.heading)
            fresh = tuple(bullet for bullet in section.bullets if not page.says(bullet.plain))
            room = MOST - (len(standing.bullets) if standing else 0) if page.kind == "session" else len(fresh)
            if fresh and room > 0:
                changed.append(_merged(Section(section.heading, fresh[:room], section.numbered), standing))
        if not changed:
            return None
        return ConsolidatedPageUpdate(
            path=page.path,
            kind=page.kind,
            title=page.title or self._session_title(()),
            description=page.description,
            tags=_tags(tags, page.title),
            body="\n".join(changed),
        )


_ORDER = ("Outcome", "Done", "Decided", "Learned", "Asked", "Open")
"""Which section of a session describes it best."""


def _merged(section: Section, standing: StandingSection | None) -> str:
    """A section's new text: what stands, byte for byte, with the new bullets in their places."""
    if standing is None:
        return _section(section)
    lines = standing.text.split("\n")
    numbered = section.numbered
    for number, bullet in enumerate(section.bullets, start=1):
        line = _bullet(bullet, len(standing.bullets) + number if numbered else 0)
        at = next((at for at, held in enumerate(lines) if not numbered and contradicts(bullet.plain, _said(held))), None)
        if at is None:
            lines.append(line)
        else:
            lines.insert(at, line)
    return "## {}\n\n{}\n".format(section.heading, "\n".join(lines))


def _said(line: str) -> str:
    return plain(re.sub(r"\[\^[^\]]+\]", "", line.lstrip(" -*+")))


def _body(parts: Iterable[Section]) -> str:
    return "\n".join((f"{NOTE}\n", *(_section(section) for section in parts)))


def _section(section: Section) -> str:
    lines = [_bullet(bullet, number if section.numbered else 0) for number, bullet in enumerate(section.bullets, start=1)]
    return "## {}\n\n{}\n".format(section.heading, "\n".join(lines))


def _bullet(bullet: Bullet, number: int) -> str:
    mark = f"{number}." if number else "-"
    return f"{mark} {quote_inline(bullet.raw)}{''.join(f'[^{handle}]' for handle in bullet.handles)}"


def _description(title: str, parts: Sequence[Section]) -> str:
    """The strongest statement that says more than the title, plain and short."""
    every = [bullet.plain for section in parts for bullet in section.bullets]
    other = [text for text in every if not _repeats(text, title)]
    return _short((other or every)[0]) if every else ""


def _repeats(text: str, title: str) -> bool:
    longer = len(text) > 1.3 * len(title) + 10
    return not longer and (same(text, title) or title.casefold() in text.casefold())


def _short(text: str) -> str:
    if len(text) <= _LONGEST_DESCRIPTION:
        return text
    for mark in (". ", "。", "; ", " - ", " — ", ", "):
        at = text.rfind(mark, 60, _LONGEST_DESCRIPTION)
        if at > 0:
            return text[: at + (1 if mark in {". ", "。"} else 0)]
    return one_line(text, _LONGEST_DESCRIPTION)


def _named(parts: Iterable[Section]) -> list[str]:
    counts: dict[str, int] = {}
    for section in parts:
        for bullet in section.bullets:
            for name in identifiers(bullet.raw):
                counts[name] = counts.get(name, 0) + 1
    return [name for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])) if count > 1]


def _tags(names: Iterable[str], title: str) -> tuple[str, ...]:
    found: list[str] = []
    for name in names:
        tag = tag_of(name) if _fits_as_tag(name) else ""
        if tag and _TAG.fullmatch(tag) and tag.casefold() not in {held.casefold() for held in found} and tag != title:
            found.append(tag)
    return tuple(found[:_MOST_TAGS])


def _fits_as_tag(name: str) -> bool:
    """A name of one word, or a command of few: not an acronym, not a piece of code."""
    return len(name.split()) <= 3 and not (name.isupper() and name.isalpha()) and (" " not in name or name.islower())  # noqa: PLR2004


def _rationale(updates: Sequence[ConsolidatedPageUpdate]) -> str:
    names = [update.title for update in updates]
    return cut("; ".join(names), 300)
