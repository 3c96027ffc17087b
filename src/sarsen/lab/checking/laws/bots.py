"""What must hold of the functions that `bot.py` of a game brings for the searches."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from numbers import Real
from typing import Any

from sarsen.core.game import AnyPosition, Game
from sarsen.lab.checking.walks import Fault, Finding, Law, Note, Walk, mixed_options, walk
from sarsen.search.general.functions import OwnFunctions, functions_of

ROLLOUTS = 3  # of a position
MAX_GAME = 400  # plies of a random game whose winner is compared; longer ones are left out
MAX_GAMES, MIN_EACH = 300, 15  # games; positions that were won, and that were lost
LATE = 0.8  # of a game, from where it can be seen who wins
WRONG = -4.0  # standard deviations: by chance in one game of thirty thousand


def functions_answer(walk: Walk) -> Iterator[Fault]:
    """`evaluate`, `policy` and `rollout` answer with numbers, and change nothing."""
    position, own = walk.position, functions_of(walk.game)
    moves = list(position.legal_moves())
    if not moves:
        return
    if own.evaluate and not _is_number(value := own.evaluate(position)):
        yield Fault("bot", f"`evaluate` returns {value!r}, no finite number.")
    if own.policy:
        walk.note(walk.line())
        told = list(own.policy(position, tuple(moves)))
        if len(told) != len(moves) or not all(map(_is_number, told)):
            yield Fault("bot", f"`policy` returns {len(told)} values for {len(moves)} moves.")
    for seed in range(ROLLOUTS if own.rollout else 0):
        walk.note(walk.line())  # each call has its own time
        score, played = _rolled_out(own, position, seed)
        if not _is_number(score) or not 0 <= score <= 1:
            yield Fault("bot", f"`rollout` returns the score {score!r}, not one from 0 to 1.")
            return
        if played and played[0] not in moves:
            yield Fault("bot", f"`rollout` begins with {played[0]}, which is not legal here.")
            return
    if list(position.legal_moves()) != moves:
        yield Fault("bot", "A function of bot.py changes the position that it is asked about.")


def functions_judge_for_the_mover(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Note when `evaluate` or `rollout` prefers late positions whose seat to move then lost."""
    own = functions_of(game)
    for name, judge in _judges(own):
        won, lost, line = list[float](), list[float](), ""
        for number in range(MAX_GAMES):
            if time.process_time() > deadline:
                break
            chance = random.Random(number)
            met = list(walk(game, mixed_options(game, chance), number, MAX_GAME, note))
            outcome = met[-1].position.outcome()
            if len(met) < 2 or outcome is None or outcome.winner is None:
                continue
            found = met[chance.randrange(int(LATE * (len(met) - 1)), len(met) - 1)]
            note(found.line())
            is_won = outcome.winner == found.position.seat
            (won if is_won else lost).append(judge(found.position))
            line = found.line()
        if min(len(won), len(lost)) < MIN_EACH:
            continue
        if _deviation(won, lost) < WRONG:
            said = (
                f"`{name}` of bot.py is larger where the seat to move lost a random game than "
                "where it won. Is it for the seat to move?"
            )
            yield Finding("bot-side", said, line, is_error=False)


def _judges(own: OwnFunctions) -> Iterator[tuple[str, Callable[[AnyPosition], float]]]:
    if own.evaluate:
        yield "evaluate", own.evaluate
    if own.rollout:
        yield "rollout", lambda position: sum(_rolled_out(own, position, s)[0] for s in range(4))


def _deviation(won: Sequence[float], lost: Sequence[float]) -> float:
    """Return by how many standard deviations more than half of the pairs are told rightly.

    The test of Mann and Whitney (1947), by its normal approximation.
    """
    pairs = len(won) * len(lost)
    right = sum((one > other) + (one == other) / 2 for one in won for other in lost)
    return (right - pairs / 2) / math.sqrt(pairs * (len(won) + len(lost) + 1) / 12)


def _rolled_out(own: OwnFunctions, position: AnyPosition, seed: int) -> tuple[Any, Sequence[Any]]:
    """Return the score of a rollout, and the moves where it tells them."""
    assert own.rollout is not None
    told = own.rollout(position, random.Random(seed))
    return told if isinstance(told, tuple) else (told, ())


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and math.isfinite(value)


SOME_PLIES: tuple[Law, ...] = (functions_answer,)
