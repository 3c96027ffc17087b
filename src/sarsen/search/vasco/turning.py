"""Turn and mirror a table of Vasco about its first tile.

The grid looks the same in six ways from its first cell, and six are the rotations of a tile:
one way turns each first tile into each other one. What a tile forces turns with it, except
where the pool runs out in the middle of it: then Ruling V4 asks which cell is read first.

Seen from the first cell a cell has three numbers: how often a way to it crosses edges like
the first cell's left one, right one and base, each counted + from a cell that points up and
- from one that points down. Turning and mirroring exchange these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from sarsen.games.vasco.cells import BASE, FIRST_CELL, LEFT, ORDERS, RIGHT, Cell, Rotation, place_of
from sarsen.games.vasco.laying import Move

# Where the left, right and base edge come to lie.
Turn = tuple[int, int, int]
TURNS: tuple[Turn, ...] = tuple((ways[0], ways[1], ways[2]) for ways in permutations(range(3)))

_ROTATION = {order: rotation for rotation, order in ORDERS.items()}


def turn_to(rotation: Rotation, tiles: Mapping[Cell, Rotation]) -> Turn:
    """Return the turn that makes the first tile of a table lie in a rotation."""
    shown, wanted = ORDERS[tiles[FIRST_CELL]], ORDERS[rotation]
    left, right, base = (wanted.index(letter) for letter in shown)
    return left, right, base


def back(turn: Turn) -> Turn:
    """Return the turn that undoes another."""
    return turn.index(LEFT), turn.index(RIGHT), turn.index(BASE)


def turned(move: Move, turn: Turn) -> Move:
    """Turn one tile about the first cell."""
    points_down = (move.x + move.y) % 2
    right = (points_down - move.y + move.x) // 2
    crossings = (right - move.x, right, move.y)
    left, right, base = (crossings[side] for side in back(turn))
    # Of a cell that points down the left edge lies like the first cell's right one.
    order = _swapped(ORDERS[move.rotation], points_down)
    letters = "".join(order[side] for side in back(turn))
    return Move(right - left, base, _ROTATION[_swapped(letters, points_down)])


def turned_tiles(tiles: Mapping[Cell, Rotation], turn: Turn) -> frozenset[Move]:
    """Turn all tiles of a table."""
    return frozenset(
        turned(Move(*place_of(cell), rotation), turn) for cell, rotation in tiles.items()
    )


def _swapped(order: str, points_down: int) -> str:
    return order[RIGHT] + order[LEFT] + order[BASE] if points_down else order
