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
    for name, line, call in _calls(game):
        game.note(line)  # each call has its own time
        try:
            took, idle = timed(call)
        except Exception as failed:  # whatever it is, it is raised again, with the name of the call
            failed.add_note(name)
            raise
        if took > measures.slowest[0]:
            measures.slowest = (took, name, game.line())
        if idle > SLOW and (slept := min(sleep_of(call) for _ in range(3))) > SLOW:
            raise WaitingRules(f"`{name}` waits for {slept:.1f} s without working.", game.line())


def _calls(game: Walk) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """Yield what is timed: its name, the command that repeats it, and the call.

    Of moves it is the last one.
    """
    position, here = game.position, game.line()
    yield "legal_moves", here, position.legal_moves
    yield "outcome", here, position.outcome
    yield "text", here, lambda: drawing.text(position)
    yield "scene", here, lambda: drawing.scene(position)
    yield "describe", here, lambda: drawing.describe(position)
    if moves := position.legal_moves():
        move, view = moves[-1], drawing.view_of(position)
        text = position.format(move)
        yield "parse", game.line(text), lambda: position.parse(text)
        yield "play", here, lambda: game.play(move)
        yield "clicks", here, lambda: view.clicks(position, move)
    # Many games read by replaying all moves: at each ply that would take most of the time.
    if not moves or len(game.moves) % READ_PLIES == 0:
        yield "read", here, lambda: position.game.read(position.write())


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
