"""How long the rules and views of a game take, and whether they sleep."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from sarsen import drawing
from sarsen.lab.checking.report import Measures
from sarsen.lab.checking.walks import Walk

SLOW = 0.2  # seconds of the processor for one call
READ_PLIES = 25  # from one position of a game to the next that is read for its time


class WaitingRules(Exception):
    """A call of the rules sleeps; with the sentence, and the command that shows it."""


def time_calls(game: Walk, measures: Measures) -> None:
    """Time what is asked of each position, so that each ply of each game has been drawn once.

    Raises:
        WaitingRules: A call sleeps: the check would take hours, and so would people's moves.
    """
    for name, call in _calls(game):
        try:
            took, idle = timed(call)
        except Exception as failed:
            failed.add_note(name)
            raise
        if took > measures.slowest[0]:
            measures.slowest = (took, name, game.line())
        if idle > SLOW and (slept := min(sleep_of(call) for _ in range(3))) > SLOW:
            raise WaitingRules(f"`{name}` waits for {slept:.1f} s without working.", game.line())


def _calls(game: Walk) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is timed, by its name; of moves the last one."""
    position = game.position
    yield "legal_moves", position.legal_moves
    yield "outcome", position.outcome
    yield "text", lambda: drawing.text(position)
    yield "scene", lambda: drawing.scene(position)
    yield "describe", lambda: drawing.describe(position)
    if moves := position.legal_moves():
        move, view = moves[-1], drawing.view_of(position)
        text = position.format(move)
        game.note(game.line(text))
        yield "parse", lambda: position.parse(text)
        game.note(game.line())
        yield "play", lambda: game.play(move)
        yield "clicks", lambda: view.clicks(position, move)
    # Many games read by replaying all moves: at each ply that would take most of the time.
    if not moves or len(game.moves) % READ_PLIES == 0:
        yield "read", lambda: position.game.read(position.write())


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of the processor that a call took, and those beside them by the clock."""
    began, by_clock = time.process_time(), time.monotonic()
    call()
    took = time.process_time() - began
    return took, time.monotonic() - by_clock - took


def sleep_of(call: Callable[[], object]) -> float:
    """Return the seconds of a call in which no thread of this process worked or was about to.

    On a busy machine threads stand in line for a processor, this one or another that holds the
    interpreter's lock: that is no sleep. Only Linux tells for how long; elsewhere no sleep of a
    single call is found, and the process of a check that sleeps for a minute is ended.
    """
    queued = _queued_seconds()
    _, idle = timed(call)
    return idle - (_queued_seconds() - queued) if queued else 0.0


def _queued_seconds() -> float:
    """Return for how long the threads of this process have waited for a processor; 0 unknown."""
    total = 0
    for path in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # it has just ended
            total += int(path.read_text(encoding="utf-8").split()[1])
    return total / 1e9
