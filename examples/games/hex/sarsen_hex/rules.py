"""The rules of Hex. Red joins top and bottom, Blue left and right; there is no draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import SWAP, RecordedGame, RecordedPosition

SEATS, ENDS = ("Red", "Blue"), ("top and bottom", "left and right")
OPTIONS = (Number("size", "cells along each edge", 3, 19, 11), SWAP)
BESIDE = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


@cache
def cells(size: int) -> tuple[str, ...]:
    return tuple(f"{chr(97 + column)}{row}" for row in range(1, size + 1) for column in range(size))


@cache
def around(cell: str) -> list[str]:
    return [f"{chr(ord(cell[0]) + right)}{int(cell[1:]) + down}" for right, down in BESIDE]


@dataclass(frozen=True)
class HexPosition(RecordedPosition):
    """The moves played, and the side of each stone by its cell."""

    terms: Options
    moves: tuple[str, ...] = ()
    stones: Mapping[str, int] = field(default_factory=dict)
    winner: int | None = None
    notation = (r"[a-z][1-9][0-9]?", "b2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        return self.won_by(self.winner, f"{SEATS[self.winner]} joined {ENDS[self.winner]}.")

    def legal_moves(self) -> tuple[str, ...]:
        if self.winner is not None:
            return ()
        free = (cell for cell in cells(self.size) if cell not in self.stones)
        return (*free, "swap") if self.may_swap else tuple(free)

    def after(self, move: str) -> HexPosition:
        if move not in cells(self.size):
            text = f"{move} is off the board, which ends at {cells(self.size)[-1]}."
            raise IllegalMove(text, code="hex.off-board")
        if move in self.stones:
            raise IllegalMove(f"There is a stone on {move} already.", code="hex.occupied")
        stones = {**self.stones, move: self.side}
        winner = self.side if joins(move, self.side, stones, self.size) else None
        return HexPosition(self.terms, (*self.moves, move), stones, winner)


def joins(start: str, side: int, stones: Mapping[str, int], size: int) -> bool:
    """Return whether the chain of a stone reaches both edges of its side."""
    chain = [start]
    for cell in chain:
        chain += [near for near in around(cell) if stones.get(near) == side and near not in chain]
    return {1, size} <= {ord(cell[0]) - 96 if side else int(cell[1:]) for cell in chain}


INFO = GameInfo(
    "hex", "Hex", SEATS, "Piet Hein", 1942, 1, OPTIONS, "Join your two edges by a chain of stones."
)
GAME: Game = RecordedGame(INFO, HexPosition)
