"""Broken on purpose: the last stone on 9 cells wins, which is always the first player's."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "123" for column in "abc")


@dataclass(frozen=True)
class FirstWinsPosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    notation = (r"[a-c][1-3]", "b2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if len(self.moves) < len(CELLS):
            return None
        return self.won_by(0, "White placed the last stone.")

    def legal_moves(self) -> tuple[str, ...]:
        if self.outcome() is not None:
            return ()
        return tuple(cell for cell in CELLS if cell not in self.moves)

    def after(self, move: str) -> FirstWinsPosition:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} is taken or off the board.", code="firstwins.taken")
        return FirstWinsPosition(self.terms, (*self.moves, move))


INFO = GameInfo(
    "firstwins", "First Wins", ("White", "Black"), "sarsen", 2026, 1, (), "The last stone wins."
)
GAME: Game = RecordedGame(INFO, FirstWinsPosition)
