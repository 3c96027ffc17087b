"""A game whose rules are broken: at some moves they never end, at others they do harm.

Each move but the first is one way to do so.
"""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from sarsen.core.errors import UnreadableMove, UserError
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Value

MUCH = 2 * 1024**3  # bytes


def _loop() -> None:
    while True:
        pass


def _catch_and_loop() -> None:
    while True:
        try:
            _loop()
        except ValueError:
            continue


def _raise() -> None:
    raise ZeroDivisionError("the rules are broken")


def _fork(*, moves_away: bool = False) -> None:
    if os.fork() == 0:
        if moves_away:
            os.setsid()
        _loop()


def _leave_many() -> None:
    for _ in range(20):
        subprocess.Popen(["sleep", "3600"], start_new_session=True)


def _print() -> None:
    for file in (sys.stdout, sys.stderr):
        for _ in range(58):
            file.write("x" * 1_000_000)
        file.flush()


def _pipe() -> int:
    return int(sys.argv[2])  # as `isolation.process` tells the process


HARM: dict[str, Callable[[], object]] = {
    "loop": _loop,
    "stubborn": _catch_and_loop,
    "wait": threading.Event().wait,
    "raise": _raise,
    "leave": sys.exit,
    "fork": _fork,
    "daemon": lambda: _fork(moves_away=True),
    "orphan": lambda: _fork(moves_away=True) or os._exit(3),
    "signal": lambda: os.kill(os.getpid(), signal.SIGRTMIN + 3),
    "many": _leave_many,
    "print": _print,
    "memory": lambda: bytearray(MUCH),
    "close": lambda: os.close(_pipe()) or _loop(),
    "garbage": lambda: os.write(_pipe(), struct.pack("!i", 7) + b"garbage"),
    "huge": lambda: os.write(_pipe(), struct.pack("!i", 1_000_000_000)) and _loop(),
    "trickle": lambda: os.write(_pipe(), struct.pack("!i", 100) + b"slow") and _loop(),
}
MOVES = ("on", *HARM)


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
        if move in HARM:
            HARM[move]()
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
