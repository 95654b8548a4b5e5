from __future__ import annotations

import json

import pytest

from pipeline.draft import FOLDERS, KINDS, parse_batch
from pipeline.errors import InvalidReply

UPDATE = {"kind": "decision", "title": "Cookies", "body": "## Decision\n\nKeep cookies.[^o1]\n"}


def batch(*updates: object, **fields: object) -> str:
    return json.dumps({"updates": updates, **fields})


def test_a_batch_is_read_with_its_defaults() -> None:
    read = parse_batch(batch(UPDATE, rationale="why"))
    assert read.rationale == "why"
    assert (read.updates[0].path, read.updates[0].tags, read.updates[0].removed_sections) == ("", (), ())


def test_every_kind_has_a_folder() -> None:
    assert set(FOLDERS) == set(KINDS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "reply: Invalid JSON"),
        ("Here you are: {}", "reply: Invalid JSON"),
        ("[]", "reply: Input should be an object"),
        (batch(), "updates: Tuple should have at least 1 item"),
        (batch(*[UPDATE] * 6), "updates: Tuple should have at most 5 items"),
        (batch({**UPDATE, "kind": "opinion"}), "updates.0.kind: Input should be 'session'"),
        (batch({**UPDATE, "title": ""}), "updates.0.title: String should have at least 1 character"),
        (batch({**UPDATE, "body": ""}), "updates.0.body: String should have at least 1 character"),
        (batch({**UPDATE, "colour": "red"}), "updates.0.colour: Extra inputs are not permitted"),
        (batch({**UPDATE, "path": "a.md"}, {**UPDATE, "path": "a.md"}), "names a page twice: a.md"),
        (batch({**UPDATE, "kind": "session"}, {**UPDATE, "kind": "session"}), "more than one session page"),
    ],
)
def test_what_does_not_fit_is_named(text: str, told: str) -> None:
    with pytest.raises(InvalidReply) as fault:
        parse_batch(text)
    assert told in str(fault.value)


def test_a_contradiction_names_the_observations_that_it_cites() -> None:
    read = parse_batch(batch({**UPDATE, "contradiction": "[^o1]: no longer, see [^o12] and [^o-3f2a9c1e55]."}))
    assert read.updates[0].contradicted_by == ("o1", "o12")
    with pytest.raises(InvalidReply):
        parse_batch(batch({**UPDATE, "contradiction": "x" * 501}))
