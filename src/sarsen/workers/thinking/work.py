"""Hand out the boards that wait, each to one thread at a time."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from django.db import Error, close_old_connections
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.search import plain_bots
from sarsen.search.bots import load, load_module
from sarsen.search.thought import Stop, Thought, loading, seconds_loading
from sarsen.services.bots.due_boards import DueBoard, boards_due
from sarsen.workers.outages import Outage
from sarsen.workers.thinking.playing import BotTurn, carry_out, is_still_due, take_up


@dataclass(frozen=True)
class Searches:
    """The games without a compiled search.

    Attributes:
        warming: Their searches are being compiled: levels that need them wait.
        missing: They cannot be compiled here: every level is played in pure Python.
    """

    warming: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()

    def is_ready(self, game: str) -> bool:
        """Return whether a game is thought about by its compiled search."""
        return game not in self.warming | self.missing


ALL_READY = Searches()


MOVE_SECONDS = 30.0  # of thought about a move: far above the time of any level
# Searches look at `stop` many times a second: one that has not ended by then hangs.
GRACE_SECONDS = (
    15.0  # until a thought that is told to end has ended; then its process is started anew
)
QUICKEST, LAST_QUICK, DEEPEST = 1, 5, 8  # levels
MAX_ATTEMPTS = 3  # after them the search in pure Python moves: no game stands still for ever
WAIT_AFTER_FAILURE = 2.0  # seconds, longer each time: what failed may pass
MAX_REMEMBERED = 1000  # boards that have failed: memory, in a process that lives long
log = structlog.get_logger()


@dataclass(frozen=True)
class Lane:
    """The ranges of levels that one thread serves, the first of them before the others."""

    name: str
    ranges: tuple[tuple[int, int], ...]


QUICK = Lane("quick", ((QUICKEST, LAST_QUICK),))
DEEP = Lane("deep", ((LAST_QUICK + 1, DEEPEST), (QUICKEST, LAST_QUICK)))


@dataclass
class BoardTask:
    """A board that a thread thinks about.

    Attributes:
        stop: Set when the answer is wanted at once.
        attempt: Counts from 1.
    """

    due: DueBoard
    attempt: int = 1
    stop: Stop = field(default_factory=Stop)
    began_at: float = field(default_factory=time.monotonic)
    _loaded_at: float = field(default_factory=seconds_loading)

    @property
    def seconds(self) -> float:
        """How long it has been thought about; loading a search is no thinking."""
        return time.monotonic() - self.began_at - (seconds_loading() - self._loaded_at)


@dataclass
class _Failure:
    event: int
    attempts: int
    not_before: float


class WorkQueue:
    """The boards that threads think about, and those that failed a short while ago."""

    def __init__(
        self,
        freshen: Callable[[], None] = close_old_connections,
        searches: Searches = ALL_READY,
    ) -> None:
        """Begin with no board handed out.

        Args:
            freshen: Called before each look into the database, which may come hours
                after the one before.
            searches: Which games have none; may be replaced at any time.
        """
        self.closed = threading.Event()
        # Set by a signal handler: it may not take a lock, which what it interrupts may hold.
        self.is_asked_to_end = False
        self.searches = searches
        # Of a search that gives way, to be set when a board is handed out; None while none runs.
        self.giving_way: Stop | None = None
        self._freshen = freshen
        # Wakes threads that wait for a board; guards both below.
        self._changed = threading.Condition()
        self._in_hand: dict[int, BoardTask] = {}
        self._failed: dict[int, _Failure] = {}
        self._outage = Outage("the boards of bots could not be read")

    @property
    def is_closed(self) -> bool:
        """Whether nothing is handed out any more."""
        return self.closed.is_set()

    @property
    def tasks(self) -> list[BoardTask]:
        """The positions being searched just now."""
        with self._changed:
            return list(self._in_hand.values())

    def take(self, lane: Lane) -> BoardTask | None:
        """Return the next board of a lane, and wait for one; None when the queue is closed."""
        with self._changed:
            while not self.is_closed:
                task = self._next(lane)
                if task is not None:
                    self._in_hand[task.due.board] = task
                    if (giving_way := self.giving_way) is not None:
                        giving_way.set()
                    return task
                self._changed.wait()
        return None

    def give_back(self, task: BoardTask, *, failed: bool) -> None:
        """Return a board to the queue; one that has failed is handed out again a while later."""
        board = task.due.board
        with self._changed:
            self._in_hand.pop(board, None)
            self._failed.pop(board, None)
            if failed:
                later = time.monotonic() + WAIT_AFTER_FAILURE * 2 ** min(task.attempt, 6)
                self._failed[board] = _Failure(task.due.event, task.attempt, later)
                while len(self._failed) > MAX_REMEMBERED:
                    self._failed.pop(next(iter(self._failed)))

    def wait(self, seconds: float) -> None:
        """Wait until there may be something to do, or the queue is closed."""
        with self._changed:
            if not self.is_closed:
                self._changed.wait(seconds)

    def look_again(self) -> None:
        """Wake every waiting thread to look for boards."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Hand out nothing more, and ask for what is in hand."""
        with self._changed:
            self.closed.set()
            for task in self._in_hand.values():
                task.stop.set()
            self._changed.notify_all()

    def _next(self, lane: Lane) -> BoardTask | None:
        now = time.monotonic()
        later = {board for board, failure in self._failed.items() if failure.not_before > now}
        try:
            self._freshen()
            for least, most in lane.ranges:
                due = boards_due(
                    least,
                    most,
                    but=self._in_hand.keys() | later,
                    warming=self.searches.warming,
                    limit=1,
                )
                if due:
                    return BoardTask(due[0], self._attempt(due[0]))
            self._outage.end()
        except Error as error:
            # Whatever it is, a thread that ended here would leave its boards for ever.
            self._outage.note(error)  # asked again by and by
        return None

    def _attempt(self, due: DueBoard) -> int:
        failure = self._failed.get(due.board)
        return failure.attempts + 1 if failure and failure.event == due.event else 1


def think_about(task: BoardTask, queue: WorkQueue) -> bool:
    """Think about a board and do what was thought; tell whether nothing is left to do there."""
    turn = take_up(task.due)
    if turn is None:
        return True
    if task.attempt > MAX_ATTEMPTS:
        log.error(
            "a search failed; pure Python is used instead", board=turn.board, level=turn.level
        )
        return finish(task, turn, think_in_python(turn))
    if queue.searches.is_ready(turn.game):
        bot = load(turn.level)
        with loading():
            load_module(turn.position.game)
        thought = bot.think(turn.position, seed=turn.seed, stop=task.stop)
    else:
        thought = think_in_python(turn, task.stop)
    # Hurried by the end of this process? The next one thinks again.
    return not queue.is_closed and finish(task, turn, thought)


def finish(task: BoardTask, turn: BotTurn, thought: Thought) -> bool:
    """Perform what the search found; return False when the rules refuse it."""
    try:
        carry_out(turn, thought, timezone.now())
    except UserError as refusal:
        if is_still_due(task.due):
            log.error("a bot's move was refused", board=turn.board, code=refusal.code)
            return False
    return True


def think_in_python(turn: BotTurn, stop: Stop | None = None) -> Thought:
    """Find a move without a compiled search, in a second or two.

    A level above those that are played so plays as the strongest of them.
    """
    try:
        return plain_bots.think(turn.position, turn.level, seed=turn.seed, stop=stop)
    except Exception:
        # Better than a game that stands still for ever.
        log.exception("a bot falls back to any legal move", board=turn.board, level=turn.level)
        return Thought(random.Random(turn.seed).choice(turn.position.legal_moves()), 0.5)


FAILED = 70  # EX_SOFTWARE; the supervisor starts the process again


def watch(queue: WorkQueue) -> None:
    """Ask a search past its time for its answer; end the process when it does not react."""
    for task in queue.tasks:
        seconds = task.seconds
        if seconds > MOVE_SECONDS:
            task.stop.set()
        if seconds > MOVE_SECONDS + GRACE_SECONDS:
            _restart_process(task)


def _restart_process(task: BoardTask) -> None:
    """End this process, after a move at the board that would stop the next one, too."""
    log.error("a search does not stop", board=task.due.board)
    # The game itself may be what hangs.
    last = threading.Timer(GRACE_SECONDS, os._exit, (FAILED,))
    last.daemon = True
    last.start()
    try:
        turn = take_up(task.due)
        if turn is not None:
            finish(task, turn, think_in_python(turn))
    except Exception:
        # The process ends in any case, and the next one tries again.
        log.exception("a bot could not move", board=task.due.board)
    os._exit(FAILED)
