"""A board as it lies on the screen: what the server says, where one looks, what is pointed at."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling, judge
from sarsen.doors.tui.picture import Pointers
from sarsen.doors.tui.taps import Taps
from sarsen.doors.tui.walk import Walk, walked
from sarsen.games import load
from sarsen.language.facts import BoardFacts
from sarsen.language.typography import normalise


@dataclass(frozen=True)
class Table:
    """Everything a board's screen shows.

    Attributes:
        taps: None while the legal moves are not known yet, or nothing can be pointed at.
    """

    facts: BoardFacts
    walk: Walk
    taps: Taps | None = None

    @property
    def may_point(self) -> bool:
        """Whether a move can be made here: sent, or only tried."""
        if self.walk.position.outcome() is not None:
            return False
        return self.walk.is_exploring or (self.walk.is_at_end and self.is_mine)

    @property
    def is_mine(self) -> bool:
        """Whether the server waits for the caller's move."""
        own, mover = self.facts.own, self.facts.to_move
        return own is not None and mover is not None and mover in own.seats

    @property
    def draft(self) -> Ruling | None:
        """The move that is meant and the position after it, before anything is sent."""
        if self.taps is None or self.taps.meant is None:
            return None
        position, move = self.taps.position, self.taps.meant.move
        return Ruling(position.seat, position.format(move), position.play(move))

    @property
    def shown(self) -> AnyPosition:
        """The position to draw."""
        draft = self.draft
        return draft.position if draft else self.walk.position

    @property
    def pointers(self) -> Pointers:
        """What to show over it."""
        if self.taps is None or not self.may_point:
            return Pointers()
        if self.draft:
            return Pointers(self.taps.next_spots, (), bool(self.taps.next_spots))
        return Pointers(self.taps.next_spots, self.taps.tapped, True)

    def to(self, ply: int) -> Table:
        """Step to a ply; what was pointed at is forgotten."""
        return replace(self, walk=self.walk.to(ply), taps=None)

    def typed(self, text: str) -> Table:
        """Mean a move that was typed.

        Raises:
            UserError: The rules refuse it.
        """
        position = self.walk.position
        text = normalise(text).strip()
        judge(position, text)
        taps = self.taps or Taps(position, ())
        return replace(self, taps=taps.choose(position.parse(text)))

    def tried(self) -> Table:
        """Make the move that is meant on the tried line."""
        draft = self.draft
        return self if draft is None else replace(self, walk=self.walk.play(draft), taps=None)


def table_of(facts: BoardFacts, known: Table | None = None) -> Table:
    """Lay a board out; a draft stays where the game has not gone on.

    Raises:
        UserError: This program does not have the game, or other rules of it.
    """
    texts = tuple(move.text for move in facts.moves)
    if known is not None:
        walk = walked(known.walk.positions[0], texts, known.walk)
        is_same = walk.position is known.walk.position
        return Table(facts, walk, known.taps if is_same else None)
    return Table(facts, walked(load(facts.game).start(facts.options), texts))
