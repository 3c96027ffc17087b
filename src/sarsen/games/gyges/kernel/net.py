"""The net of Gyges: one hidden layer, learnt from games of the kernel with itself.

`training/gyges` makes `net.npz`. A row of bytes a feature; one after the other they give
the hidden layer. What it makes of that is the logit of winning, in thousandths.
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

from sarsen.games.gyges.kernel.features import FEATURES, MAX_ACTIVE, PAIRS, list_others, list_rings
from sarsen.games.gyges.kernel.tables import TABLES_END, room
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS, Array

WIDTH = 32
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
    rows: Any,
    pairs: Any,
    bias: Any,
    last: Any,
    active: Any,
    count: Any,
    rings: Any,
) -> Any:
    """Add the rows of what holds to the bias; return what the last layer makes of it.

    Args:
        rows: Where in the constants the rows begin, WIDTH bytes each.
        pairs: The number of the first row of a pair; those of ring n with each ring
            before it follow those of the rings before n.
        bias: Where the bias begins, WIDTH numbers of 16 bits.
        last: Where the weights of the last layer begin, of 16 bits, too.
        active: The numbers of the rows, those of the rings first and rising.
        count: How many.
        rings: How many of them are rings, whose pairs are added, too.
    """
    word = types.int64
    signature = word(_INTEGERS, word, word, word, word, _INTEGERS, word, word)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, first_row, first_pair, bias_at, last_at, numbers, length, paired = arguments
        table = cgutils.create_struct_proxy(_INTEGERS)(target, builder, table).data
        numbers = cgutils.create_struct_proxy(_INTEGERS)(target, builder, numbers).data
        words_a_row = _WORD(WIDTH // 8)

        def vector(kind: Any, index: Any) -> Any:
            place = builder.bitcast(builder.gep(table, [index]), kind.as_pointer())
            return builder.load(place, align=8)

        def number(index: Any) -> Any:
            return builder.load(builder.gep(numbers, [index]))

        def add_row(begin: Any, number: Any) -> None:
            index = builder.add(begin, builder.mul(number, words_a_row))
            row = builder.sext(vector(_BYTES, index), _SHORTS)
            builder.store(builder.add(builder.load(hidden), row), hidden)

        hidden = cgutils.alloca_once_value(builder, vector(_SHORTS, bias_at))
        with cgutils.for_range(builder, length) as loop:
            add_row(first_row, number(loop.index))
        with cgutils.for_range(builder, paired) as later:
            ring = number(later.index)
            before = builder.mul(ring, builder.sub(ring, _WORD(1)))
            before = builder.add(first_pair, builder.ashr(before, _WORD(1)))
            begin = builder.add(first_row, builder.mul(before, words_a_row))
            with cgutils.for_range(builder, later.index) as earlier:
                add_row(begin, number(earlier.index))
        values = builder.load(hidden)
        is_positive = builder.icmp_signed(">", values, ir.Constant(_SHORTS, None))
        values = builder.select(is_positive, values, ir.Constant(_SHORTS, None))
        factors = builder.sext(vector(_SHORTS, last_at), _INTS)
        products = builder.sext(builder.mul(builder.sext(values, _INTS), factors), _LONGS)
        add_up = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_WORD, [_LONGS]), f"llvm.vector.reduce.add.v{WIDTH}i64"
        )
        return builder.call(add_up, [products])

    return signature, generate


_log = logging.getLogger(__name__)

FILE = Path(__file__).with_name("net.npz")
WORDS = WIDTH // 8
MAX_WEIGHT = 127  # of a signed byte
UNIT = 128  # a weight of 1
FINE = 10  # bits of `last` below the point

HAS_NET = TABLES_END
BIAS = HAS_NET + 1
LAST = BIAS + WIDTH // 4
END = LAST + WIDTH // 4
ROWS = END + 1
NET_END = ROWS + FEATURES * WORDS
WORDS_IN_ALL = NET_END - HAS_NET

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
    return np.concatenate([[1], bias, last, parts["end"], rows])


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
    active = room(MAX_ACTIVE)
    rings = list_rings(low, high, active)
    length = list_others(constants, low, high, active, rings, rings)
    points = outcome(constants, ROWS, PAIRS, BIAS, LAST, active, length, rings)
    return (points + constants[END]) >> FINE


NOTES = NET_END
SIZE = 1 << 18  # words
NOTHING, WON = 0, 1

_BITS = 20  # of what was found; the key's bits above are compared, those below choose the word
_FOUND = (1 << _BITS) - 1
EVEN = 1 << (_BITS - 1)


@intrinsic
def _fetch(context: Any, words: Any, index: Any) -> Any:
    """Prefetch a word into the processor's cache."""
    array = types.Array(types.int64, 1, "C")
    number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = cgutils.create_struct_proxy(array)(target, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # For reading, into all caches, as data.
        builder.call(fetch, [place, number(0), number(3), number(1)])
        return target.get_dummy_value()

    return types.void(array, types.int64), generate


@compiled(void(INTEGERS, int64), inline="always")
def prefetch_note(constants, key):  # type: ignore[no-untyped-def]
    """Have the note of a position brought near, for its place is as random as its key."""
    _fetch(constants, NOTES + (key & (SIZE - 1)))


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
