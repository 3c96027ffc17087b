"""The contract of a game: what a folder in `games/` or a plug-in package provides.

The protocols are structural: a game's classes need not inherit from them.
`tests/games/test_laws.py` holds every game found to the laws stated here.
What a game brings beside its rules is found by `own_module`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, Self, TypeVar

from sarsen.core.options import Option, Value
from sarsen.core.phrases import Phrase

Move = TypeVar("Move")
TESTERS_WANTED = Phrase("It is new, and testers are welcome.")


@dataclass(frozen=True)
class Link:
    """A page elsewhere about a game: its official rules, its author's page.

    Attributes:
        title: What the page is, in words that can be translated.
        address: `https://…` or `http://…`.
    """

    title: str
    address: str


@dataclass(frozen=True)
class GameInfo:
    """The facts about a game that do not change: its name, seats and options.

    Attributes:
        name: The word in commands and addresses, lower-case ASCII letters.
        title: The name as people write it.
        seats: One name a seat, the first to move first; a seat is an index into it.
        author, year: Who made the game, and when.
        rules_version: Counts up whenever a stored match could replay differently.
        options: What a challenge may set.
        summary: One sentence for lists.
        aims: What each side has to do to win, in the order of the seats, as the rest of a
            sentence: `join top and bottom`. Pages say it during the first moves; empty for none.
        quick: Options as typed of a short game, for those who play their first one.
        links: Pages elsewhere about the game.
        rights: Whose the rules are, `© NAME YEAR.`; "" where nobody claims them.
        implementers: Who wrote the rules as a program, for the last lines of the help page.
        wants_testers: Whether its author asks for people to try it; lists and pages say so.
    """

    name: str
    title: str
    seats: tuple[str, ...]
    author: str
    year: int
    rules_version: int
    options: tuple[Option, ...]
    summary: str
    aims: tuple[str, ...] = ()
    quick: str = ""
    links: tuple[Link, ...] = ()
    rights: str = ""
    implementers: tuple[str, ...] = ()
    wants_testers: bool = False

    def aim_of(self, side: str) -> str:
        """Return what a side has to do to win; "" for a game that does not say it."""
        return self.aims[self.seats.index(side)] if self.aims else ""


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    Attributes:
        scores: One a seat, in [0, 1], summing to 1: 1 won, 0 lost, 0.5 drawn.
        reason: One sentence without names of players: `V joined top and bottom.`
    """

    scores: tuple[float, ...]
    reason: str

    @property
    def winner(self) -> int | None:
        """The seat that won alone, or None for a draw."""
        return self.scores.index(1.0) if 1.0 in self.scores else None


class Position(Protocol[Move]):
    """A position with all the history its rules need. Never changes.

    A `Move` is whatever the game likes, as long as it is hashable and compares
    by value. Players only ever see its text.
    """

    @property
    def game(self) -> Game:
        """The game this is a position of."""

    @property
    def options(self) -> Mapping[str, Value]:
        """Every option's value, defaults included."""

    @property
    def seat(self) -> int:
        """The seat to move, an index into `game.info.seats`.

        Ask it after every move: seats need not alternate. Once the game is
        over it is still a valid index, and means nothing.
        """

    @property
    def sides(self) -> tuple[str, ...]:
        """The side each seat plays now: `game.info.seats` until a swap turns it."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it runs."""

    def legal_moves(self) -> Sequence[Move]:
        """List the moves, each distinct resulting position once, in a fixed order.

        Empty exactly when `outcome()` is not None.
        """

    def play(self, move: Move) -> Self:
        """Return the position after a move.

        Raises:
            IllegalMove: The rules forbid it here; the text names the rule.
        """

    def parse(self, text: str) -> Move:
        """Read a move, forgiving case and blanks. The pair of `format`.

        Raises:
            UnreadableMove: Not in the notation; the text quotes the part.
            IllegalMove: Readable, but the rules forbid it here.
        """

    def format(self, move: Move) -> str:
        """Write a legal move in its one full form; `parse(format(m)) == m`."""

    def effects(self) -> tuple[str, ...]:
        """Return a text that says what the last move caused, a sentence each; empty when
        nothing.
        """

    def write(self) -> str:
        """Write everything the rules need as one ASCII line. The pair of `Game.read`."""


AnyPosition = Position[Any]


class Game(Protocol):
    """Start games and read positions."""

    @property
    def info(self) -> GameInfo:
        """The facts about the game."""

    def start(self, options: str | Mapping[str, object] = "") -> AnyPosition:
        """Return the first position.

        Raises:
            BadOption: An option that the game does not have, or out of range.
        """

    def read(self, line: str) -> AnyPosition:
        """Read what `Position.write` wrote.

        Raises:
            UserError: The line is not a position of this game.
        """


def own_module(game: Game, name: str) -> str | None:
    """Return the full name of a module in the package of a game, None when it has none.

    The package is the one in which the game's class is defined; of a `RecordedGame`, the one
    of its `first`. The module is not imported, and no rules run.

    Args:
        name: Within the package: `bot`, `proof.solver`.
    """
    package = package_of(game)
    return _existing(package, name) if package else None


def package_of(game: Game) -> str | None:
    """Return the name of the package of a game; see `own_module`."""
    made_by = getattr(game, "first", type(game))
    return sys.modules[made_by.__module__].__package__


@cache
def _existing(package: str, name: str) -> str | None:
    full = f"{package}.{name}"
    try:
        return full if importlib.util.find_spec(full) is not None else None
    except ModuleNotFoundError:  # a folder on the way is missing
        return None
