"""Asks axe, which the test extra brings, what hinders people on the page that a browser shows."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tests.browser.surfing import Browser

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice")

_RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, { runOnly: { type: "tag", values: %s } }).then(
  (found) => done(found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`))),
  (fault) => done([String(fault)]),
);
"""


def violations(browser: Browser) -> list[str]:
    """Tell each violation in a line: the rule, the element, and what is wrong with it."""
    browser.driver.execute_script(_axe())
    browser.driver.set_script_timeout(60)
    return cast("list[str]", browser.driver.execute_async_script(_RUN % list(RULES)))


@lru_cache(maxsize=1)
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
