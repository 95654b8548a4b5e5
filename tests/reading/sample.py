"""A small wiki about an invented project, as the pipeline would write it, for tests and for pictures of the site."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from pipeline.reading.template import site_files

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Claim:
    """An observation that a page cites."""

    at: str
    who: str
    text: str
    file: str = "tidemark/2026-11.jsonl"
    line: int = 1

    @property
    def label(self) -> str:
        return "o-" + blake2b(f"{self.file}:{self.line}".encode(), digest_size=5).hexdigest()

    def source(self, depth: int) -> str:
        author = "claude-code/unversioned" if self.who == "assistant" else f"human:{self.who}"
        return (
            f"- id: {self.label}\n"
            f"  resource: {'../' * (depth + 1)}observations/{self.file}#L{self.line}\n"
            f'  title: "{self.at} {self.who}: {self.text}"\n'
            f"  author: {author}\n"
        )

    def definition(self) -> str:
        return f"[^{self.label}]: {self.at}, {self.who}"


@dataclass(frozen=True)
class Sample:
    path: str
    type: str
    title: str
    description: str
    body: str
    claims: tuple[Claim, ...] = ()
    tags: tuple[str, ...] = ()
    status: str = "stable"
    verified: tuple[str, ...] = ("process:wikimill-gates",)
    more: str = ""
    by: str = "wikimill/extractive"
    uncited: tuple[Claim, ...] = field(default=())

    def render(self) -> str:
        depth = self.path.count("/")
        front = [
            f"type: {self.type}",
            f"title: {json.dumps(self.title, ensure_ascii=False)}",
            f"description: {json.dumps(self.description, ensure_ascii=False)}",
            f"tags: [{', '.join(self.tags)}]",
            f"status: {self.status}",
            f"generated: {{ by: {self.by}, at: 2026-11-30T08:00:00Z }}",
        ]
        if self.verified:
            front.append("verified:")
            front += [f"- {{ by: {by}, at: 2026-11-30T08:00:00Z }}" for by in self.verified]
        if self.claims or self.uncited:
            front.append("sources:")
            front.append("".join(claim.source(depth) for claim in (*self.claims, *self.uncited)).rstrip("\n"))
        front += ["session_id: 7f4c21d8", "agent_kind: claude-code", "consolidated: true"]
        if self.more:
            front.append(self.more)
        text = self.body.strip()
        for number, claim in enumerate(self.claims, start=1):
            text = text.replace(f"[^{number}]", f"[^{claim.label}]")
        definitions = "\n".join(claim.definition() for claim in self.claims)
        whole = f"---\n{chr(10).join(front)}\n---\n\n# {self.title}\n\n{text}\n"
        return f"{whole}\n{definitions}\n" if definitions else whole


COOKIES = Claim(
    "2026-11-12 09:14", "dana", "we decided on signed, HTTP-only cookies; revoking a JWT needs a denylist", line=12
)
DENYLIST = Claim("2026-11-12 09:20", "assistant", "the denylist would hold about 40,000 entries after a week", line=14)
TTL = Claim(
    "2026-11-13 16:02", "dana", "session_cookie_ttl stays at 12 hours, the harbour offices close at night", line=31
)
CLOCK = Claim(
    "2026-11-18 11:47",
    "miguel",
    "gauge 7 sends local time without an offset, so readings jump at the DST change",
    line=88,
)
OFFSET = Claim(
    "2026-11-18 12:05", "assistant", "parse_reading() now takes the station's zone from stations.toml", line=93
)
TABLE = Claim(
    "2026-11-19 08:30", "yuki", "潮位の表示はセンチメートルに統一する", file="tidemark/2026-11-b.jsonl", line=4
)
DEPLOY = Claim(
    "2026-11-20 15:11",
    "dana",
    "deploy is make release, then wait for the gauges to report, then tidemark promote",
    line=120,
)
SMOKE = Claim(
    "2026-11-20 15:40", "assistant", "`tidemark promote` refuses when fewer than 90 % of the gauges report", line=123
)
RULE = Claim(
    "2026-11-21 10:00", "miguel", "never write to the readings table by hand, replay the file instead", line=140
)
OLD = Claim("2026-10-02 13:00", "dana", "login uses JWT with a two-week expiry", file="tidemark/2026-10.jsonl", line=7)
ASKED = Claim("2026-11-18 11:40", "miguel", "why do the night readings of gauge 7 overlap?", line=86)

PAGES: tuple[Sample, ...] = (
    Sample(
        "tidemark/decisions/session-cookies.md",
        "Decision",
        "Session cookies instead of JWT",
        "Tidemark keeps login state in signed, HTTP-only cookies.",
        """
Login state is kept in signed, HTTP-only cookies, because revoking a JWT needed a denylist anyway.[^1] After a
week that list would have held about 40,000 entries.[^2]

## Lifetime

`session_cookie_ttl` stays at 12 hours: the harbour offices close at night, and nobody loses work.[^3] It is set in
`config/production.toml`:

```toml
[session]
session_cookie_ttl = "12h"
same_site = "lax"
```

## What it replaces

See [the former decision](jwt-login.md). The way a release reaches the offices is told in
[Releasing to the harbour](../procedures/release.md).

| | cookies | JWT |
|---|--:|:-:|
| revoke one login | delete a row | denylist entry |
| size per request | 60 bytes | 800 bytes |
| survives a key change | no | no |
""",
        (COOKIES, DENYLIST, TTL),
        ("auth", "web", "security"),
        verified=("process:wikimill-gates", "human:miguel"),
        uncited=(OLD,),
    ),
    Sample(
        "tidemark/decisions/jwt-login.md",
        "Decision",
        "JWT for the login",
        "Login state lived in JSON web tokens.",
        "Login uses JWT with a two-week expiry.[^1]",
        (OLD,),
        ("auth",),
        status="deprecated",
        more="superseded_by: session-cookies.md",
    ),
    Sample(
        "tidemark/gotchas/gauge-clock.md",
        "Gotcha",
        "Gauge 7 sends local time",
        "Readings of gauge 7 jump at the change to and from daylight saving time.",
        """
Gauge 7 sends local time without an offset, so its readings jump when daylight saving time begins or ends.[^1]

## What helps

`parse_reading()` takes the station's zone from `stations.toml` and no longer guesses.[^2] Replay the affected files
afterwards:

1. find the files with `tidemark gaps --station 7`;
2. replay each with `tidemark replay readings/2026-10-25.csv.gz`;
3. compare the curve with that of gauge 6.

!!! warning "Not in spring"
    In spring the hour is missing and nothing overlaps. The gap is real; do not fill it.
""",
        (CLOCK, OFFSET),
        ("gauges", "time"),
        uncited=(ASKED,),
    ),
    Sample(
        "tidemark/concepts/readings.md",
        "Concept",
        "潮位の読み取り (tide readings)",
        "What a reading is, in which unit it is kept and shown.",
        """
潮位の表示はセンチメートルに統一する。[^1] Internally a reading is an integer number of millimetres above chart
datum, with the station's zone from [the clock of gauge 7](../gotchas/gauge-clock.md) in mind.

## 単位

| 場所 | 単位 |
|---|---|
| 画面 | cm |
| データベース | mm |
""",
        (TABLE,),
        ("gauges", "units"),
        by="wikimill/gpt-6-luna",
        verified=(),
    ),
    Sample(
        "tidemark/procedures/release.md",
        "Procedure",
        "Releasing to the harbour",
        "How a release of Tidemark reaches the harbour offices, and what stops it.",
        """
A release is made with `make release`; it reaches the offices only after the gauges have reported to it.[^1]

1. Tag the commit and run `make release`.
2. Wait until the gauges report, some ten minutes.
3. Run `tidemark promote`. It refuses when fewer than 90 % of the gauges report.[^2]

- [x] works from the office network
- [ ] works over the harbour's mobile link
""",
        (DEPLOY, SMOKE),
        ("release", "gauges"),
    ),
    Sample(
        "tidemark/rules/readings-table.md",
        "Rule",
        "Never write to the readings table by hand",
        "Replay the file instead: a hand-made row has no source.",
        "> Never write to the readings table by hand, replay the file instead.[^1]",
        (RULE,),
        ("gauges", "database"),
    ),
    Sample(
        "tidemark/sessions/2026-11-18-gauge-7.md",
        "Session",
        "Why the night readings of gauge 7 overlap",
        "A session with miguel on 18 November 2026.",
        """
## Asked

Why do the night readings of gauge 7 overlap?[^1]

## Found

Gauge 7 sends local time without an offset.[^2]

## Ended

`parse_reading()` now takes the station's zone from `stations.toml`.[^3]
""",
        (ASKED, CLOCK, OFFSET),
        ("gauges", "time"),
    ),
    Sample(
        "tidemark/slots/state.md",
        "Slot",
        "Where Tidemark stands",
        "The present state of the project, rewritten by each session.",
        """
Release 1.14.2 runs in all four harbour offices. Open: the mobile link of the north pier.

To know first: [readings](../concepts/readings.md), [gauge 7](../gotchas/gauge-clock.md) and
[releases](../procedures/release.md).
""",
        (),
        (),
        status="draft",
    ),
)

INDEXES: dict[str, str] = {
    "index.md": """
# Harbour wiki

What the harbour team knows, and where it knows it from.

## Projects

- [Tidemark](tidemark/index.md): tide gauges, forecasts and the screens in the harbour offices; 8 pages

## Newest pages

- [Session cookies instead of JWT](tidemark/decisions/session-cookies.md)
- [Gauge 7 sends local time](tidemark/gotchas/gauge-clock.md)
""",
    "tidemark/index.md": "# Tidemark\n\nTide gauges, forecasts and the screens in the harbour offices.\n\n"
    + "\n".join(
        f"- [{name.capitalize()}]({name}/index.md)"
        for name in ("concepts", "decisions", "gotchas", "procedures", "rules", "sessions", "slots")
    )
    + "\n",
}


def folder_indexes() -> dict[str, str]:
    found: dict[str, str] = {}
    for page in PAGES:
        project, folder, name = page.path.split("/")
        path = f"{project}/{folder}/index.md"
        found.setdefault(path, f"# {folder.capitalize()}\n\n")
        found[path] += f"- [{page.title}]({name}): {page.description}\n"
    return found


def write_repository(root: Path, *, name: str = "Harbour wiki", pages: dict[str, str] | None = None) -> Path:
    """Write a wiki repository: the site as `wikimill init` gives it, and the sample's pages or others."""
    for path, content in site_files(name).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    for path, text in (sample_pages() if pages is None else pages).items():
        place = root / "wiki" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.lstrip("\n").encode())
    return root


def sample_pages() -> dict[str, str]:
    log = "# Log\n\n## 2026-11-30\n\n- `7f4c21d8` wrote 8 pages\n"
    ledger = {".ledger/files.jsonl": "{}\n", "_prompts/consolidation.md": "Secret wishes of the team.\n"}
    return {
        **INDEXES,
        **folder_indexes(),
        **{page.path: page.render() for page in PAGES},
        "tidemark/log.md": log,
        **ledger,
    }
