"""From the games of a report to its figures, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sarsen.lab.reporting import tension
from sarsen.lab.reporting.plan import (
    EXPLOIT,
    JUDGED,
    LADDER,
    ROUND_KINDS,
    SELF,
    WALK,
    GameRecord,
    ReportSetup,
    Task,
    nodes_of,
)
from sarsen.lab.reporting.statistics import Figure, elo_gain, mean, quantile, share, summed

STEP_OF_ELO = 70  # two players so far apart can tell who is better
LEAST_GAIN = 30  # Elo of a doubling that still is one
LEAST_OWN = 0.25  # of the moves of a strategy: with fewer of its own it is not tried
MOSTLY_OWN = 0.9  # of the moves of a strategy: its score is not that of the search
OPEN = (0.05, 0.95)  # the values between which a position is not decided


@dataclass
class ReportGames:
    """All that was played for a report, by kind of task.

    Attributes:
        cut: The round that time ended before all of its games were played, if any.
        part: Of the games of that round, how many were played.
        alike: Of each first move that was valued, the others that a symmetry maps it to.
    """

    setup: ReportSetup
    records: dict[str, list[tuple[Task, GameRecord]]] = field(default_factory=dict)
    cut: int | None = None
    part: float = 0.0
    alike: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, task: Task, record: GameRecord) -> None:
        """Add the record of a task."""
        self.records.setdefault(task.kind, []).append((task, record))

    def of(self, kind: str, players: tuple[str, str] | None = None) -> list[GameRecord]:
        """Return the games of a kind, or those between two players in these seats."""
        entries = self.records.get(kind, ())
        return [record for task, record in entries if players in (None, task.players)]

    def leave_out_cut(self) -> None:
        """Forget the games of a round that was cut, unless there are no others.

        The figures are then those of so many whole rounds, which can be played again.
        """
        if self.cut:
            for kind in ROUND_KINDS:
                pairs = self.records.get(kind, [])
                self.records[kind] = [pair for pair in pairs if pair[0].index != self.cut]

    @property
    def top(self) -> list[GameRecord]:
        """The games between the strongest players."""
        best = range(self.setup.steps - 1, self.setup.steps + 1)
        own = [game for step in best for game in self.of(SELF, (str(step), str(step)))]
        return own + self.of(JUDGED)

    @property
    def rounds(self) -> int:
        """The number of rounds of which every game is there."""
        return len(self.of(JUDGED)) if self.cut is None else self.cut


def points(games: Sequence[GameRecord], seat: int) -> float:
    """Return the points of a seat; an unfinished game counts as drawn."""
    return sum(game.scores[seat] if game.scores else 0.5 for game in games)


def fairness(games: ReportGames) -> Iterator[Figure]:
    """Yield the first seat's score by step, and among the strongest."""
    for step in range(games.setup.steps + 1):
        played = games.of(SELF, (str(step), str(step)))
        name = "at random" if step == 0 else f"{nodes_of(step)} nodes a move"
        label = f"score of the first seat, {name}"
        yield share(f"first {step}", label, points(played, 0), len(played))
    top = games.top
    yield share("first", "score of the first seat, strongest", points(top, 0), len(top))


def ending(games: ReportGames) -> Iterator[Figure]:
    """Yield draws, unfinished games, lengths and passes of the strongest players."""
    top = games.top
    ended = [game for game in top if game.scores]
    drawn = sum(game.scores == (0.5, 0.5) for game in ended)
    yield share("draws", "games drawn", drawn, len(top))
    yield share("unfinished", "games without an end", len(top) - len(ended), len(top))
    lengths = [float(len(game.moves)) for game in top]
    yield quantile("length", "length, median", lengths, 0.5, "plies")
    yield quantile("long", "length, longest tenth from", lengths, 0.9, "plies")
    moves = [move for game in top for move in game.moves]
    yield share("passes", "moves that pass", moves.count("pass"), len(moves))


def gains(games: ReportGames) -> list[Figure]:
    """Return the Elo that each doubling of nodes gains, the first against random play."""
    figures = []
    for step in range(1, games.setup.steps + 1):
        won, count = _ladder_score(games, step, step - 1)
        before = "random play" if step == 1 else f"{nodes_of(step - 1)}"
        label = f"Elo of {nodes_of(step)} nodes over {before}"
        figures.append(elo_gain(f"gain {step}", label, won, count))
    return figures


def _ladder_score(games: ReportGames, step: int, other: int) -> tuple[float, int]:
    """Return the points of a step against another, and how many games they had."""
    first = games.of(LADDER, (str(step), str(other)))
    second = games.of(LADDER, (str(other), str(step)))
    return points(first, 0) + points(second, 1), len(first) + len(second)


def depth(games: ReportGames) -> Iterator[Figure]:
    """Yield the Elo that more thinking gains."""
    doublings = gains(games)
    yield from doublings
    won, count = _ladder_score(games, games.setup.steps, 0)
    yield share("beats", "score of the most nodes against random play", won, count)
    yield summed("skill", "Elo of the most nodes over random play", doublings, "Elo")
    # As far as doublings still gain: one that gains little may be chance, two are none.
    until = next(
        (
            at
            for at in range(len(doublings) - 1)
            if max(doublings[at].value, doublings[at + 1].value) < LEAST_GAIN
        ),
        len(doublings),
    )
    high = summed("", "", doublings[:until], "Elo")
    low, value, most = (bound / STEP_OF_ELO for bound in (high.low, high.value, high.high))
    end = "" if until < len(doublings) else ", and more beyond the nodes tried"
    label = f"steps of {STEP_OF_ELO} Elo from random play{end}"
    yield Figure("steps", label, value, low, most, high.count)
    last = summed("", "", doublings[-2:])
    half = (last.high - last.low) / 4
    value = last.value / 2
    label = "Elo of a doubling at the end"
    yield Figure("slope", label, value, value - half, value + half, last.count, "Elo")


def excitement(games: ReportGames) -> Iterator[Figure]:
    """Yield the measures of `tension` over the judged games that somebody won."""
    judged = games.of(JUDGED)
    won = [
        (game.values, game.scores.index(1.0))
        for game in judged
        if game.scores and 1.0 in game.scores
    ]
    measures = (
        ("drama", "drama: how far behind winners were", tension.drama),
        ("comeback", "largest deficit of a winner", tension.comeback),
        ("decided", "part of a game left once it is decided", tension.decided),
        ("killer", "largest change by one move", tension.killer_move),
    )
    for name, label, measure in measures:
        yield mean(name, label, [measure(values, winner) for values, winner in won])
    all_values = [game.values for game in judged if game.values]
    changes = [tension.lead_changes(values) for values in all_values]
    yield mean("changes", "changes of the lead, a ply", changes)
    open_ = [tension.uncertainty(values) for values in all_values]
    yield mean("uncertainty", "uncertainty: 1 is even throughout", open_)


def choice(games: ReportGames) -> Iterator[Figure]:
    """Yield how many moves there are, and how many of them are good."""
    counts = [float(count) for game in games.top for count in game.branching]
    yield quantile("branching", "legal moves, median", counts, 0.5)
    forced = sum(count == 1 for count in counts)
    yield share("forced", "positions with one legal move", forced, len(counts))
    open_plies = [
        (game.near[ply], game.agreed[ply])
        for game in games.of(JUDGED)
        for ply in range(len(game.moves))
        if OPEN[0] < game.values[ply] < OPEN[1] and game.branching[ply] > 1
    ]
    near = [float(count) for count, _ in open_plies]
    yield mean("near", "moves within 5 % of the best, where it is open", near)
    only = sum(count == 1 for count in near)
    yield share("only", "positions with one good move", only, len(near))
    agreed = sum(agreed for _, agreed in open_plies)
    label = "clarity: deep and shallow search agree on the move"
    yield share("clarity", label, agreed, len(open_plies))


@dataclass(frozen=True)
class StrategyResult:
    """The result of a simple strategy that played a seat against a rival search.

    Attributes:
        score: Of the strategy.
        own: What part of its moves were its own; the others are those of the rival search.
    """

    strategy: str
    seat: int
    score: Figure
    own: Figure

    @property
    def is_applied(self) -> bool:
        """Whether the strategy has moves enough of its own to say something of it.

        Games of earlier versions do not tell, and count.
        """
        return not self.own.count or self.own.value >= LEAST_OWN

    @property
    def is_thoughtless(self) -> bool:
        """Whether nearly all moves came without a look at the game: no search had a part."""
        return self.strategy != "rush" and self.own.count > 0 and self.own.value >= MOSTLY_OWN


def strategy_results(games: ReportGames) -> Iterator[StrategyResult]:
    """Yield each simple strategy with its seats."""
    rival = str(games.setup.rival)
    by_players: dict[tuple[str, str], list[tuple[Task, GameRecord]]] = {}
    for task, record in games.records.get(EXPLOIT, ()):
        by_players.setdefault(task.players, []).append((task, record))
    for pair, pairs in by_players.items():
        seat = 0 if pair[0] != rival else 1
        strategy, played = pair[seat], [record for _, record in pairs]
        label = f"{strategy}, in the {('first', 'second')[seat]} seat"
        score = share(f"exploit {seat} {strategy}", label, points(played, seat), len(played))
        own = [part for task, record in pairs for part in _own_parts(task, record, seat)]
        yield StrategyResult(
            *(strategy, seat, score),
            mean(f"own {seat} {strategy}", f"moves of its own: {label}", own, "%"),
        )


def _own_parts(task: Task, record: GameRecord, seat: int) -> Iterator[float]:
    """Yield which part of the moves that a strategy was asked for were its own, if known."""
    turns = record.seats[len(task.opening) :].count(seat)
    if record.own is not None and turns:
        yield record.own / turns


def exploits(games: ReportGames) -> Iterator[Figure]:
    """Yield what each simple strategy scores, how often it applies, and what is usual."""
    for result in strategy_results(games):
        yield result.score
        yield result.own
    for seat in (0, 1):
        yield rival_score(games, seat)


def rival_score(games: ReportGames, seat: int) -> Figure:
    """Return what a rival search scores in a seat against itself, in judged games, too."""
    rival = (str(games.setup.rival),) * 2
    played = games.of(SELF, rival) + games.of(JUDGED, rival)
    label = f"the search against itself, in the {('first', 'second')[seat]} seat"
    return share(f"usual {seat}", label, points(played, seat), len(played))


def lines_run(games: ReportGames) -> set[int]:
    """Return the lines of the rules that random games ran."""
    return {line for game in games.of(WALK) for line in game.lines}
