"""Broken on purpose: a full row wins, and any stone of the other side stops it."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "1234" for column in "abcd")


@dataclass(frozen=True)
class AllDrawsPosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    notation = (r"[a-f][1-6]", "b2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        last = 1 - self.seat
        mine = set(self.moves[last::2])
        if any(mine.issuperset(f"{column}{row}" for column in "abcd") for row in "1234"):
            return self.won_by(last, f"{INFO.seats[last]} filled a row.")
        if len(self.moves) == len(CELLS):
            return Outcome((0.5, 0.5), "The board is full.")
        return None

    def legal_moves(self) -> tuple[str, ...]:
        if self.outcome() is not None:
            return ()
        return tuple(cell for cell in CELLS if cell not in self.moves)

    def after(self, move: str) -> AllDrawsPosition:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} is taken or off the board.", code="alldraws.taken")
        return AllDrawsPosition(self.terms, (*self.moves, move))


INFO = GameInfo(
    "alldraws", "All Draws", ("White", "Black"), "sarsen", 2026, 1, (), "Fill a row of four."
)
GAME: Game = RecordedGame(INFO, AllDrawsPosition)
