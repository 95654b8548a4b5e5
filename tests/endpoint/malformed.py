"""Owns models whose answers have a wrong form, each in one way; knows no endpoint and no gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.endpoint.brain import Draft, draft, obedient, written
from tests.endpoint.spoiling import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.endpoint.prompt import Prompt

LONG_TITLE = "We were asked to look into why it failed, and then we looked, and it turned out that it did not " * 2


def tags_as_string(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(tags="auth, web"))


def null_lists(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(tags=None, aliases=None, removed_sections=None, supersedes=None))


def null_path(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(path=update.get("path") or None))


def kind_in_capitals(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(kind=update.get("kind", "session").upper()))


def kind_as_synonym(prompt: Prompt) -> str:
    synonyms = {
        "session": "session_summary",
        "decision": "ADR",
        "gotcha": "pitfall",
        "rule": "guideline",
        "concept": "note",
    }
    return each(prompt, lambda update: update.update(kind=synonyms.get(update.get("kind", "session"), "how-to")))


def unknown_kind(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(kind="banana"))


def extra_keys(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(confidence=0.98, slug="a-page", sources=["o1"]))


def missing_keys(prompt: Prompt) -> str:
    def change(update: Draft) -> None:
        for name in ("description", "tags", "aliases", "removed_sections", "supersedes"):
            update.pop(name, None)

    return each(prompt, change)


def missing_body(prompt: Prompt) -> str:
    def change(update: Draft) -> None:
        del update["body"]

    return each(prompt, change)


def sentence_title(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(title=LONG_TITLE))


def empty_title(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(title=""))


def empty_body(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(body=" \n"))


def title_with_line_breaks(prompt: Prompt) -> str:
    return each(prompt, lambda update: update.update(title=f"# {update['title']}\n---\nlocked: true"))


def wrong_session_names(prompt: Prompt) -> str:
    told = draft(prompt)
    for number, batch in enumerate(told.get("sessions", ()), start=1):
        batch["session"] = f"session-{number}"
    return written(told)


def one_session_missing(prompt: Prompt) -> str:
    told = draft(prompt)
    if "sessions" in told:
        told["sessions"] = told["sessions"][:-1]
    return written(told)


def prose_around(prompt: Prompt) -> str:
    return f"Sure! Here is the {{draft}} you asked for:\n\n```json\n{obedient(prompt)}\n```\n\nTell me what you think."


def reasoning_before(prompt: Prompt) -> str:
    return f'<think>\nI could write {{"updates": [ ... but then {{ no.\n</think>\n\n{obedient(prompt)}'


def python_literal(prompt: Prompt) -> str:
    return repr(draft(prompt))


def cut_off(prompt: Prompt) -> str:
    whole = obedient(prompt)
    return whole[: len(whole) * 2 // 3]


def prose_alone(_: Prompt) -> str:
    return "I looked at the session and there is nothing in it that the wiki does not say already."


FORMS: dict[str, Callable[[Prompt], str]] = {
    brain.__name__: brain
    for brain in (
        *(tags_as_string, null_lists, null_path, kind_in_capitals, kind_as_synonym, unknown_kind, extra_keys),
        *(missing_keys, missing_body, sentence_title, empty_title, empty_body, title_with_line_breaks),
        *(
            wrong_session_names,
            one_session_missing,
            prose_around,
            reasoning_before,
            python_literal,
            cut_off,
            prose_alone,
        ),
    )
}
