"""Gyges once more, slowly and another way, to compare with the law result for result.

The reference knows slots as pairs and walks one connection at a time: it has no
legs, no masks, no waves and no dominated visits. It shares no line with the rules.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from sarsen.core.errors import IllegalMove, UserError
from sarsen.games.gyges import GAME
from sarsen.games.gyges.board import RingMove
from sarsen.games.gyges.rules import GygesPosition

Place = tuple[int, int]  # row and column, 1 to 6; the goals are rows 0 and 7
Rings = frozenset[tuple[Place, int]]
GOALS: tuple[Place, Place] = ((0, 0), (7, 0))
SLOTS = [(row, column) for row in range(1, 7) for column in range(1, 7)]
WON: Rings = frozenset()


@dataclass(frozen=True)
class Reference:
    """A position and answer what one move makes of it."""

    rings: Rings
    seat: int
    stood: frozenset[Rings]

    def results(self) -> set[Rings]:
        board = dict(self.rings)
        rows = [row for (row, _), _ in self.rings]
        shore, far_shore = (min(rows), max(rows)) if self.seat == 0 else (max(rows), min(rows))
        found: set[Rings] = set()
        for origin in board:
            if origin[0] == shore:
                rows = (1, far_shore) if self.seat == 0 else (far_shore, 6)
                for end in ends(board, origin, GOALS[self.seat]):
                    found |= outcomes(board, origin, end, rows)
        return found - self.stood

    def after(self, result: Rings) -> tuple[str, int]:
        """Return what follows a result: who is to move, or how the game ended."""
        if result == WON:
            return "won", 1 - self.seat
        stood = self.stood | {result}
        for seat in (1 - self.seat, self.seat):
            if Reference(result, seat, stood).results():
                return "runs", seat
        return "drawn", 1 - self.seat


def ends(board: dict[Place, int], origin: Place, own_goal: Place) -> set[Place]:
    """Walk every way; a state is where it is, how far it still goes, and what it used."""
    found: set[Place] = set()
    todo = [(origin, board[origin], frozenset[frozenset[Place]]())]
    met = set(todo)
    while todo:
        place, left, used = todo.pop()
        if left == 0:
            found.add(place)
            left = board.get(place, 0) if place != origin else 0
        for to in connected(place) if left else ():
            step = frozenset([place, to])
            is_open = to not in GOALS and (to == origin or to not in board)
            if step in used or to == own_goal or not (left == 1 or is_open):
                continue
            state = (to, left - 1, used | {step})
            if state not in met:
                met.add(state)
                todo.append(state)
    return found


def is_way(board: dict[Place, int], stops: list[Place], own_goal: Place) -> bool:
    """Return whether a ring can bounce from stop to stop as named, none added."""
    todo = [(0, stops[0], board[stops[0]], frozenset[frozenset[Place]]())]
    while todo:
        reached, place, left, used = todo.pop()
        if left == 0:
            reached += 1
            if place != stops[reached]:
                continue
            if reached == len(stops) - 1:
                return True
            left = board.get(place, 0) if place != stops[0] else 0
        for to in connected(place) if left else ():
            step = frozenset([place, to])
            is_open = to not in GOALS and (to == stops[0] or to not in board)
            if step not in used and to != own_goal and (left == 1 or is_open):
                todo.append((reached, to, left - 1, used | {step}))
    return False


def connected(place: Place) -> list[Place]:
    if place in GOALS:
        return []
    row, column = place
    around = [(row, column - 1), (row, column + 1)]
    around = [slot for slot in around if slot in SLOTS]
    below, above = (row - 1, column), (row + 1, column)
    return [*around, below if row > 1 else GOALS[0], above if row < 6 else GOALS[1]]


def outcomes(
    board: dict[Place, int], origin: Place, end: Place, rows: tuple[int, int]
) -> set[Rings]:
    """Return the arrangements of a move that ends somewhere; relocation stays within the rows."""
    if end in GOALS:
        return {WON}
    left = {place: value for place, value in board.items() if place != origin}
    if end not in left:
        return {frozenset({**left, end: board[origin]}.items())}
    free = [slot for slot in SLOTS if slot not in left and rows[0] <= slot[0] <= rows[1]]
    return {frozenset({**left, end: board[origin], slot: left[end]}.items()) for slot in free}


def rings_of(rings: bytes) -> Rings:
    return frozenset((slot, value) for slot, value in zip(SLOTS, rings, strict=False) if value)


def compare(position: GygesPosition) -> None:
    """Hold a position of the law against the reference, its moves and what each leads to."""
    stood = frozenset(rings_of(rings) for rings in position.stood)
    reference = Reference(rings_of(position.rings), position.seat, stood)
    results = {}
    for move in position.legal_moves():
        after = position.play(move)
        won = after.outcome() is not None and after.outcome().winner is not None
        results[WON if won else rings_of(after.rings)] = after
    assert set(results) == reference.results()
    assert len(results) == len(position.legal_moves())
    for result, after in list(results.items())[::50]:
        outcome = after.outcome()
        how = "runs" if outcome is None else "drawn" if outcome.winner is None else "won"
        assert (how, after.seat) == reference.after(result)


def random_start(rng: random.Random, rows: int) -> GygesPosition:
    """Return twelve rings thrown on some neighbouring rows, either side to move."""
    values = dict(zip(rng.sample(range(6 * rows), 12), [1, 2, 3] * 4, strict=True))
    first = 6 * rng.randrange(7 - rows)
    signs = [str(values.get(slot - first, "a")) for slot in range(36)]
    board = "/".join("".join(signs[row : row + 6]) for row in range(0, 36, 6))
    for side in rng.sample("SN", 2):
        try:
            return GAME.read(f"{side} {board}")
        except UserError:
            continue  # That side cannot move there, so the other one does.
    raise AssertionError(board)


def play_on(rng: random.Random, position: GygesPosition, plies: int) -> GygesPosition:
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


@pytest.mark.parametrize("seed", range(6))
def test_results_are_those_of_the_reference_in_a_random_game(seed: int) -> None:
    rng = random.Random(seed)
    position = play_on(rng, GAME.start(), 2)
    for _ in range(8):
        if position.outcome() is None:
            compare(position)
            position = play_on(rng, position, rng.randrange(1, 6))


@pytest.mark.parametrize("rows", [2, 3, 4, 5, 6])
def test_results_are_those_of_the_reference_on_crowded_rows(rows: int) -> None:
    rng = random.Random(rows)
    for _ in range(3):
        compare(random_start(rng, rows))


@pytest.mark.parametrize("seed", range(4))
def test_ways_are_judged_as_the_reference_does(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        position = play_on(rng, random_start(rng, 5), 2)
        judge_ways(rng, position)


def judge_ways(rng: random.Random, position: GygesPosition) -> None:
    """Spoil the ways of listed moves and ask both whether they still are ways."""
    board = dict(rings_of(position.rings))
    plain = [move for move in position.legal_moves() if not move.relocation]
    for move in plain[:40]:
        stops = list(move.stops)
        stops.insert(rng.randrange(1, len(stops)), rng.choice([name_of(slot) for slot in board]))
        try:
            after = position.play(RingMove(tuple(stops)))
        except IllegalMove:
            after = None
        places = [place_of(name) for name in stops]
        assert (after is not None) == is_way(board, places, GOALS[position.seat])


def name_of(slot: Place) -> str:
    return f"{slot[0]}{slot[1]}"


def place_of(name: str) -> Place:
    return GOALS["SN".index(name)] if name in "SN" else (int(name[0]), int(name[1]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_results_are_those_of_the_reference_in_long_random_games(seed: int) -> None:
    rng = random.Random(seed)
    position = play_on(rng, GAME.start(), 2)
    for _ in range(60):
        if position.outcome() is None:
            compare(position)
            position = play_on(rng, position, 1)
