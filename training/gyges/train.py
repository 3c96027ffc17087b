"""Train the net of Gyges on positions of self-play, on one processor core.

One hidden layer; each feature adds its row. The chance that the seat to move wins is
learned from who won. Steps are Adagrad's, one position at a time; every position is
seen as it is or mirrored, by chance. The last two hundredths are kept for judging.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from self_play import Positions

from sarsen.games.gyges.kernel import features as seen
from sarsen.games.gyges.kernel.net import WIDTH
from sarsen.games.gyges.kernel.tables import constants
from sarsen.search.contract import Array

Floats = NDArray[np.float32]

BLOCK = 20_000
KEPT_FOR_JUDGING = 0.02
FIRST_RATE, SLOWED = 0.05, 0.05  # the last step is so much shorter than the first

ROWS_MIRRORED = np.array([int(f"{row:06b}"[::-1], 2) for row in range(64)], np.uint64)


@njit  # type: ignore[untyped-decorator]
def mirrored(slots, rows):
    found = np.uint64(0)
    for row in range(6):
        shift = np.uint64(6 * row)
        found |= rows[(slots >> shift) & np.uint64(63)] << shift
    return found


@njit  # type: ignore[untyped-decorator]
def spread(tables, low, high, chosen, is_mirrored, rows, out, counts):
    """List the features of the chosen positions."""
    for number in range(len(chosen)):
        one, two = low[chosen[number]], high[chosen[number]]
        if is_mirrored[number]:
            one, two = mirrored(one, rows), mirrored(two, rows)
        counts[number] = seen.features(tables, one, two, out[number])


@njit(fastmath=True)  # type: ignore[untyped-decorator]
def forward(active, count, weights, bias, hidden):
    """Fill in the hidden layer before its rectifier."""
    hidden[:] = bias
    for index in range(count):
        row = weights[active[index]]
        for unit in range(len(hidden)):
            hidden[unit] += row[unit]


@njit(fastmath=True)  # type: ignore[untyped-decorator]
def logit(hidden, last, last_bias):
    found = last_bias
    for unit in range(len(hidden)):
        found += last[unit] * max(hidden[unit], np.float32(0))
    return found


@njit(fastmath=True)  # type: ignore[untyped-decorator]
def learn(actives, counts, wanted, weights, bias, last, end, sums, bias_sums, last_sums, rate):
    """Take one step for each position; give the mean loss."""
    width = len(bias)
    hidden, slope = np.empty(width, np.float32), np.empty(width, np.float32)
    loss = 0.0
    for number in range(len(counts)):
        active = actives[number]
        forward(active, counts[number], weights, bias, hidden)
        guess = 1 / (1 + np.exp(-logit(hidden, last, end[0])))
        wish = wanted[number]
        loss -= wish * np.log(max(guess, 1e-6)) + (1 - wish) * np.log(max(1 - guess, 1e-6))
        off = np.float32(guess - wish)
        end[1] += off * off
        end[0] -= rate * off / np.sqrt(end[1])
        for unit in range(width):
            slope[unit] = 0
            if hidden[unit] > 0:
                slope[unit] = off * last[unit]
                step = off * hidden[unit]
                last_sums[unit] += step * step
                last[unit] -= rate * step / np.sqrt(last_sums[unit])
                bias_sums[unit] += slope[unit] * slope[unit]
                bias[unit] -= rate * slope[unit] / np.sqrt(bias_sums[unit])
        for index in range(counts[number]):
            row, row_sums = weights[active[index]], sums[active[index]]
            for unit in range(width):
                row_sums[unit] += slope[unit] * slope[unit]
                row[unit] -= rate * slope[unit] / np.sqrt(row_sums[unit])
    return loss / max(len(counts), 1)


@njit(fastmath=True)  # type: ignore[untyped-decorator]
def judge(actives, counts, scores, weights, bias, last, end):
    """Give the mean loss and how often the likelier winner won."""
    hidden = np.empty(len(bias), np.float32)
    loss, right, decided = 0.0, 0, 0
    for number in range(len(counts)):
        forward(actives[number], counts[number], weights, bias, hidden)
        found = logit(hidden, last, end[0])
        wish = 0.5 + 0.5 * scores[number]
        guess = 1 / (1 + np.exp(-found))
        loss -= wish * np.log(max(guess, 1e-6)) + (1 - wish) * np.log(max(1 - guess, 1e-6))
        if scores[number] != 0:
            decided += 1
            right += (found > 0) == (scores[number] > 0)
    return loss / len(counts), right / decided


class Layers(NamedTuple):
    """A net while it learns, and the sums of squares that shorten its steps."""

    weights: Floats
    bias: Floats
    last: Floats
    end: Floats
    weight_sums: Floats
    bias_sums: Floats
    last_sums: Floats


def train(positions: Positions, *, epochs: int, seed: int) -> Layers:
    """Return the layers that tell best who wins."""
    chance = np.random.default_rng(seed)
    layers = _new_layers(chance)
    cut = int(len(positions.low) * (1 - KEPT_FOR_JUDGING))
    unseen = Positions(*(part[cut:] for part in positions))
    begun = time.time()
    for epoch in range(epochs):
        order = chance.permutation(cut)
        total = 0.0
        for begin in range(0, cut, BLOCK):
            done = (epoch + begin / cut) / epochs
            rate = np.float32(FIRST_RATE * SLOWED**done)
            chosen = order[begin : begin + BLOCK]
            total += len(chosen) * _learn(positions, chosen, layers, rate, chance)
        loss, right = _judged(unseen, layers)
        print(
            f"epoch {epoch + 1}: loss {total / cut:.4f}, unseen {loss:.4f}, "
            f"right {right:.4f}, {time.time() - begun:.0f} s",
            flush=True,
        )
    return layers


def _new_layers(chance: np.random.Generator) -> Layers:
    weights = (chance.standard_normal((seen.FEATURES, WIDTH)) * 0.03).astype(np.float32)
    last = (chance.standard_normal(WIDTH) * 0.3).astype(np.float32)
    bias = np.full(WIDTH, 0.1, np.float32)
    sums = (np.full_like(weights, 0.1), np.full_like(bias, 0.1), np.ones_like(last))
    return Layers(weights, bias, last, np.array([0, 1], np.float32), *sums)


def _learn(
    positions: Positions,
    chosen: NDArray[np.int64],
    layers: Layers,
    rate: np.float32,
    chance: np.random.Generator,
) -> float:
    sides = chance.integers(0, 2, len(chosen))
    active, counts = _features(positions, chosen, sides)
    # The chance of winning is kept off 0 and 1: play is not perfect.
    wanted = (0.5 + 0.48 * positions.score[chosen]).astype(np.float32)
    return float(learn(active, counts, wanted, *layers, rate))


def _judged(positions: Positions, layers: Layers) -> tuple[float, float]:
    chosen = np.arange(len(positions.low))
    active, counts = _features(positions, chosen, np.zeros_like(chosen))
    loss, right = judge(active, counts, positions.score, *layers[:4])
    return float(loss), float(right)


def _features(
    positions: Positions, chosen: NDArray[np.int64], is_mirrored: NDArray[np.int64]
) -> tuple[Array, Array]:
    active = np.zeros((len(chosen), seen.MAX_ACTIVE), np.int64)
    counts = np.zeros(len(chosen), np.int64)
    given = (positions.low, positions.high, chosen, is_mirrored)
    spread(constants(), *given, ROWS_MIRRORED, active, counts)
    return active, counts
