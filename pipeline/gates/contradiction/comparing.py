"""Owns whether two sentences give different values for one subject; knows no page, no date and no observation.

A pair that is far-fetched is passed over: two ports of two services are no contradiction. Both sentences have to speak
of the same things in all that is not the value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.choices import by_choice
from pipeline.gates.contradiction.subject import Opposed, is_one_subject, is_scoped, is_specific, read_both, tells
from pipeline.gates.contradiction.values import rivals, same
from pipeline.gates.contradiction.words import QUALIFIER_STEMS

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.gates.contradiction.claims import Claim
    from pipeline.gates.contradiction.subject import Compared
    from pipeline.gates.contradiction.values import Value

_MOST_VALUES = 12
_LIST = re.compile(
    r"\s*(?:,|/|;|\band\b|\bor\b|&|\+|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\be\b|\bи\b|\bили\b|和|或|、|と"
    r"|,? and)\s*\w{0,12}\s*"
)


def compare(old: Claim, new: Claim, *, near: bool, context: Collection[str] = (), hinted: str = "") -> Opposed | None:
    """Tell whether `new` gives another value than `old`, which stands.

    `near` says that both are for the same page; `context` are words that its title and headings say already. `hinted`
    is what the evidence says of the change, in one text: values that both stand in there belong together.
    """
    if old.is_history or old.is_example or new.is_example or old.is_hypothetical or new.is_hypothetical:
        return None
    if (new.is_history and not new.changes) or (old.is_record or new.is_record):
        return None
    both = read_both(old, new, context)
    if not both.shared and not both.pairs_shared:
        return None
    if old.condition != new.condition or not (near or is_specific(both)):
        return None
    found = _by_value(both, hinted)
    if found is None and not _values_differ(old, new):
        found = _by_state(both) or by_choice(both, hinted)
    return found


def _by_value(both: Compared, hinted: str) -> Opposed | None:
    old, new = both.old, both.new
    pair = _rival_values(old, new)
    if pair is None:
        return None
    before, after = pair
    if _is_dated(old, before) or _is_dated(new, after):
        return None
    told = tells(hinted, before.label, after.label) or any(same(before, value) for value in new.past)
    if old.negated != new.negated and not told:
        return None  # `version 2 has it` and `version 1 has it not` agree
    if not is_one_subject(both, before, after, told=told):
        return None
    return Opposed(before.label, after.label, both.shared)


def _rival_values(old: Claim, new: Claim) -> tuple[Value, Value] | None:
    """Find the one value in which the sentences differ, or the first of several that differ in their order."""
    if len(old.values) > _MOST_VALUES or len(new.values) > _MOST_VALUES:
        return None
    roughly = old.is_rough or new.is_rough
    mine = [one for one in old.values if not any(same(one, other, roughly=roughly) for other in new.values)]
    theirs = [one for one in new.values if not any(same(one, other, roughly=roughly) for other in old.values)]
    pairs = [(one, other) for one in mine for other in theirs if rivals(one, other)]
    if not pairs:
        return None
    before = [one for one in mine if any(one is pair[0] for pair in pairs)]
    after = [one for one in theirs if any(one is pair[1] for pair in pairs)]
    if len(before) != len(after) or len(before) != len(mine) or len(after) != len(theirs):
        return None
    if len({(one.kind, one.unit) for one in before}) > 1:
        return None
    if _shares_list(old, before[0], new) or _shares_list(new, after[0], old):
        return None
    return (before[0], after[0]) if rivals(before[0], after[0]) else None


def _shares_list(claim: Claim, value: Value, other: Claim) -> bool:
    """Whether a value stands in a list with another one that both sentences hold."""
    for neighbour in claim.values:
        if neighbour is value or neighbour.kind != value.kind or not (value.loose or neighbour.unit == value.unit):
            continue
        first, second = sorted((neighbour, value), key=lambda one: one.start)
        between = claim.main[first.end : second.start]
        if _LIST.fullmatch(between) and any(same(neighbour, one) for one in other.values):
            return True
    return False


def _is_dated(claim: Claim, value: Value) -> bool:
    """Whether a sentence tells what was so on a day."""
    return value.kind != "date" and not claim.changes and any(other.kind == "date" for other in claim.values)


def _values_differ(old: Claim, new: Claim) -> bool:
    roughly = old.is_rough or new.is_rough
    return any(not any(same(one, other, roughly=roughly) for other in new.values) for one in old.values) or any(
        not any(same(one, other, roughly=roughly) for other in old.values) for one in new.values
    )


def _by_state(both: Compared) -> Opposed | None:
    """Compare whether something is so, or which of two states it has."""
    old, new = both.old, both.new
    if not _are_opposite(old, new) or both.pairs_differ:
        return None
    apart = [word for word in both.apart if not word.is_state]
    if any(word.stem in QUALIFIER_STEMS or is_scoped(word, both) for word in apart):
        return None
    if all(any(not word.is_state for word in words) for _, words in both.sides):
        return None
    room = len(both.shared) if new.changes else min(len(both.shared) - 1, 1)
    return Opposed("", "", both.shared) if len(apart) <= max(room, 0) else None


def _are_opposite(old: Claim, new: Claim) -> bool:
    """Whether one sentence says the opposite of the other, by a negation or by a state such as `enabled`."""
    mine, theirs = dict(old.states), dict(new.states)
    if mine.keys() != theirs.keys():
        return False
    if not mine:
        return old.negated != new.negated
    axis = min(mine)
    return (old.negated ^ (mine[axis] < 0)) != (new.negated ^ (theirs[axis] < 0))
