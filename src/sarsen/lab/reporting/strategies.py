"""Simple ways to play that a good game does not reward: mirroring, copying, passing, rushing.

A strategy that has no move of its own plays as a rival search does, so that what
it wins beyond that step is its own doing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Any

from sarsen.core.game import AnyPosition

RUSHES = 16  # random games, over all moves, that a rushing player looks at
MAX_RUSH = 40  # plies of each: whoever rushes has won by then, or does not
_CELL = re.compile(r"([a-zA-Z])([0-9]{1,2})")
# Move -> another move of the position, or None.
Strategy = Callable[[AnyPosition, str, random.Random], Any]


def extent_of(texts: Iterable[str]) -> tuple[int, int]:
    """Return the columns and rows that the cells in some moves reach."""
    cells = [cell for text in texts for cell in _CELL.findall(text)]
    columns = max((ord(letter.lower()) - 96 for letter, _ in cells), default=0)
    return columns, max((int(number) for _, number in cells), default=0)


def mirrored(text: str, way: str, extent: tuple[int, int]) -> str:
    """Return a move with its cells mirrored on a board of so many columns and rows."""
    columns, rows = extent

    def image(cell: re.Match[str]) -> str:
        column, row = ord(cell[1].lower()) - 96, int(cell[2])
        match way:
            case "half-turn":
                column, row = columns + 1 - column, rows + 1 - row
            case "left-right":
                column = columns + 1 - column
            case "top-bottom":
                row = rows + 1 - row
            case _:
                column, row = row, column
        if not 1 <= column <= 26 or row < 1:
            return cell[0]
        letter = chr(96 + column)
        return f"{letter if cell[1].islower() else letter.upper()}{row}"

    return _CELL.sub(image, text)


def strategy(name: str, extent: tuple[int, int]) -> Strategy:
    """Return a strategy by its name; see `plan.STRATEGIES`."""
    kind, _, way = name.partition(" ")
    if kind == "mirror":
        return lambda position, last, chance: _legal(position, mirrored(last, way, extent))
    if kind == "copy":
        return lambda position, last, chance: _legal(position, last)
    if kind == "pass":
        return lambda position, last, chance: _legal(position, "pass")
    return _rush


def _legal(position: AnyPosition, text: str) -> Any:
    """Return the legal move that is written so, in whichever order its cells stand."""
    sorted_cells = sorted(_CELL.findall(text))
    reordered = None
    for move in position.legal_moves():
        move_text = position.format(move)
        if move_text == text:
            return move
        if sorted_cells and sorted(_CELL.findall(move_text)) == sorted_cells:
            reordered = move
    return reordered


def _rush(position: AnyPosition, last: str, chance: random.Random) -> Any:
    """Return the move after which most is won soon if the other side moves at random."""
    seat, moves = position.seat, position.legal_moves()
    sample = moves if len(moves) <= RUSHES else chance.sample(list(moves), RUSHES)
    tries = max(1, RUSHES // len(sample))
    return max(
        sample,
        key=lambda move: sum(_speed(position.play(move), seat, chance) for _ in range(tries)),
    )


def _speed(position: AnyPosition, seat: int, chance: random.Random) -> float:
    for ply in range(MAX_RUSH):
        outcome = position.outcome()
        if outcome is not None:
            return outcome.scores[seat] / (1.0 + ply / MAX_RUSH)
        position = position.play(chance.choice(position.legal_moves()))
    return 0.0
