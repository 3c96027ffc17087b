"""Any other game in pure Python: playouts of its own rules, shared out among its moves."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from sarsen.core.game import AnyPosition
from sarsen.search.plain_bots import Care, Deadline
from sarsen.search.thought import Candidate

LEVELS = (
    Care(0.30, sees_wins=False, sees_threats=False),
    Care(0.22, sees_threats=False),
    Care(0.16),
    Care(0.11),
)
_PLAYOUTS = 100
_LONGEST = 400  # plies; a longer playout counts as drawn


@dataclass
class _TriedMove:
    """A move, the position after it, and what its playouts gave the seat to move."""

    move: object
    after: AnyPosition
    points: float = 0.0
    playouts: int = 0

    @property
    def score(self) -> float:
        """The mean, as if one playout more had been drawn."""
        return (self.points + 0.5) / (self.playouts + 1)


def weigh(
    position: AnyPosition, care: Care, chance: random.Random, clock: Deadline
) -> Sequence[Candidate]:
    """Weigh the moves of the seat to move; see `PlainBotModule.weigh`."""
    moves = list(position.legal_moves())
    chance.shuffle(moves)
    tries: list[_TriedMove] = []
    for move in moves:
        tries.append(_TriedMove(move, position.play(move)))
        if clock.is_over:
            break
    ended = [tried for tried in tries if tried.after.outcome() is not None]
    if care.sees_wins:
        for tried in ended:
            if _score(tried.after, position.seat) == 1.0:
                return [Candidate(tried.move, 1.0, 1.0)]
    _play_out(tries, position.seat, chance, clock)
    return [_candidate(tried, position.seat, care, clock) for tried in tries]


def _play_out(tries: list[_TriedMove], seat: int, chance: random.Random, clock: Deadline) -> None:
    """Play games of chance, more of them from moves that look well."""
    for number in range(1, _PLAYOUTS + 1):
        if clock.is_over:
            return
        chosen = max(
            tries,
            key=lambda tried: tried.score + math.sqrt(math.log(number) / (tried.playouts + 1)),
        )
        chosen.points += _played_out(chosen.after, seat, chance, clock)
        chosen.playouts += 1


def _played_out(position: AnyPosition, seat: int, chance: random.Random, clock: Deadline) -> float:
    for _ in range(_LONGEST):
        moves = position.legal_moves()
        if not moves:
            return _score(position, seat)
        if clock.is_over:
            break
        position = position.play(chance.choice(moves))
    return 0.5


def _candidate(tried: _TriedMove, seat: int, care: Care, clock: Deadline) -> Candidate:
    if tried.after.outcome() is not None:
        score = _score(tried.after, seat)
        return Candidate(tried.move, score, score)
    if care.sees_threats and _allows_win(tried.after, seat, clock):
        return Candidate(tried.move, 0.0, 0.0)
    return Candidate(tried.move, tried.score)


def _allows_win(after: AnyPosition, seat: int, clock: Deadline) -> bool:
    if after.seat == seat:
        return False
    for answer in after.legal_moves():
        if clock.is_over:
            return False
        following = after.play(answer)
        if following.outcome() is not None and _score(following, seat) == 0.0:
            return True
    return False


def _score(position: AnyPosition, seat: int) -> float:
    outcome = position.outcome()
    assert outcome is not None
    return float(outcome.scores[seat])
