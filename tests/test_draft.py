from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from pipeline.draft import FOLDERS, KINDS, ConsolidatedBatch

UPDATE = {"kind": "decision", "title": "Cookies", "body": "## Decision\n\nKeep cookies.[^o1]\n"}


def batch(*updates: object, **fields: object) -> str:
    return json.dumps({"updates": updates, **fields})


def test_a_batch_is_read_with_its_defaults() -> None:
    read = ConsolidatedBatch.model_validate_json(batch(UPDATE, rationale="why"))
    assert read.rationale == "why"
    assert (read.updates[0].path, read.updates[0].tags, read.updates[0].removed_sections) == ("", (), ())


def test_every_kind_has_a_folder() -> None:
    assert set(FOLDERS) == set(KINDS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ": Invalid JSON"),
        ("Here you are: {}", ": Invalid JSON"),
        ("[]", ": Input should be an object"),
        (batch(), "updates: Tuple should have at least 1 item"),
        (batch(*[UPDATE] * 6), "updates: Tuple should have at most 5 items"),
        (batch({**UPDATE, "kind": "opinion"}), "updates.0.kind: Input should be 'session'"),
        (batch({**UPDATE, "title": ""}), "updates.0.title: String should have at least 1 character"),
        (batch({**UPDATE, "body": ""}), "updates.0.body: String should have at least 1 character"),
        (batch({**UPDATE, "colour": "red"}), "updates.0.colour: Extra inputs are not permitted"),
    ],
)
def test_what_does_not_fit_is_named(text: str, told: str) -> None:
    with pytest.raises(ValidationError) as fault:
        ConsolidatedBatch.model_validate_json(text)
    errors = [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in fault.value.errors()]
    assert any(error.startswith(told) for error in errors)


def test_a_contradiction_names_the_observations_that_it_cites() -> None:
    told = "[^o1]: no longer, see [^o12] and [^o-3f2a9c1e55]."
    read = ConsolidatedBatch.model_validate_json(batch({**UPDATE, "contradiction": told}))
    assert read.updates[0].contradicted_by == ("o1", "o12")
    with pytest.raises(ValidationError):
        ConsolidatedBatch.model_validate_json(batch({**UPDATE, "contradiction": "x" * 501}))
