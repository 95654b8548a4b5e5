"""Expressions of workflows come to what GitHub's documentation says; what is misspelt is an error."""

from __future__ import annotations

import pytest

from tests.workflows.expressions import Function, Unknown, Value, evaluate, fill, holds

CONTEXTS: dict[str, Value] = {
    "github": {"ref": "refs/heads/main", "token": "ghs_1", "event": {"repository": {"fork": True}}},
    "inputs": {"dry_run": True, "budget": 12.0},
    "steps": {"run": {"outcome": "failure", "outputs": {"code": "3"}}},
    "vars": {},
}
FUNCTIONS: dict[str, Function] = {
    "success": lambda: True,
    "cancelled": lambda: False,
    "always": lambda: True,
    "hashFiles": lambda path: path,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("github.ref", "refs/heads/main"),
        ("vars.NOBODY_SET", None),
        ("vars.NOBODY_SET != ''", False),
        ("steps.app.outputs.token || github.token", "ghs_1"),
        ("github.event.repository.archived", None),
        ("!github.event.repository.archived", True),
        ("!github.event.repository.fork || github.ref == 'REFS/heads/main'", True),
        ("inputs.dry_run && 'a' || 'b'", "a"),
        ("!inputs.dry_run", False),
        ("!inputs.unset", True),
        ("steps.run.outputs.code == '3'", True),
        ("steps.run.outputs.code == 3", True),
        ("null == false", True),
        ("'' == 0", True),
        ("'it''s'", "it's"),
        ("(true || false) && !cancelled()", True),
        ("hashFiles('a/**') != ''", True),
        ("true && false || true", True),
        ("1 == 1 == true", True),
    ],
)
def test_an_expression_comes_to(text: str, value: Value) -> None:
    assert evaluate(text, CONTEXTS, FUNCTIONS) == value


@pytest.mark.parametrize(
    "text", ["github.reff", "nothing", "missing()", "", "a b", "(true", "github.ref #", "true true", "success("]
)
def test_what_cannot_be_known_is_an_error(text: str) -> None:
    with pytest.raises(Unknown):
        evaluate(text, CONTEXTS, FUNCTIONS)


def test_a_text_is_filled() -> None:
    assert fill("a-${{ github.ref }}-${{inputs.budget}}-${{ inputs.dry_run }}-${{ vars.X }}.", CONTEXTS, FUNCTIONS) == (
        "a-refs/heads/main-12-true-."
    )


@pytest.mark.parametrize(
    ("condition", "when_well", "when_failed"),
    [
        ("", True, False),
        ("${{ inputs.dry_run }}", True, False),
        ("inputs.dry_run", True, False),
        ("always()", True, True),
        ("${{ !cancelled() && inputs.dry_run }}", True, True),
        ("${{ !cancelled() && !inputs.dry_run }}", False, False),
        ("false", False, False),
    ],
)
def test_a_condition_asks_for_success_unless_it_asks_for_a_status(
    condition: str, *, when_well: bool, when_failed: bool
) -> None:
    assert holds(condition, CONTEXTS, {**FUNCTIONS, "success": lambda: True}) is when_well
    assert holds(condition, CONTEXTS, {**FUNCTIONS, "success": lambda: False}) is when_failed
