"""Certain answers to "does this seat win within so many own moves?", also where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search.contract import KEY, ONGOING, RESULT, Kernel, KernelModule
from sarsen.search.thinking import runs
from sarsen.search.thinking.answers import watched_limits
from sarsen.search.thought import Budget, Stop

_PARTS = ("legal", "play", "order", "prove")


class Question:
    """Ask whether a seat wins within some own moves, of many positions of one game.

    Attributes:
        nodes: Positions looked at so far.
    """

    def __init__(self, module: KernelModule, kernel: Kernel, attacker: int, table: Any) -> None:
        from sarsen.search.thinking import win_within as search

        self._module, self._kernel, self._attacker, self._table = module, kernel, attacker, table
        self._control = np.zeros(search.CONTROL_SIZE, np.int64)
        self._control[search.ATTACKER] = attacker
        self._control[search.STATE_SIZE] = kernel.state_size
        self._control[search.MAX_MOVES] = kernel.most_moves
        # What was found of a key that forgets some history is no proof in another one.
        self._control[search.USES_TABLE] = not kernel.is_forgetful
        self._states = np.empty(search.MAX_PLIES * kernel.state_size, np.int64)
        self._moves = np.empty(search.MAX_PLIES * kernel.most_moves, np.int64)
        self._scores = np.empty_like(self._moves)
        self._answers = np.full(search.MAX_PLIES, -1, np.int64)

    @property
    def attacker(self) -> int:
        """The seat whose wins are asked for."""
        return self._attacker

    @property
    def nodes(self) -> int:
        return int(self._control[0])

    def ask(
        self, position: AnyPosition, own: int, budget: Budget, stop: Stop | None = None
    ) -> bool | None:
        """Return whether the seat wins a position within so many own moves; None when undecided.

        Args:
            own: At least 1; the first of them may be due now.
            budget: For this question alone.
        """
        from sarsen.search.thinking import win_within as search

        root = self._module.encode(position)
        if root[RESULT] != ONGOING:
            return bool(root[RESULT] == self._attacker + 1)
        control = self._control
        control[search.STOP] = 0
        if root[KEY] == 0:
            control[search.USES_TABLE] = 0
        self._states[: root.shape[0]] = root
        work = (control, self._states, self._moves, self._scores, self._table, self._answers)
        nodes = None if budget.nodes is None else self.nodes + budget.nodes
        with watched_limits(control, Budget(nodes, budget.seconds), stop):
            found = runs.run(search, "wins_within", self._kernel, _PARTS, *work, own)
        return None if control[search.STOP] else found == search.YES


@contextmanager
def question(module: KernelModule, position: AnyPosition, attacker: int) -> Iterator[Question]:
    """Lend room to ask about positions with the options of the one given."""
    kernel = module.kernel(position)
    with runs.borrowed_array(runs.MAX_WORDS // 8) as table:
        yield Question(module, kernel, attacker, table)


def right_moves(
    module: KernelModule, position: AnyPosition, own: int, budget: Budget
) -> tuple[tuple[Any, ...], bool]:
    """Return the moves that win within so many own moves, and whether all moves are decided.

    Args:
        budget: Of each move.
    """
    seat, found, are_all = position.seat, [], True
    with question(module, position, seat) as asked:
        for move in position.legal_moves():
            after = position.play(move)
            outcome = after.outcome()
            if outcome is not None:
                wins: bool | None = outcome.winner == seat
            else:
                wins = asked.ask(after, own - 1, budget) if own > 1 else False
            are_all &= wins is not None
            if wins:
                found.append(move)
    return tuple(found), are_all


def find_claimed_within(
    module: KernelModule, position: AnyPosition, seat: int, most_own: int, most_lines: int
) -> tuple[str, ...]:
    """Return answers by which a seat wins within so many own moves; see `sarsen.core.answers`.

    For games whose keys forget, where `by_proof` finds nothing. The search has no bound: its
    caller ends it.
    """
    with question(module, position, seat) as asked:
        wins = (own for own in range(1, most_own + 1) if asked.ask(position, own, Budget()))
        if (least := next(wins, None)) is None:
            return ()
        lines: list[str] = []
        seen: set[str] = set()
        waiting: list[tuple[AnyPosition, tuple[str, ...], int]] = [(position, (), least)]
        while waiting:
            position, path, own = waiting.pop()
            key = position.write()
            if position.outcome() is not None or key in seen:
                continue
            seen.add(key)
            moves = position.legal_moves()
            if position.seat == seat:
                moves = [next(one for one in moves if _keeps(asked, position.play(one), own - 1))]
                lines.append(" ".join([*path, position.format(moves[0])]))
                if len(lines) > most_lines:
                    return ()
                own -= 1
            waiting += [
                (position.play(move), (*path, position.format(move)), own) for move in moves
            ]
    return tuple(lines)


def _keeps(asked: Question, after: AnyPosition, own: int) -> bool:
    """Return whether the attacker still wins within so many own moves."""
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner == asked.attacker
    return own > 0 and bool(asked.ask(after, own, Budget()))
