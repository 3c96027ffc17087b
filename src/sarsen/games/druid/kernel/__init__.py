"""Druid for searches: one word of bits up to size 8, plain squares beyond."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.druid.board import EAST, H, Lintel, Sarsen, Terms, V, site, squares_of
from sarsen.games.druid.kernel import judgement, large, layout, small
from sarsen.games.druid.notation import Move, Word
from sarsen.games.druid.rules import DruidPosition
from sarsen.search.contract import DRAWN, KEY, RESULT, SEAT, WON_BY_FIRST, Array, Kernel

LARGEST_OF_ONE_WORD = 8  # its squares are the 64 bits of a word

# Resistances, then points for the move; see `layout.OWNED`.
TUNED = (
    *(20, 2600, 20, 15, 10, 10, 10, 10, 10, 10),
    *(20, 5500, 30, 20, 10, 10, 10, 10, 10, 10),
    *(1000, 230, 820, 2000, 2500, 2500, 2000, 1500, 1000, 690),
    *(0, 1400, 20, 20, 20, 20, 20, 20, 20, 120),
    *(0, 5000, 80, 100, 80, 80, 80, 80, 80, 430),
    *(0, 1100, 1800, 5000, 12000, 12000, 12000, 12000, 12000, 12000),
    *(0, 1640, 2130, 6400, 12000, 12000, 12000, 12000, 12000, 11000),
    180,
)


def kernel(position: AnyPosition) -> Kernel:
    """Return the kernel for the options of a position."""
    assert isinstance(position, DruidPosition)
    return _kernel(position.terms)


@cache
def _kernel(terms: Terms) -> Kernel:
    is_small = terms.size <= LARGEST_OF_ONE_WORD
    rules = small if is_small else large
    return Kernel(
        _constants(terms),
        layout.SMALL_STATE if is_small else layout.LARGE_STATE,
        3 * terms.size**2 + 1,
        rules.legal,
        rules.play,
        judgement.evaluate,
        judgement.order,
        judgement.prove,
    )


def encode(position: AnyPosition) -> Array:
    """Turn a position into a state."""
    assert isinstance(position, DruidPosition)
    terms, monument = position.terms, position.monument
    is_small = terms.size <= LARGEST_OF_ONE_WORD
    state = np.zeros(layout.SMALL_STATE if is_small else layout.LARGE_STATE, np.int64)
    constants = _constants(terms)
    state[SEAT] = position.seat
    state[RESULT] = _result(position)
    state[layout.SWAPPED] = position.is_swapped
    state[layout.PASSES] = position.passes
    state[layout.PLIES_LEFT] = terms.most_plies - position.ply
    key = 0
    for square in squares_of(site(terms.size).every):
        at = _inner(terms.size, square)
        height, owner = monument.heights[square], monument.owner(square)
        state[layout.HEIGHTS + at] = height
        key += height * int(constants[layout.HEIGHT_KEYS + at])
        key += (owner == H) * int(constants[layout.OWNER_KEYS + at])
        if not is_small:
            state[layout.OWNERS + at] = 0 if owner is None else 1 + owner
    if is_small:
        for side in (V, H):
            state[layout.OWN + side] = _word(_inner_set(terms.size, monument.tops[side]))
    state[KEY] = _word(key + int(layout.turn_key(constants, state)))
    return state


def move(position: AnyPosition, code: int) -> Move:
    """Turn a code into the move of the rules."""
    if code == layout.SWAP_SIDES:
        return Word.SWAP
    if code == layout.PASS_TURN:
        return Word.PASS
    row, column = divmod(code & layout.SQUARE, _stride(_size(position)))
    square = 16 * row + column
    if code & layout.EAST_LINTEL:
        return Lintel(square, EAST)
    return Lintel(square, 16) if code & layout.NORTH_LINTEL else Sarsen(square)


def code(position: AnyPosition, move: Move) -> int:
    """Turn a move of the rules into its code. The pair of `move`."""
    size = _size(position)
    match move:
        case Word():
            return layout.SWAP_SIDES if move is Word.SWAP else layout.PASS_TURN
        case Sarsen():
            return _inner(size, move.square)
        case Lintel():
            kind = layout.EAST_LINTEL if move.step == EAST else layout.NORTH_LINTEL
            return kind | _inner(size, move.start)


def _size(position: AnyPosition) -> int:
    assert isinstance(position, DruidPosition)
    return position.terms.size


def _result(position: DruidPosition) -> int:
    outcome = position.outcome()
    if outcome is None:
        return 0
    return DRAWN if outcome.winner is None else WON_BY_FIRST + outcome.winner


@cache
def _constants(terms: Terms) -> Array:
    constants = np.zeros(layout.CONSTANTS, np.int64)
    constants[layout.SIZE] = terms.size
    constants[layout.NOGAPS] = terms.nogaps
    constants[layout.EXACT] = terms.exact
    constants[layout.SWAP] = terms.swap
    constants[layout.MAX_PLIES] = terms.most_plies
    if terms.size <= LARGEST_OF_ONE_WORD:
        _add_sets(constants, terms.size)
    constants[layout.OWNED : layout.CONSTANTS] = TUNED
    chance = random.Random("druid")
    for place in range(layout.SIDE_KEY, layout.KEYS_END):
        constants[place] = _word(chance.getrandbits(64) | 1)
    return constants


def _add_sets(constants: Array, size: int) -> None:
    sets = site(size)
    eastward = sum(sets.left << column for column in range(size - 2))
    for place, squares in (
        (layout.EVERY, sets.every),
        (layout.EDGE, sets.edge),
        (layout.BOTTOM, sets.bottom),
        (layout.TOP, sets.top),
        (layout.LEFT, sets.left),
        (layout.RIGHT, sets.right),
        (layout.EASTWARD, eastward),
    ):
        constants[place] = _word(_inner_set(size, squares))


def _stride(size: int) -> int:
    return 8 if size <= LARGEST_OF_ONE_WORD else layout.LARGE_STRIDE


def _inner(size: int, square: int) -> int:
    """Turn a square of the rules into one of the kernel."""
    return square // 16 * _stride(size) + square % 16


def _inner_set(size: int, squares: int) -> int:
    return sum(1 << _inner(size, square) for square in squares_of(squares))


def _word(number: int) -> np.int64:
    return np.int64(((number + 2**63) % 2**64) - 2**63)
