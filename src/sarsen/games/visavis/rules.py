"""Visavis, by Michail Antonow (1995): the law of turns, bridges, swaps and victory.

O moves first and joins left and right; X joins top and bottom. Where bridges may stand
and which of them cross is the law of `board`. Rulings X1 to X3 stand beside the lines
that follow them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove, UserError
from sarsen.core.game import GameInfo, Outcome
from sarsen.core.options import Options, Value, read_options
from sarsen.core.phrases import Phrase, for_example, listed
from sarsen.games.visavis import position_line
from sarsen.games.visavis.board import (
    OPTIONS,
    SIDES,
    Coordinate,
    O,
    VisavisBoard,
    X,
    board_of,
    is_peg,
    joined_pegs,
    joins_sides,
    name,
)
from sarsen.games.visavis.notation import SWAP, read_coordinate

# What each side joins, in a sentence; must agree with `board.ENDS`.
Move = str  # the one full form of its text: `D4`, or `swap`


@dataclass(frozen=True, slots=True)
class VisavisPosition:
    """A position of Visavis.

    Attributes:
        terms: What the players agreed on.
        bridges: The bridges of O and of X, as sets of the board.
        is_swapped: The seats have changed sides.
        winner: The side that has joined its two sides.
        last: The move that led here; unknown after reading a written position.
    """

    terms: Options
    bridges: tuple[int, int] = (0, 0)
    is_swapped: bool = False
    winner: int | None = None
    last: Move | None = field(default=None, compare=False)

    @property
    def game(self) -> VisavisGame:
        return GAME

    @property
    def options(self) -> Mapping[str, Value]:
        return self.terms.as_dict()

    @property
    def board(self) -> VisavisBoard:
        return board_of(self.terms.number("size"))

    @property
    def side(self) -> int:
        """The side to move, O or X; a swap does not pass the turn to the other side."""
        return O if self.bridges[O].bit_count() == self.bridges[X].bit_count() else X

    @property
    def seat(self) -> int:
        return self.side ^ self.is_swapped

    @property
    def sides(self) -> tuple[str, ...]:
        return SIDES[::-1] if self.is_swapped else SIDES

    @property
    def may_swap(self) -> bool:
        """Whether the side to move may answer by changing sides."""
        is_answer = self.bridges[O].bit_count() == 1 and not self.bridges[X]
        return self.terms.flag("swap") and is_answer and not self.is_swapped

    @property
    def open_places(self) -> int:
        """Where the side to move may put a bridge; empty when the game is over."""
        if self.winner is not None:
            return 0
        board, side = self.board, self.side
        blocked = board.crossed(1 - side, self.bridges[1 - side])
        return board.places[side] & ~self.bridges[side] & ~blocked

    def outcome(self) -> Outcome | None:
        # There is no draw: while a side has no bridge to add, the other has joined its sides.
        if self.winner is None:
            return None
        name_of_winner = SIDES[self.winner]
        scores = tuple(float(side == name_of_winner) for side in self.sides)
        return Outcome(
            scores,
            Phrase(
                "{side} joined left and right."
                if self.winner == O
                else "{side} joined top and bottom.",
                side=name_of_winner,
            ),
        )

    def legal_moves(self) -> Sequence[Move]:
        places = self.open_places
        moves = tuple(text for text, place in self.board.named[self.side] if place & places)
        return (*moves, SWAP) if self.may_swap else moves

    def play(self, move: Move) -> VisavisPosition:
        # A move is its text, so judging the text judges a move of another position too.
        return self.play_legal(self.parse(move))

    def play_legal(self, move: Move) -> VisavisPosition:
        """Return the position after a legal move, which is not judged."""
        if move == SWAP:
            return VisavisPosition(self.terms, self.bridges, is_swapped=True, last=SWAP)
        board, side = self.board, self.side
        place = board.bits[side][move]
        own = self.bridges[side] | place
        return VisavisPosition(
            self.terms,
            (own, self.bridges[X]) if side == O else (self.bridges[O], own),
            self.is_swapped,
            winner=side if joins_sides(board, side, own, through=place) else None,
            last=move,
        )

    def parse(self, text: str) -> Move:
        self._refuse_when_over()
        try:
            coordinate = read_coordinate(text, self.side, self.board.size)
        except UserError as refusal:
            refusal.hint = self._hint()
            raise
        if coordinate is None:
            self._judge_swap()
            return SWAP
        fault = refuse_place(self.board, self.bridges, self.side, coordinate)
        if fault is not None:
            fault.hint = for_example(nearest(self.board, self.open_places, coordinate))
            raise fault
        return name(*coordinate)

    def format(self, move: Move) -> str:
        return move

    def effects(self) -> tuple[str, ...]:
        if self.last is None:
            return ()
        if self.last == SWAP:
            return (
                Phrase(
                    "The players swap sides: the second player takes O and the first bridge, and "
                    "X moves next."
                ),
            )
        return (*self._blocked_by(self.last), *self._ended())

    def write(self) -> str:
        return position_line.write(
            position_line.VisavisLine(self.terms, self.is_swapped, self.bridges)
        )

    def _judge_swap(self) -> None:
        if self.may_swap:
            return
        if not self.terms.flag("swap"):
            text, code = Phrase("This game is played without swap."), "visavis.swap-not-agreed"
        else:
            text = Phrase("Only X may swap sides, and only in answer to the first bridge.")
            code = "visavis.swap-time"
        raise IllegalMove(text, code=code, hint=self._hint())

    def _refuse_when_over(self) -> None:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMove(
                "The game is over: {reason}", code="visavis.game-over", reason=outcome.reason
            )

    def _hint(self) -> str:
        middle = (self.board.size + 1) // 2
        return for_example(nearest(self.board, self.open_places, (middle, middle)))

    def _blocked_by(self, last: Move) -> tuple[str, ...]:
        """Return a text that says which places of the other side the last bridge took that were
        open before.
        """
        board, mover = self.board, 1 - self.side
        place = board.bits[mover][last]
        earlier = board.crossed(mover, self.bridges[mover] & ~place)
        names = board.names(board.crossed(mover, place) & ~earlier)
        return (
            (
                Phrase(
                    "{move} blocks {side} at {places}.",
                    move=last,
                    side=SIDES[self.side],
                    places=listed(names, "and"),
                ),
            )
            if names
            else ()
        )

    def _ended(self) -> tuple[str, ...]:
        if self.winner is None:
            return ()
        return (
            Phrase(
                "{side} joins left and right and wins."
                if self.winner == O
                else "{side} joins top and bottom and wins.",
                side=SIDES[self.winner],
            ),
        )


@dataclass(frozen=True, slots=True)
class VisavisGame:
    """Start games of Visavis and read its positions."""

    info: GameInfo

    def start(self, options: str | Mapping[str, object] = "") -> VisavisPosition:
        return VisavisPosition(read_options(OPTIONS, options))

    def read(self, line: str) -> VisavisPosition:
        record = position_line.read(line)
        board = board_of(record.options.number("size"))
        joined = [side for side in (O, X) if joins_sides(board, side, record.bridges[side])]
        return VisavisPosition(
            record.options,
            record.bridges,
            record.is_swapped,
            winner=joined[0] if joined else None,
        )


GAME = VisavisGame(
    GameInfo(
        name="visavis",
        title="Visavis",
        seats=SIDES,
        author="Michail Antonow",
        year=1995,
        rules_version=1,
        options=OPTIONS,
        rights="© Michail Antonow 1996.",
        summary="Build bridges between your pegs: O joins left and right, X top and bottom.",
        aims=("join left and right", "join top and bottom"),
        quick="-size=9",
    )
)


def refuse_place(
    board: VisavisBoard, bridges: tuple[int, int], side: int, coordinate: Coordinate
) -> IllegalMove | None:
    """Refuse a bridge of a side at a coordinate, or give None when it may stand there."""
    place = board.place(side, coordinate)
    if not place:
        return _refuse_coordinate(board, side, coordinate)
    if place & bridges[side]:
        return IllegalMove(
            "{side} has the bridge {bridge} already.",
            code="visavis.occupied",
            side=SIDES[side],
            bridge=spelled(side, coordinate),
        )
    # Ruling X2: bridges that cross in the plane block each other.
    crossing = board.crossed(side, place) & bridges[1 - side]
    if crossing:
        others = [spelled(1 - side, other) for other in board.coordinates(crossing)]
        return IllegalMove(
            "{place} is blocked: {side}'s bridge {bridges} crosses it."
            if len(others) == 1
            else "{place} is blocked: {side}'s bridges {bridges} cross it.",
            code="visavis.blocked",
            place=spelled(side, coordinate),
            side=SIDES[1 - side],
            bridges=listed(others, "and"),
        )
    return None


def spelled(side: int, coordinate: Coordinate) -> str:
    """Name a bridge with its two pegs: `D4 (C5-E3)`."""
    first, second = joined_pegs(side, *coordinate)
    return f"{name(*coordinate)} ({name(*first)}-{name(*second)})"


def nearest(board: VisavisBoard, open_places: int, coordinate: Coordinate) -> str:
    """Name the open place nearest to a coordinate, the first in reading order of equals."""
    column, row = coordinate
    places = board.coordinates(open_places)
    return name(*min(places, key=lambda place: abs(place[0] - column) + abs(place[1] - row)))


def _refuse_coordinate(board: VisavisBoard, side: int, coordinate: Coordinate) -> IllegalMove:
    """Refuse a coordinate at which this side can never have a bridge."""
    place, mover, other = name(*coordinate), SIDES[side], SIDES[1 - side]
    if is_peg(side, *coordinate, board.size):
        return IllegalMove(
            "{place} is one of {side}'s pegs. Name the place between two pegs, where the "
            "middle of the bridge will be.",
            code="visavis.peg",
            place=place,
            side=mover,
        )
    if board.place(1 - side, coordinate):
        return IllegalMove(
            "{place} lies between two pegs of {other}, and {side} bridges its own pegs only.",
            code="visavis.other-side",
            place=place,
            other=other,
            side=mover,
        )
    if is_peg(1 - side, *coordinate, board.size):
        return IllegalMove(
            "{place} is one of {other}'s pegs, beyond the last pegs of {side}.",
            code="visavis.peg",
            place=place,
            other=other,
            side=mover,
        )
    return IllegalMove(
        "{place} is a corner: it does not lie between two pegs.",
        code="visavis.corner",
        place=place,
    )
