"""Broken on purpose: a coin decides, which the contract does not allow either."""

from __future__ import annotations

import random
from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "1234" for column in "abcd")


@dataclass(frozen=True)
class CoinFlipPosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    winner: int | None = None
    notation = (r"[a-d][1-4]", "b2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        return self.won_by(self.winner, f"The coin fell for {INFO.seats[self.winner]}.")

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(cell for cell in CELLS if cell not in self.moves)

    def after(self, move: str) -> CoinFlipPosition:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} is taken or off the board.", code="coinflip.taken")
        moves = (*self.moves, move)
        winner = random.randrange(2) if len(moves) == len(CELLS) else None
        return CoinFlipPosition(self.terms, moves, winner)


INFO = GameInfo(
    *("coinflip", "Coin Flip", ("White", "Black"), "sarsen", 2026, 1, ()),
    "Fill the board; a coin decides.",
)
GAME: Game = RecordedGame(INFO, CoinFlipPosition)
