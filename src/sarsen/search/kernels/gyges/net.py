"""The net of Gyges: one hidden layer, learnt from games of the kernel with itself.

`training/gyges` makes `net.npz`. A row of bytes a feature, lifted above zero, so that
whole words of them can be added, every other byte at a time; one after the other they
give the hidden layer. What it makes of that is the logit of winning, in thousandths.
"""

from __future__ import annotations

import logging
import zipfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from numba import int64, uint64

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS, Array
from sarsen.search.kernels.gyges.features import FEATURES, MOST_ACTIVE, features
from sarsen.search.kernels.gyges.stack import room
from sarsen.search.kernels.gyges.tables import TABLES_END

_log = logging.getLogger(__name__)

FILE = Path(__file__).with_name("net.npz")
WIDTH = 32
WORDS = WIDTH // 8
SUMS = 2 * WORDS
LIFT = 128  # weights are within +-127; 116 of them, lifted, stay below 2**16
UNIT = 128  # a weight of 1
FINE = 10  # bits of `last` below the point

HAS_NET = TABLES_END
BIAS = HAS_NET + 1
LAST = BIAS + WIDTH
END = LAST + WIDTH
ROWS = END + 1
WORDS_IN_ALL = ROWS + FEATURES * WORDS - HAS_NET

_SHAPES = {"rows": (FEATURES, WIDTH), "bias": (WIDTH,), "last": (WIDTH,), "end": (1,)}
_ROWS, _WORDS = np.uint64(ROWS), np.uint64(WORDS)
_EVEN, _BYTE, _LANE = np.uint64(0x00FF00FF00FF00FF), np.uint64(8), np.uint64(0xFFFF)
_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


class DamagedNet(Exception):
    """The file of the net is missing or not whole."""


@cache
def words() -> Array:
    """Give what of the net stands in the constants, all zero when its file is damaged."""
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
    if shapes != _SHAPES or np.abs(parts["rows"]).max() >= LIFT:
        raise DamagedNet(f"The net {path} is not for this kernel.")
    lanes = (parts["rows"] + LIFT).astype(np.uint8)
    packed = lanes.view(np.int64).reshape(-1)
    return np.concatenate([[1], parts["bias"], parts["last"], parts["end"], packed])


def quantised(
    weights: np.ndarray, bias: np.ndarray, last: np.ndarray, end: np.ndarray
) -> dict[str, np.ndarray]:
    """Turn trained layers into the small integers of the file."""
    return {
        "rows": np.clip(np.rint(weights * UNIT), 1 - LIFT, LIFT - 1).astype(np.int8),
        "bias": np.rint(bias * UNIT).astype(np.int32),
        "last": np.rint(last * 1000 * (1 << FINE) / UNIT).astype(np.int32),
        "end": np.rint(end * 1000 * (1 << FINE)).astype(np.int32),
    }


@compiled(int64(INTEGERS, uint64, uint64))
def judge_by_net(constants, low, high):  # type: ignore[no-untyped-def]
    """Give points for South to move: the logit of its winning, in thousandths."""
    active = room(MOST_ACTIVE)
    listed = features(constants, low, high, active)
    sums = room(SUMS)
    a = b = c = d = e = f = g = h = np.uint64(0)
    for index in range(listed):
        row = _ROWS + np.uint64(active[index]) * _WORDS
        first, second = np.uint64(constants[row]), np.uint64(constants[row + _ONE])
        third, fourth = np.uint64(constants[row + _TWO]), np.uint64(constants[row + _THREE])
        a += first & _EVEN
        b += (first >> _BYTE) & _EVEN
        c += second & _EVEN
        d += (second >> _BYTE) & _EVEN
        e += third & _EVEN
        f += (third >> _BYTE) & _EVEN
        g += fourth & _EVEN
        h += (fourth >> _BYTE) & _EVEN
    sums[0], sums[1], sums[2], sums[3] = np.int64(a), np.int64(b), np.int64(c), np.int64(d)
    sums[4], sums[5], sums[6], sums[7] = np.int64(e), np.int64(f), np.int64(g), np.int64(h)
    points = constants[END]
    for unit in range(np.uint64(WIDTH)):
        # Byte 2n of a word went to lane n of one sum, byte 2n + 1 to that of the next.
        word = (unit >> _THREE << _ONE) + (unit & _ONE)
        lane = ((unit >> _ONE) & _THREE) << _FOUR
        lifted = (np.uint64(sums[word]) >> lane) & _LANE
        value = np.int64(lifted) - LIFT * listed + constants[np.uint64(BIAS) + unit]
        points += max(value, 0) * constants[np.uint64(LAST) + unit]
    return points >> FINE
