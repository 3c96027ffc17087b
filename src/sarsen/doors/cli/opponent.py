"""A program at the other side of the terminal; its search is loaded when it first thinks."""

from __future__ import annotations

import secrets
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.cli.arguments import GameArguments
from sarsen.search.bots import LEAST, MOST, Bot, load
from sarsen.search.thought import Budget, Stop, Thought, gives_up

LOOK = 0.05  # seconds between looks whether the thought is there


@dataclass(frozen=True)
class Opponent:
    """A program that plays every seat but one.

    Attributes:
        against: The person's seat.
        budget: None for the level's own.
    """

    bot: Bot
    against: int
    seed: int
    budget: Budget | None

    @property
    def name(self) -> str:
        return self.bot.name

    def answer(self, position: AnyPosition) -> str | None:
        """Return its move, in full form; None when it resigns."""
        thought = _Thinking(self, position).wait()
        if gives_up(self.bot.level, thought):
            return None
        return position.format(thought.move)


def seat_opponent(
    asked: GameArguments, level: int, side: str, seed: int | None, seconds: float | None
) -> Opponent:
    """Let a program sit down.

    Args:
        side: The person's: a number from 1 on, or the beginning of its name.

    Raises:
        UserError: There is no such level, or no such side.
    """
    return Opponent(
        _load(asked, level),
        _seat(asked, side),
        secrets.randbits(32) if seed is None else seed,
        None if seconds is None else Budget(seconds=seconds),
    )


def _load(asked: GameArguments, level: int) -> Bot:
    try:
        return load(level)
    except UserError as refusal:
        nearest = max(LEAST, min(level, MOST))
        hint = f"sarsen play {asked.game.info.name} --bot {nearest}"
        raise UserError(refusal.text, code=refusal.code, hint=hint) from refusal


def _seat(asked: GameArguments, side: str) -> int:
    sides = asked.start().sides
    for seat, name in enumerate(sides):
        if side == str(seat + 1) or name.lower().startswith(side.lower()):
            return seat
    raise UserError(
        f"{asked.game.info.title} has no side {side[:40]!r}; there are: {', '.join(sides)}.",
        code="no-such-side",
        hint=f"--seat {sides[-1]}",
    )


class _Thinking:
    """One thought, in a thread, so that Ctrl-C can ask for its end."""

    def __init__(self, opponent: Opponent, position: AnyPosition) -> None:
        self._opponent = opponent
        self._position = position
        self._stop = Stop()
        self._thought: Thought | None = None
        self._failure: BaseException | None = None

    def wait(self) -> Thought:
        """Show that it thinks, until it has thought; Ctrl-C asks for the move at once."""
        thread = threading.Thread(target=self._think, daemon=True)
        thread.start()
        with _progress(self._opponent.name):
            while thread.is_alive():
                try:
                    thread.join(LOOK)
                except KeyboardInterrupt:
                    if self._stop.is_set():
                        raise
                    self._stop.set()
        if self._failure is not None:
            raise self._failure
        assert self._thought is not None
        return self._thought

    def _think(self) -> None:
        opponent = self._opponent
        try:
            self._thought = opponent.bot.think(
                self._position,
                seed=zlib.crc32(f"{opponent.seed}:{self._position.write()}".encode()),
                budget=opponent.budget,
                stop=self._stop,
            )
        except BaseException as failure:
            self._failure = failure  # for the thread that waits


@contextmanager
def _progress(name: str) -> Iterator[None]:
    # Here, because every other command of the terminal starts sooner without it.
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    text = TextColumn(f"{name} thinks; Ctrl-C asks for its move at once")
    columns = (SpinnerColumn(), text, TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        progress.add_task(name, total=None)
        yield
