"""Broken on purpose: a king each on an open board; good players keep them apart for ever."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "12345" for column in "abcde")
BESIDE = {
    cell: tuple(
        other
        for other in CELLS
        if max(abs(ord(cell[0]) - ord(other[0])), abs(int(cell[1]) - int(other[1]))) == 1
    )
    for cell in CELLS
}


@dataclass(frozen=True)
class EndlessPosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    kings: tuple[str, str] = ("a1", "e5")
    notation = (r"[a-e][1-5]", "b2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if self.kings[0] != self.kings[1]:
            return None
        return self.won_by(1 - self.seat, "A king was taken.")

    def legal_moves(self) -> tuple[str, ...]:
        if self.outcome() is not None:
            return ()
        other = self.kings[1 - self.seat]
        steps = BESIDE[self.kings[self.seat]]
        return (other,) if other in steps else steps

    def after(self, move: str) -> EndlessPosition:
        if move not in self.legal_moves():
            raise IllegalMove(f"The king cannot go to {move}.", code="endless.step")
        kings = (move, self.kings[1]) if self.seat == 0 else (self.kings[0], move)
        return EndlessPosition(self.terms, (*self.moves, move), kings)


INFO = GameInfo(
    "endless", "Endless", ("White", "Black"), "sarsen", 2026, 1, (), "Take the other king."
)
GAME: Game = RecordedGame(INFO, EndlessPosition)
