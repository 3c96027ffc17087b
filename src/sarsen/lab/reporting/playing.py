"""Play the tasks of a report, in whichever process."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from sarsen.core.game import AnyPosition, Game
from sarsen.lab.checking.loading import load_game
from sarsen.lab.reporting.plan import (
    EXPLOIT,
    JUDGED,
    LONGEST,
    OPENING,
    VALUATIONS,
    WALK,
    GameRecord,
    ReportSetup,
    Task,
    nodes_of,
)
from sarsen.lab.reporting.strategies import Strategy, extent_of, strategy
from sarsen.search import bots
from sarsen.search.general.nodes import for_seat
from sarsen.search.thought import Budget, Thought

# Moves of one position, where the search does not weigh all of them: each is searched.
MAX_WEIGHED = 16
NEAR = 0.05  # of the score: a move so little worse than the best is as good as the best
SHALLOW = 8  # the judge looks at so many times more nodes than the search it is compared with


def think(position: AnyPosition, nodes: int, chance: random.Random) -> Thought:
    """Search a position with so many nodes, a fifth more or less, so that games differ."""
    nodes = max(1, round(nodes * chance.uniform(0.8, 1.2)))
    seed = chance.getrandbits(31)
    return bots.load(bots.MOST).think(position, seed=seed, budget=Budget(nodes))


def judged_score(position: AnyPosition, thought: Thought) -> float:
    """Return the score that a search expects for the first seat."""
    score = thought.score if thought.proved is None else thought.proved
    return for_seat(score, position.seat)


@dataclass
class ReportJob:
    """The work of a report, for a pool of processes."""

    setup: ReportSetup

    def open(self) -> ReportWorker:
        """Load the game in this process."""
        return ReportWorker(self.setup, load_game(self.setup.source))


@dataclass
class ReportWorker:
    """Play the games of a report."""

    setup: ReportSetup
    game: Game
    strategies: dict[str, Strategy] = field(default_factory=dict)

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def do(self, task: Task) -> GameRecord:
        """Play one game, or value one first move."""
        began = time.process_time()
        chance = random.Random(f"{self.setup.seed} {task.key}")
        if task.kind == OPENING:
            record = self._valued(task, chance)
        elif task.kind == WALK:
            with _lines_run(self.game) as lines:
                record = self._played(task, chance)
            record = replace(record, lines=tuple(sorted(lines)))
        else:
            record = self._played(task, chance)
        return replace(record, seconds=time.process_time() - began)

    def _start(self, opening: tuple[str, ...]) -> Iterator[AnyPosition]:
        position = self.game.start(self.setup.options)
        yield position
        for text in opening:
            if position.outcome() is None:
                position = position.play(position.parse(text))
                yield position

    def _valued(self, task: Task, chance: random.Random) -> GameRecord:
        *_, position = self._start(task.opening)
        outcome = position.outcome()
        if outcome is not None:
            return GameRecord(task.opening, values=(outcome.scores[0],) * VALUATIONS)
        nodes = self.setup.judge // VALUATIONS
        thoughts = [think(position, nodes, chance) for _ in range(VALUATIONS)]
        values = tuple(judged_score(position, thought) for thought in thoughts)
        return GameRecord(task.opening, values=values)

    def _played(self, task: Task, chance: random.Random) -> GameRecord:
        opening = list(self._start(task.opening))
        game = _GameSoFar(task.kind == JUDGED, self.setup.judge, chance)
        for before, after, text in zip(opening, opening[1:], task.opening, strict=False):
            game.take(before, text, after)
        position, own = opening[-1], 0
        while position.outcome() is None and len(game.moves) < LONGEST:
            last = game.moves[-1] if game.moves else ""
            player = task.players[position.seat]
            move = None if player.isdigit() else self._strategy(player)(position, last, chance)
            own += move is not None
            if move is None:
                move = self._searched(player, position, chance)
            after = position.play(move)
            game.take(position, position.format(move), after)
            position = after
        record = game.record(position)
        return replace(record, own=own) if task.kind == EXPLOIT else record

    def _searched(self, player: str, position: AnyPosition, chance: random.Random) -> Any:
        """Return the move of a step, or of a strategy without a move of its own: the rival's."""
        step = int(player) if player.isdigit() else self.setup.rival
        if step == 0:
            return chance.choice(position.legal_moves())
        return think(position, nodes_of(step), chance).move

    def _strategy(self, name: str) -> Strategy:
        if name not in self.strategies:
            start = self.game.start(self.setup.options)
            texts = [start.format(move) for move in start.legal_moves()]
            self.strategies[name] = strategy(name, extent_of(texts))
        return self.strategies[name]


@dataclass
class _GameSoFar:
    """The record of a game while it is played."""

    is_judged: bool
    judge: int
    chance: random.Random
    moves: list[str] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    branching: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    near: list[int] = field(default_factory=list)
    agreed: list[bool] = field(default_factory=list)

    def take(self, before: AnyPosition, text: str, after: AnyPosition) -> None:
        """Note a move."""
        self.moves.append(text)
        self.seats.append(before.seat)
        count = len(before.legal_moves())
        self.branching.append(count)
        if self.is_judged:
            deep = think(before, self.judge, self.chance)
            shallow = think(before, self.judge // SHALLOW, self.chance)
            self.values.append(judged_score(before, deep))
            self.near.append(_near(before, deep, self.judge, self.chance))
            self.agreed.append(shallow.move == deep.move)

    def record(self, position: AnyPosition) -> GameRecord:
        """Return the game that ended in a position, or was too long."""
        outcome = position.outcome()
        scores = None if outcome is None else (outcome.scores[0], outcome.scores[1])
        if self.is_judged and scores is not None:
            self.values.append(scores[0])
        return GameRecord(
            *(tuple(self.moves), tuple(self.seats), scores, tuple(self.branching)),
            *(tuple(self.values), tuple(self.near), tuple(self.agreed)),
        )


def _near(position: AnyPosition, thought: Thought, judge: int, chance: random.Random) -> int:
    """Return how many moves are about as good as the best."""
    moves = list(position.legal_moves())
    if len(thought.candidates) >= len(moves):
        weighed = thought.candidates
        scores = [
            candidate.score if candidate.proved is None else candidate.proved
            for candidate in weighed
        ]
        return _count_near(scores)
    sample = moves if len(moves) <= MAX_WEIGHED else chance.sample(moves, MAX_WEIGHED)
    if thought.move not in sample:
        sample[0] = thought.move
    scores = [_score_after(position, move, judge // SHALLOW, chance) for move in sample]
    return max(1, round(_count_near(scores) * len(moves) / len(sample)))


def _count_near(scores: list[float]) -> int:
    best = max(scores)
    return sum(score >= best - NEAR for score in scores)


def _score_after(position: AnyPosition, move: Any, nodes: int, chance: random.Random) -> float:
    """Return what a move promises the seat that makes it."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.scores[position.seat]
    return for_seat(judged_score(after, think(after, nodes, chance)), position.seat)


def rules_file(game: Game) -> str:
    """Return the file with the rules of a game."""
    module = sys.modules[type(game.start("")).__module__]
    return str(module.__file__)


@contextmanager
def _lines_run(game: Game) -> Iterator[set[int]]:
    """Note which lines of the rules run within a `with` block."""
    rules, lines = rules_file(game), set[int]()

    def on_line(frame: FrameType, event: str, argument: object) -> Any:
        lines.add(frame.f_lineno)
        return on_line

    def on_call(frame: FrameType, event: str, argument: object) -> Any:
        return on_line if frame.f_code.co_filename == rules else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        yield lines
    finally:
        sys.settrace(before)
