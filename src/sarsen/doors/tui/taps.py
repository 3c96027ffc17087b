"""From spots that are pointed at, one after the other, to a move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.drawing.view import view_of


@dataclass(frozen=True)
class Choice:
    """A legal move, and the spots to point at for it."""

    move: Any
    spots: tuple[str, ...]


@dataclass(frozen=True)
class Taps:
    """What was pointed at so far, and the moves it may become.

    Attributes:
        chosen: A move that was named outright, typed or picked from a list.
    """

    position: AnyPosition
    choices: tuple[Choice, ...]
    tapped: tuple[str, ...] = ()
    chosen: Choice | None = None

    @property
    def open_choices(self) -> tuple[Choice, ...]:
        """The moves that begin with what was tapped."""
        length = len(self.tapped)
        return tuple(one for one in self.choices if one.spots[:length] == self.tapped)

    @property
    def next_spots(self) -> tuple[str, ...]:
        """The spots that lead on, each once."""
        if self.chosen:
            return ()
        length = len(self.tapped)
        further = self.open_choices
        if len(further) == 1 and self.tapped:
            return ()
        return tuple(dict.fromkeys(one.spots[length] for one in further if one.spots[length:]))

    @property
    def meant(self) -> Choice | None:
        """The move that is meant: all its spots were tapped, or no other begins so."""
        if self.chosen or not self.tapped:
            return self.chosen
        further = self.open_choices
        exact = [one for one in further if one.spots == self.tapped]
        if len(exact) == 1:
            return exact[0]
        return further[0] if len(further) == 1 else None

    @property
    def alternatives(self) -> tuple[Choice, ...]:
        """Moves to choose from that the same spots name; by a list."""
        exact = tuple(one for one in self.open_choices if one.spots == self.tapped)
        return exact if self.tapped and len(exact) > 1 else ()

    def tap(self, spot: str) -> Taps:
        """Point at a spot that leads on; another one changes nothing."""
        if spot not in self.next_spots:
            return self
        return replace(self, tapped=(*self.tapped, spot))

    def back(self) -> Taps:
        """Take the last tap back."""
        if self.chosen:
            return replace(self, chosen=None)
        return replace(self, tapped=self.tapped[:-1])

    def choose(self, move: Any) -> Taps:
        """Name a legal move outright."""
        return replace(
            self, chosen=Choice(move, view_of(self.position).clicks(self.position, move))
        )

    def beside(self, step: int) -> Taps:
        """Return the next move that differs in the last spot only, such as another rotation."""
        meant = self.meant
        if meant is None or not meant.spots:
            return self
        like = [
            one
            for one in self.choices
            if one.spots[:-1] == meant.spots[:-1] and len(one.spots) == len(meant.spots)
        ]
        at = next(at for at, one in enumerate(like) if one.move == meant.move)
        other = like[(at + step) % len(like)]
        return replace(self, tapped=other.spots, chosen=None)


def taps_of(position: AnyPosition) -> Taps:
    """Begin to point: lists the legal moves, which may take a moment."""
    view = view_of(position)
    moves = position.legal_moves()
    return Taps(position, tuple(Choice(move, view.clicks(position, move)) for move in moves))
