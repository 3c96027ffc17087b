"""What the kernels are asked to do, over and over: the same work as the C loops'."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import int64, njit

from sarsen.games import load
from sarsen.games.druid import kernel as druid_kernel
from sarsen.games.druid.kernel.random_games import ANY, count_results
from sarsen.games.gyges import kernel as gyges_kernel
from sarsen.games.gyges.kernel.random_games import rollout
from sarsen.games.gyges.kernel.reach import reach, shore
from sarsen.games.gyges.kernel.turns import HIGH, LOW, legal, play
from sarsen.games.vasco import kernel as vasco_kernel
from sarsen.games.vasco.kernel.moves import play_out
from sarsen.games.visavis import kernel as visavis_kernel
from sarsen.games.visavis.kernel.playouts import LANES, playouts
from sarsen.search.chance import draw, seeded
from sarsen.search.contract import INTEGERS, ONGOING, PLY, SEAT, WON_BY_FIRST, Array

SEED = 20
POSITIONS = 4_000  # of Gyges, out of random games
DEEPEST = 40  # plies into a random game


@dataclass(frozen=True)
class Loop:
    """A kernel's work and the C loop that does the same.

    Attributes:
        limit: The program in `bench/limits` and its arguments, without the seconds.
        goal: Results per Mcal that we set out to reach.
        work: Does some and gives how many results that were.
    """

    game: str
    unit: str
    limit: tuple[str, ...]
    goal: float
    work: Callable[[], float]

    def rate(self, seconds: float) -> float:
        """Return results a processor second."""
        done = 0.0
        began = time.process_time()
        while (spent := time.process_time() - began) < seconds:
            done += self.work()
        return done / spent


def loops() -> tuple[Loop, ...]:
    """Return all loops, each already compiled and once done."""
    made = (_visavis(), _druid(), *_gyges(), _vasco())
    for loop in made:
        loop.work()
    return made


def _visavis() -> Loop:
    kernel = visavis_kernel.kernel(load("visavis").start())
    chance = seeded(SEED)

    def work() -> float:
        playouts(kernel.constants, chance, 64)
        return 64 * LANES

    return Loop("visavis", "playouts, size 25", ("visavis", "exact", "25"), 320, work)


def _druid() -> Loop:
    start = load("druid").start()
    constants, state = druid_kernel.kernel(start).constants, druid_kernel.encode(start)
    chance = seeded(SEED)

    def work() -> float:
        count_results(constants, state, chance, ANY, 64)
        return 64

    return Loop("druid", "playouts, size 8", ("druid", "playout"), 260, work)


def _vasco() -> Loop:
    start = load("vasco").start()
    constants, state = vasco_kernel.kernel(start).constants, vasco_kernel.encode(start)
    chance = seeded(SEED)

    def work() -> float:
        return float(placements(constants, state, chance, 64))

    # 0.9 of its C loop is the goal; that is no fixed number.
    return Loop("vasco", "placements, pool 54", ("vasco",), 0, work)


def _gyges() -> tuple[Loop, Loop]:
    start = load("gyges").start()
    constants, root = gyges_kernel.kernel(start).constants, gyges_kernel.encode(start)
    chance = seeded(SEED)
    positions = np.zeros(3 * POSITIONS, np.int64)
    gather(constants, root, chance, positions)

    def generate() -> float:
        generations(constants, positions)
        return POSITIONS

    def play_on() -> float:
        take_wins(constants, root, chance, 16)
        return 16

    # Where the processor has AVX-512, the C loops look at eight legs at once by its instructions.
    return (
        Loop("gyges", "generations", ("gyges", "gen"), 2000, generate),
        Loop("gyges", "playouts taking wins", ("gyges", "takewin"), 450, play_on),
    )


@njit(int64(int64), cache=True)
def calibrate(steps: int) -> int:
    """Do steps of xorshift, each waiting for the last."""
    x = np.uint64(88172645463325252)
    for _ in range(steps):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
    return np.int64(x)


@njit(int64(INTEGERS, INTEGERS, INTEGERS, int64), cache=True)
def placements(constants: Array, start: Array, chance: Array, games: int) -> int:
    """Play random games of Vasco and count the placements."""
    state = start.copy()
    placed = 0
    for _ in range(games):
        state[:] = start
        play_out(constants, state, chance)
        placed += state[PLY]
    return placed


@njit(int64(INTEGERS, INTEGERS, INTEGERS, INTEGERS), cache=True)
def gather(constants: Array, root: Array, chance: Array, positions: Array) -> int:
    """Fill an array with positions of Gyges out of random games: LOW, HIGH, SEAT of each."""
    moves = np.zeros(2048, np.int64)
    filled = 0
    while filled < positions.size:
        state = root.copy()
        for _ in range(2 + draw(chance, DEEPEST)):
            count = legal(constants, state, moves)
            if count == 0 or play(constants, state, moves[draw(chance, count)]) != ONGOING:
                break
        else:
            positions[filled : filled + 3] = np.array((state[LOW], state[HIGH], state[SEAT]))
            filled += 3
    return filled


@njit(int64(INTEGERS, INTEGERS), cache=True)
def generations(constants: Array, positions: Array) -> int:
    """Find all ends of all rings that may move, in every position."""
    found = np.uint64(0)
    for at in range(0, positions.size, 3):
        low, high = np.uint64(positions[at]), np.uint64(positions[at + 1])
        seat = np.uint64(positions[at + 2])
        starts = shore(low | high, seat)
        for slot in range(36):
            if starts >> np.uint64(slot) & np.uint64(1):
                found ^= reach(constants, low, high, np.uint64(slot), np.uint64(36) + seat)
    return np.int64(found)


@njit(int64(INTEGERS, INTEGERS, INTEGERS, int64), cache=True)
def take_wins(constants: Array, root: Array, chance: Array, games: int) -> int:
    """Play random games of Gyges that win when they can; give how many South won."""
    won = 0
    for _ in range(games):
        won += rollout(constants, root.copy(), chance) == WON_BY_FIRST
    return won
