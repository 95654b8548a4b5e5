"""Owns the command `observe`: one observation, scrubbed of secrets, at the end of today's file."""

from __future__ import annotations

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
from pipeline.observations.observation import Place, Role
from pipeline.observations.parse import parse_line
from pipeline.observations.redact import make_redactor

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings
    from pipeline.observations.observation import Json
    from pipeline.observations.redact import Redactor

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
    role: str,
    as_json: bool,
) -> int:
    """Append one observation, given as TEXT or on standard input.

    Writes one line to observations/<date>.jsonl, after secrets in it were replaced by [REDACTED:kind]. The next
    `wikimill run` makes it a part of the wiki.

    \b
    Examples:
      wikimill observe --kind decision "We keep sessions in cookies, because a JWT cannot be revoked."
      git log -1 --format=%B | wikimill observe --title "Last commit" --tag release
    """
    root, settings = surroundings.open_wiki()
    now = surroundings.clock()
    fields: dict[str, Json] = {
        "ts": now.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "session_id": session or f"notes-{now:%Y-%m-%d}",
        "project": project or settings.wiki.default_project,
        "agent_kind": "human",
        "author": author,
        "role": role,
        "kind": kind,
        "title": title,
        "body": _read_text(text),
        "importance": importance,
        "tags": list(tags),
        "files": list(files),
    }
    if not any(str(fields[name]).strip() for name in ("title", "body")):
        raise click.UsageError("the observation is empty; give TEXT, --title, or text on standard input")
    counts: Counter[str] = Counter()
    redactor = make_redactor(settings.redaction)
    scrubbed = {name: _scrub(redactor, value, counts) for name, value in fields.items() if value not in ("", [])}
    line = json.dumps(scrubbed, ensure_ascii=False)
    file = f"{now:%Y-%m-%d}.jsonl"
    parse_line(line.encode(), Place(file, 1), default_project=settings.wiki.default_project)
    number = append_line(root / settings.wiki.observations / file, line, lock=root / LOCK)
    speaker = Speaker(as_json=as_json)
    place = f"{settings.wiki.observations}/{file}"
    if as_json:
        speaker.give({"file": place, "line": number, "redactions": dict(counts), "observation": scrubbed})
        return ExitCode.DONE
    for kind_of_secret, times in sorted(counts.items()):
        speaker.say(
            f"A secret was taken out before writing: {kind_of_secret} ({count(times, 'time')}).", style="yellow"
        )
    session_told = f"session {scrubbed['session_id']} of project {scrubbed['project']}"
    speaker.say(f"Noted in {place}, line {number}: {session_told}. `wikimill run` brings it into the wiki.")
    return ExitCode.DONE


def _read_text(text: str | None) -> str:
    """Take TEXT, or what stands on standard input when there is none or it is `-`."""
    if text is not None and text != "-":
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if sys.stdin is None or (text is None and sys.stdin.isatty()):
        return ""
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace").strip("\r\n")


def _scrub(redactor: Redactor, value: Json, counts: Counter[str]) -> Json:
    if isinstance(value, str):
        clean = redactor.scrub(value)
        counts.update(clean.counts)
        return clean.text
    if isinstance(value, list):
        return [_scrub(redactor, item, counts) for item in value]
    return value
