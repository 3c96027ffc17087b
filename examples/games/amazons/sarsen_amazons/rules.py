"""The rules of Amazons. A move is `d1-d7/g7`: an amazon goes, then shoots an arrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS, ARROW = ("White", "Black"), 2
OPTIONS = (Number("size", "squares along each edge", 6, 10, 10, 2, "boards have 6, 8 or 10."),)
AROUND = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]


@cache
def rays(start: str, size: int) -> list[list[str]]:
    column, row, board = ord(start[0]) - 96, int(start[1:]), range(1, size + 1)
    ways = [[(column + far * x, row + far * y) for far in board] for x, y in AROUND]
    return [[f"{chr(96 + c)}{r}" for c, r in way if c in board and r in board] for way in ways]


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

    def amazons(self, side: int) -> list[str]:
        return [square for square, kind in self.taken.items() if kind == side]

    def reach(self, start: str, gone: str = "") -> Iterator[str]:
        """Yield where a queen of chess could go from a square, when an amazon is gone."""
        for ray in rays(start, self.size):
            for square in ray:
                if square in self.taken and square != gone:
                    break
                yield square

    def outcome(self) -> Outcome | None:
        if any(next(self.reach(at), "") for at in self.amazons(self.side)):  # and shoot back
            return None
        return self.won_by(1 - self.side, f"{SEATS[self.side]} cannot move.")

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(
            f"{amazon}-{to}/{arrow}"
            for amazon in self.amazons(self.side)
            for to in self.reach(amazon)
            for arrow in self.reach(to, amazon)
        )

    def after(self, move: str) -> AmazonsPosition:
        moves, (amazon, to, arrow) = (*self.moves, move), move.replace("/", "-").split("-")
        if self.taken.get(amazon) != self.side:
            raise IllegalMove(f"{amazon} is no amazon of yours.", code="amazons.not-yours")
        if to not in self.reach(amazon):
            raise IllegalMove(f"No queen could go from {amazon} to {to}.", code="amazons.way")
        if arrow not in self.reach(to, amazon):
            raise IllegalMove(f"No arrow could fly from {to} to {arrow}.", code="amazons.arrow")
        left = {square: kind for square, kind in self.taken.items() if square != amazon}
        return AmazonsPosition(self.terms, moves, left | {to: self.side, arrow: ARROW})


def first(terms: Options) -> AmazonsPosition:
    n = terms.number("size")
    near, far = (n + 2) // 3, n - (n - 1) // 3
    ends = (1, near), (near, 1), (far, 1), (n, near), (1, far), (near, n), (far, n), (n, far)
    taken = {f"{chr(96 + c)}{r}": at // 4 for at, (c, r) in enumerate(ends)}
    return AmazonsPosition(terms, (), taken)


SUMMARY = "Move an amazon and shoot an arrow; a player who cannot move loses."
INFO = GameInfo("amazons", "Amazons", SEATS, "Walter Zamkauskas", 1988, 1, OPTIONS, SUMMARY)
GAME: Game = RecordedGame(INFO, first)
