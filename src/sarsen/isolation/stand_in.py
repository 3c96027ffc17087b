"""Stand in for the games of plug-ins: each question is asked of a process of its own.

A plug-in may be anybody's, and its rules may loop for ever. A process that answers many people
therefore never runs them itself: a `PluginGame` passes each question on. Positions are passed as
written lines, moves as their full texts. The games of this package are not isolated: their loops
end.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from types import ModuleType, SimpleNamespace
from typing import Any

from sarsen.core.errors import PluginBusy, PluginFailure, PluginTooSlow, UserError
from sarsen.core.game import GameInfo, Outcome
from sarsen.core.options import Value
from sarsen.drawing.scene import Scene, Shape
from sarsen.drawing.view import members_of, register, registered
from sarsen.isolation.allowance import Allowance, Turn, allowance_in_force
from sarsen.isolation.process import PluginProcess, ProcessLost
from sarsen.isolation.rules import State

# Of a view; whichever it has are passed on.
_DRAWINGS = ("text", "scene", "describe", "cells", "compact_text", "bare_text", "plan")
_POINTING = ("clicks", "prompts", "landings", "presets")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PluginPosition:
    """A position of a plug-in's game; a move of it is its text in full form."""

    game: PluginGame
    _state: State

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
    """A plug-in's game whose rules run in a process of their own, one question at a time.

    Attributes:
        _processes: The one that answers, while there is one.
    """

    info: GameInfo
    _module: str
    _turn: Turn = field(repr=False)
    _processes: list[PluginProcess] = field(default_factory=list, repr=False)

    def start(self, options: str | Mapping[str, object] = "") -> PluginPosition:
        """Return the first position."""
        return PluginPosition(self, self.ask("start", options))

    def read(self, line: str) -> PluginPosition:
        """Read a written position."""
        return PluginPosition(self, self.ask("read", line))

    def ask(self, *question: Any) -> Any:
        """Ask the process of the plug-in.

        Raises:
            UserError: The rules refuse it.
            PluginBusy: They were not asked: others are being asked, or they have just been loaded.
            PluginTooSlow: They did not answer in time; the process is then gone.
            PluginFailure: They raised something else, or their process ended.
        """
        allowance = allowance_in_force()
        seconds = allowance.begin()
        with self._turn.taken():
            began = time.monotonic()
            try:
                is_answer, answer = self._ask_process(question, seconds, allowance)
            finally:
                allowance.used += time.monotonic() - began
        if is_answer:
            return answer
        raise self._raised(question[0], answer)

    def _ask_process(
        self, question: tuple[Any, ...], seconds: float, allowance: Allowance
    ) -> tuple[bool, Any]:
        process = self._living_process()
        try:
            began = time.monotonic()
            is_ready = process.await_start(allowance.start_within(seconds))
            seconds = allowance.after_start(seconds, time.monotonic() - began)
            if not is_ready or seconds <= 0:
                raise PluginBusy(f"{self.info.name} is being loaded")
            found = process.ask(question, seconds)
        except PluginBusy:
            raise  # its process goes on loading, for the next question
        except TimeoutError:
            self._end_process()
            log.error("stopped, because it did not end: %s of %s", question[0], self._module)
            raise PluginTooSlow(f"{question[0]} of {self.info.name} did not end") from None
        except ProcessLost as lost:
            self._end_process()
            log.error("the process of the plug-in %s was lost: %s", self._module, lost)
            raise PluginFailure(f"{question[0]} of {self.info.name} has no answer") from None
        except BaseException:
            self._end_process()  # its answer may still be on the way
            raise
        if process.has_left_processes():
            self._end_process()
            log.error("the plug-in %s left processes behind, which were ended", self._module)
        return found

    def _raised(self, question: str, raised: Any) -> Exception:
        """Return the exception for what was raised instead of an answer."""
        if isinstance(raised, str):
            log.error("the plug-in %s raised:\n%s", self._module, raised)
            return PluginFailure(f"{question} of {self.info.name} raised an exception")
        kind, arguments, attributes = raised
        refusal: UserError = kind.__new__(kind)
        refusal.args = arguments
        vars(refusal).update(attributes)
        return refusal

    def _living_process(self) -> PluginProcess:
        if self._processes and not self._processes[0].is_alive:
            self._end_process()
        if not self._processes:
            self._processes.append(PluginProcess(self._module))
        return self._processes[0]

    def _end_process(self) -> None:
        self._processes.pop().end()


def isolated(module: ModuleType, turn: Turn | None = None) -> ModuleType:
    """Return a stand-in for the module of a plug-in, and register one for its view.

    Args:
        turn: The place that all plug-ins have together.
    """
    game = PluginGame(module.GAME.info, module.__name__, turn or Turn())
    view = registered(game.info.name)
    if view is not None:
        # Only what the view brings itself: the defaults need no question to the process.
        names = {*members_of(view)} & {*_DRAWINGS, *_POINTING}
        drawn = {name: partial(_draw, name) for name in names}
        register(game.info.name, SimpleNamespace(**drawn, roles=view.roles))
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
