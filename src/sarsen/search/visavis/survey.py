"""A survey of verdicts: what share of positions is decided, and how fast.

The positions come from games of many kinds, each stopped anywhere: careless, stubborn,
hasty, the strategy under attack, and the hardest, in which both sides know the verdict.
"""

from __future__ import annotations

import random
import time

import numpy as np

from sarsen.games.visavis.board import O, X
from sarsen.search.chance import seeded
from sarsen.search.contract import Array
from sarsen.search.visavis.cells import Built, Cells, cells_of
from sarsen.search.visavis.facts import Fact, Told
from sarsen.search.visavis.rivals import BLOCKER, CUTTER, RANDOM, RUNNER, choose
from sarsen.search.visavis.strategy import OVER, has_joined, mend, openings
from sarsen.search.visavis.verdict import judge_cells

STRATEGY, KNOWER = 10, 11
GAMES = {
    "random": (RANDOM, RANDOM),
    "blockers": (BLOCKER, BLOCKER),
    "runners": (RUNNER, RUNNER),
    "runner and blocker": (RUNNER, BLOCKER),
    "strategy and cutter": (STRATEGY, CUTTER),
    "perfect play": (KNOWER, KNOWER),
}
_SPAN = 100  # positions between two signs of life


def judge_games(size: int, kind: str, positions: int, seed: int, told: Told) -> Fact:
    """Judge so many positions of one kind of game."""
    cells = cells_of(size)
    took, decided, deep = [], 0, 0
    for at in range(positions):
        built, mover = position_of(cells, kind, random.Random(f"{seed} {kind} {at}"))
        began = time.perf_counter()
        verdict = judge_cells(cells, built, mover)
        took.append(1000 * (time.perf_counter() - began))
        decided += verdict.winner is not None
        deep += verdict.is_deep
        if (at + 1) % _SPAN == 0:
            told(f"{kind}: {decided} of {at + 1} positions decided")
    median, late = np.quantile(took, 0.5), np.quantile(took, 0.99)
    return Fact(
        f"Verdicts, {kind}",
        f"{decided} of {positions} positions decided, {deep} of them by looking a move ahead; "
        f"{median:.2f} ms in the middle, {late:.1f} ms at 99 in 100, {max(took):.1f} ms at most.",
        decided == positions,
        {"positions": positions, "decided": decided, "deep": deep},
    )


def position_of(cells: Cells, kind: str, pick: random.Random) -> tuple[Built, int]:
    """Play a game of a kind and stop somewhere before its end; give whose turn it is."""
    built = np.zeros((2, len(cells.places)), np.int64)
    chance = seeded(pick.getrandbits(63))
    plies = pick.randrange(2 * len(cells.places))
    side = O
    found = np.empty(2, np.int64)
    if kind == "strategy and cutter":
        cell, way = cells.where[O][pick.choice(openings(cells.size))]
        built[O, cell] = 1 << way
        side = X
    for _ in range(plies):
        if not _build(cells, built, side, GAMES[kind][side], chance, found):
            break
        built[side, found[0]] |= 1 << found[1]
        if has_joined(cells.ways, built, cells.vertices, side):
            built[side, found[0]] &= ~(1 << found[1])
            break
        side = 1 - side
    return built, side


def _build(
    cells: Cells,
    built: Built,
    side: int,
    player: int,
    chance: Array,
    found: Array,
) -> bool:
    """Let a player choose a bridge; False when nothing is left to join."""
    if player == STRATEGY:
        return bool(mend(cells.ways, built, cells.vertices, cells.colours, found) != OVER)
    if player == KNOWER:
        verdict = judge_cells(cells, built, side, seed=int(chance[0]) & 0xFFFF)
        if verdict.moves:
            found[:] = cells.where[side][verdict.moves[0]]
            return True
        player = BLOCKER
    arguments = cells.colours, side, player, 10, chance, found
    return bool(choose(cells.ways, built, cells.vertices, *arguments))
