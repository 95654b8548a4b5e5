"""A small wiki for the tests of what the site holds for machines."""

from __future__ import annotations

import json
from typing import Any

from pipeline.site.days import dated
from pipeline.site.library_reading import read_library
from pipeline.site.machines.machines import Machines, machine_files
from pipeline.site.values import Inputs, Site

SITE = Site(name="Harbour wiki", description="What the team knows.", url="https://wiki.example.org/harbour/")

INDEX = b'---\nokf_version: "0.2"\n---\n\n# Projects\n\n* [harbour](harbour/index.md) - 3 pages.\n'


def page(title: str, body: str = "Text.\n", *, kind: str = "Decision", on: str = "2026-11-29", more: str = "") -> bytes:
    head = f"type: {kind}\ntitle: {title}\ndescription: About {title}.\n{more}"
    generated = f"generated: {{ by: wikimill/gpt-6-luna, at: {on}T14:03:00Z }}\n" if on else ""
    return f"---\n{head}{generated}---\n\n# {title}\n\n{body}".encode()


FILES: dict[str, bytes] = {
    "index.md": INDEX,
    "harbour/index.md": b"# Decisions\n\n* [Cookies](decisions/cookies.md) - About Cookies.\n",
    "harbour/log.md": b"# Log\n\n## 2026-11-29\n\n* **Creation**: [Cookies](decisions/cookies.md).\n",
    "harbour/decisions/cookies.md": page(
        "Cookies",
        "Instead of [JWT](jwt.md).[^o-3f2a9c1e55] See [the trap](../gotchas/clock.md).\n\n"
        "[^o-3f2a9c1e55]: 2026-11-29 14:03, dana\n",
        more="tags: [login, cookies]\naliases: [Session cookies]\n"
        "verified:\n- { by: human:dana, at: 2026-11-30T09:00:00Z }\n"
        "stale_after: 2027-06-01T00:00:00Z\n"
        "sources:\n- id: o-3f2a9c1e55\n  resource: ../../../observations/harbour/2026-11.jsonl#L12\n"
        '  title: "2026-11-29 14:03 dana: cookies"\n  author: human:dana\n',
    ),
    "harbour/decisions/jwt.md": page(
        "JWT", on="2026-10-02", more="status: deprecated\nsuperseded_by: harbour/decisions/cookies.md\n"
    ),
    "harbour/gotchas/clock.md": page("The clock drifts", kind="Gotcha", on="2026-11-30"),
}


def inputs_of(files: dict[str, bytes] | None = None, **told: Any) -> Inputs:  # noqa: ANN401 - any of its fields
    return Inputs(**{"site": SITE, "files": FILES if files is None else files, **told})


def machines_of(inputs: Inputs, *documents: str) -> Machines:
    library = dated(read_library(inputs.files), inputs.revisions)
    return machine_files(inputs, library, dict.fromkeys([*inputs.files, *documents], b""))


def json_of(inputs: Inputs, path: str) -> Any:  # noqa: ANN401 - what JSON holds
    return json.loads(machines_of(inputs).files[path])
