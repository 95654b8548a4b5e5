"""Owns the command `observe`: one observation, scrubbed of secrets, at the end of today's file."""

from __future__ import annotations

import codecs
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, get_args

import click

from pipeline.cli.appending import append_line
from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.telling import count
from pipeline.observations.compose import compose_line
from pipeline.observations.observation import Role
from pipeline.observations.redaction.redact import make_redactor

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings
    from pipeline.observations.redaction.redact import Redactor

LOCK = ".wikimill/observe.lock"


@click.command()
@click.argument("text", required=False)
@click.option("--project", help="The project that it belongs to.  [default: default_project in wikimill.toml]")
@click.option("--session", help="What belongs together becomes one page.  [default: notes-<date>]")
@click.option("--kind", default="note", show_default=True, help="What it is: note, decision, error, ...")
@click.option("--title", default="", help="A short heading.")
@click.option("--importance", type=click.IntRange(1, 10), default=5, show_default=True, help="How much it matters.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--file", "files", multiple=True, help="A file that it is about; may be given several times.")
@click.option("--author", default="", help="Who noticed it.")
@click.option("--role", type=click.Choice(get_args(Role)), default="user", show_default=True, help="Who speaks.")
@json_option
@click.pass_obj
def observe(
    surroundings: Surroundings,
    *,
    text: str | None,
    project: str | None,
    session: str | None,
    kind: str,
    title: str,
    importance: int,
    tags: tuple[str, ...],
    files: tuple[str, ...],
    author: str,
    role: Role,
    as_json: bool,
) -> int:
    """Note one observation: TEXT, or what stands on standard input.

    Writes one line to observations/<date>.jsonl, after secrets in it were replaced by [REDACTED:kind]. The next
    `wikimill run` makes it a part of the wiki.

    \b
    Examples:
      wikimill observe --kind decision "We keep sessions in cookies, because a JWT cannot be revoked."
      git log -1 --format=%B | wikimill observe --title "Last commit" --tag release
    """
    root, settings = surroundings.open_wiki()
    now = surroundings.clock()
    body = _read_text(text)
    if not title.strip() and not body.strip():
        raise click.UsageError("the observation is empty; give TEXT, --title, or text on standard input")
    scrub = _Scrubber(make_redactor(settings.redaction))
    session_id = scrub(session or f"notes-{now:%Y-%m-%d}")
    project = scrub(project or settings.wiki.default_project)
    line = compose_line(
        ts=now,
        session_id=session_id,
        project=project,
        title=scrub(title),
        body=scrub(body),
        role=role,
        kind=scrub(kind),
        author=scrub(author),
        agent_kind="human" if role == "user" else "",
        tags=tuple(map(scrub, tags)),
        files=tuple(map(scrub, files)),
        importance=importance,
    )
    place = f"{settings.wiki.observations}/{now:%Y-%m-%d}.jsonl"
    number = append_line(root / place, line, lock=root / LOCK)
    speaker = Speaker(as_json=as_json)
    if as_json:
        told = {"file": place, "line": number, "redactions": dict(scrub.counts), "observation": json.loads(line)}
        speaker.give(told)
        return ExitCode.DONE
    for secret, times in sorted(scrub.counts.items()):
        speaker.say(f"A secret was taken out before writing: {secret} ({count(times, 'time')}).", style="yellow")
    speaker.say(
        f"Noted in {place}, line {number}: session {session_id} of project {project}. "
        "`wikimill run` brings it into the wiki."
    )
    return ExitCode.DONE


class _Scrubber:
    """Takes secrets out of one text after the other, and counts them."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.counts: Counter[str] = Counter()

    def __call__(self, text: str) -> str:
        # An argument that is no UTF-8 comes in with lone surrogates.
        clean = self._redactor.scrub(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        self.counts.update(clean.counts)
        return clean.text


def _read_text(text: str | None) -> str:
    """Take TEXT, or what stands on standard input when there is none or it is `-`."""
    if text is not None and text != "-":
        return text
    if sys.stdin is None or (text is None and sys.stdin.isatty()):
        return ""
    raw = sys.stdin.buffer.read()
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # what PowerShell writes into files
        return raw.decode("utf-16", "replace").strip("\r\n")
    if b"\0" in raw:
        raise click.UsageError("standard input is no text: it holds null bytes; give text, in UTF-8")
    return raw.decode("utf-8-sig", "replace").strip("\r\n")
