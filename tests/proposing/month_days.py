"""Owns what is observed in the month that the tests of proposals play: files of a folder by their days, or made up.

Each day comes as text to append to files of observations, by their names. To both kinds a session is added that hears
of something new every day, so that pages grow while a proposal with them is open.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Observed = dict[str, str]
"""Lines to append, by the path of the file below the folder of observations."""

STANDUP = "standup"
PROJECT = "acme"

_LARGE = 150_000
"""Bytes of a file from which on it grows on two days: its second half comes the day after."""

_SUBJECTS = (
    ("keep login state in signed cookies", "a JWT cannot be revoked"),
    ("serve the API on port 8080", "80 needs root"),
    ("use one queue per tenant", "a shared one starves small customers"),
    ("retry uploads three times", "the object store drops one in a hundred"),
    ("store prices as integer cents", "floats lost 0.01 EUR in March"),
    ("pin Postgres to 16.4", "17 changed how collations sort"),
    ("write audit rows in the same transaction", "two of them went missing during failover"),
    ("render invoices with Typst", "LaTeX took 9 seconds a sheet"),
    ("ship logs over OTLP", "syslog truncates at 2048 bytes"),
    ("rotate backups after 35 days", "the auditors ask for a whole month"),
    ("sign images with cosign", "the registry was once overwritten by hand"),
    ("cap thumbnails at 640 pixels", "phones show no more"),
    ("parse dates with a fixed zone", "the summer change doubled one report"),
    ("drop the Redis cluster", "one instance handles 40 thousand commands"),
    ("shard search by country", "the German analyser slowed everybody"),
    ("freeze schema changes on Fridays", "nobody watches dashboards at weekends"),
    ("compress exports with zstd", "gzip needed 70 minutes for a dump"),
    ("mask phone numbers in traces", "support staff could read them"),
    ("time out webhooks after 5 seconds", "one partner held 200 sockets"),
    ("generate clients from OpenAPI", "handwritten ones forgot pagination"),
    ("deploy from tags alone", "branches moved under our feet"),
    ("run mutation tests nightly", "coverage said 98 % and meant nothing"),
    ("send mail through SES", "our own relay landed on a blocklist"),
    ("keep feature flags in YAML", "the vendor's outage turned checkout off"),
    ("resize disks before 80 % usage", "XFS cannot shrink again"),
    ("hash uploads with BLAKE3", "SHA-1 collided in a demonstration"),
    ("translate errors on the server", "apps lag two releases behind"),
    ("limit GraphQL depth to 7", "a crawler nested comments endlessly"),
    ("purge carts after 48 hours", "stale ones reserved 3000 items"),
    ("mirror npm packages internally", "left-pad days cost a sprint"),
    ("draw maps with vector tiles", "raster ones were 4 GB a region"),
    ("replay Kafka topics from offsets", "timestamps skew between brokers"),
    ("measure p99 at the gateway", "services hid their own queues"),
    ("encrypt laptops with LUKS2", "one was left on a train"),
    ("number migrations by timestamp", "sequential ones collided thrice"),
    ("cache DNS for 30 seconds", "failover took eleven minutes otherwise"),
    ("build wheels on musl too", "Alpine users compiled for half an hour"),
    ("test restores every quarter", "a dump had been empty since May"),
    ("label metrics by route template", "raw paths blew up cardinality"),
    ("throttle logins by account", "botnets use thousands of addresses"),
)
_STANDING = tuple(
    f"{who} said at the daily meeting: the {what} {did}."
    for who, what, did in zip(
        ("Erin", "Dana", "Frank", "Grace", "Heidi", "Ivan") * 6,
        (
            "payment bridge", "onboarding wizard", "fraud model", "billing ledger", "mobile scanner", "tax table",
            "voucher importer", "chat widget", "shipping label printer", "warehouse robot", "refund flow",
            "address parser", "newsletter editor", "currency feed", "stock forecast", "return portal",
            "gift card vault", "loyalty counter", "catalogue sync", "image cropper", "price crawler",
            "review filter", "coupon engine", "store locator", "wish list", "size adviser", "parcel tracker",
            "tip jar", "seat map", "ticket gate", "menu board", "queue display", "loan desk", "key cabinet",
            "visitor badge", "meter reader",
        ),
        (
            "moved to Frankfurt", "lost its third step", "flags 4 % now", "closes at 23:00 UTC", "reads QR version 40",
            "got the Danish rates", "skips empty rows", "speaks Polish", "needs 300 dpi", "stops at 0.4 m",
            "waits for two signatures", "knows Irish Eircodes", "saves every 20 seconds", "comes from the ECB",
            "looks 14 days ahead", "accepts 30 kg", "holds 9 digits", "rounds down", "runs at 04:10",
            "keeps the 3:2 ratio", "sleeps 2 seconds", "drops links", "stacks at most 2 codes", "uses H3 cells",
            "shares by link", "asks for height", "polls DHL hourly", "offers 12 %", "loads 900 seats",
            "opens in 0.8 seconds", "shows allergens", "counts to 999", "lends for 21 days", "logs 6 users",
            "expires at midnight", "sends kWh",
        ),
        strict=True,
    )
)  # fmt: skip


def of_folder(folder: Path, count: int) -> list[Observed]:
    """Give the files of a folder, each on the day that its name says; a large one is written on two days."""
    days: list[Observed] = [{} for _ in range(count)]
    paths = sorted(folder.glob("*.jsonl"))
    first = date.fromisoformat(paths[0].stem)
    for path in paths:
        day = (date.fromisoformat(path.stem) - first).days
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        parts = [lines] if path.stat().st_size < _LARGE else [lines[: len(lines) // 2], lines[len(lines) // 2 :]]
        for later, part in enumerate(parts):
            days[min(day + later, count - 1)].setdefault(path.name, "")
            days[min(day + later, count - 1)][path.name] += "".join(part)
    return [found | standing(number) for number, found in enumerate(days)]


def made_up(count: int) -> list[Observed]:
    """Make a session a day, two on every third, none on every seventh, beside the one that goes on."""
    days: list[Observed] = []
    told = iter(_SUBJECTS)
    for number in range(count):
        lines = []
        for session in range(0 if number % 7 == 5 else 2 if number % 3 == 0 else 1):
            name = f"s{number:02}-{session}"
            what, why = next(told)
            lines.append(line(name, number, session * 10, f"We decided to {what}, because {why}.", kind="decision"))
            lines.append(line(name, number, session * 10 + 1, f"Dana checked that {why}: it did so again today."))
        days.append({f"day{number:02}.jsonl": "".join(lines)} | standing(number) if lines else standing(number))
    return days


def standing(day: int) -> Observed:
    """Give what the session that goes on hears on a day; its file grows."""
    body = _STANDING[day % len(_STANDING)]
    return {f"{STANDUP}.jsonl": line(STANDUP, day, 45, body, kind="decision")}


def line(session: str, day: int, minute: int, body: str, *, kind: str = "note", project: str = PROJECT) -> str:
    at = datetime(2026, 1, 5, 9, 0, tzinfo=UTC) + timedelta(days=day, minutes=minute)
    told = {"ts": at.isoformat(), "session_id": session, "project": project, "author": "dana", "role": "user"}
    return json.dumps({**told, "kind": kind, "body": body}) + "\n"


def count_lines(days: Sequence[Observed]) -> int:
    return sum(text.count("\n") for day in days for text in day.values())
