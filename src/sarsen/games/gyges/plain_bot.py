"""Gyges in pure Python: the net of the compiled levels, two plies deep at the most.

It judges every move, with a look at whether the answer wins, and the moves that look best
after every answer. Set-ups are drawn by lot, as at every level.
"""

from __future__ import annotations

import ast
import random
import struct
import sys
import zipfile
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sarsen.core.game import AnyPosition
from sarsen.games.gyges.board import GOALS, LEGS, NORTH, SOUTH, Rings, occupied, shore, shore_rings
from sarsen.games.gyges.routes import CandidateMove, arrivals, choices
from sarsen.games.gyges.rules import GygesPosition
from sarsen.search.plain_bots import Deadline, PlainLevel
from sarsen.search.thought import Candidate

LEVELS = (
    PlainLevel(0.028, choice=10),
    PlainLevel(0.016, choice=15),
    PlainLevel(0.005, choice=25),
    PlainLevel(0.0, choice=40),
)
EVEN_POINTS = 1100  # the net's points are thousandths of a logit
_WON = b"won"
_WIN = 20_000  # points
# Where each kind of feature begins; see `kernel.features`.
_RINGS = 3 * 36
_GRASPED_RINGS = _RINGS + _RINGS * (_RINGS - 1) // 2
_GRASPED_SLOTS = _GRASPED_RINGS + 4 * _RINGS
_SHORES = _GRASPED_SLOTS + 3 * 36
_DANGER = _SHORES + 36
_WIDTH = 32  # hidden units
_SHIFT = 128  # added to each weight, so that no field is negative
_FINE = 10  # bits of the last layer below the point


def score_moves(
    position: AnyPosition, level: PlainLevel, chance: random.Random, clock: Deadline
) -> Sequence[Candidate]:
    """Score the moves of the seat to move; see `PlainBotModule.score_moves`."""
    assert isinstance(position, GygesPosition)
    if position.is_setting_up:
        return [Candidate(chance.choice(position.legal_moves()), 0.5)]
    seat, stood = position.seat, position.stood
    by_result = {_WON if option.wins else option.rings: option for option in _choices(position)}
    if _WON in by_result:
        return [Candidate(by_result[_WON].move, 1.0, 1.0)]
    answered = [(_points(rings, 1 - seat), rings) for rings in by_result]
    # What is best for the other is worst for the mover.
    answered.sort()
    weighed: list[Candidate] = []
    for points, rings in answered:
        move = by_result[rings].move
        if points >= _WIN:
            weighed.append(Candidate(move, 0.0, 0.0))
        elif len(weighed) >= (level.choice or 0) or (weighed and clock.is_over):
            break
        else:
            answers = choices(rings, 1 - seat, stood | {rings})
            results = {answer.rings for answer in answers}
            best = min((_points(result, seat) for result in results), default=-points)
            weighed.append(Candidate(move, 0.5 + 0.5 * best / (abs(best) + EVEN_POINTS)))
    return weighed


def _choices(position: GygesPosition) -> list[CandidateMove]:
    """List the choices, those first that the rules would list, the rest never met."""
    all_choices = choices(position.rings, position.seat, position.stood)
    return sorted(all_choices, key=lambda choice: choice.rank, reverse=True)


def _points(rings: Rings, seat: int) -> int:
    """Return points for a seat that moves next."""
    return _WIN if can_win(rings, seat) else judge(rings, seat)


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
    return bool(_grasped(rings, seat) >> GOALS[1 - seat] & 1) and _reaches_goal(rings, seat)


def _reaches_goal(rings: Rings, seat: int) -> bool:
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
    features = single.copy()
    for at, later in enumerate(single):
        begin = _RINGS + later * (later - 1) // 2
        features += [begin + earlier for earlier in single[:at]]
    for slot in range(36):
        grasp = (own >> slot & 1) | (other >> slot & 1) << 1
        if rings[slot]:
            features.append(_GRASPED_RINGS + grasp * _RINGS + 3 * slot + rings[slot] - 1)
        elif grasp:
            features.append(_GRASPED_SLOTS + (grasp - 1) * 36 + slot)
    features.append(_SHORES + 6 * (shore(rings, SOUTH) - 1) + shore(rings, NORTH) - 1)
    if other >> GOALS[SOUTH] & 1 and _reaches_goal(rings, NORTH):
        features.append(_DANGER)
    return features


def _grasped(rings: Rings, seat: int) -> int:
    """Return the places that a player's rings get at, roughly: connections serve repeatedly."""
    taken, ways = occupied(rings), _ways()
    todo = list(shore_rings(rings, seat))
    done = reached = sum([1 << start for start in todo])
    while todo:
        place = todo.pop()
        for end, between in ways[rings[place]][place]:
            if not between & taken:
                reached |= end
                if taken & end and not done & end:
                    done |= end
                    todo.append(end.bit_length() - 1)
    return reached


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
        files(__package__).joinpath("kernel/net.npz").open("rb") as file,
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
