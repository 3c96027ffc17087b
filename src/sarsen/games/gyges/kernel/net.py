"""The net of Gyges: one hidden layer, learnt from games of the kernel with itself.

`training/gyges` makes `net.npz`. A row of bytes a feature; added up they give the hidden
layer. What it makes of that is the logit of winning, in thousandths.
"""

from __future__ import annotations

import logging
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, types, uint64, void
from numba.core import cgutils
from numba.extending import intrinsic

from sarsen.games.gyges.kernel.features import (
    DANGER,
    FEATURES,
    GRASPED_RINGS,
    GRASPED_SLOTS,
    MAX_ACTIVE,
    PAIRS,
    RINGS,
    SHORES,
    rough_reach,
)
from sarsen.games.gyges.kernel.reach import first, shore_row, value_at
from sarsen.games.gyges.kernel.tables import TABLES_END, room
from sarsen.games.gyges.kernel.wins import is_in_danger
from sarsen.search.compiling import compiled, prefetch
from sarsen.search.contract import INTEGERS, Array

WIDTH = 32
ALL_RINGS = 12
_NONE, _ONE, _THREE, _SIX = np.uint64(0), np.uint64(1), np.uint64(3), np.uint64(6)
_RINGS, _ALL = np.uint64(RINGS), np.uint64((1 << 36) - 1)
_WORD = ir.IntType(64)
_BYTES = ir.VectorType(ir.IntType(8), WIDTH)
_SHORTS = ir.VectorType(ir.IntType(16), WIDTH)
_INTS = ir.VectorType(ir.IntType(32), WIDTH)
_LONGS = ir.VectorType(_WORD, WIDTH)
_INTEGERS = types.Array(types.int64, 1, "C")


@intrinsic
def outcome(
    context: Any,
    constants: Any,
    rings: Any,
    grasped: Any,
    own: Any,
    other: Any,
    shores: Any,
    danger: Any,
) -> Any:
    """Add what holds of a position to the bias; return what the last layer makes of it.

    Args:
        rings: The numbers of the features of single rings, rising.
        grasped: For each of them its row in GRASPED.
        own, other: The empty slots that the mover gets at, and those that the other does.
        shores: The row of both shores.
        danger: How often the row of danger is added: 1 or 0.
    """
    word, places = types.int64, types.uint64
    signature = word(_INTEGERS, _INTEGERS, _INTEGERS, places, places, word, word)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, numbers, held, own, other, shores, danger = arguments
        table = cgutils.create_struct_proxy(_INTEGERS)(target, builder, table).data
        numbers = cgutils.create_struct_proxy(_INTEGERS)(target, builder, numbers).data
        held = cgutils.create_struct_proxy(_INTEGERS)(target, builder, held).data
        words_a_row = _WORD(WIDTH // 8)

        def vector(kind: Any, index: Any) -> Any:
            place = builder.bitcast(builder.gep(table, [index]), kind.as_pointer())
            return builder.load(place, align=8)

        def number(array: Any, index: Any) -> Any:
            return builder.load(builder.gep(array, [index]))

        def add(values: Any) -> None:
            builder.store(builder.add(builder.load(hidden), values), hidden)

        def add_row(begin: Any, number: Any) -> None:
            index = builder.add(begin, builder.mul(number, words_a_row))
            add(builder.sext(vector(_BYTES, index), _SHORTS))

        def add_sum(begin: int, number: Any) -> None:
            index = builder.add(_WORD(begin), builder.mul(number, _WORD(SUM_WORDS)))
            add(vector(_SHORTS, index))

        hidden = cgutils.alloca_once_value(builder, vector(_SHORTS, _WORD(BIAS)))

        # Without a loop, whose end a processor mispredicts and whose counting takes a third.
        earlier: list[Any] = []
        for place in range(ALL_RINGS):
            add_sum(GRASPED, number(held, _WORD(place)))
            ring = number(numbers, _WORD(place))
            before = builder.mul(ring, builder.sub(ring, _WORD(1)))
            before = builder.add(_WORD(PAIRS), builder.ashr(before, _WORD(1)))
            pairs = builder.add(_WORD(ROWS), builder.mul(before, words_a_row))
            pairs = builder.gep(table, [pairs])
            for other_ring in earlier:
                row = builder.gep(pairs, [builder.mul(other_ring, words_a_row)])
                row = builder.load(builder.bitcast(row, _BYTES.as_pointer()), align=8)
                add(builder.sext(row, _SHORTS))
            earlier.append(ring)
        part = _WORD((1 << PART) - 1)
        for slot in range(0, 36, PART):
            own_part = builder.and_(builder.lshr(own, _WORD(slot)), part)
            other_part = builder.and_(builder.lshr(other, _WORD(slot)), part)
            both = builder.or_(own_part, builder.shl(other_part, _WORD(PART)))
            add_sum(SLOTS + (slot // PART << 2 * PART) * SUM_WORDS, both)
        add_row(_WORD(ROWS), shores)
        with cgutils.for_range(builder, danger):
            add_row(_WORD(ROWS), _WORD(DANGER))
        values = builder.load(hidden)
        is_positive = builder.icmp_signed(">", values, ir.Constant(_SHORTS, None))
        values = builder.select(is_positive, values, ir.Constant(_SHORTS, None))
        factors = builder.sext(vector(_SHORTS, _WORD(LAST)), _INTS)
        products = builder.sext(builder.mul(builder.sext(values, _INTS), factors), _LONGS)
        add_up = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_WORD, [_LONGS]), f"llvm.vector.reduce.add.v{WIDTH}i64"
        )
        return builder.call(add_up, [products])

    return signature, generate


_log = logging.getLogger(__name__)

FILE = Path(__file__).with_name("net.npz")
WORDS = WIDTH // 8
SUM_WORDS = WIDTH // 4
PART = 3  # slots
MAX_WEIGHT = 127  # of a signed byte
UNIT = 128  # a weight of 1
FINE = 10  # bits of `last` below the point

# What is loaded as a vector begins with a line of the processor's cache, or in its middle.
# Rows that are always added together stand as sums of 16 bits, too:
# GRASPED [graspers][ring], the row of a ring and that of who gets at it;
# SLOTS [part][other][own], those of PART empty slots next to one another.
BIAS = TABLES_END
LAST = BIAS + WIDTH // 4
ROWS = LAST + WIDTH // 4
GRASPED = -(-(ROWS + FEATURES * WORDS) // 8) * 8
SLOTS = GRASPED + 4 * RINGS * SUM_WORDS
END = SLOTS + (36 // PART << 2 * PART) * SUM_WORDS
HAS_NET = END + 1
NET_END = HAS_NET + 1
WORDS_IN_ALL = NET_END - TABLES_END

_SHAPES = {"rows": (FEATURES, WIDTH), "bias": (WIDTH,), "last": (WIDTH,), "end": (1,)}
# The bias leaves room for the weights of as many rows as ever hold.
_MOST = {
    "rows": MAX_WEIGHT,
    "bias": (1 << 15) - 1 - MAX_ACTIVE * MAX_WEIGHT,
    "last": (1 << 15) - 1,
}


class DamagedNet(Exception):
    """The file of the net is missing or not whole."""


@cache
def words() -> Array:
    """Return what of the net stands in the constants, all zero when its file is damaged."""
    try:
        return read(FILE)
    except DamagedNet as damage:
        _log.error("%s Gyges is played with the hand-written evaluation.", damage)
        return np.zeros(WORDS_IN_ALL, np.int64)


def read(path: Path) -> Array:
    """Read a net.

    Raises:
        DamagedNet: The file is missing, was changed, or is of another kernel.
    """
    try:
        # The archive's checksums tell a changed byte.
        with np.load(path, allow_pickle=False) as file:
            parts = {name: file[name].astype(np.int64) for name in _SHAPES}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise DamagedNet(f"The net {path} cannot be read: {error}.") from error
    shapes = {name: part.shape for name, part in parts.items()}
    if shapes != _SHAPES or any(np.abs(parts[name]).max() > most for name, most in _MOST.items()):
        raise DamagedNet(f"The net {path} is not for this kernel.")
    bias, last = (parts[name].astype(np.int16).view(np.int64) for name in ("bias", "last"))
    rows = parts["rows"].astype(np.int8).reshape(-1).view(np.int64)
    gap = np.zeros(GRASPED - ROWS - rows.size, np.int64)
    return np.concatenate([bias, last, rows, gap, *_sums(parts["rows"]), parts["end"], [1]])


def _sums(rows: Array) -> list[Array]:
    """Return the tables GRASPED and SLOTS of the sums of rows `(FEATURES, WIDTH)`."""
    grasped = rows[GRASPED_RINGS:GRASPED_SLOTS].reshape(4, RINGS, WIDTH) + rows[:RINGS]
    slots = np.zeros((36 // PART, 1 << PART, 1 << PART, WIDTH), np.int64)
    for slot, other, own in np.ndindex(36, 1 << PART, 1 << PART):
        graspers = (own >> slot % PART & 1) + 2 * (other >> slot % PART & 1)
        if graspers:
            row = GRASPED_SLOTS + (graspers - 1) * 36 + slot
            slots[slot // PART, other, own] += rows[row]
    return [table.astype(np.int16).reshape(-1).view(np.int64) for table in (grasped, slots)]


def quantised(
    weights: np.ndarray, bias: np.ndarray, last: np.ndarray, end: np.ndarray
) -> dict[str, np.ndarray]:
    """Turn trained layers into the small integers of the file."""
    return {
        "rows": np.clip(np.rint(weights * UNIT), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int8),
        "bias": np.rint(bias * UNIT).astype(np.int32),
        "last": np.rint(last * 1000 * (1 << FINE) / UNIT).astype(np.int32),
        "end": np.rint(end * 1000 * (1 << FINE)).astype(np.int32),
    }


@compiled(int64(INTEGERS, uint64, uint64))
def judge_by_net(constants, low, high):  # type: ignore[no-untyped-def]
    """Return points for South to move: the logit of its winning, in thousandths."""
    rings, grasped = room(ALL_RINGS), room(ALL_RINGS)
    taken = low | high
    own, other = rough_reach(constants, low, high)
    left = taken
    length = _NONE
    while left:
        slot = first(left)
        left &= left - _ONE
        number = _THREE * slot + value_at(low, high, slot) - _ONE
        graspers = ((own >> slot) & _ONE) | ((other >> slot) & _ONE) << _ONE
        rings[length] = np.int64(number)
        grasped[length] = np.int64(graspers * _RINGS + number)
        length += _ONE
    shores = SHORES + np.int64(shore_row(taken, _NONE) * _SIX + shore_row(taken, _ONE))
    danger = np.int64(is_in_danger(constants, low, high, other))
    empty = ~taken & _ALL
    points = outcome(constants, rings, grasped, own & empty, other & empty, shores, danger)
    return (points + constants[END]) >> FINE


NOTES = NET_END
SIZE = 1 << 18  # words
NOTHING, WON = 0, 1

_BITS = 20  # of what was found; the key's bits above are compared, those below choose the word
_FOUND = (1 << _BITS) - 1
EVEN = 1 << (_BITS - 1)


@compiled(void(INTEGERS, int64), inline="always")
def prefetch_note(constants, key):  # type: ignore[no-untyped-def]
    """Have the note of a position brought near, for its place is as random as its key."""
    prefetch(constants, NOTES + (key & (SIZE - 1)))


@compiled(int64(INTEGERS, int64), inline="always")
def noted(constants, key):  # type: ignore[no-untyped-def]
    """Return what was found of a position: NOTHING yet, WON, or `points_of` tells."""
    word = constants[NOTES + (key & (SIZE - 1))]
    return word & _FOUND if (word ^ key) >> _BITS == 0 else NOTHING


@compiled(int64(int64), inline="always")
def points_of(note):  # type: ignore[no-untyped-def]
    return note - EVEN


@compiled(void(INTEGERS, int64), inline="always")
def note_win(constants, key):  # type: ignore[no-untyped-def]
    constants[NOTES + (key & (SIZE - 1))] = (key >> _BITS << _BITS) | WON


@compiled(void(INTEGERS, int64, int64), inline="always")
def note_points(constants, key, points):  # type: ignore[no-untyped-def]
    """Note points; the few beyond what a note holds are found anew each time."""
    if abs(points) < EVEN - 1:
        constants[NOTES + (key & (SIZE - 1))] = (key >> _BITS << _BITS) | (points + EVEN)
