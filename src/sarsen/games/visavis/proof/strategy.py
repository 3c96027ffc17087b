"""The first player's win on every odd size: two colours, a first bridge, and mending.

Colour the cells like a checkerboard. The first bridge joins, on the long diagonal from
lower left to upper right, the two halves of the one colour that is in two. From then on
each colour joins all pegs of O, with what O has built; X can part one colour at most
with a bridge, and O mends it with a bridge of the other colour that leads across.
`docs/visavis-proof.md` shows that there always is one, and that O so wins.
"""

from __future__ import annotations

import numpy as np

from sarsen.games.visavis.board import O
from sarsen.games.visavis.proof.cells import LYING, UPRIGHT, Built, Cells, cells_of
from sarsen.games.visavis.proof.clumps import BOARD, group_built, open_ways
from sarsen.games.visavis.proof.weaving import join, root
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.search.compiling import compiled

BROKEN, MENDED, FREE, OVER = 0, 1, 2, 3


def openings(size: int) -> tuple[str, ...]:
    """Return the first bridges of the strategy."""
    cells = cells_of(size)
    names = (
        cells.names[O][cell][way]
        for cell, (i, j) in enumerate(cells.places)
        if i + j == cells.half
        for way in (LYING, UPRIGHT)
    )
    return tuple(name for name in names if name)


def opening(size: int) -> str:
    """Return the first bridge nearest to the middle."""
    names = openings(size)
    return names[len(names) // 2]


def reply(position: VisavisPosition) -> str:
    """Return O's next bridge, in a game in which O has followed the strategy so far."""
    cells = cells_of(position.board.size)
    if not position.bridges[O]:
        return opening(cells.size)
    bridge = np.empty(2, np.int64)
    strategy_reply(cells.ways, cells.built(position), cells.vertices, cells.colours, bridge)
    cell, way = bridge.tolist()
    return cells.names[O][cell][way]


def is_kept(cells: Cells, built: Built) -> bool:
    """Return whether each colour alone joins all pegs of O, with what O has built."""
    above = np.empty(cells.vertices, np.int64)
    return all(
        pieces(cells.ways, built, cells.vertices, cells.colours, colour, above) == 1
        for colour in range(2)
    )


@compiled(f"int64({BOARD}, int64[::1], int64, int64[::1])", counts_references=True)
def pieces(ways, built, vertices, colours, colour, above):  # type: ignore[no-untyped-def]
    """Group the vertices of O by its bridges and one colour's open ones; count the groups."""
    group_built(ways, built, vertices, O, above)
    for cell in range(built.shape[1]):
        if colours[cell] == colour:
            open_bits = open_ways(ways, built, O, cell)
            for way in range(3):
                if open_bits >> way & 1:
                    join(above, ways[O, cell, way, 0], ways[O, cell, way, 1])
    count = 0
    for vertex in range(vertices):
        count += root(above, vertex) == vertex
    return count


@compiled(f"boolean({BOARD}, int64[::1], int64, int64[::1], int64[::1])")
def _across(ways, built, vertices, colours, colour, above, bridge):  # type: ignore[no-untyped-def]
    """Find an open bridge of O between two groups, of a colour, or of any for -1."""
    for cell in range(built.shape[1]):
        if colour < 0 or colours[cell] == colour:
            open_bits = open_ways(ways, built, O, cell)
            for way in range(3):
                start, end = ways[O, cell, way]
                if open_bits >> way & 1 and root(above, start) != root(above, end):
                    bridge[0], bridge[1] = cell, way
                    return True
    return False


@compiled(f"int64({BOARD}, int64[::1], int64[::1])", counts_references=True)
def strategy_reply(ways, built, vertices, colours, bridge):  # type: ignore[no-untyped-def]
    """Find the strategy's reply.

    Gives MENDED with a bridge that rejoins the colour in two; FREE when both are whole,
    with any bridge that joins something new; OVER when none is left to join; BROKEN
    never, if the theorem is true.
    """
    above = np.empty(vertices, np.int64)
    for colour in range(2):
        if pieces(ways, built, vertices, colours, colour, above) > 1:
            is_mended = _across(ways, built, vertices, colours, 1 - colour, above, bridge)
            return MENDED if is_mended else BROKEN
    group_built(ways, built, vertices, O, above)
    return FREE if _across(ways, built, vertices, colours, -1, above, bridge) else OVER


@compiled(f"boolean({BOARD}, int64)", counts_references=True)
def has_joined(ways, built, vertices, side):  # type: ignore[no-untyped-def]
    """Return whether a side's bridges join its two ends."""
    above = np.empty(vertices, np.int64)
    group_built(ways, built, vertices, side, above)
    return above[0] == above[1]
