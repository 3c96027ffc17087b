"""Connect Four: a win for the first player on 7 by 6 (Allis, 1988); 4 by 4 and 5 by 4 are draws."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

OPTIONS = (Number("width", "columns", 4, 9, 7), Number("height", "rows", 4, 9, 6))
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True)
class ConnectFourPosition(RecordedPosition):
    """A column is a text of 0 and 1, from its foot up."""

    terms: Options
    moves: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    is_won: bool = False
    notation = (r"[a-i]", "d")

    @property
    def game(self) -> Game:
        return GAME

    @property
    def size(self) -> tuple[int, int]:
        return self.terms.number("width"), self.terms.number("height")

    def outcome(self) -> Outcome | None:
        if self.is_won:
            last = 1 - self.seat
            return self.won_by(last, f"{INFO.seats[last]} has four in a row.")
        width, height = self.size
        if len(self.moves) == width * height:
            return Outcome((0.5, 0.5), "The board is full.")
        return None

    def legal_moves(self) -> tuple[str, ...]:
        if self.outcome() is not None:
            return ()
        width, height = self.size
        columns = self.columns or ("",) * width
        return tuple(chr(97 + at) for at in range(width) if len(columns[at]) < height)

    def after(self, move: str) -> ConnectFourPosition:
        if move not in self.legal_moves():
            raise IllegalMove(f"Column {move} is full or off the board.", code="connectfour.full")
        columns = list(self.columns or ("",) * self.size[0])
        at = ord(move) - 97
        columns[at] += str(self.seat)
        is_won = _four(columns, at, len(columns[at]) - 1)
        return ConnectFourPosition(self.terms, (*self.moves, move), tuple(columns), is_won)


def _four(columns: list[str], column: int, row: int) -> bool:
    mine = columns[column][row]

    def run(right: int, up: int) -> int:
        x, y, found = column + right, row + up, 0
        while 0 <= x < len(columns) and 0 <= y < len(columns[x]) and columns[x][y] == mine:
            x, y, found = x + right, y + up, found + 1
        return found

    return any(run(right, up) + run(-right, -up) >= 3 for right, up in WAYS)


INFO = GameInfo(
    *("connectfour", "Connect Four", ("Yellow", "Red"), "Howard Wexler", 1974, 1, OPTIONS),
    "Four in a row; stones fall down.",
)
GAME: Game = RecordedGame(INFO, ConnectFourPosition)
