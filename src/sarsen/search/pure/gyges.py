"""Gyges in pure Python: the net of the compiled levels, two plies deep at the most.

It judges every move, with a look at whether the answer wins, and the moves that look best
after every answer. Set-ups are drawn by lot, as at every level.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from sarsen.core.game import AnyPosition
from sarsen.games.gyges.board import Rings
from sarsen.games.gyges.choices import Choice, choices
from sarsen.games.gyges.rules import GygesPosition
from sarsen.search.pure import Care, Clock
from sarsen.search.pure.gyges_net import can_win, judge
from sarsen.search.thought import Candidate

LEVELS = (
    Care(0.028, choice=10),
    Care(0.016, choice=15),
    Care(0.005, choice=25),
    Care(0.0, choice=40),
)
EVEN_POINTS = 1100  # the net's points are thousandths of a logit
_WON = b"won"
_WIN = 20_000  # points


def weigh(
    position: AnyPosition, care: Care, chance: random.Random, clock: Clock
) -> Sequence[Candidate]:
    """Weigh the moves of the seat to move; see `PureModule.weigh`."""
    assert isinstance(position, GygesPosition)
    if position.is_setting_up:
        return [Candidate(chance.choice(position.legal_moves()), 0.5)]
    seat, stood = position.seat, position.stood
    found = {_WON if each.wins else each.rings: each for each in _choices(position)}
    if _WON in found:
        return [Candidate(found[_WON].move, 1.0, 1.0)]
    answered = [(_points(rings, 1 - seat), rings) for rings in found]
    # What is best for the other is worst for the mover.
    answered.sort()
    weighed: list[Candidate] = []
    for points, rings in answered:
        move = found[rings].move
        if points >= _WIN:
            weighed.append(Candidate(move, 0.0, 0.0))
        elif len(weighed) >= (care.choice or 0) or (weighed and clock.is_over):
            break
        else:
            answers = choices(rings, 1 - seat, stood | {rings})
            results = {each.rings for each in answers}
            best = min((_points(result, seat) for result in results), default=-points)
            weighed.append(Candidate(move, 0.5 + 0.5 * best / (abs(best) + EVEN_POINTS)))
    return weighed


def _choices(position: GygesPosition) -> list[Choice]:
    """List the choices, those first that the rules would list, the rest never met."""
    listed = choices(position.rings, position.seat, position.stood)
    return sorted(listed, key=lambda choice: choice.rank, reverse=True)


def _points(rings: Rings, seat: int) -> int:
    """Return points for a seat that moves next."""
    return _WIN if can_win(rings, seat) else judge(rings, seat)
