"""The contract between kernels and searches: states, results, and typed functions.

A state is one contiguous array of int64 that holds everything the rules of a kernel
need; copying it is taking a move back. It begins with a header that searches read:

    state[SEAT]    who is to move, 0 or 1 (asked after each move: seats need not alternate)
    state[RESULT]  ONGOING, WON_BY_FIRST, WON_BY_SECOND or DRAWN
    state[KEY]     a hash of all that decides the rest of the game, 0 when there is none
    state[PLY]     plies played since the state was made

Every function takes the kernel's constants first: one array of int64 with its tables and
options. Functions are first-class with explicit types, because only then does Numba's
disk cache serve the searches that call them; closures are never cached.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numba import int64, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition

# The searches rest on first-class functions, which Numba has called experimental since 2020.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

SEAT, RESULT, KEY, PLY = 0, 1, 2, 3
HEADER = 4
ONGOING, WON_BY_FIRST, WON_BY_SECOND, DRAWN = 0, 1, 2, 3

# What `prove` says of the seat to move.
UNKNOWN, PROVED_WIN, PROVED_LOSS, PROVED_DRAW = 0, 1, -1, 2

# What `lists` says of a move.
NOT_LISTED, LISTED, UNSAID = 0, 1, -1

# Scores of the searches: a proved win in n plies is WIN - n, a static score stays
# within +-STATIC. Points of a seat to move.
WIN = 1_000_000
STATIC = 900_000

# Of the processor and of Linux, in words.
CACHE_LINE, HUGE_PAGE = 8, 1 << 18

Array = np.ndarray[tuple[int], np.dtype[np.int64]]
INTEGERS = int64[::1]

# (constants, state, moves) -> count. Fills `moves`; the order is fixed, each distinct
# resulting position stands once; 0 exactly when the game is over.
LEGAL_SIGNATURE = int64(INTEGERS, INTEGERS, INTEGERS)
# (constants, state, move) -> result. Plays in place, header included.
PLAY_SIGNATURE = int64(INTEGERS, INTEGERS, int64)
# (constants, state) -> points within +-STATIC for the seat to move. Optional.
EVALUATE_SIGNATURE = int64(INTEGERS, INTEGERS)
# (constants, state, moves, scores, count) -> kept. Fills `scores` (higher is tried
# first) and may drop moves that lose at once, moving the others up; 0 when all do. Optional.
ORDER_SIGNATURE = int64(INTEGERS, INTEGERS, INTEGERS, INTEGERS, int64)
# (constants, state) -> UNKNOWN, PROVED_WIN, PROVED_LOSS or PROVED_DRAW, cheaply. Optional.
PROVE_SIGNATURE = int64(INTEGERS, INTEGERS)
# (constants, state, move) -> LISTED, NOT_LISTED or UNSAID: whether `legal` would list this
# code, found without listing all. Optional.
LISTS_SIGNATURE = int64(INTEGERS, INTEGERS, int64)
# (constants, state, chance) -> result. Plays the state to its end, or judges it, at
# random; `chance` is the state of `chance.draw`. The state is spoilt. Optional.
ROLLOUT_SIGNATURE = int64(INTEGERS, INTEGERS, INTEGERS)

LEGAL = types.FunctionType(LEGAL_SIGNATURE)
PLAY = types.FunctionType(PLAY_SIGNATURE)
EVALUATE = types.FunctionType(EVALUATE_SIGNATURE)
ORDER = types.FunctionType(ORDER_SIGNATURE)
PROVE = types.FunctionType(PROVE_SIGNATURE)
LISTS = types.FunctionType(LISTS_SIGNATURE)
ROLLOUT = types.FunctionType(ROLLOUT_SIGNATURE)


@dataclass(frozen=True)
class Kernel:
    """The functions that the searches need of one game with one set of options.

    Attributes:
        constants: Tables and options. Nothing that is written there changes what a function
            answers: a kernel may keep notes in them that do no harm when searches in other
            threads write there, too.
        state_size: Length of a state, header included.
        most_moves: No position has more.
        legal, play: Required; functions of the signatures above.
        evaluate, order, prove, rollout, lists: None when the game has none.
        is_compiled: False for plain-Python functions, which interpreted searches call.
        is_cyclic: Whether a position may come back within one game, so that a key must
            not be trusted across different histories.
        is_forgetful: Whether `KEY` leaves out a history that the rules ask for. Such a key
            still tells what is likely good, but what was proved in one history is no
            proof in another.
    """

    constants: Array
    state_size: int
    most_moves: int
    legal: Callable[..., int]
    play: Callable[..., int]
    evaluate: Callable[..., int] | None = None
    order: Callable[..., int] | None = None
    prove: Callable[..., int] | None = None
    rollout: Callable[..., int] | None = None
    is_compiled: bool = True
    is_cyclic: bool = False
    is_forgetful: bool = False
    lists: Callable[..., int] | None = None


class KernelModule(Protocol):
    """The attributes of the module `kernel` of a game's package beside its compiled functions."""

    def kernel(self, position: AnyPosition) -> Kernel:
        """Return the kernel for the options of a position. Cached by options."""

    def encode(self, position: AnyPosition) -> Array:
        """Turn a position of the rules into a state."""

    def move(self, position: AnyPosition, code: int) -> Any:
        """Turn a kernel's move into the move of the rules, in the position before it.

        Raises:
            LookupError, UserError: The rules have no such move there.
        """

    def code(self, position: AnyPosition, move: Any) -> int:
        """Turn a move of the rules into the kernel's. The pair of `move`."""


def aligned_zeros(words: int) -> Array:
    """Return an array of zeros that begins with a cache line, a large one with a huge page.

    NumPy aligns arrays to 16 bytes only: what fills a line, as a bucket of a table of
    positions or eight words looked at together do, would then always lie in two. Linux gives
    NumPy's large arrays huge pages where they are aligned, and a search reads at random places.
    """
    unit = HUGE_PAGE if words >= HUGE_PAGE else CACHE_LINE
    # A last huge page is one only where all of it belongs to the array.
    array = np.zeros(words + (2 * unit if unit == HUGE_PAGE else unit), np.int64)
    first = -(array.ctypes.data // array.itemsize) % unit
    return array[first : first + words]


def legal_move(
    module: KernelModule, position: AnyPosition, code: int, legal: Container[Any] | None = None
) -> Any | None:
    """Return the move of the rules for a kernel's code, or None where the rules have none.

    A state has a fixed size, so a kernel may know only a part of a long history: the rules
    judge every move that leaves a search.

    Args:
        legal: The legal moves of the position, to ask for many codes.
    """
    try:
        move = module.move(position, code)
    except (LookupError, UserError):
        return None
    return move if move in (position.legal_moves() if legal is None else legal) else None


def line_of(module: KernelModule, position: AnyPosition, codes: Sequence[int]) -> tuple[Any, ...]:
    """Turn a line of kernel moves into moves of the rules.

    The rules judge each; a line that they refuse is cut before the move refused.
    """
    moves = []
    for code in codes:
        if position.outcome() is not None:
            break
        move = legal_move(module, position, code)
        if move is None:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
