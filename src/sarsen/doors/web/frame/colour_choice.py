"""The colours that a visitor has chosen: of the account, else of the browser's cookie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest

from sarsen.doors.web.frame.themes import DARKER, MORE, PICTURES, THEMES
from sarsen.doors.web.frame.visitors import speaker

COOKIE = "colours"
_MODES = ("light", "dark")
_PALETTES = tuple(filter(None, THEMES))
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
