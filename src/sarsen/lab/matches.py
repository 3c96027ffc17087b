"""Matches: two players, pairs of games, seats exchanged, until the games or a test are done."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.lab import pool
from sarsen.lab.contestants import Contestant
from sarsen.lab.elo import Elo, Sprt, estimate, mean_score
from sarsen.lab.games import Played, Timing, openings, play_game
from sarsen.lab.players import PlayerSpec, make_player

INTERRUPTED = "interrupted"
MAX_FAULTS = 6  # games in a row that one engine loses by failing; the match ends then


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
        scheduler: The address of a Dask scheduler, whose workers play instead.
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
    scheduler: str = ""

    def start(self) -> AnyPosition:
        """Return the first position."""
        return load(self.game).start(self.options)

    def open(self) -> GamePlayer:
        """Return what plays games of the match in a process."""
        return GamePlayer(self)


@dataclass(frozen=True)
class GameTask:
    """One game of a match, before it is played.

    Attributes:
        pair: Counted from 0.
        is_second: A and B have exchanged their seats.
    """

    pair: int
    opening: tuple[str, ...]
    is_second: bool

    def __str__(self) -> str:
        return f"game {1 + self.is_second} of pair {self.pair + 1}"


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
        totals = [0] * 5
        for pair in self.pairs:
            totals[round(2 * pair.points)] += 1
        return totals[0], totals[1], totals[2], totals[3], totals[4]

    @property
    def scores(self) -> list[float]:
        """A's score in each game, in the order played."""
        return [
            game for pair in self.pairs for game in (pair.first.scores[0], pair.second.scores[1])
        ]

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
        by_player: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        for played, seat_of_a in self._games():
            for seat, score in enumerate(played.scores):
                if score == 0.0:
                    by_player[seat ^ seat_of_a][played.end] += 1
        return dict(by_player[0]), dict(by_player[1])

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
    setup: Setup, on_pair: Callable[[MatchResult], None], earlier: tuple[Pair, ...] = ()
) -> MatchResult:
    """Play a match; `on_pair` is called with the match after every new pair, in order.

    An interrupt from the keyboard ends it; what was played counts.

    Args:
        earlier: Its first pairs, played before.
    """
    match = MatchResult(setup)
    for pair in earlier:
        match = match.with_pair(pair)
        if match.stopped:
            return match
    with closing(_played(setup, len(earlier))) as pairs:
        try:
            for pair in pairs:
                match = match.with_pair(pair)
                on_pair(match)
                if match.stopped:
                    break
        except KeyboardInterrupt:
            match = replace(match, stopped=INTERRUPTED)
    return match


@dataclass
class GamePlayer:
    """Plays games in one process; the players stay for the next game.

    Attributes:
        made: A and B, once there was something to play.
    """

    setup: Setup
    made: list[Contestant] = field(default_factory=list)

    def do(self, task: GameTask) -> Played:
        """Play a game."""
        setup = self.setup
        if not self.made:
            entries = (setup.a, setup.b)
            self.made = [make_player(entry, setup.patience) for entry in entries]
        a, b = self.made
        chance = random.Random(f"pair {setup.seed} {task.pair}")
        seeds = [chance.getrandbits(31) for _ in range(2)]
        seats = (b, a) if task.is_second else (a, b)
        return play_game(setup.start(), task.opening, seats, seeds[task.is_second])

    def close(self) -> None:
        """End the players."""
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


def _played(setup: Setup, begin: int) -> Generator[Pair, None, None]:
    """Yield the pairs from `begin` on."""
    drawn = openings(setup.start(), setup.opening_plies, setup.seed)
    tasks = (
        GameTask(index, opening, is_second)
        for index, opening in islice(enumerate(drawn), begin, setup.pairs)
        for is_second in (False, True)
    )
    with closing(pool.run(setup, tasks, workers=setup.jobs, scheduler=setup.scheduler)) as games:
        for index, first in enumerate(games, begin):
            yield Pair(index, first, next(games))


def _reason_to_stop(match: MatchResult) -> str:
    sprt = match.setup.sprt
    if sprt:
        accepted = sprt.accepts(match.counts)
        if accepted is not None:
            return f"the test accepts {accepted:g} Elo"
    latest = [game for pair in match.pairs[-MAX_FAULTS:] for game in (pair.first, pair.second)]
    running = [played.faulty is not None for played in latest[-MAX_FAULTS:]]
    faulty_players = {player for player, _ in match.faults[-MAX_FAULTS:]}
    if len(running) == MAX_FAULTS and all(running) and len(faulty_players) == 1:
        name = (match.setup.a, match.setup.b)[faulty_players.pop()].name
        return f"{name} failed in {MAX_FAULTS} games in a row"
    return ""
