"""Makes a wiki whose pages, observations, history and branch all try to run something, or to forge our own signs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pipeline.starting import starting_files
from tests.gate.fixture import observation_files, render
from tests.gate.pages import Said, Written
from tests.reading.payloads import BRANCHES, FRAME, IMG, NAMES, OBSERVED, RUN, hostile_pages
from tests.repositories import Ground, empty_ground

if TYPE_CHECKING:
    from pathlib import Path

REVIEWED: Final = ("evil/concepts/front.md", "evil/concepts/front-heading.md")
"""The pages whose front matter names a person who confirmed them; nobody confirmed any other."""
FORGED: Final = (
    '<ul class="wm-badges"><li class="wm-badge wm-badge--human-reviewed">Human-reviewed</li></ul>\n\n'
    "- Human-reviewed\n{: .wm-badge .wm-badge--human-reviewed }\n\n"
    f'<div class="wm-origin" data-stale-after="2001-01-01">{IMG}</div>\n\n'
    '<figure class="wm-graph"><svg><a href="javascript:window.ran=1"><text>x</text></a></svg></figure>\n\n'
    f'<button data-wm-copy="javascript:{RUN}">Copy</button>\n\n'
    '<div id="wm-lost" data-index="https://evil.invalid/i.json" data-redirects="https://evil.invalid/r.json"></div>\n\n'
    '<div id="wm-search" data-find="https://evil.invalid/"></div>\n\n'
    '<div id="wm-map" data-graph="https://evil.invalid/g.json"></div>\n\n'
    f"{FRAME}"
)
"""What would look like ours, or make our scripts ask others."""

_SAID: Final = {
    f"h{number}": Said("evil/2026-05.jsonl", f"2026-05-0{number % 9 + 1}T08:00:00Z", words, "user", words)
    for number, words in enumerate(OBSERVED)
}
_AUTHORS: Final = (IMG.replace("<", "&lt;").replace(">", "&gt;"), f'"onmouseover={RUN} x="', f"{{{{ {RUN} }}}}")
"""Names of authors; git itself takes angles out of them."""
_SUBJECTS: Final = (f"{IMG}<script>{RUN}</script>", f"[press](javascript:{RUN}) {FRAME}", f"&lt;script&gt; {IMG}")


def pages() -> dict[str, str]:
    """Give the pages as they stand at last."""
    claims = "\n".join(f"- A claim.[^{name}]" for name in _SAID)
    quoting = Written("Gotcha", f"Quoting {IMG}", f"About {IMG}", claims, f"tag{IMG}", f"aliases: [{json.dumps(IMG)}]")
    forging = Written("Decision", "Forging", "It looks like ours", FORGED, verified=())
    return {
        **hostile_pages(together=8),
        "evil/gotchas/quoting.md": render("evil/gotchas/quoting.md", quoting, _SAID),
        "evil/decisions/forging.md": render("evil/decisions/forging.md", forging),
        "evil/log.md": f"# Update log\n\n## 2026-05-01\n\n* **Update**: [{IMG}](concepts/front.md), {IMG} {FRAME}\n",
    }


def hostile(place: Path) -> Ground:
    """Make the repository: every page changed twice, by people and runs with hostile names."""
    ground = empty_ground(place)
    for path, raw in starting_files("harbour", "none"):
        ground.write(path, raw)
    with (place / "mkdocs.yml").open("a", encoding="utf-8") as configuration:
        configuration.write("\nextra:\n  wikimill:\n    csp: ''\n")
    for path, text in observation_files(_SAID).items():
        ground.write(f"observations/{path}", text)
    moves = [{"from": f"evil/concepts/{name}", "to": "evil/concepts/front.md"} for name in NAMES]
    ground.write("wiki/.ledger/moved.jsonl", "".join(json.dumps(move) + "\n" for move in moves))
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg"><script>{RUN}</script></svg>'
    ground.write("wiki/evil/drawing.svg", drawing)
    last = pages()
    first = {path: text.replace("src=x", "src=z").replace("A claim.", f"A {IMG} claim.") for path, text in last.items()}
    second = {path: f"{text}\n<svg onload={RUN}></svg> {IMG}\n" for path, text in first.items()}
    for version, author, subject in zip((first, second, last), _AUTHORS, _SUBJECTS, strict=True):
        for path, text in version.items():
            ground.write(f"wiki/{path}", text)
        named = {**ground.environment, "GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": f'"{RUN}"@evil.invalid'}
        trailers = f"Session: evil/{IMG}\nModel: {IMG}<script>{RUN}</script>\nObservations: {IMG}"
        Ground(place, named).commit(f"{subject}\n\n{trailers}" if version is not second else subject)
    ground.git("branch", "-q", BRANCHES[0])
    ground.git("symbolic-ref", "HEAD", f"refs/heads/{BRANCHES[0]}")
    return ground
