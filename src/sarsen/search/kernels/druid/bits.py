"""Sets of up to 64 squares as the bits of one word, with the instructions made for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import int64, types, uint64
from numba.extending import intrinsic

from sarsen.search.compiling import compiled

ONE = np.uint64(1)
EIGHT = np.uint64(8)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_TOP_OF_BYTE = np.uint64(0x8080808080808080)
_PAIRS = np.uint64(0x5555555555555555)
_QUADS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_ROUND = np.uint64(63)


@intrinsic
def _population(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _zeros_below(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def _deposit(typing: Any, word: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        return builder.call(pdep, values)

    return types.uint64(types.uint64, types.uint64), generate


@compiled(int64(uint64), inline="always")
def size_of(squares):  # type: ignore[no-untyped-def]
    """Count the squares of a set."""
    return np.int64(_population(squares))


@compiled(int64(uint64), inline="always")
def lowest(squares):  # type: ignore[no-untyped-def]
    """Give the lowest square of a set that is not empty."""
    return np.int64(_zeros_below(squares))


@compiled(int64(uint64, int64))
def nth_by_bytes(squares, place):  # type: ignore[no-untyped-def]
    """Give the square at a place (from 0) of a set; for any processor."""
    sums = squares - ((squares >> ONE) & _PAIRS)
    sums = (sums & _QUADS) + ((sums >> np.uint64(2)) & _QUADS)
    # Each byte counts the squares in itself and in all bytes below it.
    sums = ((sums + (sums >> np.uint64(4))) & _NIBBLES) * _EVERY_BYTE
    wanted = np.uint64(place + 1) * _EVERY_BYTE
    reached = ((sums | _TOP_OF_BYTE) - wanted) & _TOP_OF_BYTE
    shift = np.uint64(_zeros_below(reached)) & ~np.uint64(7)
    below = np.int64(((sums << EIGHT) >> shift) & np.uint64(255))
    byte = squares >> shift
    for _ in range(place - below):
        byte &= byte - ONE
    return np.int64(shift + _zeros_below(byte))


@compiled(int64(uint64, int64), inline="always")
def _nth_by_deposit(squares, place):  # type: ignore[no-untyped-def]
    return np.int64(_zeros_below(_deposit(ONE << np.uint64(place), squares)))


# One instruction where the processor has it: depositing a single bit below a mask.
nth = _nth_by_deposit if binding.get_host_cpu_features().get("bmi2") else nth_by_bytes
