"""A headless Chromium and a loopback server for a built site, each ended by the block that opened it."""

from __future__ import annotations

import base64
import contextlib
import functools
import http.server
import json
import shutil
import socket
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, urlsplit

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selenium.webdriver.remote.webelement import WebElement

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder as a static host would, its 404 page included, and tells nobody about it."""

    def log_message(self, *_: object) -> None:
        return

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(str(self.directory)) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def serving(folder: Path, port: int, host: str = "127.0.0.1") -> Iterator[str]:
    """Serve `folder`; gives its address, as seen by the browser under the name `host`."""
    handler = functools.partial(_Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{host}:{port}/"
        finally:
            server.shutdown()
            thread.join()


class Browser:
    """What the tests do with a browser."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        self.driver.get(address)

    def resize(self, width: int, height: int) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
        )

    def prefer(self, scheme: str) -> None:
        """Prefer a colour scheme, and no motion: what is asked of a page then does not depend on the moment."""
        wished = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wished.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def picture(self, path: Path, *, whole: bool = False) -> None:
        time.sleep(0.4)
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(shot["data"]))

    def ask(self, script: str) -> object:
        return cast("object", self.driver.execute_script(script))

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, holds: Callable[[], object], seconds: float = 15) -> None:
        end = time.monotonic() + seconds
        while not self._settled(holds):
            assert time.monotonic() < end, f"did not become true within {seconds} s at {self.driver.current_url}"
            time.sleep(0.05)

    def _settled(self, holds: Callable[[], object]) -> bool:
        """Ask a page that may be changing meanwhile."""
        try:
            return bool(holds())
        except (NoSuchElementException, StaleElementReferenceException):
            return False

    def search(self, site: str, words: str) -> list[str]:
        """Ask the page of results of a site; gives the addresses found, in order."""
        self.open(f"{site}search/?q={quote(words)}")
        self.wait(lambda: self.all("#wm-search[aria-busy=false]"))
        return cast(
            "list[str]", self.ask("return [...document.querySelectorAll('.wm-found a')].map(link => link.href)")
        )

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def point(self, selector: str) -> None:
        ActionChains(self.driver).move_to_element(self.find(selector)).perform()

    def focused(self) -> str:
        return str(self.ask("const it = document.activeElement; return it.id || it.name || it.textContent.trim()"))

    def complaints(self) -> list[str]:
        """What the console said since the last call."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def requests(self) -> list[str]:
        """The addresses requested since the last call."""
        found = []
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                found.append(str(event["params"]["request"]["url"]))
        return found


@contextlib.contextmanager
def open_browser(*, host: str = "", port: int = 0) -> Iterator[Browser]:
    """Start a Chromium with a profile of its own; `host` becomes another name of this machine, or of a port of it."""
    assert CHROMIUM
    assert DRIVER
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = Options()
        options.binary_location = CHROMIUM
        for flag in (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
            *([f"--host-resolver-rules=MAP {host} 127.0.0.1{f':{port}' if port else ''}"] if host else []),
        ):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        driver.set_page_load_timeout(60)
        # A window behind others gets no focus, and tells its page of none.
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        try:
            yield Browser(driver)
        finally:
            driver.quit()


def hosts(requests: list[str]) -> set[str]:
    """Tell from which hosts something was requested."""
    return {urlsplit(address).hostname or "" for address in requests if address.startswith(("http:", "https:", "ws"))}
