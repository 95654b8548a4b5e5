"""The style keeps its promises: contrast enough to read in both schemes, nothing fetched, a printable page."""

from __future__ import annotations

import re

import pytest

from pipeline.reading.template import site_files

FILES = site_files()
CSS = FILES["site/overrides/assets/wikimill.css"].decode()
OWN = ("wikimill.js", "-base.js", "-browse.js", "-lost.js", "-map.js", "-palette.js", "-redirect.js")
TEXT = [
    "wm-ink",
    "wm-quiet",
    "wm-accent",
    "wm-good",
    "wm-fair",
    "wm-poor",
    "md-code-fg-color",
    *(
        f"md-code-hl-{kind}-color"
        for kind in ("comment", "constant", "function", "keyword", "number", "special", "string")
    ),
]
GROUNDS = ["md-default-bg-color", "wm-raised", "md-code-bg-color", "md-primary-fg-color"]


def colours(scheme: str) -> dict[str, str]:
    block = CSS.split(f'[data-md-color-scheme="{scheme}"] {{', 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_rightly() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("text", TEXT)
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read(scheme: str, text: str, ground: str) -> None:
    found = colours(scheme)

    assert contrast(found[text], found[ground]) >= 4.5


def test_print_leaves_controls_out() -> None:
    printed = CSS.split("@media print", 1)[1]

    assert all(name in printed for name in (".md-header", ".headerlink", ".wm-trail", ".wm-act", ".md-top"))


def test_nothing_is_fetched() -> None:
    assert "url(" not in CSS
    assert "@import" not in CSS


def test_nothing_depends_on_the_direction_of_writing() -> None:
    sides = r"^\s*(?:(?:margin|padding|border|inset)-)?(?:left|right)(?:-[a-z]+)?:.*$|text-align: (?:left|right)"

    assert re.findall(sides, CSS, re.MULTILINE) == []


def test_motion_stops_for_those_who_ask() -> None:
    assert "prefers-reduced-motion: reduce" in CSS


def test_style_and_scripts_stay_small() -> None:
    scripts = [raw for path, raw in FILES.items() if path.endswith(OWN)]

    assert len(scripts) == len(OWN)
    assert len(CSS.encode()) < 40_000
    assert sum(map(len, scripts)) < 30_000


def test_scripts_write_no_html_and_run_no_text() -> None:
    risky = rb"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"

    assert [path for path, raw in FILES.items() if path.endswith(".js") and re.search(risky, raw)] == []


def test_templates_hold_no_script_of_their_own() -> None:
    inline = rb"<script(?![^>]*\bsrc=)|\son[a-z]+=|javascript:"

    assert [path for path, raw in FILES.items() if path.endswith(".html") and re.search(inline, raw)] == []
