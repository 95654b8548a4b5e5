"""The style keeps its promises: contrast enough to read in both schemes, nothing fetched, a printable page."""

from __future__ import annotations

import re

import pytest

from pipeline.reading.template import site_files

CSS = site_files()["site/overrides/assets/wikimill.css"].decode()
TEXT = [
    "wm-ink",
    "wm-quiet",
    "wm-accent",
    "wm-good",
    "wm-fair",
    "wm-poor",
    "md-code-fg-color",
    "md-code-hl-comment-color",
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

    assert all(name in printed for name in (".md-content__button", ".headerlink", ".wm-trail", ".md-top"))


def test_nothing_is_fetched() -> None:
    assert "url(" not in CSS
    assert "@import" not in CSS
