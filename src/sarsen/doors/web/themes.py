"""The colours of pages and boards, by what somebody chose and what the device asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from sarsen.drawing import palette
from sarsen.drawing.svg import STRIPES, style_rules


@dataclass(frozen=True)
class Theme:
    """The colours of boards, and those that only pages have."""

    boards: Mapping[str, str]
    page: Mapping[str, str]

    def variables(self) -> str:
        """Write them as variables of CSS."""
        return "".join(f"--{name}:{it};" for name, it in {**self.boards, **self.page}.items())


_LIGHT = {
    "quiet": "#675c46",
    "link": "#1d4a70",
    "accent": "#8f2f1d",
    "rule": "#ddd1b8",
    "panel": "#f3ecdd",
}
_DARK = {
    "quiet": "#b3a78e",
    "link": "#8cc0ea",
    "accent": "#f0977f",
    "rule": "#40392f",
    "panel": "#24201b",
}
_SAFE_LIGHT = {
    "quiet": "#5c5e63",
    "link": "#0c2f73",
    "accent": "#8a3a00",
    "rule": "#d5d3c8",
    "panel": "#f0efe9",
}
_SAFE_DARK = {
    "quiet": "#a4a8b1",
    "link": "#94bdf7",
    "accent": "#ffb13d",
    "rule": "#3b3e46",
    "panel": "#1d1f24",
}
_CONTRAST_LIGHT = {
    "quiet": "#333333",
    "link": "#001f66",
    "accent": "#8a1c00",
    "rule": "#000000",
    "panel": "#ffffff",
}
_CONTRAST_DARK = {
    "quiet": "#d6d6d6",
    "link": "#9cc7ff",
    "accent": "#ffb000",
    "rule": "#ffffff",
    "panel": "#000000",
}
# By palette; "" is the usual one.
THEMES = {
    "": (Theme(palette.LIGHT, _LIGHT), Theme(palette.DARK, _DARK)),
    "safe": (Theme(palette.SAFE_LIGHT, _SAFE_LIGHT), Theme(palette.SAFE_DARK, _SAFE_DARK)),
    "contrast": (
        Theme(palette.CONTRAST_LIGHT, _CONTRAST_LIGHT),
        Theme(palette.CONTRAST_DARK, _CONTRAST_DARK),
    ),
}
# Of pictures that are files of their own: the colours, and whether one side is striped.
PICTURES: dict[str, tuple[Mapping[str, str], bool]] = {
    "light": (palette.LIGHT, False),
    "dark": (palette.DARK, False),
    "safe": (palette.SAFE_LIGHT, False),
    "safe-dark": (palette.SAFE_DARK, False),
    "contrast": (palette.CONTRAST_LIGHT, True),
    "contrast-dark": (palette.CONTRAST_DARK, True),
    "striped": (palette.LIGHT, True),
    "dark-striped": (palette.DARK, True),
    "safe-striped": (palette.SAFE_LIGHT, True),
    "safe-dark-striped": (palette.SAFE_DARK, True),
}
MORE = "(prefers-contrast:more)"
DARKER = "(prefers-color-scheme:dark)"
_NOT_LIGHT = ":not([data-mode=light])"
_DARK_MODE = "[data-mode=dark]"
# In high contrast, and with colours that the system forces, stripes are always drawn. A page
# without their pattern, such as a framed record, shows the plain colour.
_STRIPED = (
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
    usual, contrast = THEMES[""], THEMES["contrast"]
    yield _rule(":root", usual[0])
    yield _at(DARKER, _rule(f":root{_NOT_LIGHT}", usual[1]))
    yield _rule(f":root{_DARK_MODE}", usual[1])
    yield _at(MORE, _rule(":root", contrast[0]) + _rule(f":root{_DARK_MODE}", contrast[1]))
    yield _at(f"{MORE} and {DARKER}", _rule(f":root{_NOT_LIGHT}", contrast[1]))
    for name in ("safe", "contrast"):
        light, dark = THEMES[name]
        yield _rule(f":root[data-palette={name}]", light)
        yield _at(DARKER, _rule(f":root[data-palette={name}]{_NOT_LIGHT}", dark))
        yield _rule(f":root[data-palette={name}]{_DARK_MODE}", dark)
    yield ":root{color-scheme:light dark}:root[data-mode=light]{color-scheme:light}"
    yield f":root{_DARK_MODE}{{color-scheme:dark}}"
    yield style_rules()
    yield f"#{STRIPES} rect{{fill:var(--second)}}#{STRIPES} rect+rect{{fill:var(--second-stripe)}}"
    for those in ("[data-striped]", "[data-palette=contrast]"):
        yield _STRIPED.format(those)
    yield _at(MORE, _STRIPED.format(":root:not([data-palette=safe])"))
    forced = "".join(f"--{role}:{colour};" for role, colour in _FORCED.items())
    kept = f".board,.swatch,#{STRIPES}{{forced-color-adjust:none;{forced}}}"
    thin = f"#{STRIPES} rect+rect{{width:1px}}"
    yield _at("(forced-colors:active)", kept + _STRIPED.format(":root") + thin)


def _rule(selector: str, theme: Theme) -> str:
    return f"{selector}{{{theme.variables()}}}"


def _at(condition: str, rules: str) -> str:
    return f"@media {condition}{{{rules}}}"
