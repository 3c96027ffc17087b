"""The page on which somebody chooses colours, with or without an account, and all styles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Self

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from sarsen.doors.web.site.visitors import (
    REVALIDATED,
    keep_preference,
    local_path,
    may_read_mail,
    speaker,
)
from sarsen.drawing import palette
from sarsen.drawing.svg import STRIPES, style_rules
from sarsen.games import names
from sarsen.language.translating import N_
from sarsen.services.accounts.preferences import remember


@dataclass(frozen=True)
class ColourOption:
    """A choice of the form: its value, its title, and a description."""

    value: str
    title: str
    about: str


MODES = (
    ColourOption("", N_("Same as this device"), N_("light or dark, as this device is set")),
    ColourOption("light", N_("Light"), ""),
    ColourOption("dark", N_("Dark"), ""),
)
PALETTES = (
    ColourOption("", N_("Default"), N_("red and blue; high contrast if this device is set to it")),
    ColourOption("wood", N_("Wood"), N_("red and blue pieces on a wooden board")),
    ColourOption("ebony", N_("White and black"), N_("white and black pieces on wood")),
    ColourOption(
        "safe",
        N_("Colour-blind safe"),
        N_("orange and dark blue, easy to tell apart for everyone"),
    ),
    ColourOption("contrast", N_("High contrast"), N_("strong colours, strong lines, stripes")),
)


def show_colours(request: HttpRequest) -> HttpResponse:
    """Show the choice of colours; a POST keeps it, in this browser and in the account."""
    back = local_path(request.POST.get("back", request.GET.get("back", "")))
    if request.method == "POST":
        return _choose(request, back)
    facts = {**facts_to_choose(colours_of(request)), "back": back}
    response = render(request, "web/account/colours.html", facts)
    response["Cache-Control"] = REVALIDATED
    return response


_ICONS = ("chevron-first", "chevron-left", "layers", "rotate-cw", "grip", "handshake", "settings")


def show_styles(request: HttpRequest) -> HttpResponse:
    """Show the elements of pages to their developers, at the server's own machine."""
    if not may_read_mail(request):
        raise Http404
    roles = [*_PAGE_ROLES, "ink", "paper", "mark", "first", "second"]
    facts = {"roles": roles, "icons": _ICONS, "games": names()}
    return render(request, "web/site/styles.html", facts)


def facts_to_choose(chosen: ColourChoice) -> dict[str, object]:
    """Return what the form of colours shows, with these ticked."""
    return {
        "chosen": chosen,
        "modes": MODES,
        "palettes": PALETTES,
        "games": names(),
    }


def _choose(request: HttpRequest, back: str) -> HttpResponse:
    query = f"?{urlencode({'back': back})}" if back else ""
    response = redirect(f"{reverse('colours')}{query}")
    save_colours(request, response, ColourChoice.of(request.POST))
    return response


def save_colours(request: HttpRequest, response: HttpResponse, chosen: ColourChoice) -> None:
    """Keep colours for this browser, and for the account."""
    player = speaker(request)
    if player is not None:
        remember(player, chosen.write())
    keep_preference(request, response, COOKIE, chosen.write())


COOKIE = "colours"
_MODES = tuple(option.value for option in MODES if option.value)
_PALETTES = tuple(option.value for option in PALETTES if option.value)
_STRIPED = "striped"


@dataclass(frozen=True)
class ColourChoice:
    """The colours in which pages are shown.

    Attributes:
        mode: `light` or `dark`; "" as the device is.
        palette: One of `_PALETTES`; "" for the usual one, or what the device asks for.
        is_striped: The second side's pieces are striped, in every palette.
    """

    mode: str = ""
    palette: str = ""
    is_striped: bool = False

    @classmethod
    def of(cls, form: Mapping[str, str]) -> Self:
        """Read the fields of a form; unknown values count as not chosen."""
        mode, palette = form.get("mode", ""), form.get("palette", "")
        return cls(
            mode if mode in _MODES else "",
            palette if palette in _PALETTES else "",
            form.get("striped") == "on",
        )

    def fields(self) -> dict[str, str]:
        """Return the fields of a form that `of` reads."""
        striped = "on" if self.is_striped else ""
        return {"mode": self.mode, "palette": self.palette, "striped": striped}

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the text of `write`; unknown words are left out."""
        words = set(text[:40].split("."))
        mode = next((name for name in _MODES if name in words), "")
        palette = next((name for name in _PALETTES if name in words), "")
        return cls(mode, palette, _STRIPED in words)

    def write(self) -> str:
        """Write it in a few letters that a cookie can hold."""
        words = (self.mode, self.palette, _STRIPED if self.is_striped else "")
        return ".".join(word for word in words if word) or "usual"

    @property
    def scheme(self) -> str:
        """Return what the page says of itself before its style sheet has come."""
        return self.mode or "light dark"

    def sources(self) -> Iterator[tuple[str, str]]:
        """Yield the themes of pictures, each with the query under which it is meant.

        The first that fits counts; the last one has no query.
        """
        palettes = [(self.palette, "")]
        if not self.palette:
            palettes = [("contrast", MORE), ("", "")]
        for name, query in palettes:
            if not self.mode:
                yield self._theme(name, "dark"), " and ".join(filter(None, (query, DARKER)))
            yield self._theme(name, self.mode), query

    def _theme(self, palette: str, mode: str) -> str:
        words = [palette, "dark" if mode == "dark" else ""]
        name = "-".join(filter(None, [*words, _STRIPED if self.is_striped else ""]))
        if name not in PICTURES:  # high contrast is always striped; nothing at all is light
            name = "-".join(filter(None, words)) or "light"
        return name


def colours_of(request: HttpRequest) -> ColourChoice:
    """Return what the account says, or else the cookie of this browser."""
    player = speaker(request)
    saved = player.colours if player else ""
    return ColourChoice.read(saved or request.COOKIES.get(COOKIE, ""))


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
_PAGE_ROLES = (
    *("quiet", "link", "accent", "rule", "panel"),
    *("back", "card", "go", "go-ink", "mark-ink"),
)


def _page(*colours: str) -> dict[str, str]:
    return dict(zip(_PAGE_ROLES, colours, strict=True))


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
