"""A coding: a number for every move of a game, and planes for every position.

A number means the same move in every position with the same options, and the rows and
columns of moves are those of the planes, so that a network may give its answers on the
board it looks at. The module `coding` of a game's package provides `coding(position)`;
docs/research.md lists those of our games.

A game without one has its moves numbered by their place in the list. Such a number means
another move in every position. It serves to play, and hardly to learn.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sarsen.core.errors import IllegalMove, UserError
from sarsen.core.game import AnyPosition, own_module

Mark = tuple[int, int, int, float]  # plane, row, column, value; row 0 is the picture's top
MAX_MOVES = 4096  # numbers of actions, as many as `search.rules_kernel` has moves


def _play(position: Any, move: Any) -> Any:
    return position.play(move)


@dataclass(frozen=True)
class Coding:
    """The numbering of the moves and planes of one game with certain options.

    Attributes:
        actions: Moves have the numbers from 0 to one less than this.
        longest: No game has more plies; None when there is no such bound of any use.
        planes: What each plane shows that holds marks; () when positions have no planes.
        levels: What each of the following planes shows, which hold one value everywhere.
        rows, columns: Of every plane.
        number: The number of a move that is legal somewhere; None when a move's number is its
            place in the list of legal moves.
        marks: What is not 0 on the planes of a position.
        level: The values of `levels` for a position.
        highest: No value on a plane is higher, but a number of a seat may be.
        number_all: The numbers of all legal moves of a position, in their order, where that is
            quicker than one by one with `number`.
        legal_numbers: The numbers of the legal moves of a position, in any order, where its
            rules find them sooner than the moves; with `move`, the move of a number.
        play_legal: The position after a legal move; as it comes, by the position's own `play`.
            Numbers are looked for among the legal moves, so the move need not be judged again.
    """

    actions: int
    longest: int | None
    planes: tuple[str, ...]
    levels: tuple[str, ...]
    rows: int
    columns: int
    number: Callable[[Any], int] | None
    marks: Callable[[Any], Iterable[Mark]]
    level: Callable[[Any], tuple[float, ...]]
    highest: float = 1.0
    number_all: Callable[[Sequence[Any]], list[int]] | None = None
    legal_numbers: Callable[[Any], list[int]] | None = None
    move: Callable[[int], Any] | None = None
    play_legal: Callable[[Any, Any], Any] = _play

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns of an observation, the plane of the seat to move included."""
        return len(self.planes) + len(self.levels) + 1, self.rows, self.columns

    def numbers(self, position: AnyPosition, moves: Sequence[Any]) -> Sequence[int]:
        """Return the number of each legal move of a position, in the order of the moves.

        Raises:
            UserError: More moves than this coding has numbers.
        """
        if self.number_all is not None:
            return self.number_all(moves)
        if self.number is not None:
            return list(map(self.number, moves))
        if len(moves) > self.actions:
            raise UserError(
                f"{position.game.info.title} has more than {self.actions} moves here.",
                code="too-many-actions",
                hint="A module `coding` in the game's package numbers its moves in its own way.",
            )
        return range(len(moves))


@dataclass(slots=True, unsafe_hash=True)  # Frozen, it would take twice as long to make.
class NumberedPosition:
    """A position whose moves are numbers. Never changes.

    For programs that play many games: writing each move as text takes its time.

    Attributes:
        rules: The position as all of sarsen knows it.
        coding: The numbering of its moves.
    """

    rules: AnyPosition
    coding: Coding = field(compare=False)
    # The legal moves, and their numbers in the same order; filled when asked for.
    _moves: Sequence[Any] = field(default=(), init=False, compare=False, repr=False)
    _numbers: Sequence[int] | None = field(default=None, init=False, compare=False, repr=False)

    def action_numbers(self) -> list[int]:
        """Return the numbers of the legal moves, lowest first."""
        return sorted(self._listed())

    def move_of(self, action: int) -> Any:
        """Return the legal move of a number.

        Raises:
            IllegalMove: It is no legal move here.
        """
        numbers = self._listed()
        try:
            # Half the time of a dict, which most positions would use once. Not a number of
            # NumPy's, with which comparing is slow.
            place = numbers.index(int(action))
        except ValueError:
            outcome = self.rules.outcome()
            reason = (
                f"the game is over: {outcome.reason}" if outcome else "it is no legal move here."
            )
            raise IllegalMove(
                f"No move has the number {action}: {reason}",
                code="no-such-action",
                hint=f"For example: {min(numbers, default='a new game')}",
            ) from None
        if self.coding.legal_numbers is not None and self.coding.move is not None:
            return self.coding.move(numbers[place])
        return self._moves[place]

    def play_action(self, action: int) -> NumberedPosition:
        """Return the position after the move of a number.

        Raises:
            IllegalMove: It is no legal move here.
        """
        move = self.move_of(action)
        return NumberedPosition(self.coding.play_legal(self.rules, move), self.coding)

    def _listed(self) -> Sequence[int]:
        numbers = self._numbers
        if numbers is None:
            if self.coding.legal_numbers is not None:
                numbers = self.coding.legal_numbers(self.rules)
            else:
                self._moves = self.rules.legal_moves()
                numbers = self.coding.numbers(self.rules, self._moves)
            self._numbers = numbers
        return numbers

    def __deepcopy__(self, memo: dict[int, object]) -> NumberedPosition:
        return self  # It never changes, and libraries copy it with every state.

    def __reduce__(self) -> tuple[Callable[[AnyPosition], NumberedPosition], tuple[AnyPosition]]:
        # Its coding is found again: the functions of one need not be picklable.
        return numbered, (self.rules,)


def numbered(position: AnyPosition) -> NumberedPosition:
    """Return a position with the coding of its game and options."""
    return NumberedPosition(position, coding_of(position))


def coding_of(position: AnyPosition) -> Coding:
    """Return the coding for the game and the options of a position."""
    name = own_module(position.game, "coding")
    if name is None:
        return numbers_by_place()
    coding: Coding = importlib.import_module(name).coding(position)
    return coding


def numbers_by_place() -> Coding:
    """Return the coding of a game that brings none."""
    return Coding(
        actions=MAX_MOVES,
        longest=None,
        planes=(),
        levels=(),
        rows=0,
        columns=0,
        number=None,
        marks=_no_marks,
        level=_no_levels,
    )


def _no_marks(position: AnyPosition) -> Iterable[Mark]:
    return ()


def _no_levels(position: AnyPosition) -> tuple[float, ...]:
    return ()
