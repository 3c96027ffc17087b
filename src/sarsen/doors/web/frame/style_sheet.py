"""The style sheet of every theme, and the version that stands in its address."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256

from sarsen.doors.web.frame.themes import DARKER, MORE, THEMES, Theme
from sarsen.drawing import palette
from sarsen.drawing.svg import STRIPES, style_rules

_NOT_LIGHT = ":not([data-mode=light])"
_DARK_MODE = "[data-mode=dark]"
# In high contrast, and with colours that the system forces, stripes are always drawn. A page
# without their pattern, such as a framed record, shows the plain colour.
_THEMES_STRIPED = (
    "{0} .board .f-second{{fill:url(#" + STRIPES + ") var(--second)}}"
    "{0} .board .s-second{{stroke:url(#" + STRIPES + ") var(--second)}}"
    "{0} .swatch.second{{background:repeating-linear-gradient(135deg,var(--second) 0 3px,"
    "var(--second-stripe) 3px 5px)}}"
)
# One side is full, the other hollow, whatever colours the system has.
_FORCED = {
    **dict.fromkeys(palette.LIGHT, "CanvasText"),
    **dict.fromkeys(("paper", "ground", "ground-alt", "neutral", "shadow"), "Canvas"),
    **dict.fromkeys(("first-ink", "second"), "Canvas"),
    **dict.fromkeys(("grid", "first-shade", "first-side"), "GrayText"),
    **dict.fromkeys(("second-side", "second-stripe", "both"), "GrayText"),
    # Which of the two is `Canvas` depends on the mode; their outlines show on either.
    **dict.fromkeys(("white", "black-ink"), "#fff"),
    **dict.fromkeys(("black", "white-ink"), "#000"),
    "mark": "Highlight",
    "spot": "LinkText",
}


def style_sheet() -> str:
    """Write the variables of every theme, and the rules that use them on boards."""
    return "".join(_rules())


@cache
def style_version() -> str:
    """Name the present style sheet; pages put it into the address."""
    return sha256(style_sheet().encode()).hexdigest()[:12]


def _rules() -> Iterator[str]:
    default, contrast = THEMES[""], THEMES["contrast"]
    yield _rule(":root,[data-mode=light]", default[0])
    yield _at(DARKER, _rule(f":root{_NOT_LIGHT}", default[1]))
    yield _rule(_DARK_MODE, default[1])
    yield _at(MORE, _rule(":root", contrast[0]) + _rule(f":root{_DARK_MODE}", contrast[1]))
    yield _at(f"{MORE} and {DARKER}", _rule(f":root{_NOT_LIGHT}", contrast[1]))
    for name, (light, dark) in THEMES.items():
        if not name:
            continue
        yield _rule(f":root[data-palette={name}]", light)
        yield _at(DARKER, _rule(f":root[data-palette={name}]{_NOT_LIGHT}", dark))
        yield _rule(f":root[data-palette={name}]{_DARK_MODE}", dark)
    yield ":root{color-scheme:light dark}[data-mode=light]{color-scheme:light}"
    yield f"{_DARK_MODE}{{color-scheme:dark}}"
    yield style_rules()
    yield f"#{STRIPES} rect{{fill:var(--second)}}#{STRIPES} rect+rect{{fill:var(--second-stripe)}}"
    for selector in ("[data-striped]", "[data-palette=contrast]"):
        yield _THEMES_STRIPED.format(selector)
    yield _at(MORE, _THEMES_STRIPED.format(":root:not([data-palette=safe])"))
    forced = "".join(f"--{role}:{colour};" for role, colour in _FORCED.items())
    boards = f".board,.swatch,#{STRIPES}{{forced-color-adjust:none;{forced}}}"
    thin = f"#{STRIPES} rect+rect{{width:1px}}"
    yield _at("(forced-colors:active)", boards + _THEMES_STRIPED.format(":root") + thin)


def _rule(selector: str, theme: Theme) -> str:
    return f"{selector}{{{theme.variables()}}}"


def _at(condition: str, rules: str) -> str:
    return f"@media {condition}{{{rules}}}"
