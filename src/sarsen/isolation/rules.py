"""Run the rules of a plug-in, and answer questions about them; the main function of its process.

The rules run in a child of that process, which ends with all that they have started."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, Outcome
from sarsen.core.options import Value
from sarsen.drawing.view import view_of
from sarsen.isolation.descendants import end_descendants

MAX_REMEMBERED = 500  # positions in memory, as plug-ins know more than their lines say
# A plug-in with NumPy and Numba that compiles takes up 400 MiB of addresses.
MAX_MEMORY_BYTES = 1024 * 1024 * 1024
# Beyond the time of a question, in which the parent has ended this process: for when the parent has
# died.
GRACE_SECONDS = 5.0
_SET_CHILD_SUBREAPER = 36  # of Linux's prctl


@dataclass(frozen=True)
class State:
    """The facts of a position, as its process found them.

    Attributes:
        line, effects: Name the position in every question.
    """

    line: str
    effects: tuple[str, ...]
    options: dict[str, Value] = field(compare=False)
    seat: int = field(compare=False)
    sides: tuple[str, ...] = field(compare=False)
    outcome: Outcome | None = field(compare=False)


def serve(module: str, handle: str) -> None:
    """Answer questions about a plug-in's game until the parent is gone.

    Args:
        handle: The file descriptor of the pipe to the parent.
    """
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)  # the parent may still finish a request
    _limit_process()
    rules_process = os.fork()
    if rules_process:
        os.close(int(handle))
        _await_end(rules_process)
    with Connection(int(handle)) as link:
        try:
            rules = _Rules(importlib.import_module(module).GAME)
        except Exception:
            # Whatever is wrong with the plug-in, the parent logs it.
            link.send((0, False, traceback.format_exc()))
            return
        link.send((0, True, None))
        while True:
            try:
                number, seconds, question, *arguments = link.recv()
            except EOFError:
                return
            # The parent ends this process in time. If it is gone, the system does, also while the
            # rules wait for something: Python, where they could catch it, does not handle SIGALRM.
            signal.setitimer(signal.ITIMER_REAL, seconds + GRACE_SECONDS)
            link.send_bytes(_answer(rules, number, question, arguments))
            signal.setitimer(signal.ITIMER_REAL, 0)


def _await_end(rules_process: int) -> None:
    """Wait for the process of the rules, end what it leaves behind, and end as it did.

    A process that starts another and exits at once leaves it to its parent, which is this one.
    """
    ended, status = 0, 0
    while ended != rules_process:
        ended, status = os.waitpid(-1, 0)
    end_descendants(os.getpid())
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _answer(rules: _Rules, number: int, question: str, arguments: list[Any]) -> bytes:
    """Return the number of the question, whether there is an answer, and it or what was raised."""
    try:
        return pickle.dumps((number, True, getattr(rules, question)(*arguments)))
    except UserError as refusal:
        with contextlib.suppress(Exception):  # a plug-in's refusal may hold anything
            return pickle.dumps((number, False, (type(refusal), refusal.args, vars(refusal))))
        return pickle.dumps((number, False, traceback.format_exc()))
    except Exception:
        # The outermost function of this process: the parent raises and logs it.
        return pickle.dumps((number, False, traceback.format_exc()))


def _limit_process() -> None:
    """Bound the memory of this process, and have it adopt what its children leave behind."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    is_lower = hard == resource.RLIM_INFINITY or hard > MAX_MEMORY_BYTES
    most = MAX_MEMORY_BYTES if is_lower else hard
    with contextlib.suppress(ValueError, OSError):  # macOS refuses it
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        # So the parent finds them below this process, in whatever session they are.
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class _Rules:
    """The rules and the view of one game, asked by written positions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._recent: dict[tuple[str, tuple[str, ...]], AnyPosition] = {}

    def start(self, options: str | Mapping[str, object]) -> State:
        return self._kept(self._game.start(options))

    def read(self, line: str) -> State:
        return self._kept(self._game.read(line))

    def play(self, line: str, effects: tuple[str, ...], move: str) -> State:
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

    def _kept(self, position: AnyPosition) -> State:
        """Return the facts of a position, and remember it with all that its line leaves out."""
        line, effects = position.write(), position.effects()
        if len(self._recent) >= MAX_REMEMBERED:
            del self._recent[next(iter(self._recent))]
        self._recent[line, effects] = position
        return State(
            line,
            effects,
            dict(position.options),
            position.seat,
            position.sides,
            position.outcome(),
        )
