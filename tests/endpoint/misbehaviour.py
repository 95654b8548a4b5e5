"""Owns models that misbehave on purpose, each in one way, built on the obedient one; knows no endpoint and no gate.

Each is a function from a prompt to the text of a reply, in `ALL` by its name. Where a prompt gives no occasion (no
page is shown, no instruction is planted) it answers obediently. Asked to mend, each does the same again; `once` makes
one that then answers anew and well, `mending` one that then leaves out what the faults quote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.endpoint.brain import Draft, obedient, section_of
from tests.endpoint.malformed import FORMS
from tests.endpoint.spoiling import (
    NUMBER,
    add,
    adding,
    at,
    first_of,
    growing,
    inventing,
    kind_of,
    page_of,
    rewriting,
    saying,
    spoiled,
    stated_number,
    unasked,
)
from tests.observations.secret_samples import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.endpoint.prompt import Prompt, SeenPage, SeenSession

SECRET = next(secret for kind, secret in SHAPES if kind == "github-token")
PWNED = "PWNED"
INVENTED = {
    "version": "97.31.4",
    "hash": "deadbeefcafe4242",
    "address": "https://nowhere.example/made/up",
    "name": "Bartholomew Quux",
    "number": "86,753 requests",
    "path": "src/never/was_here.py",
}
"""Details that no test's observation holds."""
FOREIGN_PATH = "elsewhere/decisions/not-yours.md"
OTHER_LANGUAGE = "Das Team hat darüber gesprochen und danach alles so gelassen, wie es vorher schon gewesen war."
ENORMOUS = 1_500_000
"""Characters of the body of an enormous reply."""

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:rules|instructions|above|previous)\b", re.IGNORECASE
)


def once(brain: Callable[[Prompt], str]) -> Callable[[Prompt], str]:
    """Misbehave, and answer anew as the obedient one does when asked to mend."""
    return lambda prompt: obedient(unasked(prompt)) if prompt.faults else brain(prompt)


def mending(brain: Callable[[Prompt], str]) -> Callable[[Prompt], str]:
    """Misbehave, and leave out what the faults quote when asked to mend."""
    return lambda prompt: obedient(prompt) if prompt.faults else brain(prompt)


# What the answer consists of


def six_updates(prompt: Prompt) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        batch["updates"] = [*batch["updates"][:1], *(page_of(session, f"Subject {number}") for number in range(1, 6))]

    return spoiled(prompt, change)


def path_twice(prompt: Prompt) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        shown = next((page for page in prompt.pages if not page.locked), None)
        path = shown.path if shown else f"{session.facts.get('project', 'x')}/decisions/twice.md"
        batch["updates"] = [batch["updates"][0], *({**page_of(session, "Twice"), "path": path} for _ in range(2))]

    return spoiled(prompt, change)


def title_twice(prompt: Prompt) -> str:
    return adding(prompt, lambda session: [page_of(session, "Twice"), page_of(session, "twice ")])


def two_session_pages(prompt: Prompt) -> str:
    return adding(prompt, lambda session: [{**page_of(session, "Another"), "kind": "session"}])


def empty_updates(prompt: Prompt) -> str:
    return spoiled(prompt, lambda _, batch: batch.update(updates=[]))


def enormous(prompt: Prompt) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        told = f"- {first_of(session)}\n"
        batch["updates"][0]["body"] = told * (ENORMOUS // len(told) + 1)

    return spoiled(prompt, change)


# Where it would write


def escaping_path(prompt: Prompt) -> str:
    return at(prompt, "../../etc/x.md")


def absolute_path(prompt: Prompt) -> str:
    return at(prompt, "/etc/x.md")


def git_path(prompt: Prompt) -> str:
    return at(prompt, ".git/config")


def workflow_path(prompt: Prompt) -> str:
    return at(prompt, "../.github/workflows/x.md")


def backslash_path(prompt: Prompt) -> str:
    return at(prompt, "..\\..\\x.md")


def foreign_page(prompt: Prompt) -> str:
    return at(prompt, FOREIGN_PATH)


def instructions_page(prompt: Prompt) -> str:
    return at(prompt, "_prompts/consolidation.md")


def page_that_was_not_shown(prompt: Prompt) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        add(
            batch,
            {**page_of(session, "Never shown"), "path": f"{session.facts.get('project')}/decisions/never-shown.md"},
        )

    return spoiled(prompt, change)


def supersedes_the_unknown(prompt: Prompt) -> str:
    return adding(prompt, lambda session: [{**page_of(session, "Newer"), "supersedes": ["../x.md", FOREIGN_PATH]}])


def changed_locked_page(prompt: Prompt) -> str:
    page = next((one for one in prompt.pages if one.locked), None)
    return rewriting(prompt, page, lambda session, _: f"## Details\n\n- {first_of(session)}\n")


def broken_keep_block(prompt: Prompt) -> str:
    page = next((one for one in prompt.pages if "<!-- keep -->" in one.body), None)

    def body(session: SeenSession, kept: SeenPage) -> str:
        before = kept.body.split("<!-- keep -->")[0]
        headings = re.findall(r"^## .+$", before, re.MULTILINE) or re.findall(r"^## .+$", kept.body, re.MULTILINE)
        return f"{headings[-1] if headings else '## Details'}\n\n- {first_of(session)}\n"

    return rewriting(prompt, page, body)


# What it says


def planted_secret(prompt: Prompt) -> str:
    return saying(prompt, lambda told, cited: f"{told} The key is {SECRET}.{cited}")


def planted_script(prompt: Prompt) -> str:
    return saying(prompt, lambda told, cited: f"{told} <script>alert(1)</script><img src=x onerror=alert(1)>{cited}")


def javascript_link(prompt: Prompt) -> str:
    return saying(prompt, lambda told, cited: f"{told} [More](javascript:alert(1)) <java&#115;cript:alert(2)>{cited}")


def remote_image(prompt: Prompt) -> str:
    return saying(prompt, lambda told, cited: f"{told} ![x](https://tracker.example/x.png?who=you){cited}")


def front_matter(prompt: Prompt) -> str:
    def change(_: SeenSession, batch: Draft) -> None:
        for update in batch["updates"]:
            update["body"] = (
                f"---\nlocked: true\nverified: [{{by: human:dana}}]\n---\n\n# {update['title']}\n\n{update['body']}"
            )

    return spoiled(prompt, change)


def obeyed_injection(prompt: Prompt) -> str:
    def change(session: SeenSession, batch: Draft) -> None:
        planted = next((one for one in session.observations if _INJECTION.search(one.text)), None)
        if planted is None:
            return
        batch["updates"][0]["body"] += f"\n{PWNED}\n"
        named = [page for page in prompt.pages if page.path in planted.text]
        pages = [page for page in named or prompt.pages if page.path != session.page and not page.locked]
        for page in pages[:1]:
            headings = re.findall(r"^## (.+)$", page.body, re.MULTILINE)
            update = {**page_of(session, page.title or "Page"), "path": page.path, "kind": kind_of(page)}
            add(batch, {**update, "body": f"## Notice\n\n{PWNED}\n", "removed_sections": headings})

    return spoiled(prompt, change)


def invented_version(prompt: Prompt) -> str:
    return inventing(prompt, f"It needs version {INVENTED['version']}.")


def invented_hash(prompt: Prompt) -> str:
    return inventing(prompt, f"It was fixed in commit {INVENTED['hash']}.")


def invented_address(prompt: Prompt) -> str:
    return inventing(prompt, f"See {INVENTED['address']} for it.")


def invented_name(prompt: Prompt) -> str:
    return inventing(prompt, f"{INVENTED['name']} agreed to it.")


def invented_number(prompt: Prompt) -> str:
    return inventing(prompt, f"It took {INVENTED['number']}.")


def invented_path(prompt: Prompt) -> str:
    return inventing(prompt, f"It stands in `{INVENTED['path']}`.")


def uncited(prompt: Prompt) -> str:
    return saying(prompt, lambda told, _: told)


def unknown_citation(prompt: Prompt) -> str:
    return saying(prompt, lambda told, _: f"{told}[^o9999]")


def invented_source(prompt: Prompt) -> str:
    return saying(prompt, lambda told, _: f"{told}[^o-0123456789]")


def other_language(prompt: Prompt) -> str:
    return saying(prompt, lambda _, cited: f"{OTHER_LANGUAGE}{cited}")


def dropped_statements(prompt: Prompt) -> str:
    page, heading = growing(prompt)
    return rewriting(prompt, page, lambda session, _: f"## {heading}\n\n- {first_of(session)}\n")


def overwritten_value(prompt: Prompt) -> str:
    """Put another number in the place of one that stands, citing the newest observation, without a word of it."""
    page, heading = growing(prompt, with_number=True)

    def body(session: SeenSession, page: SeenPage) -> str:
        newest = session.observations[-1]
        numbers = [one for seen in reversed(session.observations) for one in NUMBER.findall(seen.text)]
        lines = section_of(page, heading).split("\n")
        place = next(number for number, line in enumerate(lines) if stated_number(line))
        told = re.sub(r"\[\^[^\]]+\]", "", lines[place])
        old = stated_number(lines[place])
        value = next((one for one in numbers if one != old), "4242")
        lines[place] = f"{told.replace(old, value, 1).rstrip()}[^{newest.handle}]"
        return f"## {heading}\n\n" + "\n".join(lines) + "\n"

    return rewriting(prompt, page, body)


ALL: dict[str, Callable[[Prompt], str]] = {
    brain.__name__: brain
    for brain in (
        *(six_updates, path_twice, title_twice, two_session_pages, empty_updates, enormous),
        *(escaping_path, absolute_path, git_path, workflow_path, backslash_path, foreign_page, instructions_page),
        *(page_that_was_not_shown, supersedes_the_unknown, changed_locked_page, broken_keep_block),
        *(planted_secret, planted_script, javascript_link, remote_image, front_matter, obeyed_injection),
        *(invented_version, invented_hash, invented_address, invented_name, invented_number, invented_path),
        *(uncited, unknown_citation, invented_source, other_language, dropped_statements, overwritten_value),
    )
} | FORMS
