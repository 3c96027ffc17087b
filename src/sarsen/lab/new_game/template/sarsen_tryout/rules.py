"""The rules of Tryout. In turn, put a stone on a free square; three in a row win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS = ("Red", "Blue")  # the first one begins
OPTIONS = (Number("size", "squares along each edge", 3, 8, 4),)
ROW = 3  # stones that win
LETTERS = "abcdefgh"
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True)
class TryoutPosition(RecordedPosition):
    """The moves played, and the side of each stone by its square."""

    terms: Options
    moves: tuple[str, ...] = ()
    stones: Mapping[str, int] = field(default_factory=dict)
    winner: int | None = None
    notation = (r"[a-z][1-9][0-9]?", "b2")

    @property
    def game(self) -> Game:
        return GAME

    @property
    def squares(self) -> list[str]:
        return [f"{letter}{row}" for row in range(1, self.size + 1) for letter in self.letters]

    @property
    def letters(self) -> str:
        return LETTERS[: self.size]

    def outcome(self) -> Outcome | None:
        if self.winner is not None:
            return self.won_by(self.winner, f"{SEATS[self.winner]} has {ROW} in a row.")
        if len(self.stones) == self.size**2:
            return Outcome((0.5, 0.5), "The board is full.")
        return None

    def legal_moves(self) -> tuple[str, ...]:
        if self.winner is not None:
            return ()
        return tuple(square for square in self.squares if square not in self.stones)

    def after(self, move: str) -> TryoutPosition:
        if move not in self.squares:
            text = f"{move} is off the board, which ends at {self.squares[-1]}."
            raise IllegalMove(text, code="tryout.off-board")
        if move in self.stones:
            raise IllegalMove(f"There is a stone on {move} already.", code="tryout.occupied")
        stones = {**self.stones, move: self.side}
        winner = self.side if is_in_a_row(move, stones) else None
        return TryoutPosition(self.terms, (*self.moves, move), stones, winner)


def is_in_a_row(square: str, stones: Mapping[str, int]) -> bool:
    """Return whether the stone on a square is in a row that wins."""
    return any(
        1 + run(square, right, up, stones) + run(square, -right, -up, stones) >= ROW
        for right, up in WAYS
    )


def run(square: str, right: int, up: int, stones: Mapping[str, int]) -> int:
    """Count the stones of the same side from a square on, in one direction."""
    column, row = ord(square[0]) + right, int(square[1:]) + up
    count = 0
    while stones.get(f"{chr(column)}{row}") == stones[square]:
        count, column, row = count + 1, column + right, row + up
    return count


INFO = GameInfo(
    name="tryout",
    title="Tryout",
    seats=SEATS,
    author="you",
    year=2026,
    rules_version=1,
    options=OPTIONS,
    summary="Three stones in a row win.",
    aims=("make a row of three", "make a row of three"),
    wants_testers=True,
)
GAME: Game = RecordedGame(INFO, TryoutPosition)
