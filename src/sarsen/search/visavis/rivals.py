"""Rivals for the strategy: players of X that try what comes to mind, fast.

RANDOM builds anywhere. BLOCKER stands in O's shortest way. RUNNER follows its own. CUTTER
parts a colour of the strategy whenever it can, where the fewest bridges mend it. A rival
with a whim plays anywhere now and then.
"""

from __future__ import annotations

import numpy as np

from sarsen.games.visavis.board import O
from sarsen.search.chance import draw
from sarsen.search.compiling import compiled
from sarsen.search.visavis.clumps import BOARD, open_ways
from sarsen.search.visavis.sense import shortest
from sarsen.search.visavis.strategy import BROKEN, OVER, has_joined, mend, pieces
from sarsen.search.visavis.weaving import root

RANDOM, BLOCKER, RUNNER, CUTTER = 0, 1, 2, 3
RIVALS = ("random", "blocker", "runner", "cutter")

WON, LOST, STUCK = 1, 0, -1


@compiled(f"int64({BOARD}, int64, int64[::1], int64[::1])")
def _anywhere(ways, built, vertices, side, chance, found):  # type: ignore[no-untyped-def]
    """Pick any bridge that joins something; give how many there are."""
    count = 0
    for cell in range(built.shape[1]):
        open_here = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_here >> way & 1:
                count += 1
                if draw(chance, count) == 0:
                    found[0], found[1] = cell, way
    return count


@compiled(f"boolean({BOARD}, int64, int64, int64[::1], int64[::1])", _nrt=True)
def _on_a_way(ways, built, vertices, side, walker, chance, found):  # type: ignore[no-untyped-def]
    """Pick a bridge on the walker's shortest way: along it for himself, else across it."""
    line = np.empty((vertices, 2), np.int64)
    count = shortest(ways, built, vertices, walker, 300, chance, line)
    choices = 0
    for step in range(count):
        cell, along = line[step]
        open_here = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_here >> way & 1 and (way == along) == (side == walker):
                choices += 1
                if draw(chance, choices) == 0:
                    found[0], found[1] = cell, way
    return choices > 0


@compiled(f"int64({BOARD}, int64[::1], int64)", _nrt=True)
def _menders(ways, built, vertices, colours, colour):  # type: ignore[no-untyped-def]
    """Count the bridges of O that rejoin a colour, 0 when it is whole."""
    above = np.empty(vertices, np.int64)
    if pieces(ways, built, vertices, colours, colour, above) == 1:
        return 0
    count = 0
    for cell in range(built.shape[1]):
        open_here = open_ways(ways, built, O, cell)
        for way in range(3):
            one, other = ways[O, cell, way]
            if open_here >> way & 1 and root(above, one) != root(above, other):
                count += 1
    return count


@compiled(f"boolean({BOARD}, int64[::1], int64, int64[::1], int64[::1])", _nrt=True)
def _cut(ways, built, vertices, colours, side, chance, found):  # type: ignore[no-untyped-def]
    """Pick, among a dozen bridges that part a colour, the one hardest to mend."""
    pick = np.empty(2, np.int64)
    fewest = 1 << 20
    for _ in range(12):
        if _anywhere(ways, built, vertices, side, chance, pick) == 0:
            return False
        built[side, pick[0]] |= 1 << pick[1]
        count = _menders(ways, built, vertices, colours, 0)
        count += _menders(ways, built, vertices, colours, 1)
        built[side, pick[0]] &= ~(1 << pick[1])
        if 0 < count < fewest:
            fewest = count
            found[:] = pick
    return fewest < 1 << 20


@compiled(f"boolean({BOARD}, int64[::1], int64, int64, int64, int64[::1], int64[::1])")
def choose(ways, built, vertices, colours, side, rival, whim, chance, found):  # type: ignore[no-untyped-def]
    """Pick a rival's bridge; False when nothing is left to join. `whim` is in percent."""
    if rival != RANDOM and draw(chance, 100) >= whim:
        if rival == CUTTER:
            if _cut(ways, built, vertices, colours, side, chance, found):
                return True
        else:
            walker = side if rival == RUNNER else 1 - side
            if _on_a_way(ways, built, vertices, side, walker, chance, found):
                return True
    return _anywhere(ways, built, vertices, side, chance, found) > 0


@compiled(f"int64({BOARD}, int64[::1], int64, int64, int64[::1], int64[::1])", _nrt=True)
def strategy_game(ways, built, vertices, colours, rival, whim, chance, count):  # type: ignore[no-untyped-def]
    """Let the strategy finish a game that it has opened, X to move.

    Gives WON, LOST, or STUCK when the strategy found no reply; `count[0]` bridges built.
    """
    found = np.empty(2, np.int64)
    while True:
        if choose(ways, built, vertices, colours, 1 - O, rival, whim, chance, found):
            built[1 - O, found[0]] |= 1 << found[1]
            count[0] += 1
            if has_joined(ways, built, vertices, 1 - O):
                return LOST
        answer = mend(ways, built, vertices, colours, found)
        if answer in (BROKEN, OVER):
            return STUCK
        built[O, found[0]] |= 1 << found[1]
        count[0] += 1
        if has_joined(ways, built, vertices, O):
            return WON
