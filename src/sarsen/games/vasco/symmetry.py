"""Vasco's symmetries: the table may be shifted, turned and mirrored, and O and X exchanged.

Shifts, and exchanges with the side to move, are exact. So are turns and mirrors while the
pool has enough tiles for all that a move forces. When it runs out in the middle, the tiles that
remain are laid in reading order (Rulings V2 and V4), which does not turn with the table: of a
pool of 18 the six first tiles, which turns and mirrors map to each other, are not worth the same.

A cell has three numbers, its lanes between lines each way, which count on across the left, the
right and the base edge of a triangle that points up. Their sum is 0 there, and 1 for a cell
that points down: the six orders of the three, and both signs, are all turns and mirrors.
"""

from __future__ import annotations

from itertools import permutations

from sarsen.games.vasco.board import EDGES, O_ARC, OVERLAP, ROTATIONS, X_ARC, Rotation, place_of
from sarsen.games.vasco.rules import VascoPosition

_WAYS = tuple((order, sign) for sign in (1, -1) for order in permutations(range(3)))
_LANE = 1 << 12  # above the number of any lane: a pool of 600 tiles stays far below
_KINDS = 16  # above the number of a rotation that points up or down
_LETTERS = "".join(ROTATIONS) + "".join(ROTATIONS).upper()
_ITSELF = {O_ARC: O_ARC, X_ARC: X_ARC, OVERLAP: OVERLAP}
_EXCHANGED = {O_ARC: X_ARC, X_ARC: O_ARC, OVERLAP: OVERLAP}
_NUMBER_OF = {edges: number for number, edges in enumerate(EDGES.values())}


def canonical(position: VascoPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it.

    The size of the pool, and each tile by two lanes and a letter, a capital where it points
    down; the colours are those of O to move. After the semicolon stands the turn or mirror
    that made it so: it decides only what happens when the pool runs out in the middle of a move.
    """
    places = [place_of(cell) for cell in position.tiles]
    lanes = (
        [-((x + y) // 2) for x, y in places],
        [(x - y + 1) // 2 for x, y in places],
        [y for _, y in places],
    )
    kinds = [
        (rotation, (x + y) % 2)
        for rotation, (x, y) in zip(position.tiles.values(), places, strict=True)
    ]
    seen = [_seen(lanes, kinds, way, position.seat) for way in range(len(_WAYS))]
    first = min(seen)
    return f"{position.size}:{' '.join(map(_tile, first))};{seen.index(first)}"


def _seen(
    lanes: tuple[list[int], ...], kinds: list[tuple[Rotation, int]], way: int, seat: int
) -> list[int]:
    """Return the tiles turned, mirrored and shifted to the first lanes, in order, as numbers."""
    if not kinds:
        return []
    order, sign = _WAYS[way]
    rows, columns = lanes[order[0]], lanes[order[1]]
    # The first row and the first column may be of different tiles.
    corner = min(rows) * _LANE + min(columns)
    if sign < 0:
        corner = max(rows) * _LANE + max(columns)
    step, kind_of = sign * _KINDS, _KIND_OF[seat][way]
    return sorted(
        [
            (row * _LANE + column - corner) * step + kind_of[kind]
            for row, column, kind in zip(rows, columns, kinds, strict=True)
        ]
    )


def _tile(number: int) -> str:
    place, kind = divmod(number, _KINDS)
    return f"{place // _LANE}.{place % _LANE}{_LETTERS[kind]}"


def _kinds(way: int, seat: int) -> dict[tuple[Rotation, int], int]:
    """Return what a turn or mirror makes of each rotation, by whether it points down."""
    order, sign = _WAYS[way]
    colour = _EXCHANGED if seat else _ITSELF
    kinds = {}
    for rotation, edges in EDGES.items():
        for down in (0, 1):
            by_lane = _left_and_right_exchanged(edges) if down else edges
            one, two, three = (colour[by_lane[lane]] for lane in order)
            turned_down = down if sign > 0 else 1 - down
            turned = (two, one, three) if turned_down else (one, two, three)
            kinds[rotation, down] = _NUMBER_OF[turned] + len(EDGES) * turned_down
    return kinds


def _left_and_right_exchanged(edges: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return edges by lane: the left edge of a triangle that points down is a right one beyond."""
    left, right, base = edges
    return right, left, base


_KIND_OF = tuple([_kinds(way, seat) for way in range(len(_WAYS))] for seat in (0, 1))
