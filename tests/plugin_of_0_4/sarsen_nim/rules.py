"""The rules of Nim: rows of 1, 3, 5 … sticks; a turn takes some from one row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Flag, Number, Options, read_options

OPTIONS = (
    Number("rows", "rows of 1, 3, 5 … sticks", 2, 6, 3),
    Flag("misere", "who takes the last stick loses"),
)
SEATS = ("First", "Second")


@dataclass(frozen=True)
class Taking:
    """A move: how many sticks leave which row, counted from 0."""

    row: int
    sticks: int


@dataclass(frozen=True)
class NimPosition:
    """Hold how many sticks every row has left."""

    terms: Options
    rows: tuple[int, ...]
    ply: int = 0
    caused: tuple[str, ...] = field(default=(), compare=False)

    @property
    def game(self) -> Game:
        return GAME

    @property
    def options(self) -> Mapping[str, int | bool]:
        return self.terms.as_dict()

    @property
    def seat(self) -> int:
        return self.ply % 2

    @property
    def sides(self) -> tuple[str, ...]:
        return SEATS

    def outcome(self) -> Outcome | None:
        if any(self.rows):
            return None
        winner = self.seat if self.terms.flag("misere") else 1 - self.seat
        scores = tuple(float(seat == winner) for seat in range(2))
        return Outcome(scores, f"{SEATS[1 - self.seat]} took the last stick.")

    def legal_moves(self) -> Sequence[Taking]:
        return tuple(
            Taking(row, sticks)
            for row, left in enumerate(self.rows)
            for sticks in range(1, left + 1)
        )

    def play(self, move: Taking) -> NimPosition:
        if move not in self.legal_moves():
            raise IllegalMove(
                f"A turn takes sticks from one row that has them; {self.format(move)} does not.",
                code="nim.too-few-sticks",
            )
        rows = list(self.rows)
        rows[move.row] -= move.sticks
        emptied = () if rows[move.row] else (f"Row {_letter(move.row)} is empty.",)
        return NimPosition(self.terms, tuple(rows), self.ply + 1, emptied)

    def parse(self, text: str) -> Taking:
        found = re.fullmatch(r"([a-f])([0-9]{1,2})", "".join(text.lower().split()))
        if found is None:
            raise UnreadableMove(
                f"{text[:20]!r} is not a row and a number of sticks.", code="nim.unreadable-move"
            )
        move = Taking("abcdef".index(found[1]), int(found[2]))
        self.play(move)
        return move

    def format(self, move: Taking) -> str:
        return f"{_letter(move.row)}{move.sticks}"

    def effects(self) -> tuple[str, ...]:
        return self.caused

    def write(self) -> str:
        return f"{self.terms.write()};{self.ply};{' '.join(map(str, self.rows))}"


@dataclass(frozen=True)
class NimGame:
    """Start games of Nim and read its positions."""

    info: GameInfo

    def start(self, options: str | Mapping[str, object] = "") -> NimPosition:
        terms = read_options(OPTIONS, options)
        return NimPosition(terms, _full(terms))

    def read(self, line: str) -> NimPosition:
        found = re.fullmatch(r"([^;]{0,40});([0-9]{1,2});([0-9 ]{3,20})", line, re.ASCII)
        if found is None:
            raise _unreadable()
        terms = read_options(OPTIONS, found[1])
        rows = tuple(map(int, found[3].split()))
        position = NimPosition(terms, rows, int(found[2]))
        full = _full(terms)
        if position.write() != line or len(rows) != len(full):
            raise _unreadable()
        taken = [whole - left for whole, left in zip(full, rows, strict=True)]
        touched = sum(sticks > 0 for sticks in taken)
        if min(taken) < 0 or not touched <= position.ply <= sum(taken):
            raise _unreadable()
        return position


def _full(terms: Options) -> tuple[int, ...]:
    return tuple(range(1, 2 * terms.number("rows"), 2))


def _letter(row: int) -> str:
    return "abcdef"[row]


def _unreadable() -> UserError:
    return UserError(
        "This is not a position of Nim.",
        code="nim.unreadable-position",
        hint="For example: ;2;1 1 4",
    )


GAME: Game = NimGame(
    GameInfo(
        name="nim",
        title="Nim",
        seats=SEATS,
        author="traditional",
        year=1901,
        rules_version=1,
        options=OPTIONS,
        summary="Take sticks from one row at a time; the last stick wins.",
    )
)
