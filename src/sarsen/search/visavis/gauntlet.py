"""Running the gauntlet: the strategy plays game after game against each rival."""

from __future__ import annotations

import random

import numpy as np

from sarsen.games.visavis.board import O
from sarsen.search.chance import seeded
from sarsen.search.visavis.cells import cells_of
from sarsen.search.visavis.facts import Fact, Told
from sarsen.search.visavis.rivals import RIVALS, WON, strategy_game
from sarsen.search.visavis.strategy import openings

_WHIMS = (0, 0, 10, 40)  # how often in a hundred a rival plays anywhere, one of these a game
_SPAN = 250  # games between two signs of life


def run(size: int, rival: int, games: int, seed: int, told: Told) -> Fact:
    """Let the strategy play games against one rival, each from any of its openings."""
    cells, names = cells_of(size), openings(size)
    won, bridges = 0, np.zeros(1, np.int64)
    for game in range(games):
        pick = random.Random(f"{seed} {rival} {game}")
        cell, way = cells.where[O][pick.choice(names)]
        built = np.zeros((2, len(cells.places)), np.int64)
        built[O, cell] = 1 << way
        bridges[0] += 1
        result = strategy_game(
            *(cells.ways, built, cells.vertices, cells.colours, rival),
            *(pick.choice(_WHIMS), seeded(pick.getrandbits(63)), bridges),
        )
        won += result == WON
        if (game + 1) % _SPAN == 0:
            told(f"{RIVALS[rival]}: {won} of {game + 1} games won")
    mean = int(bridges[0]) / max(games, 1)
    return Fact(
        f"Against a {RIVALS[rival]}",
        f"O won {won} of {games} games, {mean:.0f} bridges long.",
        won == games,
        {"games": games, "won": won},
    )
