"""What was found of positions judged lately, so that none is judged twice in a short while.

Order judges what each move leaves, and much of it is soon asked for again: by the moves
searched least deep, and by the next, deeper search. A note is one word at the end of the
constants: the upper bits of the key, and what was found. A word is written at once, so
that searches in other threads read it whole; and as a note says only what would be found
anew, nobody sees whether there was one.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import int64, types, void
from numba.core import cgutils
from numba.extending import intrinsic

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS
from sarsen.search.kernels.gyges.net import NET_END

NOTES = NET_END
SIZE = 1 << 18  # words
NOTHING, WON = 0, 1

_BITS = 20  # of what was found; the key's bits above are compared, those below choose the word
_FOUND = (1 << _BITS) - 1
EVEN = 1 << (_BITS - 1)


@intrinsic
def _fetch(context: Any, words: Any, index: Any) -> Any:
    """Tell the processor that a word is wanted soon."""
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
def fetch_note(constants, key):  # type: ignore[no-untyped-def]
    """Have the note of a position brought near, for its place is as random as its key."""
    _fetch(constants, NOTES + (key & (SIZE - 1)))


@compiled(int64(INTEGERS, int64), inline="always")
def noted(constants, key):  # type: ignore[no-untyped-def]
    """Give what was found of a position: NOTHING yet, WON, or `points_of` tells."""
    word = constants[NOTES + (key & (SIZE - 1))]
    return word & _FOUND if (word ^ key) >> _BITS == 0 else NOTHING


@compiled(int64(int64), inline="always")
def points_of(found):  # type: ignore[no-untyped-def]
    return found - EVEN


@compiled(void(INTEGERS, int64), inline="always")
def note_win(constants, key):  # type: ignore[no-untyped-def]
    constants[NOTES + (key & (SIZE - 1))] = (key >> _BITS << _BITS) | WON


@compiled(void(INTEGERS, int64, int64), inline="always")
def note_points(constants, key, points):  # type: ignore[no-untyped-def]
    """Note points; the few beyond what a note holds are found anew each time."""
    if abs(points) < EVEN - 1:
        constants[NOTES + (key & (SIZE - 1))] = (key >> _BITS << _BITS) | (points + EVEN)
