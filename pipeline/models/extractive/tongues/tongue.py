"""Owns the shape of what the extractor knows about one language: words and short patterns, no grammar.

Patterns are in `re` syntax and matched without regard to case. A language that has no table is read by structure
alone: headings, lists, lead-ins, explicit kinds, importance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Act = Literal[
    "request",
    "question",
    "decision",
    "rule",
    "problem",
    "cause",
    "fix",
    "result",
    "outcome",
    "concept",
    "step",
    "open",
    "why",
    "proposal",
    "none",
]
"""What a statement does; `proposal` is what somebody merely considered."""

Words = tuple[str, ...]
"""Alternatives; `<name>` in one stands for all alternatives of that name in `parts`."""


def words(text: str) -> frozenset[str]:
    """Read a list of words."""
    return frozenset(text.split())


def lines(text: str) -> Words:
    """Read patterns, one a line; a line that ends with `|` goes on in the next."""
    found: list[str] = []
    unfinished = False
    for line in filter(None, map(str.strip, text.splitlines())):
        if unfinished:
            found[-1] += line
        else:
            found.append(line)
        unfinished = line.endswith("|")
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class Tongue:
    """One language. Patterns under `starts_*` and `ends_*` are tried there in a sentence, the others anywhere."""

    code: str
    function_words: frozenset[str]
    """Words that carry no subject; also what tells languages apart."""
    letters: str = ""
    """Letters and signs that tell it from its neighbours."""
    spaced: bool = True
    """Whether words are separated by spaces."""
    hollow: frozenset[str] = frozenset()
    """Nouns too general to be what a page is about: problem, change, test."""
    vague_heads: frozenset[str] = frozenset()
    """Nouns that make a noun phrase too vague to be a subject when they stand at its end: part, approach."""
    kinds_of_name: frozenset[str] = frozenset()
    """Nouns that may follow a name in code and add nothing: function, field, flag."""

    starts_dropped: Words = ()
    """Acknowledgements and connectors that a quotation loses at its beginning: `Done.`, `Yes,`, `You're right -`."""
    starts_chatter: Words = ()
    """Announcements, greetings, apologies, offers: the sentence is no statement."""
    starts_dangling: Words = ()
    """The sentence points at something that stands outside of it."""
    passing: Words = ()
    """The whole sentence says no more than that checks pass or that work is finished."""

    starts_request: Words = ()
    """Politeness before what is wanted, dropped where a request becomes a title."""
    ends_request: Words = ()
    """Politeness behind what is wanted, where a language puts it there."""
    starts_imperative: Words = ()
    """Verbs that begin a request; where the table has some, a request must begin with one to become a title."""
    starts_chore: Words = ()
    """Requests that go with any subject and so tell none: commit it, reply to the comments, look at it."""
    request: Words = ()
    starts_question: Words = ()
    starts_wondering: Words = ()
    """A question about how something is, as opposed to one that asks for something to be done."""

    starts_result: Words = ()
    """The sentence says what was done."""
    starts_done: Words = ()
    """As before, but with the doing in its first word, so that the object follows: `Removed the command`."""
    decision: Words = ()
    """Decides, whoever says it."""
    wish: Words = ()
    """Decides when a person says it."""
    contrast: Words = ()
    """One thing takes the place of another."""
    preference: Words = ()
    """Weaker: it restricts or prefers."""
    rule: Words = ()
    problem: Words = ()
    cause: Words = ()
    fix: Words = ()
    concept: Words = ()
    """What stands between a subject and what it is."""
    verbs: Words = ()
    """Finite verbs, by which a list item is a sentence and not a name."""
    open: Words = ()
    proposal: Words = ()

    hedge: Words = ()
    """The speaker is not sure."""
    passing_state: Words = ()
    """The sentence tells how things stood at that moment: progress, not knowledge."""
    fleeting: Words = ()
    """Weaker than `passing_state`, and never knowledge: that work is complete, that something is new or not there."""
    bygone: Words = ()
    """The sentence tells how something once was, and so does not say what it is."""
    self_reference: Words = ()
    """The speaker speaks of themself."""

    starts_claim: Words = ()
    """Words before the claim itself, dropped where it becomes a title: `the problem is that`."""
    starts_setting: Words = ()
    """A subordinate clause or a place before the main clause: `when`, `if`, `in`."""
    starts_speaker: Words = ()
    """The sentence is about who speaks or is spoken to; it makes no title."""
    pointers: Words = ()
    """Words that point at what a title does not hold: this, it, above."""
    articles: Words = ()
    continues: Words = ()
    """What begins, after a comma, what a title can leave out: `which`, `but`."""
    breaks: Words = ()
    """What begins, without a comma, what a title can leave out: `because`, `instead of`."""
    adjuncts: Words = ()
    """Prepositions that begin what a title can leave out when nothing better does."""
    ends_idle: Words = ()
    """What a title loses at its end: adverbs, `can you check`."""

    parts: Mapping[str, Words] = field(default_factory=dict)
    """Alternatives that several patterns use."""
    headings: Mapping[Act, Words] = field(default_factory=dict)
    """What a whole heading or lead-in must look like to say what stands under it."""
