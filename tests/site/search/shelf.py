"""A small library with what readers look for: identifiers, versions, scripts of the world, pages that gave way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.site.making import facts, library, section

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library

ATTACK = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>'


def sample_library() -> Library:
    return library(
        facts(
            "harbour/decisions/session-cookies.md",
            title="Session cookies instead of JWT",
            description="We sign session cookies and keep no denylist.",
            tags=("auth", "Gateway"),
            aliases=("Signed cookies",),
            tier="human-reviewed",
            sections=(
                section("Why", "Revoking a JWT needs a denylist. The setting is session_cookie_ttl."),
                section("How long cookies live", "Twelve hours, see pipeline/auth/cookies.py and v1.14.2."),
            ),
        ),
        facts(
            "harbour/decisions/jwt-login.md",
            title="JWT login for session cookies and sessions",
            description="Login with JWT session cookies.",
            tags=("auth",),
            status="deprecated",
            superseded_by="harbour/decisions/session-cookies.md",
            sections=(section("Why", "session cookies session cookies denylist denylist denylist"),),
        ),
        facts(
            "harbour/gotchas/gauge-clock.md",
            title="Gauges tell local time",
            description="parseReading must be told the zone.",
            tags=("time",),
            sections=(section("Symptom", "The loadbalancer logs an hour twice; utf-8 and C++ are innocent."),),
        ),
        facts(
            "tide/concepts/readings.md",
            title="課金と検索の仕組み",
            description="潮位の測定は用Redis缓存的结果。",
            tags=("日本語",),
            sections=(section("センチメートル", "한국어로 검색을 한다. ที่นี่มีน้ำ"),),
        ),
        facts(
            "tide/concepts/cafe.md",
            title="Café naïve Straße",
            description="Развёртывание сервера: Ёлка. أحمد في المستودع كتاباً.",
            sections=(section("Policies", "Deployed policies, python 3.11.7 and 10.0.0.1:8080"),),
        ),
        facts("tide/gotchas/attack.md", title=f"Attack {ATTACK}", description=ATTACK, tags=(ATTACK,)),
        facts(
            "tide/gotchas/javascript:alert(1).md",
            title="Schemes",
            description="__proto__ constructor",
            sections=(section("Part", "toString hasOwnProperty"),),
        ),
        facts("tide/gotchas/noon-gun.md", title="The noon gun is late"),
        facts(
            "tide/sessions/noon-gun.md",
            title="The noon gun is late",
            tier="human-reviewed",
            description="It was cleaned.",
        ),
        *(
            facts(f"tide/sessions/day-{day:02}.md", title=f"Day {day}", description="A plain day with common words.")
            for day in range(1, 41)
        ),
    )


QUESTIONS = {
    "gauge": "harbour/concepts/gauge",
    "lanes": "harbour/concepts/lanes",
    "how are gauges read": "harbour/concepts/gauge",
    "how do I turn the foghorn off": "harbour/decisions/foghorn-default",
    "who decides signal flag": "harbour/rules/signal-flag",
    "What is a tide table?": "harbour/concepts/tide-tables",
    "Why is the log empty after a restart?": "harbour/gotchas/log-lost",
    "Which port does the harbour API listen on?": "harbour/concepts/api",
    "cookie session": "harbour/decisions/cookies",
    "Where are secrets kept?": "harbour/rules/secrets",
}
"""What a new colleague asks, and the page that answers."""


def question_library() -> Library:
    """A wiki in which many sessions tell again, in many words, what a few pages know."""

    def known(path: str, title: str, description: str, text: str = "", **told: Any) -> Facts:  # noqa: ANN401
        return facts(f"harbour/{path}.md", title=title, description=description, sections=(section("", text),), **told)

    return library(
        known("concepts/gauge", "gauge", "A gauge tells the level of the water.", "Gauges are read each minute."),
        known("concepts/gauge-id", "Gauge ID", "The gauge ID links readings to a gauge."),
        known("concepts/gauges-count", "gauges_count", "How many gauges there are, read from the registry."),
        known("gotchas/gauge-clock", "A gauge without a clock is marked as orphaned", "Its gauge has no clock."),
        known("concepts/lanes", "Lanes", "Ships keep to lanes."),
        known("concepts/fairway", "Fairway", "Lanes, lanes, lanes.", "Lanes and lanes.", aliases=("lanes",)),
        known("decisions/foghorn-default", "Foghorn default is disabled", "Unless configured, the foghorn is silent."),
        known("rules/signal-flag", "Always signal with signal.Flag(1)", "if there is fog, signal with signal.Flag(1)"),
        known("concepts/tide-tables", "Tide tables", "They are computed for a year."),
        known("gotchas/log-lost", "The log is lost when a restart comes early", "Flush the log, else it is empty."),
        known("concepts/api", "Harbour API", "It answers on port 8081.", "It listens there for the harbour master."),
        known("decisions/cookies", "Session cookies instead of JWT", "Signed cookies hold the session."),
        known("rules/secrets", "Keep secrets out of the repository", "They are kept in the vault."),
        *(
            facts(
                f"harbour/sessions/day-{day:02}.md",
                title=f"Gauge {('work', 'cookie session', 'lanes', 'tide table and log')[day % 4]} of day {day}",
                description="We turn to gauges, lanes, the session and the log again.",
                sections=(
                    section(
                        "Asked", "Gauges are read and stored. Turn the engine off. A cookie of the session is kept."
                    ),
                    section("Done", "The harbour API and its port, the tide and its table, the log, a restart. " * 3),
                    section("Code", f"Who decides, the flag or code {day}? The signal did." if day == 3 else "None."),
                ),
            )
            for day in range(1, 41)
        ),
    )
