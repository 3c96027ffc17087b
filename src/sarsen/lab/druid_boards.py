"""What is proved of Druid on small sites; the argument stands in docs/druid-small-boards.md.

A side is shut out when it could not join its edges even if the other side only raised
its own stones from now on, and no height ever stood in the way. Nothing can change that
any more. So a side that can force the other to be shut out never loses, however high
stones may be stacked; the search here needs no limit on plies or heights.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

from sarsen.games.druid.monument import EAST, NORTH, SIDES, Monument, Piece, V, site, squares_of
from sarsen.games.druid.rules import GAME
from sarsen.games.druid.terms import Terms

State = tuple[tuple[int, ...], tuple[int, int]]


@dataclass(frozen=True)
class Holding:
    """Say what was found about a side that tries to shut the other out.

    Attributes:
        moves: Its own moves within which it can force that, or None.
        searched: How many of its own moves were looked ahead, to the end.
        positions: Positions that were looked at.
    """

    side: int
    opening: str
    moves: int | None
    searched: int
    positions: int
    seconds: float

    @property
    def sentence(self) -> str:
        name, other = SIDES[self.side], SIDES[1 - self.side]
        if self.moves is None:
            return (
                f"After {self.opening}, {name} cannot force within {self.searched} own moves that "
                f"{other} is shut out: nothing is proved."
            )
        return (
            f"After {self.opening}, {name} shuts {other} out within {self.moves} own moves "
            f"and never loses, whatever the heights."
        )


def hold(options: str, opening: str, side: int, most: int, seconds: float = math.inf) -> Holding:
    """Find whether a side can force, after V's opening, that the other is shut out.

    Args:
        options: As typed: `-size=3 -nogaps`.
        opening: V's first stone: `a1`.
        most: Own moves to look ahead.
        seconds: Then it ends, and nothing is found.

    Raises:
        UserError: The options or the opening are refused.
    """
    began = time.monotonic()
    start = GAME.start(options)
    position = start.play(start.parse(opening))
    search = _Search(position.terms, side, began + seconds)
    looks = search.holds if side == V else search.answers
    searched, moves = 0, None
    try:
        while moves is None and searched < most:
            if looks(position.monument, searched + 1):
                moves = searched + 1
            searched += 1
    except TimeoutError:
        pass  # what was searched to the end stands
    looked = len(search.failed) + len(search.succeeded)
    return Holding(side, opening, moves, searched, looked, time.monotonic() - began)


def is_shut_out(monument: Monument, side: int, terms: Terms) -> bool:
    """Tell whether a side can never join its edges, whatever both sides play.

    What it may ever own: its squares, bare ones, and those over which a lintel could come
    to lie between squares that it may own.
    """
    every = site(terms.size).every
    may_own = every & ~monument.tops[1 - side]
    while True:
        more = may_own
        for step in (EAST, NORTH):
            more |= (more << step) & (more >> step) & every
            if terms.exact:
                # Ruling D4: an end may be the odd square, too.
                more |= (more << step) & (more << 2 * step) & every
                more |= (more >> step) & (more >> 2 * step) & every
        if more == may_own:
            break
        may_own = more
    tops = (may_own, 0) if side == V else (0, may_own)
    return not replace(monument, tops=tops).is_joined_by(side)


def is_held_off(monument: Monument, side: int, terms: Terms) -> bool:
    """Tell whether a side, to move, is kept from joining by raising stones against it.

    Every enemy square between two that the side may own is *guarded*: higher than the
    lower of the two. A move raises one of them, by one, and is met by raising the
    guarded square, as long as no move concerns two of them, or raises more at once.
    """
    if terms.exact:
        return False
    every = site(terms.size).every
    may_own = every & ~monument.tops[1 - side]
    tops = (may_own, 0) if side == V else (0, may_own)
    if replace(monument, tops=tops).is_joined_by(side):
        return False
    heights, ends, lifted = monument.heights, 0, 0
    for step in (EAST, NORTH):
        for first in squares_of(may_own & may_own >> 2 * step):
            middle, last = first + step, first + 2 * step
            both = 1 << first | 1 << last
            if may_own >> middle & 1:
                lifted |= both | 1 << middle
                continue
            if ends & both or heights[middle] <= min(heights[first], heights[last]):
                return False
            ends |= both
    return not ends & lifted


class _Search:
    """Search for one side, deeper and deeper, with what is known of positions seen before."""

    def __init__(self, terms: Terms, side: int, end: float) -> None:
        self._terms = terms
        self._side = side
        self._end = end  # on the monotonic clock
        self.failed: dict[State, int] = {}
        self.succeeded: dict[State, int] = {}

    def holds(self, monument: Monument, moves: int) -> bool:
        """Tell whether the side holds within so many own moves, the other to move."""
        if self._is_over_for_other(monument):
            return True
        if moves == 0:
            return False
        others = [monument.put(piece, 1 - self._side) for piece in self._pieces(monument, 1)]
        if any(after.is_joined_by(1 - self._side) for after in others):
            return False
        return all(self.answers(after, moves) for after in others)

    def answers(self, monument: Monument, moves: int) -> bool:
        """Tell the same with the side to move.

        Raises:
            TimeoutError: The time is over.
        """
        if time.monotonic() > self._end:
            raise TimeoutError
        state = (monument.heights, monument.tops)
        if self.failed.get(state, 0) >= moves:
            return False
        if self.succeeded.get(state, moves + 1) <= moves:
            return True
        found = self._finds_answer(monument, moves)
        (self.succeeded if found else self.failed)[state] = moves
        return found

    def _finds_answer(self, monument: Monument, moves: int) -> bool:
        own = [monument.put(piece, self._side) for piece in self._pieces(monument, 0)]
        if any(self._is_safe(after) for after in own):
            return True
        return moves > 1 and any(self.holds(after, moves - 1) for after in own)

    def _is_safe(self, monument: Monument) -> bool:
        return monument.is_joined_by(self._side) or self._is_over_for_other(monument)

    def _is_over_for_other(self, monument: Monument) -> bool:
        other, terms = 1 - self._side, self._terms
        return is_shut_out(monument, other, terms) or is_held_off(monument, other, terms)

    def _pieces(self, monument: Monument, of_other: int) -> list[Piece]:
        return list(monument.pieces(self._side ^ of_other, self._terms))
