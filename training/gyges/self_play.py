"""Let the kernel play Gyges against itself, and keep the positions with who won.

Each move is chosen among those that do not lose at once, by the evaluation after it:
the better the likelier. A position is kept as the seat to move sees it, turned so that
this seat is South.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sarsen.games.gyges import kernel
from sarsen.games.gyges.kernel import turns
from sarsen.games.gyges.kernel.features import judge_by_hand, turned
from sarsen.games.gyges.kernel.judging import judge
from sarsen.games.gyges.kernel.wins import winner
from sarsen.search import chance as luck
from sarsen.search.contract import PLY, RESULT, SEAT, Array

CHUNK = 40_000
MAX_PLIES = 150
WARMTH = 50.0  # points; a move worth this much less is chosen e times less often
WEIGHED = 40  # moves
AT_RANDOM = 0.02  # of the moves later in the game


class Positions(NamedTuple):
    """Positions, one an entry.

    Attributes:
        low, high: The bits of the rings' values by slot; the seat to move is South.
        score: 1 when that seat won, -1 when it lost, else 0.
    """

    low: NDArray[np.uint64]
    high: NDArray[np.uint64]
    score: NDArray[np.int8]


@njit  # type: ignore[untyped-decorator]
def choose(constants, state, moves, count, rough, chance):
    """Draw a move that does not lose at once, if there is one.

    The hand-written evaluation picks the WEIGHED best of all; among these `judge` decides.
    """
    low, high = np.uint64(state[turns.LOW]), np.uint64(state[turns.HIGH])
    other = np.uint64(1 - state[SEAT])
    for number in range(count):
        after_low, after_high = turns.arranged(low, high, np.uint64(moves[number]))
        rough[number] = -judge_by_hand(constants, after_low, after_high, other)
    chosen, points, weighed = np.zeros(WEIGHED, np.int64), np.zeros(WEIGHED), 0
    for _ in range(count):
        best = np.argmax(rough[:count])
        rough[best] = -1e9
        after_low, after_high = turns.arranged(low, high, np.uint64(moves[best]))
        if winner(constants, after_low, after_high, other) < 0:
            chosen[weighed] = moves[best]
            points[weighed] = -judge(constants, after_low, after_high, other)
            weighed += 1
            if weighed == WEIGHED:
                break
    if weighed == 0:
        return moves[luck.draw(chance, count)]
    return draw_by_points(chosen[:weighed], points[:weighed], chance)


@njit  # type: ignore[untyped-decorator]
def draw_by_points(moves, points, chance):
    best = points.max()
    total = 0.0
    for number in range(len(moves)):
        points[number] = np.exp(max(-50.0, (points[number] - best) / WARMTH))
        total += points[number]
    left = total * luck.draw(chance, 1 << 30) / (1 << 30)
    for number in range(len(moves)):
        left -= points[number]
        if left <= 0:
            return moves[number]
    return moves[-1]


@njit  # type: ignore[untyped-decorator]
def choose_at_random(constants, state, moves, count, chance):
    """Draw a move, and again up to a hundred times while it loses at once."""
    low, high = np.uint64(state[turns.LOW]), np.uint64(state[turns.HIGH])
    move = moves[luck.draw(chance, count)]
    for _ in range(100):
        after_low, after_high = turns.arranged(low, high, np.uint64(move))
        if winner(constants, after_low, after_high, np.uint64(1 - state[SEAT])) < 0:
            break
        move = moves[luck.draw(chance, count)]
    return move


@njit  # type: ignore[untyped-decorator]
def play_games(constants, chance, lows, highs, scores):
    """Fill the arrays with positions of whole games; give how many positions and games."""
    moves = np.zeros(turns.MAX_MOVES, np.int64)
    rough = np.zeros(turns.MAX_MOVES)
    state = np.zeros(turns.STATE_SIZE, np.int64)
    seats = np.zeros(MAX_PLIES, np.int64)
    kept, games = 0, 0
    while kept + MAX_PLIES < len(lows):
        state[:] = 0
        turns.play(constants, state, turns.SET_UP | luck.draw(chance, turns.SET_UPS))
        turns.play(constants, state, turns.SET_UP | luck.draw(chance, turns.SET_UPS))
        begin, wild = kept, luck.draw(chance, 6)
        while state[RESULT] == 0 and state[PLY] < MAX_PLIES:
            low, high = np.uint64(state[turns.LOW]), np.uint64(state[turns.HIGH])
            seat = np.uint64(state[SEAT])
            start = winner(constants, low, high, seat)
            if start >= 0:
                turns.play(constants, state, start | (37 - state[SEAT]) << 6 | 63 << 12)
                break
            lows[kept], highs[kept] = (turned(low), turned(high)) if seat else (low, high)
            seats[kept - begin] = state[SEAT]
            kept += 1
            count = turns.legal(constants, state, moves)
            is_random = state[PLY] - 2 < wild or luck.draw(chance, 1000) < 1000 * AT_RANDOM
            if is_random:
                move = choose_at_random(constants, state, moves, count, chance)
            else:
                move = choose(constants, state, moves, count, rough, chance)
            turns.play(constants, state, move)
        games += 1
        for number in range(begin, kept):
            scores[number] = 0
            if state[RESULT] in (1, 2):
                scores[number] = 1 if state[RESULT] - 1 == seats[number - begin] else -1
    return kept, games


def generate(seed: int, positions: int, words: Array) -> Positions:
    """Play whole games until there are so many positions; the same for the same arguments.

    Args:
        words: Of the net that chooses, or zeros: then the hand-written evaluation does.
    """
    lows, highs = np.zeros(CHUNK, np.uint64), np.zeros(CHUNK, np.uint64)
    scores = np.zeros(CHUNK, np.int8)
    constants = kernel.constants(words)
    chance, begun = luck.seeded(seed), time.time()
    found: list[Positions] = []
    total = games = 0
    while total < positions:
        kept, played = play_games(constants, chance, lows, highs, scores)
        found.append(Positions(lows[:kept].copy(), highs[:kept].copy(), scores[:kept].copy()))
        games, total = games + played, total + kept
        rate, plies = total / (time.time() - begun), total / games
        print(f"{total} positions, {games} games, {rate:.0f}/s, {plies:.1f} plies", flush=True)
    return Positions(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
