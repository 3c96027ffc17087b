"""Matches: two players, pairs of games, seats exchanged, until the games or a test are done."""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType, TracebackType
from typing import Any, Self

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.lab.elo import Elo, Sprt, estimate, mean_score
from sarsen.lab.games import Played, Timing, openings, play_game
from sarsen.lab.players import Contestant, PlayerSpec, make_player

INTERRUPTED = "interrupted"
MOST_FAULTS = 6  # games in a row that one engine loses by failing; the match ends then


@dataclass(frozen=True)
class Setup:
    """The game and options that are played.

    Attributes:
        game, options: As typed: `druid`, `-size=6`.
        pairs: At most; each is two games.
        opening_plies: Moves at random before the players are asked.
        patience: Seconds that an engine of others may take beyond its time.
        jobs: Processes that play at once. The results do not depend on it, as long as
            the players think by nodes.
    """

    game: str
    options: str
    a: PlayerSpec
    b: PlayerSpec
    pairs: int
    seed: int = 0
    opening_plies: int = 2
    patience: float = 10.0
    sprt: Sprt | None = None
    jobs: int = 1

    def start(self) -> AnyPosition:
        """Return the first position."""
        return load(self.game).start(self.options)


@dataclass(frozen=True)
class Pair:
    """An opening played twice: first A moves first, then B.

    Attributes:
        index: Counted from 0.
    """

    index: int
    first: Played
    second: Played

    @property
    def points(self) -> float:
        """A's points, 0 to 2."""
        return self.first.scores[0] + self.second.scores[1]


@dataclass(frozen=True)
class MatchResult:
    """A match as far as it went.

    Attributes:
        stopped: Why it ended before its last pair; "" when it did not.
    """

    setup: Setup
    pairs: tuple[Pair, ...] = ()
    stopped: str = ""

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """Pairs in which A made 0, 1/2, 1, 3/2 and 2 points."""
        found = [0] * 5
        for pair in self.pairs:
            found[round(2 * pair.points)] += 1
        return found[0], found[1], found[2], found[3], found[4]

    @property
    def scores(self) -> list[float]:
        """A's score in each game, in the order played."""
        return [one for pair in self.pairs for one in (pair.first.scores[0], pair.second.scores[1])]

    @property
    def results(self) -> tuple[int, int, int]:
        """A's wins, draws and losses."""
        scores = self.scores
        wins, losses = scores.count(1.0), scores.count(0.0)
        return wins, len(scores) - wins - losses, losses

    @property
    def score(self) -> float:
        """A's share of the points."""
        return mean_score(self.counts)

    @property
    def elo(self) -> Elo:
        """A's Elo above B."""
        return estimate(self.counts)

    @property
    def faults(self) -> list[tuple[int, str]]:
        """The failures game by game: the player (0 for A, 1 for B) and the reason."""
        return [
            (played.faulty ^ seat_of_a, played.reason)
            for played, seat_of_a in self._games()
            if played.faulty is not None
        ]

    @property
    def losses(self) -> tuple[dict[str, int], dict[str, int]]:
        """How A and B lost their games: how often each `Played.end`."""
        found: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        for played, seat_of_a in self._games():
            for seat, score in enumerate(played.scores):
                if score == 0.0:
                    found[seat ^ seat_of_a][played.end] += 1
        return dict(found[0]), dict(found[1])

    @property
    def timings(self) -> tuple[Timing, Timing]:
        """How long A and B thought."""
        a, b = Timing(), Timing()
        for pair in self.pairs:
            a = a.plus(pair.first.timings[0]).plus(pair.second.timings[1])
            b = b.plus(pair.first.timings[1]).plus(pair.second.timings[0])
        return a, b

    def with_pair(self, pair: Pair) -> MatchResult:
        """Add the next pair, and say so when there is a reason to stop."""
        match = replace(self, pairs=(*self.pairs, pair))
        return replace(match, stopped=_reason_to_stop(match))

    def _games(self) -> Iterator[tuple[Played, int]]:
        """Yield the games in the order played, and in which seat A was."""
        for pair in self.pairs:
            yield pair.first, 0
            yield pair.second, 1


def play_match(
    setup: Setup, told: Callable[[MatchResult], None], earlier: tuple[Pair, ...] = ()
) -> MatchResult:
    """Play a match; `told` hears of every new pair, in order.

    An interrupt from the keyboard ends it; what was played counts.

    Args:
        earlier: Its first pairs, played before.
    """
    match = MatchResult(setup)
    for pair in earlier:
        match = match.with_pair(pair)
        if match.stopped:
            return match
    with ExitStack() as stack:
        try:
            for pair in _played(setup, len(earlier), stack):
                match = match.with_pair(pair)
                told(match)
                if match.stopped:
                    break
        except KeyboardInterrupt:
            match = replace(match, stopped=INTERRUPTED)
    return match


@dataclass
class PairPlayer:
    """Play pairs in this process; the players stay for the next pair.

    Attributes:
        made: A and B, once there was something to play.
    """

    setup: Setup
    made: list[Contestant] = field(default_factory=list)

    def play(self, index: int, opening: tuple[str, ...]) -> Pair:
        """Play an opening twice, with the seats exchanged."""
        setup = self.setup
        if not self.made:
            entries = (setup.a, setup.b)
            self.made = [make_player(entry, setup.patience) for entry in entries]
        a, b = self.made
        chance = random.Random(f"pair {setup.seed} {index}")
        start = setup.start()
        first = play_game(start, opening, (a, b), chance.getrandbits(31))
        second = play_game(start, opening, (b, a), chance.getrandbits(31))
        return Pair(index, first, second)

    def close(self) -> None:
        """Let the players go."""
        for player in self.made:
            player.close()
        self.made = []


def record_lines(match: MatchResult, pair: Pair) -> Iterator[dict[str, Any]]:
    """Yield the two games of a pair as facts for a file, a line each."""
    setup = match.setup
    for played, names in (
        (pair.first, (setup.a.name, setup.b.name)),
        (pair.second, (setup.b.name, setup.a.name)),
    ):
        facts: dict[str, Any] = {"game": setup.game, "options": setup.options}
        facts |= {"pair": pair.index + 1, "seed": setup.seed, "players": list(names)}
        yield facts | played.as_dict()


def _played(setup: Setup, begin: int, stack: ExitStack) -> Iterator[Pair]:
    if begin >= setup.pairs:
        return
    drawn = openings(setup.start(), setup.opening_plies, setup.seed)
    tasks = islice(enumerate(drawn), begin, setup.pairs)
    if setup.jobs > 1:
        crew = stack.enter_context(Crew(setup))
        yield from crew.play(tasks)
        return
    player = PairPlayer(setup)
    stack.callback(player.close)
    for index, opening in tasks:
        yield player.play(index, opening)


def _reason_to_stop(match: MatchResult) -> str:
    sprt = match.setup.sprt
    if sprt:
        accepted = sprt.accepts(match.counts)
        if accepted is not None:
            return f"the test accepts {accepted:g} Elo"
    latest = [one for pair in match.pairs[-MOST_FAULTS:] for one in (pair.first, pair.second)]
    running = [played.faulty is not None for played in latest[-MOST_FAULTS:]]
    blamed = {who for who, _ in match.faults[-MOST_FAULTS:]}
    if len(running) == MOST_FAULTS and all(running) and len(blamed) == 1:
        name = (match.setup.a, match.setup.b)[blamed.pop()].name
        return f"{name} failed in {MOST_FAULTS} games in a row"
    return ""


GRACE = 5.0  # seconds that a process may take to end itself and its engines

Task = tuple[int, tuple[str, ...]]


class Crew:
    """The processes; leaving the `with` block ends them."""

    def __init__(self, setup: Setup) -> None:
        # Threads of compiled code would not survive a fork.
        context = multiprocessing.get_context("spawn")
        self._members: dict[Connection, SpawnProcess] = {}
        self._order: deque[int] = deque()  # of the pairs handed out and not yet given
        for _ in range(min(setup.jobs, setup.pairs)):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, setup), daemon=True)
            process.start()
            there.close()
            self._members[here] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._members.values():
            process.terminate()
        for connection, process in self._members.items():
            process.join(GRACE)
            if process.is_alive():
                process.kill()
                process.join()
            connection.close()

    def play(self, tasks: Iterator[Task]) -> Iterator[Pair]:
        """Yield the pairs in the order of their tasks, in whatever order they are ready.

        Raises:
            UserError: One of the processes ended, or met something that cannot be played.
        """
        ready: dict[int, Pair] = {}
        busy: set[Connection] = set()
        for connection in self._members:
            self._hand_out(connection, tasks, busy)
        while self._order:
            while self._order and self._order[0] in ready:
                yield ready.pop(self._order.popleft())
            for connection in _answered(busy):
                busy.discard(connection)
                pair = _received(connection)
                ready[pair.index] = pair
                self._hand_out(connection, tasks, busy)

    def _hand_out(
        self, connection: Connection, tasks: Iterator[Task], busy: set[Connection]
    ) -> None:
        task = next(tasks, None)
        if task is not None:
            self._order.append(task[0])
            with contextlib.suppress(BrokenPipeError):  # found out when nothing comes back
                connection.send(task)
            busy.add(connection)


def _answered(busy: set[Connection]) -> list[Connection]:
    """Wait until somebody has something to say, or is gone."""
    said = wait(list(busy)) if busy else []
    return [connection for connection in busy if connection in said]


def _received(connection: Connection) -> Pair:
    try:
        said = connection.recv()
    except (EOFError, ConnectionError):
        said = _Refused(
            "A process that played games of this match ended before its time.",
            "player-process-ended",
            "Run it again, with a smaller --jobs if memory is short.",
        )
    if isinstance(said, _Refused):
        raise UserError(said.text, code=said.code, hint=said.hint)
    assert isinstance(said, Pair)
    return said


@dataclass(frozen=True)
class _Refused:
    """A `UserError` on its way between processes."""

    text: str
    code: str
    hint: str


def _work(tasks: Connection, setup: Setup) -> None:
    # The keyboard's interrupt is for the process that holds the table; it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    player = PairPlayer(setup)
    try:
        while True:
            index, opening = tasks.recv()
            tasks.send(player.play(index, opening))
    except EOFError:
        return
    except UserError as refusal:
        tasks.send(_Refused(refusal.text, refusal.code, refusal.hint))
    finally:
        player.close()


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
