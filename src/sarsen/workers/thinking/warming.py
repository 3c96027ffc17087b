"""Get the searches ready: compile at a first start what is not on the disk.

That is done in children of low priority, which end when they are done and take their memory
with them. What is being played comes first, and before that what somebody waits for. This
process loads Numba when it thinks for the first time.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import structlog
from django.db import Error, close_old_connections, connections

from sarsen.games import load, names
from sarsen.search.bots import SEATS, has_compiler
from sarsen.services.bots.due_boards import games_in_play, games_waiting, note_warming
from sarsen.workers.thinking.work import WorkQueue

WANTED, UNHURRIED = 5, 19  # of nice, for what somebody waits for, and for the rest
# Seconds between looks whether something else is waited for: compiling takes minutes.
LOOK_EVERY = 1.0
MAX_FAILURES = 3  # of the child for one game; then it is played in pure Python
WAIT_AFTER_FAILURE = 10.0  # seconds, longer each time: too little memory may pass
_COMPILER = (sys.executable, "-m", "sarsen.search")
log = structlog.get_logger()


@dataclass
class Warming:
    """Get one game after another ready, and note in the queue which are."""

    queue: WorkQueue
    _compiled: set[str] = field(default_factory=set)
    _failures: dict[str, int] = field(default_factory=dict)

    def tell(self) -> None:
        """Pass the state on to the other processes and to the threads that wait for boards."""
        note_warming(self.queue.searches.warming, self.queue.searches.missing)
        self.queue.look_again()

    def run(self) -> None:
        """Get everything ready; a thread's outermost function."""
        try:
            if has_compiler():
                self._run()
            elif self.queue.searches.warming:
                log.info("Numba is not installed: levels 1 to 4 are played in pure Python")
                self._give_up(*self.queue.searches.warming)
        except Exception:
            # Bots play as without Numba then; a thread that just ended would keep them waiting.
            log.exception("the searches could not be prepared")
            self._give_up(*self.queue.searches.warming)
        finally:
            connections.close_all()

    def _run(self) -> None:
        parts = None
        while parts is None:
            if self.queue.is_closed or not self.queue.searches.warming:
                return
            parts = self._parts_to_compile()
        self._note_ready(*(game for game in parts if not parts[game]))
        while (waiting := self.queue.searches.warming) and not self.queue.is_closed:
            game = self._next(waiting)
            if self._compile(game, parts[game]):
                self._note_ready(game)
        if not self.queue.is_closed and self._compile("", parts[""]):
            log.info("all searches are compiled")

    def _parts_to_compile(self) -> dict[str, list[str]] | None:
        """Ask a child process, where alone Numba is loaded, what each game has to compile."""
        words = [*_COMPILER, "--nice", str(WANTED), "--missing"]
        with subprocess.Popen(  # noqa: S603 (our own words)
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            output = child.stdout.read()
            status = child.wait()
        if status:
            self._note_end("", status)
            return None
        parts: dict[str, list[str]] = json.loads(output)
        return parts

    def _note_ready(self, *games: str) -> None:
        searches = self.queue.searches
        self.queue.searches = replace(searches, warming=searches.warming - {*games})
        self.tell()

    def _next(self, waiting: frozenset[str]) -> str:
        """Choose the game to get ready next."""
        ranked = (*self._wanted(waiting), *self._played(waiting), *sorted(waiting))
        # One that has just failed comes after the others.
        return min(ranked, key=lambda game: self._failures.get(game, 0))

    def _compile(self, game: str, parts: list[str]) -> bool:
        """Compile some modules; False when that failed, or gave way to another game."""
        began = time.monotonic()
        is_wanted = game in self._wanted({game})
        log.info("a search is being compiled", game=game or "all", is_waited_for=is_wanted)
        for part in parts:
            # Each in a child of its own: memory is never needed for two of them.
            if part not in self._compiled:
                if not self._compile_part(game, part, is_wanted=is_wanted):
                    return False
                self._compiled.add(part)
        log.info("a search is compiled", game=game, seconds=round(time.monotonic() - began, 1))
        return True

    def _compile_part(self, game: str, part: str, *, is_wanted: bool) -> bool:
        nice = WANTED if is_wanted else UNHURRIED
        words = [*_COMPILER, "--nice", str(nice), part]
        with subprocess.Popen(words, stdin=subprocess.PIPE) as child:  # noqa: S603 (our own words)
            while (status := _status(child, LOOK_EVERY)) is None:
                if self.queue.is_closed or (not is_wanted and self._is_another_urgent(game)):
                    child.kill()
                    # What it has compiled so far is on the disk.
                    return False
        if status:
            self._note_end(game, status)
        return status == 0

    def _note_end(self, game: str, status: int) -> None:
        """Log why a child did not do its work, and wait before the next one."""
        if status == -signal.SIGTERM:  # a shutdown ends all processes of the group at once
            log.info("compiling a search was stopped", game=game or "all")
            self.queue.closed.wait(LOOK_EVERY)
            return
        failures = self._failures[game] = self._failures.get(game, 0) + 1
        log.error(
            "compiling a search failed",
            game=game,
            status=status,
            hint="is there too little memory? SARSEN_BOTS=off does without"
            if status in (-signal.SIGKILL, -signal.SIGABRT)
            else "",
        )
        if failures >= MAX_FAILURES:  # too little memory, mostly, and that does not change
            self._give_up(*([game] if game else self.queue.searches.warming))
            return
        self.queue.closed.wait(WAIT_AFTER_FAILURE * 2**failures)

    def _give_up(self, *games: str) -> None:
        """Play some games in pure Python until the server starts anew."""
        searches = self.queue.searches
        self.queue.searches = replace(
            searches, warming=searches.warming - {*games}, missing=searches.missing | {*games}
        )
        self.tell()

    def _is_another_urgent(self, game: str) -> bool:
        """Return whether somebody waits for a game that `_next` would choose before this one."""
        failures = self._failures.get(game, 0)
        waiting_games = self._wanted(self.queue.searches.warming)
        return any(self._failures.get(other, 0) <= failures for other in waiting_games)

    def _wanted(self, games: frozenset[str] | set[str]) -> list[str]:
        return _query(lambda: games_waiting(games))

    def _played(self, games: frozenset[str] | set[str]) -> list[str]:
        return _query(lambda: games_in_play(games))


def games_with_programs() -> frozenset[str]:
    """Return the names of the games that programs can play."""
    return frozenset(name for name in names() if len(load(name).info.seats) == SEATS)


def _status(child: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Wait for the end of a child, so long at most; None when it still runs."""
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def _query(ask: Callable[[], list[str]]) -> list[str]:
    """Query the database; return nothing while it is out of reach."""
    try:
        close_old_connections()
        return ask()
    except Error:
        return []
