"""What a report plays: its setup, its tasks, and the order they come in.

Players are searches of 8, 16, 32 … nodes a move; step 0 plays at random. A round is one game
or pair of each kind; the report plays rounds until its time is over, so that the first rounds
of two runs with one seed are the same games, however fast the machines are.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

BASE = 8  # nodes of step 1
LEAST_STEPS, MAX_STEPS = 3, 11
LONGEST = 500  # plies; a longer game counts as unfinished, and would take the time of several
WALKS = 60  # games of random moves
MAX_FIRST_MOVES = 40  # that the opening table values: each needs games of its own
VALUATIONS = 4  # searches of a first move, with a part of the judge's nodes each
BALANCED = 3  # openings that are played out

# The kinds of tasks.
WALK, OPENING, LADDER, SELF, JUDGED, EXPLOIT, BALANCE = (
    *("walk", "opening", "ladder", "self", "judged"),
    *("exploit", "balance"),
)
RANDOM = "random"
ROUND_KINDS = (LADDER, SELF, JUDGED, EXPLOIT, BALANCE)
MIRRORS = ("half-turn", "left-right", "top-bottom", "diagonal")
STRATEGIES = (*(f"mirror {way}" for way in MIRRORS), "copy", "pass", "rush")


@dataclass(frozen=True)
class ReportSetup:
    """The game that is reported on, and how it is played.

    Attributes:
        source: The name of a game, or the path of a folder or file with one.
        options: As typed: `-size=6`.
        steps: Doublings of nodes, the first from random play to `BASE` nodes.
    """

    source: str
    options: str
    seed: int
    steps: int

    @property
    def text(self) -> str:
        """The setup as typed: `druid -size=5 --seed 1 --steps 6`."""
        words = (self.source, self.options, f"--seed {self.seed} --steps {self.steps}")
        return " ".join(filter(None, words))

    @property
    def judge(self) -> int:
        """Nodes of the search that judges the positions of judged games."""
        return 2 * nodes_of(self.steps)

    @property
    def rival(self) -> int:
        """The step that simple strategies play against."""
        return self.steps - 1


def nodes_of(step: int) -> int:
    """Return the nodes a move of a step, 0 for random play."""
    return 0 if step == 0 else BASE * 2 ** (step - 1)


@dataclass(frozen=True)
class Task:
    """One game, or one first move that is valued.

    Attributes:
        kind: One of the kinds above.
        index: Of the round, or of the walk or first move.
        players: One a seat: a step as text, or one of `STRATEGIES`.
        opening: Moves that are given.
    """

    kind: str
    index: int
    players: tuple[str, str] = ("0", "0")
    opening: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name of the task in the file of a run, and the seed of its chance."""
        return " ".join((self.kind, str(self.index), *self.players, *self.opening))

    def __str__(self) -> str:
        return self.key


@dataclass(frozen=True)
class GameRecord:
    """One game, or one valued first move.

    Attributes:
        moves, seats: The moves as text, and the seat that made each.
        scores: None for a game that did not end; one a seat.
        branching: The number of legal moves, one a ply.
        values: Of judged games: the score that the judge expects for the first seat, before
            each ply and after the last. Of first moves: the same by several searches.
        near: Of judged games: how many moves are within 5 % of the best, one a ply; 0 where
            the judge did not weigh them.
        agreed: Of judged games: whether a search of an eighth of the nodes prefers the same
            move as the judge, one a ply.
        problems: Of judged games: written positions with one move that is proved to win, all
            others proved not to, and that move.
        lines: Of walks: the lines of the rules that were run, by file name.
        own: How many moves of a simple strategy were its own, and not of the search that it
            plays as otherwise; None for other games, and in files of earlier versions.
        seconds: Of the processor.
    """

    moves: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    scores: tuple[float, float] | None = None
    branching: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    near: tuple[int, ...] = ()
    agreed: tuple[bool, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    lines: tuple[int, ...] = ()
    own: int | None = None
    seconds: float = 0.0

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> GameRecord:
        """Read what `dataclasses.asdict` and JSON made of a record."""
        facts = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in facts.items()
        }
        facts["problems"] = tuple((line, move) for line, move in facts["problems"])
        return cls(**facts)


def walks() -> Iterator[Task]:
    """Yield the games of random moves, which come first."""
    yield from (Task(WALK, index) for index in range(WALKS))


def first_moves(texts: list[str], classes: Iterable[str], seed: int) -> Iterator[Task]:
    """Yield the first moves to value: one of each class, or some of these in their order.

    Args:
        texts: All first moves.
        classes: One of each class.
    """
    chance = random.Random(f"first moves {seed}")
    texts_of_classes = list(classes)
    chosen = set(
        texts_of_classes
        if len(texts_of_classes) <= MAX_FIRST_MOVES
        else chance.sample(texts_of_classes, MAX_FIRST_MOVES)
    )
    for index, text in enumerate(texts):
        if text in chosen:
            yield Task(OPENING, index, opening=(text,))


def round_of(
    setup: ReportSetup,
    index: int,
    strategies: tuple[str, ...],
    balanced: tuple[str, ...],
    drawn: tuple[str, ...],
    first: str,
) -> Iterator[Task]:
    """Yield the games of one round.

    Args:
        strategies: Those that can be tried in this game.
        balanced: The first moves that are played out.
        drawn: The opening by chance of the games between two steps.
        first: A good first move, for the games of equal players.
    """
    for step in range(1, setup.steps + 1):
        yield Task(LADDER, index, (str(step), str(step - 1)), drawn)
        yield Task(LADDER, index, (str(step - 1), str(step)), drawn)
    top = str(setup.steps)
    yield Task(LADDER, index, (top, "0"), drawn)
    yield Task(LADDER, index, ("0", top), drawn)
    for step in range(setup.steps + 1):
        yield Task(SELF, index, (str(step), str(step)), (first,) if step else ())
    yield Task(JUDGED, index, (str(setup.steps - 1),) * 2, (first,))
    rival = str(setup.rival)
    for strategy in strategies:
        yield Task(EXPLOIT, index, (rival, strategy), (first,))
        if not strategy.startswith(("mirror", "copy")):
            yield Task(EXPLOIT, index, (strategy, rival))
    for text in balanced[index % max(1, len(balanced)) :][:1]:
        yield Task(BALANCE, index, (top, top), (text,))
