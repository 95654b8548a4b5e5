"""Owns turning one request into updates of pages: the session's page and the strongest subjects, five at most.

New pages are written whole, standing ones by the sections that change. Knows no file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.draft import MOST_UPDATES, ConsolidatedBatch, ConsolidatedPageUpdate
from pipeline.models.extractive.parts import Section
from pipeline.models.extractive.rendering import (
    block,
    description_of,
    extended_text,
    page_body,
    section_text,
    tags_of,
)
from pipeline.models.extractive.session import read_session
from pipeline.models.extractive.session_page import MOST, session_sections
from pipeline.models.extractive.session_titles import session_titles
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import same_title
from pipeline.models.extractive.standing import StandingWiki
from pipeline.models.extractive.topics.choice import topics_of
from pipeline.text import cut
from pipeline.wiki.markdown.claims import COLLECTED
from pipeline.wiki.markdown.quoting import plain, quote_inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.extractive.parts import Bullet, Topic
    from pipeline.models.extractive.standing import StandingPage
    from pipeline.prompt import Request

_MOST_TITLES = 12
_MUCH_WORSE = 0.6
"""A title that fits so much less is not taken instead of the best one with a date."""
_MOST_ALIASES = 3
_LONGEST_RATIONALE = 300
_LONGEST_TITLE = 200
_LONGEST_DESCRIPTION = 300
_LONGEST_BODY = 60_000
"""What an update may hold."""
_DESCRIBING = ("Outcome", "Done", "Decided", "Learned", "Asked", "Open")
"""Which section of a session describes it best."""


class Composer:
    """Composes the batch for one request."""

    def __init__(self, request: Request) -> None:
        self._projection = request.projection
        self._wiki = StandingWiki(request)
        self._session = read_session(request.projection)
        self._titles = session_titles(self._session)
        self._texts = {shown.handle: plain(shown.text) for shown in request.projection.shown}

    def compose(self) -> ConsolidatedBatch:
        """Write the session's page and those of the strongest subjects."""
        updates: list[ConsolidatedPageUpdate] = []
        for topic in self._topics():
            update = self._topic_page(topic)
            if update is not None and not (update.path and any(update.path == held.path for held in updates)):
                updates.append(update)
            if len(updates) == MOST_UPDATES - 1:
                break
        page = self._session_page([update.title for update in updates])
        if page is not None:
            updates.insert(0, page)
        batch = tuple(updates) or (self._nothing_new(),)
        return ConsolidatedBatch(
            updates=batch, rationale=cut("; ".join(update.title for update in batch), _LONGEST_RATIONALE)
        )

    def _topics(self) -> list[Topic]:
        """List the topics, without one that has but a sentence to add to a new session page of the same title."""
        found = topics_of(self._session, self._wiki.concepts())
        if self._wiki.session_page is not None or not self._titles:
            return found
        own = self._titles[0][1]
        return [
            topic
            for topic in found
            if topic.explicit or topic.kind == "rule" or len(topic.plains) > 1 or not same_title(topic.title, own)
        ]

    def _topic_page(self, topic: Topic) -> ConsolidatedPageUpdate | None:
        sections = self._true(topic.sections)
        page = self._wiki.about(topic)
        if not sections:
            return None
        if page is not None:
            return _extended(page, sections, topic.tags)
        return ConsolidatedPageUpdate(
            kind=topic.kind,
            title=topic.title,
            description=description_of(topic.title, sections),
            tags=tags_of(topic.tags, identifiers(sections[0].bullets[0].raw), topic.title),
            aliases=topic.aliases[:_MOST_ALIASES],
            body=page_body(sections),
        )

    def _session_page(self, taken: Sequence[str]) -> ConsolidatedPageUpdate | None:
        sections = self._true(session_sections(self._session))
        page = self._wiki.session_page
        if page is not None:
            return _extended(page, sections, (), most=MOST)
        title = self._title(taken)
        own = [tag for voice in self._session.voices if not voice.noise for tag in voice.observation.tags]
        ranked = sorted(sections, key=lambda section: _DESCRIBING.index(section.heading))
        return ConsolidatedPageUpdate(
            kind="session",
            title=title,
            description=description_of(title, ranked),
            tags=tags_of(own, _named_often(sections), title),
            body=page_body(sections) if sections else self._facts(),
        )

    def _title(self, taken: Sequence[str]) -> str:
        """Take the best title that no other page has; a dated one where all good ones are taken.

        A session that has none of its own bears that of the first page which it made.
        """
        held = [*taken, *self._wiki.titles]
        best = self._titles[0] if self._titles else None
        for worth, title in self._titles[:_MOST_TITLES] if best else []:
            if best and worth >= best[0] - _MUCH_WORSE and not any(same_title(title, other) for other in held):
                return title
        shown = self._projection.shown
        day = f"{shown[0].observation.ts:%Y-%m-%d}" if shown else "unknown day"
        name = best[1] if best else next(iter(taken), "")
        dated = f"{name} ({day})" if name else f"Session of {day}"
        return dated if dated not in held else f"{dated[: -len(')')] if name else dated} {self._mark()}"

    def _mark(self) -> str:
        return self._projection.session.session_id[:8]

    def _nothing_new(self) -> ConsolidatedPageUpdate:
        """Write the smallest update: a section of the session's page as it stands, or the bare facts of this window."""
        page = self._wiki.session_page
        if page is None:
            return ConsolidatedPageUpdate(kind="session", title=self._title(()), body=self._facts())
        first = min(page.sections, key=lambda section: len(section.text), default=None)
        body = block(first.heading, first.text) if first else block("Outcome", self._facts().strip())
        return _standing_update(page, cut(body, _LONGEST_BODY))

    def _facts(self) -> str:
        """Tell what can be said of a window in which nothing is quotable; it is part of the note, and no claim."""
        shown = self._projection.shown
        if not shown:
            return f"> {COLLECTED}: nothing was observed.\n"
        first, last = shown[0], shown[-1]
        people = sorted({one.observation.author for one in shown if one.observation.role == "user"} - {""})
        count = f"{len(shown)} observation{'s' if len(shown) > 1 else ''}"
        who = f" of {', '.join(map(quote_inline, people))}" if people else ""
        when = f"{first.observation.ts:%Y-%m-%d %H:%M} to {last.observation.ts:%Y-%m-%d %H:%M} UTC"
        return f"> {COLLECTED}: {count}{who}, {when}, without a statement to quote.\n"

    def _true(self, sections: Iterable[Section]) -> list[Section]:
        """Leave out what does not stand, word by word, in an observation that it cites."""
        held = (
            Section(section.heading, tuple(filter(self._stands, section.bullets)), section.numbered)
            for section in sections
        )
        return [section for section in held if section.bullets]

    def _stands(self, bullet: Bullet) -> bool:
        words = plain(quote_inline(bullet.raw))
        return bool(words) and any(words in self._texts.get(handle, "") for handle in bullet.handles)


def _extended(
    page: StandingPage, sections: Iterable[Section], tags: Iterable[str], *, most: int | None = None
) -> ConsolidatedPageUpdate | None:
    """Write the sections of a standing page that gain something; None when it says everything already."""
    changed = []
    for section in [] if page.locked else sections:
        standing = page.section(section.heading)
        fresh = [bullet for bullet in section.bullets if not page.says(bullet.plain)]
        if most is not None:
            fresh = fresh[: max(0, most - (len(standing.bullets) if standing else 0))]
        if fresh:
            part = Section(section.heading, tuple(fresh), section.numbered)
            changed.append(extended_text(part, standing) if standing else section_text(part))
    body = "\n".join(changed)
    if not changed or len(body) > _LONGEST_BODY:
        return None  # A page so long needs a person, or a split, before it can grow.
    return _standing_update(page, body, tags)


def _standing_update(page: StandingPage, body: str, tags: Iterable[str] = ()) -> ConsolidatedPageUpdate:
    """Write an update of a standing page; its title and description stay, as far as an update can hold them."""
    return ConsolidatedPageUpdate(
        path=page.path,
        kind=page.kind,
        title=cut(page.title, _LONGEST_TITLE) or "Untitled",
        description=cut(page.description, _LONGEST_DESCRIPTION),
        tags=tags_of(tags, (), page.title),
        body=body,
    )


def _named_often(sections: Iterable[Section]) -> list[str]:
    """List the names that stand in several bullets, the most frequent first."""
    counts: dict[str, int] = {}
    for section in sections:
        for bullet in section.bullets:
            for name in identifiers(bullet.raw):
                counts[name] = counts.get(name, 0) + 1
    return sorted((name for name, count in counts.items() if count > 1), key=lambda name: (-counts[name], name))
