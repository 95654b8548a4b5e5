"""Makes the gate's wiki: a git repository of three commits, as `wikimill init`, two runs and a person leave it.

All its times lie in spring 2026, so that neither the day of a build nor that of a test's run is among them.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

import yaml

from pipeline.starting import starting_files
from pipeline.wiki.derived.indexes import render_indexes
from pipeline.wiki.derived.log import add_entry
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.revision.sources import source_id
from tests.gate.pages import SAID, Said, Written, pages
from tests.repositories import Ground, empty_ground

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

NOW: Final = datetime(2026, 7, 1, 12, tzinfo=UTC)
REPOSITORY: Final = "https://github.com/harbour/wiki"
COOKIES: Final = "tidemark/decisions/session-cookies/"
SUPERSEDED: Final = "tidemark/decisions/jwt-login/"
CLOCK: Final = "tidemark/gotchas/gauge-clock/"
MOVED: Final = {
    "tidemark/gotchas/clock-of-gauge-7/": CLOCK,  # by git
    "tidemark/concepts/meter/": "tidemark/concepts/gauge/",  # by the list, over another former name
    "tidemark/concepts/sensor/": "tidemark/concepts/gauge/",
}
"""Former addresses of pages and their present ones."""

_LIST: Final = (("concepts/meter.md", "concepts/sensor.md"), ("concepts/sensor.md", "concepts/gauge.md"))
_CITED: Final = re.compile(r"\[\^([a-z]\w*)\]")


def label(name: str, said: Mapping[str, Said] = SAID) -> str:
    """Give the footnote label of an observation."""
    return source_id(_id(name, said))


def _id(name: str, said: Mapping[str, Said]) -> str:
    return f"{said[name].file}:{_line(name, said)}"


def _line(name: str, said: Mapping[str, Said]) -> int:
    return [key for key, one in said.items() if one.file == said[name].file].index(name) + 1


def observation_files(said: Mapping[str, Said]) -> dict[str, str]:
    """Write observation files, by their paths below the observations."""
    files: dict[str, str] = {}
    for name, one in said.items():
        line = {
            "id": _id(name, said),
            "ts": one.at,
            "session_id": "7f4c21d8",
            "project": one.file.partition("/")[0],
            "agent_kind": "claude-code",
            "author": one.author,
            "role": one.role,
            "kind": "note",
            "body": one.words,
        }
        files[one.file] = files.get(one.file, "") + json.dumps(line, ensure_ascii=False) + "\n"
    return files


def render(path: str, page: Written, said: Mapping[str, Said] = SAID) -> str:
    """Write a page as a run would, with a source and a footnote for each observation that it cites."""
    cited = list(dict.fromkeys(_CITED.findall(page.body)))
    front: dict[str, object] = {"type": page.type, "title": page.title, "description": page.description}
    front |= {"tags": page.tags.split(", ")} if page.tags else {}
    front |= {"status": page.status, "generated": {"by": page.by, "at": page.at}}
    front |= {"verified": [{"by": by, "at": page.at} for by in page.verified]} if page.verified else {}
    sources = [_source(path, name, said) for name in (*cited, *page.uncited)]
    front |= {"sources": sources} if sources else {}
    if page.by.startswith("wikimill/"):
        front |= {"session_id": "7f4c21d8", "agent_kind": "claude-code", "consolidated": True}
    head = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=10_000) + f"{page.more}\n" * bool(page.more)
    body = _CITED.sub(lambda found: f"[^{label(found[1], said)}]", page.body.strip())
    ends = "\n".join(f"[^{label(name, said)}]: {_moment(said[name])}, {said[name].author}" for name in cited)
    return f"---\n{head}---\n\n# {page.title}\n\n{body}\n" + (f"\n{ends}\n" if ends else "")


def _source(path: str, name: str, said: Mapping[str, Said]) -> dict[str, str]:
    one = said[name]
    return {
        "id": label(name, said),
        "resource": f"{'../' * (path.count('/') + 1)}observations/{one.file}#L{_line(name, said)}",
        "title": f"{_moment(one)} {one.author}: {' '.join(one.words.split())[:80]}",
        "author": f"human:{one.author}" if one.role == "user" else "claude-code/unversioned",
    }


def _moment(said: Said) -> str:
    return said.at[:16].replace("T", " ")


def with_indexes(texts: Mapping[str, str]) -> dict[str, str]:
    """Add the indexes of all pages."""
    entries = [catalogue_entry(path, parse_page(path, text.encode())) for path, text in texts.items()]
    made = render_indexes(entries, [entry.path for entry in entries], {})
    return {**texts, **{path: raw.decode() for path, raw in made.items()}}


def harbour(place: Path) -> Ground:
    """Make the repository: pages that were written, written again, moved, superseded, and corrected by hand."""
    ground = empty_ground(place)
    for path, raw in starting_files("harbour", "none"):
        ground.write(path, raw)
    for path, text in observation_files(SAID).items():
        ground.write(f"observations/{path}", text)
    ground.write("wiki/tidemark/images/pier.png", _picture())
    ground.write("wiki/tidemark/images/plan.png", _picture())
    ground.write("wiki/.ledger/moved.jsonl", "".join(map(_moved, _LIST)))
    last = {path: render(path, page) for path, page in pages().items()}
    _commit(ground, _first(last), "consolidate(tidemark/1c2d3e4f): The first pages", at="2026-05-06")
    ground.git("mv", "wiki/tidemark/gotchas/clock-of-gauge-7.md", "wiki/tidemark/gotchas/gauge-clock.md")
    _commit(ground, _second(last), "consolidate(tidemark/7f4c21d8): Cookies instead of JWT", at="2026-05-08")
    _commit(ground, last, "Correct the lifetime", at="2026-05-12", author="Miguel Ångström")
    assert ground.status() == []
    return ground


def _first(last: Mapping[str, str]) -> dict[str, str]:
    """Give the pages as they were at first: one under another name, one not yet superseded, one shorter."""
    texts = dict(_second(last))
    texts["tidemark/gotchas/clock-of-gauge-7.md"] = texts.pop("tidemark/gotchas/gauge-clock.md")
    texts = {
        path: text.replace("../gotchas/gauge-clock.md", "../gotchas/clock-of-gauge-7.md")
        for path, text in texts.items()
    }
    for path in ("tidemark/decisions/jwt-login.md", "tidemark/procedures/release.md"):
        texts[path] = re.sub(r"(?m)^> Superseded.*\n\n|^superseded_by.*\n|^3\. .*\n", "", texts[path])
    texts["tidemark/decisions/jwt-login.md"] = texts["tidemark/decisions/jwt-login.md"].replace("deprecated", "stable")
    return texts


def _second(last: Mapping[str, str]) -> dict[str, str]:
    """Give the pages before a person corrected one."""
    changed = {path: text.replace("stays at 12 hours", "stays at 2 hours") for path, text in last.items()}
    assert changed != last
    return changed


def _commit(ground: Ground, texts: Mapping[str, str], subject: str, *, at: str, author: str = "wikimill") -> None:
    for path, text in with_indexes(texts).items():
        ground.write(f"wiki/{path}", text)
    for project, page in (("tidemark", "concepts/gauge.md"), ("pier", "rules/relay-4.md")):
        log = ground.root / "wiki" / project / "log.md"
        entry = f"**Update**: {subject.partition(': ')[2] or subject}, see [a page]({page})."
        log.write_bytes(add_entry(log.read_bytes() if log.exists() else None, date.fromisoformat(at), entry))
    times = {f"GIT_{who}_DATE": f"{at}T08:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    names = {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": "a@example.org"}
    trailers = "\n\nSession: tidemark/7f4c21d8\nObservations: 3\nModel: gpt-6-luna" if author == "wikimill" else ""
    Ground(ground.root, {**ground.environment, **times, **names}).commit(subject + trailers)


def _moved(pair: Iterable[str]) -> str:
    old, new = pair
    return json.dumps({"from": f"tidemark/{old}", "to": f"tidemark/{new}"}) + "\n"


def _picture() -> bytes:
    """Make a small grey PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x80" * 60 for _ in range(40))
    head = struct.pack(">IIBBBBB", 60, 40, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
