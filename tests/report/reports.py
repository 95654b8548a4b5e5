"""Reports for tests: one in which no field is empty, all that differ from it in one field, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import strategies

from pipeline.finding import Finding
from pipeline.observations.observation import SessionKey
from pipeline.report import Fault, Intake, PageOutcome, ProposalOutcome, Report, SessionOutcome
from pipeline.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Iterator

AT = datetime(2026, 11, 30, 8, tzinfo=UTC)


def finding(rule: str, severity: Literal["error", "warning", "note"] = "warning") -> Finding:
    return Finding(f"{rule}.jsonl:1", rule, severity, f"{rule} was told.", f"Mend {rule}.")


FULL = Report(
    model="gpt",
    prompt_version="v7",
    intake=Intake(
        files=9, files_with_news=4, lines=57, observations=41, reread=6, duplicates=3, naive_times=2, unfinished=1,
        redactions={"jwt": 2}, set_aside=(finding("unreadable-line"),), conflicts=(finding("conflict"),),
        broken_promises=(finding("broken", "error"),),
    ),
    sessions=(
        SessionOutcome(
            SessionKey("default", "acme", "s1"), "consolidated", observations=41, windows=3, tokens=12_000,
            commit="a" * 40, pages=(PageOutcome("acme/a.md", "Cookies", "created", 5),), reason="cookies",
            findings=(finding("unsourced", "note"),), model="gpt", repairs=2, provisional=False,
        ),
    ),
    findings=(finding("replies-not-kept"),),
    spent=Spent(
        calls=11, retries=2, cache_hits=4, input_tokens=900, output_tokens=80, known_cost=0.25, unpriced_calls=3,
        rungs=("json_schema",),
    ),
    planned_calls=13,
    commits=("a" * 40, "b" * 40),
    branch="main",
    dry_run=False,
    diff="--- a\n+++ b\n+new\n",
    id="20261130T080000Z",
    command="run",
    started_at=AT,
    ended_at=AT + timedelta(minutes=1),
    wikimill="0.1.0",
    fault=Fault("GitError", "the repository is gone.", ".git", "Bring it back."),
    proposal=ProposalOutcome(
        "updated", "wikimill/consolidate", "trunk", number=12, url="https://host.example/acme/wiki/pull/12",
        head="c" * 40, state="open", suppressed=5, suppressed_by=(3,), foreign=("d" * 40,),
        declined_pages=("acme/b.md",), verified_pages=("acme/c.md",), reason="main moved",
    ),
)  # fmt: skip
"""No field of it and of its parts is at its default, but for two flags that a variation turns."""

VALUES = (Report, Intake, SessionOutcome, PageOutcome, ProposalOutcome, Fault, Spent, Finding, SessionKey)


def variations(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # any value of a report
    """Give each value that differs from `value` in one field, of its own or of a value in it, with the field's name."""
    hints = get_type_hints(type(value))
    for field in fields(value):
        name = f"{path}{type(value).__name__}.{field.name}"
        held, hint = getattr(value, field.name), hints[field.name]
        for inner, other in _others(held, hint, name):
            yield inner, replace(value, **{field.name: other})
        if type(None) in get_args(hint) and held is not None:
            yield name, replace(value, **{field.name: None})


def _others(held: Any, hint: Any, name: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # any value of a report
    if is_dataclass(held):
        yield from variations(held, f"{name}/")
    elif isinstance(held, tuple):
        yield name, ()
        for inner, other in _others(held[0], get_args(hint)[0], f"{name}[]"):
            yield inner, (other, *held[1:])
            yield f"{inner} beside it", (*held, other)
    elif get_origin(hint) is Literal:
        yield from ((f"{name}={other}", other) for other in get_args(hint) if other != held)
    elif isinstance(held, Mapping):
        yield from ((name, other) for other in ({"jwt": 3}, {"aws-key": 2}, {}))
    elif held is not None:
        yield name, OTHER[type(held)](held)


OTHER: dict[type, Callable[[Any], object]] = {
    bool: lambda held: not held,
    int: lambda held: held + 1,
    float: lambda held: held + 1,
    str: lambda held: f"other {held}",
    datetime: lambda held: held + timedelta(days=1),
}


def reports() -> strategies.SearchStrategy[Report]:
    """Any report that a file can hold: every field of every value is drawn."""
    return _any(Report)


def _any(hint: Any) -> strategies.SearchStrategy[Any]:  # noqa: ANN401  # any type of a field
    inner = get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return strategies.builds(hint, **{name: _any(one) for name, one in get_type_hints(hint).items()})
    if type(None) in inner:
        return strategies.none() | _any(next(one for one in inner if one is not type(None)))
    if get_origin(hint) is Literal:
        return strategies.sampled_from(inner)
    if get_origin(hint) is tuple:
        return strategies.lists(_any(inner[0]), max_size=2).map(tuple)
    if get_origin(hint) is Mapping:
        return strategies.dictionaries(_any(str), _any(int), max_size=2)
    return PLAIN[hint]


PLAIN: dict[type, strategies.SearchStrategy[Any]] = {
    str: strategies.text(strategies.characters(codec="utf-8"), max_size=40),
    int: strategies.integers(0, 10**9),
    float: strategies.floats(0, 1e9),
    bool: strategies.booleans(),
    datetime: strategies.datetimes(timezones=strategies.just(UTC)),
}
