"""Takes pictures of a built site: `python -m tests.browser.screenshot SITE OUT [PATH ...]`.

For each path (by default the home page and a few pages of the sample) one picture at 390, 768 and 1440 pixels, light
and dark. With `--sample` as SITE the sample wiki is built first.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from pipeline.reading.build import build_site
from tests.browser.surfing import free_port, open_browser, serving
from tests.reading.sample import write_repository

WIDTHS = {390: 844, 768: 1024, 1440: 900}
SAMPLE = ["", "tidemark/decisions/session-cookies/", "tidemark/decisions/jwt-login/", "tidemark/concepts/readings/"]


def main(site: str, out: str, paths: list[str]) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        port = free_port()
        place = Path(site)
        if site == "--sample":
            root = write_repository(Path(scratch))
            environment = {
                **os.environ,
                "SITE_URL": f"http://127.0.0.1:{port}/",
                "REPO_URL": "https://github.com/harbour/wiki",
            }
            place = build_site(root, environment=environment).output
        with serving(place, port) as address:
            for scheme in ("light", "dark"):
                with open_browser() as browser:
                    browser.prefer(scheme)
                    for width, height in WIDTHS.items():
                        browser.resize(width, height)
                        for path in paths or SAMPLE:
                            browser.open(address + path.strip("/") + "/" if path.strip("/") else address)
                            name = path.strip("/").replace("/", "-") or "home"
                            browser.picture(folder / f"{name}-{width}-{scheme}.png")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
