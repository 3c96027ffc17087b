"""A picture made from a userid, in the colours of the page's theme."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from django.utils.safestring import SafeString, mark_safe

# In a field of 10 by 10, whose corner at the top left is that of the picture or of a side's field.
_SHAPES = (
    "M0 0H10V10H0Z",
    "M0 0H10V10Z",
    "M5 0L10 5L5 10L0 5Z",
    "M0 10A10 10 0 0 1 10 0V10Z",
    "M0 0A10 10 0 0 0 10 10V0Z",
    "M5 1A4 4 0 0 1 5 9A4 4 0 0 1 5 1Z",
    "M0 0L10 5L0 10Z",
    "M0 5H5V0H10V10H0Z",
)
_COLOURS = 6  # classes `c0`, `c1` … of people.css
_MOST_KEPT = 2_000  # pictures, of 500 bytes each


@lru_cache(_MOST_KEPT)
def identicon(userid: str) -> SafeString:
    """Return the picture of a player, an SVG: the same for each way to write the userid.

    Nine fields: four corners and four sides, each the one before turned by a quarter, and the
    centre. It stands beside the name, so that it says nothing to ears.
    """
    corner, side, centre, colour, second = sha256(userid.lower().encode()).digest()[:5]
    other = (colour + 1 + second % (_COLOURS - 1)) % _COLOURS
    drawn = (
        _four(_SHAPES[corner % len(_SHAPES)], 0, f"c{colour % _COLOURS}"),
        _four(_SHAPES[side % len(_SHAPES)], 10, f"c{other}"),
        f'<path class="c{other if centre & 1 else colour % _COLOURS}" '
        f'transform="translate(10 10)" d="{_SHAPES[centre // 2 % len(_SHAPES)]}"/>',
    )
    # Nothing of the userid is written.
    return mark_safe(  # noqa: S308
        f'<svg class="face" viewBox="-4 -4 38 38" aria-hidden="true">{"".join(drawn)}</svg>'
    )


def _four(shape: str, x: int, colour: str) -> str:
    turned = "".join(
        f'<path transform="rotate({angle} 15 15) translate({x} 0)" d="{shape}"/>'
        for angle in (0, 90, 180, 270)
    )
    return f'<g class="{colour}">{turned}</g>'
