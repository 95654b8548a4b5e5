"""Benchmark of how many steps a reader needs to an answer and its source; not collected by pytest.

    python -m tests.benchmarks.reading_tasks SITE TASKS

SITE is a built site, TASKS a JSON file: a list of {"question", "way", "answer", "source"}. A way begins on the home
page and is a list of steps: {"type": words} presses `/` and types into the search, {"choose": words} clicks the
suggestion or link that shows these words. The answer must then be seen on the page, and one more step, pointing at the
number behind the answer, must show words of the observation that it rests on.

A step is one click, one thing typed, or one pointing. Prints for each question its steps and its keystrokes, and exits
with 1 when an answer or a source is not reached or takes more than four steps.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains

from tests.browser.surfing import Browser, free_port, open_browser, serving

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

MOST_STEPS = 4


class Task(TypedDict):
    question: str
    way: list[dict[str, str]]
    answer: str
    source: str


def seen(browser: Browser, words: str) -> list[WebElement]:
    """Find what shows these words, the innermost elements first."""
    found = "//*[contains(normalize-space(.), $words)]"
    quoted = "concat('" + words.replace("'", "', \"'\", '") + "', '')"
    innermost = f"{found.replace('$words', quoted)}[not(.{found.replace('$words', quoted)})]"
    return [one for one in browser.driver.find_elements("xpath", innermost) if one.is_displayed()]


def choose(browser: Browser, words: str) -> None:
    """Click the first visible link or suggestion that holds these words."""
    ways = ".wm-find-list [role=option], article a, .md-nav a, .wm-find-list a"

    def wanted() -> list[WebElement]:
        return [one for one in browser.all(ways) if words in one.text and one.is_displayed()]

    browser.wait(wanted)
    before = browser.driver.current_url
    wanted()[0].click()
    browser.wait(lambda: browser.driver.current_url != before)


def source_of(browser: Browser, answer: str, source: str) -> None:
    """Point at the number of the footnote behind an answer, and see the words of the observation."""
    browser.wait(lambda: seen(browser, answer))
    element = seen(browser, answer)[0]
    mark = element.find_element("xpath", "ancestor-or-self::*[.//sup//a][1]//sup//a")
    browser.ask(f"document.getElementById({mark.get_attribute('id') or ''!r})?.scrollIntoView({{block: 'center'}})")
    ActionChains(browser.driver).scroll_to_element(mark).move_to_element(mark).perform()
    browser.wait(lambda: any(source in one.text for one in browser.all(".md-tooltip2--active, .md-tooltip2")), 5)


def walk(browser: Browser, home: str, task: Task) -> tuple[int, int]:
    """Go the way of a task; gives its steps and its keystrokes."""
    browser.open(home)
    steps = keys = 0
    for step in task["way"]:
        if "type" in step:
            browser.driver.switch_to.active_element.send_keys("/")
            browser.driver.switch_to.active_element.send_keys(step["type"])
            keys += 1 + len(step["type"])
        else:
            choose(browser, step["choose"])
        steps += 1
    source_of(browser, task["answer"], task["source"])
    return steps + 1, keys


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("tasks", type=Path)
    given = parser.parse_args()
    tasks: list[Task] = json.loads(given.tasks.read_text("utf-8"))
    failed = 0
    with serving(given.site, free_port()) as home, open_browser() as browser:
        browser.resize(1280, 900)
        for task in tasks:
            told = " > ".join(f"{name} “{words}”" for step in task["way"] for name, words in step.items())
            try:
                steps, keys = walk(browser, home, task)
                holds = steps <= MOST_STEPS
                print(f"{'ok    ' if holds else 'LONG  '} {steps} steps, {keys:2} keys: {task['question']}  [{told}]")
            except (AssertionError, WebDriverException, IndexError) as fault:
                holds = False
                print(f"FAILED {task['question']}  [{told}]: {str(fault).splitlines()[0]}")
            failed += not holds
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
