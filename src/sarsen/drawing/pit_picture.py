"""Pits, stores and seeds as shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin, sqrt

from sarsen.drawing.boards import LEFT, PitBoard
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Shape

STEP, ROW = 64.0, 110.0  # units of a scene from pit to pit, and from row to row
PIT = 26.0  # radius
STORE = 28.0  # half its width
BESIDE = 17.0  # from a pit or store to the middle of its number, and of its name
MARGIN, ROUND = 12.0, 34.0  # around the board; radius of its corners
SEED = 5.0  # radius
APART = 5.8  # of seeds in a pit: the first from the middle
MAX_SEEDS = 13  # drawn in a pit; the number says how many there are
TURN = pi * (3 - sqrt(5))  # from seed to seed around a pit, as seeds of a sunflower lie
COUNT, NAME = 22.0, 16.0  # sizes of letters
_QUARTER = 8  # corners of a rounded corner


def extent(board: PitBoard) -> tuple[float, float]:
    """Return the width and height of the picture of a board."""
    beside = 2 * (STORE + STORE / 2) if board.has_stores else STORE / 2
    width = STEP * board.columns + 2 * (beside + MARGIN)
    return width, ROW * board.rows + 2 * MARGIN + STORE / 2


def _middle(board: PitBoard, name: str) -> Point:
    """Return where the middle of a pit or store is in its picture."""
    width, height = extent(board)
    if name in board.pits:
        column, row = board.pits[name]
        across = width / 2 + STEP * (column - (board.columns - 1) / 2)
        return across, height / 2 + ROW * (row - (board.rows - 1) / 2)
    aside = MARGIN + 1.5 * STORE
    return (aside if name == LEFT else width - aside), height / 2


@lru_cache(maxsize=64)
def empty_pits(
    board: PitBoard, roles: tuple[str, ...], seats: tuple[str, ...]
) -> tuple[Shape, ...]:
    """Return the shapes of a board without seeds."""
    width, height = extent(board)
    paper = Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")
    slab = _rounded(MARGIN, MARGIN, width - MARGIN, height - MARGIN, ROUND)
    shapes: list[Shape] = [paper, Polygon(slab, "ground", "grid", 1.5)]
    for pit in board.pits:
        x, y = _middle(board, pit)
        left, top, right, bottom = x - STEP / 2, y - ROW / 2, x + STEP / 2, y + ROW / 2
        corners = (left, top), (right, top), (right, bottom), (left, bottom)
        shapes.append(Polygon(corners, "ground", spot=pit, is_unseen=True))
    for name in board.names:
        shapes += _hollow(board, name, roles[board.side_of(name)], seats)
    return tuple(shapes)


def _hollow(board: PitBoard, name: str, role: str, seats: Sequence[str]) -> Iterator[Shape]:
    (x, y), below = _middle(board, name), _number_below(board, name)
    if name in board.pits:
        yield Circle(x, y, PIT, "shadow", role, 2.5, name)
        yield Label(x, y - below * (PIT + BESIDE), name, NAME, "ink-soft", is_coordinate=True)
        return
    reach = _store_reach(board)
    outline = _rounded(x - STORE, y - reach, x + STORE, y + reach, STORE)
    yield Polygon(outline, "shadow", role, 2.5, name)
    owner = seats[board.side_of(name)]
    yield Label(x, y - below * (reach + BESIDE), owner, NAME, "ink-soft")


def _number_below(board: PitBoard, name: str) -> int:
    """Return 1 where a number stands below its pit, as the first seat's do, -1 where above."""
    return 1 if board.side_of(name) == 0 else -1


def _store_reach(board: PitBoard) -> float:
    """Return half the height of a store: from above the uppermost pits to below the lowest."""
    return ROW * (board.rows - 1) / 2 + PIT


def draw_counts(board: PitBoard, counts: Mapping[str, int], last: Sequence[str]) -> Iterator[Shape]:
    """Draw seeds and their numbers, and a ring around the pits of the last move."""
    for name, count in counts.items():
        (x, y), below = _middle(board, name), _number_below(board, name)
        reach = PIT if name in board.pits else _store_reach(board)
        seeds = _in_pit(count) if name in board.pits else _in_store(count, reach)
        for right, down in seeds:
            yield Circle(x + right, y + down, SEED, "neutral-shade", "ink", 0.8, name)
        at = y + below * (reach + BESIDE)
        yield Label(x, at, str(count), COUNT, "ink", bold=True, spot=name)
        if name in last and name in board.pits:
            yield Circle(x, y, PIT + 2.5, "", "mark", 3.5, name)
        elif name in last:
            outer = STORE + 2.5
            corners = _rounded(x - outer, y - reach - 2.5, x + outer, y + reach + 2.5, outer)
            yield Polygon(corners, "", "mark", 3.5, name)


def _in_pit(count: int) -> Iterator[Point]:
    """Yield where the seeds of a pit lie, around its middle."""
    spiral = [
        (APART * sqrt(number + 0.5), TURN * number) for number in range(min(count, MAX_SEEDS))
    ]
    seeds = [(far * cos(turn), far * sin(turn)) for far, turn in spiral]
    # Around their own middle: a few of a spiral lie aside.
    across, down = (sum(axis) / max(len(seeds), 1) for axis in zip((0, 0), *seeds, strict=True))
    yield from ((x - across, y - down) for x, y in seeds)


def _in_store(count: int, reach: float) -> Iterator[Point]:
    """Yield where the seeds of a store lie: in rows of four and three, from below."""
    step = 2 * SEED + 1.6
    end = reach - 0.6 * STORE  # four of them fit into its round end
    down, left = end, count
    while left > 0 and down > -end:
        for in_row in (4, 3):
            row = min(left, in_row)
            for place in range(row):
                yield step * (place - (in_row - 1) / 2), down
            left -= row
            down -= step * sqrt(3) / 2


def _rounded(
    left: float, top: float, right: float, bottom: float, radius: float
) -> tuple[Point, ...]:
    """Return the corners of a rectangle with round corners."""
    middles = (
        (right - radius, top + radius),
        (right - radius, bottom - radius),
        (left + radius, bottom - radius),
        (left + radius, top + radius),
    )
    return tuple(
        (x + radius * sin(turn), y - radius * cos(turn))
        for quarter, (x, y) in enumerate(middles)
        for turn in ((quarter + at / _QUARTER) * pi / 2 for at in range(_QUARTER + 1))
    )
