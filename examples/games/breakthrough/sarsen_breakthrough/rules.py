"""The rules of Breakthrough. White goes up the board, Black goes down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS = ("White", "Black")
OPTIONS = (Number("size", "squares along each edge", 4, 10, 8),)


def name(column: int, row: int) -> str:
    return f"{chr(96 + column)}{row}"


@dataclass(frozen=True)
class BreakthroughPosition(RecordedPosition):
    """The moves played, and the side of each man by its square."""

    terms: Options
    moves: tuple[str, ...] = ()
    men: Mapping[str, int] = field(default_factory=dict)
    notation = (r"[a-z][1-9][0-9]?-[a-z][1-9][0-9]?", "a2-a3")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        mover, other = self.side, 1 - self.side
        if not self.moves:
            return None
        if mover not in self.men.values():
            return self.won_by(other, f"{SEATS[other]} took every man.")
        target = self.moves[-1].split("-")[1]
        if int(target[1:]) != (1 if mover == 0 else self.size):
            return None
        return self.won_by(other, f"{SEATS[other]} reached {target}.")

    def legal_moves(self) -> tuple[str, ...]:
        if self.outcome() is not None:
            return ()
        mine = [man for man, side in self.men.items() if side == self.side]
        return tuple(f"{man}-{to}" for man in mine for to in self.targets(man))

    def targets(self, man: str) -> list[str]:
        column, row = ord(man[0]) - 96, int(man[1:]) + (1 if self.side == 0 else -1)
        ahead = name(column, row)
        aslant = [name(c, row) for c in (column - 1, column + 1) if 1 <= c <= self.size]
        free = [ahead] if ahead not in self.men else []
        return free + [to for to in aslant if self.men.get(to) != self.side]

    def after(self, move: str) -> BreakthroughPosition:
        man, to = move.split("-")
        if self.men.get(man) != self.side:
            text = f"There is no man of {SEATS[self.side]} on {man}."
            raise IllegalMove(text, code="breakthrough.not-yours")
        if to not in self.targets(man):
            text = f"A man moves one row ahead and captures diagonally; {man} cannot go to {to}."
            hint = f"For example: {man}-{self.targets(man)[0]}" if self.targets(man) else ""
            raise IllegalMove(text, code="breakthrough.way", hint=hint)
        men = {square: side for square, side in self.men.items() if square != man}
        return BreakthroughPosition(self.terms, (*self.moves, move), {**men, to: self.side})

    def effects(self) -> tuple[str, ...]:
        taken = 4 * self.size - len(self.men)
        return (f"Men taken so far: {taken}.",) if taken else ()


def first(terms: Options) -> BreakthroughPosition:
    size = terms.number("size")
    rows = {1: 0, 2: 0, size - 1: 1, size: 1}
    men = {name(column, row): rows[row] for row in rows for column in range(1, size + 1)}
    return BreakthroughPosition(terms, (), men)


SUMMARY = "Be the first to bring a man to the far row; men move ahead and capture diagonally."
INFO = GameInfo("breakthrough", "Breakthrough", SEATS, "Dan Troyka", 2000, 1, OPTIONS, SUMMARY)
GAME: Game = RecordedGame(INFO, first)
