"""A position drawn once for all letters that show it: both players get the same board."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.mail.send import pictures
from sarsen.language.translating import spoken

MOST_KEPT = 128


@dataclass(frozen=True)
class Drawn:
    """One position as a letter shows it; the picture is PNG, or None."""

    text: str
    words: str
    picture: bytes | None


def draw(position: AnyPosition, *, with_picture: bool) -> Drawn:
    """Draw a position, or give what was drawn of it before."""
    # By identity: equal positions may differ in what their last move is marked by.
    key = (id(position), with_picture, spoken())
    if key in _kept:
        return _kept[key][1]
    picture = pictures.picture(position) if with_picture else None
    drawn = Drawn(drawing.text(position), drawing.describe(position), picture)
    _kept[key] = (position, drawn)  # with the position, so that its identity is not given again
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return drawn


_kept: OrderedDict[tuple[int, bool, str], tuple[AnyPosition, Drawn]] = OrderedDict()
