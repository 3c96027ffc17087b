"""A survey of verdicts: what share of positions is decided, and how fast.

The positions come from games of many kinds, each stopped anywhere: careless, stubborn,
hasty, the strategy under attack, and the hardest, in which both sides know the verdict.
"""

from __future__ import annotations

import random
import time

import numpy as np

from sarsen.games.visavis.board import O, X
from sarsen.games.visavis.proof.cells import Built, Cells, cells_of
from sarsen.games.visavis.proof.clumps import BOARD, open_ways
from sarsen.games.visavis.proof.facts import Fact, ProgressCallback
from sarsen.games.visavis.proof.sense import shortest
from sarsen.games.visavis.proof.strategy import (
    BROKEN,
    OVER,
    has_joined,
    openings,
    pieces,
    strategy_reply,
)
from sarsen.games.visavis.proof.verdict import judge_cells
from sarsen.games.visavis.proof.weaving import root
from sarsen.search.chance import draw, seeded
from sarsen.search.compiling import compiled
from sarsen.search.contract import Array

RANDOM, BLOCKER, RUNNER, CUTTER = 0, 1, 2, 3
RIVALS = ("random", "blocker", "runner", "cutter")

WON, LOST, STUCK = 1, 0, -1
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


@compiled(f"int64({BOARD}, int64, int64[::1], int64[::1])")
def _anywhere(ways, built, vertices, side, chance, bridge):  # type: ignore[no-untyped-def]
    """Pick any bridge that joins something; return how many there are."""
    count = 0
    for cell in range(built.shape[1]):
        open_bits = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_bits >> way & 1:
                count += 1
                if draw(chance, count) == 0:
                    bridge[0], bridge[1] = cell, way
    return count


@compiled(f"boolean({BOARD}, int64, int64, int64[::1], int64[::1])", counts_references=True)
def _on_a_way(ways, built, vertices, side, walker, chance, bridge):  # type: ignore[no-untyped-def]
    """Pick a bridge on the walker's shortest way: along it for itself, else across it."""
    line = np.empty((vertices, 2), np.int64)
    count = shortest(ways, built, vertices, walker, 300, chance, line)
    choices = 0
    for step in range(count):
        cell, along = line[step]
        open_bits = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_bits >> way & 1 and (way == along) == (side == walker):
                choices += 1
                if draw(chance, choices) == 0:
                    bridge[0], bridge[1] = cell, way
    return choices > 0


@compiled(f"int64({BOARD}, int64[::1], int64)", counts_references=True)
def _menders(ways, built, vertices, colours, colour):  # type: ignore[no-untyped-def]
    """Count the bridges of O that rejoin a colour, 0 when it is whole."""
    above = np.empty(vertices, np.int64)
    if pieces(ways, built, vertices, colours, colour, above) == 1:
        return 0
    count = 0
    for cell in range(built.shape[1]):
        open_bits = open_ways(ways, built, O, cell)
        for way in range(3):
            start, end = ways[O, cell, way]
            if open_bits >> way & 1 and root(above, start) != root(above, end):
                count += 1
    return count


@compiled(f"boolean({BOARD}, int64[::1], int64, int64[::1], int64[::1])", counts_references=True)
def _cut(ways, built, vertices, colours, side, chance, bridge):  # type: ignore[no-untyped-def]
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
            bridge[:] = pick
    return fewest < 1 << 20


@compiled(f"boolean({BOARD}, int64[::1], int64, int64, int64, int64[::1], int64[::1])")
def choose(ways, built, vertices, colours, side, rival, whim, chance, bridge):  # type: ignore[no-untyped-def]
    """Pick a rival's bridge; False when nothing is left to join. `whim` is in percent."""
    if rival != RANDOM and draw(chance, 100) >= whim:
        if rival == CUTTER:
            if _cut(ways, built, vertices, colours, side, chance, bridge):
                return True
        else:
            walker = side if rival == RUNNER else 1 - side
            if _on_a_way(ways, built, vertices, side, walker, chance, bridge):
                return True
    return _anywhere(ways, built, vertices, side, chance, bridge) > 0


@compiled(
    f"int64({BOARD}, int64[::1], int64, int64, int64[::1], int64[::1])", counts_references=True
)
def strategy_game(ways, built, vertices, colours, rival, whim, chance, count):  # type: ignore[no-untyped-def]
    """Let the strategy finish a game that it has opened, X to move.

    Gives WON, LOST, or STUCK when the strategy found no reply; `count[0]` bridges built.
    """
    bridge = np.empty(2, np.int64)
    while True:
        if choose(ways, built, vertices, colours, 1 - O, rival, whim, chance, bridge):
            built[1 - O, bridge[0]] |= 1 << bridge[1]
            count[0] += 1
            if has_joined(ways, built, vertices, 1 - O):
                return LOST
        answer = strategy_reply(ways, built, vertices, colours, bridge)
        if answer in (BROKEN, OVER):
            return STUCK
        built[O, bridge[0]] |= 1 << bridge[1]
        count[0] += 1
        if has_joined(ways, built, vertices, O):
            return WON


def judge_games(size: int, kind: str, positions: int, seed: int, report: ProgressCallback) -> Fact:
    """Judge so many positions of one kind of game."""
    cells = cells_of(size)
    milliseconds, decided, deep = [], 0, 0
    for at in range(positions):
        built, mover = position_of(cells, kind, random.Random(f"{seed} {kind} {at}"))
        began = time.perf_counter()
        verdict = judge_cells(cells, built, mover)
        milliseconds.append(1000 * (time.perf_counter() - began))
        decided += verdict.winner is not None
        deep += verdict.is_deep
        if (at + 1) % _SPAN == 0:
            report(f"{kind}: {decided} of {at + 1} positions decided")
    median, late = np.quantile(milliseconds, 0.5), np.quantile(milliseconds, 0.99)
    return Fact(
        f"Verdicts, {kind}",
        f"{decided} of {positions} positions decided, {deep} of them by looking a move ahead; "
        f"{median:.2f} ms in the middle, {late:.1f} ms at 99 in 100, "
        f"{max(milliseconds):.1f} ms at most.",
        decided == positions,
        {"positions": positions, "decided": decided, "deep": deep},
    )


def position_of(cells: Cells, kind: str, pick: random.Random) -> tuple[Built, int]:
    """Play a game of a kind and stop somewhere before its end; return whose turn it is."""
    built = np.zeros((2, len(cells.places)), np.int64)
    chance = seeded(pick.getrandbits(63))
    plies = pick.randrange(2 * len(cells.places))
    side = O
    bridge = np.empty(2, np.int64)
    if kind == "strategy and cutter":
        cell, way = cells.where[O][pick.choice(openings(cells.size))]
        built[O, cell] = 1 << way
        side = X
    for _ in range(plies):
        if not _build(cells, built, side, GAMES[kind][side], chance, bridge):
            break
        built[side, bridge[0]] |= 1 << bridge[1]
        if has_joined(cells.ways, built, cells.vertices, side):
            built[side, bridge[0]] &= ~(1 << bridge[1])
            break
        side = 1 - side
    return built, side


def _build(
    cells: Cells,
    built: Built,
    side: int,
    player: int,
    chance: Array,
    bridge: Array,
) -> bool:
    """Let a player choose a bridge; False when nothing is left to join."""
    if player == STRATEGY:
        return bool(
            strategy_reply(cells.ways, built, cells.vertices, cells.colours, bridge) != OVER
        )
    if player == KNOWER:
        verdict = judge_cells(cells, built, side, seed=int(chance[0]) & 0xFFFF)
        if verdict.moves:
            bridge[:] = cells.where[side][verdict.moves[0]]
            return True
        player = BLOCKER
    arguments = cells.colours, side, player, 10, chance, bridge
    return bool(choose(cells.ways, built, cells.vertices, *arguments))


_WHIMS = (0, 0, 10, 40)  # how often in a hundred a rival plays anywhere, one of these a game
_GAUNTLET_SPAN = 250  # games between two signs of life


def run(size: int, rival: int, games: int, seed: int, report: ProgressCallback) -> Fact:
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
        if (game + 1) % _GAUNTLET_SPAN == 0:
            report(f"{RIVALS[rival]}: {won} of {game + 1} games won")
    mean = int(bridges[0]) / max(games, 1)
    return Fact(
        f"Against a {RIVALS[rival]}",
        f"O won {won} of {games} games, {mean:.0f} bridges long.",
        won == games,
        {"games": games, "won": won},
    )
