"""Themes: the colours of boards and pages, by palette and mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sarsen.drawing import palette


@dataclass(frozen=True)
class Theme:
    """The colours of boards, and those that only pages have."""

    boards: Mapping[str, str]
    page: Mapping[str, str]

    def variables(self) -> str:
        """Write them as variables of CSS."""
        return "".join(
            f"--{name}:{colour};" for name, colour in {**self.boards, **self.page}.items()
        )


# `back` is the page behind the cards, `go` the button that plays, `mark-ink` writing on the
# amber of `mark`; `first` and `second` stay with the players.
PAGE_ROLES = (
    *("quiet", "link", "accent", "rule", "panel"),
    *("back", "card", "go", "go-ink", "mark-ink"),
)


def _page(*colours: str) -> dict[str, str]:
    return dict(zip(PAGE_ROLES, colours, strict=True))


_LIGHT = _page(
    *("#675c46", "#1d4a70", "#8f2f1d", "#ddd1b8", "#f3ecdd"),
    *("#f4efe4", "#fffdf8", "#4a762a", "#ffffff", "#1d1606"),
)
_DARK = _page(
    *("#b3a78e", "#8cc0ea", "#f0977f", "#40392f", "#24201b"),
    *("#14130f", "#211f1a", "#8fbf62", "#10150a", "#1d1606"),
)
_SAFE_LIGHT = _page(
    *("#5c5e63", "#0c2f73", "#8a3a00", "#d5d3c8", "#f0efe9"),
    *("#f1f1ee", "#ffffff", "#0a6e50", "#ffffff", "#06171b"),
)
_SAFE_DARK = _page(
    *("#a4a8b1", "#94bdf7", "#ffb13d", "#3b3e46", "#1d1f24"),
    *("#0f1012", "#1a1c20", "#4fc48e", "#06170f", "#10131a"),
)
_CONTRAST_LIGHT = _page(
    *("#333333", "#001f66", "#8a1c00", "#000000", "#ffffff"),
    *("#ffffff", "#ffffff", "#00562c", "#ffffff", "#000000"),
)
_CONTRAST_DARK = _page(
    *("#d6d6d6", "#9cc7ff", "#ffb000", "#ffffff", "#000000"),
    *("#000000", "#000000", "#50d890", "#000000", "#000000"),
)
_WOOD_LIGHT = _page(
    *("#54401f", "#123a68", "#7a1b0c", "#d8c39c", "#f5ead5"),
    *("#f1e4cb", "#fdf7ea", "#4a6a1c", "#ffffff", "#1d1606"),
)
_WOOD_DARK = _page(
    *("#c9b28f", "#9ccaf5", "#ffa184", "#4d3a28", "#2a1e13"),
    *("#140e09", "#231911", "#9fca62", "#10150a", "#1d1606"),
)
_EBONY_LIGHT = _page(
    *("#4c3718", "#123a68", "#7a1b0c", "#b9965f", "#ecdab6"),
    *("#e6d2ab", "#f7ecd6", "#3f5f14", "#ffffff", "#1d1606"),
)
_EBONY_DARK = _page(
    *("#dcc7a4", "#b5d8fb", "#ffb8a0", "#5d472f", "#33251a"),
    *("#221810", "#2f2218", "#a9d26c", "#10150a", "#1d1606"),
)
# By palette; "" is the usual one.
THEMES = {
    "": (Theme(palette.LIGHT, _LIGHT), Theme(palette.DARK, _DARK)),
    "wood": (Theme(palette.WOOD_LIGHT, _WOOD_LIGHT), Theme(palette.WOOD_DARK, _WOOD_DARK)),
    "ebony": (Theme(palette.EBONY_LIGHT, _EBONY_LIGHT), Theme(palette.EBONY_DARK, _EBONY_DARK)),
    "safe": (Theme(palette.SAFE_LIGHT, _SAFE_LIGHT), Theme(palette.SAFE_DARK, _SAFE_DARK)),
    "contrast": (
        Theme(palette.CONTRAST_LIGHT, _CONTRAST_LIGHT),
        Theme(palette.CONTRAST_DARK, _CONTRAST_DARK),
    ),
}
# Of pictures that are files of their own: the colours, and whether one side is striped.
PICTURES: dict[str, tuple[Mapping[str, str], bool]] = {
    "-".join(filter(None, (name, mode, striped))) or "light": (
        theme.boards,
        bool(striped) or name == "contrast",
    )
    for name, pair in THEMES.items()
    for mode, theme in zip(("", "dark"), pair, strict=True)
    for striped in ("", "striped")
    if not (striped and name == "contrast")  # which is striped anyway
}
MORE = "(prefers-contrast:more)"
DARKER = "(prefers-color-scheme:dark)"
