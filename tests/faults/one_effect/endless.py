"""A game whose rules are broken: at some moves they never end, at others they raise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from sarsen.core.errors import UnreadableMove, UserError
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Value

MOVES = ("on", "loop", "raise", "stubborn")


@dataclass(frozen=True)
class Going:
    """A position: how many moves there were."""

    ply: int = 0

    @property
    def game(self) -> Game:
        return GAME

    @property
    def options(self) -> Mapping[str, Value]:
        return {}

    @property
    def seat(self) -> int:
        return self.ply % 2

    @property
    def sides(self) -> tuple[str, ...]:
        return ("One", "Two")

    def outcome(self) -> Outcome | None:
        return None

    def legal_moves(self) -> Sequence[str]:
        return MOVES

    def play(self, move: str) -> Going:
        while move == "loop":
            pass
        while move == "stubborn":
            try:
                self.play("loop")
            except ValueError:
                continue
        if move == "raise":
            raise ZeroDivisionError("the rules are broken")
        return Going(self.ply + 1)

    def parse(self, text: str) -> str:
        if text not in MOVES:
            raise UnreadableMove(f"{text!r} is no move.", code="endless.unreadable")
        return text

    def format(self, move: str) -> str:
        return move

    def effects(self) -> tuple[str, ...]:
        return ()

    def write(self) -> str:
        return str(self.ply)


@dataclass(frozen=True)
class Endless:
    """Start it."""

    info: GameInfo

    def start(self, options: str | Mapping[str, object] = "") -> Going:
        return Going()

    def read(self, line: str) -> Going:
        if not line.isdigit():
            raise UserError(f"{line!r} is no position.", code="endless.position")
        return Going(int(line))


GAME: Game = Endless(
    GameInfo("endless", "Endless", ("One", "Two"), "nobody", 2026, 1, (), "It never ends.")
)


class Plugin(ModuleType):
    """What an entry point of a plug-in gives."""

    GAME = GAME
