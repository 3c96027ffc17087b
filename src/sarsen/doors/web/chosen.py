"""The colours that somebody has chosen: what a cookie and an account keep of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest

from sarsen.doors.web.speaker import speaker
from sarsen.doors.web.themes import DARKER, MORE, PICTURES

COOKIE = "colours"
_MODES = ("light", "dark")
_PALETTES = ("safe", "contrast")
_STRIPED = "striped"


@dataclass(frozen=True)
class Chosen:
    """Say in which colours pages are shown.

    Attributes:
        mode: `light` or `dark`; "" as the device is.
        palette: `safe` or `contrast`; "" for the usual one, or what the device asks for.
        is_striped: The second side's pieces are striped, in every palette.
    """

    mode: str = ""
    palette: str = ""
    is_striped: bool = False

    @classmethod
    def of(cls, mode: str, palette: str, *, is_striped: bool) -> Self:
        """Take what a form says; what is none of ours counts as nothing."""
        return cls(
            mode if mode in _MODES else "",
            palette if palette in _PALETTES else "",
            is_striped,
        )

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what `write` has written; words that are none of ours are left out."""
        words = set(text[:40].split("."))
        mode = next((one for one in _MODES if one in words), "")
        palette = next((one for one in _PALETTES if one in words), "")
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
        for palette, asked in palettes:
            if not self.mode:
                yield self._theme(palette, "dark"), " and ".join(filter(None, (asked, DARKER)))
            yield self._theme(palette, self.mode), asked

    def _theme(self, palette: str, mode: str) -> str:
        words = [palette, "dark" if mode == "dark" else ""]
        name = "-".join(filter(None, [*words, _STRIPED if self.is_striped else ""]))
        if name not in PICTURES:  # high contrast is always striped; nothing at all is light
            name = "-".join(filter(None, words)) or "light"
        return name


def chosen_by(request: HttpRequest) -> Chosen:
    """Return what the account says, or else the cookie of this browser."""
    player = speaker(request)
    kept = player.colours if player else ""
    return Chosen.read(kept or request.COOKIES.get(COOKIE, ""))
