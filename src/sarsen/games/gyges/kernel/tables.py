"""What the kernel of Gyges knows beforehand: legs, hashes and set-ups, in one array.

A place is a number as in the rules: 0 .. 35 the slots, 36 South's goal, 37 North's.
Sets of places are bits of one integer. For each value and slot a table answers, for
every way the slots near it can be taken, where the open legs end.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from sarsen.games.gyges.board import LEGS
from sarsen.games.gyges.rules import SET_UPS
from sarsen.search.contract import CACHE_LINE, Array

Words = NDArray[np.uint64]

ALL_SLOTS = (1 << 36) - 1
GOALS = 3 << 36

# Of the slots two steps away and nearer, as bits counted from two rows below: those
# that a triple can pass. A product with the magic number folds any set of them
# into its top bits so that no two sets meet; a double passes the four nearest.
_NEAR_TRIPLE = (0, 5, 6, 7, 10, 11, 13, 14, 17, 18, 19, 24)
_NEAR_DOUBLE = (6, 11, 13, 18)
MAGIC_DOUBLE = 1 << 57 | 1 << 51 | 1 << 48 | 1 << 42
MAGIC_TRIPLE = 0xA002_0004_0022_0000
BITS_DOUBLE, BITS_TRIPLE = 4, 13

# Where each table begins. A ring is value * 36 + slot.
NEAR = 0  # [ring]: the slots that a leg can pass, shifted as `aligned` does
MAGICS = NEAR + 4 * 36  # [ring]: magic number, bits that fall away, first entry
LEG_END = MAGICS + 4 * 36 * 4  # [ring][leg]: the place where it ends
LEG_ENDS = LEG_END + 4 * 36 * 64  # [ring][leg]: the same as a set
LEG_PASSED = LEG_ENDS + 4 * 36 * 64  # [ring][leg]: the slots it passes, all where there is no leg
LEG_CONNECTIONS = LEG_PASSED + 4 * 36 * 64  # [ring][leg]: the connections it uses
WAYS_SINGLE = LEG_CONNECTIONS + 4 * 36 * 64
WAYS_DOUBLE = WAYS_SINGLE + 36
WAYS_TRIPLE = WAYS_DOUBLE + 36 * (1 << BITS_DOUBLE)
HASHES = WAYS_TRIPLE + 36 * (1 << BITS_TRIPLE)  # [value][slot], then that of North to move
HASH_NORTH = HASHES + 4 * 36
SET_UP_BITS = HASH_NORTH + 1  # [set-up]: low bits of the values, high bits shifted by 6
# What follows begins with a line of the processor's cache.
WINS = -(-(SET_UP_BITS + len(SET_UPS)) // CACHE_LINE) * CACHE_LINE
# [kind][field][way]: ways to a goal that were found last; `wins` says what they are.
KEPT_WINS, WIN_FIELDS, WIN_KINDS = 32, 6, 3
NEXT_WIN = WINS + WIN_KINDS * WIN_FIELDS * KEPT_WINS  # [kind]: which is replaced next
TABLES_END = NEXT_WIN + CACHE_LINE

_WAYS = {
    1: (WAYS_SINGLE, (), 0, 0),
    2: (WAYS_DOUBLE, _NEAR_DOUBLE, MAGIC_DOUBLE, BITS_DOUBLE),
    3: (WAYS_TRIPLE, _NEAR_TRIPLE, MAGIC_TRIPLE, BITS_TRIPLE),
}


@cache
def constants() -> Array:
    """Build them all; some 30 ms, 3 MB."""
    table = np.zeros(TABLES_END, np.int64)
    for value in (1, 2, 3):
        for slot in range(36):
            _fill_legs(table, value, slot)
            _fill_ways(table, value, slot)
    chance = np.random.default_rng(1984)
    table[HASHES + 36 : SET_UP_BITS] = chance.integers(1, 1 << 62, 3 * 36 + 1)
    table[SET_UP_BITS : SET_UP_BITS + len(SET_UPS)] = [set_up_bits(rings) for rings in SET_UPS]
    # No way is kept yet: one that starts everywhere is open nowhere.
    table[WINS:NEXT_WIN] = -1
    return table


def set_up_bits(rings: str) -> int:
    """Return the low bits of six values in columns 1 to 6, and above them the high bits."""
    values = [int(digit) for digit in rings]
    low = sum((value & 1) << column for column, value in enumerate(values))
    high = sum((value >> 1) << column for column, value in enumerate(values))
    return low | high << 6


def _fill_legs(table: Array, value: int, slot: int) -> None:
    begin = (value * 36 + slot) * 64
    table[LEG_PASSED + begin : LEG_PASSED + begin + 64] = ALL_SLOTS
    for number, leg in enumerate(LEGS[value][slot], begin):
        table[LEG_END + number] = leg.end
        table[LEG_ENDS + number] = 1 << leg.end
        table[LEG_PASSED + number] = leg.between
        table[LEG_CONNECTIONS + number] = _between_slots(leg.connections)


@cache
def _connections() -> tuple[int, ...]:
    """Return the sixty connections between slots; one into a goal is only ever the last."""
    legs = [leg for slot in range(36) for leg in LEGS[1][slot]]
    return tuple(sorted({leg.connections for leg in legs if leg.end < 36}))


def _between_slots(connections: int) -> int:
    return sum(1 << n for n, bit in enumerate(_connections()) if connections & bit)


def _fill_ways(table: Array, value: int, slot: int) -> None:
    begin, near, magic, bits = _WAYS[value]
    legs = LEGS[value][slot]
    passed = 0
    for leg in legs:
        passed |= leg.between
    table[NEAR + value * 36 + slot] = aligned(passed, slot)
    rule = MAGICS + (value * 36 + slot) * 4
    table[rule] = magic - (1 << 64) if magic >> 63 else magic
    table[rule + 1] = 64 - bits if near else 63
    table[rule + 2] = begin + (slot << bits)
    sets = _subsets(aligned(passed, slot))
    index = (sets * np.uint64(magic)) >> np.uint64(64 - bits) if near else sets
    assert len(np.unique(index)) == len(sets)
    entries = begin + (slot << bits) + index.astype(np.int64)
    for leg in legs:
        is_open = sets & np.uint64(aligned(leg.between, slot)) == 0
        table[entries[is_open]] |= 1 << leg.end


def aligned(slots: int, slot: int) -> int:
    """Shift a set of slots so that those around one slot stand at the same bits for all."""
    return slots << 12 >> slot


def _subsets(bits: int) -> Words:
    sets = np.zeros(1, np.uint64)
    for bit in range(bits.bit_length()):
        if bits >> bit & 1:
            sets = np.concatenate([sets, sets | np.uint64(1 << bit)])
    return sets


@intrinsic
def room(context: Any, words: Any) -> Any:
    """Return an array of so many int64, a number in the source; it goes when the caller returns."""
    if not isinstance(words, types.IntegerLiteral):
        return None  # Numba asks again, with the number.
    kind = types.Array(types.int64, 1, "C")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        length = target.get_constant(types.intp, words.literal_value)
        step = target.get_constant(types.intp, 8)
        array = make_array(kind)(target, builder)
        populate_array(
            array,
            data=cgutils.alloca_once(builder, ir.IntType(64), size=length),
            shape=cgutils.pack_array(builder, [length]),
            strides=cgutils.pack_array(builder, [step]),
            itemsize=step,
            meminfo=None,
        )
        return array._getvalue()

    return kind(words), generate


def eight_times(builder: Any, word: Any) -> Any:
    """Return a vector of eight times the same word, in the code that an intrinsic generates."""
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), 8), None)
    nothing = ir.Constant(ir.VectorType(ir.IntType(64), 8), None)
    single = builder.insert_element(nothing, word, ir.IntType(32)(0))
    return builder.shuffle_vector(single, single, lanes)


@intrinsic
def open_legs(
    context: Any, words: Any, ring: Any, blocks: Any, taken: Any, used: Any, hits: Any
) -> Any:
    """Return the open legs of a ring that end on rings to hit, as bits, and where all end.

    Eight legs at once: 1.2 times as many generations as with loops over the legs that may be
    open, which end at another turn each time, so that a processor mispredicts their ends.

    Args:
        ring: (value * 36 + slot) * 64.
        blocks: How often eight legs its value has.
        taken: The slots that no leg passes.
        used: The connections that none uses.
        hits: The slots of rings to hit.
    """
    word, eight = ir.IntType(64), ir.VectorType(ir.IntType(64), 8)
    array, number = types.Array(types.int64, 1, "C"), types.uint64
    result_type = types.UniTuple(number, 2)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, ring_index, length, *sets = arguments
        data = cgutils.create_struct_proxy(array)(target, builder, table).data
        nothing = ir.Constant(eight, None)

        def load(table: int, begin: Any) -> Any:
            index = builder.add(builder.add(ring_index, word(table)), begin)
            place = builder.bitcast(builder.gep(data, [index]), eight.as_pointer())
            return builder.load(place, align=8)

        taken, used, hits = (eight_times(builder, places) for places in sets)
        ends = cgutils.alloca_once_value(builder, nothing)
        onward = cgutils.alloca_once_value(builder, word(0))
        with cgutils.for_range(builder, length) as loop:
            begin = builder.shl(loop.index, word(3))
            passed = builder.and_(load(LEG_PASSED, begin), taken)
            shut = builder.or_(passed, builder.and_(load(LEG_CONNECTIONS, begin), used))
            is_open = builder.icmp_unsigned("==", shut, nothing)
            to = builder.select(is_open, load(LEG_ENDS, begin), nothing)
            builder.store(builder.or_(builder.load(ends), to), ends)
            does_hit = builder.icmp_unsigned("!=", builder.and_(to, hits), nothing)
            bits = builder.zext(builder.bitcast(does_hit, ir.IntType(8)), word)
            bits = builder.or_(builder.load(onward), builder.shl(bits, begin))
            builder.store(bits, onward)
        join = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [eight]), "llvm.vector.reduce.or.v8i64"
        )
        both = [builder.load(onward), builder.call(join, [builder.load(ends)])]
        return target.make_tuple(builder, result_type, both)

    return result_type(array, number, number, number, number, number), generate
