"""The net of `search.kernels.gyges` in pure Python: the same features, the same numbers.

A row of the net is kept as one long integer with a field of 16 bits for each hidden unit, so
that adding rows up is adding integers.
"""

from __future__ import annotations

import ast
import struct
import sys
import zipfile
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sarsen.games.gyges.board import GOALS, LEGS, NORTH, SOUTH, Rings, occupied, shore, shore_rings
from sarsen.games.gyges.routes import arrivals

# Where each kind of feature begins; see `kernels.gyges.features`.
_RINGS = 3 * 36
_GRASPED_RINGS = _RINGS + _RINGS * (_RINGS - 1) // 2
_GRASPED_SLOTS = _GRASPED_RINGS + 4 * _RINGS
_SHORES = _GRASPED_SLOTS + 3 * 36
_DANGER = _SHORES + 36
_WIDTH = 32  # hidden units
_SHIFT = 128  # added to each weight, so that no field is negative
_FINE = 10  # bits of the last layer below the point


@dataclass(frozen=True)
class _Net:
    """The layers: rows as long integers, the rest by hidden unit."""

    rows: tuple[int, ...]
    bias: tuple[int, ...]
    last: tuple[int, ...]
    end: int


def judge(rings: Rings, seat: int) -> int:
    """Return the logit of winning, in thousandths, of a seat to move that cannot win at once."""
    if seat == NORTH:
        rings = rings[35::-1] + rings[36:]  # as the other player sees it
    net = _net()
    active = _features(rings)
    fields = sum([net.rows[feature] for feature in active])
    hidden = array("H", fields.to_bytes(2 * _WIDTH, sys.byteorder))
    shift = _SHIFT * len(active)
    points = net.end
    for value, bias, last in zip(hidden, net.bias, net.last, strict=True):
        if (value := value - shift + bias) > 0:
            points += value * last
    return points >> _FINE


def can_win(rings: Rings, seat: int) -> bool:
    """Return whether a seat to move can land on the other's goal."""
    return bool(_grasped(rings, seat) >> GOALS[1 - seat] & 1) and _lands(rings, seat)


def _lands(rings: Rings, seat: int) -> bool:
    goal = GOALS[1 - seat]
    return any(
        stops[-1] == goal
        for origin in shore_rings(rings, seat)
        for stops in arrivals(rings, origin, seat)
    )


def _features(rings: Rings) -> list[int]:
    """List the features that hold, as South to move sees the rings."""
    own, other = _grasped(rings, SOUTH), _grasped(rings, NORTH)
    single = [3 * slot + rings[slot] - 1 for slot in range(36) if rings[slot]]
    found = single.copy()
    for at, later in enumerate(single):
        begin = _RINGS + later * (later - 1) // 2
        found += [begin + earlier for earlier in single[:at]]
    for slot in range(36):
        grasp = (own >> slot & 1) | (other >> slot & 1) << 1
        if rings[slot]:
            found.append(_GRASPED_RINGS + grasp * _RINGS + 3 * slot + rings[slot] - 1)
        elif grasp:
            found.append(_GRASPED_SLOTS + (grasp - 1) * 36 + slot)
    found.append(_SHORES + 6 * (shore(rings, SOUTH) - 1) + shore(rings, NORTH) - 1)
    if other >> GOALS[SOUTH] & 1 and _lands(rings, NORTH):
        found.append(_DANGER)
    return found


def _grasped(rings: Rings, seat: int) -> int:
    """Return the places that a player's rings get at, roughly: connections serve repeatedly."""
    taken, ways = occupied(rings), _ways()
    todo = list(shore_rings(rings, seat))
    done = met = sum([1 << start for start in todo])
    while todo:
        place = todo.pop()
        for end, between in ways[rings[place]][place]:
            if not between & taken:
                met |= end
                if taken & end and not done & end:
                    done |= end
                    todo.append(end.bit_length() - 1)
    return met


@cache
def _ways() -> dict[int, tuple[tuple[tuple[int, int], ...], ...]]:
    """Return, by value and place, each leg's end and the slots between, as masks."""
    return {
        value: tuple(
            tuple(dict.fromkeys((1 << leg.end, leg.between) for leg in legs)) for legs in places
        )
        for value, places in LEGS.items()
    }


@cache
def _net() -> _Net:
    """Read the net that the compiled search uses, too."""
    with (
        files("sarsen.search.kernels").joinpath("gyges/net.npz").open("rb") as file,
        zipfile.ZipFile(file) as archive,
    ):
        rows, bias, last, (end,) = (
            _numbers(archive.read(f"{name}.npy")) for name in ("rows", "bias", "last", "end")
        )
    packed = tuple(_packed(rows[begin : begin + _WIDTH]) for begin in range(0, len(rows), _WIDTH))
    return _Net(packed, tuple(bias), tuple(last), end)


def _packed(row: Iterable[int]) -> int:
    return int.from_bytes(array("H", [weight + _SHIFT for weight in row]).tobytes(), sys.byteorder)


def _numbers(file: bytes) -> tuple[int, ...]:
    """Read the integers of a file in the format .npy, version 1."""
    (length,) = struct.unpack_from("<H", file, 8)
    header = ast.literal_eval(file[10 : 10 + length].decode("ascii"))
    code = {"|i1": "b", "<i4": "i"}[header["descr"]]
    body = file[10 + length :]
    return struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)
