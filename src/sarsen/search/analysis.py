"""What is proven of a position, or else its likely best moves: a question and its answer.

The strongest search answers, in a bounded time. No NumPy and no Numba before the first question.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.symmetry import canonical
from sarsen.search import bots
from sarsen.search.thought import Budget, Stop, Thought, loading

# Another number when searches find other things: answers of older ones are not looked up.
VERSION = 2
MAX_LIKELY = 3
MAX_LINE = 60  # moves of a proven line; the row of a stored answer holds them
LIKELY_LINE = 8  # moves: what comes further on is a guess
# Of the time, for the search of the best move; the rest is for the other ones, or for the line.
DEEP_SHARE = 0.6
GLANCE_NODES = 400  # of each other move: some milliseconds
# Of the time asked for, at least: a question of less says nothing.
LEAST_SECONDS = 0.02


@dataclass(frozen=True)
class Likely:
    """A move that is likely among the best.

    Attributes:
        chance: Expected score of the seat to move after it, in [0, 1].
    """

    move: str
    chance: float


@dataclass(frozen=True)
class Analysis:
    """The answer to a question.

    Attributes:
        proved: The score of the seat to move that is proven, or None.
        line: Best play for both: proven, or the likely one.
        plies: To the end along a proven line, or None where it stops before.
        likely: Where nothing is proven, the best moves, no two of them the same under the game's
            symmetries.
        seconds: What it took of the processor.
    """

    proved: float | None
    line: tuple[str, ...]
    plies: int | None
    likely: tuple[Likely, ...]
    seconds: float


def analyse(
    position: AnyPosition, seconds: float, *, seed: int = 0, stop: Stop | None = None
) -> Analysis:
    """Search a position, and say what is proven of it.

    A proof is one of the search's provers. Its line is replayed by the rules, and goes on until
    it ends the game as was proven, or until the time is over.

    Args:
        seconds: Of the clock, so of the processor at most.
        stop: Set by another thread when nobody wants the answer any more.

    Raises:
        UserError: The game is over, or not one of two seats.
    """
    with loading():
        bots.load_module(position.game)
    began = time.thread_time()
    thought = _think(position, DEEP_SHARE * seconds, seed, stop)
    # Of the thought, not of the clock: the first one of a process loads its search.
    ends = time.monotonic() + max(seconds - thought.seconds, (1 - DEEP_SHARE) * seconds)
    line, proved = _texts(position, thought.line or (thought.move,)), thought.proved
    is_ended = False
    if proved is not None:
        line, is_ended, is_confirmed = _to_the_end(position, line, proved, ends, stop)
        proved = proved if is_confirmed else None
    return Analysis(
        proved,
        line[: MAX_LINE if proved is not None else LIKELY_LINE],
        len(line) if is_ended and proved is not None else None,
        () if proved is not None else _likely(position, thought, ends, stop),
        time.thread_time() - began,
    )


def write(analysis: Analysis) -> dict[str, Any]:
    """Return an answer as JSON can hold it."""
    return asdict(analysis)


def read(facts: Mapping[str, Any]) -> Analysis:
    """Return the answer that `write` wrote."""
    return Analysis(
        facts["proved"],
        tuple(facts["line"]),
        facts["plies"],
        tuple(Likely(**one) for one in facts["likely"]),
        facts["seconds"],
    )


def _think(position: AnyPosition, seconds: float, seed: int, stop: Stop | None) -> Thought:
    bot = bots.load(bots.strongest())
    return bot.think(position, seed=seed, budget=Budget(seconds=seconds), stop=stop)


def _texts(position: AnyPosition, moves: tuple[Any, ...]) -> tuple[str, ...]:
    """Write a line of moves; it is cut where the rules refuse one."""
    texts: list[str] = []
    for move in moves:
        if position.outcome() is not None:
            break
        try:
            after = position.play(move)
        except UserError:
            break
        texts.append(position.format(move))
        position = after
    return tuple(texts)


def _to_the_end(
    position: AnyPosition, line: tuple[str, ...], proved: float, ends: float, stop: Stop | None
) -> tuple[tuple[str, ...], bool, bool]:
    """Replay a proven line by the rules, and search on at its end.

    Returns:
        The line; whether it ends the game; and whether nothing on it contradicts the proof.
    """
    seat, reached = position.seat, position
    for text in line:
        reached = reached.play(reached.parse(text))
    while (outcome := reached.outcome()) is None:
        left = ends - time.monotonic()
        if len(line) >= MAX_LINE or left < LEAST_SECONDS or (stop is not None and stop.is_set()):
            return line, False, bool(line)
        thought = _think(reached, left, 0, stop)
        if thought.proved is None:
            return line, False, bool(line)
        if _of_seat(thought.proved, reached.seat, seat) != proved:
            return line, False, False
        for text in _texts(reached, thought.line or (thought.move,)):
            reached = reached.play(reached.parse(text))
            line = (*line, text)
    return line, True, outcome.scores[seat] == proved


def _of_seat(score: float, mover: int, seat: int) -> float:
    """Return the score of one of two seats, from that of the seat to move."""
    return score if mover == seat else 1 - score


def _likely(
    position: AnyPosition, thought: Thought, ends: float, stop: Stop | None
) -> tuple[Likely, ...]:
    """Return the best moves; of those that are the same under symmetry the first one.

    Some searches weigh the best move alone: then the others are looked at shortly, and are worth
    no more than that one.
    """
    moves = [
        (one.move, one.score if one.proved is None else one.proved) for one in thought.candidates
    ]
    # A search may order them by how often it looked.
    moves.sort(key=lambda move: (-move[1], move[0] != thought.move))
    known: set[str] = set()
    best = _distinct(position, moves or [(thought.move, thought.score)], known)[:MAX_LIKELY]
    if len(best) < MAX_LIKELY:
        others = _glances(position, known, ends, stop)
        top = best[0][1] if best else 1.0
        best += [(move, min(score, top)) for move, score in others[: MAX_LIKELY - len(best)]]
    return tuple(
        Likely(position.format(move), round(min(max(score, 0.0), 1.0), 3)) for move, score in best
    )


def _distinct(
    position: AnyPosition, moves: Sequence[tuple[Any, float]], known: set[str]
) -> list[tuple[Any, float]]:
    """Return the moves after which none of the known positions stands; these are known then."""
    found = []
    for move, score in moves:
        text = canonical(position.play(move))
        if text not in known:
            known.add(text)
            found.append((move, score))
    return found


def _glances(
    position: AnyPosition, known: set[str], ends: float, stop: Stop | None
) -> list[tuple[Any, float]]:
    """Look shortly at the moves that are left, the best first, as far as the time goes."""
    found = []
    for move in position.legal_moves():
        left = ends - time.monotonic()
        if left <= 0 or (stop is not None and stop.is_set()):
            break
        if not _distinct(position, [(move, 0.0)], known):
            continue
        budget = Budget(nodes=GLANCE_NODES, seconds=left)
        found.append((move, _score_after(position, move, budget, stop)))
    found.sort(key=lambda move: -move[1])
    best = found[:MAX_LIKELY]
    share = (ends - time.monotonic()) / max(len(best), 1)
    if share > LEAST_SECONDS:  # what is left of the time is for those that seem the best
        best = [
            (move, _score_after(position, move, Budget(seconds=share), stop)) for move, _ in best
        ]
    return sorted(best, key=lambda move: -move[1])


def _score_after(position: AnyPosition, move: Any, budget: Budget, stop: Stop | None) -> float:
    """Return the score of the seat to move after a move, by a search of the position after it."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.scores[position.seat]
    thought = bots.load(bots.strongest()).think(after, budget=budget, stop=stop)
    score = thought.score if thought.proved is None else thought.proved
    return _of_seat(score, after.seat, position.seat)
