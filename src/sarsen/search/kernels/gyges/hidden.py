"""The arithmetic of the net: rows of bytes added up side by side.

Numba's own loops take one number at a time here; LLVM's vectors take a whole row, on any
processor. Nothing else of the kernel is written so.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

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
    """Add the rows of what holds to the bias; give what the last layer makes of it.

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
