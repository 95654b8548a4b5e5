"""Owns how an obedient answer is changed into one that misbehaves; knows no kind of misbehaviour."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.endpoint.brain import Draft, draft, obedient, section_of, statement, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.endpoint.prompt import Prompt, SeenPage, SeenSession

NUMBER = re.compile(r"(?<![\w.^])\d+(?:[.,]\d+)*(?!\w)")


def spoiled(prompt: Prompt, change: Callable[[SeenSession, Draft], None]) -> str:
    """Change each batch of the obedient answer; of a single page that is asked for, its fields alone."""
    told = draft(unasked(prompt))
    batches = told.get("sessions", [told if "updates" in told else {"updates": [told]}])
    for session, batch in zip(prompt.sessions, batches, strict=False):
        change(session, batch)
    return written(told)


def unasked(prompt: Prompt) -> Prompt:
    """Forget that something is to be mended."""
    return replace(prompt, reply="", faults=())


def each(prompt: Prompt, change: Callable[[Draft], None]) -> str:
    def change_all(_: SeenSession, batch: Draft) -> None:
        for update in batch["updates"]:
            change(update)

    return spoiled(prompt, change_all)


def adding(prompt: Prompt, pages: Callable[[SeenSession], list[Draft]]) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        added = pages(session)
        batch["updates"] = [*batch["updates"][: 5 - len(added)], *added]

    return spoiled(prompt, change)


def add(batch: Draft, update: Draft) -> None:
    others = [one for one in batch["updates"] if not update["path"] or one.get("path") != update["path"]]
    batch["updates"] = [*others[:4], update]


def at(prompt: Prompt, path: str) -> str:
    return adding(prompt, lambda session: [{**page_of(session, "Out of bounds"), "path": path}])


def saying(prompt: Prompt, say: Callable[[str, str], str]) -> str:
    """Change the statements of all bodies; `say` gets a statement and its footnotes."""

    def change(update: Draft) -> None:
        update["body"] = "\n".join(map(changed, update["body"].split("\n")))

    def changed(line: str) -> str:
        found = re.fullmatch(r"(.*?)((?:\[\^o\d+\])+)", line)
        return say(found[1], found[2]) if found else line

    return each(prompt, change)


def inventing(prompt: Prompt, sentence: str) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        batch["updates"][-1]["body"] = (
            f"{batch['updates'][-1]['body'].rstrip()}\n- {sentence}[^{session.observations[0].handle}]\n"
        )

    return spoiled(prompt, change)


def rewriting(prompt: Prompt, page: SeenPage | None, body: Callable[[SeenSession, SeenPage], str]) -> str:
    if page is None:
        return obedient(unasked(prompt))

    def change(session: SeenSession, batch: Draft) -> None:
        told = {**page_of(session, page.title or "Page"), "path": page.path, "kind": kind_of(page)}
        update = {**told, "body": body(session, page)}
        if update["kind"] == "session":
            batch["updates"] = [one for one in batch["updates"] if one["kind"] != "session"]
        add(batch, update)

    return spoiled(prompt, change)


def growing(prompt: Prompt, *, with_number: bool = False) -> tuple[SeenPage | None, str]:
    """Find a page that may be changed, and a section of it that states something."""
    for page in prompt.pages:
        for heading in re.findall(r"^## (.+?)[ \t]*$", page.body, re.MULTILINE):
            old = section_of(page, heading)
            if not page.locked and old and (not with_number or any(map(stated_number, old.split("\n")))):
                return page, heading
    return None, ""


def stated_number(line: str) -> str:
    """Give the first number that a line states; its footnotes are none."""
    found = NUMBER.search(re.sub(r"\[\^[^\]]+\]", "", line))
    return found[0] if found else ""


def page_of(session: SeenSession, title: str) -> Draft:
    return {
        "path": "",
        "kind": "decision",
        "title": title,
        "description": "What was settled.",
        "tags": [],
        "aliases": [],
        "body": f"{first_of(session)}\n",
        "removed_sections": [],
        "supersedes": [],
    }


def kind_of(page: SeenPage) -> str:
    folder = page.path.rpartition("/")[0].rpartition("/")[2]
    return folder.removesuffix("s")


def first_of(session: SeenSession) -> str:
    return next((told for seen in session.observations if (told := statement(seen))), "Nothing was said.")
