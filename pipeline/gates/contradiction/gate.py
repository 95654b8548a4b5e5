"""Owns the gate that tells a change from a contradiction where a draft says another thing than what stands.

A change keeps the old value as history, with its date and the citations of both; of a contradiction both sides stay,
and a remark says so. Whether two sentences give different values for one subject, `comparing` decides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS
from pipeline.finding import Finding
from pipeline.gates.contradiction import marking
from pipeline.gates.contradiction.claims import read_claim
from pipeline.gates.contradiction.comparing import compare
from pipeline.gates.contradiction.sentences import read_sentences
from pipeline.gates.contradiction.telling import read_evidence, says_change
from pipeline.gates.contradiction.words import QUALIFIER_STEMS, alike, stem
from pipeline.gates.gated import Gated, place, quoted, with_bodies
from pipeline.gates.standing import page_of, standing_pages
from pipeline.wiki.derived.listing import literal
from pipeline.wiki.markdown import remarks
from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.links import encode, relative
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.revision.drafting import below_title
from pipeline.wiki.revision.sources import moment
from pipeline.wiki.sections.sections import upsert
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.gates.contradiction.sentences import Sentence
    from pipeline.gates.standing import StandingPage
    from pipeline.projection import Projection

_MOST_BEARERS = 400
"""Sentences that may share a word by which a pair is looked for; what more share tells nothing."""
_MOST_CANDIDATES = 40
_MOST_MARKS = 3
"""Remarks on one sentence."""
_MOST_ROUNDS = 3
"""A remark can change how a body is read; so the gate looks again, until nothing is left to mark."""
_DECIDE = "Decide which one holds, and take the line out."


@dataclass(frozen=True, slots=True)
class _Standing:
    """A sentence of a page that was shown."""

    page: StandingPage
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class _Pair:
    """A sentence of a draft that says another thing than one that stands."""

    update: int
    new: Sentence
    old: _Standing
    own: bool
    """Whether the standing sentence is on the page that the draft changes."""
    changed: bool
    day: str


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:
    """Mark in the draft what changes and what contradicts a standing statement, and bring back what it replaced."""
    desk = _Desk(window, standing_pages(context))
    findings: list[Finding] = []
    for _ in range(_MOST_ROUNDS):
        before, batch = batch, _marked(batch, desk, findings)
        if batch is before:
            break
    return Gated(batch, tuple(dict.fromkeys(findings)))


def _marked(batch: ConsolidatedBatch, desk: _Desk, findings: list[Finding]) -> ConsolidatedBatch:
    pairs = desk.chosen([pair for number, update in enumerate(batch.updates) for pair in desk.pairs(number, update)])
    bodies = []
    for number, update in enumerate(batch.updates):
        mine = [pair for pair in pairs if pair.update == number]
        bodies.append((update, desk.marked(update, mine, findings) if mine else update.body))
    return with_bodies(batch, bodies)


class _Desk:
    """One window's standing sentences, found by their words."""

    def __init__(self, window: Projection, pages: Sequence[StandingPage]) -> None:
        self._project = project_folder(window.session.workspace, window.session.project)
        self._pages = {page.path: page for page in pages}
        self._times = {label: time for page in pages for label, time in page.times.items()}
        self._times.update({one.handle: moment(one.observation) for one in window.shown})
        self._texts = {one.handle: one.text for one in window.shown}
        self._standing = [
            _Standing(page, sentence)
            for page in pages
            if not (page.is_session or page.is_deprecated or page.slot == "state")
            for sentence in read_sentences(page.body, page.title)
        ]
        self._said = {one.sentence.words for one in self._standing}
        self._bearers: dict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(self._standing):
            for word in read_claim(one.sentence.bare).stems:
                self._bearers[word].append(number)

    def pairs(self, number: int, update: ConsolidatedPageUpdate) -> Iterable[_Pair]:
        """Find the sentences of an update that say another thing than what stands."""
        page = page_of(update.path, self._pages)
        if page is not None and (page.slot == "state" or page.is_locked):
            return
        is_session = update.kind == "session" or (page is not None and page.is_session)
        title = "" if is_session else page.title if page else update.title
        own = {one.words for one in read_sentences(page.body, page.title)} if page else set()
        for sentence in read_sentences(update.body, title):
            if sentence.words in own or sentence.words in self._said:
                continue
            found: list[_Pair] = []
            for standing in self._candidates(sentence):
                pair = self._compared(number, sentence, standing, page)
                found += [pair] if pair else []
            found.sort(key=lambda pair: not pair.own)
            yield from found[:_MOST_MARKS]

    def chosen(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """Keep one pair for each standing sentence: the one on its own page, else the one on a page of knowledge."""
        taken: dict[tuple[str, str], _Pair] = {}
        for pair in sorted(pairs, key=lambda pair: (not pair.own, pair.update)):
            taken.setdefault((pair.old.page.path, pair.old.sentence.words), pair)
        return [pair for pair in pairs if taken[pair.old.page.path, pair.old.sentence.words] is pair]

    def marked(self, update: ConsolidatedPageUpdate, pairs: Sequence[_Pair], findings: list[Finding]) -> str:
        """Put the remarks on its sentences into an update's body."""
        page = page_of(update.path, self._pages)
        after = self._after(update, page)
        left = {one.words for one in read_sentences(after)} if page else set()
        drafted, standing = (_remarks(text) for text in (update.body, after if page else ""))
        by_sentence: dict[int, list[_Pair]] = defaultdict(list)
        for pair in pairs:
            by_sentence[id(pair.new)].append(pair)
        edits: list[tuple[int, int, str]] = []
        for group in by_sentence.values():
            texts: list[str] = []
            restored: list[str] = []
            for pair in group:
                new, old = pair.new, pair.old.sentence
                text = marking.remark(old, new, changed=pair.changed, day=pair.day, elsewhere=self._link(update, pair))
                there = _stands(text, old, drafted)
                if there or not _stands(text, old, standing):
                    findings.append(_finding(update, pair, self._times))
                back = marking.restored(old, new)
                if pair.own and not pair.changed and old.words not in left and f"{back}\n" not in f"{update.body}\n":
                    restored.append(back)
                if not there and not _stands(text, old, standing):
                    texts.append(text)
            if texts or restored:
                edits += marking.place(update.body, group[0].new, texts, restored)
        return replace(update.body, edits)

    def _candidates(self, sentence: Sentence) -> list[_Standing]:
        counts: Counter[int] = Counter()
        for word in sorted(read_claim(sentence.bare).stems):
            bearers = self._bearers.get(word, ())
            if len(bearers) <= _MOST_BEARERS:
                counts.update(bearers)
        likely = sorted(counts, key=lambda number: (-counts[number], number))[:_MOST_CANDIDATES]
        return [self._standing[number] for number in likely]

    def _compared(self, number: int, new: Sentence, standing: _Standing, page: StandingPage | None) -> _Pair | None:
        old, own = standing.sentence, standing.page is page
        if old.scope != new.scope or _apart(old, new):
            return None
        evidence = [read_evidence(self._texts[label]) for label in new.labels if label in self._texts]
        before, after = read_claim(old.bare), read_claim(new.bare)
        hinted = "\n".join((*(one.hinted for one in evidence), after.main.casefold() if after.changes else ""))
        opposed = compare(
            before, after, near=own and old.heading == new.heading, context=_context(standing), hinted=hinted
        )
        if opposed is None:
            return None
        then, now = self._newest(old.labels), self._newest(new.labels)
        changed = now >= then and says_change(before, after, opposed, evidence)
        return _Pair(number, new, standing, own, changed, now[:10])

    def _newest(self, labels: Iterable[str]) -> str:
        return max((self._times.get(label, "") for label in labels), default="")

    def _after(self, update: ConsolidatedPageUpdate, page: StandingPage | None) -> str:
        """Give the page as the update would leave it."""
        if page is None or page.is_persons:
            return page.body if page else ""
        return upsert(page.body, below_title(update.body), update.removed_sections).body

    def _link(self, update: ConsolidatedPageUpdate, pair: _Pair) -> str:
        if pair.own:
            return ""
        here = update.path or f"{self._project}/{FOLDERS[update.kind]}/new.md"
        return f"[{literal(pair.old.page.title)}]({encode(relative(here, pair.old.page.path))})"


def _context(standing: _Standing) -> frozenset[str]:
    return frozenset(map(stem, standing.page.title.split())) - QUALIFIER_STEMS


def _apart(old: Sentence, new: Sentence) -> bool:
    """Whether two sentences stand below items or leads that name different things."""
    one, other = old.above, new.above
    return any(not any(alike(a, b) for b in other) for a in one) and any(
        not any(alike(a, b) for b in one) for a in other
    )


def _remarks(body: str) -> tuple[str, ...]:
    if "**C" not in body:
        return ()
    return tuple(plain(one.bare) for one in read_blocks(body).statements if remarks.is_remark(one.text))


def _stands(text: str, old: Sentence, known: Sequence[str]) -> bool:
    """Whether a remark of the same kind on the same sentence stands there."""
    words = plain(_unmarked(text))
    kind = words.split(" “", 1)[0]
    quotation = marking.quotation(old)
    return any(one == words or (one.startswith(kind) and quotation in one) for one in known)


def _unmarked(text: str) -> str:
    return read_blocks(text).statements[0].bare


def _finding(update: ConsolidatedPageUpdate, pair: _Pair, times: Mapping[str, str]) -> Finding:
    new, old = pair.new, pair.old
    where = place(update, new.heading)
    since = max((times.get(label, "") for label in old.sentence.labels), default="")[:10]
    stood = f"{quoted(old.sentence.bare)}{f' of {since}' if since else ''}{'' if pair.own else f' on {old.page.path}'}"
    if pair.changed:
        message = f"{quoted(new.bare)} takes the place of {stood}, which is kept as history."
        return Finding(where, "value-changed", "note", message)
    message = f"{quoted(new.bare)} contradicts {stood}, and nothing says that it changed; both stand."
    return Finding(where, "value-contradicted", "warning", message, _DECIDE)
