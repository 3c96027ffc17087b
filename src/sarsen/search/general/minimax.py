"""Best-first minimax: the line that looks best for both is always the one that grows.

Korf and Chickering, 1996; with what is proved carried up (Cohen-Solal, 2020). Every child of
a position is judged by `evaluate` as soon as the line comes by, and never again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.search.general.functions import OwnFunctions
from sarsen.search.general.nodes import (
    SearchLimit,
    WeighedMove,
    first_score,
    for_seat,
    is_worth_a_visit,
    proved_score,
    tighten,
)


class Judged:
    """What `evaluate`, or the best line found, promises the first seat after a move.

    Attributes:
        position: None until its moves are judged, too: so a search holds few positions.
    """

    __slots__ = (
        "children",
        "high",
        "is_complete",
        "low",
        "move",
        "position",
        "seat",
        "value",
        "visits",
    )

    def __init__(self, position: AnyPosition, move: Any, functions: OwnFunctions) -> None:
        score = first_score(position)
        self.position: AnyPosition | None = None
        self.move = move
        self.seat = position.seat
        self.low, self.high = (0.0, 1.0) if score is None else (score, score)
        self.value = functions.judge(position) if score is None else score
        self.visits = 0
        self.children: Sequence[Judged] = ()
        self.is_complete = False

    def rank(self, seat: int) -> tuple[float, float, int]:
        """Return what to sort by for the seat that may move here; more is better."""
        sure = for_seat(self.low, seat) if self.low >= self.high else 0.5
        return (sure, for_seat(self.value, seat), -self.visits)


def weigh(position: AnyPosition, functions: OwnFunctions, limit: SearchLimit) -> list[WeighedMove]:
    """Weigh the moves of a position by the lines that follow, best first."""
    root = Judged(position, None, functions)
    _grow(root, position, functions, limit)
    while root.low < root.high and not limit.is_over:
        path = _path(root)
        before = path[-2].position
        assert before is not None
        if not _grow(path[-1], before.play(path[-1].move), functions, limit):
            break
        for node in reversed(path):
            _back_up(node)
    # By visits before values: what has just become the best was hardly looked at.
    ranked = sorted(root.children, key=lambda child: _rank(child, root.seat), reverse=True)
    return [_weighed(child, root.seat) for child in ranked]


def _rank(child: Judged, seat: int) -> tuple[float, int, float]:
    sure = for_seat(child.low, seat) if child.low >= child.high else 0.5
    return (sure, child.visits, for_seat(child.value, seat))


def _path(root: Judged) -> list[Judged]:
    """Return the line that looks best for both, down to a position without children."""
    path = [root]
    while path[-1].children:
        node = path[-1]
        node.visits += 1
        seat = node.seat
        path.append(
            max(
                (child for child in node.children if is_worth_a_visit(node, child)),
                key=lambda child: child.rank(seat),
            )
        )
    return path


def _grow(node: Judged, position: AnyPosition, functions: OwnFunctions, limit: SearchLimit) -> bool:
    """Judge every move of a position; False when time was over before."""
    moves = position.legal_moves()
    if functions.policy is not None:
        weights = functions.policy(position, moves)
        order = sorted(range(len(moves)), key=lambda place: -weights[place])
        moves = [moves[place] for place in order]
    children = []
    for move in moves:
        children.append(Judged(position.play(move), move, functions))
        limit.used += 1
        if limit.is_late and node.move is not None:
            return False
        if limit.is_late:
            break
    node.position = position
    node.visits += 1
    node.children = children
    node.is_complete = len(children) == len(moves)
    _back_up(node)
    return True


def _back_up(node: Judged) -> None:
    best = max(node.children, key=lambda child: child.rank(node.seat))
    node.value = best.value
    tighten(node, node.children, is_complete=node.is_complete)


def _weighed(child: Judged, seat: int) -> WeighedMove:
    proved = proved_score(child, seat)
    score = for_seat(child.value, seat)
    return WeighedMove(child.move, score, proved, child.visits, child.position)
