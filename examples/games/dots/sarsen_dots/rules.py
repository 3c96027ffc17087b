"""The rules of Dots and Boxes. A move is `a1-b1`: a line from one dot to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS = ("Red", "Blue")
OPTIONS = (Number("size", "boxes along each edge", 2, 7, 4),)


def dot(column: int, row: int) -> str:
    return f"{chr(97 + column)}{row + 1}"


@cache
def sides(size: int) -> dict[str, tuple[str, ...]]:
    """Return the four lines around each box, by its name: `a1-b2`."""
    boxes = {}
    for at in range(size**2):
        here, right, up, far = (dot(at % size + x, at // size + y) for y in (0, 1) for x in (0, 1))
        pairs = (here, right), (here, up), (right, far), (up, far)
        boxes[f"{here}-{far}"] = tuple(map("-".join, pairs))
    return boxes


@cache
def lines(size: int) -> tuple[str, ...]:
    return tuple(sorted({line for around in sides(size).values() for line in around}))


@dataclass(frozen=True)
class DotsPosition(RecordedPosition):
    """The moves played, and the side that drew each line and each box."""

    terms: Options
    moves: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    boxes: Mapping[str, int] = field(default_factory=dict)
    seat: int = 0
    notation = (r"[a-z][1-9]-[a-z][1-9]", "a1-b1")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if len(self.boxes) < self.size**2:
            return None
        red, blue = (list(self.boxes.values()).count(side) for side in (0, 1))
        if red == blue:
            return Outcome((0.5, 0.5), f"Both have {red} boxes.")
        winner = 0 if red > blue else 1
        return self.won_by(winner, f"{SEATS[winner]} has {max(red, blue)} of {red + blue} boxes.")

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(line for line in lines(self.size) if line not in self.lines)

    def parse(self, text: str) -> str:
        move = "".join(text.lower().split())
        is_line = re.fullmatch(self.notation[0], move)
        return super().parse("-".join(sorted(move.split("-"))) if is_line else text)

    def after(self, move: str) -> DotsPosition:
        if move not in lines(self.size):
            text = f"{move} does not join two dots beside each other on this board."
            raise IllegalMove(text, code="dots.no-line")
        if move in self.lines:
            raise IllegalMove(f"The line {move} is drawn already.", code="dots.drawn")
        drawn = {**self.lines, move: self.side}
        boxes = [box for box, around in sides(self.size).items() if move in around]
        taken = {box: self.side for box in boxes if drawn.keys() >= set(sides(self.size)[box])}
        seat = self.seat if taken else 1 - self.seat
        return DotsPosition(self.terms, (*self.moves, move), drawn, {**self.boxes, **taken}, seat)

    def effects(self) -> tuple[str, ...]:
        taken = [box for box in self.boxes if self.moves[-1] in sides(self.size)[box]]
        return tuple(f"{SEATS[self.boxes[box]]} takes the box {box}." for box in taken)

    def plies_left(self) -> int:
        return len(lines(self.size)) - len(self.lines)


SUMMARY = "Draw lines from dot to dot; who draws the fourth side of a box has it, and draws again."
INFO = GameInfo("dots", "Dots and Boxes", SEATS, "Édouard Lucas", 1889, 1, OPTIONS, SUMMARY)
GAME: Game = RecordedGame(INFO, DotsPosition)
