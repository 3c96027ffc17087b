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

import numpy as np
from numba import int64, uint64

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS, Array
from sarsen.search.kernels.gyges.features import (
    FEATURES,
    MOST_ACTIVE,
    PAIRS,
    list_others,
    list_rings,
)
from sarsen.search.kernels.gyges.hidden import WIDTH, outcome
from sarsen.search.kernels.gyges.stack import room
from sarsen.search.kernels.gyges.tables import TABLES_END

_log = logging.getLogger(__name__)

FILE = Path(__file__).with_name("net.npz")
WORDS = WIDTH // 8
MOST_WEIGHT = 127
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
    "rows": MOST_WEIGHT,
    "bias": (1 << 15) - 1 - MOST_ACTIVE * MOST_WEIGHT,
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
        "rows": np.clip(np.rint(weights * UNIT), -MOST_WEIGHT, MOST_WEIGHT).astype(np.int8),
        "bias": np.rint(bias * UNIT).astype(np.int32),
        "last": np.rint(last * 1000 * (1 << FINE) / UNIT).astype(np.int32),
        "end": np.rint(end * 1000 * (1 << FINE)).astype(np.int32),
    }


@compiled(int64(INTEGERS, uint64, uint64))
def judge_by_net(constants, low, high):  # type: ignore[no-untyped-def]
    """Give points for South to move: the logit of its winning, in thousandths."""
    active = room(MOST_ACTIVE)
    rings = list_rings(low, high, active)
    listed = list_others(constants, low, high, active, rings, rings)
    points = outcome(constants, ROWS, PAIRS, BIAS, LAST, active, listed, rings)
    return (points + constants[END]) >> FINE
