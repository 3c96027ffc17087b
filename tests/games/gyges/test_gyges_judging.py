"""The kernel of Gyges judges as its net does, added up plainly, and notes what it found."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from games.gyges.test_gyges_kernel import KERNEL, child, codes, scattered, walk
from sarsen.games.gyges import GAME, kernel
from sarsen.games.gyges.board import LEGS
from sarsen.games.gyges.kernel import features, net
from sarsen.games.gyges.position_line import write_rings
from sarsen.games.gyges.rules import GygesPosition
from sarsen.search.contract import KEY, PROVED_WIN, RESULT, SEAT, UNKNOWN


def test_the_net_judges_as_its_numbers_added_up_plainly() -> None:
    assert_judged_plainly(random.Random(11), 60)


@pytest.mark.slow
def test_the_net_judges_many_positions_as_its_numbers_added_up_plainly() -> None:
    assert_judged_plainly(random.Random(12), 3000)


def assert_judged_plainly(chance: random.Random, positions: int) -> None:
    constants = kernel.constants(net.words())
    assert KERNEL.evaluate is not None
    for position in filter(None, (scattered(chance) for _ in range(positions))):
        state = kernel.encode(position)
        wanted = plainly(position)
        assert KERNEL.evaluate(constants, state) == wanted, position.write()
        assert KERNEL.evaluate(constants, state) == wanted, "as noted"
    for position, state, _ in walk(chance, positions):
        if not position.is_setting_up and not can_win(position, position.seat):
            assert KERNEL.evaluate(constants, state) == plainly(position), position.write()


def plainly(position: GygesPosition) -> int:
    """Judge a position by the file of the net, as `features` says in words what it sees."""
    rings = position.rings[:36] if position.seat == 0 else position.rings[35::-1]
    numbers = [3 * slot + value - 1 for slot, value in enumerate(rings) if value]
    pairs = [
        features.PAIRS + later * (later - 1) // 2 + earlier
        for earlier, later in itertools.combinations(numbers, 2)
    ]
    own, other = plainly_grasped(rings, 0), plainly_grasped(rings, 1)
    who = {place: (place in own) + 2 * (place in other) for place in range(36)}
    grasped = [features.GRASPED_RINGS + who[n // 3] * features.RINGS + n for n in numbers]
    slots = [slot for slot in range(36) if who[slot] and not rings[slot]]
    seen = [features.GRASPED_SLOTS + (who[slot] - 1) * 36 + slot for slot in slots]
    rows = [row for row in range(6) if any(rings[6 * row : 6 * row + 6])]
    found = [*numbers, *pairs, *grasped, *seen, features.SHORES + 6 * rows[0] + rows[-1]]
    # Asked only where the other roughly gets at its goal with none of its rings lifted.
    if 36 in other and can_win(position, 1 - position.seat):
        found.append(features.DANGER)
    with np.load(net.FILE) as file:
        hidden = file["bias"] + file["rows"][found].sum(axis=0, dtype=np.int64)
        points = (np.maximum(hidden, 0) * file["last"].astype(np.int64)).sum() + file["end"][0]
    return int(points) >> net.FINE


def plainly_grasped(rings: bytes, seat: int) -> set[int]:
    """Return what a player's rings get at when connections serve again and none is lifted."""
    taken = sum(1 << slot for slot in range(36) if rings[slot])
    row = (min if seat == 0 else max)(slot // 6 for slot in range(36) if rings[slot])
    todo = [slot for slot in range(6 * row, 6 * row + 6) if rings[slot]]
    met = set(todo)
    while todo:
        slot = todo.pop()
        for leg in LEGS[rings[slot]][slot]:
            if not leg.between & taken and leg.end not in met:
                met.add(leg.end)
                if leg.end < 36 and rings[leg.end]:
                    todo.append(leg.end)
    return met


def can_win(position: GygesPosition, seat: int) -> bool:
    line = f"{'SN'[seat]} {write_rings(position.rings)}"
    return any(str(move).endswith(("N", "S")) for move in GAME.read(line).legal_moves())


def test_what_is_noted_is_what_would_be_found() -> None:
    chance = random.Random(13)
    constants = kernel.constants(net.words())
    assert KERNEL.evaluate is not None
    assert KERNEL.order is not None
    assert KERNEL.prove is not None
    hits = 0
    for position in filter(None, (scattered(chance) for _ in range(40))):
        state = kernel.encode(position)
        moves = np.array([*codes(state), 0], np.int64)
        scores = np.zeros_like(moves)
        kept = KERNEL.order(constants, state, moves, scores, len(moves) - 1)
        again, anew = moves.copy(), np.zeros_like(moves)
        assert KERNEL.order(constants, state, again, anew, kept) == kept
        assert (again[:kept].tolist(), anew[:kept].tolist()) == (
            moves[:kept].tolist(),
            scores[:kept].tolist(),
        )
        for code, score in zip(moves[:kept:20].tolist(), scores[:kept:20].tolist(), strict=True):
            after = child(state, code)
            if after[RESULT] or after[SEAT] == state[SEAT]:
                continue
            hits += net.noted(constants, after[KEY]) > net.WON
            forgotten = constants.copy()
            forgotten[net.NOTES :] = 0
            assert KERNEL.prove(constants, after) == UNKNOWN == KERNEL.prove(forgotten, after)
            assert KERNEL.evaluate(constants, after) == -score
            assert KERNEL.evaluate(forgotten, after) == -score
    assert hits > 100


def test_a_win_at_once_is_noted_as_one() -> None:
    chance = random.Random(14)
    constants = kernel.constants(net.words())
    assert KERNEL.prove is not None
    proved = 0
    for position in filter(None, (scattered(chance) for _ in range(40))):
        state = kernel.encode(position)
        first = KERNEL.prove(constants, state)
        assert KERNEL.prove(constants, state) == first
        assert (net.noted(constants, state[KEY]) == net.WON) == (first == PROVED_WIN)
        proved += first == PROVED_WIN
    assert proved
