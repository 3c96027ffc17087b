"""Visavis by the contract of kernels: legal, play, rollout, and the way to and from the rules."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.visavis.board import O, X
from sarsen.games.visavis.kernel.layout import (
    ALLOWS_SWAP,
    BLOCKED,
    BUILT,
    BYTES,
    CROSSES,
    FIRST_PEG,
    HASH,
    HASH_OF_START,
    HASH_OF_SWAP,
    OPEN,
    PEGS,
    PLACES,
    SECOND_PEG,
    SIZE,
    SWAPPED,
    TABLES,
    WIDTH,
    constants_of,
    peg_numbers,
    state_words,
)
from sarsen.games.visavis.kernel.playouts import finish
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    KEY,
    LEGAL_SIGNATURE,
    ONGOING,
    PLAY_SIGNATURE,
    PLY,
    RESULT,
    ROLLOUT_SIGNATURE,
    SEAT,
    WON_BY_FIRST,
    Array,
    Kernel,
)

Labels = np.ndarray[tuple[int], np.dtype[np.uint8]]


@compiled("boolean(int64, uint8[::1])")
def _is_answer(places, board):  # type: ignore[no-untyped-def]
    """Return whether O has one bridge and X none."""
    built = 0
    for at in range(2 * places):
        built += board[at] == BUILT
    return built == 1


@compiled("void(uint8[::1], uint8, uint8)")
def _join(labels, label, other_label):  # type: ignore[no-untyped-def]
    """Label two chains with the lesser of their labels."""
    least, most = min(label, other_label), max(label, other_label)
    for peg in range(labels.size):
        labels[peg] = least if labels[peg] == most else labels[peg]


@compiled("int64(int64, int64)")
def _far_end(size, side):  # type: ignore[no-untyped-def]
    """Return a peg of the right end of O, or of the lower end of X; peg 0 is of the other end."""
    half = (size - 1) // 2
    return half if side == O else half * half


@compiled(LEGAL_SIGNATURE)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the open places of the side to move, then the swap."""
    if state[RESULT] != ONGOING:
        return 0
    places = constants[PLACES]
    side = state[SEAT] ^ state[SWAPPED]
    board = state[BYTES:].view(np.uint8)
    count = 0
    for place in range(places):
        # Without a branch, which a processor mispredicts at every other place.
        moves[count] = place
        count += board[side * places + place] == OPEN
    if side == X and constants[ALLOWS_SWAP] and not state[SWAPPED] and _is_answer(places, board):
        moves[count] = places
        count += 1
    return count


@compiled(PLAY_SIGNATURE)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    """Build a bridge, or swap."""
    places = constants[PLACES]
    side = state[SEAT] ^ state[SWAPPED]
    state[PLY] += 1
    if move == places:
        # X stays on move: only the seats change.
        state[SWAPPED] = 1
        state[SEAT] ^= 1
        state[KEY] ^= HASH_OF_SWAP
        return state[RESULT]
    board = state[BYTES:].view(np.uint8)
    entry = TABLES + (side * places + move) * WIDTH
    board[side * places + move] = BUILT
    for way in range(2):
        crossed = constants[entry + CROSSES + way]
        if crossed < places:
            board[(1 - side) * places + crossed] = BLOCKED
    state[KEY] ^= constants[entry + HASH]
    labels = board[2 * places + side * constants[PEGS] :][: constants[PEGS]]
    _join(labels, labels[constants[entry + FIRST_PEG]], labels[constants[entry + SECOND_PEG]])
    if labels[_far_end(constants[SIZE], side)] == 0:
        state[RESULT] = WON_BY_FIRST + state[SEAT]
    state[SEAT] ^= 1
    return state[RESULT]


@compiled(ROLLOUT_SIGNATURE, counts_references=True)
def rollout(constants, state, chance):  # type: ignore[no-untyped-def]
    """Fill the board at random, each side by turns any open place of its own."""
    if state[RESULT] == ONGOING:
        side = state[SEAT] ^ state[SWAPPED]
        winner = finish(constants, state[BYTES:].view(np.uint8), side, chance)
        state[RESULT] = WON_BY_FIRST + (winner ^ state[SWAPPED])
    return state[RESULT]


def kernel(position: AnyPosition) -> Kernel:
    """Return the kernel for the options of a position."""
    terms = _of_visavis(position).terms
    return _kernel(terms.number("size"), terms.flag("swap"))


@cache
def _kernel(size: int, allows_swap: bool) -> Kernel:
    constants = constants_of(size, allows_swap)
    return Kernel(
        constants,
        state_size=state_words(constants),
        most_moves=int(constants[PLACES]) + 1,
        legal=legal,
        play=play,
        rollout=rollout,
    )


def encode(position: AnyPosition) -> Array:
    """Turn a position into a state."""
    position = _of_visavis(position)
    size = position.board.size
    constants = constants_of(size, position.terms.flag("swap"))
    places, pegs = int(constants[PLACES]), int(constants[PEGS])
    state = np.zeros(state_words(constants), np.int64)
    state[SEAT], state[SWAPPED] = position.seat, position.is_swapped
    state[KEY] = HASH_OF_START ^ (HASH_OF_SWAP if position.is_swapped else 0)
    board = state[BYTES:].view(np.uint8)
    for side in (O, X):
        labels = board[2 * places + side * pegs :][:pegs]
        labels[:] = _labels_of_start(size, side)
        for at in _built(position, side):
            entry = constants[TABLES + (side * places + at) * WIDTH :][:WIDTH]
            board[side * places + at] = BUILT
            crossed = [other for other in entry[CROSSES:HASH] if other < places]
            board[[(1 - side) * places + other for other in crossed]] = BLOCKED
            state[KEY] ^= entry[HASH]
            _join(labels, labels[entry[FIRST_PEG]], labels[entry[SECOND_PEG]])
    outcome = position.outcome()
    if outcome is not None:
        state[RESULT] = WON_BY_FIRST + outcome.scores.index(1.0)
    return state


def move(position: AnyPosition, code: int) -> Any:
    """Turn a place's number into its name; the number behind the last is the swap."""
    position = _of_visavis(position)
    names = position.board.named[position.side]
    return SWAP if code == len(names) else names[code][0]


def code(position: AnyPosition, move: Any) -> int:
    """Turn a move's name into a place's number."""
    position = _of_visavis(position)
    names = [name for name, _ in position.board.named[position.side]]
    return len(names) if move == SWAP else names.index(move)


def _of_visavis(position: AnyPosition) -> VisavisPosition:
    assert isinstance(position, VisavisPosition)
    return position


def _built(position: VisavisPosition, side: int) -> list[int]:
    bridges = position.bridges[side]
    return [at for at, (_, bit) in enumerate(position.board.named[side]) if bit & bridges]


@cache
def _labels_of_start(size: int, side: int) -> Labels:
    """Label every peg by itself, and those of each end by the first of them."""
    labels = np.arange(len(peg_numbers(size, side)), dtype=np.uint8)
    for peg, number in peg_numbers(size, side).items():
        if peg[side] == 1:
            labels[number] = 0
        elif peg[side] == size:
            labels[number] = _far_end(size, side)
    return labels
