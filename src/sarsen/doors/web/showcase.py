"""One position of each game worth looking at, for pages that introduce it."""

from __future__ import annotations

from functools import cache

from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.games import load

# Options, and moves from the start. The first two are the sample games of the old
# server's help pages, each stopped while it is open.
SHOWN = {
    "druid": (
        "",
        "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5",
    ),
    "gyges": ("", "231123 321123 16-35 61-53 15-24 66x65=21 13-14-24x35=33 62x53=36"),
    "vasco": ("", "e1 f4 c16 f8 c24 d22 f1 c30 e14"),
    "visavis": (
        "-size=11",
        "f6 e6 d8 c8 b10 e4 h6 f7 f8 d9 c7 c6 d10 f2 j5 f9 f10 h10 h9",
    ),
}


@cache
def showpiece(name: str) -> AnyPosition:
    """Return the position to show of a game; a plug-in's first one."""
    options, moves = SHOWN.get(name, ("", ""))
    return replayed(load(name).start(options), moves.split())
