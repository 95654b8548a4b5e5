"""Takes pictures of a built site: `python -m tests.browser.screenshot SITE OUT [PATH ...]`.

For each path (by default the home page, hubs and a few pages of the sample) one picture at 390, 768 and 1440 pixels,
light and dark. With `--sample` as SITE the sample wiki's site is built first; with `--whole` as the first path the
pictures show whole pages, and with `--print` they are PDF files of the pages as printed.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

from tests.browser.sites import HOST, published
from tests.browser.surfing import Browser, free_port, open_browser, serving

WIDTHS = {390: 844, 768: 1024, 1440: 900}
SAMPLE = [
    "",
    "tidemark/decisions/session-cookies/",
    "tidemark/decisions/jwt-login/",
    "tidemark/concepts/readings/",
    "browse/",
    "changes/",
    "health/",
    "search/?q=gauge",
    "nowhere/session-cooky/",
]


def main(site: str, out: str, paths: list[str]) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    whole, printed = "--whole" in paths, "--print" in paths
    wanted = [path.lstrip("/") for path in paths if not path.startswith("--")] or SAMPLE
    with tempfile.TemporaryDirectory() as scratch:
        port = free_port()
        place = published(Path(scratch), f"http://{HOST}:{port}/") if site == "--sample" else Path(site)
        with serving(place, port, HOST) as address:
            for scheme in ("light", "dark"):
                with open_browser(host=HOST) as browser:
                    browser.prefer(scheme)
                    for path in wanted:
                        name = path.strip("/").replace("/", "-").replace("?", "-") or "home"
                        browser.open(address + path)
                        if printed:
                            _print(browser, folder / f"{name}-{scheme}.pdf")
                            continue
                        for width, height in WIDTHS.items():
                            browser.resize(width, height)
                            browser.open(address + path)
                            browser.picture(folder / f"{name}-{width}-{scheme}.png", whole=whole)


def _print(browser: Browser, file: Path) -> None:
    told = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    file.write_bytes(base64.b64decode(told["data"]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
