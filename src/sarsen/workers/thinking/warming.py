"""Get the searches ready: compile at a first start what is not on the disk, then load it.

Compiling is done in a child of low priority, which ends when it is done and takes its memory
with it. What is being played comes first, and before that what somebody waits for.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import structlog
from django.db import Error, close_old_connections, connections

from sarsen.games import find, load, names
from sarsen.search import warming as searches
from sarsen.search.bots import SEATS, has_compiler
from sarsen.services.bots.due_boards import games_in_play, games_waiting, note_warming
from sarsen.workers.thinking.work import WorkQueue

WANTED, UNHURRIED = 5, 19  # of nice, for what somebody waits for, and for the rest
LOOK_EVERY = 1.0  # seconds between looks whether something else is waited for
MOST_FAILURES = 3  # of the child for one game
WAIT_AFTER_FAILURE = 10.0  # seconds, longer each time
log = structlog.get_logger()


@dataclass
class Warming:
    """Get one game after another ready, and say at the desk which are."""

    desk: WorkQueue
    _failures: dict[str, int] = field(default_factory=dict)

    def tell(self) -> None:
        """Pass the state on to the other processes and to the threads that wait for boards."""
        note_warming(self.desk.searches.warming)
        self.desk.look_again()

    def run(self) -> None:
        """Get everything ready; a thread's outermost function."""
        try:
            if has_compiler():
                self._run()
            else:
                log.info("Numba is not installed: levels 1 to 4 are played in pure Python")
                self._give_up(*self.desk.searches.warming)
        except Exception:
            log.exception("the searches cannot be made ready")
            self._give_up(*self.desk.searches.warming)
        finally:
            connections.close_all()

    def _run(self) -> None:
        while (waiting := self.desk.searches.warming) and not self.desk.is_closed:
            game = self._next(waiting)
            try:
                parts = searches.game_parts(load(game))
                is_ready = searches.are_on_disk(parts) or self._compile(game, parts)
                if is_ready and not self.desk.is_closed:
                    self._load(game)
            except Exception:
                log.exception("a search could not be loaded", game=game)
                self._give_up(game)
        rest = searches.part_names(find().values())
        if not self.desk.is_closed and not searches.are_on_disk(rest):
            self._compile("", rest)
            log.info("all searches are compiled")

    def _next(self, waiting: frozenset[str]) -> str:
        """Choose the game to get ready next."""
        ranked = (*self._wanted(waiting), *self._played(waiting), *sorted(waiting))
        # One that has just failed comes after the others.
        return min(ranked, key=lambda game: self._failures.get(game, 0))

    def _load(self, game: str) -> None:
        began = time.monotonic()
        searches.load_game(load(game))
        now = self.desk.searches
        self.desk.searches = replace(now, warming=now.warming - {game})
        self.tell()
        log.info("a search is ready", game=game, seconds=round(time.monotonic() - began, 2))

    def _compile(self, game: str, parts: tuple[str, ...]) -> bool:
        """Compile some modules in a child; False when it failed, or gave way to another game."""
        began = time.monotonic()
        is_wanted = game in self._wanted({game})
        log.info("a search is being compiled", game=game or "all", is_waited_for=is_wanted)
        nice = WANTED if is_wanted else UNHURRIED
        words = [sys.executable, "-m", "sarsen.search", "--nice", str(nice), *parts]
        with subprocess.Popen(words, stdin=subprocess.PIPE) as child:  # noqa: S603 (our own words)
            while (status := _status(child, LOOK_EVERY)) is None:
                if self.desk.is_closed or (not is_wanted and self._is_another_urgent(game)):
                    child.kill()
                    # What it has compiled so far is on the disk.
                    return False
        if status == 0:
            log.info("a search is compiled", game=game, seconds=round(time.monotonic() - began, 1))
            return True
        if status == -signal.SIGTERM:  # a shutdown ends all processes of the group at once
            log.info("compiling a search was stopped", game=game or "all")
            time.sleep(LOOK_EVERY)
        else:
            self._note_failure(game, status)
        return False

    def _note_failure(self, game: str, status: int) -> None:
        failures = self._failures[game] = self._failures.get(game, 0) + 1
        log.error(
            "compiling a search failed",
            game=game,
            status=status,
            hint="is there too little memory? SARSEN_BOTS=off does without"
            if status in (-signal.SIGKILL, -signal.SIGABRT)
            else "",
        )
        if failures >= MOST_FAILURES:
            self._give_up(game)
            return
        limit = time.monotonic() + WAIT_AFTER_FAILURE * 2**failures
        while time.monotonic() < limit and not self.desk.is_closed:
            time.sleep(LOOK_EVERY)

    def _give_up(self, *games: str) -> None:
        """Play some games in pure Python as long as this process lives."""
        now = self.desk.searches
        self.desk.searches = replace(
            now, warming=now.warming - {*games}, missing=now.missing | {*games}
        )
        self.tell()

    def _is_another_urgent(self, game: str) -> bool:
        """Return whether somebody waits for a game that `_next` would choose before this one."""
        failures = self._failures.get(game, 0)
        waited = self._wanted(self.desk.searches.warming)
        return any(self._failures.get(other, 0) <= failures for other in waited)

    def _wanted(self, games: frozenset[str] | set[str]) -> list[str]:
        return _asked(lambda: games_waiting(games))

    def _played(self, games: frozenset[str] | set[str]) -> list[str]:
        return _asked(lambda: games_in_play(games))


def games_with_programs() -> frozenset[str]:
    """Return the names of the games that programs can play."""
    return frozenset(name for name in names() if len(load(name).info.seats) == SEATS)


def _status(child: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Wait for the end of a child, so long at most; None when it still runs."""
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def _asked(ask: Callable[[], list[str]]) -> list[str]:
    """Ask the database; nothing where it is out of reach for now."""
    try:
        close_old_connections()
        return ask()
    except Error:
        return []
