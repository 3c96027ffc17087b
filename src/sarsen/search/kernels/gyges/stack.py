"""Short arrays on the stack of a compiled function, where none can be created otherwise."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


@intrinsic
def room(context: Any, words: Any) -> Any:
    """Return an array of so many int64, a number in the source; it goes when the caller returns."""
    if not isinstance(words, types.IntegerLiteral):
        return None  # Numba asks again, with the number.
    kind = types.Array(types.int64, 1, "C")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        length = target.get_constant(types.intp, words.literal_value)
        step = target.get_constant(types.intp, 8)
        made = make_array(kind)(target, builder)
        populate_array(
            made,
            data=cgutils.alloca_once(builder, ir.IntType(64), size=length),
            shape=cgutils.pack_array(builder, [length]),
            strides=cgutils.pack_array(builder, [step]),
            itemsize=step,
            meminfo=None,
        )
        return made._getvalue()

    return kind(words), generate
