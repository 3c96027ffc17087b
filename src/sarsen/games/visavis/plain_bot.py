"""Visavis in pure Python: a bridge is worth the current that runs where it stands.

The same idea, and the same numbers, as `proof.sense`: the levels that it stands in
for play by nothing else.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cache

from sarsen.core.game import AnyPosition
from sarsen.games.visavis.board import Coordinate, O, VisavisBoard, X, board_of, joined_pegs
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.search.plain_bots import Deadline, PlainLevel
from sarsen.search.thought import Candidate

# A level's steps of care, as in `bots.visavis`: what the worth is raised to a power of.
_STEPS = (2.05, 2.7, 3.4, 4.4)
LEVELS = (
    PlainLevel(1 / _STEPS[0], sees_wins=False, sees_threats=False),
    PlainLevel(1 / _STEPS[1], sees_threats=False),
    PlainLevel(1 / _STEPS[2]),
    PlainLevel(1 / _STEPS[3]),
)
_SWEEPS = 60
_PUSH = 0.8  # of the way to the mean of the neighbours, in a sweep

Ends = tuple[int, int]  # vertices; 0 stands for all pegs of a side's first end, 1 of its last


def score_moves(
    position: AnyPosition, level: PlainLevel, chance: random.Random, clock: Deadline
) -> Sequence[Candidate]:
    """Score the bridges of the side to move; see `PlainBotModule.score_moves`."""
    assert isinstance(position, VisavisPosition)
    own, theirs = (_Web(position, side, clock) for side in (position.side, 1 - position.side))
    if level.sees_wins and (wins := own.winning()):
        return [Candidate(move, 1.0, 1.0) for move in wins]
    moves = [move for move in position.legal_moves() if move != SWAP]
    worth = dict.fromkeys(moves, 1e-9)
    crossing = _crossing(position.board.size, position.side)
    for move in moves:
        worth[move] += own.worth(move) + sum(theirs.worth(other) for other in crossing[move])
    if position.may_swap and _is_strong(position, clock):
        return [Candidate(SWAP, 0.5)]
    is_first = not any(position.bridges)
    if is_first and position.terms.flag("swap"):
        middle = sorted(worth.values())[len(worth) // 2]
        worth = {move: min(value / middle, middle / value) for move, value in worth.items()}
    losing = _losing(position, theirs.winning(), moves) if level.sees_threats else frozenset[str]()
    return _candidates(position.board.size, worth, losing, level)


def _candidates(
    size: int, worth: dict[str, float], losing: frozenset[str], level: PlainLevel
) -> list[Candidate]:
    """Turn worths into scores, so that drawing by them is drawing by a power of the worth."""
    steps = 1 / level.temperature
    power = size / 15 * (1 + 5 / size) ** steps
    most = max(worth.values())
    return [
        Candidate(
            move,
            0.5 + level.temperature * power * math.log(value / most),
            0.0 if move in losing else None,
        )
        for move, value in worth.items()
    ]


def _losing(position: VisavisPosition, wins: list[str], moves: list[str]) -> frozenset[str]:
    """List the moves after which the other side still has a win in one."""
    if not wins:
        return frozenset()
    crossing = _crossing(position.board.size, position.side)
    return frozenset(move for move in moves if not set(wins) <= {*crossing[move]})


def _is_strong(position: VisavisPosition, clock: Deadline) -> bool:
    """Return whether the first bridge is one of the better half."""
    bare = VisavisPosition(position.terms)
    (first,) = position.board.names(position.bridges[O])
    web, other = _Web(bare, O, clock), _Web(bare, X, clock)
    crossing = _crossing(position.board.size, O)
    worth = {
        move: web.worth(move) + sum(other.worth(other_move) for other_move in crossing[move])
        for move in bare.legal_moves()
    }
    return worth[first] >= sorted(worth.values())[len(worth) // 2]


class _Web:
    """The current of a side: through what it has built, and what it still can build."""

    def __init__(self, position: VisavisPosition, side: int, clock: Deadline) -> None:
        board = position.board
        vertices, ends = _graph(board.size, side)
        group = list(range(vertices))
        for move in board.names(position.bridges[side]):
            first, second = _root(group, ends[move][0]), _root(group, ends[move][1])
            group[max(first, second)] = min(first, second)
        blocked = board.crossed(1 - side, position.bridges[1 - side])
        open_places = board.places[side] & ~position.bridges[side] & ~blocked
        self._open: dict[str, Ends] = {}
        for move, place in board.named[side]:
            if place & open_places:
                first, second = (_root(group, end) for end in ends[move])
                if first != second:
                    self._open[move] = (first, second)
        self._level = _relax(vertices, list(self._open.values()), clock)
        self._strength = 1e-9 + sum(
            abs(self._level[first] - self._level[second])
            for first, second in self._open.values()
            if 0 in (first, second)
        )

    def worth(self, move: str) -> float:
        """Return the power that a bridge carries, 0 where it cannot stand or joins nothing."""
        ends = self._open.get(move)
        if ends is None:
            return 0.0
        drop = self._level[ends[0]] - self._level[ends[1]]
        return drop * drop / self._strength

    def winning(self) -> list[str]:
        """List the bridges that join both ends at once."""
        return [move for move, ends in self._open.items() if sorted(ends) == [0, 1]]


def _relax(vertices: int, edges: list[Ends], clock: Deadline) -> list[float]:
    """Return the level of every vertex while a current runs from vertex 0 to vertex 1."""
    beside: list[list[int]] = [[] for _ in range(vertices)]
    for first, second in edges:
        beside[first].append(second)
        beside[second].append(first)
    inner = [(vertex, beside[vertex]) for vertex in range(2, vertices) if beside[vertex]]
    level = [0.5] * vertices
    level[0], level[1] = 0.0, 1.0
    for _ in range(_SWEEPS):
        # From the levels before: whatever is not settled yet counts less the farther away it is.
        means = [sum([level[other] for other in others]) / len(others) for _, others in inner]
        for (vertex, _), mean in zip(inner, means, strict=True):
            level[vertex] += _PUSH * (mean - level[vertex])
        if clock.is_over:
            break
    return level


def _root(group: list[int], vertex: int) -> int:
    while group[vertex] != vertex:
        vertex = group[vertex]
    return vertex


@cache
def _graph(size: int, side: int) -> tuple[int, dict[str, Ends]]:
    """Return how many vertices a side's web has, and the two that each bridge joins."""
    board = board_of(size)
    numbers: dict[Coordinate, int] = {}
    for peg in board.coordinates(board.pegs[side]):
        is_end = peg[side] in (1, size)
        numbers[peg] = int(peg[side] == size) if is_end else 2 + len(numbers)
    return 2 + len(numbers), {
        move: _ends(board, side, place, numbers) for move, place in board.named[side]
    }


def _ends(board: VisavisBoard, side: int, place: int, numbers: dict[Coordinate, int]) -> Ends:
    ((column, row),) = board.coordinates(place)
    first, second = joined_pegs(side, column, row)
    return numbers[first], numbers[second]


@cache
def _crossing(size: int, side: int) -> dict[str, tuple[str, ...]]:
    """Return the bridges of the other side that each bridge crosses."""
    board = board_of(size)
    return {
        move: tuple(board.names(board.crossed(side, place))) for move, place in board.named[side]
    }
