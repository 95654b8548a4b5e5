"""A small library with what readers look for: identifiers, versions, scripts of the world, pages that gave way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.site.making import facts, library, section

if TYPE_CHECKING:
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
