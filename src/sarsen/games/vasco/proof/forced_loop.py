"""X's answers that force a loop in Vasco, whatever O begins with.

`forced_loop.txt` holds every answer that closes no loop yet, a line each: the moves from the
first tile on, the last of them the answer. The lines begin with `a1`; a table that begins
otherwise is turned until it does. Where no line leads, X closes a loop at once.

`pools` proves it: in SMALLEST tiles and more X wins. `building` found the lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import permutations

from sarsen.games.vasco.board import BASE, FIRST_CELL, LEFT, ORDERS, RIGHT, Cell, Rotation, place_of
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.rules import GAME, VascoPosition

# The smallest pool that the answers were made for; none of their lines lays more tiles, and
# none of O's tries, legal or not. So in all greater pools every word of them holds too.
SMALLEST = 47
X = 1
# Where the left, right and base edge come to lie.
Turn = tuple[int, int, int]
TURNS: tuple[Turn, ...] = tuple((ways[0], ways[1], ways[2]) for ways in permutations(range(3)))

_ROTATION = {order: rotation for rotation, order in ORDERS.items()}


def lines() -> tuple[tuple[str, ...], ...]:
    """Return the lines as move texts; each ends with an answer of X's."""
    page = files(__package__).joinpath("forced_loop.txt").read_text("utf-8")
    return tuple(tuple(line.split()) for line in page.splitlines())


def answer(position: VascoPosition) -> Move | None:
    """Return X's answer, or None: X can close a loop at once, or the win was let go before."""
    if position.seat != X or position.size < SMALLEST or not position.tiles:
        return None
    turn = turn_to("a", position.tiles)
    move = _answers().get(turned_tiles(position.tiles, turn))
    return None if move is None else turned(move, back(turn))


@cache
def _answers() -> dict[frozenset[Move], Move]:
    """Return the answers by the tiles that X finds on the table."""
    positions: dict[tuple[str, ...], VascoPosition] = {(): GAME.start({"size": SMALLEST})}
    answers: dict[frozenset[Move], Move] = {}
    for line in lines():
        for ply, text in enumerate(line):
            before = positions[line[:ply]]
            if line[: ply + 1] not in positions:
                positions[line[: ply + 1]] = before.play(before.parse(text))
        before = positions[line[:-1]]
        tiles = turned_tiles(before.tiles, turn_to("a", before.tiles))
        answers[tiles] = before.parse(line[-1])
    return answers


def turn_to(rotation: Rotation, tiles: Mapping[Cell, Rotation]) -> Turn:
    """Return the turn that makes the first tile of a table lie in a rotation."""
    shown_order, target_order = ORDERS[tiles[FIRST_CELL]], ORDERS[rotation]
    left, right, base = (target_order.index(letter) for letter in shown_order)
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
