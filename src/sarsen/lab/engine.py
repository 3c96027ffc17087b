"""`sarsen engine`: a bot that speaks the engine protocol on standard input and output."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from sarsen import __version__, drawing
from sarsen.core.errors import IllegalMove, UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.referee import judge
from sarsen.lab.protocol import (
    MAX_LINE,
    RESIGN,
    VERSION,
    EngineCommand,
    failure,
    read_command,
    read_seat,
    refusal_text,
    success,
)
from sarsen.search.bots import Bot
from sarsen.search.thought import Budget, Thought, gives_up

MOVES_AHEAD = 30  # the time left is spread over so many moves when nothing says otherwise
SHARE = 0.9  # of a stretch of time; the rest is for the way there and back
LEAST = 0.01  # seconds: with less a search has no move to name

_SECONDS = re.compile(r"[0-9]{1,8}(?:\.[0-9]{1,6})?", re.ASCII)


@dataclass(frozen=True)
class Clock:
    """The time limits received; `budget` is None before the first.

    Attributes:
        main: Seconds for the whole game, before the stretches.
        stretch, stretch_moves: Then so many seconds for so many moves, again and again.
        left: By seat, the seconds and the moves that they are for; 0 moves for the rest.
    """

    main: float = 0.0
    stretch: float = 0.0
    stretch_moves: int = 0
    left: tuple[tuple[int, float, int], ...] = ()

    @classmethod
    def read_settings(cls, words: Sequence[str]) -> Clock:
        """Read `time_settings MAIN STRETCH MOVES`.

        Raises:
            UserError: These are not three numbers.
        """
        main, stretch, moves = _numbers(words, 3, "time_settings 0 5 1")
        if stretch and int(moves) == 0:  # the protocol's way to say that there is no limit
            return cls()
        return cls(main, stretch, int(moves))

    def with_time_left(self, seat: int, words: Sequence[str]) -> Clock:
        """Read the end of `time_left SEAT SECONDS MOVES`.

        Raises:
            UserError: These are not two numbers.
        """
        seconds, moves = _numbers(words, 2, "time_left 1 60 0")
        others = tuple(entry for entry in self.left if entry[0] != seat)
        return replace(self, left=(*others, (seat, seconds, int(moves))))

    def after(self, seat: int, seconds: float) -> Clock:
        """Subtract the time of a move from what its seat has left."""
        left_by_seat = {other: (left, moves) for other, left, moves in self.left}
        if seat not in left_by_seat and not self.main:
            return self
        left, moves = left_by_seat.get(seat, (self.main, 0))
        left_by_seat[seat] = (max(0.0, left - seconds) if moves != 1 else 0.0, max(0, moves - 1))
        return replace(
            self, left=tuple((other, *time_left) for other, time_left in left_by_seat.items())
        )

    def budget(self, seat: int) -> Budget | None:
        """Return how long a seat may think about its next move."""
        for other, seconds, moves in self.left:
            if other == seat and (seconds or not self.stretch):
                return _budget(seconds / (moves or MOVES_AHEAD))
            if other == seat:
                return _budget(self.stretch / self.stretch_moves)
        if self.main:
            return _budget(self.main / MOVES_AHEAD)
        if self.stretch:
            return _budget(self.stretch / self.stretch_moves)
        return None


def _budget(seconds: float) -> Budget:
    return Budget(seconds=max(LEAST, SHARE * seconds))


def _numbers(words: Sequence[str], count: int, example: str) -> list[float]:
    if len(words) != count or not all(_SECONDS.fullmatch(word) for word in words):
        raise UserError(f"{count} numbers are needed.", code="unreadable-time", hint=example)
    return [float(word) for word in words]


_log = logging.getLogger(__name__)


@dataclass
class Engine:
    """One game as it is played, and the bot that finds moves in it.

    Attributes:
        budget: What was asked for at the start, before anything told of the clocks; None
            for the level's own.
        seed: With a budget in nodes, the same seed gives the same moves.
    """

    game: Game
    options: str
    bot: Bot
    budget: Budget | None = None
    seed: int = 0
    path: list[AnyPosition] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    is_over: bool = False

    def __post_init__(self) -> None:
        self.path = [self.game.start(self.options)]

    @property
    def position(self) -> AnyPosition:
        """The position on the board now."""
        return self.path[-1]

    def answer(self, line: str) -> str:
        """Perform a command line and return the answer; "" for an empty line."""
        if len(line) > MAX_LINE:
            return failure(EngineCommand("", "", ""), f"a line has at most {MAX_LINE} characters")
        command = read_command(line)
        if command is None:
            return ""
        perform = _COMMANDS.get(command.name)
        if perform is None:
            return failure(command, "unknown command")
        try:
            return success(command, perform(self, command))
        except UserError as refusal:
            return failure(command, refusal_text(refusal))
        except Exception as defect:  # whatever it is, the other commands go on
            _log.exception("the command %s failed", command.name)
            return failure(command, f"internal error: {type(defect).__name__}")

    def clear(self, options: str) -> None:
        """Begin a game anew; with options refused, the old one stays."""
        start = self.game.start(options)
        self.options, self.path, self.texts = options, [start], []

    def move(self, seat: int, text: str) -> str:
        """Play a move of a seat, and give its full form."""
        self.require_turn(seat)
        ruling = judge(self.position, text)
        self.path.append(ruling.position)
        self.texts.append(ruling.text)
        return ruling.text

    def think(self, seat: int) -> Thought:
        """Find a move for a seat."""
        self.require_turn(seat)
        # The ply is in the seed: two equal positions of one game need not be played alike.
        chance = random.Random(f"{self.seed} {len(self.texts)}")
        budget = self.budget or self.clock.budget(seat)
        begun = time.monotonic()
        thought = self.bot.think(self.position, seed=chance.getrandbits(32), budget=budget)
        self.clock = self.clock.after(seat, time.monotonic() - begun)
        return thought

    def require_turn(self, seat: int) -> None:
        """Refuse a seat that is not to move."""
        outcome = self.position.outcome()
        if outcome is not None:
            raise IllegalMove(f"The game is over: {outcome.reason}", code="game-over")
        if self.position.seat != seat:
            names = self.game.info.seats
            raise IllegalMove(
                f"It is the turn of {names[self.position.seat]}, not of {names[seat]}.",
                code="not-your-turn",
                hint=f"genmove {names[self.position.seat]}",
            )


def speak(engine: Engine, commands: BinaryIO, answers: BinaryIO) -> None:
    """Answer commands until `quit` or the end of the input."""
    while not engine.is_over and (line := _next_line(commands)) is not None:
        answer = engine.answer(line)
        if answer:
            answers.write(answer.encode())
            answers.flush()


def _next_line(commands: BinaryIO) -> str | None:
    """Read a line whatever its bytes; of one that is too long only so much is left."""
    raw = commands.readline(MAX_LINE + 2)
    if not raw:
        return None
    chunk, is_cut = raw, False
    while not chunk.endswith(b"\n") and (chunk := commands.readline(MAX_LINE)):
        is_cut = True
    if is_cut:
        # Few characters may be many bytes, and half a command must not be obeyed.
        return "?" * (MAX_LINE + 1)
    # Bytes that are no text make a command that is refused, like any other odd word.
    return raw.decode(errors="replace").rstrip("\r\n")


def _set_options(engine: Engine, command: EngineCommand) -> str:
    engine.clear(command.arguments)
    return ""


def _clear_board(engine: Engine, command: EngineCommand) -> str:
    engine.clear(engine.options)
    return ""


def _play(engine: Engine, command: EngineCommand) -> str:
    word, _, text = command.arguments.partition(" ")
    seat = read_seat(engine.game.info, word)
    if not text.strip():
        raise UserError("A seat and a move are needed.", code="no-move", hint="play SEAT MOVE")
    engine.move(seat, text.strip())
    return ""


def _genmove(engine: Engine, command: EngineCommand) -> str:
    seat = read_seat(engine.game.info, command.arguments)
    thought = engine.think(seat)
    if gives_up(engine.bot.level, thought):
        return RESIGN
    return engine.move(seat, engine.position.format(thought.move))


def _reg_genmove(engine: Engine, command: EngineCommand) -> str:
    thought = engine.think(read_seat(engine.game.info, command.arguments))
    is_lost = gives_up(engine.bot.level, thought)
    return RESIGN if is_lost else engine.position.format(thought.move)


def _undo(engine: Engine, command: EngineCommand) -> str:
    if not engine.texts:
        raise UserError("cannot undo: no move was played", code="nothing-to-undo")
    engine.path.pop()
    engine.texts.pop()
    return ""


def _showboard(engine: Engine, command: EngineCommand) -> str:
    position = engine.position
    return f"\n{drawing.text(position)}\n{_standing(position)}"


def _legal_moves(engine: Engine, command: EngineCommand) -> str:
    position = engine.position
    return "\n".join(map(position.format, position.legal_moves()))


def _standing(position: AnyPosition) -> str:
    outcome = position.outcome()
    seats = position.game.info.seats
    if outcome is None:
        return f"{seats[position.seat]} moves"
    winner = "draw" if outcome.winner is None else f"{seats[outcome.winner]} wins"
    return f"{winner}: {outcome.reason}"


def _time_settings(engine: Engine, command: EngineCommand) -> str:
    engine.clock = Clock.read_settings(command.words)
    return ""


def _time_left(engine: Engine, command: EngineCommand) -> str:
    seat, *words = command.words or [""]
    engine.clock = engine.clock.with_time_left(read_seat(engine.game.info, seat), words)
    return ""


def _quit(engine: Engine, command: EngineCommand) -> str:
    engine.is_over = True
    return ""


def _options(engine: Engine, command: EngineCommand) -> str:
    values = engine.position.options.items()
    return "\n".join(f"{name} {str(value).lower()}" for name, value in values)


_COMMANDS: dict[str, Callable[[Engine, EngineCommand], str]] = {
    "protocol_version": lambda engine, command: str(VERSION),
    "name": lambda engine, command: f"sarsen {engine.game.info.name} {engine.bot.name}",
    "version": lambda engine, command: __version__,
    "list_commands": lambda engine, command: "\n".join(_COMMANDS),
    "known_command": lambda engine, command: str(command.arguments.lower() in _COMMANDS).lower(),
    "quit": _quit,
    "options": _options,
    "set_options": _set_options,
    "clear_board": _clear_board,
    "play": _play,
    "genmove": _genmove,
    "reg_genmove": _reg_genmove,
    "undo": _undo,
    "showboard": _showboard,
    "moves": lambda engine, command: "\n".join(engine.texts),
    "legal_moves": _legal_moves,
    "result": lambda engine, command: _standing(engine.position),
    "time_settings": _time_settings,
    "time_left": _time_left,
}
