"""How a game without a search of its own is played: by its rules, and by what its `bot.py` has.

A level is how much it looks at, and how carelessly it then chooses. Needs no NumPy, and
nothing is compiled.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.search.general import minimax, trees
from sarsen.search.general.functions import MINIMAX, OwnFunctions, functions_of
from sarsen.search.general.nodes import SearchLimit, WeighedMove, first_score, for_seat, limit_of
from sarsen.search.thought import Budget, Candidate, Stop, Thought

SEARCHES = ()


@dataclass(frozen=True)
class GeneralLevel:
    """The settings of a level.

    Attributes:
        playouts: Of Monte Carlo tree search.
        positions: Of minimax; each move of the first position is judged.
        temperature: A move that looks worse by so much of a game's score is drawn e times
            more rarely than the best; 0 takes the best.
        sees_wins: It takes a win in one move.
        sees_threats: It allows no win in one move where it can help it.
    """

    playouts: int
    positions: int
    temperature: float = 0.0
    sees_wins: bool = True
    sees_threats: bool = True


LEVELS = (
    GeneralLevel(8, 1, 0.30, sees_wins=False, sees_threats=False),
    # Beats moves at random in 299 games of 300 of Breakthrough; with 80 and 0.03, in 285.
    GeneralLevel(160, 1, 0.010),
    GeneralLevel(240, 30, 0.008),
    GeneralLevel(350, 100, 0.005),
    GeneralLevel(500, 400, 0.003),
    GeneralLevel(800, 2000),
    GeneralLevel(2000, 8000),
    # For memory's sake; slow rules end at the seconds.
    GeneralLevel(20_000, 200_000),
)
# The rules of some games are slow: a level takes its part of what the last one takes.
SECONDS = 5.0
# Of the time, what the search leaves to see what its move allows.
SEARCH_SHARE = 0.93


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    functions = functions_of(position.game)
    budget = budget or Budget(_nodes(level, functions), SECONDS * level / len(LEVELS))
    return _think(position, level, functions, budget, seed, stop)


def think_uncompiled(
    position: AnyPosition, level: int, *, seed: int, seconds: float, stop: Stop | None = None
) -> Thought:
    """Find a move within `seconds`, without a module that is compiled when it is imported."""
    functions = functions_without_compiler(position.game)
    budget = Budget(_nodes(level, functions), seconds)
    return _think(position, level, functions, budget, seed, stop)


def functions_without_compiler(game: Game) -> OwnFunctions:
    """Return the functions of a game's `bot.py`; none where that may need a compiled kernel."""
    if own_module(game, "kernel") is not None:
        return OwnFunctions()
    try:
        return functions_of(game)
    except ImportError:  # NumPy or Numba, which are not installed
        return OwnFunctions()


def _nodes(level: int, functions: OwnFunctions) -> int:
    own = LEVELS[level - 1]
    return own.positions if functions.search == MINIMAX else own.playouts


def _think(
    position: AnyPosition,
    level: int,
    functions: OwnFunctions,
    budget: Budget,
    seed: int,
    stop: Stop | None,
) -> Thought:
    began = time.monotonic()
    own, limit = LEVELS[level - 1], limit_of(budget, stop)
    thought = _find(position, own, functions, limit, random.Random(seed))
    return replace(thought, nodes=max(limit.used, 1), seconds=time.monotonic() - began)


def _find(
    position: AnyPosition,
    own: GeneralLevel,
    functions: OwnFunctions,
    limit: SearchLimit,
    chance: random.Random,
) -> Thought:
    if own.sees_wins and (won := _winning_move(position, limit)) is not None:
        return _thought(won, [won])
    left = limit.ends_at - time.monotonic()
    search = replace(limit, ends_at=limit.ends_at - left * (1.0 - SEARCH_SHARE))
    if functions.search == MINIMAX:
        ranked = minimax.weigh(position, functions, search)
    else:
        ranked = trees.weigh(position, functions, search, chance)
    limit.used = search.used
    return _thought(_pick(position, own, ranked, limit, chance), ranked)


def _winning_move(position: AnyPosition, limit: SearchLimit) -> WeighedMove | None:
    for move in position.legal_moves():
        after = position.play(move)
        score = first_score(after)
        if score is not None and for_seat(score, position.seat) == 1.0:
            return WeighedMove(move, 1.0, 1.0, 1, after)
        if limit.is_late:
            return None
    return None


def _pick(
    position: AnyPosition,
    own: GeneralLevel,
    ranked: Sequence[WeighedMove],
    limit: SearchLimit,
    chance: random.Random,
) -> WeighedMove:
    """Draw a move as the level does, and another while it allows a win."""
    left = list(ranked)
    while left:
        picked = _draw(left, own.temperature, chance)
        if not own.sees_threats or not _allows_win(position, picked, limit):
            return picked
        left.remove(picked)
    return ranked[0]


def _draw(ranked: Sequence[WeighedMove], temperature: float, chance: random.Random) -> WeighedMove:
    if temperature <= 0:
        return ranked[0]
    best = max(move.score for move in ranked)
    weights = [math.exp((move.score - best) / temperature) for move in ranked]
    return chance.choices(ranked, weights)[0]


def _allows_win(position: AnyPosition, picked: WeighedMove, limit: SearchLimit) -> bool:
    if picked.proved is not None or limit.is_late:
        return picked.proved == 0.0
    after = picked.after or position.play(picked.move)
    if after.seat == position.seat:
        return False
    return _winning_move(after, limit) is not None


def _thought(picked: WeighedMove, ranked: Sequence[WeighedMove]) -> Thought:
    is_lost = all(move.proved == 0.0 for move in ranked)
    proved = None if picked.proved == 0.0 and not is_lost else picked.proved
    candidates = tuple(Candidate(move.move, move.score, move.proved) for move in ranked)
    plies = 1 if picked.proved == 1.0 and picked.after and picked.after.outcome() else None
    return Thought(
        picked.move, picked.score, proved, plies, line=(picked.move,), candidates=candidates
    )
