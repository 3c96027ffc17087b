"""Tic-tac-toe: three in a row on nine cells. A draw with best play; 255,168 games."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "123" for column in "abc")
ROWS = (
    *(tuple(f"{column}{row}" for column in "abc") for row in "123"),
    *(tuple(f"{column}{row}" for row in "123") for column in "abc"),
    *(("a1", "b2", "c3"), ("a3", "b2", "c1")),
)


@dataclass(frozen=True)
class TicTacToePosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    held: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    notation = (r"[abc][123]", "b2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        last = 1 - self.seat
        if any(self.held[last].issuperset(row) for row in ROWS):
            return self.won_by(last, f"{INFO.seats[last]} has three in a row.")
        if len(self.moves) == len(CELLS):
            return Outcome((0.5, 0.5), "The board is full.")
        return None

    def legal_moves(self) -> tuple[str, ...]:
        if self.outcome() is not None:
            return ()
        return tuple(cell for cell in CELLS if cell not in self.held[0] | self.held[1])

    def after(self, move: str) -> TicTacToePosition:
        if move in self.held[0] | self.held[1]:
            raise IllegalMove(f"{move} is taken.", code="tictactoe.taken")
        first, second = self.held
        mine = self.held[self.seat] | {move}
        held = (mine, second) if self.seat == 0 else (first, mine)
        return TicTacToePosition(self.terms, (*self.moves, move), held)


INFO = GameInfo("tictactoe", "Tic-tac-toe", ("X", "O"), "traditional", 1, 1, (), "Three in a row.")
SYMMETRIES = {
    "left-right": lambda move: move.translate(str.maketrans("ac", "ca")),
    "diagonal": lambda move: move.translate(str.maketrans("abc123", "123abc"))[::-1],
}
GAME: Game = RecordedGame(INFO, TicTacToePosition, SYMMETRIES)
