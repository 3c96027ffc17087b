"""Run a report: rounds of games until its time is over; a stopped run goes on from its file."""

from __future__ import annotations

import dataclasses
import json
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.lab import pool
from sarsen.lab.checking.loading import load_game
from sarsen.lab.games import openings as drawn_openings
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.openings import alike, openings
from sarsen.lab.reporting.plan import (
    BALANCED,
    BASE,
    LEAST_STEPS,
    LONGEST,
    MAX_STEPS,
    STRATEGIES,
    WALK,
    GameRecord,
    ReportSetup,
    Task,
    first_moves,
    nodes_of,
    round_of,
    walks,
)
from sarsen.lab.reporting.playing import ReportJob, think
from sarsen.lab.reporting.solving import (
    Counts,
    GameProblem,
    Solved,
    counted,
    problem_in,
    solved_sizes,
)
from sarsen.lab.reporting.strategies import extent_of

ROUNDS = 40  # that the number of steps is chosen for: fewer would say little of each
GAMES_OF_A_ROUND = 11.0  # as the searches take as long as so many games of the last step
GAMES_OF_A_STEP, FURTHER_GAMES = 3, 20  # of a round, in which plies take time besides searching
TRUTH = 0.15  # of the time, for what can be solved and counted
LAST_ROUND = 0.88  # of the time: no round begins that is expected to end later
LAST_GAME = 0.93  # of the time: no game begins later
PAGE = 0.02  # of the time, for the page
PROBLEMS = 5  # on the page, as a reader tries some
PROBLEM_SECONDS = 2.0  # for one position: most have no problem, and many are asked
LONG_ENOUGH = 0.02  # seconds of thinking that tell how long a node takes
NEAR_BEST = 0.05  # of the score: first moves so little worse begin the games of equal players


@dataclass(frozen=True)
class Truth:
    """Certain facts about the game with the options asked for, and about smaller boards."""

    solved: tuple[Solved, ...]
    counts: Counts
    problems: tuple[GameProblem, ...]

    def of(self, options: str) -> Solved | None:
        """Return the result of the board with these options, if it is known."""
        return next((solved for solved in self.solved if solved.options == options), None)


@dataclass
class Run:
    """A report on its way.

    Attributes:
        seconds: Of the clock, for all runs of it together, and what is solved and counted.
        on_round: Called before each round with the seconds used and the rounds done.
        file: Where each game is kept; None for nowhere.
        rounds: Play so many, whatever time it takes.
        used: Seconds used so far, by earlier runs, too.
        started: When the command was, by the monotonic clock; None for when it plays.
    """

    setup: ReportSetup
    seconds: float
    on_round: Callable[[float, int], None]
    workers: int = 1
    scheduler: str = ""
    file: Path | None = None
    rounds: int | None = None
    used: float = 0.0
    started: float | None = None
    began: float = 0.0  # of the clock, less what was used before
    done: dict[str, GameRecord] = field(default_factory=dict)

    def play(self) -> tuple[ReportGames, Truth]:
        """Play, count and solve as much as there is time for."""
        self._read()
        started = time.monotonic() if self.started is None else self.started
        self.began = started - self.used
        game = load_game(self.setup.source)
        start = game.start(self.setup.options)
        games = ReportGames(self.setup)
        try:
            texts = [start.format(move) for move in start.legal_moves()]
            games.alike = alike(game, start)
            first = [*walks(), *first_moves(texts, games.alike, self.setup.seed)]
            self._play(games, self._in_time(first))
            self._play(games, self._rounds(games, start))
            games.leave_out_cut()
        finally:
            self.used = time.monotonic() - self.began
            self._write({"used": round(self.used, 1)})
        seconds = self._seconds_of_truth()
        solved = solved_sizes(game, self.setup.options, 0.6 * seconds)
        counts = counted(start, 0.1 * seconds)
        return games, Truth(tuple(solved), counts, tuple(_problems(games, start, 0.3 * seconds)))

    def _rounds(self, games: ReportGames, start: AnyPosition) -> Iterator[Task]:
        strategies = tuple(_strategies(games))
        best = openings(games)
        if not best:  # there was no time for any
            return
        near = [opening.text for opening in best if opening.value >= best[0].value - NEAR_BEST]
        even = sorted(best, key=lambda opening: abs(opening.value - 0.5))
        balanced = tuple(opening.text for opening in even[:BALANCED])
        drawn = drawn_openings(start, 2, self.setup.seed)
        begun, played = self._now(), 0
        for index in count():
            first = random.Random(f"first {self.setup.seed} {index}").choice(near)
            tasks = list(round_of(self.setup, index, strategies, balanced, next(drawn), first))
            used = self._now()
            self.on_round(used, index)
            self._write({"used": round(used, 1)})
            is_known = all(task.key in self.done for task in tasks)
            ends_at = used + (used - begun) / max(1, played)
            is_late = self.rounds is None and index and ends_at > self.seconds * LAST_ROUND
            if index == self.rounds or (is_late and not is_known):
                return
            yielded = 0
            for task in self._in_time(tasks):
                yielded += 1
                yield task
            if yielded < len(tasks):
                games.cut, games.part = index, yielded / len(tasks)
                return
            played += not is_known

    def _in_time(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Yield tasks until time is over, with those that are done already."""
        for task in tasks:
            is_late = self.rounds is None and self._now() > self.seconds * LAST_GAME
            if is_late and task.key not in self.done:
                return
            yield task

    def _now(self) -> float:
        return time.monotonic() - self.began

    def _seconds_of_truth(self) -> float:
        """Return how long to solve and count: less where the games took more."""
        if self.rounds is not None:
            return TRUTH * self.seconds
        left = self.seconds * (1 - PAGE) - self._now()
        return max(PAGE * self.seconds, min(TRUTH * self.seconds, left))

    def _play(self, games: ReportGames, tasks: Iterable[Task]) -> None:
        """Play the missing tasks, and add all records in the order of the tasks."""
        waiting: deque[Task] = deque()

        def missing() -> Iterator[Task]:
            for task in tasks:
                waiting.append(task)
                if task.key not in self.done:
                    yield task

        def note_known() -> None:
            while waiting and waiting[0].key in self.done:
                task = waiting.popleft()
                games.add(task, self.done[task.key])

        job = ReportJob(self.setup)
        records = pool.run(job, missing(), workers=self.workers, scheduler=self.scheduler)
        with closing(records):
            for record in records:
                note_known()
                self.done[waiting[0].key] = record
                self._write({"key": waiting[0].key} | dataclasses.asdict(record))
                note_known()
        note_known()

    def _read(self) -> None:
        """Read what an earlier run has kept."""
        if self.file is None:
            return
        stored = kept_setup(self.file)
        if stored is None:
            self.file.write_text("", encoding="utf-8")
            self._write({"setup": dataclasses.asdict(self.setup)})
        elif stored != self.setup:
            raise UserError(
                f"{self.file} contains the games of a different report: {stored.text}.",
                code="other-report",
                hint="--write another-folder",
            )
        text = self.file.read_text(encoding="utf-8")
        if not text.endswith("\n"):  # the run was ended in the middle of a line
            with self.file.open("a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                facts: dict[str, Any] = json.loads(line)
            except ValueError:  # that line
                continue
            if "used" in facts:
                self.used = facts["used"]
            if "key" in facts:
                key = facts.pop("key")
                self.done[key] = GameRecord.from_dict(facts)

    def _write(self, facts: dict[str, Any]) -> None:
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(facts) + "\n")


def kept_setup(file: Path) -> ReportSetup | None:
    """Return the setup of the run that a file holds, None when there is none."""
    if not file.exists():
        return None
    with file.open(encoding="utf-8") as lines:
        try:
            facts: dict[str, Any] = json.loads(next(lines, "{}"))
        except ValueError:  # ended before the first line was written
            return None
    return ReportSetup(**facts["setup"]) if "setup" in facts else None


def _strategies(games: ReportGames) -> Iterator[str]:
    """Yield the strategies that can be tried: passing where random games met a pass, and
    mirroring where moves name cells.
    """
    moves = {move for game in games.of(WALK) for move in game.moves}
    for name in STRATEGIES:
        if name.startswith("mirror") and extent_of(moves) == (0, 0):
            continue
        if name != "pass" or "pass" in moves:
            yield name


def chosen_steps(start: AnyPosition, seconds: float, workers: int) -> int:
    """Return how many doublings can be played `ROUNDS` times in so many seconds.

    A game of the weakest search tells how long games are: random games may be far shorter than
    those of anybody who looks ahead.
    """
    chance = random.Random(1)
    think(start, 1, chance)  # loads what is compiled
    positions, began = [start], time.perf_counter()
    while positions[-1].outcome() is None and len(positions) < LONGEST:
        position = positions[-1]
        positions.append(position.play(think(position, BASE, chance).move))
    a_ply = (time.perf_counter() - began) / max(1, len(positions) - 1)
    sample = positions[: max(1, len(positions) - 1) : max(1, len(positions) // 6)]
    a_node = sum(_seconds_a_node(position, chance) for position in sample) / len(sample)
    budget = seconds * (1 - TRUTH) * workers / ROUNDS / len(positions)
    steps = LEAST_STEPS
    while steps < MAX_STEPS:
        searched = GAMES_OF_A_ROUND * nodes_of(steps + 1) * a_node
        if searched + (GAMES_OF_A_STEP * steps + FURTHER_GAMES) * a_ply > budget:
            break
        steps += 1
    return steps


def _seconds_a_node(position: AnyPosition, chance: random.Random) -> float:
    """Return how long a node takes, by as many nodes as it takes to tell."""
    nodes, seconds = nodes_of(LEAST_STEPS), 0.0
    while seconds < LONG_ENOUGH and nodes < nodes_of(MAX_STEPS):
        nodes *= 2
        began = time.perf_counter()
        think(position, nodes, chance)
        seconds = time.perf_counter() - began
    return seconds / nodes


def _problems(games: ReportGames, start: AnyPosition, seconds: float) -> Iterator[GameProblem]:
    """Yield positions of the strongest games with one winning move."""
    ends_at = time.monotonic() + seconds
    problems = 0
    for record in games.top:
        position, positions = start, []
        for text in record.moves:
            positions.append(position)
            position = position.play(position.parse(text))
        # From a few plies before the end, back as far as the search can see.
        for ply in reversed(range(max(0, len(positions) - 12), len(positions) - 1)):
            if problems == PROBLEMS or time.monotonic() > ends_at:
                return
            problem = problem_in(positions[ply], record.moves[:ply], PROBLEM_SECONDS)
            if problem is not None:
                problems += 1
                yield problem
                break
