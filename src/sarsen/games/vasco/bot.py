"""Vasco at eight levels: a tree of visits, and at the top every line of six plies first.

Loops decide most games, and a loop is closed by the side that must: what wins is seeing it
coming. The tree asks of every position whether a loop can be closed at once, plays games
to their end with players who close nothing for the other, and settles what is decided.
The highest level looks through all moves besides: no loop forced within six plies escapes
it, as far as its time goes. As X it knows by heart how to win most pools (`forced_loop`).
"""

from __future__ import annotations

from dataclasses import replace

from sarsen.core.game import AnyPosition
from sarsen.games.vasco import kernel
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.proof.forced_loop import answer
from sarsen.games.vasco.rules import VascoPosition
from sarsen.search import levels, thinking
from sarsen.search.levels import LevelSettings
from sarsen.search.thinking import Exploring, Tuning
from sarsen.search.thought import Budget, Candidate, Stop, Thought

# Compiled together with what is imported here; see `warming.game_parts`.
SEARCHES = ("tactics", "alphabeta", "mcts")

# Sixty visits tell nothing between moves that close no loop: what makes the third level is
# that it sees what nobody would overlook. From the fourth to the seventh each looks five times
# as long, which is worth some 100 points. The game gives little more: from the empty table the
# seventh as X won 14 of 14 games. So the eighth searches twice as many positions, not more: 300,000
# showed no gain (docs/strength.md), and of 35 positions its lines settled 22, now 20.
LEVELS = (
    LevelSettings(60, temperature=0.25, sees_wins=False, sees_threats=False),
    LevelSettings(60, temperature=0.18, sees_threats=False),
    LevelSettings(60, temperature=0.40),
    LevelSettings(400),
    LevelSettings(2_000),
    LevelSettings(9_000),
    LevelSettings(40_000),
    LevelSettings(80_000),
)
# Tiles up to which near-equal moves are drawn, so that openings vary.
_OPENING = 6
# From this level on every line of so many plies is looked at: with what `prove` sees at
# the ends of five plies, six.
_THOROUGH = 8
EVERY_LINE = Tuning(deepest=5, late=1 << 30, very_late=1 << 30)
# Of the budget, for the lines.
_SHARE = 0.4
# 400 scored 64 % (56 to 71) against 700 over 40 pairs, and 250 no more than 400.
EXPLORING = Exploring(exploration=400)


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    assert isinstance(position, VascoPosition)

    def search(budget: Budget) -> Thought:
        if level >= _THOROUGH:
            if (move := answer(position)) is not None:
                return _known_to_win(move)
            return _thorough(position, budget, seed, stop)
        return thinking.mcts(kernel, position, budget, seed, stop, EXPLORING)

    is_opening = position.size - position.room < _OPENING
    return levels.play(
        kernel,
        position,
        LEVELS[level - 1],
        search,
        seed=seed,
        budget=budget,
        is_opening=is_opening,
    )


def _known_to_win(move: Move) -> Thought:
    candidates = (Candidate(move, 1.0, 1.0),)
    return Thought(move, 1.0, 1.0, line=(move,), candidates=candidates, nodes=1)


def _thorough(position: VascoPosition, budget: Budget, seed: int, stop: Stop | None) -> Thought:
    """Look for forced loops, then for the best of the moves that none refutes."""
    lines = thinking.alphabeta(kernel, position, _part(budget, _SHARE), seed, stop, EVERY_LINE)
    # When the answer is wanted now, there are the lines alone: visits would be none.
    if lines.proved is not None or (stop is not None and stop.is_set()):
        return lines
    left = Budget(
        None if budget.nodes is None else max(1, budget.nodes - lines.nodes),
        None if budget.seconds is None else max(0.01, budget.seconds - lines.seconds),
    )
    visits = thinking.mcts(kernel, position, left, seed, stop, EXPLORING)
    thought = replace(
        visits, nodes=visits.nodes + lines.nodes, seconds=visits.seconds + lines.seconds
    )
    lost = {candidate.move for candidate in lines.candidates if candidate.proved == 0.0}
    if visits.proved is not None or not lost:
        return thought
    candidates = tuple(
        replace(candidate, score=0.0, proved=0.0) if candidate.move in lost else candidate
        for candidate in visits.candidates
    )
    ranked = tuple(sorted(candidates, key=lambda candidate: candidate.move in lost))
    best = ranked[0]
    line = thought.line if best.move == thought.move else (best.move,)
    return replace(
        thought, move=best.move, score=best.score, proved=None, line=line, candidates=ranked
    )


def _part(budget: Budget, share: float) -> Budget:
    return Budget(
        None if budget.nodes is None else max(1, int(budget.nodes * share)),
        None if budget.seconds is None else budget.seconds * share,
    )
