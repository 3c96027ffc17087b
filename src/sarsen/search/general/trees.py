"""Monte Carlo tree search with RAVE: a move that was good later is tried sooner.

"All moves as first" (Gelly and Silver, 2007): a playout counts, at each node on its way, for
every move that the seat to move there made later, too. Where `evaluate` is there, it takes
the place of the playout.
"""

from __future__ import annotations

import math
import random
from collections.abc import Set
from itertools import cycle
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

# Playouts by chance end here, drawn.
MAX_PLAYOUT = 400  # plies: a game that goes round would never end
EXPLORATION = 0.2
# How soon a move's own visits weigh more than what playouts say of it elsewhere.
BIAS = 0.02
POLICY_WEIGHT = 0.5
# What a move is worth of which nothing is known.
UNTRIED = 0.55
UNMET = (0, 0.0)
# As many playouts more, of the average of all, make the score of a move that few have met.
DOUBT = 5


class Tree:
    """A position, its moves, and what playouts through it gave the first seat."""

    __slots__ = (
        "children",
        "high",
        "hints",
        "legal",
        "low",
        "moves",
        "others",
        "points",
        "position",
        "seat",
        "unmet",
        "visits",
    )

    def __init__(self, position: AnyPosition) -> None:
        score = first_score(position)
        self.position = position
        self.seat = position.seat
        self.low, self.high = (0.0, 1.0) if score is None else (score, score)
        self.visits = 0
        self.points = 0.0
        self.moves: list[Any] = []
        self.children: dict[Any, Tree] = {}
        self.legal: Set[Any] = frozenset()
        # By move: how many playouts have it, and what they gave the seat to move. With
        # `evaluate` few moves are met, so that the others, which may be thousands, are kept
        # apart: one is like the next, and the first of them is at the place `unmet`.
        self.others: dict[Any, list[float]] = {}
        self.unmet = 0
        self.hints: dict[Any, float] = {}

    def open(self, functions: OwnFunctions, chance: random.Random) -> None:
        """Ask the rules for the moves, and `policy` for what it thinks of them.

        They begin at any place of their list: where there are fewer playouts than moves, only
        those at its front, of one corner of the board, would be tried.
        """
        if self.moves or self.low >= self.high:
            return
        moves = list(self.position.legal_moves())
        at = int(chance.random() * len(moves))
        self.moves = moves[at:] + moves[:at]
        self.legal = set(self.moves)
        if functions.has_playouts:
            self.others = {move: [0, 0.0] for move in self.moves}
            self.unmet = len(self.moves)
        if functions.policy is not None:
            weights = functions.policy(self.position, self.moves)
            most = max(*weights, 1e-9)
            self.hints = {
                move: POLICY_WEIGHT * max(weight, 0.0) / most
                for move, weight in zip(self.moves, weights, strict=True)
            }
            self.moves.sort(key=self.hints.__getitem__, reverse=True)

    def value(self, move: Any) -> float:
        """Return the score to expect of a move for the seat to move."""
        visits, gained = self.others.get(move, UNMET)
        child = self.children.get(move)
        if child is None or child.visits == 0:
            return gained / visits if visits else UNTRIED
        own = for_seat(child.points / child.visits, self.seat)
        if not visits:
            return own
        share = visits / (visits + child.visits + BIAS * visits * child.visits)
        return (1.0 - share) * own + share * gained / visits

    def choose(self) -> Any:
        """Return the move to try next."""
        unsure = EXPLORATION * math.sqrt(math.log(self.visits + 1.0))
        best, best_value = None, -1.0
        moves = self.moves
        while self.unmet < len(moves) and moves[self.unmet] in self.others:
            self.unmet += 1
        for move in (*self.others, *moves[self.unmet : self.unmet + 1]):
            child = self.children.get(move)
            if child is not None and not is_worth_a_visit(self, child):
                continue
            visits = 1.0 if child is None else child.visits + 1.0
            value = self.value(move) + unsure / math.sqrt(visits)
            if self.hints:
                value += self.hints[move] / visits
            if value > best_value:
                best, best_value = move, value
        return best


def weigh(
    position: AnyPosition, functions: OwnFunctions, limit: SearchLimit, chance: random.Random
) -> list[WeighedMove]:
    """Weigh the moves of a position by playouts, best first."""
    root = Tree(position)
    root.open(functions, chance)
    while root.low < root.high and not limit.is_over:
        if not _visit(root, functions, limit, chance):
            break
        limit.used += 1
    return sorted((_weighed(root, move) for move in root.moves), key=_rank, reverse=True)


def _weighed(root: Tree, move: Any) -> WeighedMove:
    child = root.children.get(move)
    visits = 0 if child is None else child.visits
    proved = None if child is None else proved_score(child, root.seat)
    after = None if child is None else child.position
    if proved is not None:
        return WeighedMove(move, proved, proved, visits, after)
    average = for_seat(root.points / root.visits, root.seat) if root.visits else 0.5
    move_visits = visits + root.others.get(move, UNMET)[0]
    score = (move_visits * root.value(move) + DOUBT * average) / (move_visits + DOUBT)
    return WeighedMove(move, score, None, visits, after)


def _rank(move: WeighedMove) -> tuple[float, int, float]:
    """Return what to sort by: proved wins first, proved losses last."""
    sure = 0.5 if move.proved is None else move.proved
    return (sure, move.visits, move.score)


def _visit(root: Tree, functions: OwnFunctions, limit: SearchLimit, chance: random.Random) -> bool:
    """Go down to a leaf, play it out, and count that on the way; False when it is too late."""
    path, played = [root], []
    node = root
    while node.moves:
        move = node.choose()
        if move is None:
            break
        played.append((node.seat, move))
        child = node.children.get(move)
        is_new = child is None
        if child is None:
            child = node.children[move] = Tree(node.position.play(move))
            node.others.setdefault(move, [0, 0.0])
        path.append(child)
        node = child
        if is_new:
            break
    else:
        node.open(functions, chance)
    score = _score(node, functions, limit, chance, played)
    if score is None:
        return False
    _count(path, played, score)
    _settle(path)
    return True


def _score(
    leaf: Tree,
    functions: OwnFunctions,
    limit: SearchLimit,
    chance: random.Random,
    played: list[tuple[int, Any]],
) -> float | None:
    """Return what a leaf gives the first seat; None when time is over before it is known."""
    if leaf.low >= leaf.high:
        return leaf.low
    if functions.rollout is not None:
        result = functions.rollout(leaf.position, chance)
        if not isinstance(result, tuple):
            return for_seat(result, leaf.seat)
        score, moves = result
        # The seats move in turn, as `OwnFunctions` says.
        played += zip(cycle((leaf.seat, 1 - leaf.seat)), moves)
        return for_seat(score, leaf.seat)
    if functions.evaluate is not None:
        return functions.judge(leaf.position)
    position = leaf.position
    for _ in range(MAX_PLAYOUT):
        moves = position.legal_moves()
        if not moves:
            return first_score(position)
        if limit.is_late:
            return None
        move = moves[int(chance.random() * len(moves))]
        played.append((position.seat, move))
        position = position.play(move)
    return 0.5


def _count(path: list[Tree], played: list[tuple[int, Any]], score: float) -> None:
    later: tuple[dict[Any, None], dict[Any, None]] = ({}, {})
    for seat, move in played[len(path) - 1 :]:
        later[seat][move] = None
    for place in range(len(path) - 1, -1, -1):
        node = path[place]
        node.visits += 1
        node.points += score
        if place < len(path) - 1:
            seat, move = played[place]
            later[seat][move] = None
        gain = score if node.seat == 0 else 1.0 - score
        others = node.others
        for move in later[node.seat]:
            statistics = others.get(move)
            if statistics is None and move in node.legal:
                statistics = others[move] = [0, 0.0]
            if statistics is not None:
                statistics[0] += 1
                statistics[1] += gain


def _settle(path: list[Tree]) -> None:
    """Carry up what the end of a path proves."""
    if path[-1].low == 0.0 and path[-1].high == 1.0:
        return
    for node in reversed(path[:-1]):
        is_complete = len(node.children) == len(node.moves)
        if not tighten(node, node.children.values(), is_complete=is_complete):
            return
