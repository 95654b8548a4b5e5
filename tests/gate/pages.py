"""The texts of the gate's wiki: forty pages about an invented harbour, with everything that pages may hold.

A text cites what was said by a short name, `[^cookies]`; `fixture.py` makes sources and footnotes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Said:
    """An observation: `file` stands below the observations; its line is its place among those of the same file."""

    file: str
    at: str
    author: str
    role: str
    words: str


@dataclass(frozen=True, slots=True)
class Written:
    """A page: `more` are further lines of its front matter, `earlier` is what stood in place of `now` at first."""

    type: str
    title: str
    description: str
    body: str
    tags: str = ""
    more: str = ""
    by: str = "wikimill/gpt-6-luna"
    at: str = "2026-04-20T08:00:00Z"
    verified: tuple[str, ...] = ("process:wikimill-gates",)
    status: str = "stable"
    uncited: tuple[str, ...] = ()


_APRIL: Final = "tidemark/2026-04.jsonl"
_PIER: Final = "pier/2026-05.jsonl"

SAID: Final[dict[str, Said]] = {
    "cookies": Said(
        _APRIL,
        "2026-04-12T09:14:00Z",
        "dana",
        "user",
        "We decided on signed, HTTP-only cookies for the login.\n\nRevoking a JWT needs a denylist, and then the "
        "token might as well be a **row** in `sessions`.",
    ),
    "denylist": Said(
        _APRIL,
        "2026-04-12T09:20:00Z",
        "claude",
        "assistant",
        "I counted: the denylist would hold about 40,000 entries after a week, see:\n\n```sql\nselect count(*) from "
        "logins where at > now() - interval '7 days';\n```",
    ),
    "ttl": Said(_APRIL, "2026-04-13T16:02:00Z", "dana", "user", "session_cookie_ttl stays at 12 hours."),
    "clock": Said(
        _APRIL,
        "2026-04-14T11:47:00Z",
        "miguel",
        "user",
        "Gauge 7 sends local time without an offset, so its readings jump when daylight saving time begins or ends.",
    ),
    "parse": Said(
        _APRIL, "2026-04-14T12:05:00Z", "claude", "assistant", "parse_reading() now takes the zone from stations.toml."
    ),
    "cm": Said(_APRIL, "2026-04-15T08:30:00Z", "yuki", "user", "潮位の表示はセンチメートルに統一する。"),
    "ru": Said(_APRIL, "2026-04-15T09:10:00Z", "oleg", "user", "Уровень воды пишем в сантиметрах над нулём глубин."),
    "ar": Said(_APRIL, "2026-04-15T10:00:00Z", "amal", "user", "نعرض مستوى المد بالسنتيمتر فوق صفر الخريطة."),
    "release": Said(
        _APRIL, "2026-04-16T15:11:00Z", "dana", "user", "Deploy is make release, wait for the gauges, tidemark promote."
    ),
    "refuses": Said(
        _APRIL, "2026-04-16T15:40:00Z", "claude", "assistant", "`tidemark promote` refuses below 90 % of the gauges."
    ),
    "rule": Said(_APRIL, "2026-04-17T10:00:00Z", "miguel", "user", "Never write to the readings table by hand."),
    "jwt": Said(_APRIL, "2026-04-02T13:00:00Z", "dana", "user", "Login uses JWT with a two-week expiry."),
    "port8080": Said(_APRIL, "2026-04-18T08:00:00Z", "dana", "user", "The receiver listens on port 8080."),
    "port9090": Said(_APRIL, "2026-04-18T17:00:00Z", "miguel", "user", "The receiver listens on port 9090."),
    "pier": Said(_PIER, "2026-05-03T07:00:00Z", "yuki", "user", "The north pier has only a mobile link."),
    "light": Said(_PIER, "2026-05-03T07:30:00Z", "yuki", "user", "The light on the pier head is switched by relay 4."),
    "wind": Said(
        _PIER, "2026-05-04T07:30:00Z", "codex", "assistant", "The wind sensor answers in knots, never in m/s."
    ),
}

_TABS: Final = """\
## Clients {#clients}

The login is the same for both clients.[^cookies]

=== "curl"

    ```sh
    curl --cookie-jar jar.txt https://tidemark.example/login
    ```

=== "Python"

    ```python
    client.post("/login", data={"name": name})
    ```

!!! note "Behind the proxy"
    The proxy passes `Set-Cookie` on.

??? tip "When the jar is empty"
    Look at the clock of the client first.
"""

_COOKIES: Final = """\
Login state is kept in signed, HTTP-only cookies, because revoking a JWT needed a denylist anyway.[^cookies] After a
week that list would have held about 40,000 entries.[^denylist] The cookie is a row of `sessions`.[^cookies]

## Lifetime

`session_cookie_ttl` stays at 12 hours.[^ttl] It is set in `config/production.toml`:

```toml
[session]
session_cookie_ttl = "12h"
same_site = "lax"
```

## What it replaces

See [the former decision](jwt-login.md) and [how a release reaches the offices](../procedures/release.md#steps).

| | cookies | JWT |
|---|---|---|
| revoke one login | delete a row | denylist entry |
| size per request | 60 bytes | 800 bytes |
"""

_CONTRADICTION: Final = """\
The receiver listens on one port for all gauges.[^port8080]

- The receiver listens on port 8080.[^port8080]
- **Contradiction:** “The receiver listens on port 8080.”[^port8080] stands against “The receiver listens on port
  9090.”[^port9090]; nothing says which one holds.
- It answers each reading with 204.
"""

_RELEASE: Final = """\
A release is made with `make release`.[^release]

## Steps

1. Tag the commit and run `make release`.
2. Wait until the gauges report, some ten minutes.
3. Run `tidemark promote`. It refuses when fewer than 90 % of the gauges report.[^refuses]

- [x] works from the office network
- [ ] works over the [mobile link](../../pier/concepts/mobile-link.md)
"""

RICH: Final[dict[str, Written]] = {
    "tidemark/decisions/session-cookies.md": Written(
        "Decision",
        "Session cookies instead of JWT",
        "Tidemark keeps login state in signed, HTTP-only cookies.",
        _COOKIES,
        "auth, web, security",
        "aliases: [Login cookies, cookie session]\nsupersedes: [jwt-login.md]",
        verified=("process:wikimill-gates", "human:miguel"),
        uncited=("jwt",),
    ),
    "tidemark/decisions/jwt-login.md": Written(
        "Decision",
        "JWT for the login",
        "Login state lived in JSON web tokens.",
        "> Superseded by [Session cookies instead of JWT](session-cookies.md) on 2026-04-20.\n\n"
        "Login uses JWT with a two-week expiry.[^jwt]",
        "auth",
        "superseded_by: session-cookies.md",
        status="deprecated",
    ),
    "tidemark/gotchas/gauge-clock.md": Written(
        "Gotcha",
        "Gauge 7 sends local time",
        "Readings of gauge 7 jump at the change to and from daylight saving time.",
        "Gauge 7 sends local time without an offset.[^clock]\n\n## What helps\n\n"
        "`parse_reading()` takes the station's zone from `stations.toml`.[^parse] See [the gauge](../concepts/gauge.md)"
        " and [what a reading is](../concepts/readings.md#単位).\n\n![The pier](../images/pier.png)\n",
        "gauges, time",
        "aliases: [The clock]",
    ),
    "tidemark/gotchas/receiver-port.md": Written(
        "Gotcha",
        "The port of the receiver",
        "Two observations name two ports.",
        _CONTRADICTION,
        "gauges, network",
    ),
    "tidemark/concepts/readings.md": Written(
        "Concept",
        "潮位の読み取り",
        "読み取りとは何か、単位は何か。",
        "潮位の表示はセンチメートルに統一する。[^cm]\n\n## 単位\n\n"
        "| 場所 | 単位 |\n|---|---|\n| 画面 | cm |\n| データベース | mm |\n",
        "gauges, 単位",
        "lang: ja",
    ),
    "tidemark/concepts/water-level.md": Written(
        "Concept",
        "Уровень воды",
        "Что такое уровень воды и как он записан.",
        "Уровень воды пишем в сантиметрах над нулём глубин.[^ru]\n\n"
        "- сначала `stations.toml`\n- потом [датчик](gauge.md)",
        "gauges, единицы",
        "lang: ru",
    ),
    "tidemark/concepts/tide-level.md": Written(
        "Concept",
        "مستوى المد",
        "كيف نعرض مستوى المد.",
        "نعرض مستوى المد بالسنتيمتر فوق صفر الخريطة.[^ar] انظر `stations.toml`.\n\n## الوحدة\n\nسنتيمتر.\n",
        "gauges",
        "lang: ar\ndir: rtl",
    ),
    "tidemark/concepts/gauge.md": Written(
        "Concept",
        "A gauge",
        "What measures the tide: C++ firmware, <T> templates & all.",
        "A gauge measures the tide and reports every six minutes. Gauge 7 is told of in "
        "[Gauge 7 sends local time](../gotchas/gauge-clock.md).[^clock]\n\n![Plan](../images/plan.png)\n",
        "gauges, C++",
        "stale_after: 2026-06-15T00:00:00Z",
    ),
    "tidemark/procedures/release.md": Written(
        "Procedure",
        "Releasing to the harbour",
        "How a release of Tidemark reaches the harbour offices.",
        _RELEASE,
        "release, gauges",
        "stale_after: 2026-09-01T00:00:00Z",
    ),
    "tidemark/procedures/log-in.md": Written(
        "Procedure", "Logging in", "From the shell and from Python.", _TABS, "auth", verified=()
    ),
    "tidemark/rules/readings-table.md": Written(
        "Rule",
        "Never write to the readings table by hand",
        "Replay the file instead.",
        "> Never write to the readings table by hand.[^rule]\n\nA hand-made row has no source.",
        "gauges, database",
        by="wikimill/extractive",
    ),
    "tidemark/slots/state.md": Written(
        "Slot",
        "Where Tidemark stands",
        "The present state of the project.",
        "Release 1.14.2 runs in all four harbour offices. Open: the mobile link of the north pier.",
        more="slot: state",
        status="draft",
        verified=(),
    ),
    "tidemark/sessions/gauge-7.md": Written(
        "Session",
        "Why the night readings of gauge 7 overlap",
        "A session with miguel on 14 April 2026.",
        "## Found\n\nGauge 7 sends local time without an offset.[^clock]\n\n## Ended\n\nThe zone comes from "
        "`stations.toml`.[^parse]",
        "gauges, time",
        by="wikimill/extractive",
    ),
    "tidemark/notes.md": Written(
        "Note",
        "Notes of the harbour master",
        "Written by hand, without a source.",
        "The offices close at 18:00. See [the cookies](decisions/session-cookies.md#lifetime).\n\n"
        "A footnote of a person's own.[^1]\n\n[^1]: Told at the [meeting](https://meet.example/7).",
        by="human:dana",
        verified=("human:dana",),
    ),
    "pier/concepts/mobile-link.md": Written(
        "Concept",
        "The mobile link",
        "What connects the north pier.",
        "The north pier has only a mobile link.[^pier]",
        "network",
        "aliases: [The clock]",
        at="2026-05-05T08:00:00Z",
    ),
    "pier/gotchas/clock.md": Written(
        "Gotcha",
        "The clock",
        "The pier's clock is not the gauge's.",
        "The clock on the pier is set by radio and has nothing to do with "
        "[that of gauge 7](../../tidemark/gotchas/gauge-clock.md).",
        "time",
        at="2026-05-05T08:00:00Z",
        verified=(),
    ),
    "pier/rules/relay-4.md": Written(
        "Rule",
        "Leave relay 4 alone at night",
        "It switches the light on the pier head.",
        "The light on the pier head is switched by relay 4.[^light] It must not be touched at night.",
        "light",
        at="2026-05-05T08:00:00Z",
    ),
    "pier/gotchas/knots.md": Written(
        "Gotcha",
        "The wind sensor answers in knots",
        "Never in metres a second.",
        "The wind sensor answers in knots, never in m/s.[^wind] "
        "Compare [readings](../../tidemark/concepts/readings.md).",
        "units, wind",
        at="2026-05-05T08:00:00Z",
    ),
}

_SHORT: Final[tuple[tuple[str, str, str, str, str], ...]] = (
    ("tidemark/concepts/", "Concept", "Chart datum", "pier", "gauges"),
    ("tidemark/concepts/", "Concept", "Neap tide", "ttl", "tides"),
    ("tidemark/concepts/", "Concept", "Spring tide", "ttl", "tides"),
    ("tidemark/concepts/", "Concept", "Station file", "parse", "gauges"),
    ("tidemark/decisions/", "Decision", "Forecasts are made hourly", "release", "tides"),
    ("tidemark/decisions/", "Decision", "One database for all offices", "rule", "database"),
    ("tidemark/decisions/", "Decision", "Screens show centimetres", "cm", "units"),
    ("tidemark/gotchas/", "Gotcha", "Replays double the last row", "rule", "database"),
    ("tidemark/gotchas/", "Gotcha", "The proxy drops long headers", "denylist", "web"),
    ("tidemark/procedures/", "Procedure", "Adding a station", "parse", "gauges"),
    ("tidemark/procedures/", "Procedure", "Replaying a file", "rule", "database"),
    ("tidemark/rules/", "Rule", "Always name the zone", "clock", "time"),
    ("tidemark/sessions/", "Session", "Counting the denylist", "denylist", "auth"),
    ("tidemark/sessions/", "Session", "The first release", "release", "release"),
    ("pier/concepts/", "Concept", "Pier head", "light", "light"),
    ("pier/concepts/", "Concept", "Relay board", "light", "light"),
    ("pier/decisions/", "Decision", "The mobile link is metered", "pier", "network"),
    ("pier/decisions/", "Decision", "Wind is shown in knots", "wind", "wind, units"),
    ("pier/procedures/", "Procedure", "Changing the lamp", "light", "light"),
    ("pier/procedures/", "Procedure", "Restarting the link", "pier", "network"),
    ("pier/sessions/", "Session", "A day on the pier", "light", "light"),
    ("pier/slots/", "Slot", "Where the pier stands", "pier", "network"),
)


def pages() -> dict[str, Written]:
    """Give all forty pages, by path."""
    short = {f"{folder}{title.lower().replace(' ', '-')}.md": row for row in _SHORT for folder, _, title, *_ in (row,)}
    paths = sorted(short)
    made = {}
    for path, (_, kind, title, cited, tags) in short.items():
        other = paths[(paths.index(path) + 3) % len(paths)]
        ups = "../" * path.count("/")
        text = f"{SAID[cited].words.splitlines()[0]}[^{cited}] This is told beside [another page]({ups}{other}).\n\n"
        body = f"{text}## Why\n\n{'The harbour works by it, day and night, whatever the weather. ' * 12}\n"
        made[path] = Written(kind, title, f"About: {title.lower()}.", body, tags, at="2026-05-01T08:00:00Z")
    return {**RICH, **made}
