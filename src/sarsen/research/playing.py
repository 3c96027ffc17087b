"""Play any game from Python: positions that never change, moves as players write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sarsen import drawing, games
from sarsen.core import game as contract
from sarsen.core.coding import Coding, NumberedPosition, numbered
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, GameInfo, Outcome
from sarsen.core.options import Value
from sarsen.core.referee import judge
from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.svg import svg

if TYPE_CHECKING:
    import numpy as np

    Planes = np.ndarray[tuple[int, int, int], np.dtype[np.float32]]


def load(name: str) -> ResearchGame:
    """Return a game by its name, in any case; plug-in games too.

    Raises:
        UnknownGame: With the games there are.
    """
    return ResearchGame(games.load(name))


@dataclass(frozen=True)
class ResearchGame:
    """A game to start.

    Attributes:
        rules: The game as all of sarsen knows it.
    """

    rules: contract.Game

    @property
    def info(self) -> GameInfo:
        """Its title, seats, author, options and so on."""
        return self.rules.info

    def start(self, options: str = "", **named: object) -> ResearchPosition:
        """Return the first position: `start("-size=5 -swap")`, or `start(size=5, swap=True)`.

        Raises:
            BadOption: With the options there are.
        """
        return self._begun(self.rules.start(named or options))

    def read(self, line: str) -> ResearchPosition:
        """Read what `Position.write` wrote.

        Raises:
            UserError: The line is not a position of this game.
        """
        return self._begun(self.rules.read(line))

    def _begun(self, position: AnyPosition) -> ResearchPosition:
        return ResearchPosition(numbered(position))

    def __repr__(self) -> str:
        return f"sarsen.load({self.info.name!r})"


@dataclass(frozen=True, slots=True)
class ResearchPosition:
    """A position, which never changes. In a notebook it shows its picture.

    Attributes:
        numbered: The position as programs play it, by numbers alone.
        moves: The moves from where `Game.start` or `Game.read` began, in their one full form.
    """

    numbered: NumberedPosition
    moves: tuple[str, ...] = field(default=(), compare=False)

    @property
    def rules(self) -> AnyPosition:
        """The position as all of sarsen knows it, with its moves as values."""
        return self.numbered.rules

    @property
    def coding(self) -> Coding:
        """The numbering of moves and the planes of observations."""
        return self.numbered.coding

    @property
    def game(self) -> ResearchGame:
        return ResearchGame(self.rules.game)

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

    def play(self, *moves: str) -> ResearchPosition:
        """Return the position after one move or more, written as people do.

        Raises:
            UnreadableMove, IllegalMove: With a hint that names a legal move.
        """
        position, played = self.rules, list(self.moves)
        for move in moves:
            ruling = judge(position, move)
            position = ruling.position
            played.append(ruling.text)
        return ResearchPosition(NumberedPosition(position, self.coding), tuple(played))

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
        """Return the position in words."""
        return drawing.describe(self.rules)

    def svg(self, *, is_dark: bool = False) -> str:
        """Draw the board as an SVG document."""
        return svg(drawing.scene(self.rules), DARK if is_dark else LIGHT)

    def png(self, width: int = 600) -> bytes:
        """Draw the board as a PNG picture so many pixels wide."""
        return png(self.svg(), width)

    def actions(self) -> dict[int, str]:
        """Return the legal moves by their numbers, lowest first: see docs/research.md."""
        return {number: self.action_text(number) for number in self.action_numbers()}

    def action_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the legal moves, lowest first."""
        return tuple(self.numbered.action_numbers())

    def action_text(self, action: int) -> str:
        """Write the legal move of a number as players do.

        Raises:
            IllegalMove: It is no legal move here.
        """
        return self.rules.format(self.numbered.move_of(action))

    def play_action(self, action: int) -> ResearchPosition:
        """Return the position after the move of a number.

        Raises:
            IllegalMove: It is no legal move here.
        """
        text = self.action_text(action)
        return ResearchPosition(self.numbered.play_action(action), (*self.moves, text))

    def observation(self) -> Planes:
        """Return the position as numbers: an array of planes, rows and columns.

        Raises:
            UserError: A plug-in game that has no planes.
        """
        return observe(self.rules, self.coding)

    def __deepcopy__(self, memo: dict[int, object]) -> ResearchPosition:
        return self  # It never changes, and libraries copy it with every state.

    def __hash__(self) -> int:
        try:
            return hash(self.rules)
        except TypeError:  # the rules of a plug-in may keep stones in a dict
            return hash((self.seat, frozenset(self.rules.legal_moves())))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"sarsen.load({self.game.info.name!r}).read({self.write()!r})"

    def _repr_svg_(self) -> str:
        return self.svg()


# Of a game that knows no bound; a random game of Gyges takes 100 to 900 plies.
USUAL = 1000
MOST = 1_000_000  # a game that never ends ends at some time; longer is a slip


def most_plies(start: ResearchPosition, wished: int | None) -> int:
    """Return how many plies a game may have at most.

    Args:
        wished: None or 0 for what the game needs.

    Raises:
        UserError: No game can have so many.
    """
    needed = start.coding.longest or USUAL
    if not wished:
        return needed
    if not 0 < wished <= MOST:
        raise UserError(
            f"A game has 1 to {MOST} plies, not {wished}.",
            code="most-plies",
            hint=f"most_plies={needed}",
        )
    return wished


def observe(position: AnyPosition, coding: Coding) -> Planes:
    """Return the planes of a position, of shape `coding.shape`.

    Raises:
        UserError: The coding has no planes.
    """
    import numpy as np

    check_planes(position, coding)
    planes = np.zeros(coding.shape, np.float32)
    _mark(planes, position, coding)
    return planes


def fill(planes: Planes, position: AnyPosition, coding: Coding) -> None:
    """Write the planes of a position into an array of the right shape."""
    check_planes(position, coding)
    planes.fill(0)
    _mark(planes, position, coding)


def _mark(planes: Planes, position: AnyPosition, coding: Coding) -> None:
    """Write what is not 0 on the planes of a position."""
    for plane, row, column, value in coding.marks(position):
        planes[plane, row, column] = value
    levels = (*coding.level(position), position.seat)
    for plane, value in enumerate(levels, start=len(coding.planes)):
        if value:
            planes[plane] = value


def check_planes(position: AnyPosition, coding: Coding) -> None:
    """Refuse a game that has no planes."""
    if not coding.planes:
        title = position.game.info.title
        raise UserError(
            f"{title} has no planes: its package has no module `coding`.",
            code="no-planes",
            hint="docs/research.md shows how to write one.",
        )


def png(svg: str, width: int) -> bytes:
    """Draw an SVG document as PNG on its own paper."""
    # Not above: programs that only play need no painter.
    import font_source_sans_pro
    import resvg_py

    fonts = Path(font_source_sans_pro.font_directory)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background=LIGHT["paper"],
        skip_system_fonts=True,
        # Named one by one: without its fonts the library leaves texts out in silence.
        font_files=[str(fonts / f"SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")],
        font_family="Source Sans Pro",
        sans_serif_family="Source Sans Pro",
    )
