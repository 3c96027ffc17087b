"""What solves a puzzle: every right move, how the other side answers, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from sarsen.core.game import AnyPosition
from sarsen.lab.puzzles.provers import Prover, moves_of, rights
from sarsen.learning.puzzles.puzzle import Answers

MAX_FIRST = 3  # right first moves: with more, anything would do
MAX_RIGHT = 6  # at a later move
MAX_POSITIONS = 60  # of the solver: a puzzle that takes more is too long for a line of a file
# The other side holds out as long as it can, and then leaves the fewest right moves: counting
# those takes a question for each move, so only so many of its moves are compared.
MAX_COMPARED = 8


class TooWide(Exception):
    """A line has too many right moves, or something in it is undecided."""


def grow(asked: Prover, position: AnyPosition, own: int, *, keeps: bool) -> Answers:
    """Return what is known at a position that the attacker wins within `own` moves.

    Args:
        keeps: The task has no limit: a line ends after `own` moves, or when any move wins.

    Raises:
        TooWide: It is no puzzle.
    """
    tree = _Tree(asked, keeps)
    first = tree.rights(position, own)
    if not 0 < len(first) <= MAX_FIRST:
        raise TooWide
    return tree.answers(position, first, own)


class _Tree:
    def __init__(self, asked: Prover, keeps: bool) -> None:
        self._asked, self._keeps, self._positions = asked, keeps, 0

    def rights(self, position: AnyPosition, own: int) -> Mapping[str, AnyPosition]:
        found = rights(self._asked, position, own)
        if found is None:
            raise TooWide
        return found

    def answers(self, position: AnyPosition, right: Mapping[str, AnyPosition], own: int) -> Answers:
        """Return the right moves with what follows, then what meets the others."""
        self._positions += 1
        if self._positions > MAX_POSITIONS:
            raise TooWide
        known: Answers = {text: self._after(after, own) for text, after in right.items()}
        same = {after.write() for after in right.values()}
        for text, after in moves_of(position):
            if after.write() not in same:
                met = self._asked.met_by(after)
                if met is not None:
                    known[text] = met or None
        return known

    def _after(self, position: AnyPosition, own: int) -> list[object]:
        """Return the answer of the other side to a right move, and what is known then."""
        if position.outcome() is not None or (self._keeps and own == 1):
            return []
        if position.seat == self._asked.attacker:
            raise TooWide  # the other side does not move, as after a swap
        reply, after, right = self._defence(position, own - 1)
        if len(right) == len({one.write() for _, one in moves_of(after)}):
            return [reply]  # any move wins
        if len(right) > MAX_RIGHT:
            if not self._keeps:
                raise TooWide
            return [reply]  # so many do that nothing is to be found
        return [reply, self.answers(after, right, own - 1)]

    def _defence(
        self, position: AnyPosition, own: int
    ) -> tuple[str, AnyPosition, Mapping[str, AnyPosition]]:
        """Return the reply that holds out longest, and then leaves the fewest right moves."""
        replies = moves_of(position)
        if not self._keeps:
            replies = self._longest(replies, own)
        compared = [
            (text, after, self.rights(after, own))
            for text, after in islice(_spread(replies), None if self._keeps else MAX_COMPARED)
        ]
        if not compared:
            raise TooWide
        return min(compared, key=lambda one: (len(one[2]), one[0]))

    def _longest(
        self, replies: list[tuple[str, AnyPosition]], own: int
    ) -> list[tuple[str, AnyPosition]]:
        """Return the replies after which the attacker needs the most own moves, at most `own`."""
        going_on = [one for one in replies if one[1].outcome() is None]
        for fewer in range(own - 1, 0, -1):
            asked = [(one, self._asked.wins(one[1], fewer)) for one in going_on]
            if any(wins is None for _, wins in asked):
                raise TooWide
            slower = [one for one, wins in asked if not wins]
            if slower:
                return slower
        return going_on


def _spread(replies: list[tuple[str, AnyPosition]]) -> list[tuple[str, AnyPosition]]:
    """Return replies in an order in which the first few stand for all."""
    step = max(1, len(replies) // MAX_COMPARED)
    return [one for start in range(step) for one in replies[start::step]]
