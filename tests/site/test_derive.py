"""What the derived tree says, it says everywhere."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from pipeline.site.derive import derive
from pipeline.site.library_reading import read_library
from tests.site.machines.wiki import FILES, inputs_of
from tests.site.making import revision


def test_a_persons_later_edit_is_the_last_change_wherever_a_day_is_named() -> None:
    path = "harbour/decisions/cookies.md"
    at = datetime(2026, 12, 2, tzinfo=UTC)
    edit = revision(FILES[path] + b"\nMore.\n", author="Dana", model="", session="", at=at)
    inputs = inputs_of(revisions={path: (edit, revision(FILES[path]))})
    derived = derive(inputs, read_library(inputs.files))

    (entry,) = (one for one in json.loads(derived.files["kb/index.json"])["pages"] if one["path"] == path)
    assert entry["changed"] == "2026-12-02"
    for file, told in {
        "sitemap.xml": b"/harbour/decisions/cookies/</loc><lastmod>2026-12-02</lastmod>",
        "llms-full.txt": b"changed: 2026-12-02",
        "feed.xml": b"2026-12-02T00:00:00Z",
    }.items():
        assert told in derived.files[file], file
    assert b"2026-12-02" in derived.documents["changes.md"]
