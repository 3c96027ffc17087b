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
_LONGS = ir.VectorType(_WORD, WIDTH)
_INTEGERS = types.Array(types.int64, 1, "C")


@intrinsic
def outcome(
    context: Any, constants: Any, rows: Any, bias: Any, last: Any, active: Any, count: Any
) -> Any:
    """Add the rows of the active features to the bias; give what the last layer makes of it.

    Args:
        rows: Where in the constants the rows begin, WIDTH bytes each.
        bias: Where the bias begins, WIDTH numbers of 16 bits.
        last: Where the weights of the last layer begin, a word each.
        active: The numbers of the rows.
        count: How many.
    """
    word = types.int64
    signature = word(_INTEGERS, word, word, word, _INTEGERS, word)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, first_row, bias_at, last_at, numbers, length = arguments
        table = cgutils.create_struct_proxy(_INTEGERS)(target, builder, table).data
        numbers = cgutils.create_struct_proxy(_INTEGERS)(target, builder, numbers).data

        def vector(kind: Any, index: Any) -> Any:
            place = builder.bitcast(builder.gep(table, [index]), kind.as_pointer())
            return builder.load(place, align=8)

        hidden = cgutils.alloca_once_value(builder, vector(_SHORTS, bias_at))
        words_a_row = _WORD(WIDTH // 8)
        with cgutils.for_range(builder, length) as loop:
            number = builder.load(builder.gep(numbers, [loop.index]))
            index = builder.add(first_row, builder.mul(number, words_a_row))
            row = builder.sext(vector(_BYTES, index), _SHORTS)
            builder.store(builder.add(builder.load(hidden), row), hidden)
        values = builder.load(hidden)
        is_positive = builder.icmp_signed(">", values, ir.Constant(_SHORTS, None))
        values = builder.select(is_positive, values, ir.Constant(_SHORTS, None))
        products = builder.mul(builder.sext(values, _LONGS), vector(_LONGS, last_at))
        add_up = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_WORD, [_LONGS]), f"llvm.vector.reduce.add.v{WIDTH}i64"
        )
        return builder.call(add_up, [products])

    return signature, generate
