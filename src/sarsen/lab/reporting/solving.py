"""What is true of a game for certain: small boards solved, positions and games counted.

Two positions of one ply count as one where each side has made the same moves, in whatever order,
and all other fields agree: rules that ask for the order of earlier moves keep it in a field.
"""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.options import Number
from sarsen.lab.proofs import proof_module
from sarsen.search.general import trees
from sarsen.search.general.functions import OwnFunctions
from sarsen.search.general.nodes import for_seat, limit_of
from sarsen.search.thought import Budget

MAX_STATES = 2_000_000  # kept, for memory's sake; others are solved again
GUIDED = 6  # plies, where a whole game is solved
PLAYOUTS = 150
FORGOTTEN = ("moves", "terms", "options")


class OutOfTime(Exception):
    """A question took longer than it may."""


def key_of(position: AnyPosition, ply: int) -> Any:
    """Return what tells a position from others; see the module."""
    if not dataclasses.is_dataclass(position):
        return position.write()
    fields = dataclasses.fields(position)
    moves: tuple[Any, ...] = getattr(position, "moves", ())
    key = (
        *(ply, tuple(sorted(moves[::2])), tuple(sorted(moves[1::2]))),
        *(
            _frozen(getattr(position, field.name))
            for field in fields
            if field.name not in FORGOTTEN
        ),
    )
    try:
        hash(key)
    except TypeError:  # a field of the game's own kind
        return position.write()
    return key


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return frozenset(value) if isinstance(value, set) else value


@dataclass
class Solver:
    """Find the score of positions with best play by searching everything (alpha-beta).

    Attributes:
        seconds: For all questions together.
        guided: Plies at which moves are tried in the order that playouts suggest.
        known: The bounds of positions met, for the first seat.
        good: How often a move was best, by seat: it is tried sooner.
    """

    seconds: float
    guided: int = 0
    known: dict[Any, tuple[float, float]] = field(default_factory=dict)
    good: dict[tuple[int, str], int] = field(default_factory=dict)
    nodes: int = 0

    def __post_init__(self) -> None:
        self.ends_at = time.monotonic() + self.seconds

    def score(
        self, position: AnyPosition, low: float = 0.0, high: float = 1.0, ply: int = 0
    ) -> float:
        """Return the first seat's score with best play, as far as it lies between two bounds.

        Raises:
            OutOfTime: It would take longer than `seconds`.
        """
        outcome = position.outcome()
        if outcome is not None:
            return outcome.scores[0]
        self.nodes += 1
        # A guided node takes as long as its playouts.
        if (ply < self.guided or self.nodes % 64 == 0) and time.monotonic() > self.ends_at:
            raise OutOfTime
        key = key_of(position, ply)
        least, most = self.known.get(key, (0.0, 1.0))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        best = self._searched(position, max(low, least), min(high, most), ply)
        if len(self.known) < MAX_STATES:
            bounds = (best, 1.0) if best >= high else (0.0, best) if best <= low else (best, best)
            self.known[key] = (max(least, bounds[0]), min(most, bounds[1]))
        return best

    def _searched(self, position: AnyPosition, low: float, high: float, ply: int) -> float:
        seat = position.seat
        best = 0.0 if seat == 0 else 1.0
        good = self.good
        if ply < self.guided:
            moves = _ordered(position, self.ends_at)
        else:
            texts = {move: position.format(move) for move in position.legal_moves()}
            moves = sorted(texts, key=lambda move: -good.get((seat, texts[move]), 0))
        for move in moves:
            score = self.score(position.play(move), low, high, ply + 1)
            best = max(best, score) if seat == 0 else min(best, score)
            low, high = (max(low, best), high) if seat == 0 else (low, min(high, best))
            if low >= high:
                name = (seat, position.format(move))
                good[name] = good.get(name, 0) + 1
                break
        return best


def _ordered(position: AnyPosition, ends_at: float) -> list[Any]:
    """Return the moves, the most promising first, as far as the time allows to tell."""
    limit = limit_of(Budget(PLAYOUTS, max(0.0, ends_at - time.monotonic())), None)
    weighed = trees.weigh(position, OwnFunctions(), limit, random.Random(1))
    return [candidate.move for candidate in weighed]


def sentence_of(score: float) -> str:
    """Return a score of the first seat as a sentence without an end."""
    return {1.0: "the first player wins", 0.0: "the second player wins"}.get(score, "it is a draw")


@dataclass(frozen=True)
class Solved:
    """A board whose result is known.

    Attributes:
        options: As typed.
        score: Of the first seat with best play.
        nodes: Positions searched by the rules; None where the game's own `proof` knows.
    """

    options: str
    score: float
    nodes: int | None

    @property
    def how(self) -> str:
        """The source of the result, as words."""
        if self.nodes is None:
            return "by the game's own proof"
        return f"by searching {self.nodes:,} positions"

    @property
    def text(self) -> str:
        """The result as words."""
        return {1.0: "the first player wins", 0.0: "the second player wins"}.get(
            self.score, "a draw"
        )

    @property
    def sentence(self) -> str:
        """The result as a sentence without an end."""
        return sentence_of(self.score)


def solved_sizes(game: Game, options: str, seconds: float) -> list[Solved]:
    """Solve the smallest boards, from the least value of the option `size` on, then the asked one.

    Args:
        seconds: For all.
    """
    results: list[Solved] = []
    own: Any = proof_module(game)
    ends_at = time.monotonic() + seconds
    for text in _boards(game, options):
        left = ends_at - time.monotonic()
        score = own.score(text, left) if hasattr(own, "score") else None
        if score is not None:
            results.append(Solved(text, score, None))
            continue
        solver = Solver(ends_at - time.monotonic(), GUIDED)
        try:
            results.append(Solved(text, solver.score(game.start(text)), solver.nodes))
        except (OutOfTime, RecursionError):
            break
    return results


def _boards(game: Game, options: str) -> list[str]:
    start = game.start(options)
    size = next(
        (
            option
            for option in game.info.options
            if isinstance(option, Number) and option.name == "size"
        ),
        None,
    )
    if size is None:
        return [options]
    texts = []
    others = " ".join(word for word in options.split() if not word.startswith("-size="))
    for number in range(size.low, int(str(start.options["size"])) + 1, size.step):
        text = f"-size={number} {others}".strip()
        try:
            game.start(text)
        except UserError:
            continue
        texts.append(text)
    return texts


@dataclass(frozen=True)
class Counts:
    """How many positions and games there are within so many plies.

    Attributes:
        perft: Sequences of moves, by plies; the n-th ends after n plies or is over at n.
        states: Different positions, by plies.
    """

    perft: tuple[int, ...]
    states: tuple[int, ...]


def counted(start: AnyPosition, seconds: float) -> Counts:
    """Count ply by ply, until the time is over or the game."""
    ends_at = time.monotonic() + seconds
    layer: dict[Any, tuple[AnyPosition, int]] = {key_of(start, 0): (start, 1)}
    perft, states = [1], [1]
    while layer:
        ply, after = len(perft), dict[Any, tuple[AnyPosition, int]]()
        for position, ways in layer.values():
            for move in position.legal_moves():
                child = position.play(move)
                key = key_of(child, ply)
                after[key] = (child, after.get(key, (child, 0))[1] + ways)
            if time.monotonic() > ends_at:
                return Counts(tuple(perft), tuple(states))
        if after:
            perft.append(sum(ways for _, ways in after.values()))
            states.append(len(after))
        layer = after
    return Counts(tuple(perft), tuple(states))


@dataclass(frozen=True)
class GameProblem:
    """A position with one winning move, proved by searching all others.

    Attributes:
        line: The position as `Position.write` writes it.
        moves: Those of the game so far, as text.
    """

    line: str
    moves: tuple[str, ...]
    answer: str


def problem_in(position: AnyPosition, moves: tuple[str, ...], seconds: float) -> GameProblem | None:
    """Return the problem that a position is: one move wins, and each other one does not.

    Moves that win at once are no problem.
    """
    seat, solver = position.seat, Solver(seconds)
    wins: list[str] = []
    try:
        for move in position.legal_moves():
            after = position.play(move)
            score = solver.score(after)
            if for_seat(score, seat) == 1.0:
                if after.outcome() is not None or wins:
                    return None
                wins.append(position.format(move))
    except (OutOfTime, RecursionError):
        return None
    return GameProblem(position.write(), moves, wins[0]) if wins else None
