"""The rules of Amazons. A move is `d1-d7/g7`: an amazon goes, then shoots an arrow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS, ARROW = ("White", "Black"), 2
OPTIONS = (Number("size", "squares along each edge", 6, 10, 10, 2, "boards have 6, 8 or 10."),)
AROUND = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]


def name(column: int, row: int) -> str:
    return f"{chr(96 + column)}{row}"


def reach(start: str, taken: Collection[str], size: int) -> Iterator[str]:
    """Yield where a queen of chess could go from a square."""
    for right, up in AROUND:
        column, row = ord(start[0]) - 96 + right, int(start[1:]) + up
        while 1 <= column <= size and 1 <= row <= size and name(column, row) not in taken:
            yield name(column, row)
            column, row = column + right, row + up


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

    def without(self, amazon: str) -> Mapping[str, int]:
        return {square: kind for square, kind in self.taken.items() if square != amazon}

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(
            f"{amazon}-{to}/{arrow}"
            for amazon in self.mine
            for to in reach(amazon, self.taken, self.size)
            for arrow in reach(to, self.without(amazon), self.size)
        )

    def after(self, move: str) -> AmazonsPosition:
        amazon, to, arrow = move.replace("/", "-").split("-")
        if self.taken.get(amazon) != self.side:
            text = f"There is no amazon of {SEATS[self.side]} on {amazon}."
            raise IllegalMove(text, code="amazons.not-yours")
        if to not in reach(amazon, self.taken, self.size):
            text = f"An amazon goes like a queen, over free squares; not from {amazon} to {to}."
            raise IllegalMove(text, code="amazons.way")
        others = self.without(amazon)
        if arrow not in reach(to, others, self.size):
            text = f"An arrow flies like a queen, over free squares; not from {to} to {arrow}."
            hint = f"For example: {amazon}-{to}/{amazon}"
            raise IllegalMove(text, code="amazons.arrow", hint=hint)
        taken = {**others, to: self.side, arrow: ARROW}
        return AmazonsPosition(self.terms, (*self.moves, move), taken)


def first(terms: Options) -> AmazonsPosition:
    size = terms.number("size")
    near, far = (size + 2) // 3, size - (size - 1) // 3
    white = [name(1, near), name(near, 1), name(far, 1), name(size, near)]
    black = [name(1, far), name(near, size), name(far, size), name(size, far)]
    return AmazonsPosition(terms, (), dict.fromkeys(white, 0) | dict.fromkeys(black, 1))


SUMMARY = "Move an amazon and shoot an arrow; a player who cannot move loses."
INFO = GameInfo("amazons", "Amazons", SEATS, "Walter Zamkauskas", 1988, 1, OPTIONS, SUMMARY)
GAME: Game = RecordedGame(INFO, first)
