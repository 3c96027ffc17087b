"""Broken on purpose: there is one legal move in every position."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "1234" for column in "abcd")


@dataclass(frozen=True)
class OneMovePosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    notation = (r"[a-d][1-4]", "a1")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if len(self.moves) < len(CELLS):
            return None
        return self.won_by(1, "Black filled the board.")

    def legal_moves(self) -> tuple[str, ...]:
        return CELLS[len(self.moves) :][:1]

    def after(self, move: str) -> OneMovePosition:
        if move not in self.legal_moves():
            raise IllegalMove("Cells are filled in their order.", code="onemove.order")
        return OneMovePosition(self.terms, (*self.moves, move))


INFO = GameInfo(
    "onemove", "One Move", ("White", "Black"), "sarsen", 2026, 1, (), "Fill the board in order."
)
GAME: Game = RecordedGame(INFO, OneMovePosition)
