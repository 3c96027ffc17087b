"""The colours of a terminal: all of them, sixteen, or none."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache

from rich.style import Style

from sarsen.doors.tui.characters import GROUNDS
from sarsen.doors.tui.mosaic import Character
from sarsen.drawing.palette import DARK, LIGHT


class Colours(Enum):
    """How many colours there are."""

    MANY = "many"
    SIXTEEN = "sixteen"
    NONE = "none"


# What a family of roles is painted with where there are only a terminal's own colours.
_DARK_SIXTEEN = {
    "paper": "black", "ground": "black", "ground-alt": "bright_black", "shadow": "black",
    "grid": "bright_black", "ink": "bright_white", "ink-soft": "white",
    "first": "bright_red", "first-shade": "red", "first-side": "red", "first-ink": "black",
    "second": "bright_blue", "second-shade": "blue", "second-side": "blue",
    "second-ink": "black",
    "both": "bright_magenta", "both-shade": "magenta",
    "neutral": "bright_black", "neutral-shade": "white", "neutral-ink": "bright_white",
    "mark": "bright_yellow", "spot": "bright_green",
    "white": "bright_white", "white-ink": "black", "black": "bright_black",
    "black-ink": "bright_white",
}  # fmt: skip
_LIGHT_SIXTEEN = {
    "paper": "bright_white", "ground": "bright_white", "ground-alt": "white", "shadow": "white",
    "grid": "white", "ink": "black", "ink-soft": "bright_black",
    "first": "red", "first-shade": "bright_red", "first-side": "red", "first-ink": "bright_white",
    "second": "blue", "second-shade": "bright_blue", "second-side": "blue",
    "second-ink": "bright_white",
    "both": "magenta", "both-shade": "bright_magenta",
    "neutral": "white", "neutral-shade": "bright_black", "neutral-ink": "black",
    "mark": "yellow", "spot": "green",
    "white": "white", "white-ink": "black", "black": "black", "black-ink": "bright_white",
}  # fmt: skip
# Without colours sides are told apart by how dense a sign is.
_TEXTURES = {
    "first": "▓", "first-shade": "█", "first-side": "█", "second": "░", "second-shade": "▒",
    "second-side": "▒", "both": "▚", "both-shade": "▚", "neutral": "░", "neutral-shade": "░",
    "neutral-ink": "▓", "mark": "*", "spot": "+", "white": "░", "white-shade": "▒",
    "black": "▓", "black-shade": "█",
}  # fmt: skip
_THIN = frozenset("─│╱╲·•▁▔▎")


def palette(colours: Colours, *, is_dark: bool) -> Mapping[str, str]:
    """Return the colour of every role."""
    if colours is Colours.SIXTEEN:
        named = _DARK_SIXTEEN if is_dark else _LIGHT_SIXTEEN
        return {role: named.get(role) or named[role.partition("-")[0]] for role in LIGHT}
    return DARK if is_dark else LIGHT


@lru_cache(maxsize=4096)
def style_of_cell(cell: Character, colours: Colours, is_dark: bool) -> tuple[str, Style]:
    """Return the sign and the style of a cell."""
    if colours is Colours.NONE:
        return _plain(cell), Style(bold=cell.is_bold)
    roles = palette(colours, is_dark=is_dark)
    return cell.sign, Style(
        color=roles.get(cell.front, roles["ink"]),
        bgcolor=roles.get(cell.behind, roles["paper"]),
        bold=cell.is_bold,
    )


@lru_cache(maxsize=4096)
def highlighted(
    cell: Character, colours: Colours, is_dark: bool, role: str, is_cursor: bool
) -> tuple[str, Style]:
    """Return a cell below the cursor, or of a spot that was tapped or leads on."""
    sign, style = style_of_cell(cell, colours, is_dark)
    if colours is Colours.NONE:
        return sign, style + Style(reverse=is_cursor, underline=not is_cursor, bold=True)
    roles = palette(colours, is_dark=is_dark)
    front, behind = cell.front, cell.behind
    if cell.sign == " ":
        # A stone shows through the cursor.
        sign = " " if behind in GROUNDS else "▒"
        front = behind
    elif cell.sign.isalnum():
        # The letter on a stone takes the stone's colour, for the stone is covered.
        is_owned = behind.partition("-")[0] in ("first", "second", "both")
        front = behind if is_owned else "paper"
    elif front in GROUNDS:
        return sign, Style(color=roles[role], bgcolor=roles[behind], bold=True)
    return sign, Style(color=roles[front], bgcolor=roles[role], bold=True)


def _plain(cell: Character) -> str:
    if cell.sign.isalnum():
        return cell.sign
    if cell.behind not in GROUNDS and cell.behind in _TEXTURES:
        return _TEXTURES[cell.behind]
    if cell.sign == " " or cell.front in GROUNDS:
        return " "
    if cell.sign in _THIN and cell.front not in _TEXTURES:
        return cell.sign
    return _TEXTURES.get(cell.front, cell.sign)
