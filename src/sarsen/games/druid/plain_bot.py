"""Druid in pure Python: after each move, how well each side's circuit conducts.

The evaluation of `kernel.judgement`, one ply deep: the levels it stands in for
see hardly more.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from sarsen.core.game import AnyPosition
from sarsen.games.druid.board import NORTH, Monument
from sarsen.games.druid.rules import DruidPosition
from sarsen.search.plain_bots import Deadline, PlainLevel
from sarsen.search.thought import Candidate

LEVELS = (
    PlainLevel(0.08, choice=6, sees_wins=False),
    PlainLevel(0.06, choice=5),
    PlainLevel(0.045, choice=4),
    PlainLevel(0.01, choice=3),
)
EVEN_POINTS = 0.7  # a conductance better by this logarithm is a chance of three to one to win
# Resistances by the moves, 0 to 9, that a change of owner costs; see `kernel.TUNED`.
# Of a pair the first holds when the side moves next.
_OWNED = (
    (20, 2600, 20, 15, 10, 10, 10, 10, 10, 10),
    (20, 5500, 30, 20, 10, 10, 10, 10, 10, 10),
)
_BARE = (1000, 230, 820, 2000, 2500, 2500, 2000, 1500, 1000, 690)
_RISK = (
    (0, 1400, 20, 20, 20, 20, 20, 20, 20, 120),
    (0, 5000, 80, 100, 80, 80, 80, 80, 80, 430),
)
_ENEMY = (
    (0, 1100, 1800, 5000, 12000, 12000, 12000, 12000, 12000, 12000),
    (0, 1640, 2130, 6400, 12000, 12000, 12000, 12000, 12000, 11000),
)
_FAR = 9
_NO_BEARING = -1000
Row = list[float]


def score_moves(
    position: AnyPosition, level: PlainLevel, chance: random.Random, clock: Deadline
) -> Sequence[Candidate]:
    """Score the moves of the side to move; see `PlainBotModule.score_moves`."""
    assert isinstance(position, DruidPosition)
    moves = list(position.legal_moves())
    chance.shuffle(moves)
    candidates: list[Candidate] = []
    for move in moves:
        after = position.play(move)
        candidates.append(_candidate(move, position.seat, after, level))
        if clock.is_over or (level.sees_wins and candidates[-1].proved == 1.0):
            break
    return candidates


def _candidate(move: object, seat: int, after: DruidPosition, level: PlainLevel) -> Candidate:
    outcome = after.outcome()
    if outcome is not None:
        score = outcome.scores[seat]
        return Candidate(move, score, score)
    if level.sees_threats and _can_win(after):
        return Candidate(move, 0.0, 0.0)
    better = -advantage(after)
    return Candidate(move, 0.5 + 0.5 * better / (abs(better) + EVEN_POINTS))


def _can_win(position: DruidPosition) -> bool:
    """Return whether the side to move joins its edges with one piece."""
    side, monument = position.side, position.monument
    costs = _lintel_costs(monument, side, position.terms.nogaps)
    grid = _owners(monument)
    # A chain that lacks one piece at most passes over three squares at most that are not own:
    # only then the moves are tried.
    if _steps_missing(monument.size, grid, costs, side) > 3:
        return False
    return any(
        monument.put(piece, side).is_joined_by(side)
        for piece in monument.pieces(side, position.terms)
    )


def _steps_missing(size: int, owners: list[int], costs: list[int], side: int) -> int:
    """Count the squares that a side still needs at least, by a search in breadth."""
    far = size * size
    count = size * size
    best = [far] * count
    edge = range(size) if side == 0 else range(0, count, size)
    wave = []
    for square in edge:
        best[square] = int(owners[square] != side)
        wave.append(square)
    while wave:
        following = []
        for square in wave:
            x, y = square % size, square // size
            for other, is_there in (
                (square + 1, x + 1 < size),
                (square - 1, x > 0),
                (square + size, y + 1 < size),
                (square - size, y > 0),
            ):
                if is_there:
                    steps = best[square] + (owners[other] != side)
                    if steps < best[other]:
                        best[other] = steps
                        following.append(other)
        wave = following
    goal = range(count - size, count) if side == 0 else range(size - 1, count, size)
    return min(best[square] for square in goal)


def advantage(position: DruidPosition) -> float:
    """Return the logarithm of how much better the circuit of the side to move conducts."""
    monument, mover = position.monument, position.side
    size, owners = monument.size, _owners(monument)
    costs = [_lintel_costs(monument, side, position.terms.nogaps) for side in (0, 1)]
    currents = []
    for side in (0, 1):
        resistances = _resistances(owners, costs[side], costs[1 - side], side, side != mover)
        currents.append(_conductance(size, resistances, side))
    return math.log(currents[mover] / currents[1 - mover])


def _owners(monument: Monument) -> list[int]:
    """Return the side on top of every square, or -1, row by row."""
    first, second = monument.tops
    return [
        0 if first >> square & 1 else 1 if second >> square & 1 else -1
        for row in range(monument.size)
        for square in range(NORTH * row, NORTH * row + monument.size)
    ]


def _lintel_costs(monument: Monument, side: int, nogaps: bool) -> list[int]:
    """Count for every square the moves by which a side brings a lintel over it."""
    size, enemy = monument.size, monument.tops[1 - side]
    squares = [NORTH * y + x for y in range(size) for x in range(size)]
    heights = [monument.heights[square] for square in squares]
    bearings = [
        _NO_BEARING if enemy >> square & 1 else heights[at] for at, square in enumerate(squares)
    ]
    costs = [_FAR] * (size * size)
    for at, height in enumerate(heights):
        x, y = at % size, at // size
        low = height or 1
        for step, is_inside in ((1, 0 < x < size - 1), (size, 0 < y < size - 1)):
            if not is_inside:
                continue
            first, second = bearings[at - step], bearings[at + step]
            bed = max(low, first, second)
            cost = 1 + 2 * bed - first - second + (_FAR * (bed - low) if nogaps else 0)
            if cost < costs[at]:
                costs[at] = cost
    return costs


def _resistances(
    owners: list[int], gaining: list[int], losing: list[int], side: int, waits: bool
) -> Row:
    """Return the resistance of every square to a side."""
    owned, risk, enemy = _OWNED[waits], _RISK[waits], _ENEMY[waits]
    return [
        owned[loses] / 1000
        if owner == side
        else (_BARE[gains] + risk[loses]) / 1000
        if owner < 0
        else enemy[gains] / 1000
        for owner, gains, loses in zip(owners, gaining, losing, strict=True)
    ]


def _conductance(size: int, resistances: Row, side: int) -> float:
    """Return the current from edge to edge at one volt.

    Line by line from the first edge: what conducts so far is a matrix between the squares of
    a line. Kirchhoff's equations, solved by elimination within a band as wide as the site.
    """
    if side == 0:
        grid = resistances
    else:
        grid = [resistances[spot * size + line] for line in range(size) for spot in range(size)]
    count = size * size
    band, inflow = _equations(size, grid)
    for place in range(count):
        row = band[place]
        inverse = 1.0 / row[0]
        flow = inflow[place]
        for lower in range(1, min(size, count - 1 - place) + 1):
            value = row[lower]
            if value:
                factor = value * inverse
                target = band[place + lower]
                tail = row[lower:]
                for at, coefficient in enumerate(tail):
                    target[at] -= factor * coefficient
                inflow[place + lower] -= factor * flow
    volts = [0.0] * (count + size)
    for place in range(count - 1, -1, -1):
        row = band[place]
        settled = sum([row[step] * volts[place + step] for step in range(1, size + 1)])
        volts[place] = (inflow[place] - settled) / row[0]
    return sum((1.0 - volts[spot]) * 2.0 / grid[spot] for spot in range(size))


def _equations(size: int, grid: Row) -> tuple[list[Row], Row]:
    """Write down what flows: neighbours are joined by half of both their resistances."""
    count = size * size
    band = [[0.0] * (size + 1) for _ in range(count)]
    inflow = [0.0] * count
    for place, own in enumerate(grid):
        line, spot = divmod(place, size)
        row = band[place]
        if line == 0:
            inflow[place] = 2.0 / own
            row[0] += 2.0 / own
        if line == size - 1:
            row[0] += 2.0 / own
        else:
            flow = 2.0 / (own + grid[place + size])
            row[0] += flow
            row[size] -= flow
            band[place + size][0] += flow
        if spot != size - 1:
            flow = 2.0 / (own + grid[place + 1])
            row[0] += flow
            row[1] -= flow
            band[place + 1][0] += flow
    return band, inflow
