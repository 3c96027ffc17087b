"""The rules of Y. Both sides join all three edges of a triangle; there is no draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import SWAP, RecordedGame, RecordedPosition

SEATS = ("Red", "Blue")
OPTIONS = (Number("size", "cells along each edge", 3, 19, 11), SWAP)
BESIDE = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


@cache
def cells(size: int) -> tuple[str, ...]:
    places = ((column, row) for row in range(size) for column in range(size - 1 - row, size))
    return tuple(f"{chr(97 + column)}{row + 1}" for column, row in places)


@cache
def around(cell: str) -> list[str]:
    return [f"{chr(ord(cell[0]) + right)}{int(cell[1:]) + down}" for right, down in BESIDE]


@dataclass(frozen=True)
class YPosition(RecordedPosition):
    """The moves played, and the side of each stone by its cell."""

    terms: Options
    moves: tuple[str, ...] = ()
    stones: Mapping[str, int] = field(default_factory=dict)
    winner: int | None = None
    notation = (r"[a-z][1-9][0-9]?", "e8")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        return self.won_by(self.winner, f"{SEATS[self.winner]} joined all three edges.")

    def legal_moves(self) -> tuple[str, ...]:
        if self.winner is not None:
            return ()
        free = (cell for cell in cells(self.size) if cell not in self.stones)
        return (*free, "swap") if self.may_swap else tuple(free)

    def after(self, move: str) -> YPosition:
        if move not in cells(self.size):
            text = f"{move} is off the board, whose last cell is {cells(self.size)[-1]}."
            raise IllegalMove(text, code="ygame.off-board")
        if move in self.stones:
            raise IllegalMove(f"There is a stone on {move} already.", code="ygame.occupied")
        stones = {**self.stones, move: self.side}
        winner = self.side if joins(move, self.side, stones, self.size) else None
        return YPosition(self.terms, (*self.moves, move), stones, winner)


def joins(start: str, side: int, stones: Mapping[str, int], size: int) -> bool:
    """Return whether the chain of a stone reaches all three edges."""
    chain = [start]
    for cell in chain:
        chain += [near for near in around(cell) if stones.get(near) == side and near not in chain]
    columns, rows = [ord(cell[0]) - 96 for cell in chain], [int(cell[1:]) for cell in chain]
    is_left = size + 1 in map(sum, zip(columns, rows, strict=True))
    return is_left and size in columns and size in rows


INFO = GameInfo("ygame", "Y", SEATS, "Claude Shannon", 1953, 1, OPTIONS, "Join all three edges.")
GAME: Game = RecordedGame(INFO, YPosition)
