"""Run the rules and views of plug-ins in processes of their own.

A plug-in may be anybody's, and its rules may loop for ever. A process that answers many people
therefore never runs them itself: a `PluginGame` passes each question to a child process, which
the system ends when the answer takes more than `WORK_SECONDS` of its processor time. Positions
are passed as written lines, moves as their full texts. The games of this package are not
isolated: their loops end.
"""

from __future__ import annotations

import importlib
import logging
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import ModuleType, SimpleNamespace
from typing import Any

from sarsen.core.errors import PluginFailure, UserError
from sarsen.core.game import AnyPosition, Game, GameInfo, Outcome
from sarsen.core.options import Value
from sarsen.drawing.scene import Scene, Shape
from sarsen.drawing.view import ViewWithRoles, register, registered, view_of

WORK_SECONDS = 10.0  # of the child's processor, for one question
WAIT_SECONDS = 300.0  # for one answer, by the clock: a child may also sleep
MOST_REMEMBERED = 500  # positions in a child
_CHILD = "import sys; from sarsen.games.isolation import serve; serve(*sys.argv[1:])"
# Of a view; whichever it has are passed on.
_DRAWINGS = ("text", "scene", "describe", "cells", "compact_text", "plan")
_POINTING = ("clicks", "prompts", "landings", "presets")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _State:
    """The facts of a position, as the child found them.

    Attributes:
        line, effects: Name the position in every question.
    """

    line: str
    effects: tuple[str, ...]
    options: dict[str, Value] = field(compare=False)
    seat: int = field(compare=False)
    sides: tuple[str, ...] = field(compare=False)
    outcome: Outcome | None = field(compare=False)


@dataclass(frozen=True)
class PluginPosition:
    """A position of a plug-in's game; a move of it is its text in full form."""

    game: PluginGame
    _state: _State

    @property
    def options(self) -> Mapping[str, Value]:
        return self._state.options

    @property
    def seat(self) -> int:
        return self._state.seat

    @property
    def sides(self) -> tuple[str, ...]:
        return self._state.sides

    def outcome(self) -> Outcome | None:
        """Return how the game ended; see `core.game.Position`."""
        return self._state.outcome

    def effects(self) -> tuple[str, ...]:
        """Return what the last move caused."""
        return self._state.effects

    def write(self) -> str:
        """Return the position as one line."""
        return self._state.line

    def legal_moves(self) -> Sequence[str]:
        """List the moves."""
        return self._legal_moves

    @cached_property
    def _legal_moves(self) -> tuple[str, ...]:
        moves: tuple[str, ...] = self.ask("legal_moves")
        return moves

    def play(self, move: str) -> PluginPosition:
        """Return the position after a move."""
        return PluginPosition(self.game, self.ask("play", move))

    def parse(self, text: str) -> str:
        """Read a move."""
        move: str = self.ask("parse", text)
        return move

    def format(self, move: str) -> str:
        """Return a move as it is."""
        return move

    def ask(self, question: str, *arguments: object) -> Any:
        """Ask the child about this position."""
        return self.game.ask(question, self._state.line, self._state.effects, *arguments)


@dataclass(frozen=True, eq=False)
class PluginGame:
    """A plug-in's game whose rules run in child processes, one for each question at a time."""

    info: GameInfo
    _module: str
    _idle: list[_Child] = field(default_factory=list, repr=False)

    def start(self, options: str | Mapping[str, object] = "") -> PluginPosition:
        """Return the first position."""
        return PluginPosition(self, self.ask("start", options))

    def read(self, line: str) -> PluginPosition:
        """Read a written position."""
        return PluginPosition(self, self.ask("read", line))

    def ask(self, *question: Any) -> Any:
        """Ask an idle child, or a new one.

        Raises:
            UserError: The rules refuse it.
            PluginFailure: They raised something else, or did not end; the child is then gone.
        """
        child = self._take_child()
        try:
            is_answer, answer = child.ask(question)
        except (OSError, EOFError):
            child.end()
            log.error("stopped, because it did not end: %s of %s", question[0], self._module)
            raise PluginFailure(f"{question[0]} of {self.info.name} did not end") from None
        except BaseException:
            child.end()  # its answer may still be on the way
            raise
        self._idle.append(child)
        if is_answer:
            return answer
        if isinstance(answer, str):
            log.error("the plug-in %s raised:\n%s", self._module, answer)
            raise PluginFailure(f"{question[0]} of {self.info.name} raised an exception")
        kind, arguments, attributes = answer
        refusal: UserError = kind.__new__(kind)
        refusal.args = arguments
        vars(refusal).update(attributes)
        raise refusal

    def _take_child(self) -> _Child:
        """Return an idle child that lives, or a new one."""
        while True:
            try:
                child = self._idle.pop()  # atomic: no two threads get the same
            except IndexError:
                return _Child(self._module)
            if child.is_alive:
                return child
            child.end()


class _Child:
    """A process that runs the rules of one plug-in; it ends when its parent does."""

    def __init__(self, module: str) -> None:
        self._link, far = Pipe()
        with far:
            self._process = subprocess.Popen(  # noqa: S603 (our own words)
                [sys.executable, "-c", _CHILD, module, str(far.fileno()), str(WORK_SECONDS)],
                stdin=subprocess.DEVNULL,
                pass_fds=[far.fileno()],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: tuple[Any, ...]) -> Any:
        """Return whether there is an answer, and the answer or what was raised.

        Raises:
            OSError, EOFError: The child has ended, or does not answer.
        """
        self._link.send(question)
        if not self._link.poll(WAIT_SECONDS):
            raise TimeoutError
        return self._link.recv()

    def end(self) -> None:
        """Kill the process."""
        self._link.close()
        self._process.kill()
        self._process.wait()


def isolated(module: ModuleType) -> ModuleType:
    """Return a stand-in for the module of a plug-in, and register one for its view."""
    game = PluginGame(module.GAME.info, module.__name__)
    view = registered(game.info.name)
    # Attributes, not methods: what a view can do shows in those it has.
    names = [name for name in (*_DRAWINGS, *_POINTING) if hasattr(view, name)]
    if view is not None:
        drawn = SimpleNamespace(**{name: partial(_draw, name) for name in names})
        if isinstance(view, ViewWithRoles):
            drawn.roles = view.roles
        register(game.info.name, drawn)
    stand_in = ModuleType(module.__name__)
    stand_in.GAME = game  # type: ignore[attr-defined]
    return stand_in


def _draw(method: str, position: PluginPosition, *arguments: Any, **keywords: Any) -> Any:
    drawing = position.ask("view", method, arguments, keywords)
    if not isinstance(drawing, Scene):
        return drawing
    # Shapes are remembered by what they are: a plug-in's lists become the tuples they should be.
    return replace(drawing, shapes=tuple(map(_with_tuples, drawing.shapes)))


def _with_tuples(shape: Shape) -> Shape:
    values = {
        attribute.name: _as_tuple(getattr(shape, attribute.name)) for attribute in fields(shape)
    }
    return replace(shape, **values)


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list | tuple) else value


def serve(module: str, handle: str, seconds: str) -> None:
    """Answer questions about a plug-in's game until the parent is gone; the child's main function.

    Args:
        handle: The file descriptor of the pipe to the parent.
        seconds: Processor time of this process after which the system ends it.
    """
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)  # the parent may still finish a request
    rules = _Rules(importlib.import_module(module).GAME)
    with Connection(int(handle)) as link:
        while True:
            try:
                question, *arguments = link.recv()
            except EOFError:
                return
            # Not handled by Python, where the rules could catch it: SIGPROF ends the process.
            signal.setitimer(signal.ITIMER_PROF, float(seconds))
            try:
                link.send((True, getattr(rules, question)(*arguments)))
            except UserError as refusal:
                link.send((False, (type(refusal), refusal.args, vars(refusal))))
            except Exception:
                # The outermost function of this process: the parent raises and logs it.
                link.send((False, traceback.format_exc()))
            signal.setitimer(signal.ITIMER_PROF, 0)


class _Rules:
    """The rules and the view of one game, asked by written positions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._recent: dict[tuple[str, tuple[str, ...]], AnyPosition] = {}

    def start(self, options: str | Mapping[str, object]) -> _State:
        return self._kept(self._game.start(options))

    def read(self, line: str) -> _State:
        return self._kept(self._game.read(line))

    def play(self, line: str, effects: tuple[str, ...], move: str) -> _State:
        position = self._position(line, effects)
        return self._kept(position.play(position.parse(move)))

    def parse(self, line: str, effects: tuple[str, ...], text: str) -> str:
        position = self._position(line, effects)
        return position.format(position.parse(text))

    def legal_moves(self, line: str, effects: tuple[str, ...]) -> tuple[str, ...]:
        position = self._position(line, effects)
        return tuple(position.format(move) for move in position.legal_moves())

    def view(
        self,
        line: str,
        effects: tuple[str, ...],
        method: str,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        position = self._position(line, effects)
        if method == "clicks":
            arguments = (position.parse(arguments[0]),)
        return getattr(view_of(position), method)(position, *arguments, **keywords)

    def _position(self, line: str, effects: tuple[str, ...]) -> AnyPosition:
        return self._recent.get((line, effects)) or self._game.read(line)

    def _kept(self, position: AnyPosition) -> _State:
        """Return the facts of a position, and remember it with all that its line leaves out."""
        line, effects = position.write(), position.effects()
        if len(self._recent) >= MOST_REMEMBERED:
            del self._recent[next(iter(self._recent))]
        self._recent[line, effects] = position
        return _State(
            line,
            effects,
            dict(position.options),
            position.seat,
            position.sides,
            position.outcome(),
        )
