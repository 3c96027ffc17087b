"""Think for programs until told to stop."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass, field

import structlog
from django.conf import settings
from django.db import Error, close_old_connections, connections
from django.utils import timezone

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.search import bots
from sarsen.search.analysis import analyse
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services import wake_pipes
from sarsen.services.analysis import searching
from sarsen.services.analysis.searching import Claim
from sarsen.services.bots import due_boards
from sarsen.services.reviews import making
from sarsen.workers.thinking.warming import Warming, games_with_programs
from sarsen.workers.thinking.work import DEEP, QUICK, Lane, Searches, WorkQueue, think_about, watch

# Seconds between looks at the thoughts that are on their way: their time is counted in tens of
# seconds.
TICK = 1.0
DEEP_NICENESS = 10  # of deep thoughts: pages, mail and quick answers do not wait for them
POLL = 10.0  # seconds between looks for boards, whatever wake-up was lost
# Seconds without anything to do, after which a thinker ends that may: it holds much memory.
IDLE_LIMIT = 600.0
# Seconds to end the thoughts on their way: less than the supervisor's `STOP_LIMIT`.
STOP_LIMIT = 10.0
log = structlog.get_logger()


def run_thinker(*, may_end: bool) -> None:
    """Think in threads, and watch them from this one, until SIGTERM.

    Args:
        may_end: Somebody starts another one when there is something to do. So this one ends when
            nothing has been for a while; and it knows from the one before it what is compiled.
    """
    games = games_with_programs()
    warming, missing = due_boards.noted_games() if may_end else (games, frozenset())
    queue = WorkQueue(searches=Searches(warming & games, missing & games))
    compilation = Warming(queue)
    compilation.tell()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: _ask_to_end(queue))
    reviewer, analyst = Reviewer(queue), Analyst(queue)
    with wake_pipes.listening(wake_pipes.THINKER) as pipe:
        wake_pipes.hear_others(wake_pipes.THINKER)
        threads = [*_start(queue), reviewer.start(), analyst.start()]
        compiling = threading.Thread(target=compilation.run, name="warming", daemon=True)
        compiling.start()
        _watch_boards(queue, pipe, reviewer, analyst, compiling, may_end=may_end)
    limit = time.monotonic() + STOP_LIMIT
    for thread in threads:
        thread.join(max(0.1, limit - time.monotonic()))
    # Compiled code that is just running would not let Python end in good order.
    os._exit(0)


def _start(queue: WorkQueue) -> list[threading.Thread]:
    lanes = [QUICK, *[DEEP] * max(1, settings.SARSEN_THINKERS)]
    threads = [
        threading.Thread(target=_think_in, args=(queue, lane), name=lane.name, daemon=True)
        for lane in lanes
    ]
    for thread in threads:
        thread.start()
    return threads


def _ask_to_end(queue: WorkQueue) -> None:
    queue.is_asked_to_end = True
    due_boards.wake()  # `_watch_boards`, which waits; Python goes on waiting after a signal


def _watch_boards(
    queue: WorkQueue,
    pipe: int,
    reviewer: Reviewer,
    analyst: Analyst,
    compiling: threading.Thread,
    *,
    may_end: bool,
) -> None:
    """Let the threads look for boards when somebody wakes us, and from time to time."""
    looked_at = time.monotonic()
    used_at = looked_at - IDLE_LIMIT  # started to compile only, it may end after that
    while not queue.is_closed:
        is_woken = wake_pipes.wait(pipe, TICK)
        if queue.is_asked_to_end:
            queue.close()
        watch(queue)
        now = time.monotonic()
        if is_woken or now - looked_at >= POLL:
            looked_at = now
            if is_woken or _is_anything_due():
                queue.look_again()
                used_at = now
            elif may_end and not compiling.is_alive() and now - used_at >= IDLE_LIMIT:
                log.info("nothing to search: this process ends")
                queue.close()
        reviewer.stop_if_needed()
        analyst.look_again()


def _is_anything_due() -> bool:
    """Return whether a board or a review waits; what cannot be asked may wait, too."""
    try:
        close_old_connections()
        is_review_due = making.is_any_waiting(timezone.now())
        return due_boards.is_any_due() or is_review_due or searching.is_any_waiting()
    except Error:
        return True


def _think_in(queue: WorkQueue, lane: Lane) -> None:
    """Think about one board of a lane after another, until the queue is closed."""
    if lane is DEEP:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), DEEP_NICENESS)
    while (task := queue.take(lane)) is not None:
        failed = True
        try:
            failed = not think_about(task, queue)
        except Exception:
            # The thread's outermost function: a search, a game or the database may fail.
            log.exception("a bot could not move", board=task.due.board, attempt=task.attempt)
        finally:
            queue.give_back(task, failed=failed)
    connections.close_all()


REVIEW_NICENESS = 19  # the most there is, for this thread alone
# Seconds until a step is done although boards wait all day long, and between looks when no review
# waits and nobody tells of one.
STEP_SECONDS = 30.0


@dataclass
class Reviewer:
    """Work on reviews step by step; moves go first."""

    queue: WorkQueue
    _stop: Stop = field(default_factory=Stop)
    _stepped_at: float = field(default_factory=time.monotonic)
    _may_be_stopped: bool = True

    def start(self) -> threading.Thread:
        """Begin in a thread."""
        thread = threading.Thread(target=self._run, name="reviews", daemon=True)
        thread.start()
        return thread

    def stop_if_needed(self) -> None:
        """Stop the current step if a board waits, or the process ends."""
        if self.queue.is_closed or (self._may_be_stopped and self.queue.tasks):
            self._stop.set()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), REVIEW_NICENESS)
        while not self.queue.is_closed:
            if not self._step():
                self.queue.wait(STEP_SECONDS)
        connections.close_all()

    def _step(self) -> bool:
        """Work one step; return False when there is nothing to do now."""
        searches = self.queue.searches
        if searches.warming or searches.missing:
            return False
        is_idle = not self.queue.tasks
        if not is_idle and time.monotonic() - self._stepped_at < STEP_SECONDS:
            return False
        self._may_be_stopped = is_idle
        self._stop.clear()
        self._stepped_at = time.monotonic()
        try:
            close_old_connections()
            return review_next(self._stop)
        except Exception:
            # The thread's outermost function: the review counts its attempts by itself.
            log.exception("a step of a review failed")
            return False


def review_next(stop: Stop) -> bool:
    """Work one bounded step of a review; return False when none waits.

    Args:
        stop: Set by another thread when something more urgent waits; the step is then
            given back as it was.
    """
    return making.work_step(_think, stop, timezone.now())


def _think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return bots.load(bots.MOST).think(position, seed=seed, budget=budget, stop=stop)


GIVE_WAY_SECONDS = 2.0  # until a question is searched although boards are thought about


@dataclass
class Analyst:
    """Search the questions of the analysis board, one after the other, below all games."""

    queue: WorkQueue
    _stop: Stop = field(default_factory=Stop)
    _called: threading.Event = field(default_factory=threading.Event)
    _claim: Claim | None = None

    def start(self) -> threading.Thread:
        """Begin in a thread."""
        thread = threading.Thread(target=self._run, name="analysis", daemon=True)
        thread.start()
        return thread

    def look_again(self) -> None:
        """Wake the thread, or stop its search when nobody waits for the answer any more."""
        claim = self._claim
        self._called.set()
        if claim is None:
            return
        try:
            if self.queue.is_closed or not searching.is_wanted(claim):
                self._stop.set()
        except Error:
            pass  # the database is away: the search ends by itself

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), REVIEW_NICENESS)
        while not self.queue.is_closed:
            self._called.clear()
            if not self._search_next():
                self._called.wait(POLL)
        connections.close_all()

    def _search_next(self) -> bool:
        """Search one question; return False when none waits."""
        searches = self.queue.searches
        try:
            close_old_connections()
            claim = searching.claim(timezone.now(), searches.warming | searches.missing)
            if claim is not None:
                self._search(claim)
        except Exception:
            # The thread's outermost function: the question counts its attempts by itself.
            log.exception("a question could not be searched")
            return False
        return claim is not None

    def _search(self, claim: Claim) -> None:
        """Search one question; it gives way to boards, but not again and again."""
        position = load(claim.game).read(claim.position)
        self._wait_for_boards()
        self._stop.clear()
        self._claim = claim
        self.queue.giving_way = self._stop if claim.gives_way else None
        try:
            found = analyse(position, claim.seconds, stop=self._stop)
        finally:
            self._claim = self.queue.giving_way = None
        if self._stop.is_set():
            searching.give_back(claim, timezone.now())
        else:
            searching.settle(claim, found, timezone.now())

    def _wait_for_boards(self) -> None:
        """Wait until no board is thought about, but not for ever."""
        ends = time.monotonic() + GIVE_WAY_SECONDS
        while self.queue.tasks and not self.queue.is_closed and time.monotonic() < ends:
            time.sleep(GIVE_WAY_SECONDS / 20)
