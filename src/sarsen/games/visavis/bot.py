"""Visavis at eight levels: from a feeling for currents to perfect play.

Every level feels what a bridge is worth (`visavis.sense`) and draws among the bridges by
that; lower levels draw more freely. Higher levels also look, more often the higher they
are, at who wins (`visavis.verdict`), and then play a bridge that is proved to win, or set
the best trap in a lost position. The highest always looks: it wins whatever is won.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.visavis.board import O
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.proof.cells import Built, Cells, cells_of
from sarsen.games.visavis.proof.sense import shortest, traps, weigh_bridges, winning_way
from sarsen.games.visavis.proof.verdict import JudgingBudget, judge, judge_cells
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.search.chance import seeded
from sarsen.search.thought import Budget, Candidate, Stop, Thought

# Nothing is compiled beside what is imported here; see `warming.game_parts`.
SEARCHES = ()


@dataclass(frozen=True)
class VisavisLevel:
    """The settings of a level.

    Attributes:
        care: How many steps of care it takes in drawing a bridge by its worth.
        sight: How often in a hundred moves it looks at who wins.
        sees_wins: It takes a win in one move.
        sees_threats: It stops a win in one move.
    """

    care: float
    sight: int = 0
    sees_wins: bool = True
    sees_threats: bool = True

    def power(self, size: int) -> float:
        """Return the power of a bridge's worth to which it is drawn.

        On a large board more moves count, so that a step of care must be smaller, and
        careless play worse; the numbers are measured, to keep levels about equally apart.
        """
        return float(size / 15 * (1 + 5 / size) ** self.care)


# Measured on size 25, with seats exchanged. Small odd boards tell the high levels apart only
# where a level lets go of what O has won: perfect against perfect, O always wins.
LEVELS = (
    VisavisLevel(2.05, sees_wins=False, sees_threats=False),
    VisavisLevel(2.7, sees_threats=False),
    VisavisLevel(3.4),
    VisavisLevel(4.4),
    VisavisLevel(6.5, sight=11),
    VisavisLevel(7.2, sight=27),
    VisavisLevel(8.2, sight=52),
    VisavisLevel(10, sight=100),
)
# Most for a move: positions judged, so that a thought can be repeated, and seconds, so that
# it ends on any machine. No move of sixteen games on sizes 13 and 25 judged 1,000.
BUDGET = Budget(nodes=1_500, seconds=4.0)
_VERDICT = 0.5  # of what is left, for the question who wins
_OPENING = 0.25  # the same for each first bridge that may tempt
_WEIGHED = 16  # bridges, those that feel worth most, among which winning ones are sought
_VARIED = 4  # bridges up to which any winning one is as good
_TEMPTING = 6  # lost first bridges among which to choose
_MAX_CANDIDATES = 8  # candidates told


@dataclass(frozen=True)
class _Task:
    """The position and the pieces left of a player."""

    position: VisavisPosition
    level: VisavisLevel
    cells: Cells
    built: Built
    chance: random.Random
    allowance: JudgingBudget

    @property
    def side(self) -> int:
        return self.position.side


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    began = time.monotonic()
    assert isinstance(position, VisavisPosition)
    cells = cells_of(position.board.size)
    own, built = LEVELS[level - 1], cells.built(position)
    allowance = JudgingBudget(budget or BUDGET, stop)
    table = _Task(position, own, cells, built, random.Random(seed), allowance)
    thought = _choose(table)
    return replace(thought, nodes=max(allowance.judged, 1), seconds=time.monotonic() - began)


def _choose(table: _Task) -> Thought:
    looks = table.chance.randrange(100) < table.level.sight
    if table.position.may_swap and _swaps(table, looks):
        score, proved = (1.0, 1.0) if looks else (0.5, None)
        return Thought(SWAP, score, proved, line=(SWAP,))
    if table.level.sees_wins and (win := _way(table, table.side, table.built)):
        return Thought(win, 1.0, 1.0, plies=1, line=(win,), candidates=(Candidate(win, 1.0, 1.0),))
    is_first = not any(table.position.bridges)
    if is_first and table.position.terms.flag("swap"):
        return _play_tempting_bridge(table) if looks else _play_by_worth(table, dull=True)
    return _play_proved(table) if looks else _play_by_worth(table)


def _swaps(table: _Task, looks: bool) -> bool:
    """Swap when the first bridge wins for its maker; without a look, when it feels strong."""
    if looks:
        return judge(table.position, allowance=table.allowance).winner == O
    worth, _ = _worths(replace(table, built=np.zeros_like(table.built)), O)
    (first,) = table.position.board.names(table.position.bridges[O])
    return worth.get(first, 0.0) >= sorted(worth.values())[len(worth) // 2]


def _play_proved(table: _Task) -> Thought:
    """Play what is proved to win, or a trap."""
    verdict = judge_cells(
        *(table.cells, table.built, table.side, 1, table.chance.getrandbits(32)),
        table.allowance.share(_VERDICT),
    )
    if verdict.winner is None:
        return _play_by_worth(table)
    if verdict.winner != table.side:
        return _play_trap(table)
    # The side that holds both ends wins with any bridge, and soonest along a shortest way.
    wins = (
        (_winning(table) or list(verdict.moves))
        if verdict.moves
        else _bridges_of_shortest_way(table)
    )
    is_opening = sum(bridges.bit_count() for bridges in table.position.bridges) < _VARIED
    move = table.chance.choice(wins) if is_opening else wins[0]
    candidates = tuple(Candidate(other, 1.0, 1.0) for other in wins[:_MAX_CANDIDATES])
    return Thought(move, 1.0, 1.0, line=(move,), candidates=candidates)


def _bridges_of_shortest_way(table: _Task) -> list[str]:
    """List the bridges of a shortest way, those that feel worth most first."""
    worth, _ = _worths(table, table.side)
    return sorted(_shortest(table, table.side), key=lambda move: -worth[move])


def _winning(table: _Task) -> list[str]:
    """List bridges that win, of those that feel worth most, best first."""
    cells, side = table.cells, table.side
    worth, _ = _worths(table, side)
    wins = []
    for move in sorted(worth, key=lambda move: -worth[move])[:_WEIGHED]:
        cell, way = cells.where[side][move]
        after = table.built.copy()
        after[side, cell] |= 1 << way
        part = table.allowance.share(1 / _WEIGHED)
        if judge_cells(cells, after, 1 - side, allowance=part).winner == side:
            wins.append(move)
        if table.allowance.is_spent:
            break
    return wins


def _play_trap(table: _Task) -> Thought:
    seed = table.chance.getrandbits(32)
    ranked = traps(table.cells, table.built, table.side, seed, table.allowance)
    if not ranked:
        return _play_anything(table)
    candidates = tuple(
        Candidate(trap.move, 1.0 - trap.share, 0.0) for trap in ranked[:_MAX_CANDIDATES]
    )
    # As many bridges as the opponent still needs at least; it may take longer.
    is_hopeless = ranked[0].share >= 1.0
    plies = 2 * len(_shortest(table, 1 - table.side)) if is_hopeless else None
    best = ranked[0]
    return Thought(best.move, 1.0 - best.share, 0.0, plies, (best.move,), candidates)


def _play_tempting_bridge(table: _Task) -> Thought:
    """Begin, where a swap is allowed, with a bridge that feels strong and loses.

    Perfect answers win; but who swaps, as it seems wise, has lost.
    """
    worth, _ = _worths(table, O)
    tempting = []
    for move in sorted(worth, key=lambda move: -worth[move]):
        after = table.position.play(move)
        if judge(after, allowance=table.allowance.share(_OPENING)).winner == 1 - O:
            tempting.append(move)
        if len(tempting) == _TEMPTING or table.allowance.is_spent:
            break
    if not tempting:
        return _play_by_worth(table)
    move = table.chance.choice(tempting)
    candidates = tuple(Candidate(other, 0.5) for other in tempting)
    return Thought(move, 0.5, line=(move,), candidates=candidates)


def _play_by_worth(table: _Task, *, dull: bool = False) -> Thought:
    """Draw a bridge by its worth; `dull` when it should feel neither strong nor weak."""
    worth, share = _worths(table, table.side)
    if dull:
        middle = sorted(worth.values())[len(worth) // 2]
        worth = {move: min(value / middle, middle / value) for move, value in worth.items()}
    if table.level.sees_threats and _way(table, 1 - table.side, table.built):
        worth = {move: value for move, value in worth.items() if _stops(table, move)} or worth
    if not worth:
        return _play_anything(table)
    most = max(worth.values())
    moves = sorted(worth, key=lambda move: -worth[move])
    power = table.level.power(table.cells.size)
    weights = [(worth[move] / most) ** power for move in moves]
    move = table.chance.choices(moves, weights)[0]
    candidates = tuple(
        Candidate(other, share * worth[other] / most) for other in moves[:_MAX_CANDIDATES]
    )
    return Thought(move, share, line=(move,), candidates=candidates)


def _play_anything(table: _Task) -> Thought:
    """Play a bridge that joins nothing, for want of others."""
    move = table.chance.choice(table.position.legal_moves())
    return Thought(move, 0.0, line=(move,))


def _worths(table: _Task, side: int) -> tuple[dict[str, float], float]:
    """Return what each bridge of a side feels worth, and the side's share of the current."""
    cells, worth = table.cells, np.empty((len(table.cells.places), 3), np.float64)
    share = weigh_bridges(cells.ways, table.built, cells.vertices, side, worth)
    names = cells.names[side]
    worth_by_name = {
        names[cell][way]: float(worth[cell, way])
        for cell, way in zip(*worth.nonzero(), strict=True)
    }
    return worth_by_name, share


def _way(table: _Task, side: int, built: Built) -> str:
    """Name a bridge that joins a side's ends at once, "" when there is none."""
    bridge = np.empty(2, np.int64)
    cells = table.cells
    if winning_way(cells.ways, built, cells.vertices, side, bridge):
        cell, at = bridge.tolist()
        return cells.names[side][cell][at]
    return ""


def _stops(table: _Task, move: str) -> bool:
    """Return whether after a move the opponent has no win in one."""
    cell, way = table.cells.where[table.side][move]
    built = table.built.copy()
    built[table.side, cell] |= 1 << way
    return not _way(table, 1 - table.side, built)


def _shortest(table: _Task, side: int) -> tuple[str, ...]:
    """Return the open bridges of a shortest way through."""
    cells = table.cells
    line = np.empty((cells.vertices, 2), np.int64)
    count = shortest(cells.ways, table.built, cells.vertices, side, 0, seeded(0), line)
    return tuple(cells.names[side][cell][way] for cell, way in line[: max(count, 0)])
