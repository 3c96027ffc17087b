"""Play any game from Python: positions that never change, moves as players write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sarsen import drawing, games
from sarsen.core import game as contract
from sarsen.core.errors import IllegalMove
from sarsen.core.game import AnyPosition, GameInfo, Outcome
from sarsen.core.options import Value
from sarsen.core.referee import judge
from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.svg import svg
from sarsen.research.codings import Coding, coding_of

if TYPE_CHECKING:
    from sarsen.research.observing import Planes


def load(name: str) -> Game:
    """Return a game by its name, in any case; plug-in games too.

    Raises:
        UnknownGame: With the games there are.
    """
    return Game(games.load(name))


@dataclass(frozen=True)
class Game:
    """A game to start.

    Attributes:
        rules: The game as all of sarsen knows it.
    """

    rules: contract.Game

    @property
    def info(self) -> GameInfo:
        """Its title, seats, author, options and so on."""
        return self.rules.info

    def start(self, options: str = "", **named: object) -> Position:
        """Return the first position: `start("-size=5 -swap")`, or `start(size=5, swap=True)`.

        Raises:
            BadOption: With the options there are.
        """
        return Position(self.rules.start(named or options))

    def read(self, line: str) -> Position:
        """Read what `Position.write` wrote.

        Raises:
            UserError: The line is not a position of this game.
        """
        return Position(self.rules.read(line))

    def __repr__(self) -> str:
        return f"sarsen.load({self.info.name!r})"


@dataclass(frozen=True)
class Position:
    """A position, which never changes. In a notebook it shows its picture.

    Attributes:
        rules: The position as all of sarsen knows it, with its moves as values.
        moves: The moves from where `Game.start` or `Game.read` began, in their one full form.
    """

    rules: AnyPosition
    moves: tuple[str, ...] = field(default=(), compare=False)

    @property
    def game(self) -> Game:
        return Game(self.rules.game)

    @property
    def options(self) -> Mapping[str, Value]:
        """Every option's value, defaults included."""
        return self.rules.options

    @property
    def seat(self) -> int:
        """The seat to move. Ask it after every move: seats need not alternate."""
        return self.rules.seat

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it runs."""
        return self.rules.outcome()

    def legal_moves(self) -> tuple[str, ...]:
        """List the moves as players write them; none when the game is over."""
        return tuple(self.rules.format(move) for move in self.rules.legal_moves())

    def play(self, *moves: str) -> Position:
        """Return the position after one move or more, written as people do.

        Raises:
            UnreadableMove, IllegalMove: With a hint that names a legal move.
        """
        position, played = self.rules, list(self.moves)
        for move in moves:
            ruling = judge(position, move)
            position = ruling.position
            played.append(ruling.text)
        return Position(position, tuple(played))

    def effects(self) -> tuple[str, ...]:
        """Return a text that says what the last move caused, a sentence each."""
        return self.rules.effects()

    def write(self) -> str:
        """Write everything the rules need as one ASCII line. The pair of `Game.read`."""
        return self.rules.write()

    def text(self) -> str:
        """Draw the board with plain characters."""
        return drawing.text(self.rules)

    def describe(self) -> str:
        """Say the position in words."""
        return drawing.describe(self.rules)

    def svg(self, *, is_dark: bool = False) -> str:
        """Draw the board as an SVG document."""
        return svg(drawing.scene(self.rules), DARK if is_dark else LIGHT)

    def png(self, width: int = 600) -> bytes:
        """Draw the board as a PNG picture so many pixels wide."""
        from sarsen.research.pictures import png

        return png(self.svg(), width)

    @cached_property
    def coding(self) -> Coding:
        """What the numbers of moves and the planes of observations mean."""
        return coding_of(self.rules)

    def actions(self) -> dict[int, str]:
        """Return the legal moves by their numbers, lowest first: see docs/research.md."""
        return {number: self.rules.format(move) for number, move in self._numbered.items()}

    def action_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the legal moves, lowest first."""
        return tuple(self._numbered)

    def action_text(self, action: int) -> str:
        """Write the legal move of a number as players do.

        Raises:
            IllegalMove: It is no legal move here.
        """
        return self.rules.format(self._move_of(action))

    def play_action(self, action: int) -> Position:
        """Return the position after the move of a number.

        Raises:
            IllegalMove: It is no legal move here.
        """
        move = self._move_of(action)
        return Position(self.rules.play(move), (*self.moves, self.rules.format(move)))

    def observation(self) -> Planes:
        """Return the position as numbers: an array of planes, rows and columns.

        Raises:
            UserError: A plug-in game that has no planes.
        """
        from sarsen.research.observing import observe

        return observe(self.rules, self.coding)

    @cached_property
    def _numbered(self) -> dict[int, Any]:
        number = self.coding.number
        numbered = {number(self.rules, move): move for move in self.rules.legal_moves()}
        return dict(sorted(numbered.items()))

    def _move_of(self, action: int) -> Any:
        if action in self._numbered:
            return self._numbered[action]
        outcome = self.outcome()
        why = f"the game is over: {outcome.reason}" if outcome else "it is no legal move here."
        raise IllegalMove(
            f"No move has the number {action}: {why}",
            code="no-such-action",
            hint=f"For example: {next(iter(self._numbered), 'a new game')}",
        )

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self  # It never changes, and libraries copy it with every state.

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"sarsen.load({self.game.info.name!r}).read({self.write()!r})"

    def _repr_svg_(self) -> str:
        return self.svg()
