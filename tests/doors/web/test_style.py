"""Colours of text stand out enough in both themes (WCAG AA, 4.5 to 1)."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from sarsen.drawing.palette import DARK, LIGHT

PAGE = files("sarsen.doors.web").joinpath("static", "web", "page.css").read_text("utf-8")
LIGHT_PART, DARK_PART = re.findall(r":root \{(.*?)\}", PAGE, re.DOTALL)[:2]


def colours(part: str, palette: dict[str, str]) -> dict[str, str]:
    return palette | dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", part))


def luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("text", ["ink", "quiet", "link", "accent"])
@pytest.mark.parametrize("ground", ["paper", "panel"])
def test_text_stands_out(theme: str, text: str, ground: str) -> None:
    found = colours(*((LIGHT_PART, LIGHT) if theme == "light" else (DARK_PART, DARK)))
    assert contrast(found[text], found[ground]) >= 4.5


def test_both_themes_name_the_same_colours() -> None:
    names = [set(colours(part, {})) for part in (LIGHT_PART, DARK_PART)]
    assert names[0] == names[1]
