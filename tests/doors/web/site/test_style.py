"""Colours of text stand out enough in every theme (WCAG AA, 4.5 to 1); each class has a use."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from sarsen.doors import web
from sarsen.doors.web.frame.themes import THEMES

WEB = Path(web.__file__).parent
CODE = re.compile(r"\{%.*?%\}|[\w-]*\{\{.*?\}\}[\w-]*")
ALL = [
    pytest.param({**theme.boards, **theme.page}, least, id=f"{name or 'usual'} {mode}")
    for name, both in THEMES.items()
    for (mode, theme), least in zip(
        zip(("light", "dark"), both, strict=True),
        [7.0 if name == "contrast" else 4.5] * 2,
        strict=True,
    )
]


def luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("theme", "least"), ALL)
def test_text_stands_out(theme: dict[str, str], least: float) -> None:
    pairs = product(("ink", "quiet", "link", "accent"), ("paper", "panel", "back", "card"))
    found = {pair: contrast(theme[pair[0]], theme[pair[1]]) for pair in pairs}
    assert [pair for pair, far in found.items() if far < least] == []


@pytest.mark.parametrize(("theme", "least"), ALL)
def test_writing_on_buttons_stands_out(theme: dict[str, str], least: float) -> None:
    assert contrast(theme["go-ink"], theme["go"]) >= least
    assert contrast(theme["mark-ink"], theme["mark"]) >= 4.5
    assert contrast(theme["paper"], theme["accent"]) >= 4.5


def test_all_themes_name_the_same_colours() -> None:
    names = {(*theme.boards, *theme.page) for both in THEMES.values() for theme in both}
    assert len(names) == 1


def test_each_class_of_a_template_is_used_by_a_style_sheet_or_a_script() -> None:
    static = WEB / "static" / "web"
    used = set(
        re.findall(r"\.([a-zA-Z][\w-]*)", "".join(map(Path.read_text, static.glob("*.css"))))
    )
    used |= set(re.findall(r"[\w-]+", "".join(map(Path.read_text, static.glob("**/*.js")))))
    unused = {
        (path.name, word)
        for path in (WEB / "templates").rglob("*.html")
        for words in re.findall(r'class="([^"]*)"', path.read_text())
        for word in CODE.sub(" ", words).split()
        if word not in used
    }
    # What is no name belongs to a tag that has quotation marks of its own.
    assert {one for one in unused if re.fullmatch(r"[\w-]+", one[1])} == set()
