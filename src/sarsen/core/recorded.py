"""Half of the contract for games whose moves are texts and whose positions are written as records.

    class HexPosition(RecordedPosition): …
    GAME: Game = RecordedGame(INFO, HexPosition)

A written position is its options and its moves, such as `-size=5;c3 swap`. It is read by
replaying them, so that no line is read that no game reaches. A game that has the option SWAP
lists the move `swap` while `may_swap`; the rest of it is here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self, cast

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.game import AnyPosition, GameInfo, Outcome, Position
from sarsen.core.options import Flag, Options, Value, read_options
from sarsen.core.phrases import Phrase, for_example, quoted
from sarsen.core.referee import replayed

SWAP = Flag(
    "swap",
    Phrase("the second player may swap sides after the first move"),
    words=Phrase("with swap"),
)


class RecordedPosition(Position[str], Protocol):
    """A position that knows the moves that led to it; seats move in turn.

    A game declares `terms` and `moves` as the first fields of its frozen dataclass, and writes
    `game`, `outcome`, `legal_moves` and `after`.

    Attributes:
        terms: What the players agreed on.
        moves: In their full form: lower case, no blanks.
        notation: A pattern of every text that may be a move, and one example.
    """

    terms: Options
    moves: tuple[str, ...]
    notation: ClassVar[tuple[str, str]]

    def after(self, move: str) -> Self:
        """Return the position after a readable move of a game that is not over.

        Raises:
            IllegalMove: The rules forbid it here; the text names the rule.
        """

    @property
    def options(self) -> Mapping[str, Value]:
        return self.terms.as_dict()

    @property
    def size(self) -> int:
        """The value of the option `size`, where the game has one."""
        return self.terms.number("size")

    @property
    def seat(self) -> int:
        return len(self.moves) % len(self.game.info.seats)

    @property
    def may_swap(self) -> bool:
        """Whether the second player may answer the first move by `swap`."""
        return len(self.moves) == 1 and self._has_swap and self.terms.flag(SWAP.name)

    @property
    def is_swapped(self) -> bool:
        """Whether the second player has swapped."""
        return self.moves[1:2] == (SWAP.name,) and self._has_swap

    @property
    def sides(self) -> tuple[str, ...]:
        seats = self.game.info.seats
        return seats[::-1] if self.is_swapped else seats

    @cached_property  # rules ask for it at every piece
    def side(self) -> int:
        """The side to move, an index into the seats of the game; after a swap, too."""
        return self.game.info.seats.index(self.sides[self.seat])

    def won_by(self, side: int, reason: str) -> Outcome:
        """Return that a side has won, by whichever seat it is played."""
        winner = self.game.info.seats[side]
        return Outcome(tuple(float(seat == winner) for seat in self.sides), reason)

    def play(self, move: str) -> Self:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMove("The game is over: {reason}", code="game-over", reason=outcome.reason)
        if move != SWAP.name or not self._has_swap:
            return self.after(move)
        if not self.may_swap:
            raise IllegalMove(
                "You can swap only in answer to the first move, and only in a game with swap.",
                code=f"{self.game.info.name}.swap",
            )
        # Games are dataclasses, which a protocol cannot ask for.
        return cast(Self, replace(cast(Any, self), moves=(*self.moves, move)))

    def parse(self, text: str) -> str:
        move = "".join(text.lower().split())
        pattern, example = self.notation
        is_swap = move == SWAP.name and self._has_swap
        if not is_swap and not re.fullmatch(pattern, move, re.ASCII):
            raise UnreadableMove(
                "{typed} is not a move in {game}; moves look like {example}.",
                code=f"{self.game.info.name}.unreadable-move",
                typed=quoted(text.strip(), 20),
                game=self.game.info.title,
                example=example,
            )
        self.play(move)
        return move

    def format(self, move: str) -> str:
        return move

    def effects(self) -> tuple[str, ...]:
        is_swap = self.moves[1:] == (SWAP.name,) and self._has_swap
        return (Phrase("The players swap sides."),) if is_swap else ()

    def write(self) -> str:
        return f"{self.terms.write()};{' '.join(self.moves)}"

    @property
    def _has_swap(self) -> bool:
        return SWAP in self.terms.declared


@dataclass(frozen=True)
class RecordedGame:
    """Start games and read positions.

    Attributes:
        first: Return the first position with these options.
        symmetries, exchanges: Functions from move text to move text, on the board of default
            options, that map games to games; those of `exchanges` exchange the sides, too.
            They need not know words such as `swap`. `sarsen check` tries them.
    """

    info: GameInfo
    first: Callable[[Options], AnyPosition]
    symmetries: Mapping[str, Callable[[str], str]] = field(default_factory=dict, compare=False)
    exchanges: Mapping[str, Callable[[str], str]] = field(default_factory=dict, compare=False)

    def start(self, options: str | Mapping[str, object] = "") -> AnyPosition:
        return self.first(read_options(self.info.options, options))

    def read(self, line: str) -> AnyPosition:
        options, _, moves = line.partition(";")
        position = replayed(self.start(options), moves.split())
        if position.write() != line:
            raise UserError(
                "This is not a position of {game}.",
                code=f"{self.info.name}.unreadable-position",
                hint=for_example(position.write()),
                game=self.info.title,
            )
        return position
