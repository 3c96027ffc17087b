"""The rules of Amazons. A move is `d1-d7/g7`: an amazon goes, then shoots an arrow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS, ARROW = ("White", "Black"), 2
OPTIONS = (Number("size", "squares along each edge", 6, 10, 10, 2, "boards have 6, 8 or 10."),)
AROUND = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]


def name(column: int, row: int) -> str:
    return f"{chr(96 + column)}{row}"


@cache
def rays(start: str, size: int) -> list[list[str]]:
    """Return the squares in each direction from a square, the nearest first."""
    column, row, board = ord(start[0]) - 96, int(start[1:]), range(1, size + 1)
    ways = [[(column + far * x, row + far * y) for far in board] for x, y in AROUND]
    return [[name(c, r) for c, r in way if c in board and r in board] for way in ways]


def reach(start: str, taken: Collection[str], size: int) -> Iterator[str]:
    """Yield where a queen of chess could go from a square."""
    for ray in rays(start, size):
        yield from takewhile(lambda square: square not in taken, ray)


@dataclass(frozen=True)
class AmazonsPosition(RecordedPosition):
    """The moves played, and what stands on each square: an amazon's side, or an arrow."""

    terms: Options
    moves: tuple[str, ...] = ()
    taken: Mapping[str, int] = field(default_factory=dict)
    notation = (r"[a-z]\d{1,2}-[a-z]\d{1,2}/[a-z]\d{1,2}", "d1-d5/g5")

    @property
    def game(self) -> Game:
        return GAME

    @property
    def size(self) -> int:
        return self.terms.number("size")

    @property
    def mine(self) -> list[str]:
        return [square for square, kind in self.taken.items() if kind == self.side]

    def outcome(self) -> Outcome | None:
        # An amazon that can go can shoot: back to where it came from.
        if any(next(reach(amazon, self.taken, self.size), "") for amazon in self.mine):
            return None
        return self.won_by(1 - self.side, f"{SEATS[self.side]} cannot move.")

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(
            f"{amazon}-{to}/{arrow}"
            for amazon in self.mine
            for to in reach(amazon, self.taken, self.size)
            for arrow in reach(to, self.taken.keys() - {amazon}, self.size)
        )

    def after(self, move: str) -> AmazonsPosition:
        amazon, to, arrow = move.replace("/", "-").split("-")
        if self.taken.get(amazon) != self.side:
            text = f"There is no amazon of {SEATS[self.side]} on {amazon}."
            raise IllegalMove(text, code="amazons.not-yours")
        if to not in reach(amazon, self.taken, self.size):
            text = f"An amazon goes like a queen, over free squares; not from {amazon} to {to}."
            raise IllegalMove(text, code="amazons.way")
        others = {square: kind for square, kind in self.taken.items() if square != amazon}
        if arrow not in reach(to, others, self.size):
            text = f"An arrow flies like a queen, over free squares; not from {to} to {arrow}."
            raise IllegalMove(text, code="amazons.arrow")
        moves, shot = (*self.moves, move), {to: self.side, arrow: ARROW}
        return AmazonsPosition(self.terms, moves, others | shot)


def first(terms: Options) -> AmazonsPosition:
    n = terms.number("size")
    near, far = (n + 2) // 3, n - (n - 1) // 3
    ends = (1, near), (near, 1), (far, 1), (n, near), (1, far), (near, n), (far, n), (n, far)
    return AmazonsPosition(terms, (), {name(*end): at // 4 for at, end in enumerate(ends)})


SUMMARY = "Move an amazon and shoot an arrow; a player who cannot move loses."
INFO = GameInfo("amazons", "Amazons", SEATS, "Walter Zamkauskas", 1988, 1, OPTIONS, SUMMARY)
GAME: Game = RecordedGame(INFO, first)
